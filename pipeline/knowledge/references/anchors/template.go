package anchors

import "strings"

// FitsTemplate reports whether a name with attributes of AsciiDoc, oil_{kind}, may be an anchor: each page
// that includes it says what they stand for.
func FitsTemplate(name, anchor string) bool {
	before, rest, ok := strings.Cut(name, "{")
	if !ok || !strings.HasPrefix(anchor, before) {
		return false
	}
	anchor = anchor[len(before):]
	for {
		_, after, ok := strings.Cut(rest, "}")
		if !ok {
			return false
		}
		literal, more, again := strings.Cut(after, "{")
		if !again {
			return strings.HasSuffix(anchor, literal) && len(anchor) > len(literal)
		}
		i := strings.Index(anchor, literal)
		if i < 0 {
			return false
		}
		anchor, rest = anchor[i+len(literal):], more
	}
}
