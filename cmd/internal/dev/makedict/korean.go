package main

import (
	"strings"
	"unicode"
	"unicode/utf8"
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

// The particles by which a word of a text is found that no list has.
var (
	afterAny    = []string{"의", "에", "에서", "도", "만"}
	afterClosed = []string{"을", "은", "이", "과", "으로"} // after a closed sound
	afterOpen   = []string{"를", "는", "가", "와", "로"}
)

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
			eachStem(w, func(stem, particle string) {
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

// eachStem calls yield with each way to part a word in a stem of two syllables or more and
// a particle that agrees with the stem's last sound.
func eachStem(w string, yield func(stem, particle string)) {
	part := func(particles []string, fits func(closed bool) bool) {
		for _, p := range particles {
			stem, ok := strings.CutSuffix(w, p)
			if ok && utf8.RuneCountInString(stem) >= 2 && fits(endsClosed(stem)) {
				yield(stem, p)
			}
		}
	}
	part(afterAny, func(bool) bool { return true })
	part(afterClosed, func(closed bool) bool { return closed })
	part(afterOpen, func(closed bool) bool { return !closed })
}

// endsClosed reports whether the last syllable of a word ends in a consonant.
func endsClosed(word string) bool {
	const first, finals = 0xac00, 28
	last, _ := utf8.DecodeLastRuneInString(word)
	return last >= first && (last-first)%finals != 0
}
