package html

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/atom"
)

// container is an element in which a generator of sites puts the text of a page.
type container struct {
	class, id, role string
	tag             atom.Atom // 0: any
	generator       string    // only in pages that name it; "": in all
}

// containers are those of known generators, the most telling first.
var containers = []container{
	{tag: atom.Article, class: "md-content__inner"},      // Material for MkDocs
	{class: "theme-doc-markdown"},                        // Docusaurus
	{class: "td-content"},                                // Docsy
	{class: "mw-parser-output"},                          // MediaWiki
	{id: "main-content", generator: "rustdoc"},           // rustdoc
	{class: "vp-doc"},                                    // VitePress
	{class: "UnitDoc"},                                   // pkg.go.dev
	{tag: atom.Div, class: "contents", generator: "dox"}, // Doxygen
	{tag: atom.Div, class: "_page"},                      // DevDocs
	{tag: atom.Div, class: "contentContainer"},           // javadoc before 16
	{tag: atom.Article, role: "main"},                    // Sphinx, Furo
	{tag: atom.Div, class: "body", role: "main"},         // Sphinx
	{tag: atom.Div, role: "main"},                        // Sphinx, MkDocs
}

func (c container) fitsContainer(n *node, generator string) bool {
	return (c.tag == 0 || n.tag == c.tag) && (c.class == "" || n.hasClass(c.class)) && (c.id == "" || n.attribute("id") == c.id) &&
		(c.role == "" || n.attribute("role") == c.role) && (c.generator == "" || strings.Contains(strings.ToLower(generator), c.generator))
}

// content is the element that has the text of the page and little else.
func content(root *node, generator string) *node {
	var candidates []*node // that may be the container of a generator
	var mains, articles []*node
	root.walkTree(func(n *node) bool {
		if n.isText() || n.out || n.tag == atom.Pre || n.tag == atom.P {
			return false
		}
		if n.attribute("class") != "" || n.attribute("id") != "" || n.attribute("role") != "" {
			candidates = append(candidates, n)
		}
		switch {
		case n.tag == atom.Main || n.attribute("role") == "main":
			mains = append(mains, n)
		case n.tag == atom.Article:
			articles = append(articles, n)
		}
		return true
	})
	least := proseLength(root) / 5
	for _, c := range containers {
		for _, n := range candidates {
			if c.fitsContainer(n, generator) && proseLength(n) >= least && proseLength(n) > 0 {
				return n
			}
		}
	}
	if n := largest(mains); n != nil && proseLength(n) >= least && proseLength(n) > 0 {
		a := largest(articles)
		if a != nil && inside(a, n) && 10*proseLength(a) >= 7*proseLength(n) && !leavesSections(a, n) {
			return a
		}
		return n
	}
	if n := largest(articles); n != nil && 10*proseLength(n) >= 6*proseLength(root) && proseLength(n) > 0 {
		if n.parent != nil && hasSections(n.parent, n, atom.Article) {
			return n.parent
		}
		return n
	}
	return densest(root)
}

// leavesSections reports whether the choice of an element leaves out sections of those
// around it, up to outer.
func leavesSections(n, outer *node) bool {
	for ; n != outer && n.parent != nil; n = n.parent {
		if hasSections(n.parent, n) {
			return true
		}
	}
	return false
}

// hasSections reports whether an element has children other than one, of some tags or of
// any, that are sections of the page: they have a heading and text, and are not named as
// parts of a site.
func hasSections(n, except *node, tags ...atom.Atom) bool {
	for c := range n.elements() {
		if c == except || c.out || c.size == 0 || len(tags) > 0 && !c.isTag(tags...) || namedSitePart(c) {
			continue
		}
		h := c.head
		if headingLevel(c) > 0 {
			h = c
		}
		if h == nil || h.size == 0 || c.density() > 0.5 && c != h || kicker(c, except) {
			continue
		}
		// Of two headings of the first level the page's is that of the text.
		if headingLevel(h) == 1 && before(c, except) && except.h1 {
			continue
		}
		return true
	}
	return false
}

// namedSitePart reports whether an element is named as one of those around a text, by its class
// or its id.
func namedSitePart(n *node) bool {
	for _, name := range [...]string{n.attribute("class"), n.attribute("id")} {
		if clutterWord(name, true) {
			return true
		}
	}
	return n.isTag(atom.Aside, atom.Header, atom.Footer) || n.attribute("role") == "complementary"
}

// proseLength is how much text of an element is outside of links; a tenth of the text in links
// counts, since a page that lists others is a page too.
func proseLength(n *node) int { return n.size - n.linked + n.linked/10 }

func largest(nodes []*node) *node {
	var best *node
	for _, n := range nodes {
		if best == nil || proseLength(n) > proseLength(best) {
			best = n
		}
	}
	return best
}

func inside(n, outer *node) bool {
	for ; n != nil; n = n.parent {
		if n == outer {
			return true
		}
	}
	return false
}

// densest goes down from the body while one element holds nearly all of the text. It gives
// the first on that way next to which another has a heading: a page whose longest section
// is nine tenths of it is still the whole page, with its title and introduction. Menus on
// the rest of the way are the site's.
func densest(n *node) *node {
	var whole *node
	for {
		var best *node
		for c := range n.elements() {
			if !c.out && (best == nil || proseLength(c) > proseLength(best)) {
				best = c
			}
		}
		if best == nil || !divides(best) || 10*proseLength(best) < 9*proseLength(n) {
			if whole == nil {
				whole = n
			}
			return whole
		}
		if whole == nil && hasSections(n, best) {
			whole = n
		}
		if whole != nil {
			for c := range n.elements() {
				c.out = c.out || c != best && (isMenu(c) || kicker(c, best))
			}
		}
		n = best
	}
}

// isMenu reports whether an element is a list of links without a heading.
func isMenu(n *node) bool {
	return n.head == nil && headingLevel(n) == 0 && n.links >= 5 && n.density() > 0.5
}

// kicker reports whether an element is a small heading above the heading of the text, such
// as "Enumeration" above the name of one.
func kicker(n, of *node) bool {
	h := n.head
	if headingLevel(n) > 0 {
		h = n
	}
	return h != nil && h.size == n.size && of.head != nil && before(n, of) && headingLevel(h) > 1 && headingLevel(of.head) == 1
}

// divides reports whether an element only groups others.
func divides(n *node) bool {
	return n.name != "" || n.isTag(atom.Html, atom.Body, atom.Div, atom.Section, atom.Article, atom.Main, atom.Center, atom.Table,
		atom.Tbody, atom.Tr, atom.Td, atom.Font, atom.Span, atom.Form)
}

// heading finds the heading of the page: in its content, or above it. title is the
// text of <title>.
func heading(root, main *node, title string) (h *node, text string) {
	first := func(in *node, fits func(*node) bool) *node {
		var found *node
		in.walkTree(func(n *node) bool {
			if found == nil && !n.out && !n.isText() && n.size > 0 && fits(n) {
				found = n
			}
			return found == nil && !n.out
		})
		return found
	}
	h1 := func(n *node) bool { return n.tag == atom.H1 }
	// Doxygen writes <div class="headertitle"><div class="title">.
	titled := func(n *node) bool {
		return n.hasClass("title") && n.parent != nil && n.parent.hasClass("headertitle", "header")
	}
	if h = first(main, h1); h == nil {
		if h = first(main, titled); h != nil {
			h.tag = atom.H1 // it is written as what it is
		}
	}
	if h == nil {
		named := func(n *node) bool { return n.tag == atom.H1 || titled(n) }
		// Of several, the last above the text is the page's: the first is the site's.
		root.walkTree(func(n *node) bool {
			if n == main || n.out && n.tag != atom.Header {
				return false
			}
			if !n.isText() && n.firstWords(utf8.UTFMax) != "" && named(n) && before(n, main) {
				h = n
			}
			return true
		})
	}
	if h == nil { // the first heading of any level, where <title> begins with it
		h = first(main, func(n *node) bool { return headingLevel(n) > 0 })
		if h != nil && !strings.HasPrefix(strings.ToLower(title), strings.ToLower(h.firstWords(500))) {
			h = nil
		}
	}
	if h == nil {
		return nil, ""
	}
	return h, strings.TrimSpace(h.firstWords(500))
}

// before reports whether a node stands before another one in the source.
func before(a, b *node) bool { return a.line < b.line || a.line == b.line && !inside(a, b) }
