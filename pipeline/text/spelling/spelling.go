// Package spelling finds the name that a wrong one was meant as: "did you mean".
//
// It refuses to know what the names are of.
package spelling

import (
	"slices"
	"strings"
	"unicode"
)

// Nearest gives up to three names near to a wrong one: those of which it is a beginning of a
// word, or that it begins with, then those within a third of its length in edits, of which
// two letters in each other's place are one. Of half of its length "nope" was near to "top".
func Nearest(name string, names []string) []string {
	type near struct {
		name string
		dist int
	}
	want := foldName(name)
	var found []near
	for _, n := range names {
		have := foldName(n)
		base, _, _ := strings.Cut(n, "@")
		if base == "" { // "@mention" has no version: nothing is not near to everything
			base = n
		}
		d := min(slipDistance(want, have), slipDistance(want, foldName(base)))
		if want != "" && (beginsWord(n, want) || beginsWord(name, foldName(base))) {
			d = min(d, 1)
		}
		if d <= max(1, len(want)/3) && d < len(want) {
			found = append(found, near{n, d})
		}
	}
	slices.SortStableFunc(found, func(a, b near) int { return a.dist - b.dist })
	var out []string
	for _, f := range found[:min(3, len(found))] {
		out = append(out, f.name)
	}
	return out
}

// leastPart is the shortest name that counts as a part of another.
const leastPart = 3

// beginsWord reports whether a folded part stands in a name from the beginning of a word of it:
// "stack" in "in-tree stack", and not "nope" in "MigrationOpenStack".
func beginsWord(name, part string) bool {
	if len(part) < leastPart {
		return false
	}
	before := ' '
	for i, r := range name {
		if starts := !unicode.IsLetter(before) || unicode.IsLower(before) && unicode.IsUpper(r); starts &&
			strings.HasPrefix(foldName(name[i:]), part) {
			return true
		}
		before = r
	}
	return false
}

// FingerSlips gives the names that a word is a slip of the fingers away from: two letters
// in each other's place, or one that is wrong, missing or too much; in words of seven
// letters and more, two of these. Words of one or two letters are slips of nothing.
func FingerSlips(word string, names []string) []string {
	most := 1
	switch {
	case len(word) < 3:
		return nil
	case len(word) >= 7:
		most = 2
	}
	word = strings.ToLower(word)
	var out []string
	for _, n := range names {
		if d := slipDistance(word, strings.ToLower(n)); d > 0 && d <= most {
			out = append(out, n)
		}
	}
	return out
}

// slipDistance is the optimal string alignment distance in bytes; strings over 64 bytes are
// as far as they are long.
func slipDistance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return max(len(a), len(b))
	}
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(rows[i-1][j-1]+cost, rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return rows[len(a)][len(b)]
}

func foldName(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("_- .@:", r) {
			return -1
		}
		return r
	}, strings.ToLower(s))
}
