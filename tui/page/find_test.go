package page

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"docent/pipeline/text/sanitize"
	"docent/store/doc"
	"docent/tui/style"
	"docent/tui/widget"
)

func markdownPage(src string) *Prepared {
	return PreparePage(Page{Source: []byte(src), Doc: &doc.Document{Format: "markdown"}})
}

func TestFind(t *testing.T) {
	t.Parallel()
	src := "## Wicks\n\nA **wick** burns; the wick, the WICK.\nTwo\nlines here. 修剪灯\n芯,灯芯。\n\n```sh\nwick --trim  --level\n```\n\n| wick | x |\n| - | - |\n| a b | [c](wick.md) |\n"
	p := markdownPage(src)
	for query, want := range map[string]int{
		"wick":         6, // not the link's target, which is not shown
		"WICK":         1,
		"Wick":         1,
		"lines here":   1,
		"two lines":    1, // across lines
		"灯芯":           2, // across lines, without a space
		"trim --level": 1,
		"a b":          1,
		"":             0,
		"   ":          0,
		"nothing":      0,
		"**wick**":     0,
	} {
		got, err := p.Find(context.Background(), query)
		if err != nil || len(got) != want {
			t.Errorf("%q has %d matches, want %d (%v)", query, len(got), want, err)
		}
		// Each match is seen in the rendered text, at any width.
		for _, width := range []int{30, 110} {
			lines := (&Renderer{}).renderPiece(p, 0, width, style.Dark, true).lines
			if spots := FindSpots(lines, query); len(spots) != want {
				t.Errorf("%q at %d columns is shown %d times, want %d:\n%s", query, width, len(spots), want, strings.Join(lines, "\n"))
			}
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := p.Find(ctx, "wick"); err == nil {
		t.Error("a search that is not wanted any more goes on")
	}
}

func TestSpots(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		lines []string
		query string
		want  string
	}{
		{[]string{"a \x1b[31mbc\x1b[m d"}, "bc d", "[{0 [{2 6}]}]"},
		{[]string{"one tw", "  two three"}, "tw two", "[{0 [{4 6} {2 5}]}]"},
		{[]string{"灯", "芯"}, "灯芯", "[{0 [{0 2} {0 2}]}]"},
		{[]string{"aaa"}, "a", "[{0 [{0 1}]} {0 [{1 2}]} {0 [{2 3}]}]"},
		{[]string{"│ quoted", "│ text"}, "quoted text", "[{0 [{2 8} {2 6}]}]"},
		{[]string{"x"}, "y", "[]"},
	} {
		if got := fmt.Sprint(FindSpots(tt.lines, tt.query)); got != tt.want {
			t.Errorf("%q in %q: %s, want %s", tt.query, tt.lines, got, tt.want)
		}
	}
}

// A spot stands where its text is, whatever the lines and however they are cut.
func TestSpotsHoldTheText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.SampledFrom([]string{"wick ", "灯芯", "\x1b[1m", "\x1b[m", "oil", "e\u0301", " "})
		lines := rapid.SliceOf(rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOf(part).Draw(t, "line"), "") })).Draw(t,
			"lines")
		for _, s := range FindSpots(lines, "wick") {
			got := ""
			for i, r := range s.Ranges {
				if r.From >= 0 {
					got += sanitize.KeepStyles(widget.Columns(lines[s.Line+i], r.From, r.To-r.From), false)
				}
			}
			if got != "wick" {
				t.Fatalf("the spot %+v in %q holds %q", s, lines, got)
			}
		}
	})
}

func TestSourceLine(t *testing.T) {
	t.Parallel()
	p := markdownPage("## Wicks\n\nThe first paragraph is here.\n\n- item one\n- item two of the list\n\nThe last paragraph.\n")
	lines := (&Renderer{}).renderPiece(p, 0, 60, style.Dark, true).lines
	for i, l := range lines {
		text := sanitize.KeepStyles(l, false)
		for part, want := range map[string]int{"Wicks": 1, "first paragraph": 3, "item two": 6, "last paragraph": 8} {
			if strings.Contains(text, part) {
				if got := p.SourceLine(0, i, lines); got != want {
					t.Errorf("%q is line %d, want %d", text, got, want)
				}
			}
		}
	}
	if got := p.SourceLine(0, 99, nil); got != 1 {
		t.Errorf("an empty rendering is line %d", got)
	}
}
