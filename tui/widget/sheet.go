package widget

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"docent/pipeline/text/sanitize"
	"docent/tui/keymap"
	"docent/tui/style"
)

func numberText(n int) string { return strconv.Itoa(n) }

// Row is one row of a Sheet: a lead of a fixed width, and a body that is wrapped
// next to it. Both are clean text. Draw, if set, draws the row for a width instead.
type Row struct {
	Lead      string
	LeadStyle style.Style
	Body      string
	Style     style.Style
	Draw      func(w int) []string
	// Pick says that the cursor can stand on the row; ID names the row then.
	Pick bool
	ID   string
}

// Sheet is a scrolled list of rows; most panes are one. Where rows can be picked, up
// and down move the cursor between those rows, and the sheet scrolls along.
type Sheet struct {
	rows   []Row
	picks  []int            // rows that can be picked
	at     int              // the one under the cursor, among picks
	made   map[int][]string // rows as lines, at this width
	w, h   int
	scroll Scroller
	look   *style.Styles
}

// SetStyles sets the styles in which the row under the cursor is drawn.
func (s *Sheet) SetStyles(st *style.Styles) { s.look = st }

// SetRows sets the rows. The position is kept, and the cursor stays on the row of
// the same ID if there is one.
func (s *Sheet) SetRows(rows []Row) {
	id, had := s.Picked()
	s.rows, s.picks = rows, nil
	at := -1
	for i, r := range rows {
		if !r.Pick {
			continue
		}
		if had && id != "" && r.ID == id && at < 0 {
			at = len(s.picks)
		}
		s.picks = append(s.picks, i)
	}
	if at >= 0 {
		s.at = at
	}
	s.at = min(max(0, s.at), max(0, len(s.picks)-1))
	s.made = map[int][]string{}
	s.scroll.SetSource(len(rows), s.linesOfRow)
	s.revealShort()
}

// Picked is the ID of the row under the cursor; false where no row can be picked.
func (s *Sheet) Picked() (id string, ok bool) {
	if s.at >= len(s.picks) {
		return "", false
	}
	return s.rows[s.picks[s.at]].ID, true
}

// Show scrolls to the row of an ID, which need not be one that can be picked.
func (s *Sheet) Show(id string) {
	for i, r := range s.rows {
		if r.ID == id {
			s.revealRow(i)
			return
		}
	}
}

// Pick puts the cursor on the row of an ID, and reports whether there is one.
func (s *Sheet) Pick(id string) bool {
	for k, i := range s.picks {
		if s.rows[i].ID == id {
			s.moveTo(k)
			return true
		}
	}
	return false
}

func (s *Sheet) moveTo(k int) {
	if len(s.picks) == 0 {
		return
	}
	delete(s.made, s.picks[s.at])
	s.at = min(max(0, k), len(s.picks)-1)
	delete(s.made, s.picks[s.at])
	s.revealRow(s.picks[s.at])
}

// revealRow scrolls as little as possible to show a whole row.
func (s *Sheet) revealRow(row int) {
	item, line := s.scroll.At()
	if row < item || row == item && line > 0 {
		s.scroll.Seek(row, 0)
		return
	}
	below := -line
	for i := item; i <= row; i++ {
		below += len(s.linesOfRow(i))
	}
	if n := min(below-s.h, below+line-1); n > 0 && s.h > 0 {
		s.scroll.Move(n)
	}
}

// SetSize sets the columns and lines of the view.
func (s *Sheet) SetSize(w, h int) {
	same := w == s.w && h == s.h
	if w != s.w {
		s.w, s.made = w, map[int][]string{}
	}
	s.h = h
	s.scroll.SetHeight(h)
	if !same {
		s.revealShort()
	}
}

// shortH is the height below which the text above the first row that can be picked may
// fill the view.
const shortH = 8

// revealShort shows the row under the cursor of a short sheet: a key that acts on it
// must not act on a row that is not on the screen.
func (s *Sheet) revealShort() {
	if s.h > 0 && s.h < shortH && s.at < len(s.picks) {
		s.revealRow(s.picks[s.at])
	}
}

// margin is the columns left free at both sides of a sheet.
const margin = 1

// linesOfRow are a row's lines at the width of the sheet, made once.
func (s *Sheet) linesOfRow(i int) []string {
	if ls, ok := s.made[i]; ok {
		return ls
	}
	ls := s.rows[i].drawLines(max(1, s.w-2*margin))
	switch {
	case !s.rows[i].Pick:
		for k := range ls {
			ls[k] = Spaces(margin) + ls[k]
		}
	case s.at < len(s.picks) && s.picks[s.at] == i && s.look != nil:
		for k := range ls {
			mark := " "
			if k == 0 {
				mark = "▸"
			}
			ls[k] = s.look.Selected.Render(Fit(mark+ansi.Strip(ls[k]), s.w))
		}
	default:
		for k := range ls {
			ls[k] = " " + ls[k]
		}
	}
	ls = CutLines(ls, s.w)
	s.made[i] = ls
	return ls
}

func (r Row) drawLines(w int) []string {
	if r.Draw != nil {
		return append([]string(nil), r.Draw(w)...)
	}
	lead := Width(r.Lead)
	if lead > w/2 { // no room next to it: below
		out := []string{r.LeadStyle.Render(Cut(r.Lead, w))}
		for _, l := range Wrap(r.Body, w) {
			out = append(out, r.Style.Render(l))
		}
		return out
	}
	out := Wrap(r.Body, w-lead)
	for i, l := range out {
		if i == 0 {
			out[i] = r.LeadStyle.Render(r.Lead) + r.Style.Render(l)
		} else {
			out[i] = Spaces(lead) + r.Style.Render(l)
		}
	}
	return out
}

// Update scrolls, or moves the cursor where rows can be picked.
func (s *Sheet) Update(msg tea.Msg) tea.Cmd {
	a, ok := msg.(keymap.Action)
	if !ok {
		return nil
	}
	if n := len(s.picks); n > 0 {
		switch {
		case a == keymap.Down && s.at+1 < n:
			s.moveTo(s.at + 1)
			return nil
		case a == keymap.Up && s.at > 0:
			s.moveTo(s.at - 1)
			return nil
		case a == keymap.Top:
			s.moveTo(0)
		case a == keymap.Bottom:
			s.moveTo(n - 1)
		}
	}
	Scroll(&s.scroll, a, s.h)
	return nil
}

// Click puts the cursor on the row of a line of the view, and reports whether that row
// can be picked.
func (s *Sheet) Click(y int) bool {
	item, line := s.scroll.At()
	for i, left := item, y+line; i < len(s.rows); i++ {
		n := len(s.linesOfRow(i))
		if left < n {
			if !s.rows[i].Pick {
				return false
			}
			for k, p := range s.picks {
				if p == i {
					s.moveTo(k)
				}
			}
			return true
		}
		left -= n
	}
	return false
}

// Scroll does a scrolling action in a window of h lines. It returns false for another
// action.
func Scroll(s *Scroller, a keymap.Action, h int) bool {
	switch a {
	case keymap.Down:
		s.Move(1)
	case keymap.Up:
		s.Move(-1)
	case keymap.PageDown:
		s.Move(max(1, h-1))
	case keymap.PageUp:
		s.Move(-max(1, h-1))
	case keymap.HalfDown:
		s.Move(max(1, h/2))
	case keymap.HalfUp:
		s.Move(-max(1, h/2))
	case keymap.Top:
		s.Top()
	case keymap.Bottom:
		s.bottom()
	default:
		return false
	}
	return true
}

// CursorSteps is how far a scrolling action moves the cursor of a list of n rows in a
// window of h; false for another action.
func CursorSteps(a keymap.Action, n, h int) (d int, ok bool) {
	page := max(1, h-1)
	switch a {
	case keymap.Down:
		return 1, true
	case keymap.Up:
		return -1, true
	case keymap.PageDown:
		return page, true
	case keymap.PageUp:
		return -page, true
	case keymap.HalfDown:
		return max(1, page/2), true
	case keymap.HalfUp:
		return -max(1, page/2), true
	case keymap.Top:
		return -n, true
	case keymap.Bottom:
		return n, true
	}
	return 0, false
}

// Bindings are the keys that a sheet knows.
func (s *Sheet) Bindings() []keymap.Binding { return keymap.Scrolling() }

// View is the visible lines.
func (s *Sheet) View() string {
	lines, _ := s.scroll.Visible()
	return strings.Join(lines, "\n")
}

// Share is where the view is in the sheet, "" when all of it is visible.
func (s *Sheet) Share() string { return s.scroll.Share() }

// Size is what SetSize was given.
func (s *Sheet) Size() (w, h int) { return s.w, s.h }

// Rewind goes back to the top.
func (s *Sheet) Rewind() {
	s.moveTo(0)
	s.scroll.Top()
	s.revealShort()
}

// Writer makes rows in the look of all sheets.
type Writer struct {
	St   *style.Styles
	Lead int // columns of the labels
	Rows []Row
}

// WriteHead is a heading, with an empty line before it.
func (w *Writer) WriteHead(text string) {
	if len(w.Rows) > 0 {
		w.WriteGap()
	}
	w.Rows = append(w.Rows, Row{Body: sanitize.Line(text), Style: w.St.Strong})
}

// WriteGap is an empty line.
func (w *Writer) WriteGap() { w.Rows = append(w.Rows, Row{}) }

// Field is a label and a value; an empty value shows as a dash.
func (w *Writer) Field(label, value string) { w.WriteFieldIn(w.St.Plain, label, value) }

// WriteFieldIn is Field with a style for the value.
func (w *Writer) WriteFieldIn(st style.Style, label, value string) {
	value = sanitize.Line(value)
	if value == "" {
		value, st = "–", w.St.Dim
	}
	lead := max(w.Lead, 14)
	w.Rows = append(w.Rows, Row{Lead: Fit(sanitize.Line(label), lead), LeadStyle: w.St.Dim, Body: value, Style: st})
}

// Text is a wrapped line.
func (w *Writer) Text(text string) { w.WriteTextIn(w.St.Plain, text) }

// WriteTextIn is Text in a style.
func (w *Writer) WriteTextIn(st style.Style, text string) {
	w.Rows = append(w.Rows, Row{Body: sanitize.Line(text), Style: st})
}

// WriteItem is a wrapped line behind a mark.
func (w *Writer) WriteItem(mark, text string) {
	w.Rows = append(w.Rows, Row{Lead: mark + " ", LeadStyle: w.St.Accent, Body: sanitize.Line(text)})
}

// Draw is a row that lays itself out.
func (w *Writer) Draw(f func(width int) []string) { w.Rows = append(w.Rows, Row{Draw: f}) }
