package shelf

import (
	"context"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline/text/sanitize"
)

// updates are those of doc sets whose files change.
type updates struct{ c *Controller }

func (c *Controller) asUpdates() updates { return updates{c} }

// beginUpdates begins what changes open doc sets by itself. First those are indexed that were
// not ready when the others were opened; work in the background and updates wait for that.
func (u updates) beginUpdates(behind []string) tea.Cmd {
	c := u.c
	if len(behind) == 0 {
		return tea.Batch(c.startBackground(), u.beginFollowing())
	}
	cmd := c.start("indexing "+strings.Join(behind, ", "), behind, false, c.backend.Mend)
	c.work.mends = true
	return cmd
}

// beginFollowing begins to follow the doc sets' files; it ends with the app.
func (u updates) beginFollowing() tea.Cmd {
	c := u.c
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
	return tea.Batch(func() tea.Msg { return followEndedMsg{c.opt.Follow(c.ctx, told)} }, c.asUpdates().next())
}

// next waits for the next update.
func (u updates) next() tea.Cmd {
	c := u.c
	return func() tea.Msg {
		select {
		case text := <-c.followed:
			return followedMsg{text}
		case <-c.ctx.Done():
			return nil
		}
	}
}

// takeFollowed says that a doc set was updated because its files changed. Work that a
// person began tells of itself.
func (u updates) takeFollowed(msg followedMsg) tea.Cmd {
	c := u.c
	if !c.work.on {
		c.status.Say(sanitize.Line(msg.text))
	}
	return tea.Batch(c.asUpdates().next(), c.reloadChanged(""))
}

// followingEnded says why the doc sets are not followed any more.
func (u updates) followingEnded(msg followEndedMsg) tea.Cmd {
	c := u.c
	if msg.err != nil && !errors.Is(msg.err, context.Canceled) {
		c.status.Warn("changed files are not noticed any more: " + msg.err.Error())
	}
	return nil
}
