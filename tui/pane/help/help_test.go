package help_test

import (
	"strings"
	"testing"

	"docent/tui/keymap"
	"docent/tui/pane/help"
	"docent/tui/style"
	"docent/tui/tuitest"
)

// The help lists every key of the table, and why one does not work.
func TestHelp(t *testing.T) {
	t.Parallel()
	p := help.New(style.New(true, true))
	p.SetSize(78, 220)
	p.Show(keymap.Default(), keymap.NeedReady|keymap.NeedResult)
	view := tuitest.View(t, p.View(), 78, 220)
	for _, b := range keymap.Table() {
		if !strings.Contains(strings.Join(strings.Fields(view), " "), b.Help) || !strings.Contains(view, b.Label) {
			t.Errorf("%s is not in the help", b.Action)
		}
	}
	if n := strings.Count(view, "not now:"); n == 0 || n == len(keymap.Table()) {
		t.Errorf("%d keys say why they do not work", n)
	}
	tuitest.Golden(t, "help", view)
}
