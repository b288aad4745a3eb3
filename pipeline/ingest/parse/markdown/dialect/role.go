package dialect

import (
	"bytes"
	"cmp"
	"strings"

	"docent/pipeline/text/pattern"
)

// role is a role of MyST at its beginning.
var role = pattern.Lazy("^\\{([A-Za-z][\\w:+.-]{0,40})\\}(`{1,3})")

// emptyLink is a link that takes its text from its target.
var emptyLink = pattern.Lazy(`^\[\]\(([^()\s<>]{1,300})\)`)

// mostRole is the most bytes of the text of a role.
const mostRole = 1000

// ExpandRoles puts Markdown in place of the roles of a line of MyST, and of links without a
// text. Code keeps them. It reports whether there were any.
func ExpandRoles(line []byte) (out []byte, changed bool) {
	if !bytes.Contains(line, []byte("}`")) && !bytes.Contains(line, []byte("[](")) {
		return line, false
	}
	for i := 0; i < len(line); {
		switch line[i] {
		case '\\':
			out = append(out, line[i:min(len(line), i+2)]...)
			i += 2
			continue
		case '`':
			n := codeLength(line[i:])
			out = append(out, line[i:i+n]...)
			i += n
			continue
		case '{':
			if said, n := roleWords(line[i:]); n > 0 {
				out, changed = append(out, said...), true
				i += n
				continue
			}
		case '[':
			if m := emptyLink().FindSubmatch(line[i:]); m != nil {
				out, changed = append(out, linkOf("", string(m[1]))...), true
				i += len(m[0])
				continue
			}
		}
		out = append(out, line[i])
		i++
	}
	return out, changed
}

// codeLength is the length of the code at the beginning of a line, or of its backticks where
// it does not end there.
func codeLength(line []byte) int {
	n := 0
	for n < len(line) && line[n] == '`' {
		n++
	}
	if end := bytes.Index(line[n:], line[:n]); end >= 0 {
		return n + end + n
	}
	return n
}

// roleWords is the Markdown of the role at the beginning of a text, and the role's length.
func roleWords(text []byte) (said string, n int) {
	m := role().FindSubmatchIndex(text)
	if m == nil {
		return "", 0
	}
	ticks := text[m[4]:m[5]]
	end := bytes.Index(text[m[1]:min(len(text), m[1]+mostRole)], ticks)
	if end < 1 {
		return "", 0
	}
	return shownRole(string(text[m[2]:m[3]]), string(text[m[1]:m[1]+end])), m[1] + end + len(ticks)
}

// shownRole is what a role shows of its text.
func shownRole(name, text string) string {
	name = name[strings.LastIndexByte(name, ':')+1:]
	title, to := titledTarget(text)
	switch name {
	case "ref", "numref", "any", "external":
		if !isPlainTarget(to) {
			return cmp.Or(title, to)
		}
		return "[" + cmp.Or(title, to) + "](label:" + strings.ToLower(to) + ")"
	case "doc", "download":
		return linkOf(title, to)
	case "term", "sub", "sup", "abbr", "emphasis", "index":
		return cmp.Or(title, text)
	case "applies_to": // a badge of docs-builder: the products and versions that have the thing before it
		return "(" + text + ")"
	case "icon", "octicon", "fa", "fas", "far", "fab", "material-regular", "material-outlined":
		return ""
	case "strong", "guilabel", "menuselection":
		return "**" + strings.ReplaceAll(text, "-->", "→") + "**"
	case "func", "meth":
		if title == "" && !strings.HasSuffix(text, ")") {
			text += "()"
		}
	case "math", "code", "eq", "kbd", "file", "samp", "command", "program":
		return "`" + text + "`"
	}
	if title != "" {
		return "`" + title + "`"
	}
	text = strings.TrimPrefix(text, "!")
	if short, ok := strings.CutPrefix(text, "~"); ok {
		bare, _, _ := strings.Cut(short, "(")
		text = short[strings.LastIndexByte(bare, '.')+1:]
	}
	return "`" + text + "`"
}

// titledTarget parts "title <target>"; without brackets all is the target.
func titledTarget(s string) (title, target string) {
	s = strings.TrimSpace(s)
	open := strings.LastIndexByte(s, '<')
	if open < 1 || !strings.HasSuffix(s, ">") {
		return "", s
	}
	return strings.TrimSpace(s[:open]), strings.TrimSpace(s[open+1 : len(s)-1])
}

// isPlainTarget reports whether a target can stand in a link as it is.
func isPlainTarget(to string) bool { return to != "" && !strings.ContainsAny(to, " ()<>*[]\\\t") }

// linkOf is a link; without a title it shows where it leads.
func linkOf(title, to string) string {
	if !isPlainTarget(to) {
		return cmp.Or(title, to)
	}
	if title == "" {
		title = strings.Trim(strings.TrimPrefix(to, "label:"), "#/")
		title = strings.TrimSuffix(title[strings.LastIndexByte(title, '/')+1:], ".md")
	}
	if title == "" {
		title = to
	}
	return "[" + title + "](" + to + ")"
}
