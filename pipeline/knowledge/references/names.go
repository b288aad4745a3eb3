package references

import (
	"strings"
	"unicode"
)

// foldedTitle is a title for comparison.
func foldedTitle(s string) string {
	var b strings.Builder
	blank := false
	for _, r := range s {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if blank && b.Len() > 0 {
				b.WriteByte(' ')
			}
			blank = false
			b.WriteRune(unicode.ToLower(r))
		case r == '\'' || r == '’':
		default:
			blank = true
		}
	}
	return b.String()
}

// bareName is the name of a parameter for comparison: without "=value", "()" and quotes.
func bareName(s string) string {
	s = strings.Trim(s, "`'\".,;:")
	if i := strings.IndexAny(s, "=("); i > 0 {
		s = s[:i]
	}
	return s
}

// anchorLetters are the letters and digits of an anchor, in lower case: programs that make
// anchors differ in what they make of all else.
func anchorLetters(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(s) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// findByName finds a parameter, page or section by its name: on the page itself first.
func (r *resolver) findByName(i int, name string) (spot, bool) {
	if to, ok := r.parameter(i, name); ok {
		return to, true
	}
	key := foldedTitle(name)
	if len(key) < shortestTitle {
		return nowhere, false
	}
	for n, s := range r.pageWithDetails(i).Places {
		if foldedTitle(s.Text) == key {
			return spot{i, n}, true
		}
	}
	to, ok := r.titled(key)
	if ok && to != nowhere && !strings.Contains(key, " ") && !r.isWrittenExactly(to, name) {
		return nowhere, false
	}
	if !ok || to == nowhere || to.n != whole && !strings.Contains(key, " ") {
		return nowhere, false // a heading of one word is called so everywhere
	}
	return to, true
}

// labelled finds the place of a label of MyST, on the first page by path that has it. Links name
// labels of any page: label:name, name, #name.
func (r *resolver) labelled(target string) (spot, bool) {
	label := strings.TrimPrefix(strings.TrimPrefix(target, labelScheme), "#")
	if at := r.placesCalled(labelKind, strings.ToLower(label)); len(at) > 0 {
		return at[0], true
	}
	return nowhere, false
}

// isWrittenExactly reports whether a page or section is called so, letter for letter. The edges
// depend on no page by that: one word alone finds only a page, whose title is a part of its
// address.
func (r *resolver) isWrittenExactly(at spot, name string) bool {
	p := r.pageWithDetails(at.page)
	if at.n == whole {
		return p.Title == name
	}
	return at.n < len(p.Places) && p.Places[at.n].Text == name // a page that cannot be read again is empty
}

// isTelling reports whether a name of a parameter says by itself which one is meant: a flag,
// a variable of the environment, a name with its module. A field called content_type is
// another one on each page.
func isTelling(name string) bool {
	name = bareName(name)
	if strings.HasPrefix(name, "--") || strings.Contains(strings.Trim(name, "."), ".") {
		return true
	}
	return strings.Contains(name, "_") && strings.ToUpper(name) == name || len(name) > 12 && strings.ToLower(name) != name &&
		!strings.Contains(name, "_")
}

// parameter finds where a parameter is documented: on the page itself, or at the only
// place of the doc set.
func (r *resolver) parameter(i int, name string) (spot, bool) {
	if strings.Contains(strings.TrimSpace(name), " ") || !isCodeName(name) {
		return nowhere, false
	}
	at := r.placesCalled(parameterKind, bareName(name))
	for _, s := range at {
		if s.page == i {
			return s, true
		}
	}
	if len(at) == 1 && isTelling(name) {
		return at[0], true
	}
	return nowhere, false
}
