package ingest

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"docent/store"
)

// Lengths of abbreviations and of their long forms.
const (
	leastShort = 2  // runes
	mostShort  = 10 //
	mostLong   = 100
)

// abbreviations finds the definitions of abbreviations in a text, written as "long
// form (SF)" or "SF (long form)": A. S. Schwartz and M. A. Hearst, "A
// Simple Algorithm for Identifying Abbreviation Definitions in Biomedical Text",
// Pacific Symposium on Biocomputing, 2003. Most parentheses in documentation define
// nothing, so two rules are stricter: a short form has at least two capitals, and the
// long form has all of its letters.
func abbreviations(text string) []store.Abbreviation {
	var out []store.Abbreviation
	add := func(short, long string) {
		if d := (store.Abbreviation{Short: short, Long: long}); !slices.Contains(out, d) {
			out = append(out, d)
		}
	}
	for line := range strings.Lines(text) {
		for at := 0; ; {
			i := strings.IndexByte(line[at:], '(')
			if i < 0 {
				break
			}
			i += at
			at = i + 1
			n := strings.IndexAny(line[at:], "()")
			if n < 0 {
				break
			}
			if line[at+n] == '(' {
				continue
			}
			inside := strings.TrimSpace(line[at : at+n])
			if j := strings.IndexAny(inside, ",;"); j > 0 { // "(HPA, or autoscaler)"
				inside = strings.TrimSpace(inside[:j])
			}
			before := clause(line[:i])
			if isShort(inside) {
				if long := longForm(inside, before); long != "" {
					add(inside, long)
				}
				continue
			}
			if short := lastWord(before); isShort(short) && len(inside) <= mostLong {
				// The long form must be the whole text in the parentheses.
				if long := longForm(short, inside); len(long) == len(inside) {
					add(short, long)
				}
			}
		}
	}
	return out
}

// clause is the end of a text, from the beginning of its last clause.
func clause(text string) string {
	if len(text) > mostLong {
		cut := len(text) - mostLong
		for cut < len(text) && !utf8.RuneStart(text[cut]) {
			cut++
		}
		text = text[cut:]
		if i := strings.IndexByte(text, ' '); i >= 0 { // no half word
			text = text[i:]
		}
	}
	if i := strings.LastIndexAny(text, ";:()[]{}<>|=\t\"“”"); i >= 0 {
		_, size := utf8.DecodeRuneInString(text[i:])
		text = text[i+size:]
	}
	for _, end := range []string{". ", ", ", "! ", "? "} {
		if i := strings.LastIndex(text, end); i >= 0 {
			text = text[i+len(end):]
		}
	}
	return strings.TrimSpace(text)
}

func lastWord(text string) string { return text[strings.LastIndexByte(text, ' ')+1:] }

// isShort reports whether a word is written as an abbreviation.
func isShort(w string) bool {
	runes, capitals := 0, 0
	for i, r := range w {
		switch {
		case unicode.IsUpper(r):
			capitals++
		case unicode.IsLower(r) || unicode.IsDigit(r):
		case i > 0 && (r == '-' || r == '/'):
		default:
			return false
		}
		runes++
	}
	return runes >= leastShort && runes <= mostShort && capitals >= 2
}

// longForm is the end of a text that has the letters of a short form in their
// order, the first one at the beginning of a word. It is empty where there is no such
// end, or where it has too many words.
func longForm(short, text string) string {
	s, l := []rune(short), []rune(text)
	if n := len(s); n > 2 && s[n-1] == 's' && unicode.IsUpper(s[n-2]) {
		s = s[:n-1] // a plural, whose s may be missing
	}
	lower := func(r rune) rune { return unicode.ToLower(r) }
	j := len(l) - 1
	for i := len(s) - 1; i >= 0; i-- {
		c := lower(s[i])
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			continue
		}
		for j >= 0 && (lower(l[j]) != c || i == 0 && j > 0 && inWord(l, j)) {
			j--
		}
		if j < 0 {
			return ""
		}
		j--
	}
	start := j + 1
	for start > 0 && l[start-1] != ' ' {
		start--
	}
	long := strings.Trim(string(l[start:]), "'’`*_ ")
	words := strings.Fields(long)
	limit := min(len(s)+5, 2*len(s))
	switch {
	case len(words) > limit, utf8.RuneCountInString(long) <= len(s)+1:
		return ""
	case !utf8.ValidString(long), strings.ContainsFunc(long, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" -/'’&.+", r)
	}):
		return ""
	case strings.Contains(strings.ToLower(long), strings.ToLower(short)): // "ParamRef (spec.paramRef)"
		return ""
	}
	return long
}

// inWord reports whether the letter before belongs to the same word.
func inWord(l []rune, j int) bool {
	return unicode.IsLetter(l[j-1]) || unicode.IsDigit(l[j-1])
}
