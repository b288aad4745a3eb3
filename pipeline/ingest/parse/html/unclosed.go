package html

import (
	"bytes"
	"fmt"
	"regexp"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// mostResumes is how often a page is taken up again behind an element that does not end:
// each time the rest of the page is read once more.
const mostResumes = 4

var (
	// structure matches the beginning of text that is not in a title, a field or a
	// comment.
	structure = regexp.MustCompile(`(?i)</?(?:head|body|main|article|section|div|h[1-6]|p|ul|ol|dl|table|pre|link|meta|style|script)[\s/>]`)
	// landmarks stand in no script: scripts write smaller elements.
	landmarks = regexp.MustCompile(`(?i)</?(?:head|body|main|article)[\s/>]`)
)

// resume finds where a page goes on whose last token is text, since the tags in it are
// taken for the text of an element or comment that does not end. rest is the page from
// there. A browser shows nothing of such a page.
func (b *builder) resume(kind html.TokenType, token []byte) (rest []byte, ok bool) {
	tag, mark, what := b.topElement().tag, structure, ""
	switch {
	case kind == html.CommentToken && bytes.HasPrefix(token, []byte("<!--")) && !bytes.HasSuffix(token, []byte("-->")):
		what = "a comment"
	case kind != html.TextToken:
		return nil, false
	case tag == atom.Title || tag == atom.Textarea:
		what = "<" + tag.String() + ">"
	case tag == atom.Script || tag == atom.Style:
		what, mark = "<"+tag.String()+">", landmarks
	default:
		return nil, false
	}
	at := mark.FindIndex(token)
	if at == nil {
		return nil, false
	}
	b.warnings = append(b.warnings, fmt.Sprintf("line %d: %s does not end; the page is read on behind it", b.line, what))
	if kind == html.TextToken {
		n := b.newNode()
		n.line, n.text = b.line, html.UnescapeString(string(token[:at[0]]))
		b.topElement().addChild(n)
		b.popElement()
	}
	b.line += bytes.Count(token[:at[0]], []byte{'\n'})
	return token[at[0]:], true
}
