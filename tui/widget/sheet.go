package widget

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/tui/keymap"
	"docent/tui/style"
)

func itoa(n int) string { return strconv.Itoa(n) }

// Row is one row of a Sheet: a lead of a fixed width and a body that is wrapped
// beside it. Both are clean text. Draw, where set, makes the row's lines for a
// width instead.
type Row struct {
	Lead      string
	LeadStyle style.Style
	Body      string
	Style     style.Style
	Draw      func(w int) []string
}

// Sheet is a scrolled sheet of rows: what most panes are. Its view is as high
// and wide as SetSize says.
type Sheet struct {
	rows   []Row
	made   map[int][]string // rows as lines, at this width
	w, h   int
	scroll Scroller
}

// SetRows gives the rows; the position is kept.
func (s *Sheet) SetRows(rows []Row) {
	s.rows = rows
	s.made = map[int][]string{}
	s.scroll.SetSource(len(rows), s.lines)
}

// SetSize sets the columns and lines of the view.
func (s *Sheet) SetSize(w, h int) {
	if w != s.w {
		s.w, s.made = w, map[int][]string{}
	}
	s.h = h
	s.scroll.SetHeight(h)
}

// margin is the columns left free at both sides of a sheet.
const margin = 1

func (s *Sheet) lines(i int) []string {
	if ls, ok := s.made[i]; ok {
		return ls
	}
	ls := s.rows[i].draw(max(1, s.w-2*margin))
	for k := range ls {
		ls[k] = Spaces(margin) + ls[k]
	}
	s.made[i] = ls
	return ls
}

func (r Row) draw(w int) []string {
	if r.Draw != nil {
		return append([]string(nil), r.Draw(w)...)
	}
	lead := Width(r.Lead)
	if lead > w/2 { // no room beside it: below
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

// Update scrolls.
func (s *Sheet) Update(msg tea.Msg) tea.Cmd {
	if a, ok := msg.(keymap.Action); ok {
		Scroll(&s.scroll, a, s.h)
	}
	return nil
}

// Scroll does a scrolling action on a window of h lines and says whether it was
// one.
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
		s.Bottom()
	default:
		return false
	}
	return true
}

// Bindings are the keys that a sheet knows.
func (s *Sheet) Bindings() []keymap.Binding { return keymap.Scrolling() }

// View is the visible lines.
func (s *Sheet) View() string {
	lines, _ := s.scroll.Visible()
	return strings.Join(lines, "\n")
}

// Share says where the view is in the sheet, "" when all of it is seen.
func (s *Sheet) Share() string { return s.scroll.Share() }

// Size is what SetSize was given.
func (s *Sheet) Size() (w, h int) { return s.w, s.h }

// Rewind goes back to the top.
func (s *Sheet) Rewind() { s.scroll.Top() }

// Writer makes rows in the look that all sheets share.
type Writer struct {
	St   *style.Styles
	Lead int // columns of the labels
	Rows []Row
}

// Head begins a part of the sheet.
func (w *Writer) Head(text string) {
	if len(w.Rows) > 0 {
		w.Gap()
	}
	w.Rows = append(w.Rows, Row{Body: Line(text), Style: w.St.Strong})
}

// Gap is an empty line.
func (w *Writer) Gap() { w.Rows = append(w.Rows, Row{}) }

// Field is a label and a value; an empty value shows as a dash.
func (w *Writer) Field(label, value string) { w.FieldIn(w.St.Plain, label, value) }

// FieldIn is Field with a style for the value.
func (w *Writer) FieldIn(st style.Style, label, value string) {
	value = Line(value)
	if value == "" {
		value, st = "–", w.St.Dim
	}
	lead := max(w.Lead, 14)
	w.Rows = append(w.Rows, Row{Lead: Fit(Line(label), lead), LeadStyle: w.St.Dim, Body: value, Style: st})
}

// Text is a wrapped line.
func (w *Writer) Text(text string) { w.TextIn(w.St.Plain, text) }

// TextIn is Text in a style.
func (w *Writer) TextIn(st style.Style, text string) {
	w.Rows = append(w.Rows, Row{Body: Line(text), Style: st})
}

// Item is a wrapped line behind a mark.
func (w *Writer) Item(mark, text string) {
	w.Rows = append(w.Rows, Row{Lead: mark + " ", LeadStyle: w.St.Accent, Body: Line(text)})
}

// Draw is a row that lays itself out.
func (w *Writer) Draw(f func(width int) []string) { w.Rows = append(w.Rows, Row{Draw: f}) }
