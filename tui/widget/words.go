package widget

import (
	"fmt"
	"strconv"
	"strings"
)

// LineSpan is lines of a page from the first to the last: "3", "3–7".
func LineSpan(lines [2]int) string {
	if lines[0] == lines[1] {
		return strconv.Itoa(lines[0])
	}
	return fmt.Sprintf("%d–%d", lines[0], lines[1])
}

// Count is a number of things: "1 page", "2 pages".
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// List is "a", "a and b", "a, b and c".
func List(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	last := len(parts) - 1
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}
