package page

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"

	"docent/tui/style"
	"docent/tui/widget"
)

// Lists, tables and wide code are rendered on their own: glamour wraps the lines of
// a list without indenting them, joins the paragraphs of an item, and wraps tables
// and code. In the text a block of code with one placeholder line for each of their
// lines stands for them.
const blockMark = "\x1b]docent-block;"

// indent is what glamour puts before a line of code.
const indent = 2

// block is a list, a table or code as lines. A wide line is not wrapped.
type block struct {
	lines []string
	wide  []bool
	flush bool // not indented as code is
}

// drawing is the rendering of one piece. New text is appended to its source, since
// a text in the parser's tree is a part of the source.
type drawing struct {
	renderer *Renderer
	kind     style.Kind
	wide     bool // tables and code are not wrapped
	source   []byte
}

// drawTree renders a tree at a width: glamour's output with placeholders, and the blocks
// that they stand for.
func (d *drawing) drawTree(root ast.Node, width int) (string, []block, error) {
	var blocks []block
	for _, n := range d.outermostBlocks(root, width) {
		// The placeholder takes the block's place before the block is moved.
		depth := nestingDepth(n)
		stand := d.replaceByLines(n)
		b, err := d.drawBlock(n, width-quoteIndent*depth)
		if err != nil {
			return "", nil, err
		}
		for i := range b.lines {
			from := len(d.source)
			d.source = append(d.source, blockMark+strconv.Itoa(len(blocks))+";"+strconv.Itoa(i)+"\a·\n"...)
			stand.Lines().Append(segmentText(from, len(d.source)))
		}
		blocks = append(blocks, b)
	}
	var buf bytes.Buffer
	if err := d.renderer.termRenderer(width, d.kind).Render(&buf, d.source, root); err != nil {
		return "", nil, err
	}
	return buf.String(), blocks, nil
}

// outermostBlocks are the outermost nodes that are rendered on their own.
func (d *drawing) outermostBlocks(root ast.Node, width int) []ast.Node {
	var nodes []ast.Node
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n.(type) {
		case *ast.List:
			if entering {
				nodes = append(nodes, n)
			}
			return ast.WalkSkipChildren, nil
		case *extast.Table:
			if entering && d.wide {
				nodes = append(nodes, n)
			}
			return ast.WalkSkipChildren, nil
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			if entering && d.wide && codeWidth(n, d.source) > width-indent-quoteIndent*nestingDepth(n) {
				nodes = append(nodes, n)
			}
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	return nodes
}

// quoteIndent is at least what glamour puts before a line of a quotation.
const quoteIndent = 4

// replaceByLines puts a block of code in a node's place, whose lines are the placeholders.
func (d *drawing) replaceByLines(n ast.Node) *ast.FencedCodeBlock {
	info := len(d.source)
	d.source = append(d.source, "plaintext"...)
	stand := ast.NewFencedCodeBlock(ast.NewTextSegment(segmentText(info, len(d.source))))
	n.Parent().ReplaceChild(n.Parent(), n, stand)
	return stand
}

// drawBlock renders a node that was taken out of its tree.
func (d *drawing) drawBlock(n ast.Node, width int) (block, error) {
	own := 0
	switch n := n.(type) {
	case *ast.List:
		b, err := d.drawList(n, max(leastList, width))
		b.flush = true
		return b, err
	case *extast.Table:
		dropTargets(n)
		own = min(widestTable, tableWidth(n, d.source))
	default:
		own = codeWidth(n, d.source) + indent
	}
	doc := ast.NewDocument()
	doc.AppendChild(doc, n)
	var buf bytes.Buffer
	if err := newTermRenderer(max(8, min(maxWide, own)), d.kind, true).Render(&buf, d.source, doc); err != nil {
		return block{}, err
	}
	lines, _ := trimBlank(strings.Split(buf.String(), "\n"))
	b := block{lines: lines, wide: make([]bool, len(lines))}
	for i, l := range lines {
		b.wide[i] = true
		if _, table := n.(*extast.Table); !table {
			b.lines[i] = strings.Replace(l, widget.Spaces(indent), "", 1)
		}
	}
	return b, nil
}

// widestTable leaves room for what stands before a table's lines, an indent or the bars of quotations:
// lines that are wider than maxWide are broken, and their ends stood below each row.
const widestTable = maxWide - 16

// leastList is the narrowest list: deeper ones are no further indented.
const leastList = 16

// drawList renders a list: the lines of an item hang below its first one.
func (d *drawing) drawList(list *ast.List, width int) (block, error) {
	var out block
	number := list.Start
	lead := 2
	if list.IsOrdered() {
		lead = len(strconv.Itoa(number+list.ChildCount()-1)) + 2
	}
	var next ast.Node
	for item := list.FirstChild(); item != nil; item = next {
		next = item.NextSibling()
		body, deeper, err := d.drawListItem(item, max(leastList-lead, width-lead), list.IsTight)
		if err != nil {
			return block{}, err
		}
		mark := "• "
		if list.IsOrdered() {
			mark = widget.FitLeft(strconv.Itoa(number)+".", lead-1) + " "
		}
		number++
		if len(out.lines) > 0 && !list.IsTight {
			out.lines, out.wide = append(out.lines, ""), append(out.wide, false)
		}
		if len(body.lines) == 0 {
			body = block{lines: []string{""}, wide: []bool{false}}
		}
		for i, l := range body.lines {
			if i > 0 {
				mark = widget.Spaces(lead)
			}
			if isBlankLine(l) && i > 0 {
				l, mark = "", ""
			}
			out.lines, out.wide = append(out.lines, mark+l), append(out.wide, body.wide[i])
		}
		for _, l := range deeper {
			b, err := d.drawList(l, width)
			if err != nil {
				return block{}, err
			}
			out.lines, out.wide = append(out.lines, b.lines...), append(out.wide, b.wide...)
		}
	}
	return out, nil
}

// drawListItem renders the blocks of a list's item one below the other. In a tight list
// there is no line between its text and the lists in it. Lists for which there is no
// room next to the item are given back.
func (d *drawing) drawListItem(item ast.Node, width int, tight bool) (out block, deeper []*ast.List, err error) {
	var next ast.Node
	for n := item.FirstChild(); n != nil; n = next {
		next = n.NextSibling()
		var b block
		inner, isList := n.(*ast.List)
		switch {
		case isList && width < leastList:
			deeper = append(deeper, inner)
		case isList:
			b, err = d.drawList(inner, width)
		default:
			b, err = d.drawItemPart(n, width)
		}
		if err != nil {
			return block{}, nil, err
		}
		if len(b.lines) == 0 {
			continue
		}
		_, isText := n.(*ast.TextBlock)
		if len(out.lines) > 0 && !(tight && (isList || isText)) {
			out.lines, out.wide = append(out.lines, ""), append(out.wide, false)
		}
		out.lines, out.wide = append(out.lines, b.lines...), append(out.wide, b.wide...)
	}
	return out, deeper, nil
}

// drawItemPart renders one block of an item, which is taken out of its tree.
func (d *drawing) drawItemPart(n ast.Node, width int) (block, error) {
	if _, ok := n.(*ast.TextBlock); ok { // glamour gives these no line of their own
		p := ast.NewParagraph()
		d.writeCheckBox(p, n)
		for c := n.FirstChild(); c != nil; c = n.FirstChild() {
			p.AppendChild(p, c)
		}
		n = p
	}
	doc := ast.NewDocument()
	doc.AppendChild(doc, n)
	text, blocks, err := d.drawTree(doc, width)
	if err != nil {
		return block{}, err
	}
	var out block
	for _, l := range strings.Split(text, "\n") {
		l, wide, first := takeBlock(l, blocks)
		if first { // exactly one empty line before a block
			for len(out.lines) > 0 && isBlankLine(out.lines[len(out.lines)-1]) {
				out.lines, out.wide = out.lines[:len(out.lines)-1], out.wide[:len(out.wide)-1]
			}
			out.lines, out.wide = append(out.lines, ""), append(out.wide, false)
		}
		out.lines, out.wide = append(out.lines, trimRight(l)), append(out.wide, wide)
	}
	lines, lead := trimBlank(widget.CarryStyles(out.lines))
	return block{lines: lines, wide: out.wide[lead : lead+len(lines)]}, nil
}

// writeCheckBox writes the box of a task as text: glamour draws it in place of a list's
// mark only.
func (d *drawing) writeCheckBox(p *ast.Paragraph, n ast.Node) {
	box, ok := n.FirstChild().(*extast.TaskCheckBox)
	if !ok {
		return
	}
	from := len(d.source)
	if box.IsChecked {
		d.source = append(d.source, "[✓] "...)
	} else {
		d.source = append(d.source, "[ ] "...)
	}
	n.RemoveChild(n, box)
	p.AppendChild(p, ast.NewTextSegment(segmentText(from, len(d.source))))
}

// takeBlock gives the line of a block for its placeholder, whether that line is wide,
// and whether it is the block's first.
func takeBlock(l string, blocks []block) (line string, wide, first bool) {
	i := strings.Index(l, blockMark)
	if i < 0 {
		return l, false, false
	}
	mark, _, _ := strings.Cut(l[i+len(blockMark):], "\a")
	number, row, _ := strings.Cut(mark, ";")
	b, err1 := strconv.Atoi(number)
	n, err2 := strconv.Atoi(row)
	if err1 != nil || err2 != nil || b >= len(blocks) || n >= len(blocks[b].lines) {
		return l[:i], false, false
	}
	before := l[:i]
	if blocks[b].flush {
		before = outdentCode(before)
	}
	return before + style.Reset + blocks[b].lines[n], blocks[b].wide[n], n == 0 && isBlankLine(before) // a quotation has lines of its own
}

// outdentCode takes the indent of code off the beginning of a line, which is spaces,
// the marks of quotations and styles.
func outdentCode(s string) string {
	for range indent {
		if i := strings.LastIndexByte(s, ' '); i >= 0 {
			s = s[:i] + s[i+1:]
		}
	}
	return s
}
