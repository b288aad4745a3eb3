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
	p.SetSize(78, 280)
	p.ShowKeys(keymap.DefaultMap(), keymap.NeedReady|keymap.NeedResult, keymap.InReader, "the page you are reading")
	view := tuitest.View(t, p.View(), 78, 280)
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

// The keys of the place that a person comes from come first, and searching narrows.
func TestHelpOfAPlace(t *testing.T) {
	t.Parallel()
	p := help.New(style.New(true, true))
	p.SetSize(78, 20)
	p.ShowKeys(keymap.DefaultMap(), keymap.NeedReady|keymap.NeedSection, keymap.InReader, "the page you are reading")
	view := tuitest.View(t, p.View(), 78, 20)
	if !strings.HasPrefix(strings.TrimSpace(view), "Here: the page you are reading") || !strings.Contains(view, "number the links") ||
		strings.Contains(view, "library") {
		t.Errorf("in the reader it begins with\n%s", view)
	}
	if p.Escape() || p.Mode() != keymap.InHelp {
		t.Error("a search is left that was not begun")
	}
	p.Update(keymap.SearchHelp)
	for _, k := range []string{"C", "O", "p", "y", "x"} {
		p.Key(tuitest.Key(k))
	}
	if x, _, ok := p.Cursor(); !ok || x != 8 || p.Mode() != keymap.InHelpFind || !strings.Contains(p.View(), "no key does that") {
		t.Errorf("nothing is found: %d, %v\n%s", x, ok, p.View())
	}
	p.Key(tuitest.Key("backspace"))
	p.Update(keymap.SearchDone)
	view = tuitest.View(t, p.View(), 78, 20)
	if !strings.Contains(view, "copy the section that is read") || strings.Contains(view, "next match") || p.Mode() != keymap.InHelp {
		t.Errorf("what copies is\n%s", view)
	}
	p.Paste(" command")
	if view = p.View(); !strings.Contains(view, "copy the shell command") || strings.Contains(view, "code block") {
		t.Errorf("both words are in\n%s", view)
	}
	if !p.Escape() || strings.Contains(p.View(), "command") {
		t.Errorf("escape leaves\n%s", p.View())
	}
}

// A key that was taken away is listed without one.
func TestHelpWithoutAKey(t *testing.T) {
	t.Parallel()
	keys, problems := keymap.Rebind(map[string][]string{"rerank": {}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	p := help.New(style.New(true, true))
	p.SetSize(78, 30)
	p.ShowKeys(keys, keymap.NeedResult, keymap.InPane, "here")
	for range 30 {
		if strings.Contains(tuitest.View(t, p.View(), 78, 30), "ranking on or off") {
			break
		}
		p.Update(keymap.Down)
	}
	if !strings.Contains(tuitest.View(t, p.View(), 78, 30), "no key        ranking on or off") {
		t.Errorf("it is not in\n%s", tuitest.View(t, p.View(), 78, 30))
	}
}
