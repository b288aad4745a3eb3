// Package office holds what parsers of office documents share: the XML of a part as a tree,
// runs of text that look alike as inlines, and which names of styles and fonts are those of
// code.
//
// XML is read as a stream: entities are not expanded, nothing outside of the part is read,
// and malformed XML ends the reading there. It refuses other encodings than UTF-8, and to
// know one format's elements.
package office

import (
	"bytes"
	"context"
	"encoding/xml"
	"strings"
)

// Bounds of a part.
const (
	mostNodes = 3_000_000 // elements and texts
	MostDepth = 300       // elements in each other; deeper ones are left out
)

// Node is an element, or a text: that has no name.
type Node struct {
	Name     string
	Attrs    []Attr
	Children []*Node
	Text     string
}

// Attr is an attribute of an element.
type Attr struct{ Name, Value string }

// Filter names the attributes and texts of a part that are kept, and the elements that are
// left out: large parts need less memory so. With nil maps all is kept.
type Filter struct {
	Attrs   map[string]bool // attributes that are kept
	Without map[string]bool // elements that are left out, with everything in them
	Texts   map[string]bool // elements whose text is kept
}

func keeps(names map[string]bool, name string) bool { return names == nil || names[name] }

// Read reads a part; false: it is damaged, or too large, and the beginning was read. The root
// has no name.
func Read(ctx context.Context, data []byte) (root *Node, whole bool) {
	return ReadSome(ctx, data, Filter{})
}

// ReadSome is Read with a filter.
func ReadSome(ctx context.Context, data []byte, f Filter) (root *Node, whole bool) {
	dec := xml.NewDecoder(bytes.NewReader(data))
	root = &Node{}
	stack := []*Node{root}
	skipped := 0 // open elements that are too deep
	for n := 0; ; n++ {
		if n > mostNodes || n%4096 == 0 && ctx.Err() != nil {
			return root, false
		}
		token, err := dec.RawToken()
		if err != nil {
			return root, len(stack) == 1 && len(root.Children) > 0
		}
		top := stack[len(stack)-1]
		switch t := token.(type) {
		case xml.StartElement:
			if len(stack) > MostDepth {
				skipped++
				continue
			}
			e := &Node{Name: t.Name.Local}
			for _, a := range t.Attr {
				if a.Name.Space != "xmlns" && a.Name.Local != "xmlns" && keeps(f.Attrs, a.Name.Local) {
					e.Attrs = append(e.Attrs, Attr{a.Name.Local, a.Value})
				}
			}
			if !f.Without[e.Name] {
				top.Children = append(top.Children, e)
			}
			stack = append(stack, e)
		case xml.EndElement:
			switch {
			case skipped > 0:
				skipped--
			case len(stack) > 1:
				stack = stack[:len(stack)-1]
			}
		case xml.CharData:
			if skipped == 0 && len(stack) > 1 && keeps(f.Texts, top.Name) {
				top.Children = append(top.Children, &Node{Text: string(t)})
			}
		}
	}
}

// Attr is the value of an attribute, "" without one. It may be called on nil.
func (n *Node) Attr(name string) string {
	if n == nil {
		return ""
	}
	for _, a := range n.Attrs {
		if a.Name == name {
			return a.Value
		}
	}
	return ""
}

// Child is the first child with a name, or nil. It may be called on nil.
func (n *Node) Child(name string) *Node {
	if n == nil {
		return nil
	}
	for _, c := range n.Children {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// Find is the first element below with a name, in the order of the text, or nil. It may be
// called on nil.
func (n *Node) Find(name string) *Node {
	if n == nil {
		return nil
	}
	for _, c := range n.Children {
		if c.Name == name {
			return c
		}
		if f := c.Find(name); f != nil {
			return f
		}
	}
	return nil
}

// PlainText is all text below. It may be called on nil.
func (n *Node) PlainText() string {
	var b strings.Builder
	n.addText(&b)
	return b.String()
}

func (n *Node) addText(b *strings.Builder) {
	if n == nil {
		return
	}
	b.WriteString(n.Text)
	for _, c := range n.Children {
		c.addText(b)
	}
}

// ChildrenOf are the children of an element that may be missing.
func ChildrenOf(n *Node) []*Node {
	if n == nil {
		return nil
	}
	return n.Children
}
