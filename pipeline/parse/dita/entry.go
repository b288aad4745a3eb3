package dita

import "strings"

// longEntry is the text of an entry that is documented at length, in bytes: with an id
// it is a section of its own.
const longEntry = 150

// entries writes a list of definitions or parameters in a body: entries with an id and
// a long text are sections, the others definitions.
func (p *page) entries(n *node, level int) {
	p.within(n.attrs, func() {
		for _, k := range n.kids {
			if known(event{name: k.name, attrs: k.attrs}) != "dlentry" && k.name != "plentry" {
				continue
			}
			terms, texts := k.children("dt", "pt"), k.children("dd", "pd")
			id := k.attr("id")
			for i := 0; i < len(terms) && id == ""; i++ {
				id = terms[i].attr("id")
			}
			if id == "" || size(texts) < longEntry {
				p.definition(k)
				continue
			}
			p.within([]attr{{"id", id}}, func() {
				p.heading(level, &node{kids: p.terms(terms), line: k.line}, p.id(id))
				for _, t := range texts {
					p.flow(t.kids)
				}
			})
		}
	})
}

// size is the length of texts in bytes, as far as it counts for entries.
func size(nodes []*node) int { return sizeTo(nodes, longEntry) }

// sizeTo is the length of texts in bytes; it is not counted on beyond most.
func sizeTo(nodes []*node, most int) int {
	n := 0
	for _, k := range nodes {
		n += len(strings.TrimSpace(k.text)) + sizeTo(k.kids, most)
		if n > most {
			break
		}
	}
	return n
}

// terms are the terms of an entry as one line.
func (p *page) terms(terms []*node) []*node {
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
func (p *page) definitions(n *node) {
	for _, k := range n.children("dlentry", "plentry") {
		p.definition(k)
	}
}

func (p *page) definition(n *node) {
	p.within(n.attrs, func() {
		p.place(n.line, true)
		p.w.Definition(p.oneLine(p.terms(n.children("dt", "pt"))))
		for _, t := range n.children("dd", "pd") {
			p.flow(t.kids)
		}
		p.w.Close()
	})
}
