// Package asciidoc parses AsciiDoc: titles in both forms, paragraphs, lists of all kinds,
// blocks between lines of signs, tables, admonitions, the macros that people use, and
// attributes.
//
// Sections have the anchors that Asciidoctor gives them: their own id, else one made of
// the title. Conditions (ifdef::) are decided by the attributes that the page sets; those
// of the programs that show a page (env-, backend-) hold both ways, but on a page of Antora,
// where they are known. Resources of Antora are found by their ids, with the attributes of
// antora.yml. Unknown markup stays unchanged.
//
// It reads other files through Options.Open alone (include::). It refuses to run what a page
// names, and to fail on content.
package asciidoc

import (
	"bytes"
	"context"
	"unicode/utf8"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/build"
	"docent/store/doc"

	"docent/pipeline/text/pattern"
)

// version is the parser's version.
const version = 16

// Parser is the parser of AsciiDoc. It implements parse.Parser.
type Parser struct{}

// Info describes the format.
func (Parser) Info() parse.Info {
	return parse.Info{Format: doc.FormatAsciiDoc, Version: version, Name: "AsciiDoc", Extensions: []string{".adoc", ".asciidoc"},
		Sniffed: []string{".txt", ".asc", parse.NoEnding}, Sniff: looksLikeAsciiDoc, Packed: true}
}

// Structure reads the rendition, which is Markdown.
func (Parser) Structure(_ context.Context, text []byte) (doc.Document, error) {
	return build.ReadRendition(text)
}

// Parse reads a page.
func (Parser) Parse(ctx context.Context, src []byte, opt parse.Options) (doc.Document, error) {
	p := newPage(opt, src)
	p.lines = p.readSource(src, nil)
	p.blocks(p.lines, 0)
	if p.about != "" {
		p.w.AddMetadata(p.about)
	}
	return p.w.Document(ctx, src)
}

func newPage(opt parse.Options, src []byte) *page {
	p := &page{w: build.New(), opt: opt, attributes: map[string]string{}, last: max(1, doc.CountLines(src)),
		ids: map[string]int{}}
	p.site = componentOf(opt, p.attributes)
	return p
}

// page is a page while it is read.
type page struct {
	w          *build.Writer
	opt        parse.Options
	attributes map[string]string
	last       int // line of the source
	about      string
	titled     bool
	expanded   int            // bytes of attributes
	counts     map[string]int // of items without a number, by list
	site       *component
	ids        map[string]int // of sections: how often each was given
	lines      []line
	titles     map[string]string // of sections and blocks, by their ids; nil until one is asked for
	inTitle    bool              // one of them is written in a reference
	outer      []string          // marks of the lists around a block that is attached to an item
	around     map[string]given  // attributes from the pages that include this one; nil until one is asked for
	configured map[string]string // attributes by the files next to and above the page; nil until one is asked for
	manual     bool              // its title is that of a manual page
	surveyed   bool              // it is read for the attributes around its parts alone
}

func (p *page) placeLine(l line) { p.w.At(doc.Location{Line: l.num}) }

var (
	strongMark = pattern.Lazy(`(?m)^(?:\[(?:verse|source|listing|NOTE|TIP|WARNING|IMPORTANT|CAUTION|horizontal|quote|cols)\b.*\]` +
		`|\[\[[\w:.-]+\]\]|(?:include|image)::\S+\[.*\]|(?:ifdef|ifndef|endif)::\S*\[.*\]|\|===)[ \r]*$` +
		`|linkgit:[\w-]+\[\d\]`)
	restMark   = pattern.Lazy("(?m)^\\.\\. (?:[\\w-]+::|_[^:]+:)|:[a-z]+:`")
	firstTitle = pattern.Lazy(`^\s*(?:(?://[^\n]*|:[\w-]+:[^\n]*|\[[^\n]*\])\n\s*)*` +
		`(?:= \S|={2,6} [^\n]*[^=\s][ \t\r]*(?:\n|$))`)
	termAbove  = pattern.Lazy(`(?m)^[^\s/.:*].{0,200}::[ \t\r]*\n[ \t]+\S`)
	firstTerm  = pattern.Lazy(`^(?:[^\s/.:*].{0,200}::[ \t\r]*\n)+[ \t]+\S`)
	firstUnder = pattern.Lazy(`^(\S[^\n]{2,80})\n(=+)[ \r]*\n\s*\S`)
	otherMarks = pattern.Lazy("``|[`\\w]_(?:\\W|$)|\\*\\*|\\]\\(|(?m)^#")
	// inItem is an item with a blank before its sign, as the release notes of Git have; in
	// reStructuredText that would be a quotation.
	inItem     = pattern.Lazy(`(?m)^ [*-] \S`)
	underTitle = pattern.Lazy(`(?m)^\S[^\n]*\n(?:=+|-+|~+)[ \r]*$`)
)

// shortNotes is the size of the longest file, in bytes, that a title alone makes AsciiDoc.
const shortNotes = 2000

// looksLikeAsciiDoc reports whether a file .txt is AsciiDoc: a title with a sign before it, which is that of
// a section in a chapter of a book, or with a line
// below it and something that only AsciiDoc writes, or terms with their texts. Of a file as
// short as the notes of a small release a title with a line below it is enough: such a file has
// no other marks.
func looksLikeAsciiDoc(head []byte) bool {
	switch {
	case restMark().Match(head):
		return false
	case firstTitle().Match(head):
		return true
	}
	return isShortNotes(head) || firstTerm().Match(head) || underTitle().Match(head) && strongMark().Match(head) ||
		len(termAbove().FindAllIndex(head, 2)) == 2
}

// isShortNotes reports whether a short file has a title with a line of its length below it,
// and nothing that other formats would write.
func isShortNotes(head []byte) bool {
	m := firstUnder().FindSubmatch(head)
	if m == nil || len(head) > shortNotes || otherMarks().Match(head) || bytes.IndexByte(head, '`') >= 0 && !inItem().Match(head) {
		return false
	}
	longer := utf8.RuneCount(m[1]) - len(m[2])
	return longer >= -1 && longer <= 1
}
