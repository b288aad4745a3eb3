package page

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"docent/pipeline/contract"
	"docent/pipeline/text/sanitize"
	"docent/store/doc"
	"docent/tui/style"
	"docent/tui/widget"
)

// blocksPage makes a document of blocks, each in the section of the last heading.
func blocksPage(blocks ...doc.Block) Page {
	var src strings.Builder
	d := &doc.Document{Path: "p.md", Format: "markdown", SHA256: "x"}
	line := 1
	for _, b := range blocks {
		text := b.Text
		n := doc.CountLines([]byte(text))
		b.Span = doc.Span{Start: src.Len(), End: src.Len() + len(text), StartLine: line, EndLine: line + n - 1}
		if b.Kind == doc.HeadingRow {
			d.Sections = append(d.Sections, doc.Section{Index: len(d.Sections), Level: 2, Text: strings.TrimSpace(strings.Trim(text, "#\n ")),
				Anchor: fmt.Sprint("s", len(d.Sections)), Span: b.Span})
		}
		b.Section = len(d.Sections) - 1
		d.Blocks = append(d.Blocks, b)
		src.WriteString(text + "\n")
		line += n + 1
		s := &d.Sections[len(d.Sections)-1]
		s.Span.End, s.Span.EndLine = src.Len(), line-1
	}
	return Page{Doc: d, Source: []byte(src.String())}
}

func repeat(n int, line string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, line+"\n", i)
	}
	return b.String()
}

func heading(s string) doc.Block { return doc.Block{Kind: doc.HeadingRow, Text: "## " + s + "\n"} }

func TestPiecesAreSmallAndWhole(t *testing.T) {
	t.Parallel()
	p := PreparePage(blocksPage(
		heading("One"), doc.Block{Kind: doc.Meta, Text: "[oil]: oil.md\n"}, doc.Block{Kind: doc.Paragraph, Text: "see [oil]\n"},
		heading("Two"), doc.Block{Kind: doc.Table, Text: "| a | b |\n| - | - |\n" + repeat(150, "| %d | x |")},
		heading("Three"), doc.Block{Kind: doc.Code, Text: "```go\n" + repeat(150, "line(%d)") + "```\n"},
		heading("Four"), doc.Block{Kind: doc.Paragraph, Text: repeat(10, "%d"+strings.Repeat(" long", 2000))},
		heading("Five"), doc.Block{Kind: doc.List, Text: repeat(150, "- %d")},
	))
	for i, q := range p.pieces {
		md := p.markdownOf(i)
		if n := q.toLine - q.fromLine + 1; n > maxPieceLines {
			t.Errorf("piece %d has %d lines", i, n)
		}
		switch q.section {
		case 0:
			if strings.Contains(md, "see [oil]") != strings.Contains(md, "[oil]: oil.md") ||
				strings.Contains(string(p.source[q.start:q.end]), "oil.md") {
				t.Errorf("the definition is lacking, or shown: %q", md)
			}
		case 1:
			if q.start > p.pieces[1].start && !strings.HasPrefix(md, "| a | b |\n| - | - |\n|") && !strings.HasPrefix(md, "## Two") {
				t.Errorf("a part of the table has no head: %.40q", md)
			}
		case 2:
			if !strings.HasPrefix(md, "##") && strings.Count(md, "```") < 2 {
				t.Errorf("a part of the code is not fenced: %.40q", md)
			}
		case 3:
			if q.markdown && q.end-q.start > 2*maxPieceBytes {
				t.Errorf("%d bytes would be rendered at once", q.end-q.start)
			}
		}
	}
	if last := p.pieces[len(p.pieces)-1]; last.section != 4 || !last.markdown {
		t.Errorf("the list is lacking: %+v", last)
	}
}

// Every byte of a block stands in one piece, in order, whatever the blocks.
func TestPiecesCoverThePage(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		blocks := []doc.Block{heading("Start")}
		for range rapid.IntRange(0, 12).Draw(t, "blocks") {
			k := rapid.SampledFrom([]doc.BlockKind{doc.Paragraph, doc.List, doc.Table, doc.Code, doc.HeadingRow}).Draw(t, "kind")
			text := repeat(rapid.IntRange(1, 200).Draw(t, "lines"), rapid.SampledFrom([]string{"x%d", "| %d |", "```%d", "- %d"}).Draw(t, "line"))
			if k == doc.HeadingRow {
				text = "## h\n"
			}
			blocks = append(blocks, doc.Block{Kind: k, Text: text})
		}
		pg := blocksPage(blocks...)
		p := PreparePage(pg)
		at := 0
		for i, q := range p.pieces {
			if q.start < at || q.end <= q.start || q.end > len(pg.Source) {
				t.Fatalf("piece %d is %d–%d behind %d", i, q.start, q.end, at)
			}
			if gap := strings.TrimSpace(string(pg.Source[at:q.start])); gap != "" && q.head == "" && p.pieces[max(0, i-1)].tail == "" {
				t.Fatalf("lost before piece %d: %q", i, gap)
			}
			at = q.end
			p.rawLines(i, 20)
			p.markdownOf(i)
		}
	})
}

func TestSection(t *testing.T) {
	t.Parallel()
	p := PreparePage(blocksPage(heading("One"), heading("Two"), heading("Two")))
	line := p.sections[2].Span.StartLine
	for _, tt := range []struct {
		h    contract.Heading
		want int
	}{
		{contract.Heading{Anchor: "s1", Section: [2]int{p.sections[1].Span.StartLine, 9}}, 1},
		{contract.Heading{Section: [2]int{line, 9}}, 2},
		{contract.Heading{Anchor: "s2"}, 2},
		{contract.Heading{Lines: [2]int{line, line}}, 2},
		{contract.Heading{Text: "## Two"}, 1},
		{contract.Heading{Text: "## None"}, 0},
	} {
		if got := p.Section(tt.h); got != tt.want {
			t.Errorf("%+v is section %d, want %d", tt.h, got, tt.want)
		}
	}
}

// What glamour makes of hostile Markdown must be as harmless as its source, fit
// the width, and have no colours where there shall be none.
func TestRenderedIsCleanAndFits(t *testing.T) {
	t.Parallel()
	src := "## Ask\n\nThe text &#27;[31m and &#x9b;2J, \x1b]0;x\x07 [link](http://a/\x1b[2J) `code\x1b[0m`\n\n" +
		"| a | b |\n| - | - |\n| 灯芯灯芯灯芯灯芯灯芯灯芯 | supercalifragilisticexpialidocious |\n\n```go\nfunc main() { panic(\"a very long line of code that does not fit\") }\n```\n" +
		"\n<script>alert(1)</script>\n\n> quoted **bold** text that is long enough to be wrapped\n"
	pg := PreparePage(Page{Source: []byte(src), Doc: &doc.Document{Format: "markdown"}})
	r := &Renderer{}
	for _, kind := range []style.Kind{style.Dark, style.Light, style.NoColor} {
		for _, width := range []int{8, 30, 110} {
			lines := r.renderPiece(pg, 0, width, kind, false).lines
			for _, l := range lines {
				if widget.Width(l) > width {
					t.Errorf("%s %d: %q has %d columns", kind, width, l, widget.Width(l))
				}
				if sanitize.KeepStyles(l, true) != l {
					t.Errorf("%s: %q has more than styles", kind, l)
				}
				if kind == style.NoColor && strings.Contains(l, "\x1b") {
					t.Errorf("no colours, but %q", l)
				}
			}
			if text := ansi.Strip(strings.Join(lines, " ")); width == 110 && (!strings.Contains(text, "panic") || !strings.Contains(text, "灯芯")) {
				t.Errorf("%s: text is lacking:\n%s", kind, strings.Join(lines, "\n"))
			}
		}
	}
}

// BenchmarkPiece renders each piece of a page of large blocks: a rendering must
// not hold the app up, so the slowest piece (worst-ms) stays below half a second.
func BenchmarkPiece(b *testing.B) {
	pg := PreparePage(blocksPage(heading("Code"), doc.Block{Kind: doc.Code, Text: "```go\n" + repeat(300,
		"func f%d() error { return nil } // text") + "```\n"},
		heading("Table"), doc.Block{Kind: doc.Table, Text: "| a | b |\n| - | - |\n" + repeat(300, "| %d | **some** `text` in a [cell](x) |")},
		heading("Prose"), doc.Block{Kind: doc.Paragraph, Text: repeat(300, "%d some *text* with `code` and a [link](x), and more of it")}))
	r := &Renderer{}
	best := make([]time.Duration, len(pg.pieces))
	for b.Loop() {
		for i := range pg.pieces {
			start := time.Now()
			r.renderPiece(pg, i, 80, style.Dark, false)
			if took := time.Since(start); best[i] == 0 || took < best[i] {
				best[i] = took
			}
		}
	}
	b.ReportMetric(float64(slices.Max(best).Microseconds())/1000, "worst-ms")
}

// What decides how a page is shown is its text, not the format of its source: of
// whatever format, the text is Markdown unless it is said to be plain.
func TestTextDecidesHowAPageIsShown(t *testing.T) {
	t.Parallel()
	pg := blocksPage(doc.Block{Kind: doc.HeadingRow, Text: "## Wicks\n"}, doc.Block{Kind: doc.Paragraph, Text: "Trim *them*.\n"})
	for _, tt := range []struct {
		name string
		page Page
		want bool
	}{
		{"Markdown", pg, true},
		{"another format", Page{Doc: &doc.Document{Format: "html", Sections: pg.Doc.Sections, Blocks: pg.Doc.Blocks}, Source: pg.Source}, true},
		{"plain text", Page{Doc: &doc.Document{Format: doc.FormatText, Rendition: doc.Rendition{Plain: true}, Sections: pg.Doc.Sections,
			Blocks: pg.Doc.Blocks}, Source: pg.Source}, false},
		{"nothing known", Page{Source: pg.Source}, false},
	} {
		pieces := PreparePage(tt.page).pieces
		if len(pieces) == 0 || pieces[0].markdown != tt.want {
			t.Errorf("%s: the pieces are %+v, rendered as Markdown should be %v", tt.name, pieces, tt.want)
		}
	}
}
