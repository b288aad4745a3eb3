package markdown

import (
	"bytes"
	"docent/pipeline/ingest/parse/markdown/dialect"
	"strings"

	"docent/store/doc"
)

// plainBytes is about how long the pieces of a page are that is read as plain text.
const plainBytes = 2 << 10

// readAsPlain reads a page that is over its budget as plain text: one section, whose blocks are
// runs of unchanged lines. The rows of a table stay rows. why is the exceeded limit.
func (p *page) readAsPlain(why string) {
	p.warnings = append(p.warnings, why+": it is read as plain text, without its headings and links")
	p.shape, p.shaped, p.pieces, p.parts = dialect.Shape{}, nil, nil, nil
	p.sections = []doc.Section{{Source: true, Parent: -1}}
	first := 0
	if n := p.front.lines; n > 0 {
		p.blocks = append(p.blocks, doc.Block{Kind: doc.Meta, Span: p.spanOfLines(0, n-1)})
		first = n
	}
	var text []byte
	from, last, row := -1, 0, false // of the piece so far
	end := func() {
		if from >= 0 {
			p.blocks = append(p.blocks, p.plainBlock(text, from, last, row))
		}
		from, text = -1, text[:0]
	}
	for i := first; i < p.lineCount(); i++ {
		line := p.lineText(i)
		n := dialect.IndentBytes(line)
		if dialect.IsBlank(line) {
			continue
		}
		if p.h1 == "" && i < first+100 {
			p.h1 = plainTitle(line[n:])
		}
		if cells := line[n] == '|'; from < 0 || len(text)+len(line) > plainBytes || cells != row {
			end()
			from, row = i, cells
		} else {
			text = append(text, '\n')
		}
		if row {
			text = appendCells(text, line[n:])
		} else {
			text = append(text, line...)
		}
		last = i
	}
	end()
	if n := p.lineCount(); n > 0 {
		p.sections[0].Span = p.spanOfLines(0, n-1)
		p.sections[0].Tree = p.sections[0].Span
	}
}

func (p *page) plainBlock(text []byte, first, last int, row bool) doc.Block {
	b := doc.Block{Kind: doc.Paragraph, Text: strings.TrimRight(string(text), " \t\n"), Span: p.spanOfLines(first, last)}
	if row {
		b.Kind = doc.Table
		return b
	}
	at := 0
	for i := first; i <= last; i++ {
		line := p.lineText(i)
		if dialect.IsBlank(line) {
			continue
		}
		written := p.src[p.srcLines[i]:p.srcLines[i+1]]
		if !bytes.HasPrefix(written, line) {
			b.Marks = nil // decoded: its places in the source are not known
			return b
		}
		b.Marks = append(b.Marks, doc.Mark{Text: at, Source: p.srcLines[i], Line: i + 1})
		at += len(line) + 1
	}
	return b
}

// appendCells appends a table's row with tabs between the cells.
func appendCells(text, row []byte) []byte {
	row = bytes.TrimSuffix(bytes.TrimPrefix(bytes.TrimSpace(row), []byte{'|'}), []byte{'|'})
	for i := 0; ; i++ {
		cell, rest, more := bytes.Cut(row, []byte{'|'})
		if i > 0 {
			text = append(text, '\t')
		}
		text = append(text, bytes.TrimSpace(cell)...)
		if !more {
			return text
		}
		row = rest
	}
}

// plainTitle is the text of a line that is a heading of level 1, "" of any other.
func plainTitle(line []byte) string {
	text, ok := bytes.CutPrefix(line, []byte("# "))
	if !ok || len(text) > maxHeading {
		return ""
	}
	return trimHashes(string(text))
}
