// Package spelling finds the name that a wrong one was meant as: "did you mean".
//
// It refuses to know what the names are of.
package spelling

import (
	"slices"
	"strings"
)

// Nearest gives up to three names near to a wrong one: those that contain
// it or are contained, then those within a third of its length in edits.
func Nearest(name string, names []string) []string {
	type near struct {
		name string
		dist int
	}
	want := fold(name)
	var found []near
	for _, n := range names {
		have := fold(n)
		base, _, _ := strings.Cut(n, "@")
		d := min(edits(want, have), edits(want, fold(base)))
		if want != "" && (strings.Contains(have, want) || strings.Contains(want, fold(base))) {
			d = min(d, 1)
		}
		if d <= max(2, len(want)/3) {
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

func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("_- .@:", r) {
			return -1
		}
		return r
	}, strings.ToLower(s))
}

// edits is the Levenshtein distance in bytes; strings over 64 bytes are as far
// as they are long.
func edits(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return max(len(a), len(b))
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diag := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diag
			if a[i] != b[j] {
				cost++
			}
			diag = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
