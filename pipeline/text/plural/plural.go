// Package plural writes numbers with their nouns in English: "1 page", "3 pages". It
// refuses to guess the plural of a noun.
package plural

import "strconv"

// Count is a number with the noun in the form that the number asks for.
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
