package legible

import (
	"strings"

	"docent/pipeline/text/pattern"
)

// mostFront is the most lines of metadata at the top of a page.
const mostFront = 300

var (
	frontKey   = pattern.Lazy(`^["']?[\w.@-]+["']?\s*[:=](?:\s|$)`)
	frontTitle = pattern.Lazy(`(?m)^title\s*[:=]\s*(?:"([^"\n]+)"|'([^'\n]+)'|([^"'\s|>&*\[{][^\n]*?))\s*$`)
)

// WithoutFrontMatter is a page without the metadata between "---" or "+++" at its top, which Markdown
// would show as a heading. Its title becomes one where the page has no other.
func WithoutFrontMatter(text string) string {
	fence, rest, ok := strings.Cut(text, "\n")
	if fence = strings.TrimRight(fence, " \r"); !ok || fence != "---" && fence != "+++" || !frontKey().MatchString(rest) {
		return text
	}
	at := 0
	for range mostFront {
		line, _, more := strings.Cut(rest[at:], "\n")
		if strings.TrimRight(line, " \r") == fence {
			body := strings.TrimLeft(rest[min(len(rest), at+len(line)+1):], "\r\n")
			m := frontTitle().FindStringSubmatch(rest[:at])
			if m != nil && !strings.Contains("\n"+body, "\n# ") {
				return "# " + m[1] + m[2] + m[3] + "\n\n" + body
			}
			return body
		}
		if at += len(line) + 1; !more {
			break
		}
	}
	return text
}
