package ingest_test

import (
	"slices"
	"testing"

	"docent/pipeline/corpus/corpustest"
	"docent/pipeline/ingest"
	"docent/store"
	"docent/store/doc"
)

// A table of contents is searched: the entries that are not the page's own headings, and
// all of it where the page's text is missing.
func TestTOCIsSearched(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	set := h.Add("A@1", map[string]string{
		"Failed/docContent.md":  "# Failed\n\nThe conversion failed.\n",
		"Failed/docTOC.md":      "# Failed\n\n## 1. Barnacles：https://lamps.example.org/f#b\n",
		"Empty/docContent.md":   "",
		"Empty/docTOC.md":       "# Empty\n\n## 1. Limpets：https://lamps.example.org/e#l\n",
		"Missing/docTOC.md":     "# Missing\n\n## 1. Whelks\n",
		"Whole/docContent.md":   "# Whole\n\n## Mussels\n\ntext\n",
		"Whole/docTOC.md":       "# Whole\n\n## 1. Mussels：https://lamps.example.org/w#m\n",
		"Nothing/docContent.md": "",
	})
	found, err := ingest.ScanPages(t.Context(), set.Root, set.Layout, h.Parsers, nil)
	files := found.Files
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, f := range files {
		paths = append(paths, f.Path)
	}
	want := []string{"Empty/docTOC.md", "Failed/docContent.md", "Missing/docTOC.md", "Nothing/docContent.md", "Whole/docContent.md"}
	if !slices.Equal(paths, want) {
		t.Fatalf("pages are %q", paths)
	}
	x, release, err := h.Corpus.Index(t.Context(), set)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	terms, err := x.Terms(t.Context(), store.Heading)
	for _, word := range []string{"barnacl", "limpet", "whelk", "mussel"} {
		if err != nil || !slices.Contains(terms, word) {
			t.Errorf("%s is no word of a heading: %q, %v", word, terms, err)
		}
	}
	d, err := h.Catalog.ByPath(t.Context(), set.ID, "Whole/docContent.md")
	if err != nil || d.Outline.Sections[1].Anchor != "m" {
		t.Errorf("%+v, %v", d, err)
	}
	p, err := h.Corpus.Page(t.Context(), set, "Whole/docContent.md")
	if err != nil || p.Doc.Sections[1].Anchor != "m" {
		t.Errorf("a page that is read has other anchors: %+v, %v", p, err)
	}
	if d, err = h.Catalog.ByPath(t.Context(), set.ID, "Empty/docTOC.md"); err != nil || d.Title != "Empty" || d.URL != "https://lamps.example.org/e" || d.Format != doc.FormatMarkdown {
		t.Errorf("%+v, %v", d, err)
	}
}
