package tuitest

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/tui/keymap"
)

// PhasePane is what the panes of the phases have in common.
type PhasePane interface {
	Update(tea.Msg) tea.Cmd
	SetSize(w, h int)
	View() string
	Share() string
	Bindings() []keymap.Binding
}

// Phase tests a phase's pane: before a run, at two sizes (the goldens wide and
// narrow, behind prefix), and scrolling to its end and back. show gives it a result.
func Phase(t *testing.T, prefix string, p PhasePane, req pipeline.Request, show func(pipeline.Result)) {
	t.Helper()
	res := Result(t, &Backend{}, req)
	p.SetSize(70, 22)
	show(pipeline.Result{})
	if got := View(t, p.View(), 70, 22); !strings.Contains(got, "nothing here yet") {
		t.Errorf("before a run it shows\n%s", got)
	}
	show(res)
	Golden(t, prefix+"wide", View(t, p.View(), 70, 22))
	p.SetSize(38, 9)
	Golden(t, prefix+"narrow", View(t, p.View(), 38, 9))

	top := p.View()
	p.Update(keymap.Bottom)
	if p.Share() != "" && p.View() == top {
		t.Error("the end looks like the top")
	}
	p.Update(keymap.Top)
	if p.View() != top {
		t.Error("the top is not found again")
	}
	if len(p.Bindings()) == 0 {
		t.Error("it has no keys")
	}
}

// Shrink draws a phase's pane at sizes from a screen's down to one cell, and
// scrolls it to both ends at each. A view must keep to its size.
func Shrink(t *testing.T, p PhasePane) {
	t.Helper()
	for _, size := range [][2]int{{200, 60}, {80, 24}, {38, 9}, {38, 1}, {20, 5}, {12, 3}, {7, 2}, {5, 40}, {3, 3}, {2, 1}, {1, 24},
		{1, 1}} {
		w, h := size[0], size[1]
		p.SetSize(w, h)
		for _, a := range []keymap.Action{keymap.Top, keymap.Down, keymap.HalfDown, keymap.PageDown, keymap.Bottom, keymap.Up,
			keymap.HalfUp,
			keymap.PageUp, keymap.Top} {
			p.Update(a)
			View(t, p.View(), w, h)
		}
		if t.Failed() {
			t.Fatalf("at %dx%d", w, h)
		}
	}
}

// Intent is the message that a pane's command sends to the root, nil for no
// command.
func Intent(cmd tea.Cmd) tea.Msg {
	if cmd == nil {
		return nil
	}
	return cmd()
}

// Disabled checks the reasons for which a pane's own key does not work: before a
// run, and behind one in which only have is there ("" when it works then).
func Disabled(t *testing.T, p PhasePane, a keymap.Action, have keymap.Need, before, behind string) {
	t.Helper()
	for _, b := range p.Bindings() {
		if b.Action != a {
			continue
		}
		if got := b.Disabled(0); got != before {
			t.Errorf("before a run %s says %q, not %q", a, got, before)
		}
		if got := b.Disabled(have); got != behind {
			t.Errorf("behind a run %s says %q, not %q", a, got, behind)
		}
		return
	}
	t.Errorf("the pane does not know the action %s", a)
}

// NotRun is the reason for which most keys of a phase's pane do not work before a
// run.
const NotRun = "no question has been run yet: type one and press enter"
