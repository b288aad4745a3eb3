package html

import (
	"strings"

	"golang.org/x/net/html/atom"

	"docent/pipeline/ingest/parse/build"
)

// longDefinition is how long the text of a definition with a name of its own is that
// makes it a section, in bytes.
const longDefinition = 240

// definitions writes a definition list. A term with a name of its own that is described
// at length is a section, as the functions and settings of references are.
func (r *renderer) definitions(n *node) {
	r.name(n)
	base := r.level
	var terms, texts []*node
	flush := func() {
		switch {
		case len(terms) == 0:
		case r.isSection(terms, texts):
			r.level = base
			r.section(terms, texts, base+1)
			r.level = base
		default:
			r.define(terms, texts)
		}
		terms, texts = nil, nil
	}
	for _, c := range entries(n) {
		if !r.alive() {
			return
		}
		switch {
		case c.tag == atom.Dt && c.size == 0:
			r.names(c)
		case c.tag == atom.Dt:
			if len(texts) > 0 {
				flush()
			}
			terms = append(terms, c)
		case len(terms) > 0 && (len(texts) == 0 || c.tag == atom.Dd):
			texts = append(texts, c)
		default:
			flush()
			r.stray(c)
		}
	}
	flush()
	r.wrote()
}

// entries are the terms and definitions of a list; they may stand in groups.
func entries(n *node) []*node {
	var all []*node
	for c := range n.children() {
		switch {
		case c.out && c.size == 0 && c.tag != atom.Dt:
		case c.is(atom.Dt, atom.Dd):
			all = append(all, c)
		case c.tag == atom.Div:
			for g := range c.elements() {
				if g.is(atom.Dt, atom.Dd) {
					all = append(all, g)
				}
			}
		case c.size > 0 && !c.out:
			all = append(all, c)
		}
	}
	return all
}

// termName is the name by which a term is reached.
func termName(n *node) string {
	if id := n.id(); id != "" {
		return id
	}
	named := n.find(func(c *node) bool { return c.id() != "" && c.is(atom.A, atom.Span, atom.Code) })
	if named == nil {
		return ""
	}
	return named.id()
}

func (r *renderer) isSection(terms, texts []*node) bool {
	if r.inside > 0 || termName(terms[0]) == "" || terms[0].size > 600 {
		return false
	}
	if terms[0].hasClass("sig", "sig-object") {
		return true
	}
	size := 0
	for _, t := range texts {
		if size += t.size; size >= longDefinition || t.head != nil {
			return true
		}
	}
	return false
}

// section writes a term and its definitions as a section. Further terms with the same
// definitions stand under the heading.
func (r *renderer) section(terms, texts []*node, level int) {
	for i, t := range terms {
		name, line := r.term(t)
		if id := termName(t); id != "" {
			r.element = id
		}
		r.at(line)
		if i == 0 {
			r.w.Heading(level, name, termName(t))
			r.level = min(6, max(1, level))
		} else {
			r.w.Paragraph(build.Strong(name))
		}
	}
	r.wrote()
	for _, t := range texts {
		r.stray(t)
	}
}

// stray writes a node that may be a text or an element.
func (r *renderer) stray(n *node) {
	if n.isText() || !isBlock(n) && !n.blocks {
		r.paragraph([]*node{n})
		return
	}
	r.group(n)
}

// term is a term as an inline: a declaration as code.
func (r *renderer) term(n *node) (text string, line int) {
	if n.hasClass("sig", "sig-object") {
		return build.Span(n.words(1000)), n.line
	}
	if text, line = headingOf(n); line == 0 {
		line = n.line
	}
	return text, line
}

// define writes terms and their definitions as an item of a definition list.
func (r *renderer) define(terms, texts []*node) {
	var names []string
	for _, t := range terms {
		name, _ := r.term(t)
		names = append(names, name)
		if id := termName(t); id != "" {
			r.element = id
		}
	}
	r.at(terms[0].line)
	r.w.Definition(strings.Join(names, ", "))
	r.inside++
	for _, t := range texts {
		r.stray(t)
	}
	r.inside--
	r.w.Close()
}
