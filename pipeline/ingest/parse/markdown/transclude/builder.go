package transclude

import (
	"bytes"
	"path"
	"strings"

	"gopkg.in/yaml.v3"

	"docent/pipeline/text/pattern"
)

// Pages of Elastic's docs-builder lie below a docset.yml. It is MyST with other anchors: a heading
// has its name in brackets at its end, "## Oil [oil-kinds]", and $$$oil$$$ is a place in a text.

// maxDocset is how much of a docset.yml is read, in bytes.
const maxDocset = 1 << 20

// namedHeading is a heading with its name.
var namedHeading = pattern.Lazy(`^(#{1,6}[ \t]+\S.*?)[ \t]*\[([^\[\]]+)\][ \t]*$`)

// InlinePlace is a place in the text of pages of Elastic's docs-builder, with its name.
var InlinePlace = pattern.Lazy(`\$\$\$([^\s$][^$]{0,200})\$\$\$`)

// docset is what a docset.yml says of the pages below it.
type docset struct {
	Toc  yaml.Node
	Subs map[string]string
}

// readDocset reads the docset.yml of a folder.
func readDocset(folder string, open func(string) ([]byte, error)) (d docset, ok bool) {
	for _, name := range [...]string{"docset.yml", "_docset.yml"} {
		src, err := open(path.Join(folder, name))
		if err != nil || len(src) > maxDocset || yaml.Unmarshal(src, &d) != nil {
			continue
		}
		return d, d.Toc.Kind == yaml.SequenceNode
	}
	return docset{}, false
}

// hasPlaces reports whether a page may have names of headings or places as docs-builder writes them.
func hasPlaces(src []byte) bool {
	if bytes.Contains(src, []byte("$$$")) && InlinePlace().Match(src) {
		return true
	}
	for at := 0; ; at++ {
		n := bytes.IndexByte(src[at:], ']')
		if n < 0 {
			return false
		}
		at += n
		if rest := bytes.TrimLeft(src[at+1:], " \t\r"); len(rest) > 0 && rest[0] != '\n' {
			continue
		}
		line := src[bytes.LastIndexByte(src[:at], '\n')+1 : at+1]
		if line[0] == '#' && namedHeading().Match(line) {
			return true
		}
	}
}

// markPlaces writes the places of docs-builder in a line as other Markdown does, and makes a comment blank.
func markPlaces(line string) (marked string, changed bool) {
	body := strings.TrimRight(line, "\r\n")
	end := line[len(body):]
	switch {
	case body == "%" || strings.HasPrefix(body, "% "):
		return end, true
	case strings.HasPrefix(body, "#"):
		var places string
		body = InlinePlace().ReplaceAllStringFunc(body, func(place string) string {
			places += anchorAt(place)
			return ""
		})
		m := namedHeading().FindStringSubmatch(body)
		if m != nil {
			body = m[1] + " {#" + m[2] + "}"
		}
		if places != "" {
			level := len(body) - len(strings.TrimLeft(body, "#"))
			body = body[:level] + " " + places + strings.TrimLeft(body[level:], " \t")
		}
		return body + end, m != nil || places != ""
	case strings.Contains(body, "$$$"):
		marked = InlinePlace().ReplaceAllStringFunc(body, anchorAt)
		return marked + end, marked != body
	}
	return line, false
}

// anchorAt is a place in HTML.
func anchorAt(place string) string { return `<a id="` + strings.Trim(place, "$") + `"></a>` }
