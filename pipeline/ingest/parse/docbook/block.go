package docbook

import (
	"slices"
	"strings"

	"docent/pipeline/ingest/parse/build"
	"docent/store/doc"
)

// writeFlow writes nodes that are blocks, text or both. level is that of divisions among them.
func (p *page) writeFlow(kids []*node, level int) {
	var run []*node
	flush := func() {
		p.writeParagraph(run)
		run = nil
	}
	for i, k := range kids {
		switch {
		case isHidden[k.name]:
		case isInlineElement(k) || isOwnInline(k) && (saysSomething(run) || ownName(k) != ""):
			run = append(run, k)
		case isDivision[k.name] && p.inside == 0:
			flush()
			p.writeDivision(k, level)
		case p.entriesAreSections(k, kids[i+1:], level):
			flush()
			p.writeEntries(k, level)
		default:
			flush()
			p.writeBlock(k, level)
		}
	}
	flush()
}

// saysSomething reports whether nodes within a line have a text.
func saysSomething(run []*node) bool {
	return slices.ContainsFunc(run, func(n *node) bool { return n.name != "" || strings.TrimSpace(n.text) != "" })
}

// isOwnInline reports whether an element may stand within a line: one of a project's own, which has
// nothing but text.
func isOwnInline(n *node) bool {
	return !isDivision[n.name] && !isListing[n.name] && !isSynopsis[n.name] && !isNote[n.name] && !isBlockOfText[n.name] &&
		!slices.ContainsFunc(n.kids, func(k *node) bool { return k.name != "" })
}

// ownName is the name that an element of a project's own stands for: it has nothing else.
func ownName(n *node) string {
	if name := n.attribute("name"); len(n.kids) == 0 && len(name) <= mostTitle && isOwnInline(n) && !isInlineElement(n) {
		return name
	}
	return ""
}

// within writes nodes in a container.
func (p *page) within(n *node, c build.Container, kids []*node) {
	p.place(n)
	p.w.Open(c)
	p.inside++
	p.writeFlow(kids, 6)
	p.inside--
	p.w.Close()
}

// writeBlock writes a block.
func (p *page) writeBlock(n *node, level int) {
	switch name := n.name; {
	case isListing[name]:
		p.writeListing(n)
	case isSynopsis[name]:
		p.place(n)
		p.w.WriteCode("", synopsisLines(n))
	case isNote[name]:
		p.within(n, build.NoteContainer(name, p.blockTitle(n)), n.kids)
	case name == "para" || name == "simpara":
		p.writeFlow(n.kids, level) // blocks may stand in it
	case name == "tgroup":
		p.writeTable(n)
	default:
		p.writeOther(n, level)
	}
}

func (p *page) writeOther(n *node, level int) {
	switch n.name {
	case "itemizedlist", "calloutlist", "bibliolist":
		p.writeList(n, false)
	case "orderedlist", "procedure", "substeps":
		p.writeList(n, true)
	case "simplelist":
		p.writeSimpleList(n)
	case "variablelist", "glosslist", "qandaset", "qandadiv", "segmentedlist":
		p.writeBlockTitle(n)
		p.writeFlow(n.kids, level)
	case "varlistentry", "glossentry":
		p.writeEntry(n)
	case "qandaentry":
		p.writeQuestion(n)
	case "seglistitem", "listitem", "step", "callout", "member", "bibliomixed", "biblioentry":
		p.within(n, build.Bullet, n.kids)
	case "blockquote", "epigraph":
		p.within(n, build.Quote, n.kids)
	case "table", "informaltable":
		p.writeBlockTitle(n)
		if n.child("tgroup") == nil {
			p.writeTable(n)
			return
		}
		p.writeFlow(n.kids, level)
	case "bridgehead":
		p.place(n)
		p.w.Paragraph(build.Strong(p.oneLine(n.kids)))
	case "mediaobject", "graphic", "mediaobjectco", "screenshot", "imageobject":
		p.writePicture(n)
	case "formalpara":
		p.writeBlockTitle(n)
		p.writeFlow(n.kids, level)
	default:
		p.writeBlockTitle(n)
		p.writeFlow(n.kids, level)
	}
}

// blockTitle is the title of a block as an inline.
func (p *page) blockTitle(n *node) string {
	t := n.child("title")
	if t == nil {
		if info := n.child("info", "blockinfo"); info != nil {
			t = info.child("title")
		}
	}
	if t == nil {
		return ""
	}
	return p.oneLine(t.kids)
}

// writeBlockTitle writes the title of a block as a line in bold.
func (p *page) writeBlockTitle(n *node) {
	if title := p.blockTitle(n); title != "" {
		p.place(n)
		p.w.Paragraph(build.Strong(title))
	}
}

// writeList writes a list.
func (p *page) writeList(n *node, numbered bool) {
	p.writeBlockTitle(n)
	number := 0
	for _, k := range n.kids {
		switch k.name {
		case "":
		case "listitem", "step", "callout", "stepalternatives":
			c := build.Bullet
			if numbered {
				number++
				c = build.Number(number)
			}
			if title := p.blockTitle(k); title != "" {
				bold := &node{name: "emphasis", line: k.line, attrs: attribute("role", "bold"), kids: k.child("title").kidsOrNone()}
				k.kids = append([]*node{{name: "para", line: k.line, kids: []*node{bold}}}, k.kids...)
			}
			p.within(k, c, k.kids)
		default:
			if !isHidden[k.name] {
				p.writeFlow([]*node{k}, 6)
			}
		}
	}
}

// kidsOrNone are the children of a node that may be nil.
func (n *node) kidsOrNone() []*node {
	if n == nil {
		return nil
	}
	return n.kids
}

func (p *page) writeSimpleList(n *node) {
	if n.attribute("type") == "inline" {
		var members []string
		for _, k := range n.kids {
			if k.name == "member" {
				members = append(members, p.oneLine(k.kids))
			}
		}
		p.place(n)
		p.w.Paragraph(strings.Join(members, ", "))
		return
	}
	for _, k := range n.kids {
		if k.name == "member" {
			p.within(k, build.Bullet, k.kids)
		}
	}
}

// writeEntry writes a term with its definition. An entry without a term is an item of a list: some
// manuals have paragraphs alone in it, although DocBook does not allow that.
func (p *page) writeEntry(n *node) {
	p.place(n)
	if terms := p.termsOf(n); terms != "" {
		p.w.Definition(terms)
	} else {
		p.w.Open(build.Bullet)
	}
	p.inside++
	for _, k := range n.kids {
		switch k.name {
		case "listitem", "glossdef":
			p.writeFlow(k.kids, 6)
		case "glosssee", "glossseealso":
			word := "See "
			if k.name == "glossseealso" {
				word = "See also "
			}
			p.place(k)
			p.w.Paragraph(build.TextInline(word) + p.oneLine(k.kids))
		case "", "term", "glossterm", "segtitle", "acronym", "abbrev":
		default:
			p.writeFlow([]*node{k}, 6)
		}
	}
	p.inside--
	p.w.Close()
}

// writeQuestion writes a question in bold and its answers.
func (p *page) writeQuestion(n *node) {
	for _, k := range n.kids {
		switch k.name {
		case "question":
			var kids []*node
			for _, q := range k.kids {
				if len(q.kids) > 0 {
					kids = append(kids, q.kids...)
				}
			}
			p.place(k)
			p.w.Paragraph(build.Strong(p.oneLine(kids)))
		case "answer":
			p.writeFlow(k.kids, 6)
		}
	}
}

// writePicture writes what a picture is said to show.
func (p *page) writePicture(n *node) {
	alt := pictureText(n)
	p.place(n)
	if data := findNamed(n, "imagedata", "graphic"); data != nil && alt != "" {
		p.w.Paragraph(build.ImageInline(alt, data.attribute("fileref")))
	} else if alt != "" {
		p.w.Paragraph(build.TextInline(alt))
	}
	if c := n.child("caption"); c != nil {
		p.writeFlow(c.kids, 6)
	}
}

// pictureText is the text in the place of a picture.
func pictureText(n *node) string {
	if a := findNamed(n, "alt", "phrase"); a != nil {
		return a.plainText()
	}
	if t := n.child("textobject"); t != nil {
		return t.plainText()
	}
	return ""
}

func findNamed(n *node, names ...string) *node {
	for _, name := range names {
		if n.name == name {
			return n
		}
	}
	for _, k := range n.kids {
		if found := findNamed(k, names...); found != nil {
			return found
		}
	}
	return nil
}

// writeListing writes code.
func (p *page) writeListing(n *node) {
	var b strings.Builder
	first, marks := 0, 0
	var add func(n *node)
	add = func(n *node) {
		if n.name == "" {
			if first == 0 {
				first = n.line
			}
			b.WriteString(n.text)
			return
		}
		switch n.name {
		case "co":
			marks++
			return
		case "indexterm", "areaspec", "title", "info", "remark":
			return
		}
		for _, k := range n.kids {
			add(k)
		}
	}
	add(n)
	at := doc.Location{Line: max(1, first), Element: elementID(n)}
	if p.w.FromLine(at); n.fixed || hasFixed(n) || marks > 0 && first == 0 {
		p.w.At(doc.Location{Line: n.line})
	}
	lang := n.attribute("language")
	if lang == "" {
		lang = n.attribute("role")
	}
	text := strings.TrimRight(b.String(), " \t\n")
	if p.w.WriteCode(strings.ToLower(lang), dedentFirst(text)); strings.TrimSpace(text) == "" {
		return
	}
}

// hasFixed reports whether part of an element was taken from another file.
func hasFixed(n *node) bool {
	for _, k := range n.kids {
		if k.fixed || hasFixed(k) {
			return true
		}
	}
	return false
}

// dedentFirst takes a blank first line's rest off: the tag ends on the line before the code.
func dedentFirst(text string) string {
	if line, rest, ok := strings.Cut(text, "\n"); ok && strings.TrimSpace(line) == "" {
		return "\n" + rest
	}
	return text
}
