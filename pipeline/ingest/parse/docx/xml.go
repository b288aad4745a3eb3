package docx

import (
	"bytes"
	"context"
	"encoding/xml"
	"strings"
)

// node is an element: its name without the namespace, what the parser asks of its
// attributes, its children, and text.
type node struct {
	name     string
	attrs    map[string]string // by local name
	children []*node
	text     string // of a node without a name
}

// Bounds of a part.
const (
	mostNodes = 3_000_000 // elements and texts
	mostDepth = 300
)

// wanted are the attributes that are kept.
var wanted = map[string]bool{"val": true, "id": true, "styleId": true, "numId": true, "abstractNumId": true, "ilvl": true, "name": true,
	"descr": true, "anchor": true,
	"ascii": true, "hAnsi": true, "type": true, "Target": true, "TargetMode": true, "Id": true, "instr": true, "default": true}

// unread are elements that say how text looks, which is not asked: they are half of a
// part.
var unread = map[string]bool{"sz": true, "szCs": true, "color": true, "spacing": true, "ind": true, "jc": true, "kern": true, "lang": true,
	"noProof": true, "proofErr": true,
	"bookmarkEnd": true, "sectPr": true, "tblPr": true, "tblGrid": true, "tblBorders": true, "shd": true, "bCs": true, "iCs": true,
	"keepNext": true, "keepLines": true, "tabs": true,
	"contextualSpacing": true, "widowControl": true, "latentStyles": true, "pBdr": true, "bdr": true, "rPrChange": true, "pPrChange": true,
	"snapToGrid": true, "tcW": true, "tcBorders": true}

// readXML reads a part; false: it is damaged, or too large, and the beginning was read.
func readXML(ctx context.Context, data []byte) (*node, bool) {
	dec := xml.NewDecoder(bytes.NewReader(data))
	dec.CharsetReader = nil // UTF-8 alone
	root := &node{}
	stack := []*node{root}
	skipped := 0 // open elements that are too deep
	for n := 0; ; n++ {
		if n > mostNodes || n%4096 == 0 && ctx.Err() != nil {
			return root, false
		}
		token, err := dec.RawToken()
		if err != nil {
			return root, len(stack) == 1 && len(root.children) > 0
		}
		switch t := token.(type) {
		case xml.StartElement:
			if len(stack) > mostDepth {
				skipped++
				continue
			}
			e := &node{name: t.Name.Local}
			for _, a := range t.Attr {
				if wanted[a.Name.Local] {
					if e.attrs == nil {
						e.attrs = map[string]string{}
					}
					e.attrs[a.Name.Local] = a.Value
				}
			}
			if top := stack[len(stack)-1]; !unread[e.name] {
				top.children = append(top.children, e)
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
			top := stack[len(stack)-1]
			if skipped == 0 && (top.name == "t" || top.name == "title" || top.name == "subject" || top.name == "keywords" ||
				top.name == "description" || top.name == "delText") {
				top.children = append(top.children, &node{text: string(t)})
			}
		}
	}
}

// firstChild is the first child with a name, or nil. It may be called on nil.
func (n *node) firstChild(name string) *node {
	if n == nil {
		return nil
	}
	for _, c := range n.children {
		if c.name == name {
			return c
		}
	}
	return nil
}

// findBelow is the first element below with a name, in the order of the text.
func (n *node) findBelow(name string) *node {
	if n == nil {
		return nil
	}
	for _, c := range n.children {
		if c.name == name {
			return c
		}
		if f := c.findBelow(name); f != nil {
			return f
		}
	}
	return nil
}

// valueOf is the attribute val of a child, or "".
func (n *node) valueOf(child string) string {
	if c := n.firstChild(child); c != nil {
		return c.attrs["val"]
	}
	return ""
}

// isSwitchedOn reports whether a child is there that switches something on.
func (n *node) isSwitchedOn(child string) bool {
	c := n.firstChild(child)
	if c == nil {
		return false
	}
	v := c.attrs["val"]
	return v != "0" && v != "false" && v != "off" && v != "none"
}

// plainText is all text below.
func (n *node) plainText() string {
	var b strings.Builder
	var add func(*node)
	add = func(n *node) {
		b.WriteString(n.text)
		for _, c := range n.children {
			add(c)
		}
	}
	if n != nil {
		add(n)
	}
	return b.String()
}
