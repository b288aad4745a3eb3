package widget

import "docent/tui/keymap"

// Rows is the cursor of a list of rows, one line each, and the window on them. The
// zero Rows is empty.
type Rows struct {
	n, lines    int // rows of the list and lines of the window
	cursor, top int
}

// Reset puts the cursor on the first row of a list of n.
func (l *Rows) Reset(n int) { *l = Rows{lines: l.lines, n: max(0, n)} }

// SetCount sets the number of rows. The cursor keeps its place where that exists.
func (l *Rows) SetCount(n int) {
	l.n = max(0, n)
	l.moveBy(0)
}

// SetLines sets the lines of the window.
func (l *Rows) SetLines(n int) {
	l.lines = n
	l.moveBy(0)
}

// Cursor is the row under the cursor; false in an empty list.
func (l *Rows) Cursor() (row int, ok bool) { return l.cursor, l.cursor < l.n }

// OnCursor reports whether the cursor is on a row.
func (l *Rows) OnCursor(row int) bool { return row == l.cursor }

// Seek puts the cursor on a row.
func (l *Rows) Seek(row int) { l.moveBy(row - l.cursor) }

// moveBy moves the cursor d rows down, and the window as little as shows it.
func (l *Rows) moveBy(d int) {
	l.cursor = min(max(0, l.cursor+d), max(0, l.n-1))
	lines := max(1, l.lines)
	l.top = max(min(l.top, l.cursor), l.cursor-lines+1)
	l.top = max(0, min(l.top, l.n-lines))
}

// Update moves the cursor by an action that scrolls, and reports whether it is one.
func (l *Rows) Update(a keymap.Action) bool {
	switch a {
	case keymap.PickDown:
		a = keymap.Down
	case keymap.PickUp:
		a = keymap.Up
	}
	d, ok := CursorSteps(a, l.n, max(1, l.lines))
	if ok {
		l.moveBy(d)
	}
	return ok
}

// Click puts the cursor on the row of a line of the window; it reports whether there is
// one.
func (l *Rows) Click(y int) bool {
	if y < 0 || y >= max(1, l.lines) || l.top+y >= l.n {
		return false
	}
	l.Seek(l.top + y)
	return true
}

// VisibleRows are the rows in the window: from the first to the one before the second.
func (l *Rows) VisibleRows() (from, to int) { return l.top, min(l.n, l.top+max(1, l.lines)) }
