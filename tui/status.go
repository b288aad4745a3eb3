package tui

import (
	tea "charm.land/bubbletea/v2"

	"docent/pipeline/contract"
	"docent/pipeline/text/sanitize"
	"docent/tui/style"
	"docent/tui/widget"
)

// status is the status line: what a key did, or why it did nothing.
type status struct {
	text string
	mark string
	look func(*style.Styles) style.Style
	// lasting: an error stays until the next run.
	lasting bool
}

// Say shows a text.
func (s *status) Say(text string) { s.setMessage("", text, nil) }

// The marks of a success and of a warning.
const (
	succeeded = "✓ "
	warning   = "! "
)

// Good shows that something succeeded.
func (s *status) Good(text string) {
	s.setMessage(succeeded, text, func(st *style.Styles) style.Style { return st.Good })
}

// Warn shows a warning.
func (s *status) Warn(text string) {
	s.setMessage(warning, text, func(st *style.Styles) style.Style { return st.Warn })
}

// Fail shows an error, which stays until Clear.
func (s *status) Fail(text string) {
	s.setMessage("✗ ", text, func(st *style.Styles) style.Style { return st.Bad })
	s.lasting = true
}

// Clear empties the line.
func (s *status) Clear() { *s = status{} }

// Lasting reports whether the line shows an error that stays.
func (s *status) Lasting() bool { return s.lasting }

// Succeeded reports whether the line shows that something succeeded.
func (s *status) Succeeded() bool { return s.text != "" && s.mark == succeeded }

// warns reports whether the line shows a warning.
func (s *status) warns() bool { return s.text != "" && s.mark == warning }

func (s *status) setMessage(mark, text string, look func(*style.Styles) style.Style) {
	*s = status{text: sanitize.Line(text), mark: mark, look: look}
}

// prompt is a line in which text other than a question is typed. It stands in the
// place of the status line.
type prompt struct {
	label string
	input widget.Input
	take  func(text string) tea.Cmd // called by enter
}

// drawLine is the line in w columns, and the column of its cursor.
func (p *prompt) drawLine(st *style.Styles, w int) (line string, cursor int) {
	label := widget.Cut(sanitize.Line(p.label), max(1, w/2))
	text, cursor := p.input.View(max(1, w-widget.Width(label)-5))
	return widget.Fit(" "+st.Accent.Render(label)+st.Title.Render(" ❯ ")+text, w), widget.Width(label) + 4 + cursor
}

// allowedMsg says which model server is asked from now on; "": none waited for that.
type allowedMsg struct {
	text string
	err  error
}

// allowServer has the model server that was found asked.
func (k keyboard) allowServer() tea.Cmd {
	m := k.m
	if m.opt.AllowServer == nil {
		m.status.Say(noServerWaits)
		return nil
	}
	return func() tea.Msg {
		text, err := m.opt.AllowServer(m.ctx)
		return allowedMsg{text, err}
	}
}

const noServerWaits = "no model server waits for that: those of your configuration and environment are asked anyway"

// show says what became of it.
func (msg allowedMsg) show(s *status) {
	switch {
	case msg.err != nil:
		s.Fail(widget.ErrorText(msg.err))
	case msg.text == "":
		s.Say(noServerWaits)
	default:
		s.Good(msg.text)
	}
}

// AppWords words remedies with the app's keys, for notes that its backend collects.
func AppWords() contract.Wording { return widget.AppWords() }
