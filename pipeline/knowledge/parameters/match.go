package parameters

import (
	"slices"
	"strings"
	"unicode"
)

// Precision says how well the name of a parameter fits the name that is asked for; the
// smaller the better.
type Precision int

// The precisions.
const (
	Same      Precision = iota // letter for letter
	Case                       // but for capitals
	Bare                       // but for dashes in front
	Spelling                   // but for the signs between its words: timeout_seconds, timeoutSeconds
	Component                  // one is the last part or parts of the other: spec.replicas, replicas
	Pattern                    // of a pattern with *
	None
)

// String is the name of the precision in JSON.
func (p Precision) String() string {
	if p < Same || p > Pattern {
		return "none"
	}
	return [...]string{"exact", "case", "dashes", "spelling", "component", "pattern"}[p]
}

// IsPattern reports whether a name that is asked for is a pattern: it has a *, which stands
// for any characters.
func IsPattern(asked string) bool { return strings.Contains(asked, "*") }

// MatchName says how well a name fits the one that is asked for.
func MatchName(name, asked string) Precision {
	switch {
	case asked == "":
		return None
	case name == asked:
		return Same
	case IsPattern(asked):
		if matchGlob(strings.ToLower(bareName(asked)), strings.ToLower(bareName(name))) {
			return Pattern
		}
		return None
	case strings.EqualFold(name, asked):
		return Case
	case bareName(asked) != "" && strings.EqualFold(bareName(name), bareName(asked)):
		return Bare
	}
	have, want := Folded(name), Folded(asked)
	if want == "" {
		return None
	}
	if have == want {
		return Spelling
	}
	if have != "" && (isDottedName(name) && strings.HasSuffix(have, "."+want) || isDottedName(asked) && strings.HasSuffix(want, "."+have)) {
		return Component
	}
	return None
}

// Around are the parts of a dotted name that is asked for which a name lacks at its beginning, the nearest
// first, as letters and digits: of spec.tls.cert and "cert" they are "tls" and "spec".
func Around(name, asked string) []string {
	rest, ok := strings.CutSuffix(Folded(asked), "."+Folded(name))
	if !ok {
		return nil
	}
	parts := strings.Split(rest, ".")
	slices.Reverse(parts)
	return parts
}

// bareName is a name without the signs before its first letter.
func bareName(s string) string { return strings.TrimLeft(s, "-+@$%/") }

// Folded are the letters and digits of a name in lower case, without the signs between
// them. Dots stay: a.b is not ab.
func Folded(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '.' {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return strings.Trim(b.String(), ".")
}

func isDottedName(s string) bool { return strings.Contains(strings.Trim(s, "."), ".") }

// matchGlob matches a pattern in which * stands for any characters, in time proportional to
// the product of the lengths at most.
func matchGlob(pattern, s string) bool {
	star, mark, i, j := -1, 0, 0, 0
	for j < len(s) {
		switch {
		case i < len(pattern) && pattern[i] == '*':
			star, mark = i, j
			i++
		case i < len(pattern) && pattern[i] == s[j]:
			i, j = i+1, j+1
		case star >= 0:
			mark++
			i, j = star+1, mark
		default:
			return false
		}
	}
	return strings.Trim(pattern[i:], "*") == ""
}
