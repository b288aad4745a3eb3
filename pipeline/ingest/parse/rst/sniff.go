package rst

import (
	"strings"
)

// sniffRST reports whether the beginning of a text file is reStructuredText: a title with a
// line below it and any other mark of it, several such titles, or directives with
// roles or labels.
func sniffRST(head []byte) bool {
	v := view{lines: splitLines(toUTF8(head))}
	titles, marksSeen, directives := 0, 0, 0
	for i := range v.lines {
		t := v.lineAt(i)
		if t == "" {
			continue
		}
		if body, ok := strings.CutPrefix(strings.TrimLeft(t, " "), ".. "); ok {
			switch name, _, isDirective := directiveMark(body); {
			case isDirective && (silent(name) || isKnownDirective(name)):
				directives++
			case strings.HasPrefix(body, "_") && strings.Contains(body, ":"):
				directives++
			}
			continue
		}
		if titled := i+1 < v.lineCount() && t[0] != ' ' && adornment(t) == 0 &&
			(i == 0 || v.isBlank(i-1) || adornment(v.lineAt(i-1)) != 0); titled {
			under := v.lineAt(i + 1)
			if adornment(under) != 0 && len(under) >= 3 && len(under) >= textWidth(t) && len(under) <= textWidth(t)+40 {
				titles++
				if i > 0 && adornment(v.lineAt(i-1)) == adornment(under) && len(v.lineAt(i-1)) == len(under) {
					titles++ // a line above it too
				}
			}
		}
		for _, m := range []string{":`", "``", "`_", "]_", "|_"} {
			if strings.Contains(t, m) && !strings.Contains(t, "```") {
				marksSeen++
				break
			}
		}
		if strings.HasSuffix(t, "::") && len(t) > 2 && i+2 < v.lineCount() && v.isBlank(i+1) && strings.HasPrefix(v.lineAt(i+2), " ") {
			marksSeen++
		}
	}
	return titles > 0 && marksSeen+directives > 0 || titles > 1 || directives > 1 || directives > 0 && marksSeen > 0
}

// isKnownDirective reports whether a directive is one of those that this package reads; others may
// stand in any text.
func isKnownDirective(name string) bool {
	if plainFrame(name) || isObject(call{name: name}) || strings.Contains(name, ":") {
		return true
	}
	switch name {
	case "note", "warning", "tip", "important", "caution", "danger", "attention", "hint", "error", "seealso", "admonition", "topic",
		"sidebar",
		"versionadded", "versionchanged", "deprecated", "code-block", "code", "sourcecode", "highlight", "literalinclude", "include",
		"toctree",
		"image", "figure", "table", "csv-table", "list-table", "math", "only", "glossary", "rubric", "module", "currentmodule",
		"parsed-literal", "meta":
		return true
	}
	return false
}
