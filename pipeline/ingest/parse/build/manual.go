package build

import (
	"strings"

	"docent/pipeline/text/pattern"
)

// manualReference is the name of a manual page with its section, in an inline: the name may be marked.
var manualReference = pattern.Lazy("(`|\\*\\*|\\*)?([A-Za-z_][\\w.:+-]{0,80})(`|\\*\\*|\\*)?\\(([1-9][a-z]{0,4}|n)\\)")

// LinkManualPages is an inline in which names of manual pages are links, where linkTo knows such a page: it gives the
// address for "lamp(8)", and "" for others. An inline that has links stays as it is.
func LinkManualPages(inline string, linkTo func(name string) string) string {
	if !mayRefer(inline) || strings.Contains(inline, "](") {
		return inline
	}
	var b strings.Builder
	done := 0
	for _, m := range manualReference().FindAllStringSubmatchIndex(inline, -1) {
		mark, end := inline[max(0, m[2]):max(0, m[3])], inline[max(0, m[6]):max(0, m[7])]
		before := byte(' ')
		if m[0] > 0 {
			before = inline[m[0]-1]
		}
		if mark != end || before == '\\' || isNameByte(before) || strings.Count(inline[done:m[0]], "`")%2 == 1 {
			continue // a part of a name, or code around it
		}
		to := linkTo(inline[m[4]:m[5]] + inline[m[8]-1:m[9]+1])
		if to == "" {
			continue
		}
		b.WriteString(inline[done:m[0]])
		b.WriteString(LinkInline(inline[m[0]:m[1]], to))
		done = m[1]
	}
	return b.String() + inline[done:]
}

// mayRefer reports whether a text has the beginning of a section in parentheses: "(8". It spares
// the others the search.
func mayRefer(s string) bool {
	for {
		i := strings.IndexByte(s, '(')
		if i < 0 || i+2 >= len(s) {
			return false
		}
		if c := s[i+1]; c >= '1' && c <= '9' || c == 'n' {
			return true
		}
		s = s[i+1:]
	}
}

// isNameByte reports whether a byte may stand in the name of a page.
func isNameByte(c byte) bool {
	return c == '_' || c == '-' || c == '.' || c == '/' || c == '*' || c == '`' ||
		c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}
