// Package docx parses documents of Word (Office Open XML): headings, lists, tables, code,
// links, footnotes.
//
// Headings are known by their styles' built-in names and outline levels, whatever the
// language of the program that wrote them; lists by their numbering; code by styles named
// so and by fonts of equal widths. Pages are those of the last time that Word laid the
// document out, where it says so. Deleted text is not read, inserted text is.
//
// XML is read as a stream, entities are not expanded and nothing outside of the file is
// read. Malformed XML ends the reading there, with a warning.
//
// It refuses to lay out, to read macros and to read the formats of Word before 2007.
package docx

import (
	"context"
	"errors"
	"io/fs"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/archive"
	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/ingest/parse/office"
	"docent/store/doc"
)

// version is the parser's version.
const version = 1

// Parser is the parser of Word documents. It implements parse.Parser.
type Parser struct{}

// Info describes the format.
func (Parser) Info() parse.Info {
	return parse.Info{Format: doc.FormatDOCX, Version: version, Name: "Word", Extensions: []string{".docx", ".docm"}}
}

// Structure reads the rendition, which is Markdown.
func (Parser) Structure(_ context.Context, text []byte) (doc.Document, error) {
	return build.ReadRendition(text)
}

// Parse reads a document. Errors are of type *parse.Failed, or the context's.
func (Parser) Parse(ctx context.Context, src []byte, _ parse.Options) (doc.Document, error) {
	a, err := archive.Open(src, "a Word document")
	if err != nil {
		return doc.Document{}, err
	}
	main, err := a.Read("word/document.xml")
	if errors.Is(err, fs.ErrNotExist) {
		return doc.Document{}, &parse.Failed{Code: parse.UnsupportedFormat,
			Reason: "it is no Word document, whatever its name says: it has no word/document.xml"}
	}
	if err != nil {
		return doc.Document{}, err
	}
	d := &document{w: build.New(), archive: a, counters: map[string]map[int]int{}, page: 1}
	if err := d.readParts(); err != nil {
		return doc.Document{}, err
	}
	root, whole := readPart(ctx, main)
	if err := ctx.Err(); err != nil {
		return doc.Document{}, err
	}
	if !whole {
		d.w.Warn("its text is damaged: what follows after the damage is not read")
	}
	d.paged = root.Find("lastRenderedPageBreak") != nil
	if body := root.Find("body"); body != nil {
		d.writeBlocks(body)
	}
	d.finishPage()
	return d.w.Document(ctx, src)
}

// document is a document while it is written.
type document struct {
	w       *build.Writer
	archive *archive.Archive

	styles    map[string]*style // by id
	numbering map[string][]level
	links     map[string]string       // targets by id
	notes     map[string]*office.Node // footnotes and endnotes by "footnote 1"

	title    string // of the properties
	page     int
	paged    bool
	shift    int // of headings: 1 below a title
	headings int

	code     []string // a block that is collected
	items    []item   // open items of lists
	counters map[string]map[int]int
	waiting  []note               // notes that are not written yet
	written  int                  // notes so far
	numbers  map[*office.Node]int // of notes that were referred to
	depth    int                  // of tables in tables
}

// item is an open item of a list.
type item struct{ level int }

// note is a note and its number in the text.
type note struct {
	number int
	node   *office.Node
}

// nextPlace is the place of the block that is written next.
func (d *document) nextPlace() doc.Location {
	if d.paged {
		return doc.Location{Page: d.page}
	}
	return doc.Location{}
}
