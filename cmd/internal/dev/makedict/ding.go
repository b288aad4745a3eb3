package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"docent/pipeline/question/dictionary/table"
)

// offTopic matches labels of subjects that software documentation is not about.
// Ding has tens of thousands of animals, plants and dishes. Without the entries with
// these labels the table is a third smaller.
var offTopic = regexp.MustCompile(`\[(zool|bot|ornith|cook|med|anat|biochem|biol|geol|min|mus|hist|relig|sport|mil|naut|textil|agr|astron|geogr|arch|constr|auto|pharm|vet|myth|fin|jur|pol|art|ling|chem|aviat|mach|phys|mining|lit|soc|obs|archaic|veraltet|Jägersprache|slang|vulg|Kindersprache|hunters’ parlance|Ös|Schw|Süddt|Dt|ugs)\.?\]`)

// readDing reads the German-English word list of Ding. A line is
// "A; B | Cs :: a; b | cs": semicolons separate alternatives, bars separate further
// forms and compounds, in the same order on both sides.
func readDing(src string, d *draft) error {
	b, err := os.ReadFile(filepath.Join(src, "deb/usr/share/trans/de-en"))
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(b)) {
		german, english, ok := strings.Cut(strings.TrimSpace(line), " :: ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		g, e := strings.Split(german, " | "), strings.Split(english, " | ")
		if len(g) != len(e) {
			continue
		}
		main := ""
		for i := range g {
			// Example sentences and phrases are not translations of words.
			if i > 0 && (strings.ContainsAny(g[i], ".!?") || len(strings.Fields(unbracket(g[i]))) > 2) {
				continue
			}
			main = addDing(d, g[i], e[i], i, main)
		}
	}
	return nil
}

// addDing adds the i-th pair of a line, with its alternatives. main is the key of
// the line's first word; addDing returns it.
func addDing(d *draft, german, english string, i int, main string) string {
	weight := 1.0
	switch {
	case strings.Contains(german, "[comp.]") || strings.Contains(english, "[comp.]"):
		weight = 1.5
	case offTopic.MatchString(german) || offTopic.MatchString(english):
		weight = .4
	}
	if i > 0 {
		weight *= .7
	}
	var glosses []string
	for _, part := range strings.Split(english, ";") {
		for _, g := range clean(abbreviated.ReplaceAllString(part, " ")) {
			if len(strings.Fields(g)) <= 2 || len(glosses) == 0 {
				glosses = append(glosses, g)
			}
		}
	}
	for j, alternative := range splitOutside(german, ';') {
		key := germanKey(alternative)
		if i == 0 && j == 0 {
			main = key
		}
		// A phrase is kept only if its English is a single word. An off-topic entry is
		// kept only if it is short: short words often have other meanings too.
		if key == "" || strings.Contains(key, " ") && (len(glosses) == 0 || strings.Contains(glosses[0], " ")) || weight < .7 &&
			(strings.Contains(key, " ") || utf8.RuneCountInString(key) > 8) {
			continue
		}
		// Inflected forms of the first word have the same stem and are not needed.
		if i > 0 && table.StemWord("de", key) == table.StemWord("de", main) {
			continue
		}
		for k, g := range glosses {
			d.add(key, g, weight*rank(0, k)/(1+.1*float64(j)))
		}
		if weight > 1 {
			d.keep(key)
		}
	}
	return main
}

// abbreviated matches abbreviations and variants: /ABBR/ and <variant>.
var abbreviated = regexp.MustCompile(`/[^/]*/|<[^>]*>`)

// splitOutside splits at a separator, but not inside brackets.
func splitOutside(s string, sep rune) []string {
	var out []string
	depth, start := 0, 0
	for i, r := range s {
		switch {
		case strings.ContainsRune("([{<", r):
			depth++
		case strings.ContainsRune(")]}>", r):
			depth = max(depth-1, 0)
		case r == sep && depth == 0:
			out = append(out, s[start:i])
			start = i + utf8.RuneLen(r)
		}
	}
	return append(out, s[start:])
}

// germanKey is the key of an alternative of at most two words, "" for a longer one.
func germanKey(s string) string {
	ws := strings.Fields(abbreviated.ReplaceAllString(unbracket(s), " "))
	ws = slices.DeleteFunc(ws, func(w string) bool { return objects[w] })
	if len(ws) == 0 || len(ws) > 2 {
		return ""
	}
	for _, w := range ws {
		if strings.ContainsFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' }) || strings.HasPrefix(w, "-") ||
			strings.HasSuffix(w, "-") {
			return ""
		}
	}
	key := table.Normal("de", strings.Join(ws, " "))
	if utf8.RuneCountInString(key) < 2 || utf8.RuneCountInString(key) > 40 {
		return ""
	}
	return key
}
