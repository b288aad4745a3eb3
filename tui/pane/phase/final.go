package phase

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

// Final is the pane of the answer: the block as it is copied, and below it what it
// requires and warns of, and its sources. The cursor stands on a line of the block,
// whose place in its page is known. The block is shown as it is, except that text
// that would steer a terminal is removed.
type Final struct {
	Pane
	lines     int
	sources   []Source
	sections  bool // a block of sections
	citations []contract.Citation
	asides    []Aside
}

// NewFinal returns the pane without a result.
func NewFinal(st *style.Styles) *Final {
	p := &Final{}
	p.Pane = newPane(st, p.writeAnswer, keymap.OpenSource, keymap.Toggle, keymap.TogglePage)
	return p
}

// SetResult shows a run's block. A line is cleaned and wrapped when it is first
// drawn: a block of 20 000 lines must not delay a frame.
func (p *Final) SetResult(res pipeline.Result, req pipeline.Request) {
	p.asides = nil
	p.Pane.SetResult(res, req)
}

// writeAnswer writes the block, its asides and its sources.
func (p *Final) writeAnswer(w *widget.Writer, res pipeline.Result, _ pipeline.Request) bool {
	p.lines, p.sources, p.citations, p.sections = 0, nil, nil, res.Size().Sections > 0
	if res.Final == "" {
		if res.Phases.Extract == nil {
			return false
		}
		w.WriteTextIn(p.st.Dim, "nothing was found, so there is no answer")
		return true
	}
	lines := strings.Split(strings.TrimSuffix(res.Final, "\n"), "\n")
	p.lines, p.sources, p.citations = len(lines), sourcesOfLines(res, len(lines)), res.Citations
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
			if i < headLines { // for the reader of the copy; here a person looks for the page
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
	p.writeAsides(w)
	w.WriteHead(fmt.Sprintf("Sources (%d)", len(res.Citations)))
	for i, c := range res.Citations {
		w.WriteItem("•", fmt.Sprintf("%s, lines %d–%d", citedSection(c), c.Lines[0], c.Lines[1]))
		last := &w.Rows[len(w.Rows)-1]
		last.Pick, last.ID = true, "citation "+strconv.Itoa(i)
		w.Rows = append(w.Rows, widget.Row{Lead: "  ", Body: sanitize.Line(c.DocSet + "/" + c.FilePath), Style: st.Dim})
	}
	return true
}

// citedSection is the page, and the section where one is quoted.
func citedSection(c contract.Citation) string {
	path := c.HeadingPath
	if len(path) == 0 || path[0] != c.PageTitle {
		path = append([]string{c.PageTitle}, path...)
	}
	return strings.Join(path, contract.SectionPath)
}

// Lines is the number of lines of the block.
func (p *Final) Lines() int { return p.lines }
