// Package stepper is the pane of all steps from a question to its answer: the state
// of each, its time, and its result in one line. One step is selected.
//
// It refuses to know what the phases do: it shows the events of a run.
//
// Terms. A step is what a person sees of a phase, under a plain name and the number
// of its key; the phases that decide on cuts and make them are one step. The strip is
// the pane as two lines across the screen. The column is the pane at the side of a
// wide screen.
package stepper

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/text/sanitize"
	"docent/tui/keymap"
	"docent/tui/style"
)

// State is the state of a phase.
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

// Step is one phase, or several that are shown as one.
type Step struct {
	Phase    string // the first one
	State    State
	Text     string // the result or the error, one clean line
	Engine   string
	Degraded string // why a lesser engine answered, clean
	MS       float64
	Done     int // progress, of Total
	Total    int
	Doing    string // what the phase does just now, clean
	Live     string // the end of a model's answer, while it is written
}

// mostLive bounds Live, in bytes.
const mostLive = 8 << 10

// Pane is the stepper.
type Pane struct {
	st    *style.Styles
	steps []Step // of each phase
	at    int    // the selected one of names
	note  string // shown in place of the selected step's result, clean
	w, h  int
}

// New is a stepper with every phase waiting.
func New(st *style.Styles) *Pane {
	p := &Pane{st: st}
	p.Reset()
	return p
}

// name is how a step is called on the screen, and what it is made of.
type name struct {
	text, about string
	phases      []string
}

var names = [...]name{
	{"Queries", "what is searched for", []string{contract.PhaseOptimize}},
	{"Kind", "what kind of question it is", []string{contract.PhaseRoute}},
	{"Scope", "where is searched, and how", []string{contract.PhaseMerge}},
	{"Hits", "the sections that are found", []string{contract.PhaseSearch}},
	{"Ranking", "how well each section answers", []string{contract.PhaseRerank}},
	{"Pages", "the pages that are read", []string{contract.PhaseExtract}},
	{"Cuts", "what is left out, and why", []string{contract.PhaseCheck, contract.PhaseProcess}},
	{"Answer", "the text to copy, with its sources", []string{contract.PhaseCite}},
}

// Count is the number of steps.
const Count = len(names)

func indexOfPhase(phase string) int {
	return slices.IndexFunc(names[:], func(n name) bool { return slices.Contains(n.phases, phase) })
}

// PhaseName is the name of a phase's step: "Hits".
func PhaseName(phase string) string {
	if i := indexOfPhase(phase); i >= 0 {
		return names[i].text
	}
	return phase
}

// PhaseTitle is the key and the name of a phase's step: "4 Hits".
func PhaseTitle(phase string) string {
	if i := indexOfPhase(phase); i >= 0 {
		return titleOfStep(i)
	}
	return phase
}

// PhaseAbout says what a phase's step shows.
func PhaseAbout(phase string) string {
	if i := indexOfPhase(phase); i >= 0 {
		return names[i].about
	}
	return ""
}

func titleOfStep(i int) string { return strconv.Itoa(i+1) + " " + names[i].text }

// shownSteps are the steps as they are drawn: of phases that are one step the state of the
// one that is not done, and the result of the last one that has any.
func (p *Pane) shownSteps() []Step {
	out := make([]Step, len(names))
	for i, n := range names {
		for k, phase := range n.phases {
			s := p.Step(phase)
			if k == 0 {
				out[i] = s
				continue
			}
			joined := s
			joined.Phase, joined.MS = out[i].Phase, out[i].MS+s.MS
			if joined.Degraded == "" {
				joined.Degraded = out[i].Degraded
			}
			if first := out[i]; first.State != Done || s.State == Skipped {
				joined.State, joined.Text = first.State, first.Text
			}
			out[i] = joined
		}
	}
	return out
}

// SetNote puts a text in the place of the selected step's result; "" takes it away.
func (p *Pane) SetNote(text string) { p.note = text }

// Reset makes every phase wait, for another question.
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

// Click selects the phase at a place of the view, and reports whether there is one.
func (p *Pane) Click(x, y int) bool {
	if x < 0 || y < 0 || x >= p.w || y >= p.h {
		return false
	}
	for i := range names {
		if x0, y0, w, h := p.areaOfStep(i); x >= x0 && x < x0+w && y >= y0 && y < y0+h {
			p.at = i
			return true
		}
	}
	return false
}

// Begin tells that a run begins. A phase that an earlier run was in becomes stale.
func (p *Pane) Begin() { p.settleWaiting() }

func (p *Pane) settleWaiting() {
	for i := range p.steps {
		if p.steps[i].State == Running {
			p.steps[i].State = Stale
			if p.steps[i].Text == "" {
				p.steps[i].State = Waiting
			}
		}
	}
}

// ApplyEvent takes in an event of the run.
func (p *Pane) ApplyEvent(ev pipeline.Event) {
	i := slices.IndexFunc(p.steps, func(s Step) bool { return s.Phase == ev.Phase })
	if i < 0 {
		return
	}
	s := &p.steps[i]
	switch ev.Kind {
	case pipeline.PhaseStarted:
		s.State, s.Done, s.Total, s.Doing, s.Live, s.Engine = Running, 0, 0, "", "", ""
		// The later phases have results made of an earlier result of this one.
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

// Running is the phase that is running; false where none is.
func (p *Pane) Running() (Step, bool) {
	i := slices.IndexFunc(p.steps, func(s Step) bool { return s.State == Running })
	if i < 0 {
		return Step{}, false
	}
	return p.steps[i], true
}

// End tells that the run ended; degraded lists the phases that a lesser engine
// answered. A phase that was cancelled is stale and not failed.
func (p *Pane) End(degraded []contract.Degraded, cancelled bool) {
	p.settleWaiting()
	for i := range p.steps {
		p.steps[i].Degraded = ""
		if cancelled && p.steps[i].State == Failed {
			p.steps[i].State, p.steps[i].Text = Stale, "cancelled"
		}
	}
	for _, d := range degraded {
		for i := range p.steps {
			if p.steps[i].Phase == d.Phase {
				p.steps[i].Degraded = sanitize.Line(
					fmt.Sprintf("%s in place of %s: %s", EngineText(d.Used), EngineText(d.Wanted), d.Reason))
			}
		}
	}
}

// EngineText is what answered a phase, in words.
func EngineText(name string) string {
	if name == contract.EngineBuiltin {
		return "docent itself"
	}
	return name
}

// Selected is the selected step's phase, the first one.
func (p *Pane) Selected() string { return names[p.at].phases[0] }

// SelectPhase goes to a phase's step.
func (p *Pane) SelectPhase(phase string) {
	if i := indexOfPhase(phase); i >= 0 {
		p.at = i
	}
}

// SelectNth goes to the nth step, from 0, and reports whether there is one.
func (p *Pane) SelectNth(n int) bool {
	if n < 0 || n >= len(names) {
		return false
	}
	p.at = n
	return true
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
		p.at = min(len(names)-1, p.at+1)
	}
	return nil
}

// Bindings are the keys that the stepper knows.
func (p *Pane) Bindings() []keymap.Binding {
	return keymap.BindingsOf(keymap.PrevPhase, keymap.NextPhase)
}

// SetSize sets the columns and lines of the view. Two lines or fewer make it
// a strip.
func (p *Pane) SetSize(w, h int) { p.w, p.h = w, h }
