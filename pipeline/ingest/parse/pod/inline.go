package pod

import (
	"html"
	"strconv"
	"strings"

	"docent/pipeline/ingest/parse/build"
)

// mostNested is how deep codes are read in each other; deeper ones are text.
const mostNested = 10

func decimal(n int) string { return strconv.Itoa(n) }

// joined is the text of lines with marks between them.
func joined(lines []line) string {
	var b strings.Builder
	for i, l := range lines {
		build.MarkLine(&b, l.at, i > 0)
		b.WriteString(l.text)
	}
	return b.String()
}

// inline is the text of lines as a raw inline.
func (p *page) inline(lines []line) string {
	var b strings.Builder
	p.addInline(&b, joined(lines), 0)
	return b.String()
}

// plain is the text of lines without codes.
func (p *page) plain(lines []line) string {
	var b strings.Builder
	addPlain(&b, joined(lines), 0)
	return strings.Join(strings.Fields(b.String()), " ")
}

// code is a code at the beginning of a text.
type code struct {
	letter byte
	inner  string
	size   int
}

// codeAt is the code at a place of a text; ok is false where none begins there or where it is
// not closed.
func codeAt(s string, at int) (c code, ok bool) {
	if at+2 >= len(s) || s[at] < 'A' || s[at] > 'Z' || s[at+1] != '<' {
		return c, false
	}
	c.letter = s[at]
	n := 1
	for at+1+n < len(s) && s[at+1+n] == '<' {
		n++
	}
	start := at + 1 + n
	if n > 1 && (start >= len(s) || strings.IndexByte(" \t\x00", s[start]) < 0) {
		n, start = 1, at+2
	}
	const most = 8000 // bytes of a code
	window := s[start:min(len(s), start+most)]
	end := -1
	if n > 1 {
		end = closingRun(window, n)
	} else {
		end = closingBracket(window)
	}
	if end < 0 {
		return c, false
	}
	c.inner, c.size = window[:end], start+end+n-at
	if n > 1 {
		c.inner = strings.Trim(c.inner, " \t")
	}
	return c, true
}

// closingRun is the place of n brackets that close a code, with a blank before them.
func closingRun(s string, n int) int {
	mark := strings.Repeat(">", n)
	for from := 0; ; {
		i := strings.Index(s[from:], mark)
		if i < 0 {
			return -1
		}
		i += from
		if i > 0 && strings.IndexByte(" \t\x00", s[i-1]) >= 0 {
			return i
		}
		from = i + 1
	}
}

// closingBracket is the place of the bracket that closes a code; codes within it have their
// own.
func closingBracket(s string) int {
	depth := 1
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '<':
			if i > 0 && s[i-1] >= 'A' && s[i-1] <= 'Z' {
				if i+1 < len(s) && s[i+1] == '<' {
					if c, ok := codeAt(s, i-1); ok {
						i += c.size - 2
						continue
					}
				}
				depth++
			}
		case '>':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// addInline adds a text with its codes.
func (p *page) addInline(b *strings.Builder, s string, depth int) {
	start := 0
	flush := func(end int) {
		if end > start {
			build.AddText(b, s[start:end], 0, false)
		}
	}
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == build.BreakMark || c == build.LineMark:
			end := strings.IndexByte(s[i+1:], c)
			if end < 0 {
				end = len(s) - i - 2
			}
			flush(i)
			b.WriteString(s[i : i+end+2])
			i += end + 2
			start = i
		case c >= 'A' && c <= 'Z' && i+1 < len(s) && s[i+1] == '<':
			found, ok := codeAt(s, i)
			if !ok || depth > mostNested {
				i += 2
				continue
			}
			flush(i)
			p.addCode(b, found, depth)
			i += found.size
			start = i
		default:
			i++
		}
	}
	flush(len(s))
}

// addCode adds one code.
func (p *page) addCode(b *strings.Builder, c code, depth int) {
	switch c.letter {
	case 'B', 'I':
		var in strings.Builder
		p.addInline(&in, c.inner, depth+1)
		around := build.Emphasis
		if c.letter == 'B' {
			around = build.Strong
		}
		build.WrapRaw(b, in.String(), around)
	case 'C', 'F':
		var plain strings.Builder
		addPlain(&plain, c.inner, 0)
		b.WriteString(build.CodeInline(strings.TrimSpace(plain.String())))
		b.WriteString(build.LastMark(c.inner))
	case 'E':
		b.WriteString(build.TextInline(entity(c.inner)))
	case 'L':
		p.addLink(b, c.inner, depth)
	case 'X':
		var plain strings.Builder
		addPlain(&plain, c.inner, 0)
		p.w.AddMetadata(plain.String())
	case 'Z':
	default: // S and unknown ones
		p.addInline(b, c.inner, depth+1)
	}
}

// addPlain adds a text without its codes.
func addPlain(b *strings.Builder, s string, depth int) {
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == build.BreakMark || c == build.LineMark:
			end := strings.IndexByte(s[i+1:], c)
			if end < 0 {
				return
			}
			if c == build.BreakMark {
				b.WriteByte(' ')
			}
			i += end + 2
		case c >= 'A' && c <= 'Z' && i+1 < len(s) && s[i+1] == '<' && depth <= mostNested:
			found, ok := codeAt(s, i)
			if !ok {
				b.WriteByte(c)
				i++
				continue
			}
			switch found.letter {
			case 'E':
				b.WriteString(entity(found.inner))
			case 'X', 'Z':
			case 'L':
				text, page, section := linkOf(found.inner)
				addPlain(b, defaultText(text, page, section), depth+1)
			default:
				addPlain(b, found.inner, depth+1)
			}
			i += found.size
		default:
			b.WriteByte(c)
			i++
		}
	}
}

// entity is the character that a code names.
func entity(name string) string {
	switch name {
	case "sol":
		return "/"
	case "verbar":
		return "|"
	case "lchevron":
		return "«"
	case "rchevron":
		return "»"
	}
	if n, err := strconv.ParseInt(name, 0, 32); err == nil && n > 31 {
		return string(rune(n))
	}
	if text := html.UnescapeString("&" + name + ";"); text != "&"+name+";" {
		return text
	}
	return name
}

// linkOf cuts a link into its text, its page and its section.
func linkOf(s string) (text, page, section string) {
	if before, after, ok := strings.Cut(s, "|"); ok && !strings.HasPrefix(s, "http") {
		text, s = before, after
	}
	if strings.Contains(s, "://") || strings.HasPrefix(s, "mailto:") {
		return text, s, ""
	}
	if strings.HasPrefix(s, `"`) {
		return text, "", strings.Trim(s, `"`)
	}
	page, section, _ = strings.Cut(s, "/")
	return text, page, strings.Trim(section, `"`)
}

// defaultText is the text that a link shows.
func defaultText(text, page, section string) string {
	switch {
	case text != "":
		return text
	case section == "":
		return page
	case page == "":
		return section
	}
	return section + " in " + page
}

// addLink adds a link.
func (p *page) addLink(b *strings.Builder, s string, depth int) {
	text, page, section := linkOf(s)
	var in strings.Builder
	p.addInline(&in, defaultText(text, page, section), depth+1)
	var plain strings.Builder
	addPlain(&plain, section, 0)
	section = strings.Join(strings.Fields(plain.String()), " ")
	plain.Reset()
	addPlain(&plain, page, 0)
	page = strings.Join(strings.Fields(plain.String()), " ")
	to := ""
	switch {
	case strings.Contains(page, "://") || strings.HasPrefix(page, "mailto:"):
		to = page
	case page != "":
		if to = p.fileOf(page); to != "" && section != "" {
			to += "#" + plainID(section)
		}
	case section != "":
		to = "#" + plainID(section)
	}
	build.WrapRaw(b, in.String(), func(text string) string { return build.LinkInline(text, to) })
}
