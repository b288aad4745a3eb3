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
	crossRef     = pattern.Lazy(`^<<([^<>,\n]{1,200})(?:,\s*([^<>]{1,300}))?>>`)
	anchorRef    = pattern.Lazy(`^\[\[[\w:.,\s-]{1,200}\]\]`)
	entityRef    = pattern.Lazy(`^&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});`)
	roleRef      = pattern.Lazy(`^\[[\w.#-]{0,40}\]#([^#\n]{1,300})#`)
)

// fixed are the attributes that AsciiDoc brings along.
var fixed = map[string]string{"nbsp": " ", "sp": " ", "empty": "", "blank": "", "zwsp": "", "lt": "<", "gt": ">", "amp": "&", "plus": "+",
	"vbar": "|", "startsb": "[", "endsb": "]",
	"caret": "^", "asterisk": "*", "tilde": "~", "backslash": `\`, "backtick": "`", "two-colons": "::", "apos": "'", "quot": `"`,
	"cpp": "C++", "litdd": "--"} // the last is git's

const maxExpanded = 1 << 20 // bytes of attributes on one page

// expand puts attributes in. Those that are not known stay.
func (p *page) expand(s string) string {
	if !strings.Contains(s, "{") {
		return s
	}
	return attributeRef().ReplaceAllStringFunc(s, func(m string) string {
		name := strings.ToLower(m[1 : len(m)-1])
		v, ok := p.attributes[name]
		if !ok {
			v, ok = fixed[name]
		}
		if !ok || p.expanded > maxExpanded {
			return m
		}
		p.expanded += len(v)
		return v
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
		in, n := p.markupAt(s, i)
		if n == 0 {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == '\\' && i+1 < len(s) && (strings.IndexByte("*_`{<+#'h[", s[i+1]) >= 0 || isEscapedDash(s[i:])) { // no mark
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

// markupAt is the markup at an offset and its length, or 0.
func (p *page) markupAt(s string, i int) (string, int) {
	switch c := s[i]; c {
	case '`', '+':
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
		if m := crossRef().FindStringSubmatch(s[i:]); m != nil {
			text := m[2]
			if text == "" {
				text = strings.TrimLeft(m[1], "#_")
			}
			return build.LinkInline(build.TextInline(text), target(m[1])), len(m[0])
		}
	case '[':
		if m := anchorRef().FindString(s[i:]); m != "" {
			return "", len(m)
		}
		if m := roleRef().FindStringSubmatch(s[i:]); m != nil {
			return p.inline(m[1]), len(m[0])
		}
	default:
		if c < 'a' || c > 'z' || i > 0 && (s[i-1] >= 'a' && s[i-1] <= 'z' || touchesWord(s[:i], true)) {
			break
		}
		if strings.IndexByte("hfixlmkbps", c) >= 0 {
			if in, n := p.namedMacro(s[i:]); n > 0 {
				return in, n
			}
		}
		return p.unknownMacro(s[i:])
	}
	return "", 0
}

// macros are the names of inline macros.
var macros = [...]string{"xref", "link", "mailto", "image", "kbd", "btn", "menu", "footnote", "linkgit", "pass", "stem", "icon"}

// schemes begin addresses.
var schemes = [...]string{"https://", "http://", "ftp://", "irc://"}

// bracketed is the content of the brackets at the beginning of a text, and their length.
func bracketed(s string) (string, int) {
	if s == "" || s[0] != '[' {
		return "", 0
	}
	end := strings.IndexByte(s[:min(len(s), mostText)], ']')
	if end < 0 {
		return "", 0
	}
	return s[1:end], end + 1
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
		text, k := bracketed(rest[end:])
		if k == 0 {
			return "", "", "", 0
		}
		return name, rest[:end], text, len(name) + 1 + end + k
	}
	return "", "", "", 0
}

// namedMacro is a macro with a name, or an address.
func (p *page) namedMacro(s string) (string, int) {
	for _, scheme := range schemes {
		if !strings.HasPrefix(s, scheme) {
			continue
		}
		to := s[:min(len(s), mostAddress)]
		if end := strings.IndexAny(to, "[]<>\" \n"); end >= 0 {
			to = to[:end]
		}
		if text, k := bracketed(s[len(to):]); k > 0 {
			shown, _, _ := strings.Cut(text, ",")
			if shown == "" {
				shown = to
			}
			return build.LinkInline(build.TextInline(strings.TrimSuffix(shown, "^")), to), len(to) + k
		}
		if to = strings.TrimRight(to, ".,;:!?)'"); len(to) <= len(scheme) {
			return "", 0
		}
		return build.LinkInline(build.TextInline(to), to), len(to)
	}
	name, to, text, n := macroAt(s)
	if n == 0 {
		return "", 0
	}
	switch name {
	case "kbd", "btn", "stem":
		return build.CodeInline(text), n
	case "menu":
		return build.Strong(build.TextInline(strings.TrimSuffix(to+" → "+strings.ReplaceAll(text, ">", "→"), " → "))), n
	case "footnote":
		return build.TextInline(" (" + text + ")"), n
	case "linkgit":
		return build.CodeInline(to + "(" + text + ")"), n
	case "pass", "icon":
		return build.TextInline(text), n
	case "image":
		return build.ImageInline(imageText(text), to), n
	case "mailto":
		return build.LinkInline(build.TextInline(text), "mailto:"+to), n
	}
	text, _, _ = strings.Cut(strings.TrimSuffix(text, "^"), ",")
	if text == "" {
		text = to
	}
	if name == "xref" {
		to = p.site.pageTarget(to)
	}
	return build.LinkInline(p.inline(text), target(to)), n
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
	mostText    = 500  // in brackets
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

func isLetter(r rune) bool { return unicode.IsLetter(r) }

// withoutMarks is an inline without its marks.
func withoutMarks(inline string) string {
	return strings.NewReplacer("`", "", "**", "", `\`, "").Replace(inline)
}
