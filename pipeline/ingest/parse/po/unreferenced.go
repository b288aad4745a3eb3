package po

import (
	"strings"

	"docent/pipeline/text/pattern"
)

// roleMarkup is markup that only texts of reStructuredText have.
var roleMarkup = pattern.Lazy("(?:^|[^\\\\\\w]):[a-z][a-z:-]{0,30}:`[^`]+`|``[^`]+``|(?:^|[ (])`[^`<]+ <[^`>]+>`__?")

// leastProse is the number of words of a message that is a sentence of a page. Those of a program
// are shorter, but for a few.
const leastProse = 8

// isOfPages reports whether a catalog that says nothing of where its messages come from is one of
// pages: translators of Sphinx projects strip the references, as they change with each line. Messages
// of pages are sentences and have markup; those of programs have formats.
func (c *catalog) isOfPages() bool {
	prose, formats := 0, 0
	for _, m := range c.messages {
		switch {
		case m.format:
			formats++
		case roleMarkup().MatchString(m.id), strings.HasSuffix(m.id, ".") && len(strings.Fields(m.id)) >= leastProse:
			prose++
		}
	}
	return len(c.messages) > 0 && 4*prose >= len(c.messages) && 10*formats <= len(c.messages)
}

// isOfSphinx reports whether messages have the markup of reStructuredText.
func isOfSphinx(messages []placed) bool {
	for _, m := range messages {
		if roleMarkup().MatchString(m.id) {
			return true
		}
	}
	return false
}
