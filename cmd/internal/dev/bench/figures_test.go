//go:build unix

package main

import (
	"fmt"
	"math"
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
	figures, err := readFigures[sizeFigures](filepath.Join(top, "testdata", "bench", "sizes.json"))
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

// The manual's page on sizes has the figures that bench sizing measured.
func TestSizingIsBorneOut(t *testing.T) {
	t.Parallel()
	figures, err := readFigures[sizingFigures](filepath.Join(top, "testdata", "bench", "sizing.json"))
	if err != nil || len(figures) == 0 {
		t.Fatalf("no figures: %v", err)
	}
	page, err := os.ReadFile(filepath.Join(top, "cmd", "docent", "manual", "sizing.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range figures {
		if !strings.Contains(string(page), f.row()+"\n") {
			t.Errorf("sizing.md lacks the row of %d sections in the %s: %s", f.Sections, f.Place, f.row())
		}
	}
}

// Copies get words of their own as Heaps' law has it, and the same ones each time; common words and where
// links lead stay.
func TestGrowing(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	var rare strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&rare, " rare%dx", i)
	}
	for i := range 300 {
		text := "the [lantern](wick/lantern.md) burns {{< oil >}}"
		if i == 0 {
			text += rare.String()
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("p%d.md", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	g, err := newGrowing(folder)
	if err != nil {
		t.Fatal(err)
	}
	const copies = 16
	to := t.TempDir()
	for i := 1; i <= copies; i++ {
		if err := g.write(filepath.Join(to, fmt.Sprint(i)), i); err != nil {
			t.Fatal(err)
		}
	}
	if grown, want := float64(len(g.words))/2000, math.Pow(copies, heaps); math.Abs(grown/want-1) > .05 {
		t.Errorf("the vocabulary is %.2f times as large, and should be %.2f times", grown, want)
	}
	raw, err := os.ReadFile(filepath.Join(to, "16", "p7.md"))
	if err != nil || string(raw) != "the [lantern](wick/lantern.md) burns {{< oil >}}" {
		t.Errorf("%q, %v", raw, err)
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
	got, err := readFigures[sizeFigures](path)
	if err != nil || !slices.Equal(got, []sizeFigures{{Pages: 10, Disk: 2}, {Pages: 20, Disk: 3}}) {
		t.Errorf("%v, %v", got, err)
	}
}
