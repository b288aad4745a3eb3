package markdown

import (
	"bytes"
	"docent/pipeline/ingest/parse/markdown/dialect"
	"fmt"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// The budget of a page. A page over it is read as plain text, see plain.go. The limits
// are counts and not times, so that a page is read alike on every machine. The largest
// pages of known documentation have 3 000 headings and 60 000 nodes.
const (
	maxHeadings = 20_000
	// maxNodes bounds goldmark's nodes, which take some 300 bytes each, and the blocks
	// made of them.
	maxNodes = 300_000
	// maxHeading is the length of a heading, in bytes. A longer one is a paragraph.
	maxHeading = 2000
	// maxLinkText is the length up to which a link's text is kept, in bytes.
	maxLinkText = 500
	// maxWarnings is the number of warnings of a page.
	maxWarnings = 20
	// maxSteps and maxStepsByte bound goldmark's work: a step is a byte that a parser
	// of inline markup may have to look at, or one of an open block. 1e9 of them take
	// about a second.
	maxSteps, maxStepsByte = 1_000_000_000, 400
)

// overBudget is what goldmark's parsers panic with where a page takes too many steps;
// goldmark has no other way out.
type overBudget struct{}

// steps counts the steps of one page.
type steps struct {
	left   int
	parent ast.Node // the paragraph whose bytes were counted last
	bytes  int
}

func (s *steps) takeSteps(n int) {
	if s.left -= n; s.left < 0 {
		panic(overBudget{})
	}
}

// inline takes the steps of one try of a parser in a paragraph: it may read all of it.
func (s *steps) inline(parent ast.Node, block text.Reader) {
	if s.parent != parent {
		s.parent, s.bytes = parent, 0
		for n := parent; n != nil; n = n.Parent() {
			if n.Type() != ast.TypeBlock {
				continue
			}
			for i := range n.Lines().Len() {
				seg := n.Lines().At(i)
				s.bytes += seg.Len()
			}
			break
		}
	}
	s.takeSteps(s.bytes)
}

// countedBlock is a parser of blocks in blocks whose steps are counted.
type countedBlock struct {
	parser.BlockParser
	key parser.ContextKey
}

// Continue is goldmark's: it is called for each open block at each line.
func (c countedBlock) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	if s, ok := pc.Get(c.key).(*steps); ok {
		line, _ := reader.PeekLine()
		s.takeSteps(50 + 4*dialect.IndentBytes(line))
	}
	return c.BlockParser.Continue(node, reader, pc)
}

// countedInline is a parser of inline markup whose steps are counted.
type countedInline struct {
	parser.InlineParser
	key parser.ContextKey
}

// Parse is goldmark's.
func (c countedInline) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	if s, ok := pc.Get(c.key).(*steps); ok {
		s.inline(parent, block)
	}
	return c.InlineParser.Parse(parent, block, pc)
}

// CloseBlock is goldmark's.
func (c countedInline) CloseBlock(parent ast.Node, block text.Reader, pc parser.Context) {
	if b, ok := c.InlineParser.(parser.CloseBlocker); ok {
		b.CloseBlock(parent, block, pc)
	}
}

// counted is goldmark's parser with a budget.
type counted struct {
	parser parser.Parser
	key    parser.ContextKey
}

// stepsKey is the place of the steps in a context of goldmark. goldmark numbers such places without a lock, so this one
// is taken before any parser runs: another package may read Markdown while this one makes its parser.
var stepsKey = parser.NewContextKey()

// newCounted makes the parser. It has no Linkify, which takes a fifth of the time to
// make links of bare addresses, and no footnotes, since that extension moves their text
// to the end of the page.
func newCounted() counted {
	c := counted{key: stepsKey}
	block := func(p parser.BlockParser, priority int) util.PrioritizedValue {
		return util.Prioritized(countedBlock{p, c.key}, priority)
	}
	inline := func(p parser.InlineParser, priority int) util.PrioritizedValue {
		return util.Prioritized(countedInline{p, c.key}, priority)
	}
	blocks := parser.DefaultBlockParsers()
	for i, p := range blocks {
		switch p.Priority {
		case 300, 400, 800: // lists, their items, quotes
			blocks[i] = block(p.Value.(parser.BlockParser), p.Priority)
		}
	}
	inlines := append(parser.DefaultInlineParsers(), util.Prioritized(extension.NewStrikethroughParser(), 500))
	for i, p := range inlines {
		inlines[i] = inline(p.Value.(parser.InlineParser), p.Priority)
	}
	inlines = append(inlines, util.Prioritized(extension.NewTaskCheckBoxParser(), 0))
	c.parser = parser.NewParser(parser.WithBlockParsers(blocks...), parser.WithInlineParsers(inlines...),
		parser.WithParagraphTransformers(append(parser.DefaultParagraphTransformers(),
			util.Prioritized(extension.NewTableParagraphTransformer(), 200))...),
		parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)))
	return c
}

// parseWithin parses a page; ok is false where it takes more than the page's budget.
func (c counted) parseWithin(src []byte) (root ast.Node, ok bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, over := r.(overBudget); !over {
				panic(r)
			}
			root, ok = nil, false
		}
	}()
	pc := parser.NewContext()
	pc.Set(c.key, &steps{left: maxSteps + maxStepsByte*len(src)})
	return c.parser.Parse(text.NewReader(src), parser.WithContext(pc)), true
}

// tooMuch says why a page in shape is over its budget, "" if it is not. It estimates
// the nodes that goldmark will make: one a line, and one for each mark that may begin
// another. It costs a look at each byte.
func tooMuch(shape []byte, lines []int) string {
	var f dialect.Fence
	headings, nodes := 0, 0
	text := false // the line before is text, which an underline makes a heading
	columns := 0  // of the table; goldmark makes as many cells of each row, however short
	for i := range len(lines) - 1 {
		line := bytes.TrimSuffix(shape[lines[i]:lines[i+1]], []byte{'\n'})
		n := dialect.IndentBytes(line)
		if n == len(line) {
			text, columns = false, 0
			continue
		}
		if f.Step(line) {
			text = false
			continue
		}
		nodes++
		b := line[n:]
		switch b[0] {
		case '#':
			headings++
		case '=', '-':
			if text && dialect.RuleLike(b) {
				headings++
			}
		}
		text = true
		// Marks that come in pairs count half.
		single := bytes.Count(b, []byte{'['}) + bytes.Count(b, []byte{'<'}) + bytes.Count(b, []byte{'|'})
		double := bytes.Count(b, []byte{'*'}) + bytes.Count(b, []byte{'_'}) + bytes.Count(b, []byte{'`'}) + bytes.Count(b, []byte{'~'})
		// Escapes and entities are no nodes, but cut the text into as many pieces.
		single += bytes.Count(b, []byte{'&'})
		double += bytes.Count(b, []byte{'\\'})
		nodes += single + double/2
		pipes := bytes.Count(b, []byte{'|'})
		if pipes > 0 && len(bytes.Trim(b, "|-: \t")) == 0 {
			columns = pipes
		}
		nodes += max(0, columns-pipes)
	}
	switch {
	case headings > maxHeadings:
		return fmt.Sprintf("it has %d headings, more than %d", headings, maxHeadings)
	case nodes > maxNodes:
		return fmt.Sprintf("it has more than %d blocks, links and other marks", maxNodes)
	}
	return ""
}
