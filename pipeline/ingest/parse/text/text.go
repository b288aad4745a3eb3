// Package text parses plain text in two forms; in both, blank lines separate paragraphs.
//
// Parser reads pages whose first line is the title, which may be empty. Judged
// collections are written in this form for evaluation. Prose reads files .txt in the
// folders of people, as far as they are prose: a text in sentences, and no list, log,
// word list, configuration or licence (see isProse).
//
// It does no I/O. Prose has headings by the lines of one sign below them, and by their numbers (see headings.go).
// Parser refuses to guess structure: a line of dashes is a line of dashes there.
package text

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"

	"docent/pipeline/ingest/parse"
	"docent/store/doc"
)

// version is the parser's version.
const version = 1

// Parser is the parser of plain text. It implements parse.Parser.
type Parser struct{}

// Info describes the format. These are pages of judged collections alone.
func (Parser) Info() parse.Info {
	return parse.Info{Format: doc.FormatText, Version: version, Name: "plain text", Extensions: []string{".txt"},
		Layouts: []doc.Layout{doc.LayoutText}, Verbatim: true, Plain: true}
}

// Parse is as the function Parse.
func (Parser) Parse(_ context.Context, src []byte, opt parse.Options) (doc.Document, error) {
	return parseText(src, opt.Path), nil
}

// Structure reads the structure of a page.
func (Parser) Structure(_ context.Context, text []byte) (doc.Document, error) {
	return parseText(text, ""), nil
}

// parseText parses a page. It never fails: bytes that are not UTF-8 become U+FFFD, with a
// warning.
func parseText(src []byte, path string) doc.Document {
	sum := sha256.Sum256(src)
	d := doc.Document{
		Rendition: doc.Rendition{Source: src, Text: src, Parser: version, Plain: true},
		Path:      path, Format: doc.FormatText, Lines: doc.CountLines(src), Bytes: len(src), SHA256: hex.EncodeToString(sum[:]),
	}
	shown := strings.ToValidUTF8(string(src), "\uFFFD")
	if len(shown) != len(src) {
		d.Warnings = append(d.Warnings, "not all of it is UTF-8")
	}
	rest := src
	start, line := 0, 1
	if i := bytes.IndexByte(src, '\n'); i >= 0 {
		d.Title, rest, start, line = cleanText(src[:i]), src[i+1:], i+1, 2
	} else {
		d.Title, rest = cleanText(src), nil
	}
	if title := parse.CutTitle(d.Title); title != d.Title { // it is text too
		d.Title, rest, start, line = title, src, 0, 1
	}
	all := doc.Span{Start: start, End: len(src), StartLine: line, EndLine: d.Lines}
	if all.EndLine < all.StartLine {
		all.Start = all.End
	}
	d.Sections = []doc.Section{{Parent: -1, Span: all, Tree: all, Source: true}}
	paragraphs(&d, rest, start, line)
	if len(d.Blocks) == 0 {
		// A page with a title alone needs a block to be found.
		d.Blocks = append(d.Blocks, doc.Block{Kind: doc.Paragraph,
			Span: doc.Span{End: min(start, len(src)), StartLine: 1, EndLine: min(1, d.Lines)}})
		d.Sections[0].Span, d.Sections[0].Tree = d.Blocks[0].Span, d.Blocks[0].Span
	}
	return d
}

// paragraphs adds a block for each run of lines of rest that are not blank. rest begins at
// an offset and on a line of the text.
func paragraphs(d *doc.Document, rest []byte, start, line int) {
	from := -1 // where the paragraph began
	var span doc.Span
	end := func() {
		if from >= 0 {
			d.Blocks = append(d.Blocks, paragraph(d.Text, span))
			from = -1
		}
	}
	for at := start; len(rest) > 0; line++ {
		n := bytes.IndexByte(rest, '\n') + 1
		if n == 0 {
			n = len(rest)
		}
		if len(bytes.TrimSpace(rest[:n])) == 0 {
			end()
		} else {
			if from < 0 {
				from, span = at, doc.Span{Start: at, StartLine: line}
			}
			span.End, span.EndLine = at+n, line
		}
		at, rest = at+n, rest[n:]
	}
	end()
}

// paragraph makes a block with a mark for each line, so that a long one can be cut at
// sentences.
func paragraph(src []byte, span doc.Span) doc.Block {
	raw := src[span.Start:span.End]
	b := doc.Block{Kind: doc.Paragraph, Span: span, Text: cleanText(raw)}
	if !utf8.Valid(raw) {
		return b // its text differs from the source, so it has no marks
	}
	first := len(raw) - len(bytes.TrimLeftFunc(raw, unicode.IsSpace))
	at, line := 0, span.StartLine
	for l := range bytes.Lines(raw) {
		text := max(0, at-first)
		if text < len(b.Text) {
			b.Marks = append(b.Marks, doc.Mark{Text: text, Source: span.Start + first + text, Line: line})
		}
		at += len(l)
		line++
	}
	return b
}

func cleanText(b []byte) string {
	return strings.TrimSpace(strings.ToValidUTF8(string(b), "\uFFFD"))
}
