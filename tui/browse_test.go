package tui_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/tui/tuitest"
)

// returning is what somebody left behind who comes back.
func returning() *memory {
	at := func(d time.Duration) time.Time { return tuitest.Now.Add(-d) }
	trim := pipeline.Place{DocSet: tuitest.Set, FilePath: "guides/wicks.md", Title: "Wicks", Path: []string{"Wicks", "Trim a wick"},
		Anchor: "trim-a-wick", Line: 9, At: at(5 * time.Minute)}
	return &memory{questions: []string{"what burns longest", "how do I trim a wick"},
		places: pipeline.Places{
			Read: []pipeline.Place{
				{DocSet: tuitest.Set, FilePath: "guides/wicks.md", Title: "Wicks", Path: []string{"Wicks", "Replace a wick"}, Anchor: "replace-a-wick",
					Line: 61, At: at(5 * time.Minute)},
				{DocSet: "harbour@0.9", FilePath: "ops/signal.md", Title: "Signals", Line: 1, At: at(26 * time.Hour)},
			},
			Marked: []pipeline.Place{trim},
		}}
}

func back(t *testing.T, m *memory, b *tuitest.Backend, w, h int) *tuitest.Driver {
	t.Helper()
	opt := tuitest.Options(b)
	opt.Keeper = m
	return tuitest.Start(t, opt, w, h)
}

// A person who comes back sees the pages they left, and enter goes on there: at the line.
func TestStart(t *testing.T) {
	t.Parallel()
	m := returning()
	d := back(t, m, &tuitest.Backend{}, 80, 24)
	contains(t, d.Screen(), "Read last  ▸ Wicks › Replace a wick", "5 min ago", "yesterday", "Marked       Wicks › Trim a wick",
		"Asked last   how do I trim a wick", "harbour@0.9", "2 new, 1 changed", "enter go on")
	lacks(t, d.Screen(), "waiting")
	d.Keys("enter")
	contains(t, d.Screen(), "▸Wicks › Replace a wick", "lines 61–", "lantern@2.1 › guides/wicks.md")
	d.Keys("pgdown", "esc")
	if at := m.places.Read[0]; at.FilePath != "guides/wicks.md" || at.Line < 70 || !at.At.Equal(tuitest.Now) {
		t.Errorf("the page was left at %+v", at)
	}
	contains(t, d.Screen(), "just now")
	d.Keys("down", "enter")
	contains(t, d.Screen(), "▸Signals", "harbour@0.9 › ops/signal.md")
	d.Keys("q", "down", "down", "enter") // the mark
	contains(t, d.Screen(), "▸Wicks › Trim a wick", "★")
	d.Keys("q", "down", "down", "enter")
	contains(t, d.Screen(), "7 of 9 sections kept", "❯ what burns longest")
}

// The keys of the list work with the keyboard on it, too; a doc set opens its pages,
// and a click opens what it hits.
func TestStartByKeysAndMouse(t *testing.T) {
	t.Parallel()
	d := back(t, returning(), &tuitest.Backend{}, 80, 24)
	d.Keys("tab", "G", "k", "enter")
	contains(t, d.Screen(), "▸Library › 灯笼@latest")
	d.Keys("esc", "esc", "g", "l")
	contains(t, d.Screen(), "▸Wicks")
	d.Keys("q")
	for y, l := range strings.Split(d.Screen(), "\n") {
		if strings.Contains(l, "Signals") {
			d.Send(tea.MouseClickMsg{X: 20, Y: y, Button: tea.MouseLeft})
			d.Settle()
			contains(t, d.Screen(), "▸Signals")
			return
		}
	}
	t.Error("Signals is not listed")
}

// Before the doc sets are open nothing can be gone on with: neither by enter nor by a
// click.
func TestStartBeforeItIsReady(t *testing.T) {
	t.Parallel()
	d := back(t, returning(), &tuitest.Backend{ReadyErr: errors.New("the home is locked")}, 80, 24)
	d.Keys("enter")
	d.Send(tea.MouseClickMsg{X: 20, Y: 5, Button: tea.MouseLeft})
	d.Settle()
	contains(t, d.Screen(), "Read last", "▸ Wicks › Replace a wick")
	lacks(t, d.Screen(), "lines 61")
}

// Enter on a row while the doc sets are still being opened waits for them; esc takes it back,
// and a text that is typed behind it stays a text.
func TestStartWaitsForTheDocSets(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		keys []string
		says string
		then []string
	}{
		{"it goes on", nil, "as soon as the doc sets are open", []string{"lines 61"}},
		{"taken back", []string{"esc"}, "it stays here", []string{"Read last  ▸", "3 doc sets"}},
		{"a text", []string{"w", "i", "c", "k"}, "❯ wick", []string{"❯ wick", "3 doc sets"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := &slowBackend{Backend: &tuitest.Backend{}, gate: make(chan struct{})}
			opt := tuitest.Options(b)
			opt.Keeper = returning()
			d := async(t, opt, 80, 24)
			d.Until(func(s string) bool { return strings.Contains(s, "Read last") && strings.Contains(s, "indexing") })
			d.Keys(append([]string{"enter"}, tt.keys...)...)
			d.Until(func(s string) bool { return strings.Contains(s, tt.says) })
			close(b.gate)
			for _, part := range tt.then {
				d.Until(func(s string) bool { return strings.Contains(s, part) })
			}
		})
	}
}

// Above the first row the arrows lead to the questions asked before, as anywhere.
func TestStartAndHistory(t *testing.T) {
	t.Parallel()
	d := back(t, returning(), &tuitest.Backend{}, 80, 24)
	d.Keys("up")
	contains(t, d.Screen(), "❯ how do I trim a wick")
	d.Keys("up", "down", "down")
	contains(t, d.Screen(), "❯ ask the documentation")
}

// A row that is listed while one types can be opened: by the arrows and enter, or a click.
// Typing goes back to asking.
func TestSuggestionsOpen(t *testing.T) {
	t.Parallel()
	d := tuitest.Start(t, tuitest.Options(&tuitest.Backend{Suggests: true}), 80, 24)
	d.Type("wick")
	contains(t, d.Screen(), "↓ chooses, enter asks", "  Wicks", "Wicks › Trim a wick") // the names are found, too
	d.Keys("down", "down")
	contains(t, d.Screen(), "▸ Wicks › ", "enter opens it")
	d.Keys("enter")
	contains(t, d.Screen(), "▸Wicks › ", "lantern@2.1 › guides/wicks.md")
	d.Keys("esc")
	contains(t, d.Screen(), "❯ wick", "enter opens it")
	d.Keys("esc")
	contains(t, d.Screen(), "enter asks")
	d.Send(tea.MouseClickMsg{X: 10, Y: 3, Button: tea.MouseLeft})
	d.Settle()
	contains(t, d.Screen(), "▸Wicks")
	d.Keys("esc", "esc", "down")
	d.Type("s")
	contains(t, d.Screen(), "enter asks")
	d.Keys("enter")
	contains(t, d.Screen(), "7 of 9 sections kept")
}

// One key from anywhere: pages, headings and doc sets by parts of their names.
func TestGoTo(t *testing.T) {
	t.Parallel()
	d := asked(t, tuitest.Options(&tuitest.Backend{}), 80, 24)
	d.Keys("ctrl+k")
	contains(t, d.Screen(), "▸Go to a page", "harbour@0.9", "112 pages") // nothing was read yet
	d.Type("trm wi")
	contains(t, d.Screen(), "▸ # Trim a wick", "1 found")
	d.Keys("enter")
	contains(t, d.Screen(), "▸Wicks › Trim a wick", "guides/wicks.md")
	// From the reader it is a jump, from which H leads back.
	d.Keys("ctrl+k")
	d.Type("signals")
	d.Keys("enter")
	contains(t, d.Screen(), "▸Signals", "harbour@0.9 › ops/signal.md")
	d.Keys("H")
	contains(t, d.Screen(), "▸Wicks › Trim a wick")
	d.Keys("esc")
	contains(t, d.Screen(), "7 of 9 sections kept")
	// A doc set opens the library; the pages read are listed before anything is typed.
	d.Keys("L", "ctrl+k")
	contains(t, d.Screen(), "▸ Wicks", "just now")
	d.Type("灯笼@")
	d.Keys("enter")
	contains(t, d.Screen(), "▸Library › 灯笼@latest")
	d.Keys("ctrl+k", "esc")
	contains(t, d.Screen(), "▸Library › 灯笼@latest")
	// What no name has is asked as a question.
	d.Keys("ctrl+k")
	d.Type("zzz")
	contains(t, d.Screen(), "enter asks it as a")
	d.Keys("enter")
	contains(t, d.Screen(), "❯ zzz", "7 of 9 sections kept")
}

// The launcher shows the page next to the list where there is room, and takes clicks.
func TestGoToBeside(t *testing.T) {
	t.Parallel()
	d := tuitest.Start(t, tuitest.Options(&tuitest.Backend{}), 120, 30)
	d.Keys("ctrl+k")
	d.Type("wick")
	contains(t, d.Screen(), "▸ Wicks", "Everything about wicks", "lantern@2.1 › guides/wicks.md")
	d.Keys("down")
	d.Send(tea.MouseClickMsg{X: 10, Y: 5, Button: tea.MouseLeft})
	d.Settle()
	contains(t, d.Screen(), "▸Wicks")

	d = tuitest.Start(t, tuitest.Options(&tuitest.Backend{TitlesErr: errors.New("the catalog is \x1b[31mlocked")}), 80, 24)
	d.Keys("ctrl+k")
	d.Type("wick")
	contains(t, d.Screen(), "the names of the pages cannot be read: the catalog is locked")
}

// Marks stay: the next start has them.
func TestMarksStay(t *testing.T) {
	t.Parallel()
	m := &memory{}
	d := kept(t, m)
	d.Keys("enter", "]", "m")
	contains(t, d.Screen(), "✓ marked “Wicks › Replace a wick”; ' lists the marks", "★ · lines")
	d.Keys("q", "'")
	contains(t, d.Screen(), "▸Marks", "Wicks › Replace a wick")

	d = back(t, m, &tuitest.Backend{}, 80, 24)
	contains(t, d.Screen(), "Marked       Wicks › Replace a wick")
	d.Keys("tab", "'", "enter")
	contains(t, d.Screen(), "▸Wicks › Replace a wick")
	d.Keys("m")
	contains(t, d.Screen(), "no longer marked")
	d.Keys("m", "q", "'", "ctrl+d")
	contains(t, d.Screen(), "nothing is marked yet")
	if len(m.places.Marked) > 0 {
		t.Errorf("kept: %+v", m.places.Marked)
	}
}

// A page that cannot be kept is reported once, and reading goes on.
func TestPlacesThatCannotBeKept(t *testing.T) {
	t.Parallel()
	m := &memory{err: errors.New("the disk is full")}
	d := back(t, m, &tuitest.Backend{}, 120, 24)
	contains(t, d.Screen(), "! the pages read and the marks cannot be read: the disk is full")
	d.Keys("ctrl+k")
	d.Type("wick")
	d.Keys("enter")
	contains(t, d.Screen(), "▸Wicks")
	d.Keys("m")
	contains(t, d.Screen(), "! the mark is not kept when docent ends: the disk is full")
}

// Where a page is read when the app is left, it is opened again.
func TestQuittingKeepsThePlace(t *testing.T) {
	t.Parallel()
	m := &memory{}
	d := kept(t, m)
	d.Keys("enter", "pgdown", "ctrl+c")
	if at := m.places.Read[0]; !d.Quit || at.FilePath != "guides/wicks.md" || at.Line < 20 {
		t.Errorf("quit %v, kept %+v", d.Quit, at)
	}
	// Links and neighbours are read, too.
	d = kept(t, m)
	d.Keys("enter", ")", "q")
	if n := len(m.places.Read); n < 2 {
		t.Errorf("%d pages were read", n)
	}
}

// In the library pages that were read and marked say so, and m marks.
func TestLibraryKnowsWhatWasRead(t *testing.T) {
	t.Parallel()
	m := returning()
	d := back(t, m, &tuitest.Backend{}, 80, 24)
	d.Keys("ctrl+k")
	d.Type("lantern@")
	d.Keys("enter")
	contains(t, d.Screen(), "▸Library › lantern@2.1", "read  ★")
	d.Keys("j", "m")
	contains(t, d.Screen(), "✓ marked “Oil and fuel")
	if !m.places.IsMarked(pipeline.Place{DocSet: tuitest.Set, FilePath: "guides/oil.md"}) {
		t.Errorf("marked: %+v", m.places.Marked)
	}
	// The texts are searched in addition to the names.
	d = back(t, m, &tuitest.Backend{Suggests: true}, 120, 24)
	d.Keys("ctrl+k")
	d.Type("harbour@")
	d.Keys("enter", "/")
	d.Type("signals")
	contains(t, d.Screen(), "in the text", "Hang the lantern")
	d.Keys("down", "enter")
	contains(t, d.Screen(), "▸Signals", "harbour@0.9 › ops/signal.md")
}
