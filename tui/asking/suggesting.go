package asking

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline/text/sanitize"
	"docent/tui/widget"
)

// mostTitled bounds the names among the suggestions.
const mostTitled = 8

// typed looks names up at once, and begins the wait for a pause in typing.
func (c *Controller) typed() tea.Cmd {
	c.seq++
	c.pick, c.top = -1, 0
	seq := c.seq
	if c.Question() == "" {
		c.titled, c.searched, c.list = nil, nil, nil
		return nil
	}
	return tea.Batch(c.Look(), c.tick(typingPause, func(time.Time) tea.Msg { return pausedMsg{seq} }))
}

// looking reports whether sections are looked up for the text in the line.
func (c *Controller) looking() bool {
	text, s := c.Question(), c.host.Screen()
	return s.Ready && !s.Running && s.Typing && text != "" && text != s.Asked
}

// Look looks names up for the text in the line, unless that was done.
func (c *Controller) Look() tea.Cmd {
	titled := c.host.Titled()
	if titled == nil || c.looked == c.seq || !c.looking() {
		return nil
	}
	c.looked = c.seq
	ctx, seq, text, docSets := c.ctx, c.seq, c.Question(), slices.Clone(c.host.Screen().DocSets)
	return func() tea.Msg {
		items, err := titled(ctx, text, 10*mostTitled)
		if err != nil {
			items = nil // the app is being left
		}
		if len(docSets) > 0 {
			items = slices.DeleteFunc(items, func(s Suggestion) bool { return !slices.Contains(docSets, s.DocSet) })
		}
		return titledMsg{seq, items[:min(len(items), mostTitled)]}
	}
}

// paused looks up sections for a line that has not changed for a while.
func (c *Controller) paused(msg pausedMsg) tea.Cmd {
	if msg.seq != c.seq || !c.looking() {
		return nil
	}
	ctx, backend, text, docSets := c.ctx, c.backend, c.Question(), slices.Clone(c.host.Screen().DocSets)
	return func() tea.Msg {
		// The same error is shown when the question is asked.
		items, err := backend.Suggest(ctx, text, docSets)
		if err != nil {
			items = nil
		}
		return suggestedMsg{msg.seq, items}
	}
}

// join makes the list: names first, each section once. The chosen row stays chosen.
func (c *Controller) join() {
	was, had := c.Picked()
	c.list = slices.Clone(c.titled)
	for _, s := range c.searched {
		if !slices.ContainsFunc(c.list, func(o Suggestion) bool { return sameSuggestion(o, s) }) {
			c.list = append(c.list, s)
		}
	}
	c.pick = -1
	if had {
		c.pick = slices.IndexFunc(c.list, func(o Suggestion) bool { return sameSuggestion(o, was) })
	}
	c.Pick(0)
}

// sameSuggestion compares the visible text: a page's own heading is the page.
func sameSuggestion(a, b Suggestion) bool {
	return a.SamePage(b) && heading(a) == heading(b)
}

// heading is the heading of a suggestion, "" where it is the page's title.
func heading(s Suggestion) string {
	n := len(s.Path)
	if n == 0 || s.Path[n-1] == s.Title {
		return ""
	}
	return s.Path[n-1]
}

// Suggesting reports whether the main area shows sections for the typed text.
func (c *Controller) Suggesting() bool {
	s := c.host.Screen()
	return s.Typing && !s.Running && len(c.list) > 0 && c.Question() != "" && c.Question() != s.Asked
}

// Picked is the suggestion that was chosen by the arrows; false if none.
func (c *Controller) Picked() (Suggestion, bool) {
	if c.pick < 0 || c.pick >= len(c.list) || !c.Suggesting() {
		return Suggestion{}, false
	}
	return c.list[c.pick], true
}

// Pick moves the choice among the suggestions; above the first one nothing is
// chosen, and enter asks.
func (c *Controller) Pick(d int) {
	c.pick = max(-1, min(c.pick+d, len(c.list)-1))
	c.top = max(0, min(c.top, max(0, c.pick)), c.pick-max(1, c.rows)+1)
}

// Unpick takes the choice back, and reports whether there was one.
func (c *Controller) Unpick() bool {
	_, was := c.Picked()
	c.pick, c.top = -1, 0
	return was
}

// SetRows sets how many lines the list has.
func (c *Controller) SetRows(n int) {
	c.rows = n
	c.Pick(0)
}

// Click opens the suggestion of a line of the list; nil if none.
func (c *Controller) Click(y int) tea.Cmd {
	i := c.top + y
	if y < 0 || y >= c.rows || i >= len(c.list) {
		return nil
	}
	c.pick = i
	return c.host.Go(c.list[i])
}

// narrowW is the width below which a row has no room for its doc set; that of the
// chosen section stands in the frame.
const narrowW = 60

// SuggestionsInfo is the right end of the list's frame: what enter does, and the doc
// set of all sections if it is one.
func (c *Controller) SuggestionsInfo(w int) string {
	info := "↓ chooses, enter asks"
	if s, ok := c.Picked(); ok {
		info = "enter opens it"
		if w < narrowW {
			return sanitize.Line(s.DocSet)
		}
	}
	if set, ok := c.oneSet(); ok {
		info = set + " · " + info
	}
	return info
}

// oneSet is the doc set of all sections of the list; false where they are of several.
func (c *Controller) oneSet() (string, bool) {
	for _, s := range c.list {
		if s.DocSet != c.list[0].DocSet {
			return "", false
		}
	}
	return sanitize.Line(c.list[0].DocSet), true
}

// Suggestions are the suggested sections, a line each.
func (c *Controller) Suggestions(w, h int) string {
	lines := make([]string, 0, h)
	_, one := c.oneSet()
	for i := c.top; i < len(c.list) && len(lines) < h; i++ {
		s := c.list[i]
		title, head, set := sanitize.Line(s.Title), sanitize.Line(heading(s)), sanitize.Line(s.DocSet)
		if one || w < narrowW {
			set = ""
		}
		if head != "" {
			title = widget.Beside(title, head, w-widget.Width(set)-8)
		}
		if i == c.pick {
			if head != "" {
				title += " › " + head
			}
			lines = append(lines, c.st.Selected.Render(widget.Sides(widget.Cut("▸ "+title, w), set+" ", w)))
			continue
		}
		text := c.st.Strong.Render(title)
		if head != "" {
			text += c.st.Dim.Render(" › ") + head
		}
		lines = append(lines, widget.Sides(widget.Cut("  "+text, w), c.st.Dim.Render(set)+" ", w))
	}
	return strings.Join(lines, "\n")
}
