package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The map in the manual lists exactly the packages of the module.

// mapPage is the page with the map. The pages for developers are not part of the doc
// set that the program answers from: with them, questions about docent itself found
// their pages less well (nDCG@10 of the manual's golden set .722 instead of .738).
var mapPage = filepath.Join("developers", "development.md")

// mapHead is the line of that page before the map.
const mapHead = "The folder list is the map:"

// readMap returns the folders of the map. A line that begins with a folder
// is an entry. "a/{b,c}" is two folders, and "a/…" is a with all packages below.
func readMap(page string) []string {
	_, rest, _ := strings.Cut(page, mapHead)
	_, rest, _ = strings.Cut(rest, "```\n")
	block, _, _ := strings.Cut(rest, "```")
	var out []string
	for line := range strings.Lines(block) {
		if entry := strings.Fields(line); len(entry) > 0 && !strings.HasPrefix(line, " ") {
			out = append(out, expand(strings.TrimSuffix(entry[0], "/"))...)
		}
	}
	return out
}

// expand expands braces: "a/{b,c}/d" is "a/b/d" and "a/c/d".
func expand(entry string) []string {
	head, rest, ok := strings.Cut(entry, "{")
	inner, tail, closed := strings.Cut(rest, "}")
	if !ok || !closed {
		return []string{entry}
	}
	var out []string
	for part := range strings.SplitSeq(inner, ",") {
		out = append(out, expand(head+part+tail)...)
	}
	return out
}

// compareMap lists the differences between a map and the packages.
func compareMap(entries, packages []string) []string {
	var faults []string
	covers := func(entry, pkg string) bool {
		if all, ok := strings.CutSuffix(entry, "/…"); ok {
			return under(pkg, all)
		}
		return entry == pkg
	}
	for _, pkg := range packages {
		if !slices.ContainsFunc(entries, func(e string) bool { return covers(e, pkg) }) {
			faults = append(faults, pkg+" is missing in the map")
		}
	}
	for i, e := range entries {
		if slices.Contains(entries[:i], e) {
			faults = append(faults, e+" stands in the map twice")
		}
		if !slices.ContainsFunc(packages, func(pkg string) bool { return covers(e, pkg) }) {
			faults = append(faults, e+" stands in the map and is no package")
		}
	}
	return faults
}

func TestMapIsTheFolderList(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(mapPage)
	if err != nil {
		t.Fatal(err)
	}
	_, files := readModule(t)
	packages := map[string]bool{}
	for _, f := range files {
		packages[f.pkg] = true
	}
	entries := readMap(string(page))
	if len(entries) < 30 {
		t.Fatalf("the map after %q has %d entries: %q", mapHead, len(entries), entries)
	}
	for _, fault := range compareMap(entries, slices.Sorted(maps.Keys(packages))) {
		t.Errorf("%s: %s", mapPage, fault)
	}
}

func TestMapCanBeWrong(t *testing.T) {
	t.Parallel()
	entries := readMap("x\n" + mapHead + "\n\n```\na/    what\n      a/not/an/entry\nb/{c,d}\ne/…   all\nf\na\n```\n\n```\nz\n```\n")
	if want := []string{"a", "b/c", "b/d", "e/…", "f", "a"}; !slices.Equal(entries, want) {
		t.Errorf("the entries are %q, want %q", entries, want)
	}
	got := compareMap(entries, []string{"a", "b/c", "b/x", "e/g", "e/g/h"})
	want := []string{"b/x is missing in the map", "b/d stands in the map and is no package", "f stands in the map and is no package", "a stands in the map twice"}
	if !slices.Equal(got, want) {
		t.Errorf("the faults are %q, want %q", got, want)
	}
}
