package stepper

import (
	"fmt"
	"strings"

	"docent/pipeline/contract"
	"docent/tui/style"
	"docent/tui/widget"
)

// StripHeight is the lines of the strip.
const StripHeight = 3

// View is the strip or the column.
func (p *Pane) View() string {
	if p.h <= StripHeight {
		return strings.Join(p.strip()[:max(1, p.h)], "\n")
	}
	return strings.Join(p.column(), "\n")
}

func (p *Pane) styleOf(s Step) style.Style {
	switch s.State {
	case Running:
		return p.st.Accent
	case Done:
		if s.Degraded != "" {
			return p.st.Warn
		}
		return p.st.Good
	case Stale:
		return p.st.Warn
	case Failed:
		return p.st.Bad
	}
	return p.st.Dim
}

// mark is the state's mark, with a "!" behind it when the phase was degraded.
func mark(s Step) string {
	if s.Degraded != "" && s.State == Done {
		return "!"
	}
	return s.State.Mark()
}

// minCell is the columns of a phase in the strip: room for a time.
const minCell = 7

// labels are the phases' names, of the longest kind for which the strip has room;
// nil when there is room for no kind.
func (p *Pane) labels() (labels []string, spare int) {
	kinds := []func(phase string) string{
		Title,
		Name,
		func(ph string) string { return ph },
	}
	for _, kind := range kinds {
		labels = labels[:0]
		natural := 1
		for _, s := range p.steps {
			labels = append(labels, kind(s.Phase))
			natural += cell(labels[len(labels)-1])
		}
		if natural <= p.w {
			return labels, (p.w - natural) / len(p.steps)
		}
	}
	return nil, 0
}

// cell is the columns of a phase: a bracket or a space, which also ends the cell
// before, the mark, a space, the name.
func cell(name string) int { return max(minCell, widget.Width(name)+3) }

func (p *Pane) strip() []string {
	names, spare := p.labels()
	if names == nil {
		return p.compact()
	}
	indent := 1
	if spare >= 3 {
		indent = 3 // the times stand under the names
	}
	top, low := "", ""
	for i, s := range p.steps {
		sep, ns := " ", p.st.Plain
		switch {
		case i == p.at:
			sep, ns = "[", p.st.Title
		case i == p.at+1 && cell(names[p.at])+spare == widget.Width(names[p.at])+3:
			sep = "]"
		}
		wide := cell(names[i]) + spare - widget.Width(names[i]) - 3
		name := names[i]
		if i == p.at && wide > 0 {
			name, wide = name+"]", wide-1
		}
		top += p.st.Title.Render(sep) + p.styleOf(s).Render(mark(s)) + " " + ns.Render(name) + widget.Spaces(wide)
		low += p.st.Dim.Render(widget.Fit(widget.Spaces(indent)+Elapsed(s), cell(names[i])+spare))
	}
	if n := len(names) - 1; p.at == n && cell(names[n])+spare == widget.Width(names[n])+3 {
		top += p.st.Title.Render("]")
	}
	return []string{widget.Fit(top, p.w), widget.Fit(low, p.w), p.line(p.steps[p.at])}
}

// compact is the strip without names, in at least 39 columns.
func (p *Pane) compact() []string {
	top := ""
	for i, s := range p.steps {
		name, sep, ns := s.Phase, " ", p.st.Plain
		if name == contract.PhaseMerge {
			name = "mrg"
		}
		switch {
		case i == p.at:
			sep, ns = "[", p.st.Title
		case i == p.at+1:
			sep = "]"
		}
		top += sep + p.styleOf(s).Render(mark(s)) + ns.Render(name)
	}
	if p.at == len(p.steps)-1 {
		top += "]"
	}
	return []string{widget.Fit(top, p.w), p.st.Dim.Render(widget.Fit("  "+Elapsed(p.steps[p.at]), p.w)), p.line(p.steps[p.at])}
}

// line is the selected phase's result in words.
func (p *Pane) line(s Step) string {
	text := result(s)
	if text == "" && s.State != Waiting { // the mark says that
		text = string(s.State)
	}
	st := p.st.Plain
	switch s.State {
	case Waiting, Skipped:
		st = p.st.Dim
	case Failed:
		st = p.st.Bad
	}
	return widget.Fit("  "+p.styleOf(s).Render(mark(s))+" "+st.Render(widget.Cut(text, max(0, p.w-6))), p.w)
}

// result is a phase's result in one line, with its engine and why it was degraded.
func result(s Step) string {
	text := s.Text
	if s.Phase == contract.PhaseMerge && s.State != Failed { // names without spaces, which cannot be wrapped
		text = strings.ReplaceAll(text, ",", ", ")
	}
	if s.State == Running {
		text = "…"
		if s.Doing != "" {
			text = s.Doing
		}
		if s.Total > 0 {
			text = strings.TrimPrefix(text+" ", "… ") + fmt.Sprintf("%d of %d", s.Done, s.Total)
		}
	}
	if s.Engine != "" && s.Engine != contract.EngineBuiltin {
		text += ", by " + s.Engine
	}
	if s.Degraded != "" {
		text += ", degraded: " + s.Degraded
	}
	return text
}

func (p *Pane) column() []string {
	per := p.perStep()
	var out []string
	for i, s := range p.steps {
		name := Name(s.Phase)
		cursor := "  "
		if i == p.at {
			cursor = "▸ "
		}
		ms := Elapsed(s)
		label := widget.Fit(s.Phase, 6) + name
		room := p.w - 2 - 2 - widget.Width(ms) - 1
		if i == p.at {
			row := cursor + mark(s) + " " + widget.Fit(label, room) + ms + " "
			out = append(out, p.st.Selected.Render(widget.Fit(row, p.w)))
		} else {
			out = append(out, cursor+p.styleOf(s).Render(mark(s))+" "+widget.Fit(label, room)+p.st.Dim.Render(ms)+" ")
		}
		if per >= 2 {
			text := result(s)
			if text == "" && s.State != Waiting {
				text = string(s.State)
			}
			lines := widget.Wrap(text, max(1, p.w-5))
			if most := min(per-1, 2); len(lines) > most { // the fourth line stays empty
				lines = lines[:most]
				lines[most-1] = widget.Cut(lines[most-1]+" …", p.w-5)
			}
			for len(lines) < per-1 {
				lines = append(lines, "")
			}
			for _, l := range lines {
				st := p.st.Dim
				if s.State == Failed {
					st = p.st.Bad
				}
				out = append(out, "    "+st.Render(l))
			}
		}
	}
	return out
}

// Elapsed is a phase's time in words, "" before it has one.
func Elapsed(s Step) string {
	switch {
	case s.State == Waiting || s.State == Running || s.State == Failed:
		return ""
	case s.MS < 0.05:
		return "0 ms"
	case s.MS < 10:
		return fmt.Sprintf("%.1f ms", s.MS)
	case s.MS < 1000:
		return fmt.Sprintf("%.0f ms", s.MS)
	}
	return fmt.Sprintf("%.1f s", s.MS/1000)
}

// area is the place of a phase in the view. In the compact strip every phase has an
// equal share of the width.
func (p *Pane) area(i int) (x, y, w, h int) {
	n := len(p.steps)
	if p.h > StripHeight {
		per := p.perStep()
		return 0, i * per, p.w, per
	}
	rows := min(2, p.h)
	names, spare := p.labels()
	if names == nil {
		return i * p.w / n, 0, (i+1)*p.w/n - i*p.w/n, rows
	}
	for k := range i {
		x += cell(names[k]) + spare
	}
	return x, 0, cell(names[i]) + spare, rows
}

// perStep is the lines of a phase in the column.
func (p *Pane) perStep() int {
	return max(1, min(4, p.h/len(p.steps)))
}
