package widget

import (
	"testing"

	"pgregory.net/rapid"

	"docent/tui/keymap"
)

// Whatever is done, the cursor is on a row that is seen, the window is full where
// there are rows enough, and a click on a line of it is on that line's row.
func TestRowsShowTheirCursor(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var l Rows
		n, rows := 0, 0
		actions := []keymap.Action{keymap.Down, keymap.Up, keymap.PickDown, keymap.PickUp, keymap.PageDown, keymap.PageUp, keymap.HalfDown,
			keymap.Top, keymap.Bottom}
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			switch rapid.IntRange(0, 5).Draw(t, "what") {
			case 0:
				n = rapid.IntRange(0, 30).Draw(t, "n")
				l.SetCount(n)
			case 1:
				n = rapid.IntRange(0, 30).Draw(t, "n")
				l.Reset(n)
				if row, ok := l.Cursor(); row != 0 || ok != (n > 0) {
					t.Fatalf("a new list of %d begins at %d, %v", n, row, ok)
				}
			case 2:
				rows = rapid.IntRange(-1, 12).Draw(t, "rows")
				l.SetLines(rows)
			case 3:
				from, to := l.VisibleRows()
				y := rapid.IntRange(-2, 14).Draw(t, "y")
				if got := l.Click(y); got != (y >= 0 && from+y < to) {
					t.Fatalf("a click on line %d of %d to %d gives %v", y, from, to, got)
				} else if row, _ := l.Cursor(); got && row != from+y {
					t.Fatalf("a click on line %d from %d is on %d", y, from, row)
				}
			default:
				if !l.Update(rapid.SampledFrom(actions).Draw(t, "action")) {
					t.Fatal("an action that scrolls is not known")
				}
			}
			from, to := l.VisibleRows()
			row, ok := l.Cursor()
			if ok != (n > 0) || ok && (row < from || row >= to) || to-from != min(n, max(1, rows)) {
				t.Fatalf("%d rows in %d lines: row %d, %v of %d to %d", n, rows, row, ok, from, to)
			}
		}
		if l.Update(keymap.Quit) {
			t.Error("an action that does not scroll moves the list")
		}
	})
}
