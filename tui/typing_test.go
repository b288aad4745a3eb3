package tui_test

import (
	"testing"

	"docent/tui/tuitest"
)

// Letters are keys while an answer is read, and a person who types the next question right
// away means them as text: the w of “what” once asked for a file's name and wrote the file
// at the enter behind the question, the q of “quorum” left the app. Keys that are pressed
// one by one, or move fast, stay keys.
func TestTheNextQuestionTypedRightAway(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		keys []string
		want []string
		not  []string
	}{
		{"a key that writes", letters("what is oil"), []string{"❯ what is oil ", "esc goes back"}, []string{"write the answer"}},
		{"a key that leaves", letters("quorum"), []string{"❯ quorum "}, nil},
		{"a step", letters("how do I"), []string{"❯ how do I "}, nil},
		{"keys of an overlay", letters("do I need oil"), []string{"❯ do I need oil "}, []string{"doc sets are searched"}},
		{"moves", letters("nginx"), []string{"❯ nginx "}, nil},
		{"the key that edits", letters("install"), []string{"❯ install "}, nil},
		{"the key that edits as a word", []string{"i", "space", "n", "e", "e", "d"}, []string{"❯ i need "}, nil},
		{"letters without a key", letters("a lamp"), []string{"❯ a lamp "}, nil},
		{"and its enter", append(letters("what is oil"), "enter"), []string{"❯ what is oil ", "likely the answer"}, []string{"write the answer"}},
		{"one key", []string{"w"}, []string{"write the answer to"}, nil},
		{"a key behind moves", []string{"j", "j", "w"}, []string{"write the answer to"}, nil},
		{"quick moves and a copy", letters("jjnngkNy"), nil, []string{"❯ jj", "esc goes back"}},
		{"a copy and a key", []string{"y", "w"}, []string{"write the answer to"}, nil},
		{"a key twice", []string{"v", "v"}, []string{"the answer: whole pages"}, []string{"❯ vv"}},
		{"a key and a move", []string{"v", "j"}, []string{"v pages", "▸ ● ━━━━·· 0.66"}, []string{"❯ vj"}},
		{"a key and one that is no letter", []string{"x", "tab"}, []string{"left out"}, []string{"❯ x"}},
		{"an overlay and a key of it", []string{"L", "a"}, []string{"Library", "Add documentation"}, []string{"❯ La"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			opt := patient(&tuitest.Backend{})
			opt.Keeper = &memory{}
			d := asked(t, opt, 80, 24)
			d.Burst(tt.keys...)
			contains(t, d.Screen(), tt.want...)
			lacks(t, d.Screen(), tt.not...)
			if d.Quit {
				t.Error("the app was left")
			}
		})
	}
}

// Keys that are held are pressed after a pause, and the last answer is where it was when
// somebody leaves the question after them.
func TestAKeyIsPressedAfterAPause(t *testing.T) {
	t.Parallel()
	d := asked(t, patient(&tuitest.Backend{}), 80, 24)
	d.Burst(letters("what")...)
	contains(t, d.Screen(), "❯ what ")
	d.Keys("esc")
	contains(t, d.Screen(), "❯ "+question, "▸4 Hits")
	d.Burst("q")
	if !d.Quit {
		t.Error("q alone does not leave the app")
	}
}
