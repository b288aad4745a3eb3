package rst

import (
	"strconv"
	"strings"
	"unicode"

	"docent/pipeline/ingest/parse/rst/inline"
	"docent/pipeline/text/shorten"
	"docent/pipeline/text/spacing"
)

// explicit reads what begins with "..": a target, a footnote, a substitution, a
// directive or a comment.
func (r *reader) explicit(b *run, i int) int {
	t := b.lineAt(i)
	body := strings.TrimLeft(t[2:], " ")
	if body == "" && (i+1 >= b.lineCount() || b.isBlank(i+1)) {
		return i + 1 // an empty comment takes no indented block with it
	}
	mark := len(t) - len(body)
	end := b.indented(i+1, 1)
	switch {
	case strings.HasPrefix(body, "_"):
		if r.target(b, i, end, body) {
			return end
		}
	case strings.HasPrefix(body, "["):
		if r.note(b, i, end, mark, body) {
			return end
		}
	case strings.HasPrefix(body, "|"):
		if r.substitution(b, i, end, body) {
			return end
		}
	}
	if name, rest, ok := directiveMark(body); ok {
		r.directive(b, i, end, len(t)-len(rest), name)
	}
	return end // else a comment
}

// directiveMark reads "name::" at the beginning of a text.
func directiveMark(s string) (name, rest string, ok bool) {
	i := strings.Index(s, "::")
	if i < 1 || i > 80 || i+2 < len(s) && s[i+2] != ' ' {
		return "", "", false
	}
	name = strings.TrimSuffix(s[:i], " ")
	for _, c := range name {
		if !(c == '-' || c == '_' || c == '.' || c == ':' || c == '+' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' &&
			c <= 'Z' || c > 0x7f) {
			return "", "", false
		}
	}
	return name, s[i+2:], true
}

// target reads ".. _name: address". Without an address it names what follows.
func (r *reader) target(b *run, i, end int, body string) bool {
	text := body
	for k := i + 1; k < end; k++ {
		text += "\n" + strings.TrimLeft(b.lineAt(k), " ")
		if len(text) > 8*maxLabel {
			break
		}
	}
	if rest, ok := strings.CutPrefix(text, "__:"); ok {
		r.page.AddAnonymous(inline.OneAddress(rest))
		b.out = append(b.out, r.newNode(meta, b.view, i))
		return true
	}
	name, address, ok := targetName(text[1:])
	if !ok || len(name) > maxLabel {
		return false
	}
	if address = inline.OneAddress(address); address != "" {
		r.page.Define(name, address)
		n := r.newNode(meta, b.view, i)
		n.name = name
		b.out = append(b.out, n)
		return true
	}
	n := r.newNode(target, b.view, i)
	n.name = name
	b.out = append(b.out, n)
	return true
}

// targetName reads "name:" or "`name`:" and gives what follows.
func targetName(s string) (name, rest string, ok bool) {
	if strings.HasPrefix(s, "`") {
		i := strings.Index(s[1:], "`")
		if i < 0 || !strings.HasPrefix(s[i+2:], ":") {
			return "", "", false
		}
		return spacing.Folded(inline.Unescape(s[1 : i+1])), s[i+3:], true
	}
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == '\n':
			return "", "", false
		case s[i] == ':' && (i+1 == len(s) || s[i+1] == ' ' || s[i+1] == '\n'):
			return spacing.Folded(inline.Unescape(s[:i])), s[i+1:], i > 0
		}
	}
	return "", "", false
}

// anonymous reads "__ address".
func (r *reader) anonymous(b *run, i int) int {
	end := b.indented(i+1, 1)
	text := b.lineAt(i)[2:]
	for k := i + 1; k < end; k++ {
		text += "\n" + b.lineAt(k)
		if len(text) > 8*maxLabel {
			break
		}
	}
	r.page.AddAnonymous(inline.OneAddress(text))
	b.out = append(b.out, r.newNode(meta, b.view, i))
	return end
}

// note reads a footnote or a citation: ".. [1] text".
func (r *reader) note(b *run, i, end, mark int, body string) bool {
	k := strings.IndexByte(body, ']')
	if k < 2 || k > maxLabel || k+1 < len(body) && body[k+1] != ' ' || strings.ContainsAny(body[1:k], " []`") {
		return false
	}
	n := r.newNode(footnote, b.view, i)
	n.text = body[1:k]
	v, _ := b.linesBetween(i, end).hangingText(mark + k + 1)
	n.kids = r.blocks(v, false)
	b.out = append(b.out, n)
	return true
}

// hangingText is the text behind a mark of n bytes in the first line, and the lines after it.
func (v view) hangingText(n int) (view, int) {
	b := &run{view: v}
	return b.hanging(0, n)
}

// substitution reads ".. |name| directive:: text".
func (r *reader) substitution(b *run, i, end int, body string) bool {
	k := strings.Index(body[1:], "|")
	if k < 1 || k > maxLabel {
		return false
	}
	name, rest, ok := directiveMark(strings.TrimLeft(body[k+2:], " "))
	if !ok {
		return false
	}
	value := strings.TrimSpace(rest)
	options := map[string]string{}
	for l := i + 1; l < end; l++ {
		t := strings.TrimSpace(b.lineAt(l))
		if o, column := fieldMark(t); o != "" && name != "replace" {
			options[o] = strings.TrimSpace(t[column:])
			continue
		}
		if value = strings.TrimSpace(value + "\n" + t); len(value) > maxSubstitution {
			r.warnAt(b.sourceLine(i), "the substitution %q is longer than %d bytes and left out", shorten.Bytes(body[1:k+1], mostQuoted),
				maxSubstitution)
			return true
		}
	}
	label := spacing.Single(body[1 : k+1])
	switch name {
	case "replace":
		r.page.Substitute(label, value, false)
	case "unicode":
		r.page.Substitute(label, unicodes(value), true)
	case "image":
		r.page.Substitute(label, options["alt"], true)
	case "raw":
		r.page.Substitute(label, breakOf(value), true)
	case "date":
		r.page.Substitute(label, "", true) // the day of the build, which is not known
	default:
		r.warnAt(b.sourceLine(i), "the directive %q makes no substitution", name)
	}
	return true
}

// unicodes reads the characters of a substitution: "0xA9", "U+00A9", "x2014", or text.
func unicodes(s string) string {
	s, _, _ = strings.Cut(s, " .. ")
	var out []string
	for f := range strings.FieldsSeq(s) {
		out = append(out, codepoint(f))
	}
	return strings.Join(out, " ")
}

// codepoint is a character by its number, or the text itself.
func codepoint(s string) string {
	hex := ""
	for _, p := range []string{"0x", "x", "\\x", "U+", "u", "\\u", "&#x"} {
		if rest, ok := strings.CutPrefix(s, p); ok {
			hex = strings.TrimSuffix(rest, ";")
			break
		}
	}
	if hex == "" {
		return s
	}
	n, err := strconv.ParseInt(hex, 16, 32)
	if err != nil || n > unicode.MaxRune {
		return s
	}
	return string(rune(n))
}

// breakOf is what a substitution with markup of HTML shows in a text: a break is a blank, and
// other markup nothing.
func breakOf(value string) string {
	_, markup, _ := strings.Cut(value, "\n")
	if strings.HasPrefix(strings.TrimSpace(markup), "<br") {
		return " "
	}
	return ""
}
