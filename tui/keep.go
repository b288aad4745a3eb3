package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/sanitize"
	"docent/tui/page"
	"docent/tui/pane/picker"
)

// SessionInfo is a session that was saved.
type SessionInfo struct {
	ID       string // names it
	Question string
	When     string // for a person
}

// Keeper keeps what outlives the app: sessions, questions, files. Its methods are
// called from commands.
type Keeper interface {
	// SaveSession keeps a session under a name of its own and says where.
	SaveSession(ctx context.Context, s pipeline.Saved) (path string, err error)
	// Sessions are those that were saved, the newest first.
	Sessions(ctx context.Context) ([]SessionInfo, error)
	LoadSession(ctx context.Context, id string) (pipeline.Saved, error)
	RemoveSession(ctx context.Context, id string) error

	// Questions are those that were asked, the oldest first.
	Questions(ctx context.Context) ([]string, error)
	Remember(ctx context.Context, question string) error
	Forget(ctx context.Context, question string) error

	// WriteFile writes a new file, never over one that is there, and says where.
	WriteFile(ctx context.Context, name, text string) (path string, err error)
}

type (
	questionsMsg struct {
		list []string
		err  error
	}
	sessionsMsg struct {
		list []SessionInfo
		err  error
	}
	loadedMsg struct {
		s   pipeline.Saved
		err error
	}
	// keptMsg says what was done, or why it was not.
	keptMsg struct {
		what string
		err  error
	}
)

// recollect reads the questions of earlier sittings.
func (m *Model) recollect() tea.Cmd {
	k, ctx := m.opt.Keeper, m.ctx
	if k == nil {
		return nil
	}
	return func() tea.Msg {
		list, err := k.Questions(ctx)
		return questionsMsg{list, err}
	}
}

func (m *Model) gotQuestions(msg questionsMsg) {
	if msg.err != nil {
		m.warn("earlier questions cannot be read: " + msg.err.Error())
		return
	}
	now := m.history
	m.history = slices.Clone(msg.list)
	for _, q := range now { // asked before they were read
		m.remember(q)
	}
	m.histAt = len(m.history)
}

// remember puts a question at the end of the history, once.
func (m *Model) remember(q string) {
	m.history = slices.DeleteFunc(m.history, func(o string) bool { return o == q })
	m.history = append(m.history, q)
}

// keepQuestion is the command that writes it down.
func (m *Model) keepQuestion(q string) tea.Cmd {
	m.remember(q)
	k, ctx := m.opt.Keeper, m.ctx
	if k == nil {
		return nil
	}
	return func() tea.Msg {
		if err := k.Remember(ctx, q); err != nil && ctx.Err() == nil {
			return keptMsg{err: fmt.Errorf("the question was not written down: %w", err)}
		}
		return nil
	}
}

func (m *Model) forgetQuestion(q string) tea.Cmd {
	m.history = slices.DeleteFunc(m.history, func(o string) bool { return o == q })
	m.histAt = len(m.history)
	m.picker.SetItems(listHistory, m.historyItems())
	k, ctx := m.opt.Keeper, m.ctx
	if k == nil {
		return nil
	}
	return func() tea.Msg { return keptMsg{"forgotten: " + q, k.Forget(ctx, q)} }
}

// saved is the session as it stands.
func (m *Model) saved() pipeline.Saved { return pipeline.Save(m.req, m.changes.words(), m.res) }

func (m *Model) saveSession() tea.Cmd {
	k, ctx, s := m.opt.Keeper, m.ctx, m.saved()
	return func() tea.Msg {
		path, err := k.SaveSession(ctx, s)
		return keptMsg{"saved as " + path, err}
	}
}

// showSessions opens the list and reads what is in it.
func (m *Model) showSessions() tea.Cmd {
	m.pickFrom(listSessions, "Saved sessions", "reading …", nil)
	return m.listSessions()
}

func (m *Model) listSessions() tea.Cmd {
	k, ctx := m.opt.Keeper, m.ctx
	return func() tea.Msg {
		list, err := k.Sessions(ctx)
		return sessionsMsg{list, err}
	}
}

func (m *Model) gotSessions(msg sessionsMsg) {
	if m.over != pickerOverlay || m.picker.Kind() != listSessions {
		return
	}
	if msg.err != nil {
		m.fail("the sessions cannot be listed: " + msg.err.Error())
		return
	}
	items := make([]picker.Item, len(msg.list))
	for i, s := range msg.list {
		items[i] = picker.Item{ID: s.ID, Text: sanitize.Line(s.Question), Detail: sanitize.Line(s.When)}
	}
	m.picker.SetEmpty("no session was saved yet: ctrl+s saves one")
	m.picker.SetItems(listSessions, items)
}

func (m *Model) loadSession(id string) tea.Cmd {
	k, ctx := m.opt.Keeper, m.ctx
	return func() tea.Msg {
		s, err := k.LoadSession(ctx, id)
		return loadedMsg{s, err}
	}
}

// removeSession removes one and lists what is left.
func (m *Model) removeSession(id string) tea.Cmd {
	k, ctx := m.opt.Keeper, m.ctx
	return func() tea.Msg {
		if err := k.RemoveSession(ctx, id); err != nil {
			return keptMsg{err: fmt.Errorf("the session was not removed: %w", err)}
		}
		list, err := k.Sessions(ctx)
		return sessionsMsg{list, err}
	}
}

// loaded shows a session as it was saved. Nothing runs: what is on the screen is
// what was found then; a change or R asks anew.
func (m *Model) loaded(msg loadedMsg) tea.Cmd {
	if msg.err != nil {
		m.fail("the session cannot be opened: " + msg.err.Error())
		return nil
	}
	if m.cancel != nil {
		m.cancel()
	}
	m.run++ // what still runs comes too late
	m.running, m.ran, m.queued = false, true, false
	m.req = msg.s.Request.Clone()
	m.res = msg.s.Result
	m.changes.begin(m.req)
	m.input.SetValue(m.req.Question)
	m.remember(m.req.Question)
	m.histAt = len(m.history)
	m.runner.forget()
	m.pages, m.order = map[string]*page.Prepared{}, nil
	m.preview.Clear()
	m.steps.Restore(m.res)
	m.steps.Select(contract.PhaseSearch)
	m.over, m.focus = noOverlay, onPane
	m.show(false)
	m.layout()
	m.say("the session as it was saved; R asks again")
	return m.look()
}

// export asks for a name and writes the session as Markdown.
func (m *Model) export() tea.Cmd {
	return m.writeAs("export as", Slug(m.req.Question)+".md", m.saved().Markdown())
}

func (m *Model) writeFinal() tea.Cmd {
	return m.writeAs("write the block to", Slug(m.req.Question)+".aop.md", m.res.Final)
}

func (m *Model) writeAs(label, name, text string) tea.Cmd {
	k, ctx := m.opt.Keeper, m.ctx
	if k == nil {
		m.say("no file can be written from here")
		return nil
	}
	m.promptFor(label, name, func(name string) tea.Cmd {
		if name = strings.TrimSpace(name); name == "" {
			m.say("nothing was written: a file needs a name")
			return nil
		}
		return func() tea.Msg {
			path, err := k.WriteFile(ctx, name, text)
			return keptMsg{"written: " + path, err}
		}
	})
	return nil
}

func (m *Model) kept(msg keptMsg) {
	switch {
	case msg.err != nil:
		m.fail(msg.err.Error())
	case msg.what != "":
		m.good(msg.what)
	}
}

// Slug is a file's name for a question: its first words, in letters and digits of
// any script.
func Slug(question string) string {
	var b strings.Builder
	n := 0
	for _, r := range strings.ToLower(sanitize.Line(question)) {
		switch {
		case n >= 40:
			continue
		case letterOrDigit(r):
			b.WriteRune(r)
			n++
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
			n++
		}
	}
	name := strings.Trim(b.String(), "-")
	if name == "" {
		return "docent"
	}
	return name
}
