package tui

import (
	tea "charm.land/bubbletea/v2"

	"docent/pipeline/sanitize"
	"docent/tui/widget"
)

// prompt is a line to type something into that is not a question. It stands in
// the place of the status line.
type prompt struct {
	label string
	input widget.Input
	take  func(text string) tea.Cmd // what enter does
}

// ask for a line; what stands in it is there to be changed.
func (m *Model) promptFor(label, text string, take func(string) tea.Cmd) {
	p := &prompt{label: label, take: take}
	p.input.SetValue(text)
	m.prompt = p
	m.clearStatus()
}

// accept ends the prompt. It is closed first, since what follows may open the
// next one.
func (m *Model) accept() tea.Cmd {
	p := m.prompt
	m.prompt = nil
	return p.take(p.input.Value())
}

// promptLine is the line and the column of the cursor.
func (m *Model) promptLine() (string, int) {
	p := m.prompt
	label := widget.Cut(sanitize.Line(p.label), max(1, m.w/2))
	text, cursor := p.input.View(max(1, m.w-widget.Width(label)-5))
	return widget.Fit(" "+m.st.Accent.Render(label)+m.st.Title.Render(" ❯ ")+text, m.w), widget.Width(label) + 4 + cursor
}
