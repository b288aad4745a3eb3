package domain

import (
	"cmp"
	"errors"
	"path"
	"strings"
	"unicode"
)

// glob is a path override. One without a slash stands for files of any folder, as in
// .gitignore; ** stands for any number of folders.
type glob struct {
	pattern, domain string
	segments        []string
	literal         int // segments without a wildcard
	characters      int // outside of wildcards
}

const wildcards = "*?["

func newGlob(pattern, domain string) glob {
	g := glob{pattern: pattern, domain: domain, segments: strings.Split(strings.TrimPrefix(pattern, "/"), "/")}
	if strings.HasSuffix(pattern, "/") { // a folder
		g.segments[len(g.segments)-1] = "**"
	}
	for _, s := range g.segments {
		if !strings.ContainsAny(s, wildcards) {
			g.literal++
		}
		g.characters += len(s) - strings.Count(s, "*") - strings.Count(s, "?")
	}
	if !strings.Contains(pattern, "/") {
		g.segments = []string{"**", pattern}
	}
	return g
}

// patternDepth is how many folders and names the pattern has.
func (g glob) patternDepth() int { return strings.Count(strings.Trim(g.pattern, "/"), "/") }

// compareGlobs orders globs: the one that decides first.
func compareGlobs(a, b glob) int {
	return cmp.Or(cmp.Compare(b.literal, a.literal), cmp.Compare(b.characters, a.characters),
		cmp.Compare(b.patternDepth(), a.patternDepth()), strings.Compare(a.pattern, b.pattern))
}

func (g glob) matches(file string) bool { return matchesSegments(g.segments, strings.Split(file, "/")) }

// matchesSegments compares the segments of a pattern with those of a path. Each ** is tried at
// the earliest place; a later one is needed only where the next ** cannot be reached, so
// the time is the product of both lengths.
func matchesSegments(pattern, file []string) bool {
	star, from := -1, 0 // the last ** and where the path goes on behind it
	p, f := 0, 0
	for f < len(file) {
		switch {
		case p < len(pattern) && pattern[p] == "**":
			star, from = p, f
			p++
			continue
		case p < len(pattern):
			if ok, _ := path.Match(pattern[p], file[f]); ok {
				p++
				f++
				continue
			}
		}
		if star < 0 {
			return false
		}
		from++
		p, f = star+1, from
	}
	for p < len(pattern) && pattern[p] == "**" {
		p++
	}
	return p == len(pattern)
}

// checkGlob returns the fault of a path override.
func checkGlob(pattern string) error {
	segments := strings.Split(strings.Trim(pattern, "/"), "/")
	for _, s := range segments {
		_, err := path.Match(s, "")
		switch {
		case s == "", s == ".", s == "..":
			return errors.New("it is no path inside the doc set")
		case s != "**" && strings.Contains(s, "**"):
			return errors.New("** stands between slashes alone")
		case err != nil:
			return errors.New("a [ has no ]")
		}
	}
	switch {
	case strings.ContainsFunc(pattern, unicode.IsControl):
		return errors.New("it has a control character")
	case strings.ContainsAny(pattern, "\\"):
		return errors.New("folders are parted by /, not by \\")
	case strings.Contains(pattern, "{") && strings.Contains(pattern, ",") && strings.Contains(pattern, "}"):
		return errors.New("braces stand for themselves; write a line for each")
	case strings.HasPrefix(pattern, "!"):
		return errors.New("! does not turn it around; give the exception a line of its own")
	}
	return nil
}
