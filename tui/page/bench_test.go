package page

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"docent/store/doc"
	"docent/tui/keymap"
	"docent/tui/style"
)

// large is a page of some n lines with something of everything.
func large(n int) Page {
	var blocks []doc.Block
	for lines := 0; lines < n; {
		more := []doc.Block{heading(fmt.Sprintf("Section %d", lines)),
			{Kind: doc.Paragraph, Text: repeat(6,
				"%d trim the *wick* before each lighting, with `lantern trim`, see [the oil](oil.md), and more of it")},
			{Kind: doc.List, Text: repeat(8, "- item %d of the **list** with a [link](x.md#y)")},
			{Kind: doc.Code, Text: "```go\n" + repeat(10,
				"func f%d() error { return fmt.Errorf(\"trim: %%w\", err) } // a long line of code that does not fit into eighty columns") + "```\n"},
			{Kind: doc.Table, Text: "| a | b | c |\n| - | - | - |\n" + repeat(10,
				"| %d | `code` and text | a [cell](x.md) with more text than fits into a narrow column of a table |")},
			{Kind: doc.Paragraph, Text: repeat(6, "%d 修剪灯芯之前要先让灯冷却")},
		}
		for _, b := range more {
			lines += strings.Count(b.Text, "\n") + 1
		}
		blocks = append(blocks, more...)
	}
	return blocksPage(blocks...)
}

const largeLines = 50_000

// Opening a page of 50 000 lines: cutting it up, its first lines as text, and
// the first piece as it is rendered.
func BenchmarkOpen(b *testing.B) {
	pg := large(largeLines)
	for name, wide := range map[string]bool{"preview": false, "reader": true} {
		b.Run(name, func(b *testing.B) {
			warm := NewWindow(style.New(true, false), name, wide)
			for b.Loop() {
				p := PreparePage(pg)
				v := NewWindow(style.New(true, false), name, wide)
				v.renderer = warm.renderer // the highlighter is warm after the first page
				v.SetSize(100, 40)
				v.SetPage("x", p)
				cmd := v.Render()
				_ = v.Rows()
				v.Update(cmd().(Rendered))
				if len(v.Rows()) != 40 {
					b.Fatal("the window is not full")
				}
			}
		})
	}
}

// Preparing alone, which is done in a command.
func BenchmarkPrepare(b *testing.B) {
	pg := large(largeLines)
	b.SetBytes(int64(len(pg.Source)))
	for b.Loop() {
		PreparePage(pg)
	}
}

// A step down, and the frame behind it: the work of Update and View.
func BenchmarkScrollStep(b *testing.B) {
	v := NewWindow(style.New(true, false), "reader", true)
	v.SetSize(100, 40)
	p := PreparePage(large(largeLines))
	v.SetPage("x", p)
	for b.Loop() {
		before, line := v.At()
		v.Scroll(keymap.Down)
		_ = v.Rows()
		if piece, now := v.At(); piece == before && now == line {
			v.Scroll(keymap.Top)
		}
	}
}

// To the end and back.
func BenchmarkJump(b *testing.B) {
	v := NewWindow(style.New(true, false), "reader", true)
	v.SetSize(100, 40)
	v.SetPage("x", PreparePage(large(largeLines)))
	for b.Loop() {
		v.Scroll(keymap.Bottom)
		_ = v.Rows()
		v.Scroll(keymap.Top)
		_ = v.Rows()
	}
}

// Rendering one piece, which is done in a command.
func BenchmarkRenderPiece(b *testing.B) {
	p := PreparePage(large(1000))
	for name, wide := range map[string]bool{"preview": false, "reader": true} {
		b.Run(name, func(b *testing.B) {
			r := &Renderer{}
			for i := 0; b.Loop(); i++ {
				r.renderPiece(p, i%len(p.pieces), 97, style.Dark, wide)
			}
		})
	}
}

// The first search of a page makes its text, the next ones use it.
func BenchmarkFind(b *testing.B) {
	pg := large(largeLines)
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			p := PreparePage(pg)
			b.StartTimer()
			if m, err := p.Find(context.Background(), "lantern trim"); err != nil || len(m) == 0 {
				b.Fatal(len(m), err)
			}
		}
	})
	b.Run("next", func(b *testing.B) {
		p := PreparePage(pg)
		p.searchIndex()
		for b.Loop() {
			if m, err := p.Find(context.Background(), "lantern trim"); err != nil || len(m) == 0 {
				b.Fatal(len(m), err)
			}
		}
	})
}
