// Package notebook reads Jupyter notebooks: cells of Markdown as they are, cells of code as
// code in the language of the notebook's kernel, and short outputs in text.
//
// Each line of the text has the line of the file on which it stands. A notebook that is no
// valid JSON is shown unchanged, with a warning.
//
// It refuses to run code, to show pictures, HTML and long outputs, and to read cells that
// the notebook hides.
package notebook

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/ingest/parse/markdown"
	"docent/store/doc"
)

// version is the parser's version.
const version = 1

// Parser is the parser of notebooks. It implements parse.Parser.
type Parser struct{}

// Info describes the format.
func (Parser) Info() parse.Info {
	return parse.Info{Format: doc.FormatNotebook, Version: version, Name: "Jupyter notebooks", Extensions: []string{".ipynb"}}
}

// Structure reads the text, which is Markdown.
func (Parser) Structure(_ context.Context, text []byte) (doc.Document, error) {
	return markdown.ParseMarkdown(text, parse.Options{})
}

// Parse reads a notebook.
func (Parser) Parse(ctx context.Context, src []byte, opt parse.Options) (doc.Document, error) {
	if err := ctx.Err(); err != nil {
		return doc.Document{}, err
	}
	book, err := readNotebook(src)
	if err != nil {
		w := build.New()
		w.Warn("it is no valid notebook (%v) and is shown as it stands", err)
		w.FromLine(doc.Location{Line: 1})
		w.WriteCode("json", w.ToUTF8(src))
		return w.Page(ctx, src, opt)
	}
	w := &writer{lang: book.language()}
	for i, c := range book.cells {
		w.writeCell(c, i == 0)
	}
	d, err := markdown.ParseMarkdown([]byte(w.text.String()), parse.Options{Path: opt.Path, FallbackTitle: opt.FallbackTitle})
	if err != nil {
		return d, err
	}
	d.Source, d.Map, d.Bytes = src, w.places, len(src)
	if w.places == nil {
		d.Map = []doc.Location{}
	}
	if title := book.title; title != "" && d.H1 == "" {
		d.Title = parse.CutTitle(title)
	}
	return d, nil
}

// writer writes the cells as Markdown.
type writer struct {
	text   strings.Builder
	places []doc.Location
	lang   string
}

// writeLine writes a line without what no text may have.
func (w *writer) writeLine(s string, at int) {
	s = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r != '\t' && unicode.IsControl(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	w.text.WriteString(s)
	w.text.WriteByte('\n')
	w.places = append(w.places, doc.Location{Line: at})
}

func (w *writer) separate(at int) {
	if w.text.Len() > 0 {
		w.writeLine("", at)
	}
}

func (w *writer) writeCell(c cell, first bool) {
	lines := trimmedLines(c.source)
	if c.hidden || len(lines) == 0 && len(c.outputs) == 0 {
		return
	}
	switch c.kind {
	case "markdown":
		w.writeMarkdown(lines)
	case "heading": // of notebooks before version 4
		lines[0].text = strings.Repeat("#", min(6, max(1, c.level))) + " " + lines[0].text
		w.writeMarkdown(lines)
	case "code":
		if !c.inputHidden {
			w.writeCode(lines)
		}
		for _, o := range c.outputs {
			w.writeFence("", trimmedLines(o))
		}
	case "raw":
		if first && strings.TrimSpace(lines[0].text) == "---" { // front matter
			w.writeMarkdown(lines)
		}
	}
}

// writeMarkdown writes a cell of Markdown. A fence that the cell leaves open is closed.
func (w *writer) writeMarkdown(lines []line) {
	if len(lines) == 0 {
		return
	}
	w.separate(lines[0].at)
	fence := ""
	for _, l := range lines {
		w.writeLine(l.text, l.at)
		switch mark := fenceMark(l.text); {
		case fence == "":
			fence = mark
		case mark != "" && mark[0] == fence[0] && len(mark) >= len(fence) && strings.TrimSpace(l.text) == mark:
			fence = ""
		}
	}
	if fence != "" {
		w.writeLine(fence, lines[len(lines)-1].at)
	}
}

// fenceMark is the run of signs with which a line begins a fence, "" if it begins none.
func fenceMark(s string) string {
	s = strings.TrimLeft(s, " \t")
	for _, c := range []string{"`", "~"} {
		if n := len(s) - len(strings.TrimLeft(s, c)); n >= 3 && (c == "~" || !strings.Contains(s[n:], "`")) {
			return s[:n]
		}
	}
	return ""
}

// magics are languages by the first line of a cell, for cells in another one than the kernel's.
var magics = map[string]string{"%%bash": "bash", "%%sh": "sh", "%%html": "html", "%%javascript": "js", "%%js": "js", "%%sql": "sql",
	"%%latex": "latex", "%%markdown": "markdown", "%%perl": "perl", "%%ruby": "ruby", "%%cython": "cython", "%%R": "r", "%%svg": "svg"}

func (w *writer) writeCode(lines []line) {
	if len(lines) == 0 {
		return
	}
	lang := w.lang
	if word, _, _ := strings.Cut(strings.TrimSpace(lines[0].text), " "); magics[word] != "" {
		lang = magics[word]
	}
	w.writeFence(lang, lines)
}

// writeFence writes lines as a block of code.
func (w *writer) writeFence(lang string, lines []line) {
	if len(lines) == 0 {
		return
	}
	ticks := 3
	for _, l := range lines {
		run := 0
		for i := range len(l.text) {
			if run++; l.text[i] != '`' {
				run = 0
			}
			ticks = max(ticks, run+1)
		}
	}
	fence := strings.Repeat("`", ticks)
	w.separate(lines[0].at)
	w.writeLine(fence+lang, lines[0].at)
	for _, l := range lines {
		w.writeLine(l.text, l.at)
	}
	w.writeLine(fence, lines[len(lines)-1].at)
}

// trimmedLines are lines without blank ones at their ends.
func trimmedLines(lines []line) []line {
	for len(lines) > 0 && strings.TrimSpace(lines[0].text) == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1].text) == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// The longest output that is shown.
const (
	mostOutputLines = 12
	mostOutputBytes = 800
)

// shortOutput is an output as it is shown, nil if it is too long.
func shortOutput(lines []line) []line {
	size := 0
	for i := range lines {
		lines[i].text = strings.TrimRight(lines[i].text, " \r")
		size += len(lines[i].text) + 1
		if !utf8.ValidString(lines[i].text) || strings.ContainsRune(lines[i].text, '\x1b') {
			return nil
		}
	}
	if len(lines) > mostOutputLines || size > mostOutputBytes || len(lines) == 1 && isObjectName(lines[0].text) {
		return nil
	}
	return lines
}

// isObjectName reports whether an output only names a thing: "<Figure size 640x480 with 1 Axes>".
func isObjectName(s string) bool { return strings.HasPrefix(s, "<") && strings.HasSuffix(s, ">") }

// language is the language of the code, as it is written behind a fence.
func (b *book) language() string {
	lang := strings.ToLower(b.lang)
	if lang == "" {
		lang = strings.ToLower(b.kernel)
	}
	if strings.ContainsFunc(lang, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || strings.ContainsRune("+#-_", r))
	}) || len(lang) > 40 {
		return ""
	}
	if lang == "ipython" || lang == "python3" {
		return "python"
	}
	return lang
}
