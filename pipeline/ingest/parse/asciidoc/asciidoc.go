// Package asciidoc parses AsciiDoc: titles in both forms, paragraphs, lists of all kinds,
// blocks between lines of signs, tables, admonitions, the macros that people use, and
// attributes.
//
// Sections have the anchors that Asciidoctor gives them: their own id, else one made of
// the title. Conditions (ifdef::) are left out and their content is kept. Unknown markup
// stays unchanged.
//
// It reads other files through Options.Open alone (include::). It refuses to pick parts of
// included files, to run what a page names, and to fail on content.
package asciidoc

import (
	"bytes"
	"context"
	"strings"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/build"
	"docent/store/doc"

	"docent/pipeline/text/pattern"
)

// Version is the parser's version.
const Version = 2

// Parser is the parser of AsciiDoc. It implements parse.Parser.
type Parser struct{}

// Info describes the format.
func (Parser) Info() parse.Info {
	return parse.Info{Format: doc.FormatAsciiDoc, Version: Version, Name: "AsciiDoc", Extensions: []string{".adoc", ".asciidoc"},
		Sniffed: []string{".txt"}, Sniff: looksLikeAsciiDoc}
}

// Structure reads the rendition, which is Markdown.
func (Parser) Structure(_ context.Context, text []byte) (doc.Document, error) {
	return build.ReadRendition(text)
}

// Parse reads a page.
func (Parser) Parse(ctx context.Context, src []byte, opt parse.Options) (doc.Document, error) {
	p := &page{w: build.New(), opt: opt, attributes: map[string]string{}, ids: map[string]bool{}, last: max(1, doc.CountLines(src))}
	p.blocks(p.sourceLines(src, 0), 0)
	if p.about != "" {
		p.w.AddMetadata(p.about)
	}
	return p.w.Document(ctx, src)
}

// line is a line and where it stands: of an included file, the line that includes it.
type line struct {
	text string
	num  int
}

// page is a page while it is read.
type page struct {
	w          *build.Writer
	opt        parse.Options
	attributes map[string]string
	last       int // line of the source
	about      string
	titled     bool
	files      []string        // included files that are open
	included   int             // bytes
	includes   int             // how many files
	expanded   int             // bytes of attributes
	counts     map[string]int  // of items without a number, by list
	ids        map[string]bool // of sections
}

// sourceLines are those of a source. at is the line that includes it, 0 for the page itself.
func (p *page) sourceLines(src []byte, at int) []line {
	text := p.w.ToUTF8(bytes.TrimPrefix(src, []byte("\ufeff")))
	var out []line
	n := 0
	for l := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		n++
		num := n
		if at > 0 {
			num = at
		}
		out = append(out, line{strings.TrimRight(strings.ReplaceAll(l, "\t", "    "), " \r"), min(num, p.last)})
	}
	return out
}

func (p *page) placeLine(l line) { p.w.At(doc.Location{Line: l.num}) }

var (
	strongMark = pattern.Lazy(`(?m)^(?:\[(?:verse|source|listing|NOTE|TIP|WARNING|IMPORTANT|CAUTION|horizontal|quote|cols)\b.*\]|\[\[[\w:.-]+\]\]|(?:include|image)::\S+\[.*\]|(?:ifdef|ifndef|endif)::\S*\[.*\]|\|===)[ \r]*$|linkgit:[\w-]+\[\d\]`)
	restMark   = pattern.Lazy("(?m)^\\.\\. (?:[\\w-]+::|_[^:]+:)|:[a-z]+:`")
	firstTitle = pattern.Lazy(`^\s*(?:(?://[^\n]*|:[\w-]+:[^\n]*|\[[^\n]*\])\n\s*)*= \S`)
	underTitle = pattern.Lazy(`(?m)^\S[^\n]*\n(?:=+|-+|~+)[ \r]*$`)
)

// looksLikeAsciiDoc reports whether a file .txt is AsciiDoc: a title with a sign before it, or with a line
// below it and something that only AsciiDoc writes.
func looksLikeAsciiDoc(head []byte) bool {
	switch {
	case restMark().Match(head):
		return false
	case firstTitle().Match(head):
		return true
	}
	return underTitle().Match(head) && strongMark().Match(head)
}
