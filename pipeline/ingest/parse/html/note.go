package html

import (
	"strings"

	"golang.org/x/net/html/atom"

	"docent/pipeline/ingest/parse/build"
)

// noteKinds are the words of class names that make an admonition.
var noteKinds = map[string]string{
	"note": "note", "tip": "tip", "hint": "hint", "important": "important", "warning": "warning", "caution": "caution", "danger": "danger",
	"attention": "attention", "error": "error", "seealso": "seealso", "info": "info", "notice": "notice", "deprecated": "deprecated",
	"success": "tip", "failure": "error", "bug": "warning", "example": "Example", "question": "note", "abstract": "note", "todo": "note",
	"secondary": "note", "primary": "note",
}

// noteKind reports whether an element is an admonition, and of which kind.
func noteKind(n *node) (kind string, ok bool) {
	if !n.isTag(atom.Div, atom.P, atom.Aside, atom.Section, atom.Blockquote, atom.Details, atom.Table) {
		return "", false
	}
	if n.hasClass("footnote", "footnote-list", "footnotes", "citation", "citation-list") ||
		strings.HasPrefix(n.attribute("role"), "doc-") && strings.HasSuffix(n.attribute("role"), "notes") ||
		n.attribute("role") == "doc-footnote" {
		return "", false
	}
	if n.tag == atom.Aside {
		kind, ok = "note", n.head == nil || n.size < 1500
	}
	role := n.attribute("role")
	if role == "note" || role == "doc-tip" || role == "doc-notice" {
		kind, ok = "note", true
	}
	class := strings.ToLower(n.attribute("class"))
	if class == "" {
		return kind, ok
	}
	known, named := "", false // named: it calls itself an admonition
	for c := range strings.FieldsSeq(class) {
		for _, prefix := range [...]string{"markdown-alert-", "theme-admonition-", "alert-", "alert--", "admonition-", "callout-",
			"callout--"} {
			if rest, cut := strings.CutPrefix(c, prefix); cut {
				c = strings.TrimPrefix(rest, "-")
				break
			}
		}
		switch c {
		case "admonition", "admonitionblock", "callout", "alert", "markdown-alert", "theme-admonition", "notecard":
			named = true
			continue
		}
		if k := noteKinds[c]; k != "" && (known == "" || known == "note") {
			known = k
		}
	}
	switch {
	case known != "" && (named || ok):
		return known, true
	case named:
		return "note", true
	case known != "" && strings.Count(strings.TrimSpace(class), " ") <= 2:
		// class="warning" alone; of a table or a group with sections it says something else.
		switch known {
		case "Example", "error":
			return "", false
		}
		return known, n.tag != atom.Table && (n.head == nil || n.size < 3000)
	}
	return kind, ok
}

// note writes an admonition: its title is the element marked as its title, or a heading
// in it.
func (r *renderer) note(n *node, kind string) {
	r.noteName(n)
	if n.size == 0 {
		return
	}
	body := n
	if t := n.findFirst(func(c *node) bool { return c.tag == atom.Td && c.hasClass("content") }); t != nil &&
		n.hasClass("admonitionblock") {
		body = t // Asciidoctor
	}
	title := ""
	head := noteTitle(body)
	if above, below := pictured(body); below != nil { // DocBook
		head, body = above, below
	}
	if head != nil {
		title, _ = inlineOf(head)
		if plain := strings.TrimRight(strings.ToLower(head.firstWords(40)), ":! "); plain == strings.ToLower(kind) || plain == "" {
			title = ""
		}
		head.out = true
	}
	r.setLine(n.line)
	closed := r.openContainer(build.NoteContainer(kind, title))
	if body.tag == atom.P {
		r.writeText(body)
	} else {
		r.blocks(body)
	}
	closed()
	r.textWritten()
}

// pictured gives the title and the text of an admonition that DocBook lays out in a table:
// a picture next to both; nil where it is none.
func pictured(n *node) (title, text *node) {
	var table *node
	for c := range n.elements() {
		if c.size > 0 {
			table = c
			break
		}
	}
	if table == nil || table.tag != atom.Table || table.size != n.size {
		return nil, nil
	}
	var cells []*node
	table.walkTree(func(c *node) bool {
		if c.isTag(atom.Td, atom.Th) {
			cells = append(cells, c)
			return false
		}
		return true
	})
	if len(cells) != 3 || cells[1].tag != atom.Th || cells[0].firstWords(1) != "" ||
		cells[0].findFirst(func(c *node) bool { return c.tag == atom.Img }) == nil {
		return nil, nil
	}
	return cells[1], cells[2]
}

// noteTitle is the element with the title of an admonition, or nil.
func noteTitle(n *node) *node {
	seen := 0
	for c := range n.elements() {
		if c.out || c.size == 0 {
			continue
		}
		if c.hasClass("admonition-title", "markdown-alert-title", "title", "alert-heading", "callout-title", "notecard-title",
			"sidebar-title", "topic-title") || c.tag == atom.Summary || headingLevel(c) > 0 {
			return c
		}
		if seen == 0 && strings.Contains(c.attribute("class"), "dmonitionHeading") { // Docusaurus
			return c
		}
		if seen++; seen > 1 {
			return nil
		}
	}
	return nil
}

// details writes what a page shows on demand: its summary is a line in bold, or, where
// it is a heading, a heading.
func (r *renderer) details(n *node) {
	r.noteName(n)
	for c := range n.elements() {
		if c.out || c.tag != atom.Summary || c.size == 0 {
			continue
		}
		if c.head != nil || c.blocks && n.head != nil {
			r.writeGroup(c)
		} else if text, line := inlineOf(c); text != "" {
			r.setLine(line)
			r.w.Paragraph(build.Strong(text))
		}
		c.out = true
	}
	r.blocks(n)
}
