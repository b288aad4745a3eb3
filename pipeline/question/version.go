package question

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"docent/store/doc"
)

// nearestVersion is the doc set of a group whose version is nearest to one that none of them
// has. written is the text of the version: a number alone is a version only where it
// is called one or where versions of the group are numbered so, and a date only where
// it is called one or where versions of the group are dates. A date is compared with
// dates and a number with numbers; without one to compare, the newest is nearest.
func nearestVersion(group []name, version, written string) (name, bool) {
	if plainVersion(version) == "" {
		return name{}, false
	}
	newest := slices.MaxFunc(group, func(a, b name) int { return doc.CompareVersions(a.version, b.version) })
	var alike []name
	for _, n := range group {
		if n.version != "" && isDateVersion(n.version) == isDateVersion(version) {
			alike = append(alike, n)
		}
	}
	written = strings.ToLower(written)
	called := versionMark.Inside(written) != ""
	if strings.Contains(version, ".") && (!isDateVersion(version) || len(alike) > 0) {
		called = true
	}
	if !called && !slices.ContainsFunc(alike, func(n name) bool { return coversVersion(n.version, version) }) {
		return name{}, false
	}
	// A version newer than all of them is nearest to the newest one.
	if !slices.ContainsFunc(alike, func(n name) bool {
		return coversVersion(n.version, version) || doc.CompareVersions(n.version, version) > 0
	}) {
		return newest, true
	}
	return slices.MinFunc(alike, func(a, b name) int {
		if c := compareBool(coversVersion(b.version, version), coversVersion(a.version, version)); c != 0 {
			return c
		}
		return cmp.Or(slices.Compare(versionDistance(a.version, version), versionDistance(b.version, version)),
			doc.CompareVersions(b.version, a.version))
	}), true
}

// isDateVersion reports whether a version's numbers begin with a year: 2025, 2025.10, 20251003.
func isDateVersion(version string) bool {
	first, _, _ := strings.Cut(version, ".")
	return len(first) >= 4 && first[:4] >= "1970" && first[:4] <= "2199" && (len(first) == 4 || len(first) == 6 || len(first) == 8)
}

// spelledVersion is a version as the doc set spells it, without a v: 2025-10, not 2025.10.
func (n name) spelledVersion() string {
	switch {
	case plainVersion(n.info.Ref.Version) != "":
		return withoutLetterV(n.info.Ref.Version)
	case isDateVersion(n.version):
		return strings.ReplaceAll(n.version, ".", "-") // from the name: ollama-docs-2025-10
	}
	return cmp.Or(n.version, n.info.Ref.Version)
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// coversVersion reports whether one version is a part of the other: 1.31 and 1.31.4.
func coversVersion(a, b string) bool {
	return a == b || strings.HasPrefix(a, b+".") || a != "" && strings.HasPrefix(b, a+".")
}

// versionDistance is how far two versions are apart, number by number. The year and the month
// of dates are one number: 2026-01 is nearer to 2025-12 than to 2026-06.
func versionDistance(a, b string) []int {
	x, y := versionInMonths(a), versionInMonths(b)
	out := make([]int, max(len(x), len(y)))
	for i := range out {
		m, n := 0, 0
		if i < len(x) {
			m, _ = strconv.Atoi(x[i])
		}
		if i < len(y) {
			n, _ = strconv.Atoi(y[i])
		}
		out[i] = max(m-n, n-m)
	}
	return out
}

// versionInMonths is a version's numbers, of a date with the months since year 0 first.
func versionInMonths(version string) []string {
	numbers := strings.Split(version, ".")
	if !isDateVersion(version) || len(numbers[0]) != 4 {
		return numbers
	}
	year, _ := strconv.Atoi(numbers[0])
	month := 0
	if len(numbers) > 1 {
		month, _ = strconv.Atoi(numbers[1])
	}
	return append([]string{strconv.Itoa(12*year + month)}, numbers[min(2, len(numbers)):]...)
}

// versionAt parses a version at i: "@1.2", ":1.2", " 1.2", " v1.2", " version 1.2",
// " 2025-10"; after another version also ", 1.3" and "and 1.3". Without a version it
// gives none. version is its numbers with dots, written is the question's spelling
// without a v.
func versionAt(text string, i int, further bool) (end int, version, written string) {
	j := i
	if j < len(text) && (text[j] == '@' || text[j] == ':') {
		j++
		e := j
		for e < len(text) {
			r, size := utf8.DecodeRuneInString(text[e:])
			if unicode.Is(unicode.Han, r) || !isWordRune(r) && r != '.' && r != '-' {
				break
			}
			e += size
		}
		word := strings.TrimRight(text[j:e], ".-")
		if v := plainVersion(word); v != "" {
			return j + len(word), v, withoutLetterV(word)
		}
		if word != "" {
			return j + len(word), word, word
		}
		return i, none, ""
	}
	skip := func(words ...string) {
		for j < len(text) && text[j] == ' ' {
			j++
		}
		for _, w := range words {
			if e := matchFold(text, j, w); e > 0 {
				j = e
				break
			}
		}
		for j < len(text) && text[j] == ' ' {
			j++
		}
	}
	if further {
		skip(versionJoins.Phrases()...)
	}
	skip(versionWord.Phrases()...)
	if j == i {
		return i, none, ""
	}
	e := j
	for e < len(text) && (text[e] == '.' || text[e] >= '0' && text[e] <= '9' || e == j && (text[e] == 'v' || text[e] == 'V')) {
		e++
	}
	word := strings.TrimRight(text[j:e], ".")
	if date := aDate().FindString(text[j:]); date != "" && endsName(text, j+len(date)) {
		word = date
	}
	v := plainVersion(word)
	if v == "" || !endsName(text, j+len(word)) {
		return i, none, ""
	}
	return j + len(word), v, withoutLetterV(word)
}

// aDate finds a date at the beginning of a text: a year and a month, and perhaps a day.
var aDate = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[vV]?(?:19[7-9]|2[01]\d)\d-(?:0?[1-9]|1[0-2])(?:-(?:0?[1-9]|[12]\d|3[01]))?\b`)
})

func withoutLetterV(version string) string { return strings.TrimLeft(version, "vV") }

// aVersion finds a version that is called one, without a name: "in v1.29", "version 5.1".
var aVersion = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:\b(?:in|on|for|since|of|with)\s+)?` +
		`(?:\b(?:version|release)\s+v?|\bv|\b(?:in|on|for|since|with)\s+)(\d+(?:\.\d+)+)\b`)
})

// versionAlone finds a version that exactly one doc set has, in a question that names
// no doc set.
func versionAlone(text string, names []name) (Mention, bool) {
	groups := map[string]int{}
	for _, n := range names {
		groups[n.group]++
	}
	if len(groups) == len(names) {
		return Mention{}, false // one version of each: there is nothing to choose
	}
	m := aVersion().FindStringSubmatchIndex(text)
	if m == nil || m[1] < len(text) && strings.ContainsRune("./-_", rune(text[m[1]])) && m[1]+1 < len(text) &&
		isWordish(rune(text[m[1]+1])) {
		return Mention{}, false
	}
	var found []name
	for _, n := range names {
		if n.version == text[m[2]:m[3]] {
			found = append(found, n)
		}
	}
	if len(found) != 1 || groups[found[0].group] < 2 {
		return Mention{}, false
	}
	return Mention{Start: m[0], End: m[1], Refs: []doc.Ref{found[0].info.Ref}, group: found[0].group, versioned: true}, true
}

// versionNotes say which versions are not there and which ones answer. all are the names among
// all doc sets, if only some are searched.
func (n Naming) versionNotes(all Naming) []string {
	var out []string
	for _, m := range n.Missing {
		note := fmt.Sprintf("%s %s is not indexed; %s answers", m.Name, m.Version, m.Nearest)
		if !slices.ContainsFunc(all.Missing, func(o Missing) bool { return o.Name == m.Name && o.Version == m.Version }) {
			note = fmt.Sprintf("the question names %s %s; %s was searched, as asked", m.Name, m.Version, m.Nearest)
		}
		if !slices.Contains(out, note) {
			out = append(out, note)
		}
	}
	return out
}

// WithoutVersions is a text of the question without the versions that are no words to
// search for. Those are versions that are not there: a search for "Kubernetes 1.29
// statefulset" in the documentation of 1.31 otherwise prefers pages that mention 1.29.
// And they are dates, which tell when a doc set was made and stand in few pages: with the
// date, the best heading for "claude code 2025-10 hooks" scored 0.67 instead of 0.97.
func (t Target) WithoutVersions(text string) string {
	unsearched := func(m Mention) bool { return len(m.unsearched) > 0 }
	if !slices.ContainsFunc(t.Naming.Mentions, unsearched) {
		return text
	}
	var b strings.Builder
	at := 0
	for _, m := range detect(text, t.sets).Mentions {
		for _, span := range m.unsearched {
			b.WriteString(text[at:span[0]])
			at = span[1]
		}
	}
	b.WriteString(text[at:])
	return b.String()
}
