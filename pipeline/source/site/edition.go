package site

import (
	"cmp"
	"docent/pipeline/text/pattern"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// edition is which of several languages and versions of a site is read. The segment of a path
// that says so stands first below the site's folder; a version may stand behind a language.
type edition struct {
	language string // of a site with folders of languages; "": it has none
	version  string // the folder of the version that is read; "": pages outside such folders
	filter   bool   // folders of other versions are left out
	foreign  map[string]bool
	found    []string // versions that the site has
}

// The reasons why pages are left out that are of another edition.
const (
	leftLanguage = "pages in other languages"
	leftVersion  = "pages of other versions"
)

// languageCodes are languages that documentation is translated to. Other codes of two letters
// are names of topics more often.
var languageCodes = []string{"ar", "bg", "bn", "ca", "cs", "da", "de", "el", "en", "es", "et", "eu", "fa", "fi", "fr", "gl",
	"he", "hi", "hr", "hu", "hy", "id", "is", "it", "ja", "ka", "ko", "lt", "lv", "mk", "mn", "ms", "nb", "nl", "nn", "no",
	"pl", "pt", "ro", "ru", "sk", "sl", "sq", "sr", "sv", "ta", "te", "th", "tr", "uk", "ur", "vi", "zh"}

var regional = pattern.Lazy(`(?i)^([a-z]{2})[-_](?:[a-z]{2}|[a-z]{4}|419)(?:[-_][a-z]{2})?$`)

// languageOf is the language that a segment of a path names, in lower case; "" for another
// segment. certain is false where it may be the name of a topic.
func languageOf(segment string) (code string, certain bool) {
	lower := strings.ToLower(segment)
	if slices.Contains(languageCodes, lower) {
		return lower, false
	}
	if m := regional().FindStringSubmatch(segment); m != nil && slices.Contains(languageCodes, strings.ToLower(m[1])) {
		return strings.ReplaceAll(lower, "_", "-"), true
	}
	return "", false
}

// mainLanguage is a code without its region.
func mainLanguage(code string) string {
	code, _, _ = strings.Cut(strings.ReplaceAll(strings.ToLower(strings.TrimSpace(code)), "_", "-"), "-")
	return code
}

var numbered = pattern.Lazy(`(?i)^(?:v|version-|release-|r)?\d+(?:\.(?:\d+|x))*` +
	`(?:[.-]?(?:alpha|beta|rc|dev|pre|post|lts|stable|snapshot)[.\d-]*)?$`)

var wordVersions = []string{"stable", "latest", "current", "lts", "dev", "devel", "develop", "development", "main",
	"master", "next", "nightly", "edge", "unstable", "preview", "canary", "head", "trunk"}

// isNumberedVersion reports whether a segment of a path is the number of a version. A number
// of one figure is a chapter, and one of four is a year.
func isNumberedVersion(segment string) bool {
	if !numbered().MatchString(segment) {
		return false
	}
	n, err := strconv.Atoi(segment)
	return err != nil || n >= 10 && n < 1900
}

func isWordVersion(segment string) bool {
	return slices.Contains(wordVersions, strings.ToLower(segment))
}

// versionOfPath is the last segment of a path that names a version, "" without one.
func versionOfPath(p string) string {
	segments := strings.Split(strings.Trim(p, "/"), "/")
	for _, s := range slices.Backward(segments) {
		switch strings.ToLower(s) {
		case "current", "next", "head", "edge", "preview": // names of topics, where no version stands next to them
			continue
		}
		if isNumberedVersion(s) || isWordVersion(s) {
			return s
		}
	}
	return ""
}

// languageOfPath is the language that a segment of a path names.
func languageOfPath(p string) string {
	for s := range strings.SplitSeq(p, "/") {
		if code, _ := languageOf(s); code != "" {
			return code
		}
	}
	return ""
}

// chooseEdition finds out what a site has by the addresses that are known of it, and which of
// that is read: the wanted version, else pages outside of folders of versions where there are
// some, else the stable one, the latest, the highest. language is that of the first page.
func chooseEdition(s scope, known []*url.URL, language, version string) edition {
	e := edition{foreign: map[string]bool{}}
	languages := map[string]int{}
	for _, u := range known {
		if code, certain := languageOf(firstSegment(s.below(u))); code != "" {
			languages[code]++
			if certain {
				languages[code]++
			}
		}
	}
	if len(languages) >= 2 || len(languages) == 1 && languages[mainLanguage(language)] == 0 {
		e.language = cmp.Or(mainLanguage(language), "en")
	}
	if versionOfPath(s.folder) != "" {
		return e // folders below are of release notes
	}
	e.chooseVersion(s, known, version)
	return e
}

func firstSegment(p string) string {
	first, _, _ := strings.Cut(p, "/")
	return first
}

func (e *edition) chooseVersion(s scope, known []*url.URL, wanted string) {
	counts := map[string]int{}
	outside := 0
	for _, u := range known {
		segment := e.versionSegment(s, u)
		switch {
		case isNumberedVersion(segment), isWordVersion(segment):
			counts[segment]++
		case s.below(u) != "" && !slices.Contains(indexNames, s.below(u)):
			outside++
		}
	}
	numbers := 0
	for segment := range counts {
		if isNumberedVersion(segment) || segment == "latest" || segment == "stable" {
			numbers++
		}
		e.found = append(e.found, segment)
	}
	slices.SortFunc(e.found, func(a, b string) int { return -compareVersions(a, b) })
	if numbers == 0 {
		e.found = nil
		return
	}
	e.filter = true
	most := 0
	for _, n := range counts {
		most = max(most, n)
	}
	switch {
	case wanted != "":
		e.version = wanted
		for _, segment := range e.found {
			if sameVersion(segment, wanted) {
				e.version = segment
			}
		}
	case outside >= 10 || outside*4 >= most:
		e.version = ""
	default:
		e.version = e.bestVersion()
	}
}

func (e *edition) bestVersion() string {
	for _, word := range []string{"stable", "latest", "current"} {
		if slices.Contains(e.found, word) {
			return word
		}
	}
	return e.found[0]
}

// versionSegment is the segment of an address in which a version would stand.
func (e *edition) versionSegment(s scope, u *url.URL) string {
	first, rest, _ := strings.Cut(s.below(u), "/")
	if code, certain := languageOf(first); code != "" && (certain || e.language != "") {
		return firstSegment(rest)
	}
	return first
}

// leftOut is the reason why an address is left out, "" where it is of this edition.
func (e *edition) leftOut(s scope, u *url.URL) string {
	if e.foreign[identity(u)] {
		return leftLanguage
	}
	code, certain := languageOf(firstSegment(s.below(u)))
	if code != "" && mainLanguage(code) != e.language && (e.language != "" || certain) {
		return leftLanguage
	}
	if !e.filter {
		return ""
	}
	segment := e.versionSegment(s, u)
	if !isNumberedVersion(segment) && !isWordVersion(segment) {
		if e.version != "" && s.below(u) != "" && !slices.Contains(indexNames, s.below(u)) {
			return leftVersion
		}
		return ""
	}
	if segment != e.version {
		return leftVersion
	}
	return ""
}

// sameVersion compares two versions without the letter before them.
func sameVersion(a, b string) bool { return plainVersion(a) == plainVersion(b) }

func plainVersion(v string) string {
	v = strings.ToLower(v)
	for _, before := range []string{"version-", "release-", "v", "r"} {
		if rest, ok := strings.CutPrefix(v, before); ok && rest != "" && rest[0] >= '0' && rest[0] <= '9' {
			return rest
		}
	}
	return v
}

// isEarly reports whether a version comes before the one with its number: 2.0-beta1.
func isEarly(v string) bool {
	return slices.ContainsFunc([]string{"alpha", "beta", "rc", "dev", "pre", "snapshot"}, func(word string) bool {
		return strings.Contains(strings.ToLower(v), word)
	})
}

// compareVersions orders versions by their numbers; words come before numbers.
func compareVersions(a, b string) int {
	x, y := digits().FindAllString(a, -1), digits().FindAllString(b, -1)
	for i := range min(len(x), len(y)) {
		m, _ := strconv.Atoi(x[i])
		n, _ := strconv.Atoi(y[i])
		if m != n {
			return cmp.Compare(m, n)
		}
	}
	// 2.0 is newer than 2.0-beta1, and 2.0.1 newer than 2.0.
	if early := isEarly(a); early != isEarly(b) && len(x) > 0 && len(y) > 0 {
		if early {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(a, b))
}
