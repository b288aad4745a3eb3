// Package docbook reads DocBook 4 and 5: books, articles, chapters, sections and reference
// pages, with lists, tables, admonitions, listings and synopses.
//
// A section's anchor is its id. A cross-reference shows the title of what it leads to, in
// this file or in another one of the doc set. What XInclude takes from the doc set stands
// in its place, and so does a file of the doc set that an entity stands for; a part that is a page of
// its own (a chapter in a file of its own) is a link.
// An entity is declared in the file, or in a file of the doc set that a document type takes in;
// any other is shown by its name.
//
// Malformed XML is mended, or read as text, with a warning that names the line.
//
// It refuses to read document types and entities that do not lie in the doc set, to fetch anything, and to show
// indexes, revision histories and remarks.
//
// Terms. A division is an element with a title and blocks: a chapter, a section. A label is
// an id with the title of its element. A raw inline is one that knows the lines of its breaks.
package docbook

import (
	"bytes"
	"context"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/pattern"
	"docent/store/doc"
)

// version is the parser's version.
const version = 9

// Parser is the parser of DocBook. It implements parse.Parser.
type Parser struct{}

// Info describes the format.
func (Parser) Info() parse.Info {
	return parse.Info{Format: doc.FormatDocBook, Version: version, Name: "DocBook", Extensions: []string{".docbook", ".dbk"},
		Sniffed: []string{".xml", ".sgml", templateEnding}, Sniff: looksLikeDocBook}
}

var (
	docType   = pattern.Lazy(`(?i)<!DOCTYPE\s(?:[^\[>]{0,300}DocBook|\s*(?:refentry|article|book|chapter)\s+PUBLIC\s+@\w+@)`)
	nameSpace = pattern.Lazy(`<[a-z]\w*[^<>]{0,1000}\sxmlns(?::\w+)?\s*=\s*["']http://docbook\.org/ns/docbook["']`)
	plainRoot = pattern.Lazy(`^\s*(?:<\?[^>]*\?>\s*|<!--(?s:.*?)-->\s*)*<(refentry|sect[1-5]|refsect1|chapter|appendix|` +
		`preface|article|book)\b[^<>]*>\s*(?:<!--(?s:.*?)-->\s*)*<(?:title|titleabbrev|info|` +
		`bookinfo|articleinfo|chapterinfo|sect1info|refmeta|refentryinfo|refnamediv|indexterm)\b`)
	anyRoot  = pattern.Lazy(`^\s*(?:<\?[^>]*\?>\s*)*<([A-Za-z][\w.:-]*)[\s>]`)
	comments = pattern.Lazy(`(?s)<!--.*?-->`)
)

// looksLikeDocBook reports whether a file begins as DocBook does: with its document type or
// name space, or with an element that only DocBook begins so.
func looksLikeDocBook(head []byte) bool {
	text := comments().ReplaceAll(head, nil)
	return docType().Match(text) || nameSpace().Match(text) || plainRoot().Match(text) || hasParagraphs(text)
}

// hasParagraphs reports whether a file has paragraphs of DocBook within an element of a project's
// own, as the parts of the manuals of PHP and Samba do. Comments of code in .NET have such paragraphs
// too, in <doc>.
func hasParagraphs(text []byte) bool {
	m := anyRoot().FindSubmatch(text)
	if m == nil || string(m[1]) == "doc" || bytes.Contains(text, []byte("<!DOCTYPE")) {
		return false
	}
	for _, name := range []string{"para", "simpara"} {
		if bytes.Contains(text, []byte("<"+name+">")) && bytes.Contains(text, []byte("</"+name+">")) {
			return true
		}
	}
	return false
}

// Structure reads the rendition, which is Markdown.
func (Parser) Structure(_ context.Context, text []byte) (doc.Document, error) {
	return build.ReadRendition(text)
}

// Parse reads a page.
func (Parser) Parse(ctx context.Context, src []byte, opt parse.Options) (doc.Document, error) {
	if err := ctx.Err(); err != nil {
		return doc.Document{}, err
	}
	w := build.New()
	p := &page{w: w, opt: opt, labels: map[string]label{}, left: mostTaken}
	root, warnings := readTree(src, opt.Path, opt)
	for _, warning := range warnings {
		w.Warn("%s", warning)
	}
	p.takeIncludes(root, opt.Path, 0, 0)
	p.collectLabels(root)
	for _, n := range root.kids {
		p.writeRoot(n)
	}
	return w.Document(ctx, src)
}

// page is a page while it is written.
type page struct {
	w      *build.Writer
	opt    parse.Options
	labels map[string]label
	survey *survey // nil until it is asked for
	left   int     // elements that may still be taken from other files
	titled bool
	inside int // open containers
	notes  int // depth of footnotes
}
