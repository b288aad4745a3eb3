package html

import (
	"strings"

	"golang.org/x/net/html/atom"

	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/spacing"
)

// maxMarks is how deep emphasis nests; the words of deeper ones stay.
const maxMarks = 2

// phrase is an inline that keeps the source's ends of lines.
type phrase struct {
	text  string
	line  int  // of the source, on which it begins
	moved bool // it has ends of lines that the source has not
}

// inline is the inline of some nodes that follow each other.
func inline(nodes []*node) phrase {
	w := words{c: collapser{lines: true}}
	for _, n := range nodes {
		w.writeNode(n)
	}
	return phrase{w.c.b.String(), w.c.first, w.c.moved}
}

// inlineOf is the inline of an element's content, on one line.
func inlineOf(n *node) (text string, line int) {
	w := words{}
	w.inside(n)
	return w.c.b.String(), w.c.first
}

// headingOf is the inline of a heading: without links, which lead to itself or to what
// it names.
func headingOf(n *node) (text string, line int) {
	w := words{link: true}
	w.inside(n)
	return w.c.b.String(), w.c.first
}

// words writes an inline.
type words struct {
	c     collapser
	marks int // open emphasis and links
	link  bool
}

func (w *words) inside(n *node) {
	for c := range n.children() {
		w.writeNode(c)
	}
}

func (w *words) writeNode(n *node) {
	if n.out {
		return
	}
	if n.isText() {
		w.c.writeText(build.TextInline(n.text), n.line)
		return
	}
	switch n.tag {
	case atom.Br:
		w.lineBreak(n)
	case atom.Img:
		w.writeImage(n)
	case atom.Input:
		if n.attribute("type") == "checkbox" && n.parent != nil && n.parent.isTag(atom.Li, atom.Label, atom.P) {
			box := "[ ]"
			if n.hasAttribute("checked") {
				box = "[x]"
			}
			w.c.writeWord(build.TextInline(box), n.line)
			w.c.pendBlank(' ')
		}
	case atom.B, atom.Strong:
		w.around(n, build.Strong)
	case atom.I, atom.Em, atom.Var, atom.Cite, atom.Dfn:
		w.around(n, build.Emphasis)
	case atom.Code, atom.Tt, atom.Samp, atom.Kbd:
		w.writeCode(n)
	case atom.A:
		w.anchor(n)
	case atom.Math:
		w.writeMath(n)
	case atom.Q:
		w.c.writeWord("“", n.line)
		w.inside(n)
		w.c.joined("”")
	case atom.Sup:
		w.writeSuperscript(n)
	case atom.Rt:
		w.c.joined("(")
		w.inside(n)
		w.c.joined(")")
	case atom.Wbr, atom.Hr:
	case atom.Pre:
		w.c.writeWord(build.CodeInline(n.firstWords(4000)), n.line)
	default:
		if n.tag == atom.Span && n.hasClass("math") {
			w.c.writeWord(build.CodeInline(formula(n.firstWords(4000))), n.line)
			return
		}
		if isBlock(n) {
			w.c.pendBlank(' ')
			w.inside(n)
			w.c.pendBlank(' ')
			return
		}
		w.inside(n)
	}
}

// lineBreak ends a line; one at the beginning or end of a text is nothing.
func (w *words) lineBreak(n *node) {
	if w.marks > 0 || !w.c.lines {
		w.c.pendBlank(' ')
		return
	}
	w.c.breaks()
}

func (w *words) writeImage(n *node) {
	alt := spacing.Single(n.attribute("alt"))
	src := n.attribute("src")
	switch {
	case alt == "":
	case w.link || src == "" || strings.HasPrefix(src, "data:"):
		w.c.writeWord(build.TextInline(alt), n.line)
	default:
		w.c.writeWord(build.ImageInline(alt, src), n.line)
	}
}

// around writes an element's content between marks. Blanks at its ends stand outside of
// them.
func (w *words) around(n *node, mark func(string) string) {
	if w.marks >= maxMarks || n.blocks {
		w.inside(n)
		return
	}
	in := words{c: collapser{lines: w.c.lines, at: w.c.at}, marks: w.marks + 1, link: w.link}
	in.inside(n)
	w.takeInline(&in, mark(in.c.b.String()))
}

// takeInline writes what an inner inline became, with the blanks that were at its ends.
func (w *words) takeInline(in *words, text string) {
	if in.c.led {
		w.c.pendBlank(' ')
	}
	if text != "" {
		w.c.writeWord(text, in.c.first)
		w.c.at, w.c.moved = in.c.at, w.c.moved || in.c.moved
	}
	if in.c.pending {
		w.c.pendBlank(' ')
	}
}

// writeCode writes an element as inline code; one that is a link as a whole is a link.
func (w *words) writeCode(n *node) {
	text := n.firstWords(4000)
	if text == "" {
		return
	}
	span := build.CodeInline(text)
	if w.link || n.links != 1 || n.linked*10 < n.size*9 {
		w.c.writeWord(span, n.line)
		return
	}
	if a := n.findFirst(func(c *node) bool { return c.tag == atom.A && !c.out && c.attribute("href") != "" }); a != nil {
		span = build.LinkInline(span, target(a))
	}
	w.c.writeWord(span, n.line)
}

func (w *words) anchor(n *node) {
	to := target(n)
	if to == "" || w.link {
		w.inside(n)
		return
	}
	in := words{c: collapser{lines: w.c.lines, at: w.c.at}, marks: w.marks + 1, link: true}
	in.inside(n)
	text := in.c.b.String()
	if strings.TrimSpace(text) != "" {
		text = build.LinkInline(text, to)
	}
	w.takeInline(&in, text)
}

// target is where a link leads, "" for one that leads nowhere.
func target(n *node) string {
	to := strings.TrimSpace(n.attribute("href"))
	scheme, _, _ := strings.Cut(strings.ToLower(to), ":")
	if scheme == "javascript" || scheme == "data" || scheme == "vbscript" || to == "#" {
		return ""
	}
	return to
}

// writeMath writes a formula: as TeX where the page has that.
func (w *words) writeMath(n *node) {
	tex := n.attribute("alttext")
	if tex == "" {
		if a := n.findFirst(func(c *node) bool {
			return (c.tag == atom.Annotation || c.name == "annotation") && strings.Contains(c.attribute("encoding"), "tex")
		}); a != nil {
			tex = a.firstWords(4000)
		}
	}
	if tex == "" {
		tex = n.firstWords(4000)
	}
	if tex != "" {
		w.c.writeWord(build.CodeInline(tex), n.line)
	}
}

// formula is TeX without the marks by which scripts find it.
func formula(tex string) string {
	for _, marks := range [...][2]string{{`\(`, `\)`}, {`\[`, `\]`}, {"$$", "$$"}, {"$", "$"}} {
		if in, ok := strings.CutPrefix(tex, marks[0]); ok && strings.HasSuffix(in, marks[1]) {
			return strings.TrimSpace(strings.TrimSuffix(in, marks[1]))
		}
	}
	return tex
}

// writeSuperscript writes superscript: an exponent gets a "^".
func (w *words) writeSuperscript(n *node) {
	text := n.firstWords(20)
	number := text != "" && strings.Trim(text, "0123456789-+−") == ""
	if s := w.c.b.String(); number && n.links == 0 && !w.c.pending && s != "" && s[len(s)-1] >= '0' && s[len(s)-1] <= '9' {
		w.c.joined("^")
	}
	w.inside(n)
}
