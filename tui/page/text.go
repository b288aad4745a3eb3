package page

import (
	"html"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// markdownParser is what glamour's renderer expects: GFM and definition lists. A
// heading's attributes, {#anchor} behind it, are no text. It is made on first use
// and safe for concurrent use.
var markdownParser = sync.OnceValue(func() parser.Parser {
	return goldmark.New(goldmark.WithExtensions(extension.GFM, extension.DefinitionList),
		goldmark.WithParserOptions(parser.WithHeadingAttribute())).Parser()
})

func parseMarkdown(source []byte) ast.Node {
	root := markdownParser().Parse(text.NewReader(source))
	joinTexts(root, source)
	return root
}

// joinTexts makes one text of those that follow each other in emphasis. The parser cuts a text at each sign that
// could begin markup, and glamour writes the marks of emphasis around each part: *oil_**kind*.
func joinTexts(root ast.Node, source []byte) {
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if n.Kind() != ast.KindEmphasis || !entering {
			return ast.WalkContinue, nil
		}
		for c := n.FirstChild(); c != nil; {
			next := c.NextSibling()
			if t, ok := c.(*ast.Text); ok && next != nil && t.Merge(next, source) {
				n.RemoveChild(n, next)
				continue
			}
			c = next
		}
		return ast.WalkContinue, nil
	})
}

func segmentText(from, to int) text.Segment { return text.NewSegment(from, to) }

// plainText is the text of a piece without markup, for searching. Each block begins on
// a new line.
func (p *Prepared) plainText(i int) string {
	if !p.pieces[i].markdown {
		return strings.Join(p.rawLines(i, maxWide), "\n")
	}
	source := []byte(p.markdownOf(i))
	var b strings.Builder
	b.Grow(len(source))
	root := parseMarkdown(source)
	source = nameNotes(root, source)
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			switch n := n.(type) {
			case *ast.Link:
				if t := string(n.Destination); showsTarget(t) {
					b.WriteString(" " + t)
				}
			default:
				switch {
				case n.Kind().String() == "TableCell":
					b.WriteByte(' ')
				case n.Type() == ast.TypeBlock:
					b.WriteByte('\n')
				}
			}
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			b.WriteString(html.UnescapeString(unescapeText(string(n.Value(source)))))
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(n.Value)
		case *ast.AutoLink:
			b.Write(n.URL(source))
		case *ast.CodeSpan:
			for c := n.FirstChild(); c != nil; c = c.NextSibling() {
				if t, ok := c.(*ast.Text); ok {
					b.Write(t.Value(source))
				}
			}
			return ast.WalkSkipChildren, nil
		case *ast.FencedCodeBlock, *ast.CodeBlock, *ast.HTMLBlock:
			lines := n.Lines()
			for k := range lines.Len() {
				at := lines.At(k)
				b.Write(at.Value(source))
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// unescapeText removes the backslashes before escaped punctuation.
func unescapeText(s string) string {
	if !strings.Contains(s, "\\") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("\\`*_{}[]<>()#+-.!|", s[i+1]) >= 0 {
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
