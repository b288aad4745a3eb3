package dialect

import (
	"bytes"
	"strings"

	"docent/store/doc"
)

// attributes is a list of attributes in braces, {#name .class key="value"}, as kramdown,
// Pandoc and MkDocs have it behind or around what it describes.
type attributes struct {
	id     string
	words  []string // classes, and the names of lists of kramdown
	values Tag
}

// The longest list of attributes, in bytes, and the most lines of a paragraph that one
// describes.
const (
	mostAttributes = 2 << 10
	mostDescribed  = 100
)

// scanAttributes reads the list of attributes at b[0] and its length, 0 for anything else.
// Names alone are attributes only behind a colon, {: note}: {ref} and {name} are not.
func scanAttributes(b []byte) (a attributes, n int) {
	b = b[:min(len(b), mostAttributes)]
	if len(b) < 3 || b[0] != '{' {
		return a, 0
	}
	colon := b[1] == ':'
	i := 1
	if colon {
		i = 2
	}
	for found := false; ; found = true {
		i += IndentBytes(b[i:])
		switch {
		case i >= len(b) || b[i] == '\n':
			return a, 0
		case b[i] == '}':
			if !found {
				return a, 0
			}
			return a, i + 1
		case b[i] == '#' || b[i] == '.':
			size := nameBytes(b[i+1:])
			if size == 0 {
				return a, 0
			}
			if name := string(b[i+1 : i+1+size]); b[i] == '.' {
				a.words = append(a.words, name)
			} else if a.id == "" {
				a.id = name
			}
			i += 1 + size
		case b[i] == '-' && i+1 < len(b) && (b[i+1] == '}' || b[i+1] == ' ' || b[i+1] == '#'):
			i++ // no number, in Pandoc
		default:
			size := a.scanValue(b[i:], colon)
			if size == 0 {
				return a, 0
			}
			i += size
		}
	}
}

// scanValue reads key=value or, behind a colon, a name alone.
func (a *attributes) scanValue(b []byte, colon bool) int {
	size := 0
	for size < len(b) && (IsNameByte(b[size]) || b[size] == '_') {
		size++
	}
	if size > 0 && size < len(b) && b[size] == '=' {
		i := size + 1
		if i < len(b) && (b[i] == '"' || b[i] == '\'') {
			value, n := quotedValue(b[i:])
			if n == 0 {
				return 0
			}
			a.addPair(string(b[:size]), value)
			return i + n
		}
		n := nameBytes(b[i:])
		a.addPair(string(b[:size]), string(b[i:i+n]))
		return i + n
	}
	name := strings.TrimSuffix(string(b[:size]), ":")
	switch {
	case !colon || size == 0 || size < len(b) && b[size] != ' ' && b[size] != '}':
		return 0
	case name == "else" || name == "then" || name == "catch": // blocks of Svelte
		return 0
	}
	a.words = append(a.words, name)
	return size
}

// quotedValue reads a value in quotes, in which a backslash escapes them, and its length with them,
// 0 where it has no end.
func quotedValue(b []byte) (value string, n int) {
	var out []byte
	for i := 1; i < len(b); i++ {
		switch c := b[i]; {
		case c == b[0]:
			return string(out), i + 1
		case c == '\\' && i+1 < len(b) && (b[i+1] == b[0] || b[i+1] == '\\'):
			i++
			out = append(out, b[i])
		default:
			out = append(out, c)
		}
	}
	return "", 0
}

func (a *attributes) addPair(key, value string) {
	if key == "id" && a.id == "" {
		a.id = value
	}
	a.values.Attrs = append(a.values.Attrs, Attribute{key, value})
}

// nameBytes is the length of a name or of a value without quotes.
func nameBytes(b []byte) int {
	if n := bytes.IndexAny(b, " \t\n{}\"'"); n >= 0 {
		return n
	}
	return len(b)
}

// admonition reports whether a class is that of an admonition: "note", "callout-note".
func (a attributes) admonition() (is, warns bool) {
	for _, w := range a.words {
		for _, affix := range [...]string{"callout-", "admonition-"} {
			w = strings.TrimPrefix(w, affix)
		}
		if is, warns = Admonition(strings.TrimSuffix(w, "-title"), ""); is {
			return is, warns
		}
	}
	return false, false
}

// withoutAttributes takes the lists of attributes off a line: those behind links, images,
// code, emphasis, spans and icons, and one that is all there is behind the sign of a quote.
// What describes an image for those who do not see it stays. It leaves code as it is.
func withoutAttributes(line []byte) (rest []byte, changed bool) {
	if bytes.IndexByte(line, '{') < 0 {
		return line, false
	}
	var out []byte
	from := 0 // of the bytes that are not in out yet
	for i := 0; i < len(line); {
		switch line[i] {
		case '\\':
			i += 2
			continue
		case '`':
			i += codeBytes(line[i:])
			continue
		case '{':
		default:
			i++
			continue
		}
		a, n := scanAttributes(line[i:])
		if n == 0 || !describes(line[:i], line[i:], n) {
			i++
			continue
		}
		out = append(out, line[from:i]...)
		if line[i+1] != ':' {
			out = withoutBrackets(out)
		}
		if alt := a.values.Attribute("fig-alt", "alt", "fig-cap"); alt != "" {
			out = append(append(out, ' '), alt...)
		}
		i += n
		from = i
	}
	if from == 0 {
		return line, false
	}
	return append(out, line[min(from, len(line)):]...), true
}

// mostAttributeLines is how many lines a list of attributes may have.
const mostAttributeLines = 12

// listOver joins the list of attributes that begins in line i with the lines that it goes on in, and
// gives the last of them; i itself where it ends there or has no end.
func (s asides) listOver(i int, list []byte) (whole []byte, last int) {
	if _, n := scanAttributes(list); n > 0 {
		return list, i
	}
	whole = bytes.Clone(list)
	for k := i + 1; k < len(s.lines)-1 && k-i < mostAttributeLines && !IsBlank(s.lineAt(k)); k++ {
		whole = append(append(whole, ' '), bytes.TrimSpace(s.lineAt(k))...)
		if _, n := scanAttributes(whole); n > 0 {
			return whole, k
		}
	}
	return list, i
}

// longList takes a line that ends within the list of attributes of an image, a link, emphasis, code or
// a span. The list goes with its other lines.
func (s asides) longList(i int, line []byte) int {
	open := bytes.LastIndexByte(line, '{')
	if open <= 0 || bytes.IndexByte(line[open:], '}') >= 0 || IsBlank(line[:open]) || open+1 >= len(line) ||
		!describes(line[:open], line[open:], len(line)-open) {
		return i
	}
	list, last := s.listOver(i, line[open:])
	if last == i {
		return i
	}
	plain, _ := withoutAttributes(append(bytes.Clone(line[:open]), list...))
	s.writePlain(i, plain, true)
	for i++; i <= last; i++ {
		s.emitParts(i)
	}
	s.blank, s.apart = true, true
	return i
}

// codeBytes is the length of the inline code at b[0], or of its signs where it has no end.
func codeBytes(b []byte) int {
	ticks := len(b) - len(bytes.TrimLeft(b, "`"))
	if end := bytes.Index(b[ticks:], b[:ticks]); end >= 0 {
		return ticks + end + ticks
	}
	return ticks
}

// describes reports whether the list of attributes of n bytes at the beginning of after
// belongs to the text before it. Behind "_" it may be an index of a formula, x_{k=1}.
func describes(before, after []byte, n int) bool {
	if len(before) == 0 {
		return false
	}
	switch last := before[len(before)-1]; last {
	case ')', ']', '`':
		return true
	case '*', '_':
		return after[1] == ':'
	case ':':
		name := before[:len(before)-1]
		at := bytes.LastIndexByte(name, ':')
		return at >= 0 && at < len(name)-1 && bytes.IndexByte(name[at:], ' ') < 0
	}
	return IsBlank(after[n:]) && len(bytes.Trim(before, "> \t")) == 0 && bytes.IndexByte(before, '>') >= 0
}

// withoutBrackets takes the brackets off a span of Pandoc, [text]{.class}, that is not a
// link.
func withoutBrackets(b []byte) []byte {
	if len(b) == 0 || b[len(b)-1] != ']' {
		return b
	}
	depth := 0
	for i := len(b) - 1; i >= 0; i-- {
		switch b[i] {
		case ']':
			depth++
		case '[':
			if depth--; depth > 0 {
				continue
			}
			if i > 0 && (b[i-1] == ']' || b[i-1] == '!') {
				return b
			}
			return append(b[:i], b[i+1:len(b)-1]...)
		}
	}
	return b
}

// attributeLine takes a line that is a list of attributes and nothing else. Where its class
// is that of an admonition, the paragraph or quote next to it is one: in kramdown a list
// stands before or behind the text that it describes.
func (s *shaper) attributeLine(i int, body []byte, cols int) int {
	body, end := asides{s}.listOver(i, body)
	a, n := scanAttributes(body)
	if n == 0 || !IsBlank(body[n:]) || cols-s.strip-max(s.list, 0) >= 4 {
		return i
	}
	s.apart = true
	s.emitParts(i, []byte(a.values.Attribute("fig-alt", "fig-cap")))
	headings{s}.nameHeading(i, a.id)
	if is, warns := a.admonition(); is && s.list < 0 {
		first, last := i, end
		if i > 0 && isProse(s.lineAt(i-1)) {
			for first > 0 && i-first < mostDescribed && isProse(s.lineAt(first-1)) {
				first--
			}
		} else {
			for last < len(s.lines)-2 && last-i < mostDescribed && isProse(s.lineAt(last+1)) {
				last++
			}
		}
		if first < i || last > end {
			s.Regions = append(s.Regions, Region{first, last, doc.Admonition, warns})
		}
	}
	for k := i + 1; k <= end; k++ {
		s.emitParts(k)
	}
	return end + 1
}

// nameHeading gives the heading before line i the id of a list of attributes below it, as kramdown does.
func (s headings) nameHeading(i int, id string) {
	if id == "" || i == 0 {
		return
	}
	switch above := s.lineAt(i - 1); {
	case len(above) > 0 && above[0] == '#':
		s.addMark(Mark{Line: i - 1, Kind: MarkAnchor, Anchor: id})
	case i > 1 && len(above) > 0 && (above[0] == '=' || above[0] == '-') && len(bytes.Trim(above, string(above[:1])+" \t")) == 0 &&
		isProse(s.lineAt(i-2)):
		s.addMark(Mark{Line: i - 2, Kind: MarkAnchor, Anchor: id})
	}
}

// isProse reports whether a line may be one of a paragraph or of a quote.
func isProse(line []byte) bool {
	n := IndentBytes(line)
	if n > 3 || IsBlank(line) {
		return false
	}
	return bytes.IndexByte([]byte("#|<{:~"), line[n]) < 0 && !bytes.HasPrefix(line[n:], []byte("```")) && listMarker(line[n:]) == 0
}
