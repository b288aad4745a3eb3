package recipe

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
)

// Version is a version as projects write them. Semantic versions are not enough: there are
// 24.04, 1.2.3.4, 2.1rc1 (PEP 440) and 2025-06-18, which their parsers refuse.
type Version struct {
	Text    string // without a v in front
	Numbers []int  // those between dots at its beginning
	Suffix  string // the rest: -rc.1, rc1, .post1
}

var versionForm = regexp.MustCompile(`^[vV]?((\d{1,9}(?:\.\d{1,9})*)((?:[-._+]?[A-Za-z0-9]+)*))$`)

// mostVersion is the longest version in bytes.
const mostVersion = 80

// parseVersion reads a version. ok is false for a text that does not begin with a number.
func parseVersion(text string) (v Version, ok bool) {
	if len(text) > mostVersion {
		return Version{}, false
	}
	m := versionForm.FindStringSubmatch(text)
	if m == nil {
		return Version{}, false
	}
	v = Version{Text: m[1], Suffix: m[3]}
	for part := range strings.SplitSeq(m[2], ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			return Version{}, false
		}
		v.Numbers = append(v.Numbers, n)
	}
	return v, true
}

// releaseSuffix is a suffix of a version that is no prerelease: words of
// Java's projects, Python's post releases, revisions of packages, and further parts of dates.
var releaseSuffix = regexp.MustCompile(`^([-._]?(release|final|ga|stable|post\d*|lts)|[-._]\d[\d._-]*)$`)

// isPrerelease reports whether a version comes before that of its numbers alone.
func (v Version) isPrerelease() bool {
	s := v.plainSuffix()
	return s != "" && !releaseSuffix.MatchString(s)
}

// plainSuffix is the suffix in lower case, without the metadata of a build.
func (v Version) plainSuffix() string {
	s, _, _ := strings.Cut(strings.ToLower(v.Suffix), "+")
	return s
}

// sameSuffix reports whether two versions have the same suffix, however it is separated:
// -rc.1 is rc1.
func sameSuffix(a, b Version) bool {
	bare := strings.NewReplacer("-", "", ".", "", "_", "")
	return bare.Replace(a.plainSuffix()) == bare.Replace(b.plainSuffix())
}

func (v Version) number(i int) int {
	if i < len(v.Numbers) {
		return v.Numbers[i]
	}
	return 0
}

// compareVersions orders versions. A prerelease comes before its release.
func compareVersions(a, b Version) int {
	for i := range max(len(a.Numbers), len(b.Numbers)) {
		if d := cmp.Compare(a.number(i), b.number(i)); d != 0 {
			return d
		}
	}
	if a.isPrerelease() != b.isPrerelease() {
		if a.isPrerelease() {
			return -1
		}
		return 1
	}
	return compareSuffixes(a.plainSuffix(), b.plainSuffix())
}

var suffixParts = regexp.MustCompile(`\d+|[a-z]+`)

// earlyWords are suffixes that come before alpha.
var earlyWords = map[string]bool{"dev": true, "nightly": true, "canary": true, "snapshot": true}

// compareSuffixes orders suffixes by their words and numbers.
func compareSuffixes(a, b string) int {
	as, bs := suffixParts.FindAllString(a, -1), suffixParts.FindAllString(b, -1)
	for i := range min(len(as), len(bs)) {
		x, errX := strconv.Atoi(as[i])
		y, errY := strconv.Atoi(bs[i])
		var d int
		switch {
		case errX == nil && errY == nil:
			d = cmp.Compare(x, y)
		case earlyWords[as[i]] != earlyWords[bs[i]]:
			d = 1
			if earlyWords[as[i]] {
				d = -1
			}
		default:
			d = cmp.Compare(as[i], bs[i])
		}
		if d != 0 {
			return d
		}
	}
	return cmp.Compare(len(as), len(bs))
}

// compareOpen compares a version that was asked for with the end of a range. A number that is
// missing in the first stands for the largest.
func compareOpen(v, end Version) int {
	for i := range end.Numbers {
		if i >= len(v.Numbers) {
			return 1
		}
		if d := cmp.Compare(v.Numbers[i], end.Numbers[i]); d != 0 {
			return d
		}
	}
	return 0
}
