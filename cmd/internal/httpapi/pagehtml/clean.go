package pagehtml

import (
	"bytes"
	"html"
	"net/url"
	"strings"
	"sync"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	render "github.com/yuin/goldmark/renderer/html"
	nethtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"docent/pipeline/knowledge/graph"
	"docent/pipeline/text/pattern"
)

// tools are the parser and the policy, made at the first use: together they take 2 ms,
// which no other command should wait for. Both are safe for concurrent use.
var tools = sync.OnceValues(func() (goldmark.Markdown, *bluemonday.Policy) {
	md := goldmark.New(goldmark.WithExtensions(extension.Linkify, extension.Strikethrough, extension.TaskList, extension.DefinitionList,
		extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))),
		goldmark.WithParserOptions(parser.WithHeadingAttribute()),
		goldmark.WithRendererOptions(render.WithUnsafe())) // the policy removes unsafe elements
	return md, allowedElements()
})

// allowedElements are the allowed elements of a page: text and its structure, tables, links.
func allowedElements() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("h1", "h2", "h3", "h4", "h5", "h6", "p", "br", "hr", "div", "span", "blockquote", "pre", "code", "kbd", "samp", "var",
		"b", "strong", "i", "em", "u", "s", "del", "ins", "mark", "small", "sub", "sup", "q", "cite", "abbr", "dfn",
		"ul", "ol", "li", "dl", "dt", "dd", "table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td", "details", "summary",
		"figure", "figcaption")
	p.AllowAttrs("start").Matching(bluemonday.Integer).OnElements("ol")
	p.AllowAttrs("colspan", "rowspan").Matching(bluemonday.Integer).OnElements("th", "td")
	p.AllowAttrs("align").Matching(bluemonday.CellAlign).OnElements("th", "td")
	p.AllowAttrs("open").Matching(bluemonday.Paragraph).OnElements("details")
	p.AllowAttrs("href").OnElements("a")
	p.AllowURLSchemes("http", "https", "mailto")
	p.AllowRelativeURLs(true) // links to other pages begin with #
	p.RequireParseableURLs(true)
	p.RequireNoFollowOnLinks(true)
	p.RequireNoReferrerOnLinks(true)
	p.AddTargetBlankToFullyQualifiedLinks(true) // with rel=noopener
	return p
}

// markdownAsHTML is a piece as HTML. A piece that cannot be parsed is text.
func (c *Cut) markdownAsHTML(q piece) string {
	md, policy := tools()
	source := c.sourceOfPiece(q)
	var b bytes.Buffer
	if err := md.Convert([]byte(source), &b); err != nil {
		return "<pre class=\"plain\">\n" + html.EscapeString(source) + "</pre>\n"
	}
	// Parsed and written again, every element is closed: none can reach beyond its piece.
	nodes, err := nethtml.ParseFragment(&b, &nethtml.Node{Type: nethtml.ElementNode, Data: "div", DataAtom: atom.Div})
	if err != nil {
		return "<pre class=\"plain\">\n" + html.EscapeString(source) + "</pre>\n"
	}
	root := &nethtml.Node{Type: nethtml.ElementNode, Data: "div", DataAtom: atom.Div}
	for _, n := range nodes {
		root.AppendChild(n)
	}
	nameNotes(root)
	c.replaceUnsafe(root)
	var out bytes.Buffer
	for n := root.FirstChild; n != nil; n = n.NextSibling {
		if err := nethtml.Render(&out, n); err != nil {
			return "<pre class=\"plain\">\n" + html.EscapeString(source) + "</pre>\n"
		}
	}
	return policy.Sanitize(out.String())
}

// noteKind is the first line of a quote that GitHub shows as a note, a warning and so on. Formats
// that are converted have their notes in this form too.
var noteKind = pattern.Lazy(`^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\n|$)`)

// nameNotes writes the kind of a note as a word, as the app does: "Note:" in place of "[!NOTE]".
func nameNotes(root *nethtml.Node) {
	for n := range root.Descendants() {
		if n.DataAtom != atom.Blockquote {
			continue
		}
		p := n.FirstChild
		for p != nil && p.Type == nethtml.TextNode && strings.TrimSpace(p.Data) == "" {
			p = p.NextSibling
		}
		if p == nil || p.DataAtom != atom.P || p.FirstChild == nil || p.FirstChild.Type != nethtml.TextNode {
			continue
		}
		first := p.FirstChild
		m := noteKind().FindStringSubmatch(first.Data)
		if m == nil {
			continue
		}
		replaceByText(first, "strong", m[1][:1]+strings.ToLower(m[1][1:])+":")
		first.Data = " " + first.Data[len(m[0]):]
	}
}

// replaceUnsafe puts words in place of pictures and boxes, and addresses of the dashboard in
// place of links between pages.
func (c *Cut) replaceUnsafe(root *nethtml.Node) {
	var drop []*nethtml.Node
	for n := range root.Descendants() {
		if n.Type != nethtml.ElementNode {
			continue
		}
		switch n.DataAtom {
		case atom.Img:
			replaceByText(n, "em", wordsForPicture(n))
			drop = append(drop, n)
		case atom.Input:
			box := "☐ "
			if hasAttribute(n, "checked") {
				box = "☑ "
			}
			if attribute(n, "type") == "checkbox" {
				replaceByText(n, "span", box)
			}
			drop = append(drop, n)
		case atom.A:
			c.rewriteLink(n)
		}
	}
	for _, n := range drop {
		n.Parent.RemoveChild(n)
	}
}

// replaceByText puts an element with a text before a node.
func replaceByText(n *nethtml.Node, element, text string) {
	e := &nethtml.Node{Type: nethtml.ElementNode, Data: element, DataAtom: atom.Lookup([]byte(element))}
	e.AppendChild(&nethtml.Node{Type: nethtml.TextNode, Data: text})
	n.Parent.InsertBefore(e, n)
}

// wordsForPicture are the words for a picture.
func wordsForPicture(n *nethtml.Node) string {
	if alt := strings.TrimSpace(attribute(n, "alt")); alt != "" {
		return "[picture: " + alt + "]"
	}
	return "[picture]"
}

// rewriteLink gives a link its address. A link without one stays as text.
func (c *Cut) rewriteLink(n *nethtml.Node) {
	target := strings.TrimSpace(attribute(n, "href"))
	to := ""
	switch {
	case target == "":
	case strings.HasPrefix(strings.ToLower(target), "mailto:"):
		to = target
	case c.page.Link != nil:
		to = c.page.Link(target)
	default:
		to = graph.WebURL(target)
	}
	n.Attr = nil
	if to != "" {
		n.Attr = []nethtml.Attribute{{Key: "href", Val: to}}
	}
}

func attribute(n *nethtml.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func hasAttribute(n *nethtml.Node, name string) bool {
	for _, a := range n.Attr {
		if a.Key == name {
			return true
		}
	}
	return false
}

// address is the place of a page in the dashboard: a fragment of its address.
func address(docSet, path, anchor string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		parts[i] = url.PathEscape(p)
	}
	to := "#/read/" + url.PathEscape(docSet) + "/" + strings.Join(parts, "/")
	if anchor != "" {
		to += "?at=" + url.QueryEscape(anchor)
	}
	return to
}

// Linker gives the addresses of a page's links: of other pages of its doc set in the
// dashboard, of the web as they are.
func Linker(list *graph.List, docSet, path, pageURL string) func(target string) string {
	return func(target string) string {
		if anchor, ok := strings.CutPrefix(target, "#"); ok {
			return address(docSet, path, graph.Unescape(anchor))
		}
		to := list.Resolve(path, pageURL, target)
		if to.Found {
			return address(docSet, to.Ref.Path, to.Anchor)
		}
		return to.URL
	}
}
