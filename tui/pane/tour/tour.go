// Package tour is the tour of the app: a box at the foot of the screen that explains
// five steps. A step ends when a person does what it says, or by a key.
//
// It refuses to hold the texts: they are a page of the manual.
package tour

import (
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline/text/sanitize"
	"docent/store/doc"
	"docent/tui/keymap"
	"docent/tui/style"
	"docent/tui/widget"
)

// Event is an action of a person that ends a step.
type Event int

// The events, in the order of the steps.
const (
	Asked   Event = iota // a question was answered
	Looked               // a hit's section was opened
	Seen                 // another phase was looked at
	Changed              // the request was changed
	Copied               // the final block was copied
	events
)

// File is the manual's page with the texts.
const File = "tour.md"

// Step is one step: a title, and what to do.
type Step struct{ Title, Text string }

// ReadSteps reads the steps from the manual's page: the titles and the first paragraphs
// of its numbered sections.
func ReadSteps(d *doc.Document, source []byte) ([]Step, error) {
	var steps []Step
	for i, s := range d.Sections {
		number, title, ok := strings.Cut(s.Text, ". ")
		if n, err := strconv.Atoi(number); !ok || err != nil || n != len(steps)+1 {
			continue
		}
		for _, b := range d.Blocks {
			if b.Section == i && b.Kind == doc.Paragraph && b.Span.Start >= 0 && b.Span.Start <= b.Span.End && b.Span.End <= len(source) {
				text := strings.Join(strings.Fields(string(source[b.Span.Start:b.Span.End])), " ")
				steps = append(steps, Step{Title: title, Text: text})
				break
			}
		}
	}
	if len(steps) != int(events) {
		return nil, fmt.Errorf("the manual's page %s has %d steps, not %d", File, len(steps), int(events))
	}
	return steps, nil
}

// Pane is the pane.
type Pane struct {
	st    *style.Styles
	w, h  int
	steps []Step
	at    int
}

// New is the tour before it begins.
func New(st *style.Styles) *Pane { return &Pane{st: st} }

// Begin begins with the first step.
func (p *Pane) Begin(steps []Step) { p.steps, p.at = steps, 0 }

// End leaves the tour.
func (p *Pane) End() { p.steps = nil }

// IsRunning reports whether the tour goes on.
func (p *Pane) IsRunning() bool { return len(p.steps) > 0 }

// FinishesStep tells the tour of an event. It returns true when that ended the last step.
func (p *Pane) FinishesStep(d Event) (ended bool) {
	if !p.IsRunning() || int(d) != p.at {
		return false
	}
	return p.Next()
}

// Next goes to the next step. It returns true behind the last one.
func (p *Pane) Next() (ended bool) {
	if !p.IsRunning() {
		return false
	}
	if p.at++; p.at >= len(p.steps) {
		p.End()
		return true
	}
	return false
}

// SetSize sets the columns and lines of the view.
func (p *Pane) SetSize(w, h int) { p.w, p.h = w, h }

// Bindings are the keys that the pane knows.
func (p *Pane) Bindings() []keymap.Binding { return keymap.BindingsOf(keymap.Tour) }

// Update does nothing: the root tells the tour of events by Did.
func (p *Pane) Update(tea.Msg) tea.Cmd { return nil }

// Title is the frame's title.
func (p *Pane) Title() string {
	if !p.IsRunning() {
		return ""
	}
	return fmt.Sprintf("Tour %d/%d  %s", p.at+1, len(p.steps), sanitize.Line(p.steps[p.at].Title))
}

// Height is the number of lines of the longest step in w columns. All steps are shown
// in a box of that height, so that the screen does not jump.
func (p *Pane) Height(w int) int {
	n := 0
	for _, s := range p.steps {
		n = max(n, len(p.wrapText(s.Text, w)))
	}
	return n
}

func (p *Pane) wrapText(text string, w int) []string {
	var b strings.Builder
	for i, part := range strings.Split(sanitize.Line(text), "`") {
		if i%2 == 1 {
			b.WriteString(p.st.Key.Render(part))
		} else {
			b.WriteString(part)
		}
	}
	return widget.CarryStyles(widget.Wrap(b.String(), max(1, w-2)))
}

// View is the step's text.
func (p *Pane) View() string {
	if !p.IsRunning() {
		return ""
	}
	lines := p.wrapText(p.steps[p.at].Text, p.w)
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	return strings.Join(lines[:min(len(lines), max(1, p.h))], "\n")
}
