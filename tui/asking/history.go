package asking

import "slices"

// History is the questions asked, the oldest first.
func (c *Controller) History() []string { return c.history }

// SetHistory puts the questions of earlier sessions before those that were asked
// since the app opened.
func (c *Controller) SetHistory(questions []string) {
	now := c.history
	c.history = slices.Clone(questions)
	for _, q := range now {
		c.rememberQuestion(q)
	}
	c.at = len(c.history)
}

// Forget takes a question out of the history.
func (c *Controller) Forget(question string) {
	c.history = slices.DeleteFunc(c.history, func(o string) bool { return o == question })
	c.at = len(c.history)
}

// rememberQuestion puts a question at the end of the history, once.
func (c *Controller) rememberQuestion(question string) {
	c.history = slices.DeleteFunc(c.history, func(o string) bool { return o == question })
	c.history = append(c.history, question)
}

// RecallQuestion goes d questions back or forth in the history. At its end the draft
// comes back.
func (c *Controller) RecallQuestion(d int) {
	if len(c.history) == 0 {
		c.status.Say("no earlier question")
		return
	}
	if c.at == len(c.history) {
		c.draft = c.input.Value()
	}
	c.at = min(max(0, c.at+d), len(c.history))
	if d < 0 && c.at > 0 && c.at < len(c.history) && c.history[c.at] == c.draft {
		c.at-- // it stands in the line already
	}
	if c.at == len(c.history) {
		c.input.SetValue(c.draft)
		return
	}
	c.input.SetValue(c.history[c.at])
}
