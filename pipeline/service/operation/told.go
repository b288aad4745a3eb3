package operation

import (
	"docent/pipeline/text/plural"
	"docent/pipeline/text/sanitize"
)

// CountOf is a number with its noun, for ToolText.
func CountOf(n int, one, many string) string { return plural.Count(n, one, many) }

// OneLine is text of documents on one line, without what could control a terminal.
func OneLine(text string) string { return sanitize.Line(text) }
