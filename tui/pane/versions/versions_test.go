package versions_test

import (
	"context"
	"errors"
	"testing"

	tea "charm.land/bubbletea/v2"

	"docent/tui/keymap"
	"docent/tui/pane/versions"
	"docent/tui/style"
	"docent/tui/tuitest"
)

func compared(t *testing.T) versions.Comparison {
	t.Helper()
	c, err := (&tuitest.Backend{}).Compare(context.Background(), "lantern@1.9", 0)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// reads gives the pane what it wants.
func reads(t *testing.T, p *versions.Pane, cmd tea.Cmd) {
	t.Helper()
	want, ok := tuitest.Intent(cmd).(versions.LinesWanted)
	if !ok {
		t.Fatal("nothing is to be read")
	}
	sections, err := (&tuitest.Backend{}).CompareLines(context.Background(), want.Comparison, want.Page)
	p.SetSections(want.Page, sections, err)
}

func TestUnfolding(t *testing.T) {
	t.Parallel()
	p := versions.New(style.New(true, true))
	p.SetSize(60, 14)
	p.Begin()
	tuitest.Golden(t, "comparing", tuitest.View(t, p.View(), 60, 14))
	p.Set(compared(t), "", nil)
	tuitest.Golden(t, "pages", tuitest.View(t, p.View(), 60, 14))

	cmd := p.Update(keymap.Open)
	tuitest.Golden(t, "reading", tuitest.View(t, p.View(), 60, 14))
	if p.Update(keymap.Unfold) != nil {
		t.Error("the page is read twice")
	}
	reads(t, p, cmd)
	p.Update(keymap.Down)
	p.Update(keymap.Open)
	tuitest.Golden(t, "lines", tuitest.View(t, p.View(), 60, 14))
	p.SetSize(100, 30)
	tuitest.Golden(t, "lines-wide", tuitest.View(t, p.View(), 100, 30))

	p.Update(keymap.Down)
	opened, ok := tuitest.Intent(p.Update(keymap.Open)).(versions.Opened)
	if !ok || opened.Place.Line != 1 || opened.Place.FilePath != "guides/oil.md" {
		t.Errorf("a line opens %+v", opened)
	}
	p.SetSize(60, 14)
	p.Update(keymap.Fold) // the section
	p.Update(keymap.Fold) // the page
	tuitest.Golden(t, "folded", tuitest.View(t, p.View(), 60, 14))
	if _, ok := tuitest.Intent(p.Update(keymap.Versions)).(versions.NextWanted); !ok {
		t.Error("no other versions are wanted")
	}
	if len(p.Bindings()) == 0 || !p.Click(1) {
		t.Error("keys or rows are lacking")
	}
}

// A page that is asked for is unfolded at once.
func TestAtAPage(t *testing.T) {
	t.Parallel()
	p := versions.New(style.New(true, true))
	p.SetSize(60, 14)
	reads(t, p, p.Set(compared(t), "fuel.md", nil))
	tuitest.Golden(t, "at-a-page", tuitest.View(t, p.View(), 60, 14))
}

func TestNothingToShow(t *testing.T) {
	t.Parallel()
	p := versions.New(style.New(true, true))
	p.SetSize(40, 6)
	p.Set(versions.Comparison{}, "", errors.New("lantern@1 is the only version\x1b[2J of lantern; docent add adds another"))
	tuitest.Golden(t, "failed", tuitest.View(t, p.View(), 40, 6))
	p.Set(versions.Comparison{Before: "a@1", After: "a@2", Nothing: "a@1 and a@2 are the same: 4 pages."}, "", nil)
	tuitest.Golden(t, "the-same", tuitest.View(t, p.View(), 40, 6))
	for _, a := range []keymap.Action{keymap.Open, keymap.Unfold, keymap.Fold, keymap.Down, keymap.Bottom} {
		if p.Update(a) != nil {
			t.Errorf("%s does something with nothing", a)
		}
	}
	// The sections of a page that could not be read.
	p.SetSize(60, 10)
	cmd := p.Set(compared(t), "mirrors.md", nil)
	if cmd == nil {
		t.Fatal("nothing is read")
	}
	p.SetSections(3, nil, errors.New("its file is gone"))
	tuitest.Golden(t, "unread", tuitest.View(t, p.View(), 60, 10))
}
