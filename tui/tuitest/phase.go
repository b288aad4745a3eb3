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
// narrow), and scrolling to its end and back. show gives it a result.
func Phase(t *testing.T, p PhasePane, req pipeline.Request, show func(pipeline.Result)) {
	t.Helper()
	res := Result(t, &Backend{}, req)
	p.SetSize(70, 22)
	show(pipeline.Result{})
	if got := View(t, p.View(), 70, 22); !strings.Contains(got, "not run yet") {
		t.Errorf("before a run it shows\n%s", got)
	}
	show(res)
	Golden(t, "wide", View(t, p.View(), 70, 22))
	p.SetSize(38, 9)
	Golden(t, "narrow", View(t, p.View(), 38, 9))

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
