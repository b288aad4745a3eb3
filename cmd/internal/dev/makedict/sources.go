package main

import (
	_ "embed"
	"errors"
	"fmt"
	"path"
	"strings"
)

// sourcesFile lists the repositories that are read: name, commit, the files by a pattern
// of their path, the languages, the use and the licence.
//
//go:embed sources.tsv
var sourcesFile string

// repository is a line of the list of sources.
type repository struct {
	name, commit, pattern string
	languages             []string
	use                   string
	licence               string
}

// The uses of repositories.
const (
	useDocs      = "documentation" // translated documentation
	useEnglish   = "original"      // the documentation that it translates: "documentation of OWNER/NAME"
	useSentences = "sentences"     // lines of an English sentence, a tab and a translation
	useWordNet   = "wordnet"
	usePeople    = "people"   // lines of an English name, a tab, a translated one and how many people have it
	useKnown     = "words"    // lines of a word
	useForms     = "forms"    // lines of a stem, a tab and its forms with commas
	useSynonyms  = "synonyms" // those of SudachiDict, which have English words
)

// parseSources reads the list of sources.
func parseSources(text string) ([]repository, error) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	var out []repository
	for i, line := range lines[1:] {
		f := strings.Split(line, "\t")
		if len(f) != 6 {
			return nil, fmt.Errorf("line %d of the sources has %d fields, not 6", i+2, len(f))
		}
		out = append(out, repository{f[0], f[1], f[2], strings.Split(f[3], ","), f[4], f[5]})
	}
	if len(out) == 0 {
		return nil, errors.New("the list of sources is empty")
	}
	return out, nil
}

// anywhere stands in a pattern for any characters, slashes too: content/ja/**.md has all
// pages of a site in one language.
const anywhere = "**"

// key is what the path of a page and that of its translation have in common: all of it, or
// what stands for anywhere.
func (r repository) key(file string) string {
	before, after, ok := strings.Cut(r.pattern, anywhere)
	if !ok {
		return file
	}
	return strings.TrimSuffix(strings.TrimPrefix(file, before), after)
}

// matches reports whether a path is one of the repository's files: a pattern without a
// slash is about the file's name, in any folder.
func (r repository) matches(file string) bool {
	if before, after, ok := strings.Cut(r.pattern, anywhere); ok {
		return len(file) >= len(before)+len(after) && strings.HasPrefix(file, before) && strings.HasSuffix(file, after)
	}
	if !strings.Contains(r.pattern, "/") {
		file = path.Base(file)
	}
	ok, err := path.Match(r.pattern, file)
	return ok && err == nil
}

// readFile reads the one file of a repository, or several after each other.
func readFile(mirrors string, r repository) (string, error) {
	p, err := openPages(mirrors, r)
	if err != nil {
		return "", err
	}
	texts, err := p.readTexts(p.paths)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, path := range p.paths {
		text, ok := texts[path]
		if !ok {
			return "", fmt.Errorf("the copy of %s lacks %s", r.name, path)
		}
		b.WriteString(text + "\n")
	}
	return b.String(), nil
}

// readSentences reads a file of sentences with their translations.
func readSentences(mirrors string, r repository) ([]message, error) {
	text, err := readFile(mirrors, r)
	if err != nil {
		return nil, err
	}
	var out []message
	for line := range strings.SplitSeq(text, "\n") {
		if f := strings.Split(strings.TrimSuffix(line, "\r"), "\t"); len(f) >= 2 && f[0] != "" && f[1] != "" {
			out = append(out, message{f[0], f[1]})
		}
	}
	return out, nil
}
