package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// readmeLines is the largest number of lines of README.md, which is read in two
// minutes. Everything else is on a page of the manual.
const readmeLines = 160

// pageLink matches a link of a Markdown page to another file.
var pageLink = regexp.MustCompile(`\]\(([^)#\s]+)(#[^)\s]*)?\)`)

// checkPage lists the faults of a page at a path: too many lines, or links to files that
// do not exist.
func checkPage(path, text string, maxLines int) []string {
	var faults []string
	if n := strings.Count(text, "\n"); maxLines > 0 && n > maxLines {
		faults = append(faults, fmt.Sprintf("%s has %d lines, more than %d", path, n, maxLines))
	}
	for _, m := range pageLink.FindAllStringSubmatch(text, -1) {
		if strings.Contains(m[1], "://") {
			continue
		}
		if _, err := os.Stat(filepath.Join(filepath.Dir(path), m[1])); err != nil {
			faults = append(faults, path+" links to "+m[1]+", which does not exist")
		}
	}
	return faults
}

// README.md is short, and its links and those of the pages for developers have targets.
func TestReadmeAndPagesForDevelopers(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob(filepath.Join("developers", "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatalf("no pages for developers: %v", err)
	}
	readme := filepath.Join(root, "README.md")
	for _, path := range append(pages, readme) {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lines := 0
		if path == readme {
			lines = readmeLines
		}
		for _, fault := range checkPage(path, string(raw), lines) {
			t.Error(fault)
		}
	}
}

func TestReadmeCanBeWrong(t *testing.T) {
	t.Parallel()
	path := filepath.Join(root, "README.md")
	if faults := checkPage(path, "[a](cmd/docent/manual) [b](nowhere.md#x) [c](https://docs.example.org)\n\n", 2); len(faults) != 1 || !strings.Contains(faults[0], "nowhere.md") {
		t.Errorf("the faults are %q", faults)
	}
	if faults := checkPage(path, "a\nb\nc\n", 2); len(faults) != 1 || !strings.Contains(faults[0], "3 lines") {
		t.Errorf("the faults are %q", faults)
	}
}
