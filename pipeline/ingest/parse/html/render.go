package html

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html/atom"

	"docent/pipeline/ingest/parse/build"
	"docent/store/doc"
)

// renderer writes the content of a page.
type renderer struct {
	w     *build.Writer
	main  *node // the content
	ctx   context.Context
	err   error         // the context's
	lines int           // of the source
	loose bool          // lines end in other ways than those that are counted
	fixed *doc.Location // where all of it stands; nil: where the nodes say
	ids   int           // nodes since the context was asked

	top     bool   // the page has a heading, so that what stands above it may be the site's
	level   int    // of the last heading
	pending string // the name of a place that the next heading takes
	element string // the name of the last place
	inside  int    // open containers: list items, quotes, notes, definitions
}

// setLine sets the source line of the text that is written next.
func (r *renderer) setLine(line int) {
	if r.fixed != nil {
		r.w.At(*r.fixed)
		return
	}
	if r.loose {
		r.w.At(r.lineLocation(line))
		return
	}
	r.w.FromLine(r.lineLocation(line))
}

func (r *renderer) lineLocation(line int) doc.Location {
	if r.fixed != nil {
		return *r.fixed
	}
	return doc.Location{Line: max(1, min(line, r.lines)), Element: r.element}
}

// noteName notes that an element can be reached by a name.
func (r *renderer) noteName(n *node) {
	if n.size == 0 && isBlock(n) && namedSitePart(n) {
		return // scripts put a part of the site there
	}
	if id := n.anchorID(); id != "" {
		r.pending, r.element = id, id
	}
}

// textWritten says that text was written: the names before it are its own.
func (r *renderer) textWritten() { r.pending = "" }

// isAlive reports whether the context still stands, asked now and then.
func (r *renderer) isAlive() bool {
	if r.ids++; r.ids%1024 == 0 && r.err == nil {
		r.err = r.ctx.Err()
	}
	return r.err == nil
}

// blocks writes the content of an element: runs of words are paragraphs.
func (r *renderer) blocks(n *node) {
	var run []*node
	flush := func() {
		r.paragraph(run)
		run = run[:0]
	}
	for c := range n.children() {
		if !r.isAlive() {
			return
		}
		switch {
		case c.out:
		case c.isText() || !isBlock(c) && !c.blocks && c.name == "":
			run = append(run, c)
		case !isBlock(c) && !c.blocks:
			run = append(run, c)
		default:
			flush()
			r.writeBlock(c)
		}
	}
	flush()
}

// paragraph writes adjacent words.
func (r *renderer) paragraph(run []*node) {
	for _, n := range run {
		r.noteNames(n)
	}
	if len(run) == 0 || toNeighbours(run) || toTop(run) || r.aboveHeading() && onlyLinks(run) {
		return
	}
	if p := inline(run); !isLoneSign(p.text) {
		r.writeWords(p)
	}
}

// isLoneSign reports whether a paragraph is a sign alone, left behind the end of a block: "</p>.".
func isLoneSign(text string) bool {
	return len(text) == 1 && strings.Contains(".,;:", text)
}

// toNeighbours reports whether words are links to the pages before and after.
func toNeighbours(run []*node) bool {
	links, size, linked := 0, 0, 0
	for _, n := range run {
		links, size, linked = links+n.links, size+n.size, linked+n.linked
	}
	if links < 2 || size > mostRemark || 2*linked < size {
		return false
	}
	var text strings.Builder
	for _, n := range run {
		text.WriteString(n.firstWords(mostRemark) + " ")
	}
	return neighbours(strings.ToLower(text.String()))
}

// toTop reports whether words are one link to the beginning of the page.
func toTop(run []*node) bool {
	var link *node
	for _, n := range run {
		switch {
		case n.size == 0:
		case n.tag == atom.A && link == nil:
			link = n
		default:
			return false
		}
	}
	if link == nil {
		return false
	}
	switch link.attribute("href") {
	case "#", "#top", "#page-header", "#header", "#content", "#page-top":
		return link.size < 30
	}
	return false
}

// aboveHeading reports whether the heading of the page is still to come.
func (r *renderer) aboveHeading() bool { return r.top && r.level == 0 && r.inside == 0 }

// onlyLinks reports whether words are a few links and pictures that lead elsewhere. Above
// the heading of a page they are the site's: its logo, or an advertisement.
func onlyLinks(run []*node) bool {
	links, size := 0, 0
	for _, n := range run {
		if n.size == 0 {
			continue
		}
		if n.tag != atom.A || n.attribute("href") == "" {
			return false
		}
		links, size = links+1, size+n.size
	}
	return links > 0 && size < mostRemark
}

// writeWords writes an inline as a paragraph.
func (r *renderer) writeWords(p phrase) {
	if p.text == "" {
		return
	}
	if r.setLine(p.line); p.moved {
		r.w.At(r.w.Place())
	}
	r.w.Paragraph(p.text)
	r.textWritten()
}

// noteNames notes the names in words: <a name="x"></a> before a heading.
func (r *renderer) noteNames(n *node) {
	if n.isText() {
		return
	}
	if n.size == 0 || n.isTag(atom.A, atom.Span) {
		n.walkTree(func(c *node) bool {
			if !c.isText() {
				r.noteName(c)
			}
			return !c.isText()
		})
	}
}

func (r *renderer) writeBlock(n *node) {
	if l := headingLevel(n); l > 0 {
		r.heading(n, l)
		return
	}
	if kind, ok := noteKind(n); ok {
		r.note(n, kind)
		return
	}
	switch n.tag {
	case atom.P:
		r.writeText(n)
	case atom.Pre, atom.Xmp, atom.Listing, atom.Plaintext:
		r.writeCode(n)
	case atom.Ul, atom.Ol, atom.Dir, atom.Menu:
		if n.hasClass("blockList", "blockListLast") { // javadoc's frames around the parts of a page
			r.writeGroup(n)
			return
		}
		r.writeList(n)
	case atom.Dl:
		r.definitions(n)
	case atom.Table:
		r.writeTable(n)
	case atom.Blockquote:
		r.writeQuote(n)
	case atom.Hr:
		r.setLine(n.line)
		r.w.WriteRule()
	case atom.Details:
		r.details(n)
	case atom.Figcaption, atom.Caption, atom.Summary, atom.Dt:
		r.writeText(n)
	case atom.Div:
		if n.hasClass("fragment") && n.findFirst(func(c *node) bool { return c.hasClass("line") }) != nil ||
			n.hasClass("prism-code") { // Doxygen's code, Docusaurus'
			r.writeCode(n)
			return
		}
		if r.writeTabs(n) {
			return
		}
		if n.hasClass("math") && !n.blocks {
			r.noteName(n)
			r.setLine(n.line)
			r.w.WriteCode("tex", formula(strings.TrimSpace(n.firstWords(maxCell))))
			r.textWritten()
			return
		}
		if n.hasClass("memproto", "member-signature", "type-signature") { // of Doxygen and javadoc
			r.declaration(n)
			return
		}
		if n.hasClass("summary-table") && n.findFirst(func(c *node) bool { return c.hasClass("col-first") }) != nil {
			r.writeSummaryGrid(n)
			return
		}
		r.writeGroup(n)
	default:
		r.writeGroup(n)
	}
}

// writeTabs writes panels that a page shows one at a time, each below its label; false where
// an element has none.
func (r *renderer) writeTabs(n *node) bool {
	var labels, panels []*node
	for c := range n.elements() {
		switch {
		case c.hasClass("tabbed-labels") || c.attribute("role") == "tablist":
			for l := range c.elements() {
				labels = append(labels, l)
			}
		case c.attribute("role") == "tabpanel" || c.hasClass("tabbed-block"):
			panels = append(panels, c)
		default:
			for p := range c.elements() {
				if p.attribute("role") == "tabpanel" || p.hasClass("tabbed-block") {
					panels = append(panels, p)
				}
			}
		}
	}
	if len(labels) == 0 || len(labels) != len(panels) {
		return false
	}
	for i, p := range panels {
		if label := labels[i].firstWords(200); label != "" {
			r.setLine(labels[i].line)
			r.w.Paragraph(build.Strong(build.TextInline(label)))
		}
		r.writeGroup(p)
	}
	return true
}

// writeGroup writes an element that only holds others.
func (r *renderer) writeGroup(n *node) {
	r.noteName(n)
	r.blocks(n)
}

// writeText writes an element as a paragraph, or its children if it has blocks.
func (r *renderer) writeText(n *node) {
	if n.blocks {
		r.writeGroup(n)
		return
	}
	run := slices.Collect(n.children())
	if r.aboveHeading() && onlyLinks(run) || toTop(run) {
		return
	}
	r.noteName(n)
	for c := range n.elements() {
		r.noteNames(c)
	}
	r.writeWords(inline(run))
}

// heading writes a heading with the name by which it is reached: that which its
// permalink shows, its own, that of its section, or that of something right before it.
func (r *renderer) heading(n *node, level int) {
	if n.blocks && n.findFirst(func(c *node) bool { return c.isTag(atom.P, atom.Pre, atom.Ul, atom.Ol, atom.Table, atom.Dl) }) != nil &&
		n.size > 300 {
		r.writeGroup(n) // a heading that is never closed holds the page
		return
	}
	text, line := headingOf(n)
	anchor := r.anchor(n)
	if text == "" {
		if anchor != "" {
			r.pending, r.element = anchor, anchor
		}
		return
	}
	if anchor != "" {
		r.element = anchor
	}
	r.setLine(line)
	if footnoteMark(n) {
		r.w.Paragraph(build.Strong(text))
		r.textWritten()
		return
	}
	r.w.Heading(level, text, anchor)
	if r.inside == 0 {
		r.level = level
	}
	r.textWritten()
}

func (r *renderer) anchor(n *node) string {
	own, shown := n.anchorID(), ""
	n.walkTree(func(c *node) bool {
		if c.isText() {
			return false
		}
		if href := c.attribute("href"); shown == "" && c.tag == atom.A && c.out && len(href) > 1 && href[0] == '#' && permalink(c) {
			shown = href[1:]
			if plain, err := url.PathUnescape(shown); err == nil {
				shown = plain
			}
		}
		if own == "" && !c.out {
			own = c.anchorID()
		}
		return true
	})
	switch {
	case shown != "":
		return shown
	case own != "":
		return own
	case r.pending != "":
		return r.pending
	}
	for p := n.parent; p != nil && (p != r.main || sectionElement(p)) && p.head == n; p = p.parent {
		if id := p.anchorID(); id != "" {
			return id
		}
		if p == r.main {
			break
		}
	}
	return ""
}

// sectionElement reports whether an element is a part of a book of DocBook, whose id is
// that of its heading, also where it is all of a page. The id of another element around
// the content, such as "main-content", names no section.
func sectionElement(n *node) bool {
	return n.hasClass("sect1", "sect2", "sect3", "sect4", "sect5", "section", "chapter", "appendix", "preface", "part", "book", "article",
		"refentry", "reference", "glossary", "bibliography")
}

// footnoteMark reports whether a heading is the mark of a footnote, "(12)" with a name by
// which the text leads to it. Texinfo writes each of them so, below "Footnotes".
func footnoteMark(n *node) bool {
	text := n.firstWords(8)
	digits := strings.Trim(text, "()[] ")
	if digits == "" || digits == text || strings.Trim(digits, "0123456789") != "" {
		return false
	}
	return n.hasClass("footnote-body-heading") || n.findFirst(func(c *node) bool { return strings.HasPrefix(c.anchorID(), "FOOT") }) != nil
}

// openContainer begins a container; it gives what ends it.
func (r *renderer) openContainer(c build.Container) (closed func()) {
	r.w.Open(c)
	r.inside++
	return func() {
		r.inside--
		r.w.Close()
	}
}

// writeList writes a list. Lists whose items have headings only arrange the page.
func (r *renderer) writeList(n *node) {
	if n.head != nil {
		r.writeGroup(n)
		return
	}
	r.noteName(n)
	number, step := 1, 1
	if start, err := strconv.Atoi(strings.TrimSpace(n.attribute("start"))); err == nil && start >= 0 && start < 1_000_000 {
		number = start
	}
	for c := range n.children() {
		if c.out || c.size == 0 {
			continue
		}
		if v, err := strconv.Atoi(strings.TrimSpace(c.attribute("value"))); c.tag == atom.Li && err == nil && v >= 0 && v < 1_000_000 {
			number = v
		}
		item := build.Bullet
		if n.tag == atom.Ol {
			item = build.Number(number)
		}
		number += step
		r.noteName(c)
		r.setLine(c.line)
		closed := r.openContainer(item)
		switch {
		case c.tag == atom.Li:
			r.blocks(c)
		case isBlock(c):
			r.writeBlock(c)
		default:
			r.paragraph([]*node{c})
		}
		closed()
	}
	r.textWritten()
}

// writeQuote writes a quotation; one with headings only indents the page.
func (r *renderer) writeQuote(n *node) {
	if n.head != nil {
		r.writeGroup(n)
		return
	}
	r.setLine(n.line)
	closed := r.openContainer(build.Quote)
	r.writeGroup(n)
	closed()
}
