package tui_test

import (
	"strings"
	"testing"

	"docent/tui/tuitest"
)

// On a screen of 24 lines the first 20 below the question are the answer's; on wider ones the
// hits stand next to it, and a click there leads to the hits.
func TestTheFirstScreenIsTheAnswer(t *testing.T) {
	t.Parallel()
	d := answered(t, tuitest.Options(&tuitest.Backend{}), 80, 24)
	lines := strings.Split(d.Screen(), "\n")
	if !strings.HasPrefix(lines[2], "╭─▸8 Answer") || !strings.HasPrefix(lines[21], "╰") {
		t.Errorf("the answer has not lines 3 to 22:\n%s", d.Screen())
	}
	lacks(t, d.Screen(), "Found")
	for _, size := range [][2]int{{120, 40}, {160, 45}} {
		d = answered(t, tuitest.Options(&tuitest.Backend{}), size[0], size[1])
		contains(t, d.Screen(), "▸8 Answer", "─ Found ─", "● Trim a wick", "2 below the threshold", "● copied  ○ kept, did not fit")
		x, y := find(t, d, "● Trim a wick")
		click(d, x, y)
		contains(t, d.Screen(), "▸4 Hits")
	}
}

// Search, sections and links work in the answer as in the reader, and escape leaves them one
// by one without leaving the answer.
func TestTheAnswerIsRead(t *testing.T) {
	t.Parallel()
	d := answered(t, tuitest.Options(&tuitest.Backend{}), 80, 24)
	lacks(t, d.Screen(), "esc back") // there is nothing to leave
	d.Keys("F", "r", "a", "g", "g", "e", "d", "enter")
	contains(t, d.Screen(), "▸ │ A ragged wick smokes.", "1/1", "esc back")
	d.Keys("esc", "n")
	contains(t, d.Screen(), "▎ ## ", "▸8 Answer")
	lacks(t, d.Screen(), "esc back")
	d.Keys("o", "w", "i", "c", "k", "space", "s", "i")
	contains(t, d.Screen(), "1 heading", "Wick sizes", "esc back")
	d.Keys("enter")
	contains(t, d.Screen(), "▎ ## Wick sizes")
	d.Keys("enter")
	contains(t, d.Screen(), "▸Wicks › Wick sizes")
	d.Keys("esc", "g", "#")
	d.Keys("1")
	contains(t, d.Screen(), "▸Oil and fuel")
	d.Keys("H")
	contains(t, d.Screen(), "▸Wicks")
}
