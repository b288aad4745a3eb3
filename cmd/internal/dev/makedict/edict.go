package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestJapanese is the longest word that is kept, in characters.
const longestJapanese = 12

// readEDICT reads EDICT and COMPDIC, turned into UTF-8:
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
	// Words without a kanji, a kana of Katakana or a mark of being common, and
	// old ones, are what a reader of documentation does not write.
	kana := strings.IndexFunc(word, func(r rune) bool { return !unicode.Is(unicode.Hiragana, r) }) < 0
	if !common && (kana || oldWord.MatchString(rest)) {
		return
	}
	scale := 1.0
	if !common {
		// Long words that newspapers do not use are technical or useless.
		scale = .6
		if !computing && !strings.Contains(rest, "(comp)") && utf8.RuneCountInString(word) > rareLength(word) || strings.Contains(rest, "(exp") {
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
			d.want(k)
		}
	}
	if d.entries[word] != nil && (common || strings.ContainsAny(word, "使書読")) {
		for _, f := range conjugated(word, rest) {
			d.extra[f] = append(d.extra[f], word)
		}
	}
}

// rareLength is the longest rare word that is kept: a word of three kanji is
// mostly one of two with a suffix. Longer for Katakana, which has an English
// word behind it more often than not.
func rareLength(word string) int {
	if strings.IndexFunc(word, func(r rune) bool { return !unicode.Is(unicode.Katakana, r) && r != 'ー' }) < 0 {
		return 7
	}
	return 2
}

var newSense = regexp.MustCompile(`\(\d+\)`)

// rows are the endings of verbs of the first group: what stands before ない,
// ます, て and ば.
var rows = map[rune][]string{
	'う': {"わ", "い", "っ", "え"}, 'く': {"か", "き", "い", "け"}, 'ぐ': {"が", "ぎ", "い", "げ"},
	'す': {"さ", "し", "せ"}, 'つ': {"た", "ち", "っ", "て"}, 'ぬ': {"な", "に", "ん", "ね"},
	'ぶ': {"ば", "び", "ん", "べ"}, 'む': {"ま", "み", "ん", "め"}, 'る': {"ら", "り", "っ", "れ"},
}

// conjugated is the stems of a verb or an adjective that is written with a
// kanji: 使う is also found as 使い, 使っ, 使わ, 使え.
func conjugated(word, labels string) []string {
	last, size := utf8.DecodeLastRuneInString(word)
	stem := word[:len(word)-size]
	if !strings.ContainsFunc(stem, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
		return nil
	}
	switch {
	case strings.Contains(labels, "v1"):
		// 見る would be 見, which is a word of its own.
		if utf8.RuneCountInString(stem) > 1 {
			return []string{stem}
		}
		return []string{stem + "て", stem + "ま", stem + "ら", stem + "な", stem + "た"}
	case strings.Contains(labels, "v5"):
		var out []string
		for _, e := range rows[last] {
			out = append(out, stem+e)
		}
		return out
	case strings.Contains(labels, "adj-i"):
		return []string{stem + "く", stem + "かっ", stem + "さ"}
	}
	return nil
}
