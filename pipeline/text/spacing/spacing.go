// Package spacing brings the white space of texts into one form, so that they can stand
// in a line or be compared, and reads indentation. It refuses to remove characters other than white space.
package spacing

import "strings"

// Single is a text on one line with single spaces between its words and none around them.
func Single(s string) string { return strings.Join(strings.Fields(s), " ") }

// Folded is Single in lower case: headings, titles and names are compared so.
func Folded(s string) string { return strings.ToLower(Single(s)) }

// WordSet is the set of the words of a text.
func WordSet(s string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		set[w] = true
	}
	return set
}

// Indent is the indentation of a line in columns. A tab goes to the next multiple of eight.
func Indent(line string) int {
	n := 0
	for _, c := range []byte(line) {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 8 - n%8
		default:
			return n
		}
	}
	return n
}
