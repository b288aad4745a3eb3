package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestJapanese limits the length of words, in characters.
const longestJapanese = 12

// readEDICT reads EDICT and COMPDIC, converted to UTF-8. A line is
// "設定 [せってい] /(n,vs) (1) gloss/gloss/(n,vs) (2) (comp) gloss/(P)/".
func readEDICT(src string, d *draft) error {
	for _, name := range []string{"edict.utf8", "compdic.utf8"} {
		b, err := os.ReadFile(filepath.Join(src, name))
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(b)) {
			addEDICT(d, strings.TrimSpace(line), name == "compdic.utf8")
		}
	}
	return nil
}

var (
	edictLabels = regexp.MustCompile(`^\s*(\([a-z0-9,:'\- A-Z]+\)\s*)+`)
	oldWord     = regexp.MustCompile(`\((arch|obs|obsc|oK|ok|iK|ik|yoji|proverb|rare|male-sl|vulg|X|derog|baseb|sumo|MA|Buddh|food|astron|zool|bot|mahj|shogi|Shinto)\)`)
)

// addEDICT adds a line. computing tells that it is from COMPDIC.
func addEDICT(d *draft, line string, computing bool) {
	head, rest, ok := strings.Cut(line, " /")
	if !ok {
		return
	}
	word, reading, _ := strings.Cut(head, " [")
	reading = strings.TrimSuffix(reading, "]")
	common := strings.HasSuffix(rest, "/(P)/")
	if word == "" || utf8.RuneCountInString(word) > longestJapanese || strings.HasPrefix(word, "　") {
		return
	}
	// Users do not search documentation for words in Hiragana alone or for old words,
	// unless they are marked as common.
	hiragana := strings.IndexFunc(word, func(r rune) bool { return !unicode.Is(unicode.Hiragana, r) }) < 0
	if !common && (hiragana || oldWord.MatchString(rest)) {
		return
	}
	scale := 1.0
	if !common {
		// Long words that are not common are kept only if they are computing terms.
		scale = .6
		if !computing && !strings.Contains(rest, "(comp)") && utf8.RuneCountInString(word) > rareLength(word) ||
			strings.Contains(rest, "(exp") {
			return
		}
	}
	keys := []string{word}
	if common && strings.Contains(rest, "(uk)") && utf8.RuneCountInString(reading) > 2 {
		keys = append(keys, reading)
	}
	sense, synonym, labels := -1, 0, ""
	for _, def := range strings.Split(rest, "/") {
		if l := edictLabels.FindString(def); l != "" && (sense < 0 || newSense.MatchString(l)) {
			sense++
			synonym, labels = 0, l
		} else {
			labels += edictLabels.FindString(def)
		}
		if strings.HasPrefix(def, "EntL") || def == "(P)" || oldWord.MatchString(labels) && sense > 0 {
			continue
		}
		w := scale
		if computing || strings.Contains(labels, "(comp)") {
			w *= 1.5
		}
		for _, g := range clean(def) {
			for _, k := range keys {
				d.add(k, g, w*rank(max(sense, 0), synonym))
			}
			synonym++
		}
	}
	if common || computing || strings.Contains(rest, "(comp)") {
		for _, k := range keys {
			d.keep(k)
		}
	}
	if d.entries[word] != nil && (common || strings.ContainsAny(word, "使書読")) {
		for _, f := range conjugated(word, rest) {
			d.extra[f] = append(d.extra[f], word)
		}
	}
}

// rareLength limits the length of words that are not common. A word of three kanji
// is mostly a word of two with a suffix. Words in Katakana may be longer, because
// most of them come from English.
func rareLength(word string) int {
	if strings.IndexFunc(word, func(r rune) bool { return !unicode.Is(unicode.Katakana, r) && r != 'ー' }) < 0 {
		return 7
	}
	return 2
}

var newSense = regexp.MustCompile(`\(\d+\)`)

// verbEndings maps the last kana of a godan verb to its endings before ない, ます, て
// and ば.
var verbEndings = map[rune][]string{
	'う': {"わ", "い", "っ", "え"}, 'く': {"か", "き", "い", "け"}, 'ぐ': {"が", "ぎ", "い", "げ"},
	'す': {"さ", "し", "せ"}, 'つ': {"た", "ち", "っ", "て"}, 'ぬ': {"な", "に", "ん", "ね"},
	'ぶ': {"ば", "び", "ん", "べ"}, 'む': {"ま", "み", "ん", "め"}, 'る': {"ら", "り", "っ", "れ"},
}

// conjugated returns the stems of a verb or an adjective that is written with a
// kanji: for 使う these are 使わ, 使い, 使っ and 使え. labels are its EDICT labels.
func conjugated(word, labels string) []string {
	last, size := utf8.DecodeLastRuneInString(word)
	stem := word[:len(word)-size]
	if !strings.ContainsFunc(stem, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
		return nil
	}
	switch {
	case strings.Contains(labels, "v1"):
		// The stem of 見る is 見, which is also a word of its own.
		if utf8.RuneCountInString(stem) > 1 {
			return []string{stem}
		}
		return []string{stem + "て", stem + "ま", stem + "ら", stem + "な", stem + "た"}
	case strings.Contains(labels, "v5"):
		var out []string
		for _, e := range verbEndings[last] {
			out = append(out, stem+e)
		}
		return out
	case strings.Contains(labels, "adj-i"):
		return []string{stem + "く", stem + "かっ", stem + "さ"}
	}
	return nil
}
