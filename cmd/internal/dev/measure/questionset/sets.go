// Package questionset holds questions over documentation of others: where each doc set
// comes from, sections drawn at random for a writer, the check of what was written, and
// how often a program answers it.
//
// It refuses to contain texts of others: a doc set is laid out from a stored mirror, and
// the project keeps questions, places and short facts.
package questionset

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
)

// The parts into which doc sets are split.
const (
	SplitLearning  = "learning"  // weights are learned on it
	SplitChoosing  = "choosing"  // rules and constants are chosen by it
	SplitUntouched = "untouched" // it is only measured
)

// Splits lists the parts.
func Splits() []string { return []string{SplitLearning, SplitChoosing, SplitUntouched} }

// Set is a doc set of the manifest.
type Set struct {
	Name, Split, Format, Build string
	Repository, Commit         string
	Folders                    []string // of the repository; none: all of it
	Endings                    []string // of the files
	Except                     []string // beginnings of paths that are left out
	Draw                       []string // beginnings of paths that sections are drawn from; none: all
	// Versions is the part of a path that names a version: pages that differ in nothing
	// else are one page. nil: the doc set has one version.
	Versions *regexp.Regexp
	Licence  string
}

// columns are those of the manifest.
var columns = []string{"name", "split", "format", "build", "repository", "commit", "folders", "endings", "except", "draw", "versions",
	"licence"}

// ReadSets reads a manifest: a line of tab-separated fields for each doc set.
func ReadSets(file string) ([]Set, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var out []Set
	for n, line := range strings.Split(strings.TrimRight(string(raw), "\n"), "\n") {
		fields := strings.Split(line, "\t")
		if n == 0 {
			if !slices.Equal(fields, columns) {
				return nil, fmt.Errorf("%s: its first line must name the columns %s", file, strings.Join(columns, ", "))
			}
			continue
		}
		s, err := parseSet(fields)
		if err == nil && slices.ContainsFunc(out, func(o Set) bool { return o.Name == s.Name }) {
			err = errors.New("the doc set is there twice")
		}
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", file, n+1, err)
		}
		out = append(out, s)
	}
	return out, nil
}

func parseSet(fields []string) (s Set, err error) {
	if len(fields) != len(columns) {
		return s, fmt.Errorf("%d fields, it must have %d", len(fields), len(columns))
	}
	list := func(text string) []string {
		return strings.FieldsFunc(text, func(r rune) bool { return r == ',' })
	}
	s = Set{Name: fields[0], Split: fields[1], Format: fields[2], Build: fields[3], Repository: fields[4], Commit: fields[5],
		Folders: list(fields[6]), Endings: list(fields[7]), Except: list(fields[8]), Draw: list(fields[9]), Licence: fields[11]}
	switch {
	case s.Name == "" || s.Repository == "" || s.Commit == "" || len(s.Endings) == 0:
		return s, errors.New("name, repository, commit and endings are needed")
	case !slices.Contains(Splits(), s.Split):
		return s, fmt.Errorf("the split %q must be one of %s", s.Split, strings.Join(Splits(), ", "))
	}
	if fields[10] != "" {
		if s.Versions, err = regexp.Compile(fields[10]); err != nil {
			return s, fmt.Errorf("versions: %w", err)
		}
	}
	return s, nil
}

// holds reports whether a file of the repository belongs to the doc set.
func (s Set) holds(path string) bool {
	within := func(beginnings []string) bool {
		return slices.ContainsFunc(beginnings, func(b string) bool { return strings.HasPrefix(path, b) })
	}
	folders := make([]string, len(s.Folders))
	for i, f := range s.Folders {
		folders[i] = f + "/"
	}
	if len(folders) > 0 && !within(folders) || within(s.Except) {
		return false
	}
	return slices.ContainsFunc(s.Endings, func(e string) bool {
		return strings.HasSuffix(path, "."+e) || strings.Contains(e, ".") && strings.HasSuffix(path, e)
	})
}

// pageKey is a page's path without the version in it.
func (s Set) pageKey(page string) string {
	if s.Versions == nil {
		return page
	}
	return s.Versions.ReplaceAllString(page, "")
}

// drawsFrom reports whether sections of a page are drawn.
func (s Set) drawsFrom(page string) bool {
	return len(s.Draw) == 0 || slices.ContainsFunc(s.Draw, func(b string) bool { return strings.HasPrefix(page, b) })
}
