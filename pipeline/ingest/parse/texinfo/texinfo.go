// Package texinfo reads Texinfo, the format of GNU manuals: nodes and sections, tables,
// lists, examples, definitions of functions, references, simple macros, values and
// conditions. It also reads what makeinfo makes of it for the program info.
//
// A section's anchor is the one that makeinfo gives its node in HTML. A file that is
// included stands in its place, with the line of the inclusion; one with nodes of its own
// is a page by itself, and the place has a link to it.
//
// It refuses to run what a file contains for TeX, to read files outside of the doc set,
// and to show menus, indexes and title pages.
//
// Terms. A command begins with "@". A raw inline is one that knows the lines of its breaks.
package texinfo

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/build"
	"docent/store/doc"
)

// version is the parser's version.
const version = 8

// Parser is the parser of Texinfo. It implements parse.Parser.
type Parser struct{}

// Info describes the format.
func (Parser) Info() parse.Info {
	return parse.Info{Format: doc.FormatTexinfo, Version: version, Name: "Texinfo", Extensions: []string{".texi", ".texinfo", ".txi"},
		Packed: true}
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
	s := newSource(w, opt, len(src))
	s.takeSurroundings()
	s.readFile(w.ToUTF8(src), 0, 0)
	p := &page{w: w, opt: opt, lines: s.lines, values: s.values, nodes: map[string]bool{}}
	p.survey()
	p.writeBlocks("")
	p.flush()
	d, err := w.Document(ctx, src)
	return d, err
}

// page is a page while it is written.
type page struct {
	w      *build.Writer
	opt    parse.Options
	lines  []line
	at     int // the next line
	values map[string]string
	nodes  map[string]bool // of this page
	title  string
	top    bool // it has a title of its own; sections stand below it
	anchor string
	para   []line
	depth  int // open blocks
	titled bool
}

// survey looks for the page's title and its nodes.
func (p *page) survey() {
	for _, l := range p.lines {
		switch name, rest := commandOf(l.text); name {
		case "settitle":
			if p.title == "" {
				p.title = p.plain(rest)
			}
			p.top = true
		case "top":
			p.top = true
		case "node":
			name, _, _ := strings.Cut(rest, ",")
			p.nodes[strings.TrimSpace(p.plain(name))] = true
		}
	}
	if p.title != "" {
		p.w.Title(p.title)
	}
}

// place sets the place of the text that is written next.
func (p *page) place(l line) { p.w.At(doc.Location{Line: l.at}) }

// levels are those of sections below a page's title.
var levels = map[string]int{"top": 1, "part": 2, "chapter": 2, "unnumbered": 2, "appendix": 2, "centerchap": 2, "chapheading": 2,
	"majorheading": 2, "section": 3, "unnumberedsec": 3, "appendixsec": 3, "appendixsection": 3, "heading": 3, "subsection": 4,
	"unnumberedsubsec": 4, "appendixsubsec": 4, "subheading": 4, "subsubsection": 5, "unnumberedsubsubsec": 5, "appendixsubsubsec": 5,
	"subsubheading": 5}

// writeHeading writes the heading of a section.
func (p *page) writeHeading(l line, level int, text string) {
	if !p.top {
		level--
	}
	p.flush()
	p.place(l)
	if p.top && !p.titled && level > 1 && p.title != "" {
		p.w.Heading(1, build.TextInline(p.title), "")
	}
	p.titled = true
	inline, _ := build.RawLines(p.inline(text, []int{l.at}))
	p.w.Heading(level, inline, cmp.Or(p.anchor, nodeID(p.plain(text))))
	p.anchor = ""
}

// nodeID is the anchor that makeinfo gives a node: letters and digits of ASCII as they are, blanks as "-", all else by
// its number ("HTML Xref Node Name Expansion" in the manual of Texinfo).
func nodeID(name string) string {
	var b strings.Builder
	for i, r := range strings.Join(strings.Fields(name), " ") {
		isLetter := r|0x20 >= 'a' && r|0x20 <= 'z'
		if i == 0 && !isLetter {
			b.WriteString("g_t")
		}
		switch {
		case r == ' ':
			b.WriteByte('-')
		case isLetter || r >= '0' && r <= '9':
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, "__%06x", r)
		default:
			fmt.Fprintf(&b, "_%04x", r)
		}
	}
	return b.String()
}
