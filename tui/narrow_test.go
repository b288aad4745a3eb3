package tui_test

import (
	"context"
	"strings"
	"testing"

	"docent/tui/tuitest"
)

// On the smallest screen a list shows names, whatever else has to give way, and the
// row that enter acts on.
func TestNamesOnTheSmallestScreen(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		keys []string
		want []string
		not  []string
	}{
		{"the library", []string{"L"}, []string{"harbour@0.9", "~ 2 new,…", "enter open"}, []string{"ctrl+c"}},
		{"the chooser", []string{"d"}, []string{"[ ] lantern@2.1", "✓ fresh"}, []string{"5 pages"}},
		{"the ranking", []string{"5"}, []string{"▸", "Trim a wick"}, nil},
		{"the pages", []string{"6"}, []string{"▸  111", "Wicks"}, nil},
		{"go to a doc set", []string{"ctrl+k", "h", "a", "r", "b"}, []string{"harbour@0.9", "doc set"}, []string{"112 pages"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := asked(t, tuitest.Options(&tuitest.Backend{}), 40, 10)
			d.Keys(tt.keys...)
			d.Settle()
			contains(t, d.Screen(), tt.want...)
			lacks(t, d.Screen(), tt.not...)
		})
	}
	d := tuitest.Start(t, tuitest.Options(&tuitest.Backend{Suggests: true}), 40, 10)
	d.Settle()
	d.Type("how do I trim a wic")
	d.Settle()
	contains(t, d.Screen(), "Wicks")
	lacks(t, d.Screen(), "lantern@")
	d.Keys("down")
	contains(t, strings.Split(d.Screen(), "\n")[2], "lantern@2.1")
}

// The footer names no key that does nothing: no answer to go to before there is one, no
// item to take from an empty list, no folder that was not found.
func TestTheFooterNamesKeysThatWork(t *testing.T) {
	t.Parallel()
	d := tuitest.Start(t, tuitest.Options(&tuitest.Backend{}), 200, 60)
	d.Settle()
	lacks(t, d.Screen(), "tab answer")
	d.Keys("ctrl+k")
	d.Type("zzqq")
	d.Settle()
	contains(t, d.Screen(), "enter asks it as a question", "enter ask ")
	d = kept(t, &memory{})
	d.Keys("S")
	d.Settle()
	contains(t, d.Screen(), "no session was saved yet")
	lacks(t, d.Screen(), "enter open")
}

// The manual stands behind the doc sets of a person in the chooser, as in the library.
func TestTheManualIsLastInTheChooser(t *testing.T) {
	t.Parallel()
	d := asked(t, tuitest.Options(&tuitest.Backend{}), 80, 24)
	d.Keys("d")
	s := d.Screen()
	contains(t, s, "Docent_Manual", "harbour")
	if strings.Index(s, "Docent_Manual") < strings.Index(s, "harbour") {
		t.Errorf("the manual is before a doc set:\n%s", s)
	}
}

// The names of the ranking's columns stand over them.
func TestTheHeadOfTheRanking(t *testing.T) {
	t.Parallel()
	d := asked(t, tuitest.Options(&tuitest.Backend{}), 80, 24)
	d.Keys("5")
	lines := strings.Split(d.Screen(), "\n")
	head, first := "", ""
	for i, l := range lines {
		if strings.Contains(l, "page › section") {
			head, first = l, lines[i+1]
		}
	}
	column := func(l, of string) int { return len([]rune(l[:max(0, strings.Index(l, of))])) }
	if h, f := column(head, "page"), column(first, "Wicks"); h != f || h == 0 {
		t.Errorf("the head is in column %d, the names are in column %d:\n%s\n%s", h, f, head, first)
	}
}

// A note at the foot of the screen is cut at its end, and the counts of the doc sets stand
// on the smallest screen, where the version has no room.
func TestNotesAndCountsOnTheSmallestScreen(t *testing.T) {
	t.Parallel()
	d := answered(t, tuitest.Options(&tuitest.Backend{Unanswered: true}), 40, 10)
	contains(t, d.Screen(), "! probably not in your", "118 pages · 1 changed")
}

// The doc set of the hit under the cursor stands on the smallest screen too.
func TestTheDocSetOnTheSmallestScreen(t *testing.T) {
	t.Parallel()
	d := asked(t, tuitest.Options(&tuitest.Backend{}), 40, 10)
	contains(t, d.Screen(), "7 of 9 kept · lantern@2.1")
	d.Keys("j", "j")
	contains(t, d.Screen(), "7 of 9 kept · 灯笼@latest")
}

// A page that cannot be read has nothing to search, to mark or to copy.
func TestTheFooterOfAPageThatFails(t *testing.T) {
	t.Parallel()
	d := asked(t, tuitest.Options(&tuitest.Backend{PageErr: errLong}), 80, 24)
	d.Keys("enter")
	d.Settle()
	contains(t, d.Screen(), "the page cannot be shown", "? help", "esc back")
	lacks(t, d.Screen(), "/ search", "y cite")
}

// A question that is longer than its line is read from its beginning once it is asked.
func TestALongQuestionShowsItsBeginning(t *testing.T) {
	t.Parallel()
	d := tuitest.Start(t, tuitest.Options(&tuitest.Backend{}), 80, 24)
	d.Settle()
	d.Ask(question + strings.Repeat(" when it is old", 10))
	d.Settle()
	contains(t, d.Screen(), "❯ "+question+" when it is old", "…")
}

// What a confirmation is about is seen on the smallest screen.
func TestTheConfirmationOnTheSmallestScreen(t *testing.T) {
	t.Parallel()
	d := asked(t, tuitest.Options(&tuitest.Backend{}), 40, 10)
	d.Keys("L", "x")
	d.Settle()
	contains(t, d.Screen(), "forget harbour@0.9?", "y forget", "esc no")
	lacks(t, d.Screen(), "actions")
}

// At 80 columns “copied the answer, 125 lines of 3 pages (terminal, tmux)” ran into “y copies 125
// lines” at its right, as one sentence.
func TestTheSettingsStandApartFromTheStatus(t *testing.T) {
	t.Parallel()
	seen := 0
	for w := 60; w < 150; w++ {
		opt := tuitest.Options(&tuitest.Backend{})
		opt.InTmux, opt.TmuxLoad = true, func(context.Context, string) error { return nil }
		d := asked(t, opt, w, 24)
		d.Keys("y")
		for line := range strings.Lines(d.Screen()) {
			if said, _, ok := strings.Cut(line, "y copies"); ok && strings.Contains(said, "copied the answer") {
				seen++
				if !strings.HasSuffix(said, "  ") {
					t.Errorf("%d columns: %q", w, line)
				}
			}
		}
	}
	if seen == 0 {
		t.Error("both never stand in one line")
	}
}
