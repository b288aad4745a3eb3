package tui_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"docent/tui/tuitest"
)

// In the reader the keys that copy mean the page and the section that is read. They
// used to copy the block and the citations of the question that was asked before, and
// said that they had copied "the citation".
func TestReaderCitesWhatIsRead(t *testing.T) {
	t.Parallel()
	begin := func(question bool) (*tuitest.Driver, *string) {
		var copied string
		opt := tuitest.Options(&tuitest.Backend{})
		opt.CopyNative = func(_ context.Context, text string) (string, error) { copied = text; return "xclip", nil }
		if question {
			return asked(t, opt, 100, 30), &copied
		}
		return tuitest.Start(t, opt, 100, 30), &copied
	}
	for _, tt := range []struct {
		name     string
		question bool
		keys     []string
		says     string
		copied   []string
	}{
		{"the hit's section", true, []string{"enter", "Y"}, "✓ copied the source of “Trim a wick”",
			[]string{"Wicks › Trim a wick, lantern@2.1/guides/wicks.md, lines 5–24"}},
		{"another section of it", true, []string{"enter", "]", "Y"}, "of “Replace a wick”",
			[]string{"Wicks › Replace a wick, lantern@2.1/guides/wicks.md, lines 25–"}},
		{"the next page of the doc set", true, []string{"enter", ")", "Y"}, "✓ copied the source of “",
			[]string{"lantern@2.1/faq.md, lines 1–2"}},
		{"a page from the library", true, []string{"L", "j", "enter", "G", "enter", "Y"}, "✓ copied the source of “",
			[]string{"lantern@2.1/", "lines 1–"}},
		{"its block", true, []string{"L", "j", "enter", "j", "j", "enter", "]", "y"}, "✓ copied the section “Trim a wick”, ",
			[]string{"=== AOP-FINAL", "## Trim a wick", "Wicks › Trim a wick, lantern@2.1/guides/wicks.md, lines 5–24"}},
		{"its text", true, []string{"enter", "]", "t"}, "✓ copied the section “Replace a wick”, ", []string{"## Replace a wick\n"}},
		{"without a question", false, []string{"ctrl+l", "j", "enter", "j", "j", "enter", "]", "y"}, "✓ copied the section “Trim a wick”, ",
			[]string{"=== AOP-FINAL", "## Trim a wick"}},
		{"its citation without a question", false, []string{"ctrl+l", "j", "enter", "j", "j", "enter", "]", "Y"},
			"✓ copied the source of “Trim a wick”",
			[]string{"Wicks › Trim a wick, "}},
		{"back at the hits it is the block", true, []string{"enter", "]", "esc", "y"}, "✓ copied the answer, 125 lines of 3 pages",
			[]string{"Oil and fuel"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d, copied := begin(tt.question)
			d.Keys(tt.keys...)
			contains(t, d.Screen(), tt.says)
			for _, want := range tt.copied {
				if !strings.Contains(*copied, want) {
					t.Errorf("%q was not copied:\n%s", want, *copied)
				}
			}
		})
	}
}

// A section that cannot be cited is not copied, and the app says why.
func TestReaderCannotCite(t *testing.T) {
	t.Parallel()
	b := &tuitest.Backend{}
	d := asked(t, tuitest.Options(b), 100, 30)
	d.Keys("enter")
	b.PageErr = errors.New("Wicks changed since it was read; open it again")
	d.Keys("y")
	contains(t, d.Screen(), "✗ nothing was copied: Wicks changed since it was read; open it again")
	lacks(t, d.Screen(), "✓")
}
