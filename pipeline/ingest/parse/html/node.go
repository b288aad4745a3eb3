package html

import (
	"iter"
	"strings"

	"golang.org/x/net/html/atom"
)

// node is an element, or a text where tag is 0 and name is "".
type node struct {
	tag   atom.Atom // 0 for an element with a name that HTML does not know
	name  string    // of such an element
	text  string    // of a text, entities resolved
	attrs []attr
	line  int // of the source, from 1

	// Of the tree below, see measure.
	size   int   // bytes of text that is shown
	linked int   // those in links
	links  int   // with a target
	here   int   // of these, to places of the same page
	blocks bool  // it has an element that stands on lines of its own
	head   *node // the first heading in it
	h1     bool  // it has a heading of the first level
	core   bool  // it has <main> or <article>
	out    bool  // it is no part of the content

	parent, first, last, next *node
}

// attr is an attribute that is looked at somewhere in this package.
type attr struct{ key, value string }

func (n *node) isText() bool { return n.tag == 0 && n.name == "" }

func (n *node) attribute(key string) string {
	for _, a := range n.attrs {
		if a.key == key {
			return a.value
		}
	}
	return ""
}

func (n *node) hasAttribute(key string) bool {
	for _, a := range n.attrs {
		if a.key == key {
			return true
		}
	}
	return false
}

// anchorID is the name by which links reach an element.
func (n *node) anchorID() string {
	if id := n.attribute("id"); id != "" {
		return id
	}
	if n.tag == atom.A {
		return n.attribute("name")
	}
	return ""
}

// hasClass reports whether an element has one of some classes.
func (n *node) hasClass(names ...string) bool {
	for c := range strings.FieldsSeq(n.attribute("class")) {
		for _, name := range names {
			if c == name {
				return true
			}
		}
	}
	return false
}

// isTag reports whether an element has one of some tags.
func (n *node) isTag(tags ...atom.Atom) bool {
	if n.tag == 0 {
		return false
	}
	for _, t := range tags {
		if n.tag == t {
			return true
		}
	}
	return false
}

func (n *node) addChild(child *node) {
	child.parent = n
	if n.last == nil {
		n.first = child
	} else {
		n.last.next = child
	}
	n.last = child
}

func (n *node) children() iter.Seq[*node] {
	return func(yield func(*node) bool) {
		for c := n.first; c != nil; c = c.next {
			if !yield(c) {
				return
			}
		}
	}
}

// elements are the children that are elements.
func (n *node) elements() iter.Seq[*node] {
	return func(yield func(*node) bool) {
		for c := n.first; c != nil; c = c.next {
			if !c.isText() && !yield(c) {
				return
			}
		}
	}
}

// walkTree goes through a tree in the order of the source; visit reports whether to go into an
// element.
func (n *node) walkTree(visit func(*node) (into bool)) {
	at := n
	for {
		if visit(at) && at.first != nil {
			at = at.first
			continue
		}
		for at != n && at.next == nil {
			at = at.parent
		}
		if at == n {
			return
		}
		at = at.next
	}
}

// findFirst is the first element of a tree that fits, or nil.
func (n *node) findFirst(fits func(*node) bool) (found *node) {
	n.walkTree(func(c *node) bool {
		if found == nil && !c.isText() && fits(c) {
			found = c
		}
		return found == nil
	})
	return found
}

// firstWords is the text of a tree with single blanks, cut where it is longer than most
// bytes.
func (n *node) firstWords(most int) string {
	var c collapser
	n.walkTree(func(m *node) bool {
		switch {
		case c.b.Len() >= most:
			return false
		case m.isText():
			c.writeText(m.text, m.line)
		case m.tag == atom.Br || isBlock(m):
			c.pendBlank(' ')
		}
		return m == n || !m.out && !skipped(m)
	})
	text := c.b.String()
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "")
	}
	return text
}

// collapser joins texts as a browser does: white space between words is one blank.
// With lines, white space with ends of lines is as many of those as bring the next word
// to its line.
type collapser struct {
	b       strings.Builder
	lines   bool
	led     bool // white space stood before the first word
	pending bool // a blank stands before the next word
	ends    bool // an end of a line, instead
	broken  bool // a break that a person wants, instead
	first   int  // line of the first word
	at      int  // line of the source where the text so far ends
	moved   bool // it has ends of lines that the source has not
}

func (c *collapser) pendBlank(kind byte) {
	if c.b.Len() == 0 {
		c.led = true
		return
	}
	c.pending = true
	c.ends = c.ends || kind == '\n' && c.lines
}

// breaks ends a line where a person wants it.
func (c *collapser) breaks() {
	if c.b.Len() > 0 {
		c.broken = true
	}
}

// writeText writes text that begins on a line of the source.
func (c *collapser) writeText(s string, line int) {
	for len(s) > 0 {
		n := 0
		for n < len(s) && !isSpace(s[n]) {
			n++
		}
		if n > 0 {
			c.writeWord(s[:n], line)
			s = s[n:]
			continue
		}
		if s[0] == '\n' {
			line++
		}
		c.pendBlank(s[0])
		s = s[1:]
	}
}

// writeWord writes text without white space at its ends, after the pending space.
func (c *collapser) writeWord(s string, line int) {
	if s == "" {
		return
	}
	switch {
	case c.broken:
		c.b.WriteString("\\\n")
		for c.at++; c.at < line; c.at++ {
			c.b.WriteByte('\n')
		}
		c.moved = c.moved || c.at > line
	case c.ends && line > c.at:
		for ; c.at < line; c.at++ {
			c.b.WriteByte('\n')
		}
	case c.pending:
		c.b.WriteByte(' ')
	}
	if c.b.Len() == 0 {
		c.first, c.at = line, line
	}
	c.pending, c.ends, c.broken = false, false, false
	c.b.WriteString(s)
}

// joined writes text right behind the word before.
func (c *collapser) joined(s string) {
	c.b.WriteString(s)
}

func isSpace(b byte) bool {
	return b == ' ' || b == '\t' || b == '\n' || b == '\r' || b == '\f' || b == '\v'
}
