package dita

import (
	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/spacing"
)

// isTitle has the titles of maps.
var isTitle = spacing.WordSet("title booktitle mainbooktitle")

// notListed has the children of maps that are no part of their order.
var notListed = spacing.WordSet(`keydef topicmeta bookmeta title booktitle reltable ditavalref hasNarrower enumerationdef schemeref
	subjectHead relatedSubjects defaultSubject attributedef elementdef navref anchor ux-window exportanchors`)

// mapWriter writes maps as pages of links.
type mapWriter struct{ *page }

func (x *page) mapWriter() mapWriter { return mapWriter{x} }

// readMap writes a map: its title, and what it refers to as a nested list of links.
func (p mapWriter) readMap(e event) {
	id := attrOf(e.attrs, "id")
	p.s.topics = append(p.s.topics, id)
	p.element = id
	p.noteKind(e)
	if t := attrOf(e.attrs, "title"); t != "" {
		p.mapTitle(&node{kids: []*node{{text: t, line: e.line, file: e.from}}, line: e.line}, id)
	}
	for {
		c := p.s.next()
		switch c.kind {
		case closes, atEnd:
			p.s.topics = p.s.topics[:len(p.s.topics)-1]
			p.element = ""
			return
		case opens:
			n := p.s.gatherRest(c)
			switch {
			case isTitle[n.name]:
				if main := n.firstChild("mainbooktitle"); main != nil {
					n = main
				}
				p.mapTitle(n, id)
			case n.name == "topicmeta" || n.name == "bookmeta":
				p.readMetadata(n)
			default:
				p.mapItem(n)
			}
		}
	}
}

func (p mapWriter) mapTitle(n *node, id string) {
	if p.titled {
		return
	}
	p.setTitle(n, true)
	p.writeHeading(1, n, id)
}

// mapItem writes an entry of a map and those in it.
func (p mapWriter) mapItem(n *node) {
	if n.name == "" || notListed[n.name] || n.attribute("processing-role") == "resource-only" || n.attribute("toc") == "no" {
		return
	}
	text, href := p.mapEntry(n)
	if text == "" { // a group without a title
		for _, k := range n.kids {
			p.mapItem(k)
		}
		return
	}
	p.placeText(n.line, true)
	p.w.Open(build.Bullet)
	p.w.Paragraph(build.LinkInline(build.TextInline(text), href))
	for _, k := range n.kids {
		p.mapItem(k)
	}
	p.w.Close()
}

// mapEntry is the title and the address of an entry of a map.
func (p mapWriter) mapEntry(n *node) (text, href string) {
	from := n.file
	href = n.attribute("href")
	if ref := n.attribute("keyref"); ref != "" {
		if k, err := p.s.keys.findKey(ref); err == nil {
			text = k.text
			if k.href != "" {
				from, href = k.file, k.href
			}
		} else {
			p.unresolved(n.line, err, "the key %s is not resolved", ref)
			text = "[" + ref + "]"
		}
	}
	if meta := n.firstChild("topicmeta"); meta != nil {
		if t := meta.firstChild("navtitle", "linktext"); t != nil {
			text = p.plainWords(t)
		}
	}
	if t := n.attribute("navtitle"); t != "" && text == "" {
		text = t
	}
	if text == "" {
		text = p.titleOf(from, href)
	}
	if text == "" && href != "" {
		text = linkName(href)
	}
	if href != "" {
		href = p.linkAddress(&node{file: from}, href)
	}
	return text, href
}
