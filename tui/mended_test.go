package tui_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"docent/tui"
	"docent/tui/tuitest"
)

// Terminals paste line ends as carriage returns: words of two lines stay two.
func TestPastedLines(t *testing.T) {
	t.Parallel()
	d := tuitest.Start(t, tuitest.Options(&tuitest.Backend{}), 80, 24)
	for _, text := range []string{"trim\ra", "\r\nwick", "\nnow\r"} {
		d.Send(tea.PasteMsg{Content: text})
		d.Settle()
	}
	contains(t, d.Screen(), "❯ trim a wick now")
}

// The page that is read stays where it is when the screen changes its width, and is
// rendered for it at once.
func TestResizeKeepsThePlace(t *testing.T) {
	t.Parallel()
	d := asked(t, tuitest.Options(&tuitest.Backend{}), 80, 24)
	d.Keys("enter", "j", "j", "j", "j", "j")
	top := strings.TrimSpace(strings.Split(d.Screen(), "\n")[3])
	for _, w := range []int{81, 120, 60, 100, 80} {
		d.Resize(w, 24)
		d.Settle()
		lacks(t, d.Screen(), "```")
	}
	if got := strings.TrimSpace(strings.Split(d.Screen(), "\n")[3]); got != top {
		t.Errorf("at the top stood %q, now %q", top, got)
	}
}

// A fault of the look is reported, and the rest works.
func TestNotice(t *testing.T) {
	t.Parallel()
	opt := tuitest.Options(&tuitest.Backend{})
	opt.Notice = "tui.theme: \"pink\" is none of them"
	contains(t, tuitest.Start(t, opt, 80, 24).Screen(), "! tui.theme", "3 doc sets")
}

// A long message keeps its end, where the reason stands.
func TestLongMessages(t *testing.T) {
	t.Parallel()
	m := &memory{err: errLong}
	d := kept(t, m)
	d.Keys("ctrl+s")
	contains(t, d.Screen(), "✗ the session was not", "no space left on device")
}

var errLong = longError{}

type longError struct{}

func (longError) Error() string {
	return "the session was not saved: write " + strings.Repeat("/a-long-folder", 12) + ": no space left on device"
}

var _ tui.Keeper = (*memory)(nil)
