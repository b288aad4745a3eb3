package console

import (
	"strings"

	"docent/tui/widget"
)

// ScreenLines is how many lines of a terminal of w columns a text takes.
func ScreenLines(text string, w int) int {
	n := 0
	for line := range strings.Lines(text) {
		n += max(1, (widget.Width(strings.TrimRight(line, "\n"))+w-1)/w)
	}
	return n
}
