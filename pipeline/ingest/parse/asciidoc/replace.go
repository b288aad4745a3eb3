package asciidoc

import (
	"html"
	"strings"

	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/pattern"
)

// mostEntity is the length of the longest entity, in bytes.
const mostEntity = 40

var (
	anyEntity   = pattern.Lazy(`&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});`)
	escapedDash = pattern.Lazy(`\\--(\s|$|[\w=])`)
)

// withCharacters is a monospaced text with the characters that its entities stand for, and
// without the backslash before dashes.
func withCharacters(s string) string {
	if strings.Contains(s, `\--`) {
		s = escapedDash().ReplaceAllString(s, "--$1")
	}
	if strings.Contains(s, "&") {
		s = anyEntity().ReplaceAllStringFunc(s, html.UnescapeString)
	}
	return s
}

// isEscapedDash reports whether a text begins with a backslash that keeps two dashes from
// becoming a long one. A reader types the dashes alone.
func isEscapedDash(s string) bool {
	return strings.HasPrefix(s, `\--`) && !strings.HasPrefix(s, `\---`)
}

// curved is the text between "` and `" or '` and `' at an offset, and the length with them.
func curved(s string, i int) (string, int) {
	rest := s[i:min(len(s), i+mostQuoted)]
	if !strings.HasPrefix(rest[1:], "`") || i > 0 && touchesWord(s[:i], true) {
		return "", 0
	}
	end := strings.Index(rest[2:], "`"+rest[:1])
	if end <= 0 || strings.ContainsAny(rest[2:3], " \n`") || strings.ContainsAny(rest[1+end:2+end], " \n") {
		return "", 0
	}
	return rest[2 : 2+end], end + 4
}

// unknownMacro is a macro of an extension, as "javadoc:org.lamps.Wick[]": its text, or
// what its target names.
func (p markup) unknownMacro(s string) (string, int) {
	n := 0
	for n < len(s) && n < 32 && (s[n] >= 'a' && s[n] <= 'z' || s[n] >= '0' && s[n] <= '9' || s[n] == '-' || s[n] == '_') {
		n++
	}
	if n < 2 || n+1 >= len(s) || s[n] != ':' || strings.IndexByte(":/ [", s[n+1]) >= 0 || endsWithMacro(s[:n+1]) {
		return "", 0
	}
	rest := s[n+1:]
	end := strings.IndexAny(rest[:min(len(rest), mostAddress)], "[] \n\"'<>|,;")
	if end < 0 || rest[end] != '[' {
		return "", 0
	}
	text, k := bracketed(rest[end:])
	if k == 0 {
		return "", 0
	}
	n += 1 + end + k
	if text = shownText(text); text != "" && !strings.Contains(text, "=") {
		return p.inline(text), n
	}
	return build.CodeInline(nameOfTarget(rest[:end])), n
}

// unknownAddress is a link below an address that no file of the doc set gives: the build does.
var unknownAddress = pattern.Lazy(`^\{[\w-]*(?:url|uri|link|site|docs|href)[\w-]*\}[^\s\[\]<>"'{}` + "`" + `]*\[`)

// addressUnknown is the text of a link below an address that is not known.
func (p markup) addressUnknown(s string) (string, int) {
	m := unknownAddress().FindString(s[:min(len(s), mostAddress)])
	if m == "" {
		return "", 0
	}
	text, n := bracketed(s[len(m)-1:])
	if text = shownText(text); n == 0 || text == "" {
		return "", 0
	}
	return p.inline(text), len(m) - 1 + n
}

// nameOfTarget is a target without its path, and a class without its package.
func nameOfTarget(to string) string {
	to = to[strings.LastIndexByte(strings.TrimRight(to, "/"), '/')+1:]
	parts := strings.Split(to, ".")
	for i, part := range parts {
		if part != "" && part[0] >= 'A' && part[0] <= 'Z' {
			return strings.Join(parts[i:], ".")
		}
	}
	return to
}
