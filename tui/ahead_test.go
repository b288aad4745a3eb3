package tui_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"docent/tui"
	"docent/tui/tuitest"
)

// patient are options of an app in which time never passes: whatever is waited for
// comes, and nothing runs out.
func patient(b *tuitest.Backend) tui.Options {
	opt := tuitest.Options(b)
	opt.Tick = func(d time.Duration, fn func(time.Time) tea.Msg) tea.Cmd {
		if d >= time.Second {
			return nil
		}
		return func() tea.Msg { return fn(time.Time{}) }
	}
	return opt
}

func letters(text string) []string { return strings.Split(text, "") }

// Keys that come in one read with the enter before them are for what enter leads to:
// they move, open and show there. Where one of them would change or write something,
// none does anything: an x typed behind a question left a page out.
func TestKeysBehindEnter(t *testing.T) {
	t.Parallel()
	asked := append(letters(question), "enter")
	tests := []struct {
		name string
		keys []string
		want []string
		not  []string
	}{
		{"a move", append(asked[:len(asked):len(asked)], "4", "j"), []string{"› Refilling ─"}, nil},
		{"a section of the answer", append(asked[:len(asked):len(asked)], "n"), []string{"▎ ## Trim a wick"}, nil},
		{"a move and a page, and a move there", append(asked[:len(asked):len(asked)], "4", "j", "j", "j", "j", "enter", "pgdown"),
			[]string{"▸Wicks › Replace a wick", "lines 37–"}, nil},
		{"another question", append(append(asked[:len(asked):len(asked)], "/"), letters("oxqs")...), []string{"❯ oxqs "}, nil},
		{"a step", append(asked[:len(asked):len(asked)], "5"), []string{"▸5 Ranking"}, nil},
		{"a copy", append(asked[:len(asked):len(asked)], "y"), []string{"copied the answer"}, nil},
		{"a page that is left out", append(asked[:len(asked):len(asked)], "x"), []string{"y copies 125 lines",
			"“x” was typed before this was here"}, []string{"left out"}},
		{"the rest of a text", append(append(asked[:len(asked):len(asked)], "j"), letters(" in fog")...),
			[]string{"“j in fog” was typed", "▸8 Answer"}, []string{"left out"}},
		{"leaving", append(asked[:len(asked):len(asked)], "q"), []string{"“q” was typed"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := tuitest.Start(t, patient(&tuitest.Backend{}), 80, 24)
			d.Burst(tt.keys...)
			contains(t, d.Screen(), tt.want...)
			lacks(t, d.Screen(), tt.not...)
			if d.Quit {
				t.Error("the app was left")
			}
		})
	}
}

// On the start screen, in the library and in the launcher, too, a key waits for what
// the enter before it opens.
func TestKeysBehindEnterWithoutAQuestion(t *testing.T) {
	t.Parallel()
	start := func() *tuitest.Driver {
		opt := patient(&tuitest.Backend{})
		opt.Keeper = returning()
		return tuitest.Start(t, opt, 80, 24)
	}
	tests := []struct {
		name string
		keys []string
		want []string
	}{
		{"the start screen", []string{"enter", "]"}, []string{"▸Wicks › ", "lines "}},
		{"the start screen from its list", []string{"tab", "enter", "x"}, []string{"▸Wicks › Replace a wick", "“x” was typed"}},
		{"a doc set of the library", []string{"tab", "L", "j", "enter", "j", "j"}, []string{"▸     Wicks"}},
		{"a page of the library", []string{"tab", "L", "j", "enter", "enter", "u"}, []string{"“u” was typed"}},
		{"the launcher", append(append([]string{"ctrl+k"}, letters("replace wick")...), "enter"), []string{"▸Wicks › Replace a wick"}},
		{"the second find", append(append([]string{"ctrl+k"}, letters("wick")...), "down", "enter"), []string{"▸Wicks › Wick sizes"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := start()
			d.Burst(tt.keys...)
			contains(t, d.Screen(), tt.want...)
		})
	}
}

// What does not come holds nothing: a page that cannot be read, and one that is left.
func TestKeysBehindWhatDoesNotCome(t *testing.T) {
	t.Parallel()
	opt := patient(&tuitest.Backend{PageErr: errors.New("the disk is gone")})
	opt.Keeper = returning()
	d := tuitest.Start(t, opt, 80, 24)
	d.Burst("enter", "j", "esc", "down")
	contains(t, d.Screen(), "▸ Signals")
	d.Burst("up", "enter")
	contains(t, d.Screen(), "the disk is gone")
	d.Keys("?")
	contains(t, d.Screen(), "▸Help")
}

// A key that waits is pressed after a second at the latest.
func TestKeysDoNotWaitForLong(t *testing.T) {
	t.Parallel()
	b := &tuitest.Backend{Gate: make(chan struct{}), Reached: make(chan struct{})}
	opt := tuitest.Options(b)
	d := tuitest.Start(t, opt, 80, 24)
	d.Async = true
	d.Type(question)
	d.Send(tuitest.Key("enter"))
	d.Send(tuitest.Key("?"))
	d.Until(func(s string) bool { return strings.Contains(s, "▸Help") }) // the answer is held at the gate
	close(b.Gate)
	d.Send(tuitest.Key("esc"))
	d.Until(func(s string) bool { return strings.Contains(s, "7 of 9 sections kept") })
}

// An esc and a key that come in one read are written as alt and the key: both are done.
// A ctrl+c right behind an esc once did nothing.
func TestKeysBehindEsc(t *testing.T) {
	t.Parallel()
	d := tuitest.Start(t, patient(&tuitest.Backend{}), 80, 24)
	d.Ask(question)
	d.Keys("?")
	contains(t, d.Screen(), "▸Help")
	d.Keys("alt+5")
	contains(t, d.Screen(), "▸5 Ranking")
	lacks(t, d.Screen(), "▸Help")
	d.Keys("/")
	d.Type("the oil")
	d.Keys("alt+b", "x") // while a text is typed, alt moves by words
	contains(t, d.Screen(), "❯ the xoil")
	d.Keys("ctrl+alt+c")
	if !d.Quit {
		t.Errorf("ctrl+c behind an esc does nothing:\n%s", d.Screen())
	}
}
