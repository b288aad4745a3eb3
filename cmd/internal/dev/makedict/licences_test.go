package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/question/dictionary/table"
)

// freeLicences are those of texts and lists that a table may be learned from. None asks that a table
// made from them has the same licence (GPL, CC BY-SA) or earns nothing (CC BY-NC).
var freeLicences = []string{"CC-BY-4.0", "CC-BY-2.0-FR", "CC0-1.0", "MIT", "Apache-2.0", "BSD-3-Clause",
	"Chinese Open Wordnet's, like MIT", "Chinese Wordnet's of Academia Sinica, like MIT"}

// learnedFrom finds a repository in the note that a table has about its sources.
var learnedFrom = regexp.MustCompile(`([\w.-]+/[\w.-]+)@([0-9a-f]{8}) \(([^)]*)\)`)

// Nothing is learned from texts under the GPL or CC BY-SA, and each table names the same
// repositories in its own note, in the list of sources and in its licence file.
func TestNothingIsLearnedFromCopyleft(t *testing.T) {
	t.Parallel()
	listed, err := parseSources(sourcesFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range listed {
		if !slices.Contains(freeLicences, s.licence) {
			t.Errorf("%s is under %s", s.name, s.licence)
		}
	}
	const tables = "../../../../pipeline/question/dictionary/tables/"
	files, err := filepath.Glob(tables + "*.dict")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d tables, %v", len(files), err)
	}
	size := 0
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		size += len(raw)
		read, err := table.Decode(string(raw))
		if err != nil {
			t.Fatal(err)
		}
		licence, err := os.ReadFile(strings.TrimSuffix(file, ".dict") + ".LICENSE")
		if err != nil {
			t.Fatal(err)
		}
		from := learnedFrom.FindAllStringSubmatch(read.Source, -1)
		if len(from) < 2 || strings.Contains(read.Source, "GPL") || strings.Contains(read.Source, "-SA") {
			t.Errorf("%s was learned from %s", file, read.Source)
		}
		for _, m := range from {
			if !slices.Contains(freeLicences, m[3]) || !slices.ContainsFunc(listed, func(s repository) bool {
				return s.name == m[1] && strings.HasPrefix(s.commit, m[2]) && s.licence == m[3]
			}) {
				t.Errorf("%s was learned from %s, which is not in sources.tsv or not free", file, m[0])
			}
			// Lists of words and sentences are described there.
			if m[3] == "CC-BY-4.0" && !strings.Contains(string(licence), m[1]) {
				t.Errorf("the licence file of %s does not name %s", file, m[1])
			}
		}
	}
	if size > 10_000_000 {
		t.Errorf("the tables have %d bytes together", size)
	}
}
