package corpus

import (
	"context"

	"docent/store"
	"docent/store/doc"
)

// Parsing takes 3 ms for 1 000 lines, reading the outline from the catalog a
// fiftieth of that. A page of at least largePage bytes that is only shown is not
// parsed; chunks with more than pieceLines or pieceBytes are, since the outline
// does not say where in them a code block or a table begins.
const (
	largePage  = 128 << 10
	pieceLines = 60
	pieceBytes = 6000
)

// ReadShown reads one page to be shown. It is as Page, but sections and blocks may lack
// their texts, and several blocks may be joined to one.
func (l *Corpus) ReadShown(ctx context.Context, set store.Set, path string) (*Page, error) {
	p, err := l.Source(ctx, set, path)
	if err != nil || p.Changed {
		return p, err
	}
	if len(p.Doc.Text) < largePage {
		return p, l.parseStructure(ctx, p)
	}
	d, err := l.Catalog.ByPath(ctx, set.ID, path)
	if err != nil || d.SHA256 != p.SHA256 || len(d.Outline.Sections) == 0 {
		return p, l.parseStructure(ctx, p) // an update came in between, or there is nothing to go by
	}
	blocks, err := l.blocksOfPage(ctx, p, d)
	if err != nil {
		return p, l.parseStructure(ctx, p)
	}
	p.Doc.Format, p.Doc.Lines, p.Doc.Bytes, p.Doc.SHA256 = d.Format, d.Lines, int(d.Bytes), d.SHA256
	p.Doc.Sections, p.Doc.Blocks, p.Chunks = d.Outline.Sections, blocks, d.Outline.Chunks
	return p, nil
}

// blocksOfPage makes a block of each chunk, and parses the large ones of Markdown; plain
// text may be cut anywhere. Two chunks that share a paragraph become one block.
func (l *Corpus) blocksOfPage(ctx context.Context, p *Page, d *store.Document) ([]doc.Block, error) {
	var out []doc.Block
	for _, c := range d.Outline.Chunks {
		s := c.Span
		if s.Start < 0 || s.Start >= s.End || s.End > len(p.Doc.Text) {
			continue
		}
		if n := len(out); n > 0 && (s.Start < out[n-1].Span.End || out[n-1].Section == c.Section && s.Start > 0 &&
			p.Doc.Text[s.Start-1] != '\n') {
			last := &out[n-1].Span
			last.End, last.EndLine = max(last.End, s.End), max(last.EndLine, s.EndLine)
			continue
		}
		if p.Doc.Plain || s.Lines() <= pieceLines && s.End-s.Start <= pieceBytes {
			out = append(out, doc.Block{Kind: c.Kind, Section: c.Section, Span: s})
			continue
		}
		part, err := l.Parsers.Structure(ctx, p.Doc.Text[s.Start:s.End], d.Format)
		if err != nil {
			return nil, err
		}
		for _, b := range part.Blocks {
			b.Section = c.Section
			b.Span.Start, b.Span.End = b.Span.Start+s.Start, b.Span.End+s.Start
			b.Span.StartLine, b.Span.EndLine = b.Span.StartLine+s.StartLine-1, b.Span.EndLine+s.StartLine-1
			out = append(out, b)
		}
	}
	return out, nil
}
