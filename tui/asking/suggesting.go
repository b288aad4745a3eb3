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

// textChanged looks names up at once, and begins the wait for a pause in typing.
func (c *Controller) textChanged() tea.Cmd {
	c.seq++
	c.pick, c.top = -1, 0
	seq := c.seq
	if c.Question() == "" {
		c.titled, c.searched, c.list = nil, nil, nil
		return nil
	}
	return tea.Batch(c.LookUpNames(), c.tick(typingPause, func(time.Time) tea.Msg { return pausedMsg{seq} }))
}

// isLookingUp reports whether sections are looked up for the text in the line.
func (c *Controller) isLookingUp() bool {
	text, s := c.Question(), c.host.Screen()
	return s.Ready && !s.Running && s.Typing && text != "" && text != s.Asked
}

// LookUpNames looks names up for the text in the line, unless that was done.
func (c *Controller) LookUpNames() tea.Cmd {
	titled := c.host.Titled()
	if titled == nil || c.looked == c.seq || !c.isLookingUp() {
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

// searchAfterPause looks up sections for a line that has not changed for a while.
func (c *Controller) searchAfterPause(msg pausedMsg) tea.Cmd {
	if msg.seq != c.seq || !c.isLookingUp() {
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

// joinSuggestions makes the list: names first, each section once. The chosen row stays chosen.
func (c *Controller) joinSuggestions() {
	was, had := c.ChosenSuggestion()
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
	c.MoveChoice(0)
}

// sameSuggestion compares the visible text: a page's own heading is the page.
func sameSuggestion(a, b Suggestion) bool {
	return a.SamePage(b) && headingOf(a) == headingOf(b)
}

// headingOf is the heading of a suggestion, "" where it is the page's title.
func headingOf(s Suggestion) string {
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

// ChosenSuggestion is the suggestion that was chosen by the arrows; false if none.
func (c *Controller) ChosenSuggestion() (Suggestion, bool) {
	if c.pick < 0 || c.pick >= len(c.list) || !c.Suggesting() {
		return Suggestion{}, false
	}
	return c.list[c.pick], true
}

// MoveChoice moves the choice among the suggestions; above the first one nothing is
// chosen, and enter asks.
func (c *Controller) MoveChoice(d int) {
	c.pick = max(-1, min(c.pick+d, len(c.list)-1))
	c.top = max(0, min(c.top, max(0, c.pick)), c.pick-max(1, c.rows)+1)
}

// DropChoice takes the choice back, and reports whether there was one.
func (c *Controller) DropChoice() bool {
	_, was := c.ChosenSuggestion()
	c.pick, c.top = -1, 0
	return was
}

// SetRows sets how many lines the list has.
func (c *Controller) SetRows(n int) {
	c.rows = n
	c.MoveChoice(0)
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
	if s, ok := c.ChosenSuggestion(); ok {
		info = "enter opens it"
		if w < narrowW {
			return sanitize.Line(s.DocSet)
		}
	}
	if set, ok := c.commonDocSet(); ok {
		info = set + " · " + info
	}
	return info
}

// commonDocSet is the doc set of all sections of the list; false where they are of several.
func (c *Controller) commonDocSet() (string, bool) {
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
	_, one := c.commonDocSet()
	for i := c.top; i < len(c.list) && len(lines) < h; i++ {
		s := c.list[i]
		title, head, set := sanitize.Line(s.Title), sanitize.Line(headingOf(s)), sanitize.Line(s.DocSet)
		if one || w < narrowW {
			set = ""
		}
		if head != "" {
			title = widget.TitleBeside(title, head, w-widget.Width(set)-8)
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
