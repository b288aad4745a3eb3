package legible

import (
	"strings"

	"docent/pipeline/ingest/parse/markdown/dialect"
	"docent/pipeline/text/pattern"
)

// mostFront is the most lines of metadata at the top of a page.
const mostFront = 300

var (
	frontKey   = pattern.Lazy(`^["']?[\w.@-]+["']?\s*[:=](?:\s|$)`)
	frontTitle = pattern.Lazy(`(?m)^title\s*[:=]\s*(?:"([^"\n]+)"|'([^'\n]+)'|([^"'\s|>&*\[{][^\n]*?))\s*$`)
)

// WithoutFrontMatter is a page without the metadata at its top: between "---" or "+++", which Markdown would show as
// a heading, or Pandoc's title block. Its title becomes one where the page has no other.
func WithoutFrontMatter(text string) string {
	matter, rest := cutFrontMatter(text)
	if matter == "" {
		return text
	}
	body := strings.TrimLeft(rest, "\r\n")
	title, _ := titleBlock(text)
	if m := frontTitle().FindStringSubmatch(matter); m != nil {
		title = m[1] + m[2] + m[3]
	}
	if title != "" && !strings.Contains("\n"+body, "\n# ") {
		return "# " + title + "\n\n" + body
	}
	return body
}

// titleBlock is the title of a page by Pandoc's title block, and the number of the block's lines.
func titleBlock(text string) (title string, lines int) {
	if !strings.HasPrefix(text, "% ") {
		return "", 0
	}
	list := strings.SplitAfterN(text, "\n", mostFront)
	return dialect.ReadTitleBlock(func(i int) []byte { return []byte(list[i]) }, len(list))
}

// FrontMatterLines is the number of lines that the metadata at the top of a page takes, with its fences.
func FrontMatterLines(text string) int {
	matter, _ := cutFrontMatter(text)
	return strings.Count(matter, "\n")
}

// cutFrontMatter cuts a page behind the metadata at its top. The metadata is empty where the page has none.
func cutFrontMatter(text string) (matter, rest string) {
	if _, lines := titleBlock(text); lines > 0 {
		end := len(strings.Join(strings.SplitAfterN(text, "\n", lines+1)[:lines], ""))
		return text[:end], text[end:]
	}
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
