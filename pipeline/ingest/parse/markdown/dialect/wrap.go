package dialect

import (
	"bytes"
	"slices"
	"strings"

	"docent/pipeline/text/spacing"
	"docent/store/doc"
)

// closers knows where a tag of a name closes for the last time.
type closers struct {
	in     []byte
	any    *int // the place of the last closing tag of any name, nil before it was sought
	last   map[string]int
	names  int // of last
	failed int // scans that found no end of a tag
}

// maxNames is the most names of tags whose last closing tag is sought: each costs a look
// at the page.
const maxNames = 500

// closesAfter reports whether a tag of this name closes after offset pos.
func (c *closers) closesAfter(name string, pos int) bool {
	at, ok := c.last[name]
	if !ok {
		if c.any == nil {
			last := bytes.LastIndex(c.in, []byte("</"))
			c.any = &last
		}
		at = -1
		if c.names++; c.names <= maxNames && *c.any > pos {
			at = bytes.LastIndex(c.in, []byte("</"+name))
		}
		c.note(name, at)
	}
	return at > pos
}

func (c *closers) note(name string, at int) {
	if c.last == nil {
		c.last = make(map[string]int)
	}
	c.last[name] = at
}

// scanWrapper reads the tag or the kept shortcode at offset pos; frame is the
// name that its frame has.
func (s *shaper) scanWrapper(pos int) (t Tag, frame string, used int) {
	end := min(len(s.in), pos+MaxTag)
	if s.closers.failed > 200 { // thousands of tags that never end
		end = min(end, pos+200)
	}
	window := s.in[pos:end]
	if len(window) > 2 && window[0] == '{' {
		t, used = ScanShortcode(window)
		return t, "{{" + t.Name, used
	}
	if t, used = ScanTag(window); used == 0 {
		s.closers.failed++
	}
	return t, t.Name, used
}

// wrappers takes the tags of wrappers that begin line first at offset pos, and
// the line they end on.
func (s *shaper) wrappers(first, pos, cols int) int {
	if s.list >= 0 && cols-s.strip < s.list && !s.closesFrame(pos) {
		s.list = -1
	}
	i := first
	var title []string
	opened, depth := false, len(s.frames)
	list := s.list
	for {
		pos += IndentBytes(s.in[pos:])
		if pos >= len(s.in) || s.in[pos] != '<' && s.in[pos] != '{' {
			break
		}
		t, name, used := s.scanWrapper(pos)
		if used == 0 || name == t.Name && ClassOf(t.Name) != WrapperTag {
			break
		}
		if name != t.Name && !t.Closing && rawShortcode(t.Name) {
			break
		}
		for s.lines[i+1] < pos+used {
			i++
		}
		switch {
		case t.Closing:
			if s.popFrame(name, i) && len(title) == 0 && !opened {
				list = s.list // the tags' line stands where the wrapper does
			}
		case t.Self || name == t.Name && !s.closers.closesAfter(name, pos):
			title = append(title, linkTitle(t))
		default:
			title = append(title, linkTitle(t)) // a card is a link with text in it
			s.push(name, t, first, i, cols)
			opened = true
		}
		pos += used
	}
	for k := first; k < i; k++ {
		s.emitParts(k)
	}
	rest := bytes.TrimSuffix(s.in[pos:s.lines[i+1]], []byte{'\n'})
	if !IsBlank(rest) {
		rest, _ = s.closeIn(i, rest)
	}
	words := spacing.Single(strings.Join(title, " "))
	// Text on the tags' own line has their place.
	inner := s.list
	s.list = list
	switch {
	case IsBlank(rest):
		s.titleLine(i, words)
	case opened && len(s.frames) <= depth: // and closed again
		s.titleLine(i, words+" "+string(rest))
	default:
		rest, _ = s.guard.guardLine(bytes.TrimLeft(rest, " \t"))
		if words != "" {
			words += " "
		}
		s.emitParts(i, s.indent(), []byte(words), rest)
	}
	s.list = inner
	return i + 1
}

// linkTitle is the title of a tag, as a link if it is one.
func linkTitle(t Tag) string {
	title := TitleOf(t)
	if href := t.Attribute("href", "to"); title != "" && href != "" && !strings.ContainsAny(title, "[]") &&
		!strings.ContainsAny(href, " ()<>\t\n") {
		return "[" + title + "](" + href + ")"
	}
	return title
}

// push opens the frame of a tag that begins on line first and ends on line i.
func (s *shaper) push(name string, t Tag, first, i, cols int) {
	f := frame{name: name, line: first, list: s.list, indent: -1, jsx: name != "" && name[0] >= 'A' && name[0] <= 'Z'}
	if is, warns := Admonition(t.Name, t.Attribute("type", "color", "variant", "severity")+t.Attribute("intent")); is {
		f.kind, f.warning = doc.Admonition, warns
		f.warning = warns || WarningWord(strings.ToLower(t.Attribute("title")))
	}
	if t.Name == "Steps" {
		f.kind = doc.Procedure
	}
	s.pushFrame(f, i, cols)
}

func (s *shaper) pushFrame(f frame, i, cols int) {
	if len(s.frames) >= maxFrames {
		return
	}
	f.strip = s.contentStrip(i+1, cols)
	s.frames = append(s.frames, f)
	s.strip = f.strip
}

// contentStrip is the number of columns to take off the lines of a wrapper
// whose tag stands at column cols and whose content begins at or after line i.
func (s *shaper) contentStrip(i, cols int) int {
	for ; i < len(s.lines)-1; i++ {
		line := s.lineAt(i)
		if IsBlank(line) {
			continue
		}
		c, _ := IndentOf(line)
		switch {
		case s.list >= 0:
			return max(s.strip, c-s.list)
		case c > cols+8:
			return cols
		}
		return c
	}
	return s.strip
}

// popFrame closes the innermost frame of this name, and those in it, on line i.
func (s *shaper) popFrame(name string, i int) bool {
	for k := len(s.frames) - 1; k >= 0; k-- {
		f := s.frames[k]
		if f.name != name {
			continue
		}
		if f.kind != "" {
			s.Regions = append(s.Regions, Region{f.line, i, f.kind, f.warning})
		}
		s.frames = s.frames[:k]
		s.list = f.list
		s.restrip()
		return true
	}
	return false
}

// closesFrame reports whether the tag at offset pos closes an open frame. Such a
// tag stands left of the content, which does not mean that a list ends.
func (s *shaper) closesFrame(pos int) bool {
	t, name, _ := s.scanWrapper(pos)
	if !t.Closing {
		return false
	}
	for _, f := range s.frames {
		if f.name == name {
			return true
		}
	}
	return false
}

// closeIn takes the closing tags of open frames out of a line.
func (s *shaper) closeIn(i int, line []byte) (rest []byte, popped bool) {
	for from := 0; from < len(line); {
		n := bytes.IndexAny(line[from:], "<{")
		if n < 0 {
			break
		}
		at := from + n
		from = at + 1
		var t Tag
		var used int
		var name string
		switch {
		case bytes.HasPrefix(line[at:], []byte("</")):
			t, used = ScanTag(line[at:])
			name = t.Name
		case bytes.HasPrefix(line[at:], []byte("{{")):
			t, used = ScanShortcode(line[at:])
			name = "{{" + t.Name
		}
		if used == 0 || !t.Closing || bytes.Count(line[:at], []byte{'`'})%2 == 1 || !s.popFrame(name, i) {
			continue
		}
		popped = true
		line = append(append([]byte{}, line[:at]...), line[at+used:]...)
		from = at
	}
	return line, popped
}

// fences shapes the containers of colons.
type fences struct{ *shaper }

// colons takes a line of a ":::" container; body begins with ":".
func (s fences) colons(i int, body []byte, cols int) int {
	n := 0
	for n < len(body) && body[n] == ':' {
		n++
	}
	if n < 3 {
		return i
	}
	run := string(body[:n])
	rest := bytes.TrimSpace(body[n:])
	if len(rest) == 0 {
		if !s.popFrame(s.container(run), i) {
			return i
		}
		if s.closesTwo(i+1, run) {
			s.popFrame(run, i)
		}
		s.breakLine(i)
		return i + 1
	}
	list, last := rest, i
	if rest[0] == '{' {
		list, last = asides(s).listOver(i, rest)
	}
	if a, used := divAttributes(list); used {
		return s.pandocDiv(i, last, a, cols)
	}
	name, title := containerHead(rest)
	if name == "" {
		return i
	}
	if s.list >= 0 && cols-s.strip < s.list {
		s.list = -1
	}
	f := frame{name: run, line: i, list: s.list, indent: -1}
	if name == tabset {
		f.tabs = -1
	}
	if is, warns := Admonition(strings.TrimPrefix(name, "callout-"), ""); is { // Quarto's may stand without braces
		f.kind, f.warning = doc.Admonition, warns
	}
	s.titleLine(i, title)
	s.pushFrame(f, i, cols)
	return i + 1
}

// mostAhead is how many lines behind the end of a container are looked at for the end of the one around it.
const mostAhead = 3000

// mostLooks is how many lines are looked at so on one page.
const mostLooks = 300_000

// closesTwo reports whether the line before a line also ends the container around the one that it
// ended: that has as many colons, and no line of its own ends it. VitePress closes the outer one by the
// first such line and the inner one with it; others have one for each.
func (s fences) closesTwo(from int, run string) bool {
	open := 0
	for _, f := range s.frames {
		if f.name == run {
			open++
		}
	}
	if open == 0 {
		return false
	}
	last := min(len(s.lines)-1, from+mostAhead, from+max(0, mostLooks-s.looks))
	for i := from; i < last; i++ {
		s.looks++
		rest, ok := bytes.CutPrefix(bytes.TrimSpace(s.in[s.lines[i]:s.lines[i+1]]), []byte(run))
		switch {
		case !ok || len(rest) > 0 && rest[0] == ':':
		case len(rest) > 0:
			open++
		default:
			if open--; open == 0 {
				return false
			}
		}
	}
	return last == len(s.lines)-1
}

// pandocDiv is the name of the frame of a div of Pandoc.
const pandocDiv = ":::{"

// container is the name of the frame that a line of colons closes: the innermost one, if it
// is a div of Pandoc, which any number of colons closes.
func (s fences) container(run string) string {
	for k := len(s.frames) - 1; k >= 0; k-- {
		if name := s.frames[k].name; strings.HasPrefix(name, ":::") {
			if name == pandocDiv {
				return name
			}
			break
		}
	}
	return run
}

// divAttributes reads what follows the colons of a div of Pandoc, as in Quarto and
// bookdown: {.callout-note title="Mind it"}.
func divAttributes(rest []byte) (a attributes, is bool) {
	rest = bytes.TrimRight(rest, ": \t")
	if string(rest) == "{}" {
		return a, true
	}
	a, n := scanAttributes(rest)
	return a, n > 0 && n == len(rest)
}

// pandocDiv opens a div of Pandoc whose list of attributes ends on line last. The heading of a theorem
// is its name.
func (s fences) pandocDiv(i, last int, a attributes, cols int) int {
	if s.list >= 0 && cols-s.strip < s.list {
		s.list = -1
	}
	f := frame{name: pandocDiv, line: i, list: s.list, indent: -1}
	if slices.Contains(a.words, tabset) {
		f.tabs = -1
	}
	if is, warns := a.admonition(); is {
		f.kind, f.warning = doc.Admonition, warns
	}
	s.titleLine(i, a.values.Attribute("title", "name"))
	for k := i + 1; k <= last; k++ {
		s.emitParts(k)
	}
	s.pushFrame(f, last, cols)
	return last + 1
}

// tabset is the class of a set of tabs of Quarto.
const tabset = "panel-tabset"

// isTab reports whether a heading of a level is the title of a tab: the first headings in a set
// of tabs are.
func (s fences) isTab(level int) bool {
	if len(s.frames) == 0 {
		return false
	}
	f := &s.frames[len(s.frames)-1]
	if f.tabs < 0 {
		f.tabs = level
	}
	return f.tabs == level
}

// containerHead reads `note Title`, `note[Title]`, `{note} Title` and
// `note{.class}`.
func containerHead(b []byte) (name, title string) {
	braced := b[0] == '{'
	if braced {
		b = b[1:]
	}
	n := 0
	for n < len(b) && (IsLetter(b[n]) || n > 0 && (b[n] == '-' || IsDigit(b[n]))) {
		n++
	}
	name, b = string(b[:n]), b[n:]
	if braced {
		if len(b) == 0 || b[0] != '}' {
			return "", ""
		}
		b = b[1:]
	}
	if len(b) > 0 && b[0] != ' ' && b[0] != '[' && b[0] != '{' {
		return "", ""
	}
	if k := bytes.IndexByte(b, '{'); k >= 0 {
		b = b[:k]
	}
	b = bytes.TrimSpace(b)
	if len(b) > 1 && b[0] == '[' && b[len(b)-1] == ']' {
		b = b[1 : len(b)-1]
	}
	return name, string(b)
}
