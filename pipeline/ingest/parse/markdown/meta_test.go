package markdown

import (
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/store/doc"
)

// What a page's metadata says of it is kept for search.
func TestAbout(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, src, title, about, url string }{
		{"description", lines("---", "title: Wicks", "description: How a wick is trimmed", "weight: 10", "---", "Text."), "Wicks", "How a wick is trimmed", ""},
		{"folded", lines("---", "title: Pod", "short_description: >", "  A Pod represents", "  containers.", "", "aka:", "- Whale group", "- \"Pea\"", "---", "Text."), "Pod", "A Pod represents containers.\nWhale group Pea", ""},
		{"lists", lines("---", "keywords: [lamp oil, 'wick']", "tags:", "  - light", "  - dark", "---", "# H"), "H", "lamp oil wick", ""},
		{"addresses it had", lines("+++", "title = 'Oil'", "aliases = [\"/docs/lamp-oil/\", \"/old/fuel.html\"]", "+++", "Text."), "Oil", "lamp-oil\nfuel", ""},
		{"names it has", lines("---", "aliases: Lamp oil", "---", "# Oil"), "Oil", "Lamp\noil", ""},
		{"said twice", lines("---", "summary: One", "description: One", "---", "# H"), "H", "One", ""},
		{"JSON in a comment", lines("<!--{", "  \"Title\": \"Lamps: an FAQ\",", "  \"Subtitle\": \"For keepers\",", "  \"Layout\": 3", "}-->", "", "Text."), "Lamps: an FAQ", "For keepers", ""},
		{"one line of JSON", lines(`<!--{ "Title": "Lamps" }-->`, "Text."), "Lamps", "", ""},
		{"keys in a comment", lines("<!-- ", "title: Lamps", "url: https://lamps.example.org/a", "-->", "# H"), "Lamps", "", "https://lamps.example.org/a"},
		{"a comment", lines("<!-- To do: write this -->", "# H"), "H", "", ""},
		{"lists in JSON", lines(`<!--{ "Title": "Lamps", "keywords": ["lamp oil", "wick"], "aliases": ["/old/fuel.html"], "n": [1] }-->`, "Text."), "Lamps", "fuel\nlamp oil wick", ""},
		{"broken JSON", lines(`<!--{ "Title": -->`, "# H"), "H", "", ""},
		{"Pandoc's title block", lines("% Lamps", "  of the harbour", "% A. Keeper; B. Keeper", "% May 1", "", "# Wicks"), "Lamps of the harbour", "", ""},
		{"of a manual page", lines("% LAMP(1) Harbour manual | 4.2", "", "# NAME"), "LAMP(1)", "", ""},
		{"of a manual page, its section a word", lines("% lamp-trim 1", "", "## NAME", "lamp-trim - cut a wick"), "lamp-trim(1)", "", ""},
		{"of a chapter", lines("% Chapter 1", "", "# Wicks"), "Chapter 1", "", ""},
		{"no title block", lines("% of lamps that burn", "is small.", "", "# Oil"), "Oil", "", ""},
		{"a comment without an end", lines(`<!--{ "Title": "T" }`, "# H"), "H", "", ""},
	}
	for _, tt := range tests {
		d, err := ParseMarkdown([]byte(tt.src), parse.Options{})
		if err != nil || d.Title != tt.title || d.About != tt.about || d.URL != tt.url {
			t.Errorf("%s: %q, %q, %q, %v", tt.name, d.Title, d.About, d.URL, err)
		}
	}
	// The path of a page on its site, as on go.dev; the comment is no text of the page.
	d, err := ParseMarkdown([]byte("<!--{\n  \"Title\": \"Memory\",\n  \"Path\": \"/ref/mem\"\n}-->\n\n## Introduction {#intro}\n\nText.\n"), parse.Options{})
	if err != nil || d.Permalink != "/ref/mem" || d.Blocks[0].Kind != doc.Meta || d.Blocks[0].Text != "" || d.Blocks[0].Span.EndLine != 4 {
		t.Errorf("%q, %+v, %v", d.Permalink, d.Blocks[0], err)
	}
	if s := d.Sections[1]; s.Text != "Introduction" || s.Anchor != "intro" {
		t.Errorf("a heading with an anchor: %q, %q", s.Text, s.Anchor)
	}
	// A titled page has its folder's name; what it calls itself is searched.
	d, err = ParseMarkdown([]byte("---\ntitle: Trimming\n---\nText.\n"), parse.Options{Titled: true, FallbackTitle: "Wicks"})
	if err != nil || d.Title != "Wicks" || d.About != "Trimming" {
		t.Errorf("%q, %q, %v", d.Title, d.About, err)
	}
}

// Rows of one cell in a table of a thousand columns took 14 GB: goldmark fills them up.
func TestShortRowsAreOverBudget(t *testing.T) {
	t.Parallel()
	src := "# T\n\n" + strings.Repeat("|a", 1000) + "|\n" + strings.Repeat("|-", 1000) + "|\n" + strings.Repeat("|b\n", 1000)
	d, err := ParseMarkdown([]byte(src), parse.Options{})
	if err != nil || len(d.Warnings) != 1 || !strings.Contains(d.Warnings[0], "read as plain text") {
		t.Errorf("%q, %v", d.Warnings, err)
	}
	if d, _ := ParseMarkdown([]byte(strings.ReplaceAll(src, "|b\n", "")), parse.Options{}); len(d.Warnings) != 0 {
		t.Errorf("without the rows: %q", d.Warnings)
	}
}
