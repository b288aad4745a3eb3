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
	matter, rest := cutFrontMatter(text)
	if matter == "" {
		return text
	}
	body := strings.TrimLeft(rest, "\r\n")
	m := frontTitle().FindStringSubmatch(matter)
	if m != nil && !strings.Contains("\n"+body, "\n# ") {
		return "# " + m[1] + m[2] + m[3] + "\n\n" + body
	}
	return body
}

// FrontMatterLines is the number of lines that the metadata at the top of a page takes, with its fences.
func FrontMatterLines(text string) int {
	matter, _ := cutFrontMatter(text)
	return strings.Count(matter, "\n")
}

// cutFrontMatter cuts a page behind the metadata at its top. The metadata is empty where the page has none.
func cutFrontMatter(text string) (matter, rest string) {
	fence, rest, ok := strings.Cut(text, "\n")
	opening := len(fence) + 1
	if fence = strings.TrimRight(fence, " \r"); !ok || fence != "---" && fence != "+++" || !frontKey().MatchString(rest) {
		return "", text
	}
	at := 0
	for range mostFront {
		line, _, more := strings.Cut(rest[at:], "\n")
		end := min(len(rest), at+len(line)+1)
		if strings.TrimRight(line, " \r") == fence {
			return text[:opening+end], rest[end:]
		}
		if !more {
			break
		}
		at = end
	}
	return "", text
}
