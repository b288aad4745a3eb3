package tuitest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"docent/store/doc"
)

type hit struct {
	section int
	score   float64
}

type page struct {
	set, path, title, level string
	changed                 bool
	source                  string
	hits                    []hit
}

// Hostile is a heading that tries to colour, to clear and to turn the text.
const Hostile = "Ask \x1b[31mnicely\x1b[0m\x1b[2J\x1b]0;owned\x07 \u202egpj.exe"

var pages = []page{
	{set: Set, path: "guides/oil.md", title: "Oil and fuel: how much a lantern takes on a long winter night, and when to refill it",
		level:  "1",
		source: "# Oil and fuel\n\nA lantern takes one cup of oil.\n\n## Refilling\n\nRefill *before* the flame is low.\n", hits: []hit{{1,
			0.95}, {0, 0.62}}},
	{set: "灯笼@latest", path: "指南/灯芯.md", title: "灯芯的修剪与更换指南", level: "3.1",
		source: "# 灯芯\n\n灯芯要剪平。每次点灯之前,先把烧焦的部分剪掉,再把灯芯往上拨一点。\n\n## 更换灯芯 👩‍🔧\n\n旧灯芯太短的时候就要更换。\n", hits: []hit{{1, 0.80}}},
	{set: Set, path: "guides/wicks.md", title: "Wicks", level: "1", source: wicksPage(),
		hits: []hit{{1, 0.90}, {2, 0.71}, {3, 0.66}}},
	{set: Set, path: "faq.md", title: "Questions " + "\x1b]52;c;ZXZpbA==\x07" + "& answers", level: "2", changed: true,
		source: "# Questions\n\n## " + Hostile + "\n\nThe text &#27;[31m stays \x1b[31mcalm\x1b[0m, whatever \u202eit says.\n",
		hits: []hit{{1,
			0.75}}},
	{set: "harbour@0.9", path: "ops/signal.md", title: "Signals", level: "3.2",
		source: "# Signals\n\nHang the lantern at the mast.\n\n## हिन्दी में संकेत\n\nदीपक को मस्तूल पर टाँगें।\n", hits: []hit{{0, 0.41},
			{1, 0.30}}},
}

// wicksPage is a page with something of everything, and a section longer than a
// screen.
func wicksPage() string {
	var b strings.Builder
	b.WriteString("# Wicks\n\nEverything about wicks. See the [oil page][oil].\n\n")
	b.WriteString("## Trim a wick\n\nTrim the wick **before** each lighting:\n\n1. Let the lantern cool.\n2. Cut the wick level with " +
		"`lantern trim --level`.\n3. Turn it up by 2 mm.\n\n")
	b.WriteString("> A ragged wick smokes.\n\n```sh\n# cut straight\nlantern trim --level --depth 2mm\n```\n\n")
	b.WriteString("| wick | width | burns |\n| --- | --- | --- |\n| flat | 15 mm | 6 h |\n| round | 10 mm | 4 h |\n\n")
	b.WriteString("## Replace a wick\n\n")
	for i := 1; i <= 40; i++ {
		fmt.Fprintf(&b, "Step %d: pull the old wick by a finger's width and feed the new one behind it.\n\n", i)
	}
	b.WriteString("## Wick sizes\n\nA wick is as wide as its burner.\n\n[oil]: ../guides/oil.md\n")
	return b.String()
}

// headingPath are the headings from the outermost to a new one, behind others.
func headingPath(before []doc.Section, level int, name string) []string {
	path := []string{name}
	for i := len(before) - 1; i >= 0; i-- {
		if s := before[i]; s.Level < level {
			level = s.Level
			path = append([]string{s.Text}, path...)
		}
	}
	return path
}

// Parse makes a document of Markdown, well enough for canned pages: sections by
// their headings, blocks by the empty lines between them.
func Parse(path, source string) *doc.Document {
	sum := sha256.Sum256([]byte(source))
	d := &doc.Document{Path: path, Format: "markdown", Lines: doc.CountLines([]byte(source)), Bytes: len(source),
		SHA256: hex.EncodeToString(sum[:])}
	at, line, fenced := 0, 0, false
	var block *doc.Block
	end := func() {
		if block != nil {
			d.Blocks = append(d.Blocks, *block)
			block = nil
		}
	}
	for l := range strings.Lines(source) {
		line++
		text := strings.TrimRight(l, "\n")
		switch {
		case !fenced && strings.HasPrefix(text, "#"):
			end()
			level := len(text) - len(strings.TrimLeft(text, "#"))
			name := strings.TrimSpace(text[level:])
			d.Sections = append(d.Sections, doc.Section{Index: len(d.Sections), Level: level, Text: name,
				Path:   headingPath(d.Sections, level, name),
				Anchor: strings.ReplaceAll(strings.ToLower(name), " ", "-"), Parent: -1, Source: true,
				Span: doc.Span{Start: at, StartLine: line}})
			block = &doc.Block{Kind: doc.HeadingRow}
		case strings.HasPrefix(text, "```"):
			fenced = !fenced
		}
		if strings.TrimSpace(text) == "" && !fenced {
			end()
		} else {
			if block == nil {
				block = &doc.Block{Kind: kindOfStyle(text)}
			}
			if block.Span.End == 0 {
				block.Section = max(0, len(d.Sections)-1)
				block.Span.Start, block.Span.StartLine = at, line
			}
			block.Span.End, block.Span.EndLine = at+len(l), line
		}
		at += len(l)
		if n := len(d.Sections); n > 0 {
			d.Sections[n-1].Span.End, d.Sections[n-1].Span.EndLine = at, line
		}
	}
	end()
	return d
}

func kindOfStyle(text string) doc.BlockKind {
	switch {
	case strings.HasPrefix(text, "```"):
		return doc.Code
	case strings.HasPrefix(text, "|"):
		return doc.Table
	case strings.HasPrefix(text, "["):
		return doc.Meta
	}
	return doc.Paragraph
}
