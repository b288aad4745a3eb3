package markdown

import (
	"docent/pipeline/ingest/parse/markdown/dialect"
	"fmt"
	"slices"
	"sort"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"docent/store/doc"
)

// piece is a run of lines that becomes a block.
type piece struct {
	kind        doc.BlockKind
	first, last int // lines, from 0
	parts       [2]int
	level       int // of a heading
	anchor      string
	lang        string
	warning     bool
}

// part is the origin of a piece's words: a node of goldmark's tree, or an opaque block.
type part struct {
	node   ast.Node
	opaque int // where node is nil
}

// cutPieces makes a piece of each outermost node. A piece ends at the last line before the
// next piece that is not blank in the shape.
func (p *page) cutPieces(root ast.Node) {
	p.pieces = make([]piece, 0, root.ChildCount()+8)
	p.parts = make([]part, 0, root.ChildCount()+8)
	marks := p.shape.Marks
	used := make([]bool, len(p.shape.Opaques))
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		line := -1
		if pos := n.Pos(); pos >= 0 {
			line = p.lineOf(min(pos, len(p.shape.Text)-1))
		}
		if k := len(p.pieces) - 1; k >= 0 && line <= p.pieces[k].first {
			p.parts = append(p.parts, part{node: n})
			p.pieces[k].parts[1]++
			continue
		}
		line = max(line, 0)
		pc := piece{first: line, last: line, parts: [2]int{len(p.parts), len(p.parts) + 1}}
		pt := part{node: n}
		for len(marks) > 0 && marks[0].Line < line {
			marks = marks[1:]
		}
		var m dialect.Mark
		if len(marks) > 0 && marks[0].Line == line {
			m = marks[0]
		}
		describe(&pc, n, p.shape.Text)
		if pc.kind == doc.HeadingRow && p.isLongHeading(n) {
			pc.kind = doc.Paragraph
		}
		switch {
		case m.Kind == dialect.MarkBreak && pc.kind == doc.Rule:
			pc.kind = doc.Meta
		case m.Kind == dialect.MarkTitle && pc.kind == doc.HeadingRow:
			pc.kind = doc.Paragraph
		case m.Kind == dialect.MarkAnchor && pc.kind == doc.HeadingRow:
			pc.anchor = m.Anchor
		case m.Kind == dialect.MarkOpaque && pc.kind == doc.Rule:
			o := p.shape.Opaques[m.Opaque]
			pc.kind, pc.last = o.Kind, o.Last
			pt = part{opaque: m.Opaque}
			used[m.Opaque] = true
		}
		p.parts = append(p.parts, pt)
		p.pieces = append(p.pieces, pc)
	}
	next := p.lineCount()
	for k := len(p.pieces) - 1; k >= 0; k-- {
		pc := &p.pieces[k]
		for last := next - 1; last > pc.last; last-- {
			if !dialect.IsBlank(p.shape.Text[p.shaped[last]:p.shaped[last+1]]) {
				pc.last = last
			}
		}
		next = pc.first
	}
	p.addLost(used)
}

// isLongHeading reports whether a heading is so long that it is read as a paragraph, and warns.
func (p *page) isLongHeading(n ast.Node) bool {
	bytes := 0
	for i := range n.Lines().Len() {
		seg := n.Lines().At(i)
		bytes += seg.Len()
	}
	if bytes <= maxHeading {
		return false
	}
	p.warnings = append(p.warnings, fmt.Sprintf("line %d: a heading of %d bytes is read as text; the most are %d",
		p.lineOf(max(0, n.Pos()))+1, bytes, maxHeading))
	return true
}

// addLost adds opaque blocks to the pieces around them if goldmark read the rule in their
// place as a part of another block.
func (p *page) addLost(used []bool) {
	for k, ok := range used {
		if ok {
			continue
		}
		o := p.shape.Opaques[k]
		at := sort.Search(len(p.pieces), func(i int) bool { return p.pieces[i].last >= o.First })
		if at == len(p.pieces) || p.pieces[at].first > o.First {
			continue
		}
		pc := &p.pieces[at]
		p.parts = slices.Insert(p.parts, pc.parts[1], part{opaque: k})
		pc.parts[1]++
		for i := at + 1; i < len(p.pieces); i++ {
			p.pieces[i].parts[0]++
			p.pieces[i].parts[1]++
		}
	}
}

// describe sets the fields of a piece that depend on the node's type.
func describe(pc *piece, n ast.Node, src []byte) {
	switch n := n.(type) {
	case *ast.Heading:
		pc.kind, pc.level = doc.HeadingRow, n.Level
		if !n.HasChildren() { // "###" alone names no section
			pc.kind = doc.Meta
		}
	case *ast.List:
		pc.kind = doc.List
		if n.IsOrdered() && n.ChildCount() > 1 {
			pc.kind = doc.Procedure
		}
	case *ast.Blockquote:
		pc.kind = doc.Quote
	case *ast.FencedCodeBlock:
		pc.kind, pc.lang = doc.Code, string(n.Language(src))
	case *ast.CodeBlock:
		pc.kind = doc.Code
	case *ast.HTMLBlock:
		pc.kind = doc.HTML
	case *east.Table:
		pc.kind = doc.Table
	case *ast.ThematicBreak:
		pc.kind = doc.Rule
	case *ast.LinkReferenceDefinition:
		pc.kind = doc.Meta
	default:
		pc.kind = doc.Paragraph
	}
}

// joinRegions joins the pieces in a wrapper to one. Of nested wrappers the outermost
// counts. A wrapper that begins or ends inside a piece is ignored, and so is a wrapper
// with headings unless it is an admonition.
func (p *page) joinRegions() {
	regions := p.shape.Regions
	if len(regions) == 0 {
		return
	}
	slices.SortStableFunc(regions, func(a, b dialect.Region) int {
		if a.First != b.First {
			return a.First - b.First
		}
		return b.Last - a.Last
	})
	out := p.pieces[:0:0]
	k := 0
	for _, r := range regions {
		if n := len(out); n > 0 { // two wrappers may meet on a line
			r.First = max(r.First, out[n-1].last+1)
		}
		for k < len(p.pieces) && p.pieces[k].last < r.First {
			out = append(out, p.pieces[k])
			k++
		}
		end, words, fits := k, false, true
		for end < len(p.pieces) && p.pieces[end].first <= r.Last {
			pc := p.pieces[end]
			fits = fits && pc.first >= r.First && pc.last <= r.Last && (pc.kind != doc.HeadingRow || r.Kind == doc.Admonition)
			words = words || pc.kind != doc.Meta && pc.kind != doc.Rule
			end++
		}
		if !fits || !words || r.First > r.Last {
			continue // its content comes with an inner region, or singly
		}
		pc := piece{kind: r.Kind, first: r.First, last: r.Last, warning: r.Warning,
			parts: [2]int{p.pieces[k].parts[0], p.pieces[end-1].parts[1]}}
		if r.Kind == doc.Code { // of a directive with options before its code
			pc.lang = p.pieces[k].lang
		}
		for p.isBlank(pc.last) && pc.last > p.pieces[end-1].last {
			pc.last--
		}
		out = append(out, pc)
		k = end
	}
	p.pieces = append(out, p.pieces[k:]...)
}

// interruption is the most pieces between two steps of a procedure.
const interruption = 8

// joinProcedures joins numbered lists whose numbers continue, with the pieces between
// them, to one procedure.
func (p *page) joinProcedures() {
	out := p.pieces[:0]
	for k := 0; k < len(p.pieces); {
		pc := p.pieces[k]
		next := p.numbersOn(pc)
		k++
		for next > 0 {
			j := k
			for j < len(p.pieces) && j < k+interruption && p.startsAt(p.pieces[j]) != next && p.pieces[j].kind != doc.HeadingRow {
				j++
			}
			if j == len(p.pieces) || p.startsAt(p.pieces[j]) != next {
				break
			}
			pc.kind, pc.last, pc.parts[1] = doc.Procedure, p.pieces[j].last, p.pieces[j].parts[1]
			next = p.numbersOn(p.pieces[j])
			k = j + 1
		}
		out = append(out, pc)
	}
	p.pieces = out
}

// orderedList is the list of a piece that is one numbered list, else nil.
func (p *page) orderedList(pc piece) *ast.List {
	if pc.kind != doc.List && pc.kind != doc.Procedure || pc.parts[1]-pc.parts[0] != 1 {
		return nil
	}
	if l, ok := p.parts[pc.parts[0]].node.(*ast.List); ok && l.IsOrdered() {
		return l
	}
	return nil
}

// numbersOn is the number after the last item of a numbered list, 0 if the piece is no
// such list.
func (p *page) numbersOn(pc piece) int {
	if l := p.orderedList(pc); l != nil {
		return l.Start + l.ChildCount()
	}
	return 0
}

// startsAt is the first number of a numbered list if it is over 1, else 0.
func (p *page) startsAt(pc piece) int {
	if l := p.orderedList(pc); l != nil && l.Start > 1 {
		return l.Start
	}
	return 0
}

// fillGaps makes pieces of metadata of the remaining lines: tags, comments, imports and
// front matter.
func (p *page) fillGaps() {
	out := make([]piece, 0, len(p.pieces)+8)
	line := 0
	if n := p.front.lines; n > 0 {
		out = append(out, piece{kind: doc.Meta, first: 0, last: n - 1})
		line = n
	}
	gap := func(end int) {
		for ; line < end; line++ {
			if p.isBlank(line) {
				continue
			}
			if k := len(out) - 1; k >= 0 && out[k].kind == doc.Meta && out[k].last == line-1 && out[k].parts == [2]int{} &&
				(k > 0 || p.front.lines == 0) {
				out[k].last = line
				continue
			}
			out = append(out, piece{kind: doc.Meta, first: line, last: line})
		}
	}
	for _, pc := range p.pieces {
		gap(pc.first)
		out = append(out, pc)
		line = pc.last + 1
	}
	gap(p.lineCount())
	p.pieces = out
}
