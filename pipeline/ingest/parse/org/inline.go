package org

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf8"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/ingest/parse/markdown"
	"docent/pipeline/text/pattern"
)

// Bounds of markup in a line.
const (
	mostInline = 8    // markup in markup
	mostMarked = 1500 // bytes between two marks of emphasis
)

// inline is a text as a raw inline.
func (p *page) inline(s string) string {
	var b strings.Builder
	p.addInline(&b, p.expand(s, 0), 0)
	return b.String()
}

// signs are the characters that may begin markup.
const signs = "\x00\x01*/_=~+[<@\\$^hsc"

func (p *page) addInline(b *strings.Builder, s string, depth int) {
	start := 0 // of the text that has no markup
	flush := func(end int) {
		if end > start {
			build.AddText(b, s[start:end], 0, false)
		}
	}
	for i := 0; i < len(s); {
		n := strings.IndexAny(s[i:], signs)
		if n < 0 {
			break
		}
		i += n
		var out strings.Builder
		if size := p.addMarkup(&out, s, i, depth); size > 0 {
			flush(i)
			b.WriteString(out.String())
			i += size
			start = i
		} else {
			i++
		}
	}
	flush(len(s))
}

// addMarkup adds the markup at a place of a text, and returns its length; 0 where the sign
// is text.
func (p *page) addMarkup(b *strings.Builder, s string, at, depth int) int {
	rest := s[at:]
	switch c := rest[0]; c {
	case build.BreakMark, build.LineMark:
		end := strings.IndexByte(rest[1:], c)
		if end < 0 {
			return len(rest)
		}
		p.line, _ = strconv.Atoi(rest[1 : end+1])
		b.WriteString(rest[:end+2])
		return end + 2
	case '*', '/', '_', '=', '~', '+':
		if size := p.addEmphasis(b, s, at, depth); size > 0 {
			return size
		}
		if c == '_' && strings.HasPrefix(rest, "_{") {
			return addScript(b, rest, s, at)
		}
	case '^':
		return addScript(b, rest, s, at)
	case '[':
		return p.addBracket(b, rest, depth)
	case '<':
		return p.addAngle(b, rest)
	case '@':
		return addSnippet(rest)
	case '\\':
		return addEntity(b, rest)
	case '$':
		return addFormula(b, s, at)
	case 'h':
		if m := bareURL().FindString(rest[:min(len(rest), 2000)]); m != "" && !wordBefore(s, at) {
			m = strings.TrimRight(m, ".,;:!?)'")
			b.WriteString(build.TextInline(m))
			return len(m)
		}
	case 's', 'c':
		if m := inlineSource().FindStringSubmatch(rest[:min(len(rest), 1000)]); m != nil && !wordBefore(s, at) {
			b.WriteString(build.CodeInline(m[1]))
			return len(m[0])
		}
	}
	return 0
}

var (
	bareURL      = pattern.Lazy(`^https?://[^\s<>\[\]"\x00-\x02|{}]+`)
	inlineSource = pattern.Lazy(`^src_[A-Za-z0-9-]+(?:\[[^\]\n]*\])?\{([^{}\x00]*)\}`)
)

func wordBefore(s string, at int) bool {
	return at > 0 && (s[at-1] >= utf8.RuneSelf || s[at-1] >= '0' && s[at-1] <= '9' || s[at-1]|0x20 >= 'a' && s[at-1]|0x20 <= 'z')
}

// isBefore reports whether emphasis may begin behind a character, isAfter whether it may end before
// one.
func isBefore(s string, at int) bool {
	if at == 0 {
		return true
	}
	r, _ := utf8.DecodeLastRuneInString(s[:at])
	return strings.ContainsRune(" \t\x00\x01-–—({'\"*/_+", r) || r == 0x200b
}

func isAfter(s string, at int) bool {
	if at >= len(s) {
		return true
	}
	r, _ := utf8.DecodeRuneInString(s[at:])
	return strings.ContainsRune(" \t\x00\x01-–—.,;:!?'\")}]\\[*/_+", r) || r == 0x200b
}

// addEmphasis adds bold, italic and other marked text.
func (p *page) addEmphasis(b *strings.Builder, s string, at, depth int) int {
	mark := s[at]
	if !isBefore(s, at) || at+2 >= len(s) || strings.IndexByte(" \t\x00\x01", s[at+1]) >= 0 || depth >= mostInline {
		return 0
	}
	limit := min(len(s), at+mostMarked)
	for i := at + 2; i < limit; i++ {
		if s[i] != mark || strings.IndexByte(" \t\x00\x01", s[i-1]) >= 0 || !isAfter(s, i+1) {
			continue
		}
		inner := s[at+1 : i]
		switch mark {
		case '=', '~':
			code := lineBefore(s, at) + build.CodeInline(withoutMarks(inner)) + build.LastMark(inner)
			build.WrapRaw(b, code, func(text string) string { return text })
		default:
			var in strings.Builder
			p.addInline(&in, inner, depth+1)
			build.WrapRaw(b, in.String(), func(text string) string {
				switch mark {
				case '*':
					return build.Strong(text)
				case '/':
					return build.Emphasis(text)
				}
				return text
			})
		}
		return i + 1 - at
	}
	return 0
}

// lineBefore is the line of a place in a text, as a mark that breaks no line.
func lineBefore(s string, at int) string {
	return build.LastMark(s[max(0, at-2000):at])
}

// withoutMarks is a text with blanks in the place of marks.
func withoutMarks(s string) string {
	var b strings.Builder
	for {
		i := strings.IndexAny(s, "\x00\x01")
		if i < 0 {
			break
		}
		b.WriteString(s[:i])
		if s[i] == build.BreakMark {
			b.WriteByte(' ')
		}
		end := strings.IndexByte(s[i+1:], s[i])
		if end < 0 {
			return b.String()
		}
		s = s[i+end+2:]
	}
	b.WriteString(s)
	return b.String()
}

// addScript adds text in braces that is set higher or lower.
func addScript(b *strings.Builder, rest, s string, at int) int {
	if !strings.HasPrefix(rest[1:], "{") || at == 0 || strings.IndexByte(" \t\x00", s[at-1]) >= 0 {
		return 0
	}
	end := strings.IndexByte(rest[:min(len(rest), 200)], '}')
	if end < 0 {
		return 0
	}
	b.WriteString(build.TextInline(rest[:1] + withoutMarks(rest[2:end])))
	return end + 1
}

var (
	link     = pattern.Lazy(`^\[\[((?:[^\[\]\\]|\\.)+)\](?:\[((?:[^\]]|\][^\]])+)\])?\]`)
	footnote = pattern.Lazy(`^\[fn:([\pL\pN_-]*)(:|\])`)
	citation = pattern.Lazy(`^\[cite(?:/[^\]:]*)?:([^\]]*)\]`)
	angle    = pattern.Lazy(`^<((?:https?|ftp|mailto):[^<>\s\x00]+)>`)
)

// addBracket adds a link, the mark of a footnote or a citation.
func (p *page) addBracket(b *strings.Builder, rest string, depth int) int {
	window := rest[:min(len(rest), 3000)]
	if m := link().FindStringSubmatchIndex(window); m != nil {
		to, shown := window[m[2]:m[3]], ""
		if m[4] >= 0 {
			shown = window[m[4]:m[5]]
		}
		p.addLink(b, withoutMarks(to), shown, depth)
		return m[1]
	}
	if m := citation().FindStringSubmatch(window); m != nil {
		b.WriteString(build.TextInline("[" + withoutMarks(m[1]) + "]"))
		return len(m[0])
	}
	m := footnote().FindStringSubmatch(window)
	if m == nil {
		return 0
	}
	name := m[1]
	if m[2] == ":" {
		end := closingBracket(window)
		if end < 0 {
			return 0
		}
		for n := 1; name == ""; n++ {
			if k := strconv.Itoa(len(p.noted) + n); !p.numbers[k] {
				name = k
			}
		}
		p.numbers[name] = true
		p.noted = append(p.noted, note{name, window[len(m[0]):end], p.line})
		b.WriteString(noteMark(name, rest[end+1:]))
		return end + 1
	}
	b.WriteString(noteMark(name, rest[len(m[0]):]))
	return len(m[0])
}

// noteMark is the mark of a footnote before a text.
func noteMark(name, rest string) string {
	mark := "[" + name + "]"
	if rest != "" && strings.IndexByte("([:{", rest[0]) >= 0 {
		return build.TextInline(mark)
	}
	return mark
}

// closingBracket is the place of the bracket that closes the first one, -1 without one.
func closingBracket(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// addAngle adds an address or the name of a place, which is not shown.
func (p *page) addAngle(b *strings.Builder, rest string) int {
	window := rest[:min(len(rest), 2000)]
	if m := angle().FindStringSubmatch(window); m != nil {
		b.WriteString(build.LinkInline(build.TextInline(strings.TrimPrefix(m[1], "mailto:")), m[1]))
		return len(m[0])
	}
	if strings.HasPrefix(rest, "<<<") {
		if end := strings.Index(window, ">>>"); end > 3 && !strings.ContainsAny(window[3:end], "<\x00") {
			b.WriteString(build.TextInline(window[3:end]))
			return end + 3
		}
	}
	if m := target().FindStringIndex(window); m != nil && m[0] == 0 {
		return m[1]
	}
	return 0
}

// addSnippet passes a snippet for one backend of the exporter.
func addSnippet(rest string) int {
	window := rest[:min(len(rest), 2000)]
	if m := snippet().FindString(window); m != "" {
		if end := strings.Index(window[len(m):], "@@"); end >= 0 {
			return len(m) + end + 2
		}
	}
	return 0
}

var snippet = pattern.Lazy(`^@@[A-Za-z0-9-]+:`)

// entities are Org's names of characters that HTML does not have, or has for others.
var entities = map[string]string{"nbsp": " ", "ldots": "…", "dots": "…", "shy": "", "to": "→", "rightarrow": "→",
	"leftarrow": "←", "vert": "|", "vbar": "|", "under": "_", "star": "*", "asterisk": "*", "slash": "/", "plus": "+", "equal": "=",
	"tilde": "~", "hash": "#",
	"check": "✓", "zwnj": "", "backslash": `\`, "dollar": "$", "slashchar": "/"}

var (
	entity = pattern.Lazy(`^\\([A-Za-z]+)(\{\})?`)
	latex  = pattern.Lazy(`^\\\(([^\x00]*?)\\\)|^\\\[([^\x00]*?)\\\]`)
)

// addEntity adds a character by its name, a formula, or the end of a line.
func addEntity(b *strings.Builder, rest string) int {
	window := rest[:min(len(rest), 1000)]
	if m := latex().FindStringSubmatch(window); m != nil {
		b.WriteString(build.CodeInline(m[1] + m[2]))
		return len(m[0])
	}
	if strings.HasPrefix(rest, `\\`) {
		if after := strings.TrimLeft(rest[2:], " \t"); after == "" || after[0] == build.BreakMark {
			return 2
		}
		return 0
	}
	if m := entity().FindStringSubmatch(window); m != nil {
		text, ok := entities[m[1]]
		if !ok {
			text = html.UnescapeString("&" + m[1] + ";")
			ok = utf8.RuneCountInString(text) == 1
		}
		if ok {
			b.WriteString(build.TextInline(text))
			return len(m[0])
		}
	}
	return 0
}

var formula = pattern.Lazy(`^\$([^\s$\x00](?:[^$\x00]{0,300}[^\s$\x00.,;])?)\$(?:[\s\x00\x01.,;:!?'")-]|$)`)

// addFormula adds a formula between dollar signs.
func addFormula(b *strings.Builder, s string, at int) int {
	if at > 0 && s[at-1] == '$' {
		return 0
	}
	m := formula().FindStringSubmatch(s[at:min(len(s), at+400)])
	if m == nil {
		return 0
	}
	b.WriteString(build.CodeInline(m[1]))
	return len(m[1]) + 2
}

var scheme = pattern.Lazy(`^([a-zA-Z][a-zA-Z0-9+.-]*):(.*)$`)

var (
	macroCall = pattern.Lazy(`\{\{\{([A-Za-z][A-Za-z0-9_-]*)(?:\(((?:[^)]|\)[^}])*)\))?\}\}\}`)
	parameter = pattern.Lazy(`\$[0-9]`)
)

// expand puts the texts of macros in the place of their calls.
func (p *page) expand(s string, depth int) string {
	if !strings.Contains(s, "{{{") || depth > 3 {
		return s
	}
	return macroCall().ReplaceAllStringFunc(s, func(call string) string {
		m := macroCall().FindStringSubmatch(call)
		name := strings.ToLower(m[1])
		var args []string
		for a := range strings.SplitSeq(strings.ReplaceAll(m[2], `\,`, "\x02"), ",") {
			args = append(args, strings.TrimSpace(strings.ReplaceAll(a, "\x02", ",")))
		}
		body, ok := p.macros[name]
		switch {
		case name == "title":
			return p.title
		case name == "n" || name == "results" || name == "property" || name == "time" || name == "date" || name == "modification-time":
			return ""
		case ok && !strings.HasPrefix(body, "(eval"):
			if p.left -= len(body) + len(call) + strings.Count(body, "$")*len(m[2]); p.left < 0 {
				return ""
			}
			return p.expand(parameter().ReplaceAllStringFunc(body, func(n string) string {
				if i := int(n[1]-'0') - 1; i >= 0 && i < len(args) {
					return args[i]
				}
				return ""
			}), depth+1)
		}
		text := strings.Join(args, ", ")
		if text != "" && (name == "kbd" || name == "key" || name == "code" || name == "samp" || name == "file" || name == "command") &&
			!strings.Contains(text, "~") {
			return "~" + text + "~"
		}
		return text
	})
}

// plain is a text without markup, on one line.
func (p *page) plain(s string) string {
	notes := len(p.noted)
	inline, _ := build.RawLines(p.inline(s))
	p.noted = p.noted[:notes]
	d, err := markdown.ParseMarkdown([]byte("# "+strings.ReplaceAll(inline, "\n", " ")+"\n"), parse.Options{})
	if err != nil || len(d.Sections) == 0 {
		return strings.Join(strings.Fields(withoutMarks(s)), " ")
	}
	return d.Sections[0].Text
}
