package tui

import (
	"fmt"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/sanitize"
	"docent/tui/pane/stepper"
	"docent/tui/widget"
)

// live is what a model answers while it does, in place of the pane of a phase that
// has nothing to show yet, or whose answer it is.
func (m *Model) live() (widget.Panel, bool) {
	s, ok := m.steps.Running()
	selected := m.steps.Step(m.steps.Selected())
	if !ok || !m.running || s.Live == "" || selected.Phase != s.Phase && selected.State != stepper.Waiting {
		return widget.Panel{}, false
	}
	g := m.geometry()
	w, h := max(1, g.mainW-4), max(1, g.mainH-2)
	var lines []string
	for line := range strings.SplitSeq(sanitize.Text(s.Live), "\n") {
		lines = append(lines, widget.Wrap(line, w)...)
	}
	return widget.Panel{Title: s.Phase + " " + stepper.Name(s.Phase), Info: s.Engine, View: strings.Join(lines[max(0, len(lines)-h):], "\n")}, true
}

// answeredBy is the models that answered a phase of the result, "" for none.
func (m *Model) answeredBy() string {
	var out []string
	for _, ph := range contract.Phases() {
		e := m.res.Engine[ph]
		if strings.Contains(e, ":") && !slices.Contains(out, e) {
			out = append(out, e)
		}
	}
	return sanitize.Line(strings.Join(out, ", "))
}

// doing is what a model is asked just now, "" for nothing.
func (m *Model) doing() string {
	s, ok := m.steps.Running()
	if !ok || !m.running || m.stopping || s.Doing == "" {
		return ""
	}
	text := s.Phase + " " + s.Doing
	if s.Total > 0 {
		text += fmt.Sprintf(" %d of %d", s.Done, s.Total)
	}
	return text
}
