// Package start is the pane for a person who comes back: the pages read last, the
// marks, the questions asked last and the doc sets, as one list in which enter goes
// on.
//
// It refuses to know where its rows come from and to open anything: what was chosen
// is sent as an intent.
package start

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/tui/keymap"
	"docent/tui/style"
	"docent/tui/widget"
)

// Chosen is the intent to go on with a row: one field is set.
type Chosen struct {
	Place    pipeline.Place
	Question string
	DocSet   string
}

func (c Chosen) isSameChoice(o Chosen) bool {
	return c.Question == o.Question && c.DocSet == o.DocSet && c.Place.SameSection(o.Place)
}

// Row is one line: clean texts.
type Row struct {
	Name, Detail string // the detail is dimmed
	Right        string // at the right end, dimmed
	Warn         bool   // the text at the right is a warning
	Chosen
}

// Group is rows under a name.
type Group struct {
	Name string
	Rows []Row
}

// Pane is the pane.
type Pane struct {
	st     *style.Styles
	hint   string
	groups []Group
	rows   []Row // those that are shown
	lines  []line
	cursor int
	top    int
	w, h   int
}

// line is a line of the view: a row, or -1 for an empty one.
type line struct {
	label string
	row   int
}

// New is an empty pane.
func New(st *style.Styles) *Pane { return &Pane{st: st} }

// SetGroups sets the rows, and a hint above it. The cursor stays on its row if
// a person has moved it there.
func (p *Pane) SetGroups(hint string, groups []Group) {
	was, had := p.Selected()
	moved := p.cursor > 0
	p.hint, p.groups = hint, groups
	p.layOutGroups()
	p.cursor = 0
	for i, r := range p.rows {
		if had && moved && r.isSameChoice(was) {
			p.cursor = i
		}
	}
	p.moveCursor(0)
}

// mostRows bounds the rows of a group, leastRows what each keeps on a small screen.
const (
	mostRows  = 12
	leastRows = 2
)

// layOutGroups makes lines: of each group as many rows as there is room for.
func (p *Pane) layOutGroups() {
	most := mostRows
	for ; most > leastRows; most-- {
		n := len(p.linesAbove())
		for _, g := range p.groups {
			if len(g.Rows) > 0 {
				n += 1 + min(most, len(g.Rows))
			}
		}
		if n <= p.h {
			break
		}
	}
	p.rows, p.lines = nil, nil
	for _, g := range p.groups {
		for i, r := range g.Rows[:min(most, len(g.Rows))] {
			label := ""
			if i == 0 {
				label = g.Name
				if len(p.lines) > 0 {
					p.lines = append(p.lines, line{row: -1})
				}
			}
			p.lines = append(p.lines, line{label, len(p.rows)})
			p.rows = append(p.rows, r)
		}
	}
}

// linesAbove are the lines above the list: the hint.
func (p *Pane) linesAbove() []string {
	if p.hint == "" || p.h < 8 {
		return nil
	}
	var out []string
	for part := range strings.SplitSeq(p.hint, "\n") {
		for _, l := range widget.Wrap(part, max(1, p.w-4)) {
			out = append(out, "  "+l)
		}
	}
	return append(out[:min(len(out), p.h/2)], "")
}

// SetSize sets the columns and lines of the view.
func (p *Pane) SetSize(w, h int) {
	if w == p.w && h == p.h {
		return
	}
	p.w, p.h = w, h
	p.layOutGroups()
	p.moveCursor(0)
}

// Selected is what the cursor is on; false where there is nothing.
func (p *Pane) Selected() (Chosen, bool) {
	if p.cursor >= len(p.rows) {
		return Chosen{}, false
	}
	return p.rows[p.cursor].Chosen, true
}

// OnFirstRow reports whether the cursor is on the first row.
func (p *Pane) OnFirstRow() bool { return p.cursor == 0 }

// Bindings are the keys that the pane knows.
func (p *Pane) Bindings() []keymap.Binding {
	return append(keymap.Scrolling(), keymap.BindingsOf(keymap.GoOn)...)
}

func (p *Pane) roomForRows() int { return max(1, p.h-len(p.linesAbove())) }

func (p *Pane) moveCursor(d int) {
	p.cursor = min(max(0, p.cursor+d), max(0, len(p.rows)-1))
	at := 0
	for i, l := range p.lines {
		if l.row == p.cursor {
			at = i
		}
	}
	p.top = max(min(p.top, at), at-p.roomForRows()+1)
	p.top = max(0, min(p.top, len(p.lines)-p.roomForRows()))
}

// Click puts the cursor on the row of a line, and reports whether there is one.
func (p *Pane) Click(y int) bool {
	i := p.top + y - len(p.linesAbove())
	if i < p.top || i >= len(p.lines) || p.lines[i].row < 0 {
		return false
	}
	p.moveCursor(p.lines[i].row - p.cursor)
	return true
}

// Update moves the cursor, or sends the intent to go on.
func (p *Pane) Update(msg tea.Msg) tea.Cmd {
	a, ok := msg.(keymap.Action)
	if !ok {
		return nil
	}
	if d, ok := widget.CursorSteps(a, len(p.rows), p.roomForRows()); ok {
		p.moveCursor(d)
		return nil
	}
	if a == keymap.GoOn {
		if c, ok := p.Selected(); ok {
			return func() tea.Msg { return c }
		}
	}
	return nil
}

// labelWidth is the columns of a group's name, mostWide those of a row: the text
// at the right end is read together with the name.
const (
	labelWidth = 11
	mostWide   = 110
)

// View is the list.
func (p *Pane) View() string {
	out := p.linesAbove()
	label := min(labelWidth, p.w/3)
	for i := p.top; i < len(p.lines) && len(out) < p.h; i++ {
		l := p.lines[i]
		if l.row < 0 {
			out = append(out, "")
			continue
		}
		r := p.rows[l.row]
		w := min(mostWide, p.w-label-1)
		right := widget.Cut(r.Right, w/2)
		left := r.Name
		room := w - 4 - widget.Width(right)
		if r.Detail != "" && widget.Width(left)+2 < room {
			left = widget.Cut(left, room)
		}
		lead := " " + p.st.Strong.Render(widget.Fit(l.label, label))
		if l.row == p.cursor {
			if r.Detail != "" {
				left += "  " + r.Detail
			}
			out = append(out, lead+p.st.Selected.Render(widget.Sides("▸ "+left, right+" ", w)))
			continue
		}
		if r.Detail != "" {
			left += "  " + p.st.Dim.Render(r.Detail)
		}
		look := p.st.Dim
		if r.Warn {
			look = p.st.Warn
		}
		out = append(out, lead+widget.Sides("  "+left, look.Render(right)+" ", w))
	}
	return strings.Join(widget.CutLines(out[:min(len(out), max(1, p.h))], p.w), "\n")
}
