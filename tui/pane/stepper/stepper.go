// Package stepper is the pane that shows the phases: the state of each, how
// long it took and its result in one line.
//
// It refuses to know what the phases do; it is fed with the run's events and
// asked which phase is selected.
//
// Terms. The strip is the pane in three lines across the screen; the column is
// the pane down the side of a wide one.
package stepper

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/sanitize"
	"docent/tui/keymap"
	"docent/tui/style"
	"docent/tui/widget"
)

// State is where a phase stands.
type State string

// The states.
const (
	Waiting State = "waiting"
	Running State = "running"
	Done    State = "done"
	Stale   State = "stale"
	Skipped State = "skipped"
	Failed  State = "failed"
)

// Mark is the state as one character.
func (s State) Mark() string {
	switch s {
	case Running:
		return "●"
	case Done:
		return "✓"
	case Stale:
		return "~"
	case Skipped:
		return "–"
	case Failed:
		return "✗"
	}
	return "·"
}

// Step is one phase.
type Step struct {
	Phase    string
	State    State
	Text     string // the result or the error, one clean line
	Engine   string
	Degraded string // why it was answered by less than was wanted, clean
	MS       float64
	Done     int // progress, of Total
	Total    int
	Doing    string // what the phase does just now, clean
	Live     string // the end of what a model answers it, as it comes
}

// mostLive bounds Live, in bytes.
const mostLive = 8 << 10

// Pane is the stepper.
type Pane struct {
	st    *style.Styles
	steps []Step
	at    int
	w, h  int
}

// New is a stepper with every phase waiting.
func New(st *style.Styles) *Pane {
	p := &Pane{st: st}
	p.Reset()
	return p
}

// Name is a phase's name in words.
func Name(phase string) string {
	switch phase {
	case contract.PhaseOptimize:
		return "Optimize"
	case contract.PhaseRoute:
		return "Route"
	case contract.PhaseMerge:
		return "Merge"
	case contract.PhaseSearch:
		return "Hits"
	case contract.PhaseRerank:
		return "Rerank"
	case contract.PhaseExtract:
		return "Extract"
	case contract.PhaseCheck:
		return "Check"
	case contract.PhaseProcess:
		return "Process"
	case contract.PhaseCite:
		return "Final"
	}
	return phase
}

// Reset puts every phase back to waiting: another question.
func (p *Pane) Reset() {
	p.steps = p.steps[:0]
	for _, ph := range contract.Phases() {
		p.steps = append(p.steps, Step{Phase: ph, State: Waiting})
	}
}

// Restore shows the phases of a session that was saved.
func (p *Pane) Restore(res pipeline.Result) {
	p.Reset()
	for i := range p.steps {
		s := &p.steps[i]
		if engine, ok := res.Engine[s.Phase]; ok {
			s.State, s.Engine, s.MS, s.Text = Done, sanitize.Line(engine), res.TimingsMS[s.Phase], "as it was saved"
		}
	}
	p.End(res.Degraded, false)
}

// Click selects the phase that stands at a place of the view and says whether
// there is one.
func (p *Pane) Click(x, y int) bool {
	if x < 0 || y < 0 || x >= p.w || y >= p.h {
		return false
	}
	for i := range p.steps {
		if x0, y0, w, h := p.area(i); x >= x0 && x < x0+w && y >= y0 && y < y0+h {
			p.at = i
			return true
		}
	}
	return false
}

// Begin says that a run begins: a phase that was running in an earlier run is
// not any more.
func (p *Pane) Begin() { p.settle() }

func (p *Pane) settle() {
	for i := range p.steps {
		if p.steps[i].State == Running {
			p.steps[i].State = Stale
			if p.steps[i].Text == "" {
				p.steps[i].State = Waiting
			}
		}
	}
}

// Apply takes an event of the run in.
func (p *Pane) Apply(ev pipeline.Event) {
	i := slices.IndexFunc(p.steps, func(s Step) bool { return s.Phase == ev.Phase })
	if i < 0 {
		return
	}
	s := &p.steps[i]
	switch ev.Kind {
	case pipeline.PhaseStarted:
		s.State, s.Done, s.Total, s.Doing, s.Live, s.Engine = Running, 0, 0, "", "", ""
		// What follows was made from an earlier result of this phase.
		for j := i + 1; j < len(p.steps); j++ {
			if st := p.steps[j].State; st == Done || st == Skipped {
				p.steps[j].State = Stale
			}
		}
	case pipeline.PhaseProgress:
		s.State, s.Done, s.Total = Running, ev.Done, ev.Total
		if s.Doing != ev.Text {
			s.Doing, s.Live = sanitize.Line(ev.Text), ""
		}
		if ev.Engine != "" {
			s.Engine = sanitize.Line(ev.Engine)
		}
	case pipeline.PhaseText:
		s.Live += ev.Text
		if cut := len(s.Live) - mostLive; cut > 0 {
			s.Live = strings.ToValidUTF8(s.Live[cut:], "")
		}
	case pipeline.PhaseDone, pipeline.PhaseSkipped:
		s.State = Done
		if ev.Kind == pipeline.PhaseSkipped {
			s.State = Skipped
		}
		s.Text, s.Engine, s.MS, s.Live = sanitize.Line(ev.Text), sanitize.Line(ev.Engine), ev.ElapsedMS, ""
	case pipeline.PhaseFailed:
		s.State, s.Text, s.MS = Failed, sanitize.Line(ev.Text), ev.ElapsedMS
	}
}

// Running is the phase that is being run; false where none is.
func (p *Pane) Running() (Step, bool) {
	i := slices.IndexFunc(p.steps, func(s Step) bool { return s.State == Running })
	if i < 0 {
		return Step{}, false
	}
	return p.steps[i], true
}

// End says that the run ended; degraded is what its result says of phases that
// were answered by less than was wanted. After a cancelled run the phase that
// it was in is not failed but stale.
func (p *Pane) End(degraded []contract.Degraded, cancelled bool) {
	p.settle()
	for i := range p.steps {
		p.steps[i].Degraded = ""
		if cancelled && p.steps[i].State == Failed {
			p.steps[i].State, p.steps[i].Text = Stale, "cancelled"
		}
	}
	for _, d := range degraded {
		for i := range p.steps {
			if p.steps[i].Phase == d.Phase {
				p.steps[i].Degraded = sanitize.Line(fmt.Sprintf("%s instead of %s: %s", d.Used, d.Wanted, d.Reason))
			}
		}
	}
}

// Selected is the phase whose pane is shown.
func (p *Pane) Selected() string { return p.steps[p.at].Phase }

// Select goes to a phase.
func (p *Pane) Select(phase string) {
	if i := slices.IndexFunc(p.steps, func(s Step) bool { return s.Phase == phase }); i >= 0 {
		p.at = i
	}
}

// SelectNth goes to the nth phase, from 0.
func (p *Pane) SelectNth(n int) {
	if n >= 0 && n < len(p.steps) {
		p.at = n
	}
}

// Step is a phase's state; the zero Step for an unknown one.
func (p *Pane) Step(phase string) Step {
	for _, s := range p.steps {
		if s.Phase == phase {
			return s
		}
	}
	return Step{}
}

// Update moves between phases.
func (p *Pane) Update(msg tea.Msg) tea.Cmd {
	switch msg {
	case keymap.PrevPhase:
		p.at = max(0, p.at-1)
	case keymap.NextPhase:
		p.at = min(len(p.steps)-1, p.at+1)
	}
	return nil
}

// Bindings are the keys that the stepper knows.
func (p *Pane) Bindings() []keymap.Binding { return keymap.Of(keymap.PrevPhase, keymap.NextPhase) }

// SetSize sets the columns and lines of the view. Three lines or fewer make it
// a strip.
func (p *Pane) SetSize(w, h int) { p.w, p.h = w, h }

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

// labels are the phases' names, the longest kind that the strip has room for;
// nil when there is room for none.
func (p *Pane) labels() (names []string, spare int) {
	kinds := []func(phase string) string{
		func(ph string) string {
			if ph == contract.PhaseMerge || ph == contract.PhaseCite {
				return Name(ph)
			}
			return ph + " " + Name(ph)
		},
		Name,
		func(ph string) string { return ph },
	}
	for _, kind := range kinds {
		names = names[:0]
		natural := 1
		for _, s := range p.steps {
			names = append(names, kind(s.Phase))
			natural += cell(names[len(names)-1])
		}
		if natural <= p.w {
			return names, (p.w - natural) / len(p.steps)
		}
	}
	return nil, 0
}

// cell is the columns of a phase: the bracket or space before it, which is also
// the one behind its neighbour, the mark, a space, the name.
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

// compact is the strip where there is no room for times: 39 columns.
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

// line is the selected phase's result in words; its name stands in the frame
// below.
func (p *Pane) line(s Step) string {
	text := result(s)
	if text == "" {
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

// result is the one line of a phase, with who answered and what was degraded.
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
			if text == "" {
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

// Elapsed is a phase's time for a person, "" before it has one.
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

// area is where a phase stands in the view; in the compact strip all that is
// above the line in words counts by the share of the width.
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
