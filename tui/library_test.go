package tui_test

import (
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"docent/tui"
	"docent/tui/tuitest"
)

// What keys do in the library, on the first-run screen and in the tour, told as
// stories.
func TestLibraryKeys(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		keys []string
		want []string
		not  []string
	}{
		{"open and leave", []string{"L", "esc"}, []string{"▸4 Hits"}, []string{"Library"}},
		{"from the question line", []string{"/", "ctrl+l"}, []string{"▸Library", "5 doc sets and the manual", "✗ folder missing"}, nil},
		{"from the chooser, and back to it", []string{"d", "L", "esc"}, []string{"▸Doc sets"}, nil},
		{"help over it, and back", []string{"L", "?", "esc"}, []string{"▸Library"}, []string{"▸Help"}},
		{"a tree", []string{"L", "enter"}, []string{"Library › harbour@0.9", "+ content/en/piers/", "113 pages"}, nil},
		{"escape leads out of the tree", []string{"L", "enter", "esc"}, []string{"▸Library ─", "5 doc sets and the manual"}, nil},
		{"q too", []string{"L", "enter", "q", "q"}, []string{"▸4 Hits"}, nil},
		{"a page in the reader", []string{"L", "j", "enter", "j", "j", "enter"}, []string{"▸Wicks"}, []string{"Library"}},
		{"escape leads back from the reader", []string{"L", "j", "enter", "j", "j", "enter", "esc"}, []string{"Library › lantern@2.1", "▸"}, nil},
		{"and then the hit is shown again", []string{"L", "j", "enter", "G", "enter", "esc", "esc", "esc", "enter"},
			[]string{"▸Wicks › Trim a wick"}, nil},
		{"a question from the reader, and the hit again", []string{"L", "j", "enter", "G", "enter", "i", "esc", "enter"},
			[]string{"▸Wicks › Trim a wick"}, nil},
		{"a page that was found is left out there too", []string{"L", "j", "enter", "G", "enter", "x"}, []string{"left out: Questions"}, nil},
		{"and no other", []string{"L", "/", "7", "7", "enter", "x"}, []string{"the question did not find this page"},
			[]string{"left out"}},
		{"find", []string{"L", "/", "7", "7"}, []string{"find: 77", "1 of 115 files", "Berth 77"}, nil},
		{"update", []string{"L", "u"}, []string{"✓ harbour@0.9: nothing changed"}, nil},
		{"update all", []string{"L", "U"}, []string{"✓ all doc sets: nothing changed"}, nil},
		{"forget", []string{"L", "x", "y"}, []string{"✓ forgot harbour@0.9; its files were not touched", "4 doc sets and the manual"}, nil},
		{"or not", []string{"L", "x", "n"}, []string{"5 doc sets and the manual", "harbour"}, []string{"forgot"}},
		{"nothing else confirms", []string{"L", "x", "x", "enter"}, []string{"x does nothing here", "forget harbour@0.9?"}, nil},
		{"the manual stays", []string{"L", "G", "x"}, []string{"it cannot be forgotten"}, nil},
		{"add", []string{"L", "a", "d", "o", "c", "tab", "enter", "enter"}, []string{"✓ added docs@latest: 7 pages (7 added)",
			"6 doc sets and the manual"}, nil},
		{"escape leads out of the form", []string{"L", "a", "d", "esc", "esc"}, []string{"▸4 Hits"}, nil},
		{"ctrl+c quits from the form", []string{"L", "a", "q", "?"}, []string{"from      q?"}, nil},
		{"nothing to cancel", []string{"ctrl+x"}, []string{"nothing is being added or updated"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := asked(t, tuitest.Options(&tuitest.Backend{}), 80, 24)
			d.Keys(tt.keys...)
			contains(t, d.Screen(), tt.want...)
			lacks(t, d.Screen(), tt.not...)
		})
	}
}

// A question narrowed to a doc set that is forgotten is narrowed no more.
func TestForgottenDocSetIsNotSearched(t *testing.T) {
	t.Parallel()
	d := asked(t, tuitest.Options(&tuitest.Backend{}), 80, 24)
	d.Keys("d", "j", "j", "space", "enter")
	contains(t, d.Screen(), "in harbour@0.9")
	d.Keys("L", "x", "y")
	lacks(t, d.Screen(), "in harbour@0.9")
}

// Work goes on in the background: the library can be closed and questions asked,
// a second piece of work says why not, and a cancel says how the doc set is left.
func TestWorkGoesOn(t *testing.T) {
	t.Parallel()
	b := &tuitest.Backend{Shelf: tuitest.Shelf{Work: make(chan struct{})}}
	d := async(t, tuitest.Options(b), 80, 24)
	d.Until(ready)
	d.Keys("ctrl+l")
	d.Until(func(s string) bool { return strings.Contains(s, "5 doc sets and the manual") })
	d.Keys("u")
	d.Until(func(s string) bool { return strings.Contains(s, "3/7  2/s  2 s left") })
	contains(t, d.Screen(), "● updating harbour@0.9", "ctrl+x cancels")
	d.Keys("U")
	d.Until(func(s string) bool { return strings.Contains(s, "updating harbour@0.9 goes on: ctrl+x cancels it") })
	d.Keys("esc")
	contains(t, d.Screen(), "● updating harbour@0.9 ━━━╸···· 42% 2 s left")
	d.Ask(question)
	d.Until(func(s string) bool {
		return strings.Contains(s, "7 of 9 sections kept") && strings.Contains(s, "▸8 Answer")
	})
	d.Keys("ctrl+x")
	d.Until(func(s string) bool { return strings.Contains(s, "! cancelled: harbour@0.9 as before") })
	lacks(t, d.Screen(), "updating")
	d.Keys("L", "u")
	d.Until(func(s string) bool { return strings.Contains(s, "3/7") })
	close(b.Shelf.Work)
	d.Until(func(s string) bool { return strings.Contains(s, "✓ harbour@0.9: nothing changed") })
}

// Adding a folder was broken off: the app does not index it again before it answers from
// the doc sets that are whole. What goes on is seen, and said when it is done.
func TestQuestionsAreAnsweredWhileADocSetIsMended(t *testing.T) {
	t.Parallel()
	b := &tuitest.Backend{Shelf: tuitest.Shelf{Behind: []string{"harbour@0.9"}, Work: make(chan struct{})}}
	d := async(t, tuitest.Options(b), 80, 24)
	d.Until(ready)
	d.Until(func(s string) bool { return strings.Contains(s, "● indexing harbour@0.9 ━━━╸···· 42%") })
	d.Ask(question)
	d.Until(func(s string) bool {
		return strings.Contains(s, "7 of 9 sections kept") && strings.Contains(s, "▸8 Answer") && strings.Contains(s, "● indexing")
	})
	close(b.Shelf.Work)
	d.Until(func(s string) bool {
		return strings.Contains(s, "✓ harbour@0.9: nothing changed") && !strings.Contains(s, "● indexing")
	})
}

// What fails says why, and the form is as it was.
func TestAddingFails(t *testing.T) {
	t.Parallel()
	b := &tuitest.Backend{Shelf: tuitest.Shelf{AddErr: errors.New("docs@latest is already /home/ana/old")}}
	d := asked(t, tuitest.Options(b), 80, 24)
	d.Keys("L", "a", "d", "o", "c", "enter", "enter")
	contains(t, d.Screen(), "✗ docs@latest is already /home/ana/old", "name      docs", "7 pages; enter adds it")
	d.Keys("2")
	b.Shelf.AddErr = nil
	d.Keys("enter")
	contains(t, d.Screen(), "✓ added docs2@latest")
}

func newcomer(t *testing.T, b *tuitest.Backend, w, h int) *tuitest.Driver {
	t.Helper()
	b.Shelf.Newcomer = true
	b.Shelf.Folder = []tui.LikelyFolder{{Path: "./docs", Pages: 212}, {Path: "/home/ana/lantern", Pages: 230}}
	return tuitest.Start(t, tuitest.Options(b), w, h)
}

func TestFirstRun(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		keys []string
		want []string
		not  []string
	}{
		{"the screen", nil, []string{"▸Welcome", "▸ 1  ./docs", "2  /home/ana/lantern"}, []string{"4 Hits"}},
		{"escape leaves the screen, and not into the question line", []string{"esc", "x"}, []string{"▸Start", "❯ ask the documentation"},
			[]string{"Welcome"}},
		{"so does asking", []string{"/", "x"}, []string{"❯ x "}, []string{"Welcome"}},
		{"one key adds a folder", []string{"1"}, []string{"✓ added docs@latest: 7 pages (7 added); ask it a question"}, []string{"Welcome"}},
		{"there is no third folder", []string{"3"}, []string{"no such folder was found", "Welcome"}, nil},
		{"enter does what the cursor is on", []string{"j", "enter"}, []string{"✓ added docs@latest"}, nil},
		{"another folder", []string{"a"}, []string{"▸Library", "▸ from"}, nil},
		{"and back", []string{"a", "esc", "esc"}, []string{"▸Welcome"}, nil},
		{"another folder is added", []string{"a", "d", "o", "c", "enter", "enter", "esc"}, []string{"ask the documentation"},
			[]string{"Welcome"}},
		{"try the manual", []string{"m"}, []string{"❯ how do I add a doc set", "7 of 9 sections kept"}, []string{"Welcome"}},
		{"take the tour", []string{"t"}, []string{"Tour 1/5  Ask", "Type a question and press enter."}, []string{"Welcome"}},
		{"help and back", []string{"?", "esc"}, []string{"▸Welcome"}, nil},
		{"a key that does nothing", []string{"z"}, []string{"z does nothing here", "▸Welcome"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := newcomer(t, &tuitest.Backend{}, 80, 24)
			d.Keys(tt.keys...)
			contains(t, d.Screen(), tt.want...)
			lacks(t, d.Screen(), tt.not...)
		})
	}
	d := newcomer(t, &tuitest.Backend{}, 80, 24)
	tuitest.Golden(t, "first-run", d.Screen())
	d.Keys("q")
	if !d.Quit {
		t.Error("q does not quit")
	}
	tuitest.Golden(t, "first-run-wide", newcomer(t, &tuitest.Backend{}, 160, 45).Screen())
	tuitest.Golden(t, "first-run-narrow", newcomer(t, &tuitest.Backend{}, 40, 10).Screen())
}

// A person who has documentation, a question at the start, or has started to type, is
// not greeted.
func TestNotANewcomer(t *testing.T) {
	t.Parallel()
	d := tuitest.Start(t, tuitest.Options(&tuitest.Backend{}), 80, 24)
	lacks(t, d.Screen(), "Welcome")
	opt := tuitest.Options(&tuitest.Backend{Shelf: tuitest.Shelf{Newcomer: true}})
	opt.Question = question
	d = tuitest.Start(t, opt, 80, 24)
	lacks(t, d.Screen(), "Welcome")
	d = tuitest.New(t, tuitest.Options(&tuitest.Backend{Shelf: tuitest.Shelf{Newcomer: true}}))
	d.Resize(80, 24)
	d.Init()
	d.Send(tea.KeyPressMsg{Code: 'w', Text: "w"})
	d.Settle()
	lacks(t, d.Screen(), "Welcome")
}

// The whole tour on the screen, by doing what it says.
func TestTour(t *testing.T) {
	t.Parallel()
	d := newcomer(t, &tuitest.Backend{}, 80, 24)
	d.Keys("t")
	tuitest.Golden(t, "tour-1", d.Screen())
	d.Ask(question)
	contains(t, d.Screen(), "Tour 2/5  Look", "▸8 Answer")
	d.Keys("+") // not what this step is about
	contains(t, d.Screen(), "Tour 2/5")
	d.Keys("enter")
	contains(t, d.Screen(), "Tour 2/5", "▸Wicks")
	d.Keys("esc")
	contains(t, d.Screen(), "Tour 3/5  Open a phase")
	d.Keys("5")
	tuitest.Golden(t, "tour-4", d.Screen())
	d.Keys("+")
	contains(t, d.Screen(), "Tour 5/5  Copy")
	d.Keys("y")
	contains(t, d.Screen(), "✓ copied; that was the tour")
	lacks(t, d.Screen(), "Tour ")
}

func TestTourByKeys(t *testing.T) {
	t.Parallel()
	d := asked(t, tuitest.Options(&tuitest.Backend{}), 80, 24)
	d.Keys("ctrl+t")
	contains(t, d.Screen(), "Tour 1/5")
	d.Keys("ctrl+t", "ctrl+t")
	contains(t, d.Screen(), "Tour 3/5")
	d.Resize(60, 14) // no frame where lines are few
	contains(t, d.Screen(), "Press a number from 1 to 9.")
	lacks(t, d.Screen(), "Tour 3/5")
	d.Resize(40, 10)
	d.Resize(39, 9)
	d.Resize(80, 24)
	d.Keys("esc")
	contains(t, d.Screen(), "the tour is left; ctrl+t begins it again")
	lacks(t, d.Screen(), "Tour 3/5")
	d.Keys("f1", "t")
	contains(t, d.Screen(), "Tour 1/5")
	lacks(t, d.Screen(), "▸Help")
	d.Keys("ctrl+t", "ctrl+t", "ctrl+t", "ctrl+t", "ctrl+t")
	contains(t, d.Screen(), "that was the tour")
	// Without its page there is no tour, and the key says why.
	b := &tuitest.Backend{PageErr: errors.New("tour.md is gone")}
	d = tuitest.Start(t, tuitest.Options(b), 80, 24)
	d.Keys("ctrl+t")
	contains(t, d.Screen(), "✗ there is no tour: tour.md is gone")
}
