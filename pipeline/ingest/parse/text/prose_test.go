package text_test

import (
	"fmt"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/parsetest"
	"docent/pipeline/ingest/parse/text"
	"docent/store/doc"
)

const guide = "The lantern\n\nA lantern is lit at dusk. Fill it with oil before,\nand trim the wick. It burns for nine hours.\n\nPut it out at dawn.\n"

// What people would read as documentation is prose; lists, logs, licences and the like
// are not.
func TestIsProse(t *testing.T) {
	t.Parallel()
	sniff := text.Prose{}.Info().Sniff
	for name, tt := range map[string]struct {
		text string
		want bool
	}{
		"a guide": {guide, true}, "of one line": {strings.ReplaceAll(guide, "\n", " "), true}, "with Windows' line ends": {strings.ReplaceAll(guide, "\n", "\r\n"), true},
		"Chinese":   {"灯在黄昏时点亮。之前加满油，修剪灯芯。它能燃烧九个小时。\n", true},
		"quotes":    {"He asked \"Is it lit?\" She said (in a low voice.) it is. \"Then go.\" They went away.", true},
		"cut short": {strings.Repeat("Die Öle brennen länger. ", 200)[:parse.HeadBytes-1], true},
		"empty":     {"", false}, "words": {strings.Repeat("lantern\nwick\noil\n", 100), false},
		"robots":       {"User-agent: *\nDisallow: /private/\nAllow: /\nSitemap: https://example.org/sitemap.xml\n", false},
		"requirements": {"requests==2.31.0\nnumpy>=1.26,<2\n# pinned. It broke.\npandas~=2.1.4\n", false},
		"a log":        {strings.Repeat("2026-02-14T10:30:00.123Z INFO [main] Server started. Listening on 0.0.0.0:8080\n", 20), false},
		"a build file": {"cmake_minimum_required(VERSION 3.10)\nproject(lantern)\nadd_executable(lantern main.c)\ntarget_link_libraries(lantern m)\n", false},
		"numbers":      {strings.Repeat("1.5 2.25 3.125\n", 50), false},
		"bytes":        {"A text. And more. And on.\x00\x01", false}, "Latin-1": {"Das \xd6l brennt. Es ist gut. Ja.", false},
		"a licence":     {"MIT License\n\nPermission is hereby\ngranted, free of charge, to any person. The above copyright notice shall be included. It is as is.\n", false},
		"a sentence":    {"The lantern is lit at dusk.\n", false},
		"endless words": {strings.Repeat("and on ", 500) + ". It ends. Really. ", false},
	} {
		head := []byte(tt.text)
		if got := sniff(head[:min(len(head), parse.HeadBytes)]); got != tt.want {
			t.Errorf("%s: prose is %v", name, got)
		}
	}
}

func TestProse(t *testing.T) {
	t.Parallel()
	parsetest.TestParser(t, text.Prose{}, map[string][]byte{"guide.txt": []byte(guide), "crlf.txt": []byte(strings.ReplaceAll(guide, "\n", "\r\n")), "one.txt": []byte("one"), "bad.txt": []byte("a\xff\n\nb")})
	for src, want := range map[string]string{guide: "The lantern", "Oil\n---\nIt burns.\n": "Oil", "# Colza\n\nIt burns.\n": "Colza", "\n\n  Wicks \n\nText.\n": "Wicks",
		"A sentence.\n\nMore.\n": "name", "It goes on\nto the next line.\n": "name", "": "name", "***\n\ntext\n": "name", strings.Repeat("long ", 30) + "\n\ntext": "name"} {
		d, err := text.Prose{}.Parse(t.Context(), []byte(src), parse.Options{Path: "name.txt", FallbackTitle: "name"})
		if err != nil || d.Title != want {
			t.Errorf("the title of %.20q is %q, %v; want %q", src, d.Title, err, want)
		}
	}
	d, _ := text.Prose{}.Parse(t.Context(), []byte(guide), parse.Options{})
	if len(d.Blocks) != 3 || d.Blocks[0].Text != "The lantern" || d.Blocks[1].Kind != doc.Paragraph || d.Blocks[1].Span.StartLine != 3 || d.Blocks[1].Span.EndLine != 4 || len(d.Sections) != 1 {
		t.Errorf("the blocks are %+v in %+v", d.Blocks, d.Sections)
	}
}

// Manuals in plain text have headings by a line of signs below them, or by numbers. They were one section each before.
func TestHeadingsOfProse(t *testing.T) {
	t.Parallel()
	for about, tt := range map[string]struct{ src, want string }{
		"underlined": {"#\n# Copyright: nobody.\n#\n\nLamps in a harbour\n==================\n\nThey burn.\n\nOil:\n----\n\nFill it.\nNo more.\n----\n\nWicks\n-----\nTrim them.\n\n  Old ones\n  ~~~~~~~~\n\nGone.\n",
			"0  1-4|1 Lamps in a harbour 5-9|2 Oil 10-16|2 Wicks 17-20|3 Old ones 21-24"},
		"overlined":           {"=====\nLamps\n=====\n\nBurn.\n\nOil\n===\n\nFill.\n", "1 Lamps 1-6|2 Oil 7-10"},
		"no headings":         {"A line\nand one more\n---\n\nName  Value\n-----------\n\nIt ends here.\n-----\n\nA very long line that is far longer than what is below it\n---\n", "0  1-12"},
		"numbers":             {"Lamps\n\n1. Oil\n\nFill it.\n\n1.1 Kinds of oil\n\nRape.\n\n2. Wicks\n\nTrim.\n", "0  1-2|1 1 Oil 3-6|2 1.1 Kinds of oil 7-10|1 2 Wicks 11-13"},
		"numbers below title": {"Lamps\n=====\n\n1 Oil\n\nFill it.\n\n2 Wicks\n\nTrim.\n", "1 Lamps 1-3|2 1 Oil 4-7|2 2 Wicks 8-10"},
		"a numbered list":     {"Lamps\n\n1. Fill it\n\n2. Trim it\n\n3. Light it\n\nDone.\n", "0  1-9"},
		"numbers that jump":   {"Lamps\n\n1. Oil\n\nFill.\n\n4. Wicks\n\nTrim.\n", "0  1-9"},
	} {
		d, err := text.Prose{}.Parse(t.Context(), []byte(tt.src), parse.Options{FallbackTitle: "name"})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range d.Sections {
			got = append(got, fmt.Sprintf("%d %s %d-%d", s.Level, s.Text, s.Span.StartLine, s.Span.EndLine))
		}
		if strings.Join(got, "|") != tt.want {
			t.Errorf("%s: %s, want %s", about, strings.Join(got, "|"), tt.want)
		}
		parsetest.TestParser(t, text.Prose{}, map[string][]byte{"a.txt": []byte(tt.src)})
	}
	d, _ := text.Prose{}.Parse(t.Context(), []byte("#\n# Copyright\n#\n\nLamps\n=====\n\nBurn.\n\nOil\n---\n\nFill.\n"), parse.Options{FallbackTitle: "name"})
	if oil := d.Sections[len(d.Sections)-1]; d.Title != "Lamps" || strings.Join(oil.Path, " > ") != "Lamps > Oil" || oil.Anchor != "oil" ||
		d.Sections[1].Tree.EndLine != 13 || d.Blocks[len(d.Blocks)-1].Text != "Fill." {
		t.Errorf("%q: %+v %+v", d.Title, d.Sections, d.Blocks)
	}
}
