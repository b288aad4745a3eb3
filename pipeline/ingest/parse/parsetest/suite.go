package parsetest

import (
	"bytes"
	"context"
	"reflect"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/store/doc"
)

// Document parses a page, which a parser must be able to do.
func Document(t testing.TB, p parse.Parser, src string, opt parse.Options) doc.Document {
	t.Helper()
	d, err := p.Parse(context.Background(), []byte(src), opt)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestParser checks what every parser promises, on sources by name.
func TestParser(t *testing.T, p parse.Parser, sources map[string][]byte) {
	t.Helper()
	if len(sources) == 0 {
		t.Fatal("the suite needs sources")
	}
	info := p.Info()
	a, b := p.Info(), p.Info()
	a.Sniff, b.Sniff = nil, nil // functions are not compared
	if !reflect.DeepEqual(a, b) {
		t.Errorf("Info is %+v and then %+v", a, b)
	}
	ctx := context.Background()
	blocks := 0
	for name, src := range sources {
		before := string(src)
		d, err := p.Parse(ctx, src, parse.Options{Path: name, FallbackTitle: name})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if again, err := p.Parse(ctx, src, parse.Options{Path: name, FallbackTitle: name}); err != nil || !reflect.DeepEqual(d, again) {
			t.Errorf("%s: parsed again it is another document (%v)", name, err)
		}
		if string(src) != before {
			t.Errorf("%s: the parser changed the source", name)
		}
		if d.Verbatim() != info.Verbatim {
			t.Errorf("%s: the text is the source: %v; Info says %v", name, d.Verbatim(), info.Verbatim)
		}
		lines := doc.CountLines(d.Text)
		if d.Map != nil && len(d.Map) != lines {
			t.Errorf("%s: a map of %d lines for a text of %d", name, len(d.Map), lines)
		}
		sourceLines := doc.CountLines(src)
		for i, at := range d.Map {
			if at.Line < 0 || at.Line > sourceLines || at.Page < 0 {
				t.Errorf("%s: line %d of the text stands at %+v of a source of %d lines", name, i+1, at, sourceLines)
			}
		}
		checkBlocks(t, name, d, lines)
		blocks += len(d.Blocks)
		s, err := p.Structure(ctx, d.Text)
		if err != nil || len(s.Blocks) != len(d.Blocks) || len(s.Sections) != len(d.Sections) {
			t.Errorf("%s: the text has %d sections and %d blocks, %v; the page %d and %d", name, len(s.Sections), len(s.Blocks), err,
				len(d.Sections), len(d.Blocks))
			continue
		}
		for i, b := range s.Blocks {
			if b.Kind != d.Blocks[i].Kind || b.Span != d.Blocks[i].Span || b.Section != d.Blocks[i].Section {
				t.Errorf("%s: block %d of the text is %+v, of the page %+v", name, i, b, d.Blocks[i])
			}
		}
	}
	if blocks == 0 {
		t.Error("no source has a block")
	}
}

// checkBlocks checks that blocks stand in the text in order, and say their lines
// right.
func checkBlocks(t testing.TB, name string, d doc.Document, lines int) {
	t.Helper()
	at, line := 0, 1 // line is the one on which d.Text[at:] begins
	for i, b := range d.Blocks {
		s := b.Span
		if s.Start < at || s.End < s.Start || s.End > len(d.Text) || s.StartLine < 1 || s.EndLine > lines || b.Section < 0 ||
			b.Section >= len(d.Sections) {
			t.Errorf("%s: block %d stands at %+v in section %d; the text has %d bytes, %d lines and %d sections", name, i, s, b.Section,
				len(d.Text), lines, len(d.Sections))
			return
		}
		line += bytes.Count(d.Text[at:s.Start], []byte{'\n'})
		if s.Start > 0 && d.Text[s.Start-1] == '\n' && line != s.StartLine {
			t.Errorf("%s: block %d begins at line %d, not %d", name, i, line, s.StartLine)
		}
		line += bytes.Count(d.Text[s.Start:s.End], []byte{'\n'})
		at = s.End
	}
}
