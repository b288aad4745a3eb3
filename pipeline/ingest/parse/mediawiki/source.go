package mediawiki

import (
	"html"
	"strconv"
	"strings"
	"unicode"

	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/pattern"
	"docent/pipeline/text/spacing"
)

// partSign begins and ends the number of a part in a text.
const partSign = '\x02'

// part is markup for which one character stands in the text.
type part struct {
	kind  byte   // '<' for a tag, '{' for a template, '[' for a link
	tag   string // in lower case
	attrs string
	body  string // of a tag of raw text as it is, of others with the parts in it
	at    int    // the line on which it begins
	from  int    // the line on which the body begins
}

// markup are the parts of a page, by their numbers in its text.
type markup struct{ parts []part }

// mostParts is how many parts of a page are known; what follows stays as it is.
const mostParts = 200_000

func decimal(n int) string { return strconv.Itoa(n) }

// rawTags are the tags whose content is no wikitext.
var rawTags = spacing.WordSet("nowiki pre source syntaxhighlight math chem ce score timeline templatedata " +
	"templatestyles graph mapframe maplink " +
	"includeonly hiero")

// wikiTags are the tags whose content is wikitext and stands elsewhere, or looks different.
var wikiTags = spacing.WordSet("ref gallery poem")

// reader takes the parts out of a source in one pass.
type reader struct {
	p     *page
	src   string
	lower string // src in lower case
	at    int
	line  int
	out   []byte
	open  []opened
	lacks map[string]bool // tags that are not closed behind this place
}

// opened is a template, a link or a tag of wikitext that is not closed yet.
type opened struct {
	kind  byte
	tag   string
	attrs string
	start int // in out
	line  int
}

// readParts replaces line breaks by marks and parts by their numbers, and takes out comments.
func (p *page) readParts(src string) string {
	src = strings.Map(func(r rune) rune {
		if r == '\uFEFF' || r != '\n' && r != '\t' && unicode.IsControl(r) {
			return -1
		}
		return r
	}, strings.ReplaceAll(src, "\r\n", "\n"))
	r := &reader{p: p, src: src, lower: strings.ToLower(src), line: 1, lacks: map[string]bool{}}
	if len(r.lower) != len(src) { // a letter whose other case has another length
		r.lower = asciiLower(src)
	}
	for r.at < len(src) {
		r.readNext()
	}
	return string(r.out)
}

func asciiLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// readNext reads one character or one part.
func (r *reader) readNext() {
	rest := r.src[r.at:]
	switch rest[0] {
	case '\n':
		r.breakLine()
	case '<':
		if !r.readComment(rest) && !r.readTag(rest) {
			r.copyBytes(1)
		}
	case '{', '[':
		if len(rest) > 1 && rest[1] == rest[0] && len(r.open) < 1000 {
			r.open = append(r.open, opened{kind: rest[0], start: len(r.out), line: r.line})
			r.copyBytes(2)
			return
		}
		r.copyBytes(1)
	case '}', ']':
		if len(rest) > 1 && rest[1] == rest[0] {
			r.close(rest[0] - 2)
			return
		}
		r.copyBytes(1)
	default:
		n := strings.IndexAny(rest, "\n<{[}]")
		if n < 0 {
			n = len(rest)
		}
		r.copyBytes(n)
	}
}

func (r *reader) copyBytes(n int) {
	r.out = append(r.out, r.src[r.at:r.at+n]...)
	r.at += n
}

// breakLine writes a mark. A link does not go on behind an empty line.
func (r *reader) breakLine() {
	r.at++
	r.line++
	r.out = appendMark(r.out, r.line)
	if r.at < len(r.src) && r.src[r.at] == '\n' {
		for n := len(r.open); n > 0 && r.open[n-1].kind == '['; n-- {
			r.open = r.open[:n-1]
		}
	}
}

func appendMark(out []byte, line int) []byte {
	out = append(out, build.BreakMark)
	out = strconv.AppendInt(out, int64(line), 10)
	return append(out, build.BreakMark)
}

// readComment passes a comment, with its line where nothing else is on it. One without an
// end is taken to end with its line.
func (r *reader) readComment(rest string) bool {
	if !strings.HasPrefix(rest, "<!--") {
		return false
	}
	end := -1
	if !r.lacks["-->"] {
		end = strings.Index(rest, "-->")
		r.lacks["-->"] = end < 0
	}
	if end < 0 {
		if end = strings.IndexByte(rest, '\n'); end < 0 {
			end = len(rest)
		}
		r.at += end
		return true
	}
	end += 3
	alone := endsWithMark(r.out)
	r.line += strings.Count(rest[:end], "\n")
	r.at += end
	if after := strings.TrimLeft(r.src[r.at:], " \t"); alone && strings.HasPrefix(after, "\n") {
		r.at = len(r.src) - len(after) + 1
		r.line++
		r.out = appendMark(r.out[:lastMark(r.out)], r.line) // the line that follows takes the place of this one
	}
	return true
}

// endsWithMark reports whether nothing but blanks stands behind the last mark.
func endsWithMark(out []byte) bool {
	for i := len(out) - 1; i >= 0; i-- {
		if out[i] != ' ' && out[i] != '\t' {
			return out[i] == build.BreakMark
		}
	}
	return true
}

// lastMark is the place of the mark at the end of a text.
func lastMark(out []byte) int {
	i := len(out) - 1
	for i >= 0 && out[i] != build.BreakMark {
		i--
	}
	for i--; i >= 0 && out[i] != build.BreakMark; i-- {
	}
	return max(0, i)
}

var tagStart = pattern.Lazy(`^<(/?)([A-Za-z][A-Za-z0-9]*)((?:\s[^<>]*)?)(/?)>`)

// readTag reads a tag whose content is a part.
func (r *reader) readTag(rest string) bool {
	m := tagStart().FindStringSubmatch(rest[:min(len(rest), 2100)])
	if m == nil {
		return false
	}
	tag, attrs := strings.ToLower(m[2]), m[3]
	if strings.HasSuffix(attrs, "/") {
		attrs, m[4] = attrs[:len(attrs)-1], "/"
	}
	if !rawTags[tag] && !wikiTags[tag] {
		return false
	}
	if m[1] == "/" {
		if !wikiTags[tag] {
			return false
		}
		return r.closeTag(tag, len(m[0]))
	}
	begin, from := r.line, r.line+strings.Count(m[0], "\n")
	if m[4] == "/" {
		r.at += len(m[0])
		r.line = from
		r.addPart(part{kind: '<', tag: tag, attrs: attrs, at: begin, from: from})
		return true
	}
	if wikiTags[tag] {
		r.open = append(r.open, opened{kind: '<', tag: tag, attrs: attrs, start: len(r.out), line: from})
		r.at += len(m[0])
		r.line = from
		return true
	}
	end := -1
	if !r.lacks[tag] {
		end = strings.Index(r.lower[r.at+len(m[0]):], "</"+tag)
		r.lacks[tag] = end < 0
	}
	if end < 0 {
		return false
	}
	body := rest[len(m[0]) : len(m[0])+end]
	r.at += len(m[0]) + end
	r.line = from + strings.Count(body, "\n")
	if stop := strings.IndexByte(r.src[r.at:], '>'); stop >= 0 && stop < 100 {
		r.line += strings.Count(r.src[r.at:r.at+stop], "\n")
		r.at += stop + 1
	} else {
		r.at += 2 + len(tag)
	}
	if tag != "includeonly" && tag != "templatedata" && tag != "templatestyles" {
		r.addPart(part{kind: '<', tag: tag, attrs: attrs, body: body, at: begin, from: from})
	}
	return true
}

// addPart adds a part to the text.
func (r *reader) addPart(e part) {
	r.out = append(r.out, partSign)
	r.out = strconv.AppendInt(r.out, int64(len(r.p.parts)), 10)
	r.out = append(r.out, partSign)
	if r.line != e.at {
		r.out = append(r.out, build.LineMark)
		r.out = strconv.AppendInt(r.out, int64(r.line), 10)
		r.out = append(r.out, build.LineMark)
	}
	r.p.parts = append(r.p.parts, e)
}

// close closes a template or a link; without an opening one the signs are text.
func (r *reader) close(kind byte) {
	n := len(r.open) - 1
	for n >= 0 && r.open[n].kind == '[' && kind == '{' {
		n--
	}
	if n < 0 || r.open[n].kind != kind || len(r.p.parts) >= mostParts {
		r.copyBytes(2)
		return
	}
	o := r.open[n]
	r.open = r.open[:n]
	body := string(r.out[o.start+2:])
	if head, _, _ := strings.Cut(body, "|"); !isName(head, kind) {
		r.copyBytes(2)
		return
	}
	r.out = r.out[:o.start]
	if r.at += 2; kind == '{' && strings.HasPrefix(body, "{") && strings.HasPrefix(r.src[r.at:], "}") {
		r.at++ // a parameter
	}
	r.addPart(part{kind: kind, body: body, at: o.line, from: o.line})
}

// isName reports whether a text can be the name of a template or a page.
func isName(s string, kind byte) bool {
	if kind == '[' {
		return !strings.Contains(s, string(build.BreakMark))
	}
	if strings.HasPrefix(strings.TrimSpace(s), "#") {
		return true // a function, whose first argument follows
	}
	marks := strings.Count(strings.TrimSpace(strings.Trim(s, "0123456789\x00 \t")), string(build.BreakMark))
	return marks == 0 && len(s) < 300 && !strings.Contains(s, "]]")
}

// closeTag closes a tag of wikitext.
func (r *reader) closeTag(tag string, size int) bool {
	for n := len(r.open) - 1; n >= 0; n-- {
		o := r.open[n]
		if o.kind == '<' && o.tag == tag && len(r.p.parts) < mostParts {
			r.open = r.open[:n]
			body := string(r.out[o.start:])
			r.out = r.out[:o.start]
			r.at += size
			r.addPart(part{kind: '<', tag: tag, attrs: o.attrs, body: body, at: o.line, from: o.line})
			return true
		}
		if o.kind == '<' {
			break
		}
	}
	return false
}

// splitLines cuts a text at its marks; its first line is first.
func splitLines(text string, first int) []line {
	var lines []line
	at := first
	for {
		i := strings.IndexByte(text, build.BreakMark)
		if i < 0 {
			return append(lines, line{text, at})
		}
		lines = append(lines, line{text[:i], at})
		n := strings.IndexByte(text[i+1:], build.BreakMark)
		if n < 0 {
			return lines
		}
		at, _ = strconv.Atoi(text[i+1 : i+1+n])
		text = text[i+n+2:]
	}
}

// partAt is the part at the beginning of a text, and the length of its number there; nil
// without one.
func (u *markup) partAt(s string) (*part, int) {
	if len(s) < 3 || s[0] != partSign {
		return nil, 0
	}
	end := strings.IndexByte(s[1:min(len(s), 12)], partSign)
	if end < 0 {
		return nil, 0
	}
	n, err := strconv.Atoi(s[1 : 1+end])
	if err != nil || n >= len(u.parts) {
		return nil, 0
	}
	return &u.parts[n], end + 2
}

// plain is a text without markup, on one line.
func (u *markup) plain(s string) string {
	var b strings.Builder
	u.addPlain(&b, s, 0)
	return strings.Join(strings.Fields(html.UnescapeString(b.String())), " ")
}

func (u *markup) addPlain(b *strings.Builder, s string, depth int) {
	for len(s) > 0 {
		switch s[0] {
		case build.BreakMark, build.LineMark:
			end := strings.IndexByte(s[1:], s[0])
			if end < 0 {
				return
			}
			if s[0] == build.BreakMark {
				b.WriteByte(' ')
			}
			s = s[end+2:]
		case partSign:
			e, n := u.partAt(s)
			if n == 0 {
				s = s[1:]
				continue
			}
			s = s[n:]
			if depth < mostNested {
				u.addPlainPart(b, e, depth)
			}
		case '<':
			if m := tagStart().FindString(s[:min(len(s), 2100)]); m != "" && htmlTags[tagName(m)] {
				s = s[len(m):]
				continue
			}
			b.WriteByte('<')
			s = s[1:]
		default:
			n := strings.IndexAny(s, "\x00\x01\x02<")
			if n <= 0 {
				n = len(s)
			}
			b.WriteString(strings.ReplaceAll(strings.ReplaceAll(s[:n], "'''", ""), "''", ""))
			s = s[n:]
		}
	}
}

func (u *markup) addPlainPart(b *strings.Builder, e *part, depth int) {
	switch {
	case e.kind == '[':
		target, shown := linkOf(e.body)
		if shown == "" {
			shown = target
		}
		u.addPlain(b, shown, depth+1)
	case e.kind == '{':
		name, args := u.templateOf(e.body)
		if sign, ok := constants[strings.ToLower(name)]; ok {
			b.WriteString(sign)
			return
		}
		if hidden[strings.ToLower(name)] {
			return
		}
		for i, a := range args {
			if i > 0 {
				b.WriteByte(' ')
			}
			u.addPlain(b, a.value, depth+1)
		}
	case e.tag == "ref":
	default:
		b.WriteString(e.body)
	}
}

// tagName is the name of a tag, in lower case.
func tagName(tag string) string {
	tag = strings.TrimLeft(tag, "</")
	n := 0
	for n < len(tag) && (tag[n]|0x20 >= 'a' && tag[n]|0x20 <= 'z' || tag[n] >= '0' && tag[n] <= '9') {
		n++
	}
	return strings.ToLower(tag[:n])
}
