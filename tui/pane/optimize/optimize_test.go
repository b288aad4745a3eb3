package optimize_test

import (
	"strings"
	"testing"

	"docent/pipeline"
	"docent/tui/keymap"
	"docent/tui/pane/optimize"
	"docent/tui/style"
	"docent/tui/tuitest"
)

func TestPane(t *testing.T) {
	t.Parallel()
	req := pipeline.Request{Question: "how do I trim a wick"}
	res := tuitest.Result(t, &tuitest.Backend{}, req)
	st := style.New(true, true)
	p := optimize.New(st)
	p.SetSize(70, 22)
	p.SetResult(pipeline.Result{}, req)
	if got := tuitest.View(t, p.View(), 70, 22); !strings.Contains(got, "not run yet") {
		t.Errorf("before a run it shows\n%s", got)
	}
	p.SetResult(res, req)
	tuitest.Golden(t, "wide", tuitest.View(t, p.View(), 70, 22))
	p.SetSize(38, 9)
	tuitest.Golden(t, "narrow", tuitest.View(t, p.View(), 38, 9))

	// It scrolls to its end and back.
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
