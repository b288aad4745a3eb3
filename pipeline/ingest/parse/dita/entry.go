package dita

import "strings"

// longEntry is the text of an entry that is documented at length, in bytes.
const longEntry = 150

// tableWriter writes tables, definition lists and the entries of maps.
type tableWriter struct{ *page }

func (x *page) tableWriter() tableWriter { return tableWriter{x} }

// writeEntries writes a list of definitions or parameters in a body. Where half of the
// entries are documented at length, each is a section of its own: short ones too, since
// they would stand in the section of the entry before them. What follows would so too:
// a list that does not end its section stays a list.
func (p tableWriter) writeEntries(n *node, level int) {
	all := n.childrenNamed("dlentry", "plentry")
	long := 0
	for _, k := range all {
		if textSize(k.childrenNamed("dd", "pd")) >= longEntry {
			long++
		}
	}
	if 2*long < len(all) || len(all) < 2 || !p.s.isLastInSection() {
		p.blockWriter().writeBlock(n)
		return
	}
	p.writeWithinElement(n.attrs, func() {
		for _, k := range all {
			terms := k.childrenNamed("dt", "pt")
			id := k.attribute("id")
			for i := 0; i < len(terms) && id == ""; i++ {
				id = terms[i].attribute("id")
			}
			p.writeWithinElement([]attr{{"id", id}}, func() {
				anchor := ""
				if id != "" {
					anchor = p.anchorOf(id)
				}
				p.writeHeading(level, &node{kids: p.joinTerms(terms), line: k.line}, anchor)
				for _, t := range k.childrenNamed("dd", "pd") {
					p.blockWriter().writeFlow(t.kids)
				}
			})
		}
	})
}

// textSize is the length of texts in bytes, as far as it counts for entries.
func textSize(nodes []*node) int { return boundedSize(nodes, longEntry) }

// boundedSize is the length of texts in bytes; it is not counted on beyond most.
func boundedSize(nodes []*node, most int) int {
	n := 0
	for _, k := range nodes {
		n += len(strings.TrimSpace(k.text)) + boundedSize(k.kids, most)
		if n > most {
			break
		}
	}
	return n
}

// joinTerms are the terms of an entry as one line.
func (p tableWriter) joinTerms(terms []*node) []*node {
	var out []*node
	for i, t := range terms {
		if i > 0 {
			out = append(out, &node{text: ", ", line: t.line, file: t.file, fixed: t.fixed})
		}
		out = append(out, t.kids...)
	}
	return out
}

// definitions writes a list of definitions or parameters.
func (p tableWriter) definitions(n *node) {
	for _, k := range n.childrenNamed("dlentry", "plentry") {
		p.definition(k)
	}
}

func (p tableWriter) definition(n *node) {
	p.writeWithinElement(n.attrs, func() {
		p.placeText(n.line, true)
		p.w.Definition(p.inlineOnOneLine(p.joinTerms(n.childrenNamed("dt", "pt"))))
		for _, t := range n.childrenNamed("dd", "pd") {
			p.blockWriter().writeFlow(t.kids)
		}
		p.w.Close()
	})
}
