package main

import (
	"strings"
	"unicode"

	"docent/pipeline/question/dictionary/table"
)

// clean extracts the search terms from a dictionary definition. It removes remarks
// in brackets, labels, "to" and articles. A definition that only describes the word
// itself (variant of, classifier for) has no search terms.
func clean(definition string) []string {
	var out []string
	for _, part := range strings.FieldsFunc(unbracket(definition), func(r rune) bool { return strings.ContainsRune(";,/|", r) }) {
		if g := cleanOne(part); g != "" {
			out = append(out, g)
		}
	}
	return out
}

// unbracket removes all text in brackets of any kind, including nested and unclosed
// ones.
func unbracket(s string) string {
	var b strings.Builder
	depth := 0
	for _, r := range s {
		switch r {
		case '(', '[', '{', '<', '（':
			depth++
		case ')', ']', '}', '>', '）':
			depth = max(depth-1, 0)
			b.WriteByte(' ')
		default:
			if depth == 0 {
				b.WriteRune(r)
			}
		}
	}
	return b.String()
}

// metaPrefixes are the beginnings of definitions that describe the word itself, not
// its meaning.
var metaPrefixes = []string{
	"CL:", "variant of", "old variant", "archaic variant", "erhua variant", "Japanese variant", "also written", "also pr.",
	"see ", "see also", "same as", "equivalent to", "equivalent of", "surname ", "abbr.", "abbreviation", "classifier",
	"used in ", "used to ", "used as ", "used before", "used after", "used for", "particle", "suffix", "prefix", "Kangxi radical",
	"radical in", "pr. ", "onom.", "Taiwan pr.", "interjection", "exclamation", "component in", "bound form", "loanword",
	"idiom", "honorific", "expresses", "indicates", "indicating", "denotes", "introduces", "measure word", "e.g.", "i.e.",
	"name of", "given name", "personal name", "female name", "male name", "place name", "transliteration", "placed ", "marks ",
}

// leading are words that are removed at the beginning of a gloss.
var leading = words("to be a an the lit. fig. esp. usu. also or and of some any one's sb sth sb's sb. sth. smth smb. smth. euph. coll. " +
	"etc. more very e.g. i.e. become get")

// trailing are words that are removed at the end of a gloss.
var trailing = words("sb sth sb's sb. sth. smth smb. smth. etc etc. of to with for by from at the a an or and one's oneself someone " +
	"something somebody as on into upon than that which")

// inner are words that are removed from glosses that are too long.
var inner = words("the a an of in on at to for with by from and or one's sb sth sb's sb. sth. that which who is are be as into its " +
	"their his someone something etc other any")

// objects are placeholders for the objects of a verb, in English and German.
var objects = words("sb sth sb. sth. smth smb. smth. so. sb.'s sb's etw. jdn. jdm. jds. jd. sich etw jdn jdm jds ...")

// words returns the set of the words in a list.
func words(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}

// cleanOne cleans a single gloss, "" if it is not a search term.
func cleanOne(s string) string {
	s = strings.TrimFunc(strings.TrimSpace(s), func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(`"“”‘'.:!?…~=*-–—`, r)
	})
	for _, p := range metaPrefixes {
		if strings.HasPrefix(s, p) || strings.Contains(s, " variant of") || strings.Contains(s, "classifier") {
			return ""
		}
	}
	var ws []string
	for _, w := range strings.Fields(s) {
		w = strings.Trim(w, `"“”‘:!?…~=*`)
		w = strings.ReplaceAll(w, "’", "'")
		if w == "" || w == "-" || w == "–" || objects[w] {
			continue
		}
		if !latin(w) {
			return ""
		}
		ws = append(ws, w)
	}
	for len(ws) > 1 && leading[ws[0]] {
		ws = ws[1:]
	}
	for len(ws) > 1 && trailing[ws[len(ws)-1]] {
		ws = ws[:len(ws)-1]
	}
	if len(ws) > table.MaxWords {
		short := ws[:0:0]
		for _, w := range ws {
			if !inner[w] {
				short = append(short, w)
			}
		}
		ws = short
	}
	if len(ws) == 0 || len(ws) > table.MaxWords {
		return ""
	}
	if len(ws) == 1 && (leading[ws[0]] && ws[0] != "be" && ws[0] != "get" && ws[0] != "become" || len(ws[0]) == 1 && ws[0] != "I") {
		return ""
	}
	return strings.Join(ws, " ")
}

// latin reports whether a word consists of Latin letters, digits and the marks that
// occur in English words.
func latin(w string) bool {
	letter := false
	for _, r := range w {
		switch {
		case r < 0x250 && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			letter = true
		case !strings.ContainsRune("-'.+#&%", r):
			return false
		}
	}
	return letter
}

// rank is the weight of a gloss. It decreases with the position of the sense in the
// word's senses, and of the gloss among the synonyms of the sense; both start at 0.
func rank(sense, synonym int) float64 {
	return 1 / (1 + .25*float64(sense)) / (1 + .15*float64(synonym))
}
