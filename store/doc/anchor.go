package doc

import (
	"strconv"
	"strings"
	"unicode"
)

// SectionOf is the index of the section that a name leads to: its anchor, or else the id
// that another program makes of its heading. A heading with a label of its own can be
// reached by both on the web, and programs number the second heading of the same words in
// different ways: "-1", "_2". ok is false where no section or more than one has that name.
func SectionOf(sections []Section, name string) (index int, ok bool) {
	if name == "" {
		return 0, false
	}
	for _, same := range []func(a, b string) bool{func(a, b string) bool { return a == b }, strings.EqualFold} {
		for i, s := range sections {
			if s.Level > 0 && same(s.Anchor, name) {
				return i, true
			}
		}
	}
	if alike := sectionsNamed(sections, LettersOf(name)); len(alike) > 0 {
		return alike[0], len(alike) == 1
	}
	at := strings.LastIndexAny(name, "-_")
	if at <= 0 {
		return 0, false
	}
	n, err := strconv.Atoi(name[at+1:])
	if err != nil || n < 1 {
		return 0, false
	}
	if name[at] == '-' {
		n++ // "-1" is the second
	}
	if alike := sectionsNamed(sections, LettersOf(name[:at])); n > 1 && n <= len(alike) {
		return alike[n-1], true
	}
	return 0, false
}

// sectionsNamed are the sections whose headings have the given letters.
func sectionsNamed(sections []Section, letters string) []int {
	var all []int
	for i, s := range sections {
		if letters != "" && s.Level > 0 && LettersOf(s.Text) == letters {
			all = append(all, i)
		}
	}
	return all
}

// LettersOf are the letters and digits of a text in lower case, which ids keep.
func LettersOf(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}
