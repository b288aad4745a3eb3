package html

import (
	"strings"

	"golang.org/x/net/html/atom"

	"docent/pipeline/ingest/parse/build"
)

// longDefinition is how long the text of a definition with a name of its own is that
// makes it a section, in bytes.
const longDefinition = 240

// longestTerm is the length of the longest term that is a section, in bytes.
const longestTerm = 600

// definitions writes a definition list. A term with a name of its own that is described
// at length is a section, as the functions and settings of references are, and then all
// terms of its list are: a short one that stayed an item would stand in the section of the
// term before it.
func (r *renderer) definitions(n *node) {
	r.noteName(n)
	base := r.level
	sections := r.hasSectionTerm(n)
	var terms, texts []*node
	flush := func() {
		switch {
		case len(terms) == 0:
		case sections && terms[0].size <= longestTerm:
			r.level = base
			r.section(terms, texts, base+1)
			r.level = base
		default:
			r.define(terms, texts)
		}
		terms, texts = nil, nil
	}
	for _, c := range entries(n) {
		if !r.isAlive() {
			return
		}
		switch {
		case c.tag == atom.Dt && c.size == 0:
			r.noteNames(c)
		case c.tag == atom.Dt:
			if len(texts) > 0 {
				flush()
			}
			terms = append(terms, c)
		case len(terms) > 0 && (len(texts) == 0 || c.tag == atom.Dd):
			texts = append(texts, c)
		default:
			flush()
			r.writeStray(c)
		}
	}
	flush()
	r.textWritten()
}

// entries are the terms and definitions of a list; they may stand in groups.
func entries(n *node) []*node {
	var all []*node
	for c := range n.children() {
		switch {
		case c.out && c.size == 0 && c.tag != atom.Dt:
		case c.isTag(atom.Dt, atom.Dd):
			all = append(all, c)
		case c.tag == atom.Div:
			for g := range c.elements() {
				if g.isTag(atom.Dt, atom.Dd) {
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
	if id := n.anchorID(); id != "" {
		return id
	}
	named := n.findFirst(func(c *node) bool { return c.anchorID() != "" && c.isTag(atom.A, atom.Span, atom.Code) })
	if named == nil {
		return ""
	}
	return named.anchorID()
}

// hasSectionTerm reports whether a term of a list is a section.
func (r *renderer) hasSectionTerm(n *node) bool {
	if r.inside > 0 {
		return false
	}
	var terms, texts []*node
	for _, c := range entries(n) {
		switch {
		case c.tag == atom.Dt && c.size > 0:
			if len(texts) > 0 {
				if isSection(terms, texts) {
					return true
				}
				terms, texts = nil, nil
			}
			terms = append(terms, c)
		case c.tag == atom.Dd && len(terms) > 0:
			texts = append(texts, c)
		}
	}
	return len(terms) > 0 && isSection(terms, texts)
}

func isSection(terms, texts []*node) bool {
	if termName(terms[0]) == "" || terms[0].size > longestTerm {
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
		name, line := r.termInline(t)
		if id := termName(t); id != "" {
			r.element = id
		}
		r.setLine(line)
		if i == 0 {
			r.w.Heading(level, name, termName(t))
			r.level = min(6, max(1, level))
		} else {
			r.w.Paragraph(build.Strong(name))
		}
	}
	r.textWritten()
	for _, t := range texts {
		r.writeStray(t)
	}
}

// writeStray writes a node that may be a text or an element.
func (r *renderer) writeStray(n *node) {
	if n.isText() || !isBlock(n) && !n.blocks {
		r.paragraph([]*node{n})
		return
	}
	r.writeGroup(n)
}

// termInline is a term as an inline: a declaration as code.
func (r *renderer) termInline(n *node) (text string, line int) {
	if n.hasClass("sig", "sig-object") {
		return build.CodeInline(n.firstWords(1000)), n.line
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
		name, _ := r.termInline(t)
		names = append(names, name)
		if id := termName(t); id != "" {
			r.element = id
		}
	}
	r.setLine(terms[0].line)
	r.w.Definition(strings.Join(names, ", "))
	r.inside++
	for _, t := range texts {
		r.writeStray(t)
	}
	r.inside--
	r.w.Close()
}
