package tui_test

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"docent/tui"
	"docent/tui/tuitest"
)

// What the root does for the reader, told as stories.
func TestReader(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		keys []string
		want []string
		not  []string
	}{
		{"a search", []string{"enter", "/", "s", "t", "e", "p"}, []string{"1/40", "/step", "▸ Step 1:", "enter stay"}, nil},
		{"letters are typed, not done", []string{"enter", "/", "q", "?"}, []string{"/q?", "no match"}, nil},
		{"escape leaves the search line first", []string{"enter", "/", "s", "esc"}, []string{"▸Wicks › Trim a wick", "/ search"},
			[]string{"4 Hits"}},
		{"then the reader", []string{"enter", "/", "s", "esc", "esc"}, []string{"▸4 Hits"}, nil},
		{"then another question can be asked", []string{"enter", "esc", "/", "q"}, []string{"❯ q "}, nil},
		{"the outline", []string{"enter", "o", "s", "i", "z", "enter"}, []string{"▸Wicks › Wick sizes"}, nil},
		{"a link to another page", []string{"enter", "g", "f", "1"}, []string{"▸Oil and fuel", "# Oil and fuel"}, nil},
		{"and back", []string{"enter", "g", "f", "1", "H"}, []string{"▸Wicks"}, []string{"▸Oil"}},
		{"the next hit on another page", []string{"enter", "}", "}", "}"}, []string{"▸Oil and fuel"}, nil},
		{"the next page", []string{"enter", "("}, []string{"▸Oil and fuel"}, nil},
		{"escape leads back to the hit that was opened", []string{"enter", "(", "esc"},
			[]string{"▸4 Hits", "▸ ● ━━━━━╸ 0.93  Wicks › Trim a wick"}, nil},
		{"the help lies over the reader", []string{"enter", "?", "esc"}, []string{"▸Wicks › Trim a wick"}, []string{"4 Hits"}},
		{"so does the chooser", []string{"enter", "d", "esc", "esc"}, []string{"▸4 Hits"}, nil},
		{"a page can be left out where it is that of the hit", []string{"enter", "x"}, []string{"left out: Wicks"}, nil},
		{"another page that was found too", []string{"enter", "(", "x"}, []string{"left out: Oil and fuel"}, nil},
		{"a page from the answer", []string{"8", "enter", "x"}, []string{"left out: "}, []string{"there is no hit"}},
		{"space is a page down", []string{"enter", "space"}, []string{"## Replace a wick", "Step 1:"}, []string{"Let the lantern cool"}},
		{"no editor", []string{"enter", "e"}, []string{"e: no editor is known: set VISUAL or EDITOR"}, nil},
		{"no browser", []string{"enter", "u"}, []string{"u: no program was found that opens a browser"}, nil},
		{"paste into the search line", []string{"enter", "/", "paste:finger's"}, []string{"/finger's", "1/40"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := asked(t, tuitest.Options(&tuitest.Backend{}), 80, 24)
			for _, k := range tt.keys {
				if text, ok := strings.CutPrefix(k, "paste:"); ok {
					d.Send(tea.PasteMsg{Content: text})
					d.Settle()
					continue
				}
				d.Keys(k)
			}
			contains(t, d.Screen(), tt.want...)
			lacks(t, d.Screen(), tt.not...)
		})
	}
}

// The cursor stands in the search line and in the outline's.
func TestReaderCursor(t *testing.T) {
	t.Parallel()
	d := asked(t, tuitest.Options(&tuitest.Backend{}), 80, 24)
	d.Keys("enter", "/", "a", "b")
	if c := d.Model.View().Cursor; c == nil || c.X != 5 || c.Y != 20 {
		t.Errorf("the cursor stands at %+v:\n%s", c, d.Screen())
	}
	d.Keys("esc", "o", "a")
	if c := d.Model.View().Cursor; c == nil || c.X != 5 || c.Y != 3 {
		t.Errorf("the cursor stands at %+v:\n%s", c, d.Screen())
	}
	if d.Keys("esc"); d.Model.View().Cursor != nil {
		t.Error("the cursor is still there")
	}
}

// The editor and the browser are programs that the root is given; what fails is
// said.
func TestEditorAndBrowser(t *testing.T) {
	t.Parallel()
	asks, fail := "", error(nil)
	options := func() tui.Options {
		opt := tuitest.Options(&tuitest.Backend{})
		opt.Edit = func(_ context.Context, docSet, filePath string, line int) (*exec.Cmd, error) {
			asks = fmt.Sprintf("%s/%s:%d", docSet, filePath, line)
			return exec.Command("true"), fail
		}
		opt.Browse = func(_ context.Context, url string) error {
			asks = url
			return fail
		}
		return opt
	}
	d := asked(t, options(), 80, 24)
	d.Keys("enter", "e")
	if asks != "lantern@2.1/guides/wicks.md:5" {
		t.Errorf("the editor is asked for %s", asks)
	}
	d.Keys("u")
	contains(t, d.Screen(), "u: the page does not say where it is")

	fail = errors.New("it is \x1b[31mgone")
	d.Keys("e")
	contains(t, d.Screen(), "the editor cannot be opened: it is gone")

	// A link out of the doc set is shown before it is followed.
	opt := options()
	opt.Backend = &onePage{Backend: &tuitest.Backend{}, source: "# Wicks\n\n## Trim a wick\n\nSee [the shop](https://shop.example/wicks).\n"}
	d = asked(t, opt, 80, 24)
	d.Keys("enter", "f", "1")
	contains(t, d.Screen(), "open in the browser? enter https://shop.example/wicks")
	d.Keys("enter")
	if asks != "https://shop.example/wicks" {
		t.Errorf("the browser is asked for %s", asks)
	}
	contains(t, d.Screen(), "https://shop.example/wicks was not opened: it is gone")
}

// onePage is a backend that has one page for all.
type onePage struct {
	*tuitest.Backend
	source string
}

func (b *onePage) Page(_ context.Context, _, filePath string) (tui.Page, error) {
	return tui.Page{Doc: tuitest.Parse(filePath, b.source), Source: []byte(b.source)}, nil
}
