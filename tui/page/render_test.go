package page

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"docent/store/doc"
	"docent/tui/style"
	"docent/tui/widget"
)

// What a reader sees: the link's text, and no path that leads nowhere.
func TestRelativeLinksAreShownByTheirText(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"See [the settings](configuration.md) and [the shop](https://example.org/shop).": "See the settings and the shop https://example.org/shop.",
		"[a](a.md#x \"t\") and [b](<../b/c d.md>).":                                      "a and b.",
		"An [oil page][oil], a [note].\n\n[oil]: oil.md \"Oil\"\n[note]: /note":          "An oil page, a note.",
		"*see [a](a.md)* and **[b](b.md)**":                                              "see a and b",
		"`[a](a.md)` \\[b](b.md)":                                                        "[a](a.md) [b](b.md)",
		"see [https://example.org/x](https://example.org/x).":                            "see https://example.org/x.",
		"see [`example.org/x`](https://example.org/x/).":                                 "see example.org/x.",
		"<https://example.org/x> and https://example.org/y":                              "https://example.org/x and https://example.org/y",
		"![plan](plan.png) [mail](mailto:keeper@example.org)":                            "Image: plan → /plan.png mail mailto:keeper@example.org",
	} {
		p := PreparePage(Page{Source: []byte(in), Doc: &doc.Document{Format: "markdown"}})
		out, err := (&Renderer{}).renderMarkdown(p.markdownOf(0), 100, style.NoColor, false)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(strings.Fields(ansi.Strip(strings.Join(out.lines, " "))), " "); strings.ReplaceAll(got, "*", "") != want {
			t.Errorf("%q\n got %q\nwant %q", in, got, want)
		}
	}
}

// A quote's bar stands before each of its lines, at every width: glamour takes the bar for
// one column, and lines that were wrapped at one more broke again without it.
func TestEachLineOfAQuoteHasItsBar(t *testing.T) {
	t.Parallel()
	const words = "Pair the lamp with a stronger one that the keeper looks at key moments of a night, and of a day."
	for _, src := range []string{"> " + words, "> > " + words, "- > " + words} {
		p := PreparePage(Page{Source: []byte(src), Doc: &doc.Document{Format: "markdown"}})
		for _, kind := range []style.Kind{style.Dark, style.Light, style.NoColor} {
			for width := 20; width < 100; width++ {
				for _, l := range (&Renderer{}).renderPiece(p, 0, width, kind, false).lines {
					if text := ansi.Strip(l); strings.TrimSpace(text) != "" && !strings.ContainsAny(text, "│|") || widget.Width(l) > width {
						t.Fatalf("%q, %s, %d columns: %q", src[:5], kind, width, text)
					}
				}
			}
		}
	}
}

// Each link is found where its text begins, in every family and at every width.
func TestLinksAreFoundWhereTheyBegin(t *testing.T) {
	t.Parallel()
	src := "## A [Aheading](a.md)\n\nText and more text with a [Bword](b.md#x) and [C long link text](https://example.org/c) in 灯芯灯芯灯芯 [Dword](d.md) a line.\n\n" +
		"- item [Eitem](e.md)\n  - inner *[Finner](f.md)*\n\n| a | b |\n| - | - |\n| [Gcell](g.md) | x [Hcell](h.md) |\n\n> quoted [Iquote][i] text https://auto.example/J\n\n[i]: i.md\n"
	p := PreparePage(Page{Source: []byte(src), Doc: &doc.Document{Format: "markdown"}})
	want := "a.md b.md#x https://example.org/c d.md e.md f.md g.md h.md i.md https://auto.example/J"
	for _, kind := range []style.Kind{style.Dark, style.Light, style.NoColor} {
		for _, width := range []int{12, 20, 33, 60, 110} {
			out := (&Renderer{}).renderPiece(p, 0, width, kind, true)
			var targets []string
			for _, l := range out.links {
				targets = append(targets, l.Target)
				shown := ansi.Strip(widget.Columns(out.lines[l.Line], l.Col, 1))
				first := strings.ToUpper(l.Target[:1])
				switch {
				case strings.HasSuffix(l.Target, "/c"):
					first = "C"
				case strings.HasPrefix(l.Target, "https://auto"):
					first = "h"
				}
				if shown != first && shown != "*" && width > 12 { // at 12 columns words are broken too
					t.Errorf("%s, %d columns: %s stands at %q: %q", kind, width, l.Target, shown, ansi.Strip(out.lines[l.Line]))
				}
			}
			if got := strings.Join(targets, " "); got != want {
				t.Errorf("%s, %d columns: the links are %s", kind, width, got)
			}
		}
	}
}

// A wide rendering leaves tables and code at their own width, up to a bound, and
// wraps prose.
func TestWide(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 60)
	row := "| " + strings.Repeat("cell ", 40) + "| [link](x.md) and `code` and more of it |\n"
	p := PreparePage(blocksPage(heading("Prose"), doc.Block{Kind: doc.Paragraph, Text: long + "\n"},
		doc.Block{Kind: doc.Table, Text: "| a | b |\n| --- | --- |\n" + row + "| x | y |\n"},
		doc.Block{Kind: doc.Table, Text: "| a | b |\n| --- | --- |\n| x | y |\n"},
		heading("Code"), doc.Block{Kind: doc.List, Text: "1. step:\n\n   ```sh\n   " + strings.Repeat("step ", 50) + "end\n   ```\n\n2. more\n"},
		doc.Block{Kind: doc.Code, Text: "```sh\nrun " + strings.Repeat("--flag ", 30) + "end\n" + strings.Repeat("x", 900) + "\n```\n"}))
	widest := func(piece int, wide bool) int {
		n := 0
		for _, l := range (&Renderer{}).renderPiece(p, piece, 60, style.Dark, wide).lines {
			n = max(n, widget.Width(l))
		}
		return n
	}
	var got []string
	for i := range p.pieces {
		got = append(got, fmt.Sprint(widest(i, true)))
		if n := widest(i, false); n > 60 {
			t.Errorf("piece %d has %d columns where 60 were given", i, n)
		}
	}
	if s := strings.Join(got, " "); s != "238 400" {
		t.Errorf("the pieces are %s columns wide", s)
	}
	all := (&Renderer{}).renderPiece(p, 0, 60, style.NoColor, true).lines
	for _, l := range all {
		if strings.Contains(l, "word") && widget.Width(l) > 60 {
			t.Errorf("prose is not wrapped: %q", l)
		}
	}
	table := strings.Join(all, "\n")
	if code := strings.Join((&Renderer{}).renderPiece(p, 1, 60, style.NoColor, true).lines, "\n"); !strings.Contains(code,
		strings.Repeat("step ", 50)+"end\n") {
		t.Errorf("the code in the list is broken:\n%s", code)
	}
	if !strings.Contains(table, strings.TrimSpace(strings.Repeat("cell ", 40))) || !strings.Contains(table, "code and more of it") {
		t.Errorf("the table is broken:\n%s", table)
	}
}

// The text that is searched is the text that is shown.
func TestPlain(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"## A *b* `c`\n":                         "A b c",
		"one **two**\nthree":                     "one two three",
		"[a](x.md) [b](https://e.org) &amp; \\*": "a b https://e.org & *",
		"| a | b |\n| - | - |\n| c | [d](e) |":   "a b c d",
		"```go\nf(\"x\")\n```":                   "f(\"x\")",
		"- a\n- b\n  1. c":                       "a b c",
	} {
		p := PreparePage(Page{Source: []byte(in), Doc: &doc.Document{Format: "markdown"}})
		if got := strings.Join(strings.Fields(p.plainText(0)), " "); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

// A sign that wrapping leaves behind the end of a line goes to the next one with its word, and never
// by itself: a line that was a full stop alone stood below paragraphs, quotations and items, at the
// widths at which their last word just fits.
func TestNoLineIsASignAlone(t *testing.T) {
	t.Parallel()
	const words = "The keeper reads [the book of lamps](lamps.md), `wick.height`; then the [shop](https://example.org/shop)."
	for _, src := range []string{words, "> " + words, "- " + words, "12. " + words, "- > " + words, "*" + words + "*",
		"Lamp\n: " + words, "<div>" + words + "</div>", "- item\n\n  <p>" + words + "</p>"} {
		p := PreparePage(Page{Source: []byte(src), Doc: &doc.Document{Format: "markdown"}})
		for _, kind := range []style.Kind{style.Dark, style.NoColor} {
			for width := 40; width < 110; width++ {
				for _, l := range (&Renderer{}).renderPiece(p, 0, width, kind, false).lines {
					text := strings.Trim(ansi.Strip(l), " │|")
					if text != "" && !strings.ContainsFunc(text, unicode.IsLetter) || widget.Width(l) > width {
						t.Fatalf("%q, %s, %d columns: %q", src[:5], kind, width, ansi.Strip(l))
					}
				}
			}
		}
	}
}

// The rows of a table that is as wide as tables can be are lines: what stands before them had their
// ends broken off, a line of its own below each.
func TestTheWidestTableIsNotBroken(t *testing.T) {
	t.Parallel()
	cell := strings.Repeat("a wick of cotton ", 40)
	table := "| lamp | wick |\n| --- | --- |\n| big | " + cell + "|\n| small | " + cell + "|\n"
	for _, src := range []string{table, "> " + strings.ReplaceAll(strings.TrimSpace(table), "\n", "\n> ")} {
		p := PreparePage(Page{Source: []byte(src), Doc: &doc.Document{Format: "markdown"}})
		for _, l := range (&Renderer{}).renderPiece(p, 0, 60, style.Dark, true).lines {
			text := strings.TrimSpace(ansi.Strip(l))
			if strings.HasPrefix(src, ">") {
				text = strings.TrimPrefix(text, "│")
			}
			if text != "" && !strings.ContainsAny(text, "│┼") {
				t.Errorf("%.20q has the line %q", src, l)
			}
		}
	}
}
