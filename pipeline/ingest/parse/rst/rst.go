// Package rst parses reStructuredText with the directives and roles of docutils and
// Sphinx: pages .rst, .rest, and .txt whose first lines are reStructuredText.
//
// It makes a rendition in Markdown (see package build). Sections have the anchors that
// Sphinx gives them: the last label before the title, else the id that docutils makes
// of it. Objects that are described (functions, settings, options) are sections too
// where nothing but objects follows them up to the next title; elsewhere, where a
// section could not end, they are definitions. Links name pages without their ending
// ("/topics/db", "/topics/db#anchor"), and labels that the doc set does not have as
// "label:name".
//
// It reads other files through Options.Open alone. It refuses to run what a page names
// (autodoc, plots), to run the configuration of a Sphinx project, and to fail on
// content: unreadable markup is text, with a warning.
//
// Terms. A block is a paragraph, list, table, directive. A directive is ".. name::", a
// role ":name:`text`", a label ".. _name:". Blocks are read to nodes first, because
// names, substitutions and footnotes may be defined after their use.
package rst

import (
	"bytes"
	"context"
	"path"
	"strings"
	"unicode/utf8"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/ingest/parse/decode"
	"docent/store/doc"
)

// Version is the parser's version.
const Version = 15

// Parser is the parser of reStructuredText. It implements parse.Parser.
type Parser struct{}

// Info describes the format.
func (Parser) Info() parse.Info {
	return parse.Info{Format: doc.FormatRST, Version: Version, Name: "reStructuredText", Extensions: []string{".rst", ".rest"},
		Sniffed: []string{".txt", parse.NoEnding}, Sniff: sniffRST, Packed: true}
}

// Structure reads a rendition, which is Markdown.
func (Parser) Structure(_ context.Context, text []byte) (doc.Document, error) {
	return build.ReadRendition(text)
}

// Parse reads a page.
func (Parser) Parse(ctx context.Context, src []byte, opt parse.Options) (doc.Document, error) {
	if isTemplate(opt.Path, src) {
		return doc.Document{}, parse.LeftOut("it is a template from which pages are made, not a page")
	}
	p := newPage(opt)
	text, as, known := decode.ToUTF8(src)
	if !known {
		p.warnings = append(p.warnings, "it is not UTF-8 and is read as "+as+"; save it as UTF-8")
	} else if as == "utf-8" && !utf8.Valid(text) {
		p.warnings = append(p.warnings, "not all of it is UTF-8")
	}
	r := &reader{page: p, files: []string{opt.Path}}
	nodes := r.blocks(view{lines: splitLines(withoutMark(text))}, true)
	p.nameSections(nodes)
	w := writer{Writer: build.New(), page: p, lines: doc.CountLines(src)}
	w.document(nodes)
	for _, s := range p.warnings {
		w.Warn("%s", s)
	}
	for _, s := range p.about {
		w.AddMetadata(s)
	}
	d, err := w.Document(ctx, src)
	w.addHidden(&d)
	return d, err
}

// isTemplate reports whether a file lies where Sphinx looks for templates and has signs of
// their language.
func isTemplate(file string, src []byte) bool {
	if !bytes.Contains(src, []byte("{{")) && !bytes.Contains(src, []byte("{%")) {
		return false
	}
	for part := range strings.SplitSeq(path.Dir(file), "/") {
		switch part {
		case "_templates", "_themes", "_theme":
			return true
		}
	}
	return false
}
