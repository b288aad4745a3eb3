package dialect

import (
	"bytes"
	"fmt"
	"strings"

	"docent/store/doc"
)

// shapeAngle shapes a line that begins with "<". It returns i if the line is ordinary text.
func (s *shaper) shapeAngle(i int, line []byte, cols, n int) int {
	pos := s.lines[i] + n
	if bytes.HasPrefix(line[n:], []byte("<!--")) {
		return s.comment(i, pos, "-->", n)
	}
	t, _, used := s.scanWrapper(pos)
	if used == 0 {
		return i
	}
	c := ClassOf(t.Name)
	if t.Name == "CodeBlock" && !t.Closing && !t.Self {
		if j := (fences{s}).templateCode(i, pos+used, t); j > i {
			return j
		}
	}
	if c == WrapperTag {
		void := !t.Closing && !t.Self && !s.closers.closesAfter(t.Name, pos)
		if void && pos+used < s.lines[i+1] && !IsBlank(s.in[pos+used:s.lines[i+1]]) {
			return i // a placeholder in prose
		}
		if is, _ := Admonition(t.Name, ""); void && is {
			s.Warnings = append(s.Warnings, fmt.Sprintf("line %d: <%s> is not closed", i+1, t.Name))
		}
		return s.wrappers(i, pos, cols)
	}
	if alone := pos + used; c == InlineTag && s.blank && s.list < 0 && !t.Closing &&
		IsBlank(s.in[alone:s.lines[LineIn(s.lines, alone-1)+1]]) {
		// goldmark would read everything up to a blank line as HTML, with the tags of
		// wrappers.
		return s.opaque(i, s.htmlEnd(LineIn(s.lines, alone-1)), doc.HTML)
	}
	if c == InlineTag || s.list >= 0 && cols-s.strip >= s.list {
		return i // in a list item, goldmark keeps the item together
	}
	switch c {
	case HeadingTag:
		if j := s.htmlHeading(i, pos, used, t); j > i {
			return j
		}
	case TableTag, ListTag, PreTag:
		if t.Closing {
			break
		}
		if end := s.matchClose(t.Name, pos); end >= 0 {
			last := i
			for s.lines[last+1] <= end {
				last++
			}
			return s.opaque(i, last, opaqueKind(c, t.Name, s.in[pos:end]))
		}
	}
	kind := doc.HTML
	if strings.EqualFold(t.Name, "p") {
		kind = doc.Paragraph
	}
	return s.opaque(i, s.htmlEnd(i), kind)
}

func opaqueKind(c Class, name string, b []byte) doc.BlockKind {
	switch {
	case c == TableTag:
		return doc.Table
	case c == ListTag && strings.EqualFold(name, "ol") && bytes.Count(b, []byte("<li")) > 1:
		return doc.Procedure
	case c == ListTag:
		return doc.List
	case strings.EqualFold(name, "pre"):
		return doc.Code
	}
	return doc.HTML
}

// opaque replaces lines i to last by a rule in goldmark's input.
func (s *shaper) opaque(i, last int, kind doc.BlockKind) int {
	s.list = -1
	s.apart = true
	s.guard.reset()
	s.addMark(Mark{Line: i, Kind: MarkOpaque, Opaque: len(s.Opaques)})
	s.Opaques = append(s.Opaques, opaque{i, last, kind})
	s.emitParts(i, []byte("***"))
	for k := i + 1; k <= last; k++ {
		s.emitParts(k)
	}
	return last + 1
}

// htmlEnd is the last line of the block of HTML that begins on line i. It ends before a
// blank line or the clear beginning of another block.
func (s *shaper) htmlEnd(i int) int {
	for j := i + 1; j < len(s.lines)-1; j++ {
		line := s.lineAt(j)
		n := IndentBytes(line)
		if IsBlank(line) {
			return j - 1
		}
		switch line[n] {
		case '#':
			return j - 1
		case '`', '~':
			if _, run := fenceRun(line[n:]); run >= 3 {
				return j - 1
			}
		case '<':
			t, used := ScanTag(s.in[s.lines[j]+n : min(len(s.in), s.lines[j]+n+200)])
			if c := ClassOf(t.Name); used > 0 && (c != InlineTag && c != BlockTag || t.Name == "p" && !t.Closing) {
				return j - 1
			}
		}
	}
	return len(s.lines) - 2
}

// matchClose is the offset of the "<" of the tag that closes the one at pos, or -1.
func (s *shaper) matchClose(name string, pos int) int {
	if !s.closers.closesAfter(name, pos) {
		return -1
	}
	depth := 0
	for at := pos; ; at++ {
		n := bytes.IndexByte(s.in[at:], '<')
		if n < 0 {
			break
		}
		at += n
		b := s.in[at+1:]
		closing := len(b) > 0 && b[0] == '/'
		if closing {
			b = b[1:]
		}
		if len(b) <= len(name) || !bytes.EqualFold(b[:len(name)], []byte(name)) || IsNameByte(b[len(name)]) {
			continue
		}
		if !closing {
			depth++
		} else if depth--; depth <= 0 {
			return at
		}
	}
	s.closers.last[name] = -1 // the rest of the page has more openers than closers
	return -1
}

// htmlHeading takes <hN …>text</hN>, alone on at most five lines.
func (s *shaper) htmlHeading(i, pos, used int, t Tag) int {
	if t.Closing {
		return i
	}
	window := s.in[pos+used : min(len(s.in), pos+used+2048)]
	end := bytes.Index(window, []byte("</"+t.Name))
	if end < 0 {
		return i
	}
	_, n := ScanTag(window[end:])
	if n == 0 {
		return i
	}
	last := i
	for s.lines[last+1] < pos+used+end+n {
		last++
	}
	if last-i > 4 || !IsBlank(s.in[pos+used+end+n:s.lines[last+1]]) {
		return i
	}
	text := bytes.Join(bytes.Fields(window[:end]), []byte{' '})
	s.list = -1
	s.apart = true
	if id := t.Attribute("id", "name"); id != "" {
		s.addMark(Mark{Line: i, Kind: MarkAnchor, Anchor: id})
	}
	s.emitParts(i, []byte("######"[:t.Name[1]-'0']), []byte{' '}, text)
	for k := i + 1; k <= last; k++ {
		s.emitParts(k)
	}
	return last + 1
}

// comment takes a comment that begins line i and ends with end.
func (s *shaper) comment(i, pos int, end string, indent int) int {
	n := -1
	if s.closers.lastOf(end) > pos {
		n = bytes.Index(s.in[pos:], []byte(end))
	}
	if n < 0 {
		// Without its end the comment would hide the rest of the page from a search.
		s.Warnings = append(s.Warnings, fmt.Sprintf("line %d: a comment does not end", i+1))
		line := s.lineAt(i)
		s.keepLine(i, append(append(append([]byte{}, line[:indent]...), '\\'), line[indent:]...), true)
		return i + 1
	}
	stop := pos + n + len(end)
	last := i
	for s.lines[last+1] < stop {
		last++
	}
	for k := i; k < last; k++ {
		s.emitParts(k)
	}
	rest := bytes.TrimSpace(s.in[stop:s.lines[last+1]])
	if len(rest) == 0 {
		s.apart = true
		s.emitParts(last)
	} else {
		rest, _ = s.guard.guardLine(rest)
		s.emitParts(last, s.indent(), rest)
	}
	return last + 1
}

// lastOf is the offset of the last occurrence of a literal, or -1.
func (c *closers) lastOf(literal string) int {
	at, ok := c.last[literal]
	if !ok {
		at = bytes.LastIndex(c.in, []byte(literal))
		c.note(literal, at)
	}
	return at
}

// shapeCurly shapes a line that begins with "{": an MDX comment or a shortcode.
func (s *shaper) shapeCurly(i int, line []byte, cols, n int) int {
	pos := s.lines[i] + n
	if bytes.HasPrefix(line[n:], []byte("{/*")) {
		if s.closers.lastOf("*/}") < pos {
			return i
		}
		return s.comment(i, pos, "*/}", n)
	}
	if bytes.HasPrefix(line[n:], []byte("{%")) {
		return s.liquid(i, line, cols, n)
	}
	if !bytes.HasPrefix(line[n:], []byte("{{<")) && !bytes.HasPrefix(line[n:], []byte("{{%")) {
		return s.attributeLine(i, line[n:], cols)
	}
	t, used := ScanShortcode(s.in[pos:min(len(s.in), pos+MaxTag)])
	if used == 0 || t.Self {
		return i
	}
	if !t.Closing && rawShortcode(t.Name) {
		return s.rawShortcode(i, pos+used, t)
	}
	return s.wrappers(i, pos, cols)
}

// rawShortcode reports whether a shortcode's content is not Markdown.
func rawShortcode(name string) bool {
	switch name {
	case "highlight", "mermaid", "comment", "code":
		return true
	}
	return false
}

// rawShortcode shapes a shortcode with code or a comment in it, up to its closing tag:
// the shape has a fence instead.
func (s *shaper) rawShortcode(i, from int, t Tag) int {
	last := i
	key := "{{/" + t.Name // of closers: where the search for its end found none
	if _, none := s.closers.last[key]; none {
		last = len(s.lines) - 2
	}
	for last++; last < len(s.lines)-1; last++ {
		line := s.lineAt(last)
		k := bytes.Index(line, []byte("{{"))
		for k >= 0 {
			if c, used := ScanShortcode(line[k:]); used > 0 && c.Closing && c.Name == t.Name {
				break
			}
			next := bytes.Index(line[k+2:], []byte("{{"))
			if next < 0 {
				k = -1
				break
			}
			k += 2 + next
		}
		if k >= 0 {
			break
		}
	}
	if last == len(s.lines)-1 {
		s.closers.note(key, -1)
	}
	if last == len(s.lines)-1 || from < s.lines[i] || from > s.lines[i+1] {
		s.emitParts(i)
		return i + 1
	}
	fenceLine, indent := []byte("~~~~~~~~"), s.indent()
	if t.Name == "comment" {
		for k := i; k <= last; k++ {
			s.emitParts(k)
		}
		return last + 1
	}
	lang := t.Name
	if lang != "mermaid" {
		lang = t.Attribute("", "lang", "language")
	}
	s.emitParts(i, indent, fenceLine, []byte(lang))
	for k := i + 1; k < last; k++ {
		s.keepLine(k, s.lineAt(k), false)
	}
	s.emitParts(last, indent, fenceLine)
	return last + 1
}

// module shapes the lines of an MDX import or export that begins on line i.
func (s *shaper) module(i int, body []byte) int {
	if !isModule(body) {
		return i
	}
	depth, blank, template := 0, -1, false
	limit := 5000
	if s.closers.failed > 4 { // brackets that never close cost a scan each
		limit = 50
	}
	for j := i; j < len(s.lines)-1 && j < i+limit; j++ {
		line := bytes.TrimSpace(s.lineAt(j))
		if len(line) == 0 && blank < 0 {
			blank = j
		}
		depth, template = balance(line, depth, template)
		if depth <= 0 && !template && len(line) > 0 && !bytes.HasSuffix(line, []byte("=>")) && !bytes.HasSuffix(line, []byte("=")) {
			return s.blanks(i, j)
		}
	}
	s.closers.failed++
	if blank < 0 {
		blank = i + 1
	}
	return s.blanks(i, blank-1)
}

func (s *shaper) blanks(i, last int) int {
	for k := i; k <= last; k++ {
		s.emitParts(k)
	}
	return last + 1
}

// isModule reports whether a line that begins like an import or export is JavaScript, not
// prose.
func isModule(line []byte) bool {
	text := string(bytes.TrimSpace(line))
	if rest, ok := strings.CutPrefix(text, "import "); ok {
		rest = strings.TrimSpace(rest)
		if rest == "" {
			return false
		}
		return rest[0] == '"' || rest[0] == '\'' || strings.Contains(rest, ` from "`) || strings.Contains(rest, ` from '`) || rest == "{"
	}
	rest, ok := strings.CutPrefix(text, "export ")
	if !ok {
		return false
	}
	word, after, _ := strings.Cut(rest, " ")
	switch word {
	case "const", "let", "var":
		return strings.Contains(after, "=")
	case "function", "async":
		return strings.Contains(after, "(")
	case "default":
		return after != "" && !strings.Contains(strings.TrimSuffix(after, ";"), " ") || strings.HasPrefix(after, "function") ||
			strings.HasPrefix(after, "(") || strings.HasPrefix(after, "class ")
	case "class", "interface", "type", "enum":
		return strings.ContainsAny(after, "{=")
	case "*":
		return strings.HasPrefix(after, "from ")
	}
	return strings.HasPrefix(rest, "{")
}

// balance is opening minus closing brackets of a line of JavaScript, outside of strings.
func balance(line []byte, depth int, template bool) (int, bool) {
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case template:
			template = c != '`'
		case c == '`':
			template = true
		case c == '"' || c == '\'':
			if n := bytes.IndexByte(line[i+1:], c); n >= 0 {
				i += n + 1
			}
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		}
	}
	return depth, template
}
