package markdown

import (
	"bytes"

	"docent/pipeline/text/pattern"
)

var (
	firstHeading = pattern.Lazy(`^(?:\xef\xbb\xbf)?\s*(?:#{1,6} \S|\[?!\[[^\]\n]*\]\(|<(?:p|div|h[1-6]|img|a|center)\b)`)
	laterHeading = pattern.Lazy(`\n[ \t\r]*\n#{1,6} \S[^\n]*\n[ \t\r]*\n`)
	fenceOrLink  = pattern.Lazy("(?m)^```|\\]\\((?:https?://|#|\\.{0,2}/|[\\w./-]+\\.md\\b)")
	otherMarkup  = pattern.Lazy(`^\s*(?:= \S|\.\. )`)
)

// looksLikeMarkdown reports whether a file without an ending (README) is Markdown: it begins
// with a heading, a picture or a tag of HTML, or has headings, and fences or links.
func looksLikeMarkdown(head []byte) bool {
	head = bytes.ReplaceAll(head, []byte("\r\n"), []byte("\n"))
	switch {
	case otherMarkup().Match(head):
		return false
	case firstHeading().Match(head):
		return true
	}
	return fenceOrLink().Match(head) && (laterHeading().Match(head) || bytes.Count(head, []byte("\n```")) > 1)
}
