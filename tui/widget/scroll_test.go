package widget

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"docent/tui/keymap"
	"docent/tui/style"
)

// Whatever is done, the window is full where the text is long enough, and shows
// the lines of the text in order.
func TestScrollerShowsAWindow(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(0, 5), 0, 12).Draw(t, "sizes")
		var all []string
		items := make([][]string, len(sizes))
		for i, n := range sizes {
			for k := range n {
				items[i] = append(items[i], fmt.Sprintf("%d.%d", i, k))
			}
			all = append(all, items[i]...)
		}
		var s Scroller
		h := rapid.IntRange(0, 8).Draw(t, "height")
		s.SetSource(len(items), func(i int) []string { return items[i] })
		s.SetHeight(h)
		for range 20 {
			switch rapid.IntRange(0, 4).Draw(t, "do") {
			case 0:
				s.Move(rapid.IntRange(-9, 9).Draw(t, "by"))
			case 1:
				s.Top()
			case 2:
				s.bottom()
			case 3:
				s.Seek(rapid.IntRange(-1, 14).Draw(t, "item"), rapid.IntRange(-1, 6).Draw(t, "line"))
			case 4:
				h = rapid.IntRange(0, 8).Draw(t, "height")
				s.SetHeight(h)
			}
			got, _ := s.Visible()
			if len(got) != min(h, len(all)) {
				t.Fatalf("the window has %d lines of %d, height %d", len(got), len(all), h)
			}
			if h > 0 && !strings.Contains(strings.Join(all, " ")+" ", strings.Join(got, " ")) {
				t.Fatalf("the window %v is no part of %v", got, all)
			}
			s.Share()
		}
	})
}

func TestScrollerMoves(t *testing.T) {
	t.Parallel()
	var s Scroller
	s.SetSource(3, func(i int) []string { return []string{fmt.Sprint(i, "a"), fmt.Sprint(i, "b")} })
	s.SetHeight(2)
	steps := []struct {
		action keymap.Action
		want   string
		share  string
	}{
		{keymap.Down, "0b 1a", "16%"},
		{keymap.PageDown, "1a 1b", "33%"},
		{keymap.Bottom, "2a 2b", "end"},
		{keymap.Down, "2a 2b", "end"},
		{keymap.Up, "1b 2a", "50%"},
		{keymap.HalfUp, "1a 1b", "33%"},
		{keymap.Top, "0a 0b", "top"},
		{keymap.Up, "0a 0b", "top"},
	}
	for _, st := range steps {
		if !Scroll(&s, st.action, 2) {
			t.Errorf("%s does not scroll", st.action)
		}
		got, _ := s.Visible()
		if strings.Join(got, " ") != st.want || s.Share() != st.share {
			t.Errorf("after %s: %v (%s), want %s (%s)", st.action, got, s.Share(), st.want, st.share)
		}
	}
	if Scroll(&s, keymap.Quit, 2) {
		t.Error("quit scrolls")
	}
}

func TestSheetWrapsBesideTheLead(t *testing.T) {
	t.Parallel()
	w := &Writer{St: style.New(true, true), Lead: 4}
	w.Field("label", "")
	w.WriteItem("•", "one two three four")
	var s Sheet
	s.SetSize(30, 10)
	s.SetRows(w.Rows)
	want := " label         –\n • one two three four"
	if got := ansi.Strip(s.View()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	s.SetSize(14, 10)
	want = " label      …\n –\n • one two\n   three four"
	if got := ansi.Strip(s.View()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestInput(t *testing.T) {
	t.Parallel()
	press := func(in *Input, names ...string) {
		for _, n := range names {
			k := tea.KeyPressMsg{Code: []rune(n)[0], Text: n}
			switch n {
			case "left":
				k = tea.KeyPressMsg{Code: tea.KeyLeft}
			case "home":
				k = tea.KeyPressMsg{Code: tea.KeyHome}
			case "end":
				k = tea.KeyPressMsg{Code: tea.KeyEnd}
			case "backspace":
				k = tea.KeyPressMsg{Code: tea.KeyBackspace}
			case "ctrl+w", "ctrl+u", "ctrl+k":
				k = tea.KeyPressMsg{Code: rune(n[5]), Mod: tea.ModCtrl}
			case "alt+b", "alt+f":
				k = tea.KeyPressMsg{Code: rune(n[4]), Mod: tea.ModAlt}
			}
			if !in.Key(k) {
				t.Errorf("%s is not known", n)
			}
		}
	}
	tests := []struct {
		name string
		keys []string
		want string
		col  int
	}{
		{"typed", []string{"a", "b"}, "ab", 2},
		{"in between", []string{"a", "b", "left", "x"}, "axb", 2},
		{"wide", []string{"灯", "芯", "left", "backspace"}, "芯", 0},
		{"a combining character joins", []string{"e", "\u0301", "x", "left", "backspace"}, "x", 0},
		{"word away", []string{"one two", "ctrl+w"}, "one ", 4},
		{"to the start", []string{"one two", "left", "ctrl+u"}, "o", 0},
		{"to the end", []string{"one two", "home", "ctrl+k"}, "", 0},
		{"by words", []string{"one two", "alt+b", "alt+b", "alt+f", "!"}, "one! two", 4},
		{"cleaned", []string{"a\x1b[31mb\nc"}, "ab c", 4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var in Input
			press(&in, tt.keys...)
			if _, col := in.View(20); in.Value() != tt.want || col != tt.col {
				t.Errorf("%q at %d, want %q at %d", in.Value(), col, tt.want, tt.col)
			}
		})
	}
	for _, tt := range []struct {
		name string
		keys []string
		want string
	}{
		{"replaced", []string{"x", "y"}, "xy"},
		{"deleted", []string{"backspace"}, ""},
		{"kept, and gone on with", []string{"end", "!"}, "one two!"},
		{"kept, from its beginning", []string{"home", "!"}, "!one two"},
	} {
		t.Run("selected: "+tt.name, func(t *testing.T) {
			var in Input
			in.SetValue("one two")
			in.Select()
			press(&in, tt.keys...)
			if in.Value() != tt.want || in.Selected() {
				t.Errorf("%q, selected %v; want %q", in.Value(), in.Selected(), tt.want)
			}
		})
	}
	var in Input
	in.SetValue(strings.Repeat("long ", 20))
	if text, col := in.View(10); Width(text) > 10 || col != 9 {
		t.Errorf("a long text shows as %q, cursor at %d", text, col)
	}
	if in.Key(tea.KeyPressMsg{Code: tea.KeyF1}) {
		t.Error("f1 edits")
	}
	in.Insert(strings.Repeat("x", MaxInput*2))
	if len(in.chars) > MaxInput {
		t.Error("the text has no bound")
	}
}
