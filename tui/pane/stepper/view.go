package stepper

import (
	"fmt"
	"strconv"
	"strings"

	"docent/pipeline/contract"
	"docent/tui/style"
	"docent/tui/widget"
)

// StripHeight is the lines of the strip: the steps, and what the selected one says. One of
// one line is only the steps.
const StripHeight = 2

// View is the strip or the column.
func (p *Pane) View() string {
	if p.h > StripHeight {
		lines := p.drawColumn()
		return strings.Join(lines[:min(len(lines), p.h)], "\n")
	}
	lines := p.drawStrip()
	return strings.Join(lines[:max(1, min(p.h, len(lines)))], "\n")
}

func (p *Pane) styleOfState(s Step) style.Style {
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

// markOfState is the state's mark, with a "!" behind it when the phase was degraded.
func markOfState(s Step) string {
	if s.Degraded != "" && s.State == Done {
		return "!"
	}
	return s.State.Mark()
}

// stepLabels are the steps' keys and names; where the strip has no room for all names,
// only the selected step has its name. spare is the columns left for each step; where
// there are no columns left, only the selected one has its own.
func (p *Pane) stepLabels() (labels []string, spare []int) {
	for _, all := range []bool{true, false} {
		labels = labels[:0]
		natural := 1
		for i := range names {
			text := titleOfStep(i)
			if !all && i != p.at {
				text = strconv.Itoa(i + 1)
			}
			labels = append(labels, text)
			natural += cellWidth(text)
		}
		if natural <= p.w || !all {
			left := max(0, p.w-natural)
			spare = make([]int, len(labels))
			for i := range spare {
				spare[i] = left / len(labels)
			}
			if left > 0 && left < len(labels) {
				spare[p.at] = 1
			}
			return labels, spare
		}
	}
	return nil, nil // not reached
}

// cellWidth is the columns of a step: a bracket or a space, which also ends the cell
// before, the label, the mark.
func cellWidth(label string) int { return widget.Width(label) + 2 }

func (p *Pane) drawStrip() []string {
	labels, spare := p.stepLabels()
	top := ""
	shown := p.shownSteps()
	for i, s := range shown {
		open, shut, ns := " ", "", p.st.Plain
		switch {
		case i == p.at:
			open, ns = "[", p.st.Title
			if spare[i] > 0 {
				shut = "]"
			}
		case i == p.at+1 && spare[p.at] == 0:
			open = "]"
		}
		top += p.st.Title.Render(open) + ns.Render(labels[i]) + p.styleOfState(s).Render(markOfState(s)) + p.st.Title.Render(shut) +
			widget.Spaces(spare[i]-widget.Width(shut))
	}
	if p.at == len(shown)-1 && spare[p.at] == 0 {
		top += p.st.Title.Render("]")
	}
	return []string{widget.Fit(top, p.w), p.selectedLine(shown[p.at])}
}

// resultWords are a step's result in words; the note, where it is selected and has one; what
// it shows, before it has run.
func (p *Pane) resultWords(s Step, selected bool) string {
	text := resultLine(s)
	switch {
	case selected && p.note != "" && s.State == Done && s.Degraded == "":
		return p.note
	case s.State == Waiting:
		return PhaseAbout(s.Phase)
	case text == "":
		return string(s.State)
	}
	return text
}

// selectedLine is what the selected step says.
func (p *Pane) selectedLine(s Step) string {
	text := p.resultWords(s, true)
	st := p.st.Plain
	switch s.State {
	case Waiting, Skipped:
		st = p.st.Dim
	case Failed:
		st = p.st.Bad
	}
	cut := widget.CutMiddle // of an error, which ends in what to do
	if p.note != "" && text == p.note {
		cut = widget.Cut
	}
	return widget.Fit("  "+p.styleOfState(s).Render(markOfState(s))+" "+st.Render(cut(text, max(0, p.w-6))), p.w)
}

// mostNamed is how many doc sets are named where a step's result is one line.
const mostNamed = 2

// resultLine is a step's result in one line, with the model that it is by, and why that
// was not the one that was wanted.
func resultLine(s Step) string {
	text := s.Text
	if s.Phase == contract.PhaseMerge && s.State != Failed { // names without spaces, which cannot be wrapped
		text = strings.ReplaceAll(text, ",", ", ")
		if n := strings.Count(text, ", ") + 1; n > mostNamed {
			text = fmt.Sprintf("%d doc sets", n)
		}
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
	if strings.Contains(s.Engine, ":") { // a model
		text += ", by " + s.Engine
	}
	if s.Degraded != "" {
		text += "; by " + s.Degraded
	}
	return text
}

func (p *Pane) drawColumn() []string {
	per := p.linesPerStep()
	var out []string
	for i, s := range p.shownSteps() {
		cursor := "  "
		if i == p.at {
			cursor = "▸ "
		}
		ms := ""
		if i == p.at {
			ms = ElapsedText(s)
		}
		label := titleOfStep(i)
		room := p.w - 2 - 2 - widget.Width(ms) - 1
		if i == p.at {
			row := cursor + markOfState(s) + " " + widget.Fit(label, room) + ms + " "
			out = append(out, p.st.Selected.Render(widget.Fit(row, p.w)))
		} else {
			out = append(out, cursor+p.styleOfState(s).Render(markOfState(s))+" "+widget.Fit(label, room)+p.st.Dim.Render(ms)+" ")
		}
		if per >= 2 {
			text := p.resultWords(s, i == p.at)
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

// ElapsedText is a phase's time in words, "" before it has one.
func ElapsedText(s Step) string {
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

// areaOfStep is the place of a step in the view.
func (p *Pane) areaOfStep(i int) (x, y, w, h int) {
	if p.h > StripHeight {
		per := p.linesPerStep()
		return 0, i * per, p.w, per
	}
	labels, spare := p.stepLabels()
	for k := range i {
		x += cellWidth(labels[k]) + spare[k]
	}
	return x, 0, cellWidth(labels[i]) + spare[i], 1
}

// linesPerStep is the lines of a step in the column.
func (p *Pane) linesPerStep() int {
	return max(1, min(4, p.h/len(names)))
}
