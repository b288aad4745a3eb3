package sets_test

import (
	"slices"
	"testing"

	"docent/pipeline/service/library"
	"docent/store/doc"
	"docent/tui/keymap"
	"docent/tui/pane/sets"
	"docent/tui/style"
	"docent/tui/tuitest"
)

func TestPick(t *testing.T) {
	t.Parallel()
	p := sets.New(style.New(true, true))
	p.SetSize(60, 5)
	p.Update(keymap.Pick)
	tuitest.Golden(t, "empty", tuitest.View(t, p.View(), 60, 5))
	p.SetSets([]library.ListedSet{
		{Ref: doc.Ref{Name: "a", Version: "1"}, Pages: 3}, {Ref: doc.Ref{Name: "灯笼", Version: "2"}, Pages: 1200, Fresh: library.Stale},
		{Ref: doc.Ref{Name: "c\x1b[31m", Version: "3"}, Pages: 1, Fresh: library.Stale}, {Ref: doc.Ref{Name: "d", Version: "4"},
			Fresh: library.Stale}})
	applied := func() []string { return p.Update(keymap.Apply)().(sets.Applied).Names }
	if got := applied(); len(got) != 0 {
		t.Errorf("nothing was picked, but %v", got)
	}
	for _, a := range []keymap.Action{keymap.Pick, keymap.Down, keymap.Pick, keymap.Bottom, keymap.Pick, keymap.Top, keymap.Pick,
		keymap.PageDown, keymap.HalfUp} {
		p.Update(a)
		tuitest.View(t, p.View(), 60, 5)
	}
	if got := applied(); !slices.Equal(got, []string{"灯笼@2", "d@4"}) {
		t.Errorf("picked %v", got)
	}
	tuitest.Golden(t, "picked", tuitest.View(t, p.View(), 60, 5))
	p.SetPicked([]string{"a@1"})
	if got := applied(); !slices.Equal(got, []string{"a@1"}) {
		t.Errorf("picked %v", got)
	}
	p.SetSize(40, 3)
	p.Update(keymap.Bottom)
	tuitest.View(t, p.View(), 40, 3)
	if len(p.Bindings()) == 0 || len(p.Sets()) != 4 {
		t.Error("keys or sets are lacking")
	}
}
