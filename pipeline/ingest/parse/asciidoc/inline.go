package asciidoc

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"docent/pipeline/ingest/parse/build"

	"docent/pipeline/text/pattern"
)

var (
	attributeRef = pattern.Lazy(`\{([\w][\w-]*)\}`)
	crossRef     = pattern.Lazy(`^<<([^<>,\n]{1,200})(?:,\s*([^<>]{0,300}))?>>`)
	anchorRef    = pattern.Lazy(`^\[\[[\w:.,\s-]{1,200}\]\]`)
	entityRef    = pattern.Lazy(`^&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});`)
	roleRef      = pattern.Lazy("^\\[[\\w.#%:=\", -]{0,80}\\][*_`+#]")
)

// fixed are the attributes that AsciiDoc brings along.
var fixed = map[string]string{"nbsp": " ", "sp": " ", "empty": "", "blank": "", "zwsp": "", "lt": "<", "gt": ">", "amp": "&", "plus": "+",
	"vbar": "|", "startsb": "[", "endsb": "]",
	"caret": "^", "asterisk": "*", "tilde": "~", "backslash": `\`, "backtick": "`", "two-colons": "::", "apos": "'", "quot": `"`,
	"cpp": "C++", "litdd": "--"} // the last is git's

// converted are attributes that Asciidoctor sets when it writes HTML, and a project may set
// otherwise. References to other pages are put together with them: link:oil{outfilesuffix}[].
var converted = map[string]string{"outfilesuffix": ".html", "relfilesuffix": ".html"}

const maxExpanded = 1 << 20 // bytes of attributes on one page

// expand puts attributes in. Those that are not known stay.
func (p *page) expand(s string) string {
	if !strings.Contains(s, "{") {
		return s
	}
	s = p.runDirectives(s)
	return attributeRef().ReplaceAllStringFunc(s, func(m string) string {
		name := strings.ToLower(m[1 : len(m)-1])
		v, ok := p.attributes[name]
		if !ok {
			v, ok = fixed[name]
		}
		if !ok {
			v, ok = p.inherited(name)
		}
		if !ok {
			v, ok = converted[name]
		}
		if !ok || p.expanded > maxExpanded {
			return m
		}
		p.expanded += len(v)
		return passedValue(v)
	})
}

// inline is text as Markdown.
func (p *page) inline(s string) string {
	var b, plain strings.Builder
	flush := func() {
		b.WriteString(build.TextInline(plain.String()))
		plain.Reset()
	}
	for i := 0; i < len(s); {
		in, n := markup{p}.markupAt(s, i)
		if n == 0 {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == '\\' && i+1 < len(s) && (strings.IndexByte("*_`{<+#'h[^~", s[i+1]) >= 0 || isEscapedDash(s[i:])) { // no mark
				i += size
				_, size = utf8.DecodeRuneInString(s[i:])
			}
			plain.WriteString(s[i : i+size])
			i += size
			continue
		}
		flush()
		b.WriteString(in)
		i += n
	}
	flush()
	return b.String()
}

// markup reads the marks within a text of a page.
type markup struct{ *page }

// markupAt is the markup at an offset and its length, or 0.
func (p markup) markupAt(s string, i int) (string, int) {
	switch c := s[i]; c {
	case '`', '+':
		if in, n := p.passedOrLinked(s, i); n > 0 {
			return in, n
		}
		if in, n := quoted(s, i, string(c)); n > 0 {
			if c == '`' && !strings.HasPrefix(in, "+") {
				in = withCharacters(in)
			}
			return build.CodeInline(strings.Trim(in, "+")), n
		}
	case '&':
		if m := entityRef().FindString(s[i:min(len(s), i+mostEntity)]); m != "" {
			return build.TextInline(html.UnescapeString(m)), len(m)
		}
	case '"', '\'':
		if in, n := curved(s, i); n > 0 {
			marks := map[byte][2]string{'"': {"“", "”"}, '\'': {"‘", "’"}}[c]
			return marks[0] + p.inline(in) + marks[1], n
		}
	case '*':
		if in, n := quoted(s, i, "*"); n > 0 {
			return build.Strong(p.inline(in)), n
		}
	case '_':
		if in, n := quoted(s, i, "_"); n > 0 {
			return build.Emphasis(p.inline(in)), n
		}
	case ' ':
		if strings.HasPrefix(s[i:], " +\n") {
			return build.Break, 3
		}
	case '<':
		return p.crossReference(s[i:])
	case '[':
		if m := anchorRef().FindString(s[i:]); m != "" {
			return "", len(m)
		}
		if m := roleRef().FindString(s[i:]); m != "" && (i == 0 || !touchesWord(s[:i], true)) {
			if in, n := p.markupAt(s, i+len(m)-1); n > 0 { // a role changes how the text looks
				return in, len(m) - 1 + n
			}
		}
	case '#':
		return p.marked(s, i)
	case '$':
		if in, n := between(s[i:], "$$", "$$"); n > 0 {
			return build.TextInline(in), n
		}
	case '(':
		return p.indexTerm(s, i)
	case '{':
		return p.addressUnknown(s[i:])
	case '^', '~':
		return p.raised(s[i:])
	default:
		return p.macroInText(s, i)
	}
	return "", 0
}

// marked is a text that is marked, #as this#, at an offset.
func (p markup) marked(s string, i int) (string, int) {
	in, n := quoted(s, i, "#")
	if n == 0 || i > 0 && strings.IndexByte("&;:}", s[i-1]) >= 0 {
		return "", 0
	}
	if roled := i > 0 && s[i-1] == ']'; !roled && (strings.Contains(in, "#") || !startsWithLetter(in)) {
		return "", 0 // numbers of issues, or the sign itself in quotes
	}
	return p.inline(in), n
}

var raisedText = pattern.Lazy(`^(?:\^([^\s^]{1,100})\^|~([^\s~]{1,100})~)`)

// raised is a text above or below the line at the beginning of a text: a power keeps its sign.
func (p markup) raised(s string) (string, int) {
	m := raisedText().FindStringSubmatch(s)
	switch {
	case m == nil:
		return "", 0
	case m[1] != "":
		return "^" + p.inline(m[1]), len(m[0])
	}
	return p.inline(m[2]), len(m[0])
}

// crossReference is a reference in angle brackets at the beginning of a text.
func (p markup) crossReference(s string) (string, int) {
	m := crossRef().FindStringSubmatch(s)
	if m == nil {
		return "", 0
	}
	if m[2] == "" {
		text := build.TextInline(strings.TrimLeft(m[1], "#_"))
		if p.inTitle { // a title may refer to itself
			return text, len(m[0])
		}
		if title := p.titleOf(m[1]); title != "" {
			p.inTitle = true
			text = p.linkText(p.expand(title))
			p.inTitle = false
		}
		return build.LinkInline(text, target(m[1])), len(m[0])
	}
	return build.LinkInline(p.linkText(m[2]), target(m[1])), len(m[0])
}

// target is where a reference leads: to a page, or an id of this one.
func target(s string) string {
	file, id, ok := strings.Cut(s, "#")
	switch {
	case !ok && (strings.Contains(s, ".") || strings.Contains(s, "/")):
		return s
	case !ok:
		return "#" + s
	case file == "":
		return "#" + id
	}
	return file + "#" + id
}

// Bounds of markup in a paragraph, in bytes.
const (
	mostQuoted  = 500  // between two marks
	mostAddress = 1000 // of an address
	mostText    = 2000 // in brackets
)

// quoted is the text between two marks at an offset, and the length with them: single
// ones around words, double ones anywhere.
func quoted(s string, i int, mark string) (string, int) {
	rest := s[i:min(len(s), i+mostQuoted)]
	if double := mark + mark; strings.HasPrefix(rest, double) {
		if end := strings.Index(rest[2:], double); end > 0 && !strings.Contains(rest[2:2+end], "\n\n") {
			return rest[2 : 2+end], end + 4
		}
		return "", 0
	}
	if i > 0 && touchesWord(s[:i], true) || len(rest) < 3 || rest[1] == ' ' || rest[1] == '\n' {
		return "", 0
	}
	for end := 2; end < len(rest); end++ {
		if rest[end] == mark[0] && rest[end-1] != ' ' && rest[end-1] != '\n' && !touchesWord(s[i+end+1:], false) {
			return rest[1:end], end + 1
		}
	}
	return "", 0
}

// touchesWord reports whether a letter or digit stands at the end of a text, or at its beginning.
func touchesWord(s string, end bool) bool {
	var r rune
	if end {
		r, _ = utf8.DecodeLastRuneInString(s)
	} else {
		r, _ = utf8.DecodeRuneInString(s)
	}
	return isLetter(r) || unicode.IsDigit(r) || r == '_'
}

// startsWithLetter reports whether a text begins with a letter.
func startsWithLetter(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return isLetter(r)
}

func isLetter(r rune) bool { return unicode.IsLetter(r) }

// withoutMarks is an inline without its marks.
func withoutMarks(inline string) string {
	return strings.NewReplacer("`", "", "**", "", `\`, "").Replace(inline)
}
