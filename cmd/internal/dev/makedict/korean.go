package main

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"docent/pipeline/question/dictionary"
)

// readKnown adds a list of words, a line each, as known ones.
func readKnown(from sources, r repository, d *draft) error {
	text, err := readFile(from.mirrors, r)
	if err != nil {
		return err
	}
	for line := range strings.SplitSeq(text, "\n") {
		if w := strings.TrimSpace(line); isHangul(w) {
			d.known[w] = true
		}
	}
	return nil
}

// readForms adds lines of a verb's stem, a tab and its forms with commas: those that are
// more than the stem with an ending behind it.
func readForms(from sources, r repository, d *draft) error {
	text, err := readFile(from.mirrors, r)
	if err != nil {
		return err
	}
	for line := range strings.SplitSeq(text, "\n") {
		stem, forms, _ := strings.Cut(line, "\t")
		if !isHangul(stem) {
			continue
		}
		d.known[stem] = true
		for f := range strings.SplitSeq(forms, ",") {
			if f = strings.TrimSpace(f); isHangul(f) && !strings.HasPrefix(f, stem) && utf8.RuneCountInString(f) > 1 {
				d.extra[f] = append(d.extra[f], stem)
			}
		}
	}
	return nil
}

// isHangul reports whether a text is of Hangul alone.
func isHangul(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return !unicode.Is(unicode.Hangul, r) }) < 0
}

// A word that no list has is one that at least so many of them follow.
const leastParticles = 4

// knowStems adds to the known words those of the texts that many particles follow.
func (d *draft) knowStems(messages []message) {
	if d.language != "ko" {
		return
	}
	found := map[string]map[string]bool{}
	for _, m := range messages {
		for _, w := range strings.FieldsFunc(m.foreign, func(r rune) bool { return !unicode.Is(unicode.Hangul, r) }) {
			dictionary.EachStem(w, func(stem, particle string) {
				if found[stem] == nil {
					found[stem] = map[string]bool{}
				}
				found[stem][particle] = true
			})
		}
	}
	for stem, particles := range found {
		if len(particles) >= leastParticles {
			d.known[stem] = true
		}
	}
}
