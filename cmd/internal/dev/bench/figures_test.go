//go:build unix

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const top = "../../../.."

// What README.md, the manual and the pages for developers say of doc sets of the measured sizes
// was measured by the last make bench, and the table of sizes has all of them.
func TestFiguresAreBorneOut(t *testing.T) {
	t.Parallel()
	figures, err := readFigures(filepath.Join(top, "testdata", "bench", "sizes.json"))
	if err != nil || len(figures) == 0 {
		t.Fatalf("no figures: %v", err)
	}
	pages := []string{filepath.Join(top, "README.md")}
	for _, folder := range []string{"manual", "developers"} {
		more, err := filepath.Glob(filepath.Join(top, "cmd", "docent", folder, "*.md"))
		if err != nil || len(more) == 0 {
			t.Fatalf("%s: no pages: %v", folder, err)
		}
		pages = append(pages, more...)
	}
	var table string
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, claim := range unborne(string(text), figures) {
			t.Errorf("%s: the figures in testdata/bench/sizes.json do not say so: %s", page, claim)
		}
		if filepath.Base(page) == "measured.md" {
			table = string(text)
		}
	}
	for _, f := range figures {
		if !strings.Contains(table, f.row()+"\n") {
			t.Errorf("measured.md lacks the row of %d pages: %s", f.Pages, f.row())
		}
	}
}

// A claim that nothing measured is found, and other lines about the same doc sets are none.
func TestUnborne(t *testing.T) {
	t.Parallel()
	f := sizeFigures{Pages: 33192, Sections: 211000, Add: operation{Processor: 84.2, Memory: 290}, Nothing: operation{Processor: .0731, Memory: 90},
		OnePage: operation{Processor: 1.25, Memory: 120}, Search: operation{Processor: .046, Memory: 65}, Disk: 1.26}
	const row = "| 33 192 (211 000) | 84 s, 290 MB | 73 ms, 90 MB | 1.2 s, 120 MB | 46 ms, 65 MB | 1.3 times |"
	if f.row() != row {
		t.Errorf("the row is %s", f.row())
	}
	text := row + "\n| 33 192 (211 000) | 84 s, 30 MB |\nOf 33 192 pages each has a title.\n" +
		"`docent add` of 33 192 pages takes 300 MB.\nA search takes 46 ms.\n"
	want := []string{"| 33 192 (211 000) | 84 s, 30 MB |", "`docent add` of 33 192 pages takes 300 MB."}
	if got := unborne(text, []sizeFigures{f}); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// New figures take the place of those of the same size, and leave the others.
func TestPutFigures(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "sizes.json")
	for _, some := range [][]sizeFigures{{{Pages: 20, Disk: 1}, {Pages: 10, Disk: 2}}, {{Pages: 20, Disk: 3}}} {
		if err := putFigures(path, some); err != nil {
			t.Fatal(err)
		}
	}
	got, err := readFigures(path)
	if err != nil || !slices.Equal(got, []sizeFigures{{Pages: 10, Disk: 2}, {Pages: 20, Disk: 3}}) {
		t.Errorf("%v, %v", got, err)
	}
}
