// Package mediawiki reads wikitext, the markup of MediaWiki: sections, lists, definitions,
// tables, code, notes, templates, links and footnotes.
//
// A section's anchor is the id that MediaWiki gives it. A link to a page leads to its file
// where the doc set has it. A template shows the texts of its arguments; those of well-known
// names are notes, code and links.
//
// It refuses to expand templates from their own pages, to run parser functions, and to show
// categories, pictures and links to other languages.
//
// Terms. A part is markup that may hold lines and bars, so that one character stands for it
// in the text: a tag with its content, a template, a link in double brackets. A mark is a
// line break that says its line, as in package build.
package mediawiki

import (
	"bytes"
	"context"
	"strings"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/pattern"
	"docent/store/doc"
)

// version is the parser's version.
const version = 2

// Parser is the parser of wikitext. It implements parse.Parser.
type Parser struct{}

// Info describes the format.
func (Parser) Info() parse.Info {
	return parse.Info{Format: doc.FormatMediaWiki, Version: version, Name: "MediaWiki", Extensions: []string{".mediawiki", ".wikitext"},
		Sniffed: []string{".wiki"}, Sniff: sniffWikitext, Packed: true}
}

// Structure reads the rendition, which is Markdown.
func (Parser) Structure(_ context.Context, text []byte) (doc.Document, error) {
	return build.ReadRendition(text)
}

// sniffWikitext reports whether a file is wikitext and no other wiki's markup: it has a title
// between equal signs, a link in double brackets, quotes that make bold text, or a template.
func sniffWikitext(head []byte) bool {
	for line := range bytes.Lines(head) {
		line = bytes.TrimSpace(line)
		switch {
		case bytes.HasPrefix(line, []byte("%")), bytes.HasPrefix(line, []byte("#summary")), bytes.HasPrefix(line, []byte("{{{")):
			return false // vimwiki, Google Code, Creole
		case bytes.HasPrefix(line, []byte("==")) && bytes.HasSuffix(line, []byte("==")), bytes.Contains(line, []byte("'''")),
			bytes.Contains(line, []byte("]]")), bytes.HasPrefix(line, []byte("{|")), bytes.HasPrefix(line, []byte("{{")):
			return true
		}
	}
	return false
}

var redirect = pattern.Lazy(`(?i)^\s*#redirect\s*:?\s*\[\[([^\]\n]{1,300})\]\]`)

// Parse reads a page. A redirect is left out.
func (Parser) Parse(ctx context.Context, src []byte, opt parse.Options) (doc.Document, error) {
	if err := ctx.Err(); err != nil {
		return doc.Document{}, err
	}
	if m := redirect().FindSubmatch(src); m != nil && !opt.Wanted {
		return doc.Document{}, parse.LeftOut("it redirects to " + strings.ToValidUTF8(string(m[1]), "\uFFFD"))
	}
	p := &page{w: build.New(), opt: opt, notes: map[string]int{}, anchors: map[string]int{}}
	text := p.readParts(p.w.ToUTF8(src))
	p.writeText(text, 1)
	p.closeItems(0)
	p.writeNotes()
	return p.w.Document(ctx, src)
}

// page is a page while it is written.
type page struct {
	markup
	w     *build.Writer
	opt   parse.Options
	para  []line // the paragraph that is collected
	items []item // open items of lists
	depth int    // of blocks in templates and cells

	noted   []note
	notes   map[string]int // numbers of notes with a name
	written int            // notes that are written

	anchors  map[string]int
	names    map[string]string // files of pages, by their names
	surveyed bool
}

// line is a line of the text and its line in the file.
type line struct {
	text string
	at   int
}

// note is a footnote.
type note struct {
	text string
	at   int
}

// place sets the place of the text that is written next.
func (p *page) place(at int) { p.w.At(doc.Location{Line: at}) }

// sectionID is the id that MediaWiki gives a section.
func (p *page) sectionID(plain string) string {
	id := strings.Join(strings.Fields(plain), "_")
	key := strings.ToLower(id)
	if p.anchors[key]++; p.anchors[key] > 1 {
		id += "_" + decimal(p.anchors[key])
	}
	return id
}
