// Package keeping is the app's controller of what outlives it: saved sessions,
// the questions that were asked, and the files that a person writes.
//
// It refuses to touch a disk: the Keeper does, in commands. It refuses to know
// what a session looks like on the screen: the Host shows it.
package keeping

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/tui/keymap"
)

// Keeper keeps sessions, questions and files. Its methods are called from
// commands.
type Keeper interface {
	Sessions
	Questions
	// WriteFile writes a new file, never over one that is there, and says where.
	WriteFile(ctx context.Context, name, text string) (path string, err error)
}

// Sessions keeps sessions.
type Sessions interface {
	// SaveSession keeps a session under a name of its own and says where.
	SaveSession(ctx context.Context, s pipeline.Saved) (path string, err error)
	// Sessions are the saved sessions, the newest first.
	Sessions(ctx context.Context) ([]pipeline.SavedInfo, error)
	LoadSession(ctx context.Context, id string) (pipeline.Saved, error)
	RemoveSession(ctx context.Context, id string) error
}

// Questions keeps the questions that were asked.
type Questions interface {
	// Questions are the questions that were asked, the oldest first.
	Questions(ctx context.Context) ([]string, error)
	Remember(ctx context.Context, question string) error
	Forget(ctx context.Context, question string) error
}

// Host is the part of the app that shows saved sessions.
type Host interface {
	// Recollected is given the questions of earlier sessions.
	Recollected(questions []string)
	// Listed is given the saved sessions. It returns false when it is not waited for
	// them any more; an error is not shown then.
	Listed(sessions []pipeline.SavedInfo, err error) bool
	// Loaded shows a session.
	Loaded(pipeline.Saved) tea.Cmd
	// Prompt asks a person for a line of text.
	Prompt(label, text string, take func(text string) tea.Cmd)
}

// Status is the status line.
type Status interface {
	Say(text string)
	Good(text string)
	Warn(text string)
	Fail(text string)
}

// Msg is a message of this controller's own commands.
type Msg interface{ keeping() }

type (
	questionsMsg struct {
		list []string
		err  error
	}
	sessionsMsg struct {
		list []pipeline.SavedInfo
		err  error
	}
	loadedMsg struct {
		s   pipeline.Saved
		err error
	}
	// doneMsg has the outcome, or the reason why nothing was done.
	doneMsg struct {
		what string
		err  error
	}
)

func (questionsMsg) keeping() {}
func (sessionsMsg) keeping()  {}
func (loadedMsg) keeping()    {}
func (doneMsg) keeping()      {}

// Controller is the controller.
type Controller struct {
	ctx    context.Context
	keeper Keeper
	host   Host
	status Status
}

// New is a controller; nothing outlives the app when keeper is nil.
func New(ctx context.Context, keeper Keeper, host Host, status Status) *Controller {
	return &Controller{ctx: ctx, keeper: keeper, host: host, status: status}
}

// Needs are the needs of keys that the controller meets.
func (c *Controller) Needs() keymap.Need {
	if c.keeper == nil {
		return 0
	}
	return keymap.NeedHome
}

// Update takes in what the keeper answered.
func (c *Controller) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case questionsMsg:
		if msg.err != nil {
			c.status.Warn("earlier questions cannot be read: " + msg.err.Error())
			return nil
		}
		c.host.Recollected(msg.list)
	case sessionsMsg:
		if c.host.Listed(msg.list, msg.err) && msg.err != nil {
			c.status.Fail("the sessions cannot be listed: " + msg.err.Error())
		}
	case loadedMsg:
		if msg.err != nil {
			c.status.Fail("the session cannot be opened: " + msg.err.Error())
			return nil
		}
		return c.host.Loaded(msg.s)
	case doneMsg:
		switch {
		case msg.err != nil:
			c.status.Fail(msg.err.Error())
		case msg.what != "":
			c.status.Good(msg.what)
		}
	}
	return nil
}

// Recollect reads the questions of earlier sessions.
func (c *Controller) Recollect() tea.Cmd {
	if c.keeper == nil {
		return nil
	}
	return func() tea.Msg {
		list, err := c.keeper.Questions(c.ctx)
		return questionsMsg{list, err}
	}
}

// Remember keeps a question.
func (c *Controller) Remember(question string) tea.Cmd {
	if c.keeper == nil {
		return nil
	}
	return func() tea.Msg {
		if err := c.keeper.Remember(c.ctx, question); err != nil && c.ctx.Err() == nil {
			return doneMsg{err: fmt.Errorf("the question was not written down: %w", err)}
		}
		return nil
	}
}

// Forget forgets a question.
func (c *Controller) Forget(question string) tea.Cmd {
	if c.keeper == nil {
		return nil
	}
	return func() tea.Msg { return doneMsg{"forgotten: " + question, c.keeper.Forget(c.ctx, question)} }
}

// SaveSession keeps a session.
func (c *Controller) SaveSession(s pipeline.Saved) tea.Cmd {
	if c.keeper == nil {
		return nil
	}
	return func() tea.Msg {
		path, err := c.keeper.SaveSession(c.ctx, s)
		return doneMsg{"saved; S opens it again: " + path[strings.LastIndexAny(path, `/\`)+1:], err}
	}
}

// List reads the saved sessions.
func (c *Controller) List() tea.Cmd {
	if c.keeper == nil {
		return nil
	}
	return func() tea.Msg {
		list, err := c.keeper.Sessions(c.ctx)
		return sessionsMsg{list, err}
	}
}

// LoadSession reads a saved session.
func (c *Controller) LoadSession(id string) tea.Cmd {
	if c.keeper == nil {
		return nil
	}
	return func() tea.Msg {
		s, err := c.keeper.LoadSession(c.ctx, id)
		return loadedMsg{s, err}
	}
}

// Remove removes a saved session and lists the others.
func (c *Controller) Remove(id string) tea.Cmd {
	if c.keeper == nil {
		return nil
	}
	return func() tea.Msg {
		if err := c.keeper.RemoveSession(c.ctx, id); err != nil {
			return doneMsg{err: fmt.Errorf("the session was not removed: %w", err)}
		}
		list, err := c.keeper.Sessions(c.ctx)
		return sessionsMsg{list, err}
	}
}

// ExportSession asks for a name and writes a session as Markdown.
func (c *Controller) ExportSession(s pipeline.Saved) {
	c.writeUnderName("export as", pipeline.FileSlug(s.Request.Question)+".md", s.Markdown())
}

// WriteFinal asks for a name and writes the final block of a session.
func (c *Controller) WriteFinal(s pipeline.Saved) {
	c.writeUnderName("write the answer to", pipeline.FileSlug(s.Request.Question)+".aop.md", s.Result.Final)
}

func (c *Controller) writeUnderName(label, name, text string) {
	if c.keeper == nil {
		c.status.Say("no file can be written from here")
		return
	}
	c.askName(label, name, text, "")
}

// askName asks for a file's name. One with spaces is asked for twice, since it may be a
// question that was typed behind the key that asks; it is refused the first time.
func (c *Controller) askName(label, name, text, refused string) {
	c.host.Prompt(label, name, func(name string) tea.Cmd {
		if name = strings.TrimSpace(name); name == "" {
			c.status.Say("nothing was written: a file needs a name")
			return nil
		}
		if strings.Contains(name, " ") && name != refused {
			c.askName("a name with spaces? enter writes it", name, text, name)
			return nil
		}
		return func() tea.Msg {
			path, err := c.keeper.WriteFile(c.ctx, name, text)
			return doneMsg{"written: " + path, err}
		}
	})
}
