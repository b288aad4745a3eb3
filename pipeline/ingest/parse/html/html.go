// Package html reads pages of HTML, alone or of a saved site: the text of the page as
// Markdown, without what the site puts around it.
//
// It leaves out navigation, headers and footers, sidebars, tables of contents, banners,
// permalinks, hidden elements and scripts, and lines that half of the pages of a doc set begin
// or end with. Pages that are not text of documentation
// (redirects, frames, searches, indexes of names, "not found") are left out whole, with
// the reason. Anchors, code with its language, tables, notes and definition lists are
// kept; of a page that a program saved, its address is found.
//
// Terms. The tree is the page's elements with their lines. The content is the element
// that has the text of the page. Clutter are the elements that belong to the site and not
// to the page.
//
// The content is the container of a known generator, or <main> or <article>, or else the
// element below which nearly all words outside of links stand. Clutter is found by tags,
// roles, general words in class names, and by how much of an element's text is links.
//
// It refuses to run scripts, to fetch anything and to follow links. The time and memory
// of a page are linear in its size.
package html

import (
	"context"
	"strings"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/build"
	"docent/store/doc"
)

// version is the parser's version.
const version = 13

// mostFront is how many titles and descriptions of parts are taken from front matter.
const mostFront = 100

// extensions are the endings of pages of HTML.
var extensions = [...]string{".html", ".htm", ".xhtml", ".shtml", ".xht"}

// Parser is the parser of HTML. It implements parse.Parser.
type Parser struct{}

// Info describes the format.
func (Parser) Info() parse.Info {
	return parse.Info{Format: doc.FormatHTML, Version: version, Name: "HTML", Packed: true,
		Extensions: extensions[:]}
}

// Structure reads a rendition, which is Markdown.
func (Parser) Structure(_ context.Context, text []byte) (doc.Document, error) {
	return build.ReadRendition(text)
}

// Parse reads a page. The error says why a page is left out.
func (Parser) Parse(ctx context.Context, src []byte, opt parse.Options) (doc.Document, error) {
	if err := ctx.Err(); err != nil {
		return doc.Document{}, err
	}
	s := readSource(src)
	w := build.New()
	w.MarkMadeAnchors()
	for _, warning := range s.warnings {
		w.Warn("%s", warning)
	}
	t := growTree(s.text)
	for _, warning := range t.warnings {
		w.Warn("%s", warning)
	}
	if t.tooMuch {
		writePlain(w, s.text)
		return w.Page(ctx, src, opt)
	}
	h := readHead(t)
	if s.address != "" && h.address == "" {
		h.address = absolute(s.address)
	}
	measure(t.root)
	if why := useless(t, h, s, opt.Path); why != "" && (why != allAgain || !opt.Wanted) {
		return doc.Document{}, parse.LeftOut(why)
	}
	main := content(t.root, h.generator)
	if h.address == "" && main.hasClass("_page") {
		h.address = attribution(main)
	}
	if main.links > 500 && main.density() > 0.9 {
		return doc.Document{}, parse.LeftOut(linksAlone)
	}
	top, text := heading(t.root, main, h.title)
	if strings.HasPrefix(text, "404") && main.size < 400 {
		return doc.Document{}, parse.LeftOut(notFound)
	}
	title, other := h.titles(text)
	if top != nil && title != text && h.siteName(text) {
		top.out = true
	}
	if s.front.title != "" {
		title, other = s.front.title, title
	}
	w.Title(title)
	w.URL(h.address)
	for _, about := range [...]string{other, s.front.description, h.description, h.keywords} {
		w.AddMetadata(about)
	}
	for _, about := range s.front.more {
		w.AddMetadata(about)
	}
	site := leaveOutSite(main, top, opt)
	r := &renderer{w: w, main: main, ctx: ctx, lines: doc.CountLines(src), loose: loneReturns(s.text),
		top: top != nil && !top.out && inside(top, main)}
	if top != nil && !top.out && !inside(top, main) {
		r.heading(top, 1)
	}
	r.blocks(main)
	if r.err != nil {
		return doc.Document{}, r.err
	}
	d, err := w.Page(ctx, src, opt)
	if err == nil && site != "" {
		d.Words = countWithout(site, src, d.Text)
	}
	return d, err
}
