package markdown

import (
	"reflect"
	"testing"

	"docent/pipeline/ingest/parse"
)

func TestApplyTOC(t *testing.T) {
	t.Parallel()
	d, err := ParseMarkdown([]byte(lines("# Lamps", "", "## How it works", "", "a", "", "## Notes", "", "b", "", "## Notes", "", "c", "", "## Oil & wicks", "", "d")), parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	missing := ApplyTOC(&d, ParseTOC([]byte(lines("# Lamps", "## 1. How it works：https://lamps.example.org/a#_how", "## 2. Notes：https://lamps.example.org/a#notes-of-old",
		"## 3. Notes：https://lamps.example.org/a#%E6%B2%B9", "## 4. Oil & Wicks", "## 5. Privacy：https://lamps.example.org/a#privacy", "## 6. Privacy"))))
	var got []string
	for _, s := range d.Sections {
		got = append(got, s.Anchor)
	}
	if want := []string{"lamps", "_how", "notes-of-old", "油", "oil--wicks"}; !reflect.DeepEqual(got, want) {
		t.Errorf("anchors %q, want %q", got, want)
	}
	if !reflect.DeepEqual(missing, []string{"Privacy"}) {
		t.Errorf("missing are %q", missing)
	}
	// It is unknown which of two sections an entry means.
	d, err = ParseMarkdown([]byte(lines("# A", "", "### Run", "", "## Run")), parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ApplyTOC(&d, ParseTOC([]byte("## Run：https://lamps.example.org/a#run-1")))
	if d.Sections[1].Anchor != "run" || d.Sections[2].Anchor != "run-1" {
		t.Errorf("%+v", d.Sections)
	}
	// An anchor that another section has is given once.
	d, err = ParseMarkdown([]byte(lines("# A", "", "## B", "", "## C")), parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ApplyTOC(&d, ParseTOC([]byte(lines("## B：https://lamps.example.org/a#a", "## C：https://lamps.example.org/a#a"))))
	if d.Sections[0].Anchor != "a" || d.Sections[1].Anchor != "b" || d.Sections[2].Anchor != "c" {
		t.Errorf("%+v", d.Sections)
	}
}

// A table of contents that stands for a page has its headings, anchors and address.
func TestTOCAsPage(t *testing.T) {
	t.Parallel()
	src := lines("# Lamps", "", "原文链接: https://lamps.example.org/a", "", "## 1. Oil：https://lamps.example.org/a#_oil", "", "### 1.1. Wicks: all of them：https://lamps.example.org/a#wicks")
	d, err := ParseMarkdown([]byte(src), parse.Options{Path: "Lamps/docTOC.md", Titled: true, FallbackTitle: "Lamps"})
	if err != nil {
		t.Fatal(err)
	}
	got := d.Sections
	if len(got) != 3 || got[1].Text != "Oil" || got[1].Anchor != "_oil" || !reflect.DeepEqual(got[2].Path, []string{"Lamps", "Oil", "Wicks: all of them"}) {
		t.Errorf("%+v", got)
	}
	if d.URL != "https://lamps.example.org/a" || d.Title != "Lamps" {
		t.Errorf("%q, %q", d.URL, d.Title)
	}
	for _, b := range d.Blocks {
		if b.Kind == "heading" && b.Text != d.Sections[b.Section].Text {
			t.Errorf("the heading row has %q", b.Text)
		}
	}
}
