package picker_test

import (
	"strings"
	"testing"

	"docent/tui/keymap"
	"docent/tui/pane/picker"
	"docent/tui/style"
	"docent/tui/tuitest"
)

func list(w, h int) *picker.Pane {
	p := picker.New(style.New(true, true))
	p.SetSize(w, h)
	p.ShowItems("kind", "Title", "nothing yet", []picker.Item{{ID: "1", Text: "copy final"}, {ID: "2", Text: "copy code", Disabled: "no code"},
		{ID: "3", Text: "灯芯", Detail: "2026"}})
	return p
}

// Typing narrows the list by its letters; taking and removing name the item and
// the kind of the list.
func TestTypeAndTake(t *testing.T) {
	t.Parallel()
	p := list(60, 10)
	if !p.Paste("cpcd") {
		t.Error("a text is not taken")
	}
	if it, ok := p.Selected(); !ok || it.ID != "2" {
		t.Errorf("cpcd finds %+v, %v", it, ok)
	}
	if v := tuitest.View(t, p.View(), 60, 10); !strings.Contains(v, "not now: no code") || strings.Contains(v, "灯芯") {
		t.Errorf("it shows\n%s", v)
	}
	if got, ok := tuitest.Intent(p.Update(keymap.TakeItem)).(picker.Picked); !ok || got.Kind != "kind" || got.Item.ID != "2" {
		t.Errorf("enter gives %+v", got)
	}
	p.Key(tuitest.Key("ctrl+u"))
	p.Paste("code co")
	if v := tuitest.View(t, p.View(), 60, 10); !strings.Contains(v, "copy code") || strings.Contains(v, "copy final") {
		t.Errorf("the words as they stand do not come alone:\n%s", v)
	}
	if p.Key(tuitest.Key("left")) {
		t.Error("moving in the line counts as typing")
	}
	p.Key(tuitest.Key("ctrl+u"))
	p.Paste("no such thing")
	for _, a := range []keymap.Action{keymap.TakeItem, keymap.RemoveItem} {
		if got := tuitest.Intent(p.Update(a)); got != nil {
			t.Errorf("%s of nothing gives %+v", a, got)
		}
	}
	if v := p.View(); !strings.Contains(v, "nothing matches") {
		t.Errorf("it shows\n%s", v)
	}
}

// Letters that stand in a long text by chance do not find it: enter would do something else than was
// meant.
func TestScatteredLettersFindNothing(t *testing.T) {
	t.Parallel()
	p := picker.New(style.New(true, true))
	p.SetSize(80, 10)
	p.ShowItems("kind", "Title", "", []picker.Item{{ID: "suspend", Text: "suspend the app; fg in the shell goes on"},
		{ID: "library", Text: "the library: doc sets and their pages"}, {ID: "oil", Text: "öl über die Dochte gießen"}})
	for typed, want := range map[string]string{
		"sess": "", "libary": "library", "tlds": "library", "susapp": "suspend", "suapsh": "suspend", "ölübgieß": "oil", "ledoap": "",
	} {
		p.Key(tuitest.Key("ctrl+u"))
		p.Paste(typed)
		if it, _ := p.Selected(); it.ID != want {
			t.Errorf("%s finds %q, want %q", typed, it.ID, want)
		}
	}
}

// The cursor stops at both ends, and keeps to the list when that gets shorter.
func TestMove(t *testing.T) {
	t.Parallel()
	p := list(60, 4) // two rows
	for _, step := range []struct {
		do   keymap.Action
		want string
	}{{keymap.PickUp, "1"}, {keymap.PickDown, "2"}, {keymap.PickDown, "3"}, {keymap.PickDown, "3"}, {keymap.Top, "1"}, {keymap.PageDown,
		"2"}, {keymap.Bottom, "3"}} {
		p.Update(step.do)
		if it, _ := p.Selected(); it.ID != step.want {
			t.Errorf("%s leads to %q, not %s", step.do, it.ID, step.want)
		}
		if v := tuitest.View(t, p.View(), 60, 4); !strings.Contains(v, "▸") {
			t.Errorf("the cursor is not seen:\n%s", v)
		}
	}
	if got, ok := tuitest.Intent(p.Update(keymap.RemoveItem)).(picker.Deleted); !ok || got.Item.ID != "3" {
		t.Errorf("it removes %+v", got)
	}
	p.SetItems("kind", []picker.Item{{ID: "9", Text: "only"}})
	if it, ok := p.Selected(); !ok || it.ID != "9" {
		t.Errorf("the cursor is on %+v, %v", it, ok)
	}
	p.SetItems("another list", nil) // comes too late
	if _, ok := p.Selected(); !ok {
		t.Error("the items of another list are taken")
	}
	if p.Click(1) || p.Click(3) || !p.Click(2) {
		t.Error("clicks do not pick the one item")
	}
	p.SetItems("kind", nil)
	if v := p.View(); !strings.Contains(v, "nothing yet") {
		t.Errorf("an empty list shows\n%s", v)
	}
}

func TestSizes(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{200, 60}, {38, 9}, {12, 3}, {5, 2}, {2, 2}, {1, 1}} {
		w, h := size[0], size[1]
		p := list(w, h)
		p.SetItems("kind", []picker.Item{{Text: strings.Repeat("long ", 90), Detail: "d", Key: "ctrl+alt+f12"},
			{Text: "हिन्दी👩‍🔧", Disabled: "灯"}, {}})
		for range 3 {
			tuitest.View(t, p.View(), w, h)
			p.Update(keymap.PickDown)
		}
		p.SetItems("kind", nil)
		tuitest.View(t, p.View(), w, h)
		if t.Failed() {
			t.Fatalf("at %dx%d", w, h)
		}
	}
}
