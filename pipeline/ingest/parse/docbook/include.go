package docbook

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/pattern"
)

// Bounds of what a page takes from other files.
const (
	mostTaken   = 200_000 // elements
	mostInside  = 8       // inclusions in each other
	mostOfText  = 256 << 10
	mostInclude = 2000 // inclusions of a page
)

var pointedID = pattern.Lazy(`^(?:element\()?([\w.-]+)(/\d+)*\)?$|(?:id\(\s*|@(?:xml:)?id\s*=\s*)["']([^"']+)["']`)

// takeIncludes puts what XInclude takes from the doc set in its place, below a node. The content of
// an element becomes the content of the one around: with it may come the title of a section.
func (p *page) takeIncludes(n *node, file string, at, depth int) {
	kids := make([]*node, 0, len(n.kids))
	for _, k := range n.kids {
		if k.name == "include" && k.attribute("href")+k.attribute("xpointer") != "" {
			line := k.line
			if at > 0 {
				line = at
			}
			if taken := p.included(k, file, line, depth); taken.name == "included" {
				kids = append(kids, taken.kids...)
			} else {
				kids = append(kids, taken)
			}
			continue
		}
		p.takeIncludes(k, file, at, depth)
		kids = append(kids, k)
	}
	n.kids = kids
}

// included is the content in the place of an inclusion.
func (p *page) included(k *node, file string, line, depth int) *node {
	href := k.attribute("href")
	target := path.Join(path.Dir(file), href)
	src, err := []byte(nil), error(nil)
	switch {
	case href == "" || strings.Contains(href, "://"):
		return &node{name: "phrase", line: line}
	case p.opt.Open == nil:
		err = errors.New("the page is read without its doc set")
	case depth >= mostInside || p.left <= 0:
		err = errors.New("too much is taken in")
	default:
		src, err = p.opt.Open(target)
	}
	if err != nil {
		if p.opt.Open != nil {
			if errors.Is(err, fs.ErrNotExist) {
				err = errors.New("the doc set has no such file")
			}
			p.w.Warn("line %d: %s is not taken in: %v", line, href, err)
		}
		if back := k.child("fallback"); back != nil {
			back.name = "phrase"
			return back
		}
		return &node{name: "para", line: line, kids: []*node{{text: "[" + href + "]", line: line}}}
	}
	p.left -= mostTaken / mostInclude
	if k.attribute("parse") == "text" {
		text, _ := toUTF8(src[:min(len(src), mostOfText)])
		return &node{text: string(text), line: line, fixed: true}
	}
	return p.includedTree(k, src, target, line, depth)
}

// includedTree is the part of another file that an inclusion names; of a page of its own,
// taken whole, a link.
func (p *page) includedTree(k *node, src []byte, target string, line, depth int) *node {
	root, _ := readTree(src, target, p.opt)
	point := k.attribute("xpointer")
	if point == "" && looksLikeDocBook(src[:min(len(src), 4096)]) {
		for _, r := range root.kids {
			if isDivision[r.name] {
				link := &node{name: "ulink", line: line, fixed: true, attrs: attribute("url", build.RelativePath(p.opt.Path, target)),
					kids: []*node{{text: titleOf(r), line: line, fixed: true}}}
				return &node{name: "para", line: line, fixed: true, kids: []*node{link}}
			}
		}
	}
	whole := &node{name: "included", line: line, fixed: true, kids: root.kids}
	if m := pointedID().FindStringSubmatch(point); m != nil {
		if found := findID(root, m[1]+m[3]); found != nil {
			if strings.HasSuffix(point, "/*)") {
				whole.kids = found.kids
			} else {
				whole = found
			}
		} else {
			p.w.Warn("line %d: %s has no element %q", line, target, m[1]+m[3])
		}
	}
	p.takeIncludes(whole, target, line, depth+1)
	p.fixLines(whole, line, target)
	return whole
}

// fixLines says of taken elements that they stand where they are taken in.
func (p *page) fixLines(n *node, line int, file string) {
	if p.left--; p.left < 0 {
		n.kids = nil
	}
	n.line, n.fixed = line, true
	if n.from == "" {
		n.from = file
	}
	for _, k := range n.kids {
		p.fixLines(k, line, file)
	}
}

func findID(n *node, id string) *node {
	if n.id() == id {
		return n
	}
	for _, k := range n.kids {
		if found := findID(k, id); found != nil {
			return found
		}
	}
	return nil
}
