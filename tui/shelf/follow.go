package shelf

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline/text/sanitize"
)

// follow begins to follow the doc sets' files; it ends with the app.
func (c *Controller) follow() tea.Cmd {
	if c.opt.Follow == nil || c.followed != nil {
		return nil
	}
	c.followed = make(chan string)
	told := func(text string) {
		select {
		case c.followed <- text:
		case <-c.ctx.Done():
		}
	}
	return tea.Batch(func() tea.Msg { return followEndedMsg{c.opt.Follow(c.ctx, told)} }, c.nextFollowed())
}

// nextFollowed waits for the next update.
func (c *Controller) nextFollowed() tea.Cmd {
	return func() tea.Msg {
		select {
		case text := <-c.followed:
			return followedMsg{text}
		case <-c.ctx.Done():
			return nil
		}
	}
}

// wasFollowed says that a doc set was updated because its files changed. Work that a
// person began tells of itself.
func (c *Controller) wasFollowed(msg followedMsg) tea.Cmd {
	if !c.work.on {
		c.status.Say(sanitize.Line(msg.text))
	}
	return tea.Batch(c.nextFollowed(), c.changed(""))
}

// followingEnded says why the doc sets are not followed any more.
func (c *Controller) followingEnded(msg followEndedMsg) tea.Cmd {
	if msg.err != nil && !errors.Is(msg.err, context.Canceled) {
		c.status.Warn("changed files are not noticed any more: " + msg.err.Error())
	}
	return nil
}
