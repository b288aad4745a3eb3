package firstrun_test

import (
	"strings"
	"testing"

	"docent/tui/keymap"
	"docent/tui/pane/firstrun"
	"docent/tui/style"
	"docent/tui/tuitest"
)

func pane(w, h int) *firstrun.Pane {
	p := firstrun.New(style.New(true, true), "how do I add a doc set")
	p.SetSize(w, h)
	return p
}

func TestScreens(t *testing.T) {
	t.Parallel()
	p := pane(78, 18)
	tuitest.Golden(t, "looking", tuitest.View(t, p.View(), 78, 18))
	p.SetFolders(nil)
	tuitest.Golden(t, "nothing", tuitest.View(t, p.View(), 78, 18))
	p.SetManual(true)
	p.SetFolders([]firstrun.Folder{{Path: "./docs", Pages: 212}, {Path: "./doc", Pages: 1},
		{Path: "./文档\x1b[31m/" + strings.Repeat("long", 30), Pages: 20000, More: true},
		{Path: "/home/ana/lantern", Pages: 230}, {Path: "one too many", Pages: 1}})
	p.SetFoot([]string{"", " ● adding ./docs"})
	tuitest.Golden(t, "all", tuitest.View(t, p.View(), 78, 18))
	p.SetSize(38, 6) // the cursor's line is seen on the smallest screen
	for _, mark := range []string{"▸ 1", "▸ 2", "▸ 3", "▸ 4", "▸ a", "▸ m", "▸ t"} {
		if v := tuitest.View(t, p.View(), 38, 6); !strings.Contains(v, mark) {
			t.Errorf("%s is not seen:\n%s", mark, v)
		}
		p.Update(keymap.Down)
	}
}

func TestChoices(t *testing.T) {
	t.Parallel()
	tests := []struct {
		keys []keymap.Action
		want firstrun.Chosen
	}{
		{nil, firstrun.Chosen{Action: keymap.NthFolder, Path: "./docs"}},
		{[]keymap.Action{keymap.Down}, firstrun.Chosen{Action: keymap.NthFolder, Path: "./doc"}},
		{[]keymap.Action{keymap.Down, keymap.Down}, firstrun.Chosen{Action: keymap.AddSet}},
		{[]keymap.Action{keymap.Bottom, keymap.Up}, firstrun.Chosen{Action: keymap.Sample}},
		{[]keymap.Action{keymap.Bottom, keymap.Down}, firstrun.Chosen{Action: keymap.Tour}},
		{[]keymap.Action{keymap.Bottom, keymap.Top, keymap.Up}, firstrun.Chosen{Action: keymap.NthFolder, Path: "./docs"}},
	}
	for _, tt := range tests {
		p := pane(78, 18)
		p.SetManual(true)
		p.SetFolders([]firstrun.Folder{{Path: "./docs", Pages: 212}, {Path: "./doc", Pages: 1}})
		for _, a := range tt.keys {
			p.Update(a)
		}
		if got := p.Update(keymap.Choose)(); got != tt.want {
			t.Errorf("%v chooses %+v, want %+v", tt.keys, got, tt.want)
		}
	}
	p := pane(78, 18)
	p.SetManual(true)
	p.Update(keymap.Down) // try the manual, before the folders are known
	p.SetFolders([]firstrun.Folder{{Path: "./docs", Pages: 212}})
	if got := p.Update(keymap.Choose)(); got != (firstrun.Chosen{Action: keymap.Sample}) {
		t.Errorf("folders that came late moved the cursor to %+v", got)
	}
	if _, ok := p.NthFolder(2); ok {
		t.Error("there is a second folder")
	}
	if f, ok := p.NthFolder(1); !ok || f.Path != "./docs" {
		t.Errorf("the first folder is %+v", f)
	}
}
