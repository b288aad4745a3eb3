// Package spacing brings the white space of texts into one form, so that they can stand
// in a line or be compared. It refuses to remove characters other than white space.
package spacing

import "strings"

// Single is a text on one line with single spaces between its words and none around them.
func Single(s string) string { return strings.Join(strings.Fields(s), " ") }

// Folded is Single in lower case: headings, titles and names are compared so.
func Folded(s string) string { return strings.ToLower(Single(s)) }
