package asciidoc

import (
	"strings"

	"docent/pipeline/ingest/parse/build"

	"docent/pipeline/text/pattern"
)

// macros are the names of inline macros.
var macros = [...]string{"xref", "link", "mailto", "image", "kbd", "btn", "menu", "footnote", "linkgit", "pass", "stem", "icon",
	"latexmath", "asciimath", "anchor", "indexterm", "indexterm2"}

// schemes begin addresses.
var schemes = [...]string{"https://", "http://", "ftp://", "irc://"}

// behindWords are the macros that may stand right behind a word.
var behindWords = [...]string{"footnote:", "xref:", "link:", "image:", "pass:"}

// behindWord reports whether a text begins with a macro that may stand right behind a word.
func behindWord(s string) bool {
	for _, name := range behindWords {
		if strings.HasPrefix(s, name) {
			return true
		}
	}
	return false
}

// endsWithMacro reports whether a name that looks like a macro's is a word with a macro right behind it.
func endsWithMacro(name string) bool {
	for _, m := range behindWords {
		if len(name) > len(m) && strings.HasSuffix(name, m) {
			return true
		}
	}
	return false
}

// macroInText is the macro at an offset of a text, or an address.
func (p markup) macroInText(s string, i int) (string, int) {
	c := s[i]
	if c < 'a' || c > 'z' || i > 0 && touchesWord(s[:i], true) && !behindWord(s[i:]) {
		return "", 0
	}
	if strings.IndexByte("ahfixlmkbps", c) >= 0 {
		if in, n := p.namedMacro(s[i:]); n > 0 {
			if i > 0 && s[i-1] == ' ' {
				in = strings.TrimPrefix(in, " ")
			}
			return in, n
		}
	}
	return p.unknownMacro(s[i:])
}

// bracketed is the content of the brackets at the beginning of a text, and their length. A
// bracket behind a backslash belongs to the content.
func bracketed(s string) (string, int) {
	if s == "" || s[0] != '[' {
		return "", 0
	}
	for i := 1; i < min(len(s), mostText); i++ {
		if s[i] == ']' && s[i-1] != '\\' {
			return strings.ReplaceAll(s[1:i], `\]`, "]"), i + 1
		}
	}
	return "", 0
}

// balanced is bracketed for a text that may have macros with brackets of their own. One with
// a bracket too many ends at the first that closes.
func balanced(s string) (string, int) {
	if s == "" || s[0] != '[' {
		return "", 0
	}
	depth := 0
	for i := 0; i < min(len(s), mostText); i++ {
		switch {
		case i > 0 && s[i-1] == '\\':
		case s[i] == '[':
			depth++
		case s[i] == ']':
			if depth--; depth == 0 {
				return strings.ReplaceAll(s[1:i], `\]`, "]"), i + 1
			}
		}
	}
	return bracketed(s)
}

// macroAt is the macro that a text begins with: its name, target and text, and its length.
func macroAt(s string) (name, to, text string, n int) {
	for _, name := range macros {
		if !strings.HasPrefix(s, name) || len(s) <= len(name) || s[len(name)] != ':' {
			continue
		}
		rest := s[len(name)+1:]
		end := strings.IndexAny(rest[:min(len(rest), mostAddress)], "[] \n")
		if end < 0 || rest[end] != '[' {
			return "", "", "", 0
		}
		text, k := balanced(rest[end:])
		if k == 0 {
			return "", "", "", 0
		}
		return name, rest[:end], text, len(name) + 1 + end + k
	}
	return "", "", "", 0
}

// namedMacro is a macro with a name, or an address.
func (p markup) namedMacro(s string) (string, int) {
	for _, scheme := range schemes {
		if strings.HasPrefix(s, scheme) {
			return p.address(s, scheme)
		}
	}
	name, to, text, n := macroAt(s)
	if n == 0 {
		return "", 0
	}
	switch name {
	case "kbd", "btn", "stem", "latexmath", "asciimath":
		return build.CodeInline(text), n
	case "menu":
		return build.Strong(build.TextInline(strings.TrimSuffix(to+" → "+strings.ReplaceAll(text, ">", "→"), " → "))), n
	case "footnote":
		if text == "" { // it refers to one that was shown
			return "", n
		}
		return " (" + p.inline(text) + ")", n
	case "linkgit":
		return build.CodeInline(to + "(" + text + ")"), n
	case "pass":
		return p.passed(to, text), n
	case "icon":
		return build.TextInline(text), n
	case "anchor":
		return "", n
	case "indexterm":
		p.addMetadata(text)
		return "", n
	case "indexterm2":
		return p.inline(text), n
	case "image":
		return build.ImageInline(imageText(text), to), n
	case "mailto":
		return build.LinkInline(build.TextInline(text), "mailto:"+to), n
	}
	shown := build.TextInline(unpassed(to))
	if text = shownText(text); text == "" && name == "xref" {
		text = p.expand(p.site.titleOf(to))
	}
	if text != "" {
		shown = p.linkText(text)
	}
	if name == "xref" {
		to = p.site.pageTarget(to)
	}
	if name == "link" && text != "" && strings.HasPrefix(to, "{") {
		return shown, n // below an address that only the build knows
	}
	return build.LinkInline(shown, target(unpassed(to))), n
}

// unpassed is a target without the signs that keep it from being read as text: link:++…++[].
func unpassed(to string) string {
	for _, signs := range []string{"+++", "++", "$$"} {
		if inner, ok := strings.CutPrefix(to, signs); ok && strings.HasSuffix(inner, signs) {
			return strings.TrimSuffix(inner, signs)
		}
	}
	return to
}

// address is the address that a text begins with, with its text in brackets where it has one.
func (p markup) address(s, scheme string) (string, int) {
	to := s[:min(len(s), mostAddress)]
	if end := strings.IndexAny(to, "[]<>\" \n"); end >= 0 {
		to = to[:end]
	}
	if text, k := balanced(s[len(to):]); k > 0 {
		if text = shownText(text); text == "" {
			return build.LinkInline(build.TextInline(to), to), len(to) + k
		}
		return build.LinkInline(p.linkText(text), to), len(to) + k
	}
	if to = strings.TrimRight(to, ".,;:!?)'"); len(to) <= len(scheme) {
		return "", 0
	}
	return build.LinkInline(build.TextInline(to), to), len(to)
}

// shownText is the text of a link without the attributes behind it. A comma is part of the
// text where no attribute is given.
func shownText(text string) string {
	text = strings.TrimSpace(text)
	if !strings.Contains(text, "=") || strings.HasPrefix(text, "image:") {
		return strings.TrimSuffix(text, "^")
	}
	if rest, ok := strings.CutPrefix(text, `"`); ok {
		shown, _, _ := strings.Cut(rest, `"`)
		return strings.TrimSuffix(shown, "^")
	}
	shown, _, more := strings.Cut(text, ",")
	if name, _, named := strings.Cut(shown, "="); named && name != "" && (more || attributeName().MatchString(name)) {
		return ""
	}
	return strings.TrimSuffix(strings.TrimSpace(shown), "^")
}

var attributeName = pattern.Lazy(`^(?:role|window|id|opts|options|title|xrefstyle|subject|body)$`)

// linkText is the text of a link, in which no other link stands.
func (p markup) linkText(text string) string {
	if strings.Contains(text, "://") {
		return build.TextInline(text)
	}
	return p.inline(text)
}

// indexTerm is a term of the index at an offset: (((one that is not shown))) or ((one that
// is)). Brackets of formulas, as in $((a+1)) and ((a) x (b)), are none.
func (p markup) indexTerm(s string, i int) (string, int) {
	if terms, n := between(s[i:], "(((", ")))"); n > 0 {
		p.addMetadata(terms)
		return "", n
	}
	if term, n := between(s[i:], "((", "))"); n > 0 && startsWithLetter(term) && !strings.ContainsAny(term, "()") &&
		(i == 0 || s[i-1] != '$' && !touchesWord(s[:i], true)) {
		return p.inline(term), n
	}
	return "", 0
}

// between is the text between two marks at the beginning of a text, and the length with them.
func between(s, open, end string) (string, int) {
	if !strings.HasPrefix(s, open) {
		return "", 0
	}
	rest := s[len(open):min(len(s), mostQuoted)]
	k := strings.Index(rest, end)
	if k <= 0 {
		return "", 0
	}
	return rest[:k], len(open) + k + len(end)
}

var (
	breakTag   = pattern.Lazy(`<br\s*/?>`)
	htmlTag    = pattern.Lazy(`</?[a-zA-Z][^<>]*>`)
	passMacro  = pattern.Lazy(`^pass:[a-z,]*\[(.*)\]$`)
	closesCode = pattern.Lazy("^`(?:\\W|$)")
)

// passed is a text that AsciiDoc does not read, but for what its substitutions say: HTML,
// of which the text is shown.
func (p markup) passed(subs, text string) string {
	switch {
	case strings.ContainsAny(subs, "qn"):
		return p.inline(text)
	case strings.Contains(subs, "c"):
		return build.TextInline(text)
	}
	lines := strings.Split(breakTag().ReplaceAllString(text, "\n"), "\n")
	for i, l := range lines {
		lines[i] = build.TextInline(htmlTag().ReplaceAllString(l, ""))
	}
	return strings.Join(lines, build.Break)
}

// passedValue is the value of an attribute without the macro that passes it on.
func passedValue(v string) string {
	if strings.HasPrefix(v, "pass:") {
		if m := passMacro().FindStringSubmatch(v); m != nil {
			return m[1]
		}
	}
	return v
}

// passedOrLinked is what +++passes+++ the page by at an offset, or a monospaced text that is a macro whole.
func (p markup) passedOrLinked(s string, i int) (string, int) {
	if s[i] == '+' {
		if in, n := between(s[i:], "+++", "+++"); n > 0 {
			return p.passed("", in), n
		}
		return "", 0
	}
	if i > 0 && touchesWord(s[:i], true) {
		return "", 0
	}
	name, to, text, n := macroAt(s[i+1:])
	if n == 0 || !closesCode().MatchString(s[i+1+n:]) {
		return "", 0
	}
	switch name {
	case "pass":
		return build.CodeInline(text), n + 2
	case "xref":
		to = p.site.pageTarget(to)
	case "link":
	default:
		return "", 0
	}
	if text = shownText(text); text == "" {
		text = to
	}
	return build.LinkInline(build.CodeInline(strings.Trim(text, "+`")), target(to)), n + 2
}
