// Package final is the pane of the answer: the block as it is copied, and below it what
// it requires and warns of, and its sources. The cursor stands on a line of the block, whose place in
// its page is known.
//
// It refuses to change the block, except that it removes what would steer a
// terminal.
package final

import (
	"fmt"
	"strconv"
	"strings"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/text/sanitize"
	"docent/tui/keymap"
	"docent/tui/style"
	"docent/tui/widget"
)

// Pane is the pane.
type Pane struct {
	widget.Sheet
	st        *style.Styles
	lines     int
	sources   []Source
	sections  bool // a block of sections
	citations []contract.Citation
	res       pipeline.Result
	beside    []Aside
}

// New is an empty pane.
func New(st *style.Styles) *Pane {
	p := &Pane{st: st}
	p.SetStyles(st)
	return p
}

// SetResult shows a run's block. A line is cleaned and wrapped when it is first
// drawn: a block of 20 000 lines must not delay a frame.
func (p *Pane) SetResult(res pipeline.Result) {
	p.res, p.beside = res, nil
	p.draw()
}

// draw makes the rows of the result and of what stands beside it.
func (p *Pane) draw() {
	res := p.res
	p.lines, p.sources, p.citations, p.sections = 0, nil, nil, res.Size().Sections > 0
	w := &widget.Writer{St: p.st}
	if res.Final == "" {
		if res.Phases.Extract != nil {
			w.TextIn(p.st.Dim, "nothing was found, so there is no answer")
		} else {
			w.TextIn(p.st.Dim, "nothing here yet")
		}
		p.SetRows(w.Rows)
		return
	}
	lines := strings.Split(strings.TrimSuffix(res.Final, "\n"), "\n")
	p.lines, p.sources, p.citations = len(lines), sources(res, len(lines)), res.Citations
	st := p.st
	rows := make([]widget.Row, 0, len(lines)+len(res.Citations)*2+2)
	for i, l := range lines {
		look := st.Plain
		switch {
		case i == 0 || i == len(lines)-1:
			look = st.Title
		case strings.HasPrefix(l, "[… lines ") && strings.HasSuffix(l, " omitted …]"):
			look = st.Warn
		}
		rows = append(rows, widget.Row{Pick: true, ID: strconv.Itoa(i), Draw: func(width int) []string {
			if i < headLines { // for who reads what was copied; the page is what is looked for here
				return []string{look.Render(widget.Cut(sanitize.Line(l), width))}
			}
			out := widget.Wrap(strings.TrimRight(sanitize.Text(l), "\n"), width)
			for k := range out {
				out[k] = look.Render(out[k])
			}
			return out
		}})
	}
	w.Rows = rows
	p.asides(w)
	w.Head(fmt.Sprintf("Sources (%d)", len(res.Citations)))
	for i, c := range res.Citations {
		w.Item("•", fmt.Sprintf("%s, lines %d–%d", cited(c), c.Lines[0], c.Lines[1]))
		last := &w.Rows[len(w.Rows)-1]
		last.Pick, last.ID = true, "citation "+strconv.Itoa(i)
		w.Rows = append(w.Rows, widget.Row{Lead: "  ", Body: sanitize.Line(c.DocSet + "/" + c.FilePath), Style: st.Dim})
	}
	p.SetRows(w.Rows)
}

// cited is the page, and the section where one is quoted.
func cited(c contract.Citation) string {
	path := c.HeadingPath
	if len(path) == 0 || path[0] != c.PageTitle {
		path = append([]string{c.PageTitle}, path...)
	}
	return strings.Join(path, contract.SectionPath)
}

// Lines is the number of lines of the block.
func (p *Pane) Lines() int { return p.lines }

// Bindings are the keys that the pane knows.
func (p *Pane) Bindings() []keymap.Binding {
	return append(keymap.Scrolling(), keymap.Of(keymap.OpenSource, keymap.Toggle, keymap.TogglePage)...)
}
