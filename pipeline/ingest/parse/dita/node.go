package dita

import (
	"fmt"
	"strings"

	"docent/pipeline/text/spacing"
)

// maxNodes is the most elements of one block that are kept as elements; those after
// them count as their text.
const maxNodes = 200_000

// node is an element, or text where name is empty.
type node struct {
	name  string
	text  string
	attrs []attr
	kids  []*node
	line  int
	file  *file // what references in the element are relative to
	// fixed says that the text stands in another file: line is where it was taken in.
	fixed bool
	hops  int // as in event
}

func (n *node) attribute(name string) string { return attrOf(n.attrs, name) }

// firstChild is the first child of some names, or nil.
func (n *node) firstChild(names ...string) *node {
	if all := n.childrenNamed(names...); len(all) > 0 {
		return all[0]
	}
	return nil
}

// childrenNamed are the children of some names.
func (n *node) childrenNamed(names ...string) []*node {
	var out []*node
	for _, k := range n.kids {
		for _, name := range names {
			if k.name == name {
				out = append(out, k)
			}
		}
	}
	return out
}

// plainText is the text of an element on one line, without hidden elements.
func (n *node) plainText() string {
	var b strings.Builder
	n.addText(&b)
	return spacing.Single(b.String())
}

func (n *node) addText(b *strings.Builder) {
	if n.name == "" {
		b.WriteString(n.text)
		return
	}
	if isHidden[n.name] {
		return
	}
	for _, k := range n.kids {
		k.addText(b)
	}
	if n.name == "tm" {
		b.WriteString(trademark(n))
	}
}

// replayEvents adds the events that the element was gathered from.
func (n *node) replayEvents(out []event) []event {
	if n.name == "" {
		return append(out, event{kind: says, text: n.text, line: n.line, from: n.file, fixed: n.fixed})
	}
	out = append(out, event{kind: opens, name: n.name, attrs: n.attrs, line: n.line, from: n.file, fixed: n.fixed})
	for _, k := range n.kids {
		out = k.replayEvents(out)
	}
	return append(out, event{kind: closes, name: n.name, line: n.line, from: n.file, fixed: n.fixed})
}

// events gives events; stream and reader do.
type events interface {
	next() event
	note(line int, what string)
}

func (s *stream) note(line int, what string) { s.say(fmt.Sprintf("line %d: %s", line, what), nil) }

// gatherRest reads the rest of an element that has opened.
func (s *stream) gatherRest(e event) *node { return gatherElement(s, e) }

func gatherElement(s events, e event) *node {
	root := &node{name: e.name, attrs: e.attrs, line: e.line, file: e.from, fixed: e.fixed, hops: e.hops}
	path := []*node{root}
	flat, count := 0, 1 // open elements that are not kept
	for {
		e := s.next()
		top := path[len(path)-1]
		switch e.kind {
		case opens:
			if count++; count > maxNodes {
				if count == maxNodes+1 {
					s.note(e.line, fmt.Sprintf("<%s> has so many elements that the rest of it is read as text", root.name))
				}
				flat++
				continue
			}
			n := &node{name: e.name, attrs: e.attrs, line: e.line, file: e.from, fixed: e.fixed}
			top.kids = append(top.kids, n)
			path = append(path, n)
		case says:
			top.kids = append(top.kids, &node{text: e.text, line: e.line, file: e.from, fixed: e.fixed})
		case closes:
			if flat > 0 {
				flat--
				continue
			}
			if path = path[:len(path)-1]; len(path) == 0 {
				return root
			}
		case atEnd:
			return root
		}
	}
}
