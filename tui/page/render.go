package page

import (
	"strconv"
	"strings"
	"sync"

	"charm.land/glamour/v2/ansi"
	"charm.land/glamour/v2/styles"
	xansi "github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"

	"docent/pipeline/text/sanitize"
	"docent/tui/style"
	"docent/tui/widget"
)

// maxWide bounds the columns of a table or a line of code that is not wrapped at
// the window's width. Wider ones are wrapped at maxWide.
const maxWide = 400

// Renderer makes lines from Markdown. glamour's renderer is made on first use
// (its styles and the highlighter's lexers take some milliseconds) and is not
// safe for concurrent use, hence the lock. The zero Renderer is ready.
//
// glamour's own TermRenderer is not used because links are changed between parsing
// and rendering. glamour prints each link's target behind its text and makes
// relative targets absolute ("/configuration.md"), which lead nowhere in a
// terminal.
type Renderer struct {
	mu    sync.Mutex
	kind  style.Kind
	terms map[int]renderer.Renderer // by width
}

// mostTerms bounds the widths that a renderer keeps: those of nested lists.
const mostTerms = 32

// termRenderer is glamour's renderer for a width, made once.
func (r *Renderer) termRenderer(width int, kind style.Kind) renderer.Renderer {
	if r.kind != kind || r.terms == nil || len(r.terms) > mostTerms {
		r.kind, r.terms = kind, map[int]renderer.Renderer{}
	}
	t := r.terms[width]
	if t == nil {
		t = newTermRenderer(width, kind, false)
		r.terms[width] = t
	}
	return t
}

// renderPiece renders one piece of a page, to its source text where that fails.
func (r *Renderer) renderPiece(p *Prepared, i, width int, kind style.Kind, wide bool) rendering {
	out, err := r.renderMarkdown(p.markdownOf(i), width, kind, wide)
	if err != nil {
		return rendering{lines: p.rawLines(i, width)}
	}
	if p.pieces[i].gap {
		out.lines, out.wide = append(out.lines, ""), append(out.wide, false)
	}
	return out
}

// newTermRenderer is glamour's renderer for a width. inline leaves links in tables where
// they are, instead of listing them below.
func newTermRenderer(width int, kind style.Kind, inline bool) renderer.Renderer {
	r := ansi.NewRenderer(ansi.Options{WordWrap: width, Styles: styleConfig(kind), ChromaFormatter: "terminal16m",
		InlineTableLinks: inline})
	return renderer.NewRenderer(renderer.WithNodeRenderers(util.Prioritized(r, 1000)))
}

// Lines renders cleaned Markdown as it is rendered in a window.
func (r *Renderer) Lines(text string, width int, kind style.Kind) ([]string, error) {
	out, err := r.renderMarkdown(text, width, kind, false)
	return out.lines, err
}

// renderMarkdown renders cleaned Markdown into lines of at most width columns. With wide,
// tables and code are not wrapped. Each line ends its own styles.
func (r *Renderer) renderMarkdown(text string, width int, kind style.Kind, wide bool) (rendering, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	source := []byte(text)
	root := parseMarkdown(source)
	source, targets := markLinks(root, nameNotes(root, source))
	source = markDashes(root, nameLanguages(root, source))
	d := drawing{renderer: r, kind: kind, wide: wide, source: source}
	out, blocks, err := d.drawTree(root, width)
	if err != nil {
		return rendering{}, err
	}
	lines, links, own := finishLines(out, blocks, targets, width, kind)
	lines = widget.CarryStyles(lines)
	lines, lead := trimBlank(lines)
	own = own[lead : lead+len(lines)]
	for i := range links {
		links[i].Line = min(max(0, links[i].Line-lead), max(0, len(lines)-1))
	}
	return rendering{lines: lines, links: links, wide: own}, nil
}

// A link is found again in the renderer's output by a control sequence before its
// text: OSC, this word, a number, BEL. No document can contain the sequence, since
// its text was cleaned.
const linkMark = "\x1b]docent-link;"

// labelPrefix begins a reference to a label of another page (see package rst). It is no
// address that a person could use.
const labelPrefix = "label:"

// showsTarget reports whether a link's target is written behind its text.
func showsTarget(target string) bool {
	return !isRelative(target) && !strings.HasPrefix(target, labelPrefix)
}

// saysTarget reports whether a link's text is its address, with or without the scheme: behind
// it the address would stand a second time.
func saysTarget(n *ast.Link, source []byte) bool {
	var text strings.Builder
	_ = ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) {
		switch c := c.(type) {
		case *ast.Text:
			if entering {
				text.Write(c.Value(source))
			}
		case *ast.String:
			if entering {
				text.Write(c.Value)
			}
		}
		return ast.WalkContinue, nil
	})
	said, target := strings.TrimSuffix(text.String(), "/"), strings.TrimSuffix(string(n.Destination), "/")
	for _, scheme := range []string{"", "https://", "http://", "mailto:"} {
		if said != "" && target == scheme+said {
			return true
		}
	}
	return false
}

// markLinks puts a mark before each link's text and gives the links' targets. A
// mark is a text node, and a text node is a part of the source, so the marks are
// appended to the source that is returned. Relative links and those whose text is their
// address get an empty target, which glamour does not print.
func markLinks(root ast.Node, source []byte) ([]byte, []string) {
	var links []ast.Node
	var targets []string
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			links, targets = append(links, n), append(targets, string(n.Destination))
			if !showsTarget(string(n.Destination)) || saysTarget(n, source) {
				n.Destination = []byte("#")
			}
		case *ast.AutoLink:
			if n.AutoLinkType == ast.AutoLinkURL {
				links, targets = append(links, n), append(targets, string(n.URL(source)))
			}
		}
		return ast.WalkContinue, nil
	})
	for i, n := range links {
		from := len(source)
		source = append(source, linkMark+strconv.Itoa(i)+"\a"...)
		mark := ast.NewTextSegment(segmentText(from, len(source)))
		n.Parent().InsertBefore(n.Parent(), n, mark)
	}
	return source, targets
}

// dropTargets removes the targets of a table's links, which would make its columns
// wide. A link that is followed shows its target.
func dropTargets(t *extast.Table) {
	_ = ast.Walk(t, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if l, ok := n.(*ast.Link); ok && entering {
			l.Destination = []byte("#")
		}
		return ast.WalkContinue, nil
	})
}

// nestingDepth is the number of list items and quotes that a block stands in.
func nestingDepth(n ast.Node) int {
	depth := 0
	for p := n.Parent(); p != nil; p = p.Parent() {
		switch p.(type) {
		case *ast.ListItem, *ast.Blockquote:
			depth++
		}
	}
	return depth
}

func codeWidth(n ast.Node, source []byte) int {
	w := 0
	for i := range n.Lines().Len() {
		at := n.Lines().At(i)
		w = max(w, widget.Width(strings.TrimRight(string(at.Value(source)), "\r\n")))
	}
	return w
}

// finishLines makes lines of glamour's output: it replaces placeholders by their blocks,
// removes the marks of links and all control sequences but styles, and wraps lines
// that are too long. own says which lines are not wrapped at the window's width.
func finishLines(out string, blocks []block, targets []string, width int, kind style.Kind) (lines []string, links []Link, own []bool) {
	for _, l := range strings.Split(out, "\n") {
		l, wide, first := takeBlock(l, blocks)
		l = strings.ReplaceAll(l, dashMark, "-")
		limit := width
		if wide {
			limit = maxWide
		}
		if first { // exactly one empty line before a block
			for n := len(lines); n > 0 && isBlankLine(lines[n-1]); n-- {
				lines, own = lines[:n-1], own[:n-1]
			}
			lines, own = append(lines, ""), append(own, false)
		}
		before := len(links)
		for {
			i := strings.Index(l, linkMark)
			if i < 0 {
				break
			}
			rest := l[i+len(linkMark):]
			number, tail, ok := strings.Cut(rest, "\a")
			if n, err := strconv.Atoi(number); ok && err == nil && n < len(targets) {
				links = append(links, Link{Line: len(lines), Col: widget.Width(sanitize.KeepStyles(l[:i], false)), Target: targets[n]})
				l = l[:i] + tail
				continue
			}
			l = l[:i] + rest
		}
		l = sanitize.KeepStyles(l, kind != style.NoColor)
		// Padding to the full width is the frame's work.
		l = trimRight(l)
		for k := before; k < len(links); k++ {
			if at := &links[k]; at.Col >= widget.Width(l) && at.Col > 0 { // its text was wrapped to the next line
				at.Line, at.Col = at.Line+1, 0
			} else if at.Col >= limit {
				at.Line, at.Col = at.Line+at.Col/limit, at.Col%limit
			}
		}
		if head, rest, ok := widget.BreakBeforeWord(l, limit); ok && !wide {
			lines, own = append(lines, head), append(own, false)
			l = rest
		}
		for _, part := range widget.BreakHard(l, limit) {
			lines, own = append(lines, part), append(own, wide)
		}
	}
	return lines, links, own
}

// tableWidth is the width of a table without a wrapped cell. glamour stretches or
// squeezes every table to a given width.
func tableWidth(t *extast.Table, source []byte) int {
	var cols []int
	for row := t.FirstChild(); row != nil; row = row.NextSibling() {
		i := 0
		for c := row.FirstChild(); c != nil; c = c.NextSibling() {
			if i == len(cols) {
				cols = append(cols, 0)
			}
			cols[i] = max(cols[i], cellWidth(c, source))
			i++
		}
	}
	sum := max(0, len(cols)-1) // lines between the columns
	for _, w := range cols {
		sum += w + 2 // a space at both sides
	}
	return sum
}

// cellWidth is the columns of a cell's text.
func cellWidth(cell ast.Node, source []byte) int {
	n := 0
	_ = ast.Walk(cell, func(c ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch c := c.(type) {
		case *ast.Text:
			if s := string(c.Value(source)); !strings.HasPrefix(s, linkMark) {
				n += widget.Width(s)
			}
		case *ast.AutoLink:
			n += widget.Width(string(c.URL(source)))
		case *ast.Image:
			n += len("Image:  → ") + widget.Width(string(c.Destination))
		case *ast.CodeSpan, *ast.Emphasis:
			n += 4 // marks, where there are no colours
		}
		return ast.WalkContinue, nil
	})
	return n
}

// isRelative reports whether a target names no scheme and no host.
func isRelative(target string) bool {
	if target == "" || strings.HasPrefix(target, "//") {
		return false
	}
	i := strings.IndexAny(target, ":/?#")
	return i < 0 || target[i] != ':'
}

// trimRight cuts the spaces that glamour pads a line with, styled or not.
func trimRight(l string) string {
	plain := xansi.Strip(l)
	short := strings.TrimRight(plain, " ")
	if len(short) == len(plain) {
		return l
	}
	return widget.CutTail(l, widget.Width(short), "")
}

// trimBlank removes the blank lines at both ends, and says how many it removed at
// the beginning.
func trimBlank(lines []string) (out []string, lead int) {
	for lead < len(lines) && isBlankLine(lines[lead]) {
		lead++
	}
	lines = lines[lead:]
	for len(lines) > 0 && isBlankLine(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	return lines, lead
}

func isBlankLine(l string) bool { return strings.TrimSpace(xansi.Strip(l)) == "" }

// styleConfig is glamour's style for a family of styles: no margins, few colours, those
// of tui/style.
func styleConfig(kind style.Kind) ansi.StyleConfig {
	var c ansi.StyleConfig
	accent, heading, code, link, theme := "", "", "", "", ""
	switch kind {
	case style.Dark:
		c = styles.DarkStyleConfig
		accent, heading, code, link, theme = "#8aadf4", "#b7bdf8", "#eed49f", "#7dc4e4", "catppuccin-macchiato"
	case style.Light:
		c = styles.LightStyleConfig
		accent, heading, code, link, theme = "#1e56b3", "#4a3ba8", "#8f5a00", "#1a7f8f", "catppuccin-latte"
	case style.Contrast:
		c = styles.DarkStyleConfig
		accent, heading, code, link, theme = "#7fd7ff", "#ffffff", "#ffd75f", "#7fd7ff", "hr_high_contrast"
	case style.ContrastLight:
		c = styles.LightStyleConfig
		accent, heading, code, link, theme = "#003a8c", "#000000", "#5c3a00", "#003a8c", "bw"
	case style.ANSI:
		c = styles.NoTTYStyleConfig
		accent, heading, code, link = "4", "4", "3", "6"
	default:
		c = styles.NoTTYStyleConfig
	}
	none, one := uint(0), uint(1)
	c.Document.Margin = &none
	// The token is printed once, and takes two columns: as much as a margin takes of the
	// width, and one more than an indent does.
	c.BlockQuote.Indent, c.BlockQuote.Margin = nil, &one
	c.Document.BlockPrefix, c.Document.BlockSuffix = "", ""
	if kind == style.NoColor {
		return c
	}
	yes := true
	c.Document.Color = nil
	c.Heading.Color, c.Heading.Bold = &heading, &yes
	c.H1 = ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{Prefix: "# ", Color: &accent, Bold: &yes}}
	c.H6.Color, c.H6.Bold = nil, nil
	c.Code = ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{Color: &code}}
	c.Link = ansi.StylePrimitive{Color: &link, Underline: &yes}
	c.LinkText = ansi.StylePrimitive{Color: &link}
	c.CodeBlock.Chroma = nil
	c.CodeBlock.Theme = theme
	return c
}
