package doc

import (
	"cmp"
	"slices"
	"strings"
)

// CompareVersions orders versions of documentation from old to new: negative where a is
// older than b. It is a total order: 0 only for equal strings. SameVersion reports
// whether two strings name the same version.
//
// The order, from old to new:
//
//   - names that say nothing of their age ("jammy"), by their letters;
//   - numbers and dates, number by number and by value: 1.9, v1.31, release-2.0,
//     2025-10, 2026-02-14, 20260214. A missing number counts as 0, and an x ("2.x") is
//     greater than any number. Words before the first number are passed over. Of equal
//     numbers, pre-releases are older than the release and ordered dev, alpha, beta,
//     any other word, rc; post, patch and update are newer than the release;
//   - names that follow a development: next, dev, main, master …;
//   - names that follow releases: lts, current, stable, latest, and the empty version,
//     in this order.
//
// A name that moves is newer than a number because its documentation is brought up to
// date while a number stays. Of two names that move, released documentation is the newer
// one: a question that names no version is rarely about unreleased changes.
func CompareVersions(a, b string) int {
	if a == b {
		return 0
	}
	return cmp.Or(readVersion(a).compareTo(readVersion(b)), strings.Compare(a, b))
}

// SameVersion reports whether two strings name the same version: v1.31 and 1.31,
// 2026-02-14 and 20260214, Latest and latest. 1.31 and 1.31.0 are not the same.
func SameVersion(a, b string) bool { return a == b || readVersion(a).compareTo(readVersion(b)) == 0 }

// Kinds of versions, from old to new.
const (
	namedVersion = iota
	numberedVersion
	developmentVersion
	releasedVersion
)

// version is a version as it is compared.
type version struct {
	kind    int
	name    string    // of a version without numbers: its words
	rank    int       // of a name that moves, among its kind
	numbers []string  // decimal digits without leading zeros, "x" for any
	stages  []stageOf // "beta 2": what follows the numbers
}

// stageOf is one word behind a version's numbers, with the number behind it.
type stageOf struct {
	rank   int // below 0 before the release, above 0 after it
	word   string
	number string
}

func (v version) compareTo(w version) int {
	if c := cmp.Or(cmp.Compare(v.kind, w.kind), cmp.Compare(v.rank, w.rank)); c != 0 {
		return c
	}
	n := max(len(v.numbers), len(w.numbers))
	for i := range n {
		if c := compareNumbers(elementAt(v.numbers, i), elementAt(w.numbers, i)); c != 0 {
			return c
		}
	}
	for i := range max(len(v.stages), len(w.stages)) {
		s, t := elementAt(v.stages, i), elementAt(w.stages, i)
		if c := cmp.Or(cmp.Compare(s.rank, t.rank), strings.Compare(s.word, t.word), compareNumbers(s.number, t.number)); c != 0 {
			return c
		}
	}
	return cmp.Or(cmp.Compare(len(v.numbers), len(w.numbers)), strings.Compare(v.name, w.name))
}

// elementAt is element i, the zero value behind the last one.
func elementAt[T any](s []T, i int) (zero T) {
	if i < len(s) {
		return s[i]
	}
	return zero
}

// compareNumbers compares decimal digits of any length by value; "" is 0, and "x" is
// greater than any number.
func compareNumbers(a, b string) int {
	if a == "x" || b == "x" {
		return cmp.Compare(strings.Count(a, "x"), strings.Count(b, "x"))
	}
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

// readVersion reads a version. The part behind a "+" describes the build.
func readVersion(s string) version {
	s, _, _ = strings.Cut(strings.ToLower(s), "+")
	tokens := versionTokens(s)
	first := slices.IndexFunc(tokens, isDigits)
	if first < 0 {
		return nameVersion(tokens)
	}
	v := version{kind: numberedVersion}
	var before []stageOf // "beta-1.2"
	for _, t := range tokens[:first] {
		if r := stageRank(t); r < 0 && r != otherStage {
			before = append(before, stageOf{rank: r})
		}
	}
	i := first
	for ; i < len(tokens) && (isDigits(tokens[i]) || tokens[i] == "x"); i++ {
		v.numbers = append(v.numbers, dateParts(tokens[i], len(v.numbers) == 0)...)
		if i+2 < len(tokens) && tokens[i+1] == "t" && isDigits(tokens[i+2]) && len(v.numbers) >= 3 {
			i++ // the time of a date
		}
	}
	for ; i < len(tokens); i++ {
		t := tokens[i]
		if isDigits(t) { // a second number behind a word
			v.stages = append(v.stages, stageOf{rank: afterRelease, number: digitsOf(t)})
			continue
		}
		r := stageRank(t)
		if r == 0 {
			continue
		}
		st := stageOf{rank: r}
		if r == otherStage {
			st.word = t
		}
		if i+1 < len(tokens) && isDigits(tokens[i+1]) {
			i++
			st.number = digitsOf(tokens[i])
		}
		v.stages = append(v.stages, st)
	}
	v.stages = append(v.stages, before...)
	return v
}

// versionTokens cuts a version into runs of digits and runs of other characters
// between its separators.
func versionTokens(s string) []string {
	var out []string
	for _, part := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(".-_ /()", r) }) {
		start := 0
		for i := 1; i <= len(part); i++ {
			if i == len(part) || isDigit(part[i]) != isDigit(part[i-1]) {
				out = append(out, part[start:i])
				start = i
			}
		}
	}
	return out
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isDigits(s string) bool { return s != "" && isDigit(s[0]) }

// digitsOf is a number's digits without leading zeros.
func digitsOf(s string) string {
	if s == "x" {
		return s
	}
	return strings.TrimLeft(s, "0")
}

// dateParts is the numbers of one run of digits: a first run such as 20260214 or
// 202602 is a date.
func dateParts(s string, first bool) []string {
	in := func(s, low, high string) bool { return s >= low && s <= high }
	if n := len(s); first && (n == 8 || n == 6) && in(s[:4], "1970", "2199") && in(s[4:6], "01", "12") {
		switch {
		case n == 6:
			return []string{s[:4], digitsOf(s[4:])}
		case in(s[6:], "01", "31"):
			return []string{s[:4], digitsOf(s[4:6]), digitsOf(s[6:])}
		}
	}
	return []string{digitsOf(s)}
}

// Ranks of the words behind a version's numbers.
const (
	otherStage   = -2
	afterRelease = 1
)

// stageRank is the rank of a word behind a version's numbers; 0: it says nothing.
func stageRank(word string) int {
	switch word {
	case "dev", "devel", "snapshot", "nightly", "canary":
		return -5
	case "alpha", "a":
		return -4
	case "beta", "b":
		return -3
	case "rc", "c", "cr":
		return -1
	case "post", "patch", "p", "update", "u", "sp", "hotfix", "rev", "r":
		return afterRelease
	case "final", "ga", "release", "stable", "lts", "docs", "doc", "v", "z":
		return 0
	}
	return otherStage
}

// nameVersion is a version without numbers.
func nameVersion(tokens []string) version {
	v := version{kind: namedVersion, name: strings.Join(tokens, " ")}
	if len(tokens) == 0 {
		return nameVersion([]string{DefaultVersion})
	}
	switch tokens[0] {
	case "next", "dev", "devel", "develop", "development", "main", "master", "trunk", "head", "tip", "nightly",
		"edge", "canary", "unstable", "preview", "alpha", "beta", "rc", "snapshot":
		v.kind = developmentVersion
	case "lts":
		v.kind, v.rank = releasedVersion, 1
	case "current":
		v.kind, v.rank = releasedVersion, 2
	case "stable", "release":
		v.kind, v.rank = releasedVersion, 3
	case DefaultVersion:
		v.kind, v.rank = releasedVersion, 4
	}
	return v
}
