package dialect

import (
	"bytes"
	"path"

	"docent/pipeline/text/pattern"
)

// siteLink is the target of a link as Jekyll writes it: {% link a.md %}, {% post_url 2020-01-02-a %},
// {{ "/a" | relative_url }}, with {{ site.baseurl }} before them or alone.
var siteLink = pattern.Lazy(`^(\{\{-?\s*site\.(?:baseurl|url)\s*-?\}\})*(?:\{%-?\s*(link|post_url)\s+([^\s%{}]{1,300})\s*-?%\}|` +
	`\{\{-?\s*["']([^"'{}]{1,300})["']\s*\|\s*(?:relative_url|absolute_url|prepend:\s*site\.(?:baseurl|url))\s*-?\}\})?`)

// longestSiteLink bounds the text of such a target, in bytes.
const longestSiteLink = 600

// ExpandSiteLinks puts paths in place of the targets of Jekyll in a line. Code keeps them.
func ExpandSiteLinks(line []byte) (out []byte, changed bool) {
	if !bytes.Contains(line, []byte("{%")) && !bytes.Contains(line, []byte("{{")) {
		return line, false
	}
	from := 0 // of the bytes that are not in out yet
	for i := 0; i < len(line); {
		n := 1
		switch line[i] {
		case '\\':
			n = 2
		case '`':
			n = codeBytes(line[i:])
		case '{':
			to, length := siteTarget(line[i:])
			if length == 0 {
				break
			}
			out = append(out, line[from:i]...)
			if bytes.HasSuffix(out, []byte{'/'}) && len(to) > 0 && to[0] == '/' { // {{ site.baseurl }}/{% link a.md %}
				out = out[:len(out)-1]
			}
			out = append(out, to...)
			from, n, changed = i+length, length, true
		}
		i += n
	}
	if !changed {
		return line, false
	}
	return append(out, line[from:]...), true
}

// siteTarget is the path of the target at b[0] and the target's length, 0 for anything else.
func siteTarget(b []byte) (to string, n int) {
	m := siteLink().FindSubmatch(b[:min(len(b), longestSiteLink)])
	switch {
	case len(m) == 0 || len(m[0]) == 0:
		return "", 0
	case string(m[2]) == "post_url":
		to = "/_posts/" + string(m[3])
		if ext := path.Ext(to); ext != ".md" && ext != ".markdown" {
			to += ".md"
		}
	case len(m[2]) > 0:
		to = "/" + string(bytes.TrimPrefix(m[3], []byte{'/'}))
	case len(m[4]) > 0 && m[4][0] != '/' && !bytes.Contains(m[4], []byte("://")):
		to = "/" + string(m[4]) // the filters put the base address and a slash before it
	default:
		to = string(m[4])
	}
	return to, len(m[0])
}
