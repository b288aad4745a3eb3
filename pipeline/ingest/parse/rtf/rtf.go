// Package rtf parses documents in the Rich Text Format, of Word, WordPad, TextEdit and others:
// headings, lists, tables by their cells, links, code, footnotes.
//
// Headings are known by the outline level of a paragraph or its style, and by styles named so; the title
// by its style; code by styles named so and by fonts of equal widths. Characters are read by Unicode escapes and
// by the code pages of the document and its fonts. Deleted and hidden text is not read.
//
// It refuses to lay out, to read pictures, embedded objects, headers, footers, comments and formulas.
package rtf

import (
	"bytes"
	"context"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/build"
	"docent/store/doc"
)

// version is the parser's version.
const version = 1

// Parser is the parser of the Rich Text Format. It implements parse.Parser.
type Parser struct{}

// Info describes the format.
func (Parser) Info() parse.Info {
	return parse.Info{Format: doc.FormatRTF, Version: version, Name: "RTF", Extensions: []string{".rtf"}}
}

// Structure reads the rendition, which is Markdown.
func (Parser) Structure(_ context.Context, text []byte) (doc.Document, error) {
	return build.ReadRendition(text)
}

// signature begins every document.
const signature = `{\rtf`

// Parse reads a document. Errors are of type *parse.Failed, or the context's.
func (Parser) Parse(ctx context.Context, src []byte, _ parse.Options) (doc.Document, error) {
	text := bytes.TrimLeft(bytes.TrimPrefix(src, []byte("\xef\xbb\xbf")), " \t\r\n")
	if !bytes.HasPrefix(text, []byte(signature)) {
		return doc.Document{}, &parse.Failed{Code: parse.UnsupportedFormat,
			Reason: "it is no RTF, whatever its name says: it does not begin with " + signature}
	}
	d := newDocument()
	if err := d.readAll(ctx, text, 1+bytes.Count(src[:len(src)-len(text)], []byte("\n"))); err != nil {
		return doc.Document{}, err
	}
	d.finish()
	d.w.Title(d.title)
	if d.w.Len() == 0 {
		d.w.Warn("it has no text")
	}
	return d.w.Document(ctx, src)
}
