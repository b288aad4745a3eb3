package main

import (
	"regexp"
	"strings"
)

var (
	comment     = regexp.MustCompile(`(?s)<!--.*?-->`)
	titleLine   = regexp.MustCompile(`(?m)^title:[ \t]*(.+?)[ \t]*$`)
	ownAnchor   = regexp.MustCompile(`(?m)^(#{1,6}[ \t].*?)[ \t]*\{ ?/?\*? ?#([\w.-]+) ?\*?/? ?\}[ \t]*$`)
	placeholder = regexp.MustCompile(`\{\{.*?\}\}`)
)

// sections cuts a page at its headings. A site's pages are first written as those of
// repositories that hold one language: the generators of sites (Hugo, Docusaurus, VitePress)
// keep the title apart from the text, and anchors in braces.
func (p *pages) sections(text string, translated bool) []section {
	if strings.Contains(p.pattern, anywhere) {
		text = plainPage(text)
	}
	return sectionsOf(text, translated)
}

// plainPage writes a site's title as a heading, and anchors as HTML. It leaves comments and
// placeholders out.
func plainPage(text string) string {
	text = strings.TrimSpace(comment.ReplaceAllString(strings.ReplaceAll(text, "\r\n", "\n"), ""))
	if rest, ok := strings.CutPrefix(text, "---\n"); ok {
		var head string
		head, text, _ = strings.Cut(rest, "\n---")
		if m := titleLine.FindStringSubmatch(head); m != nil {
			text = "# " + strings.Trim(m[1], `"'`) + "\n" + text
		}
	}
	text = ownAnchor.ReplaceAllString(text, `$1 <a name="$2"></a>`)
	return placeholder.ReplaceAllString(text, "")
}
