package code

import (
	"strings"
	"unicode/utf8"
)

// syntax says how a language writes comments and strings.
type syntax struct {
	line   []string    // marks of comments up to the line's end
	block  [][2]string // marks of comments with an end
	nested bool        // comments with an end stand in each other
	quotes []quote     // the longest first
	// special reads what the rest cannot describe: raw strings, heredocs, regular
	// expressions. It reports whether it went on.
	special func(m *masker) bool
}

// quote is a kind of string.
type quote struct {
	open, end string
	escapes   bool // a backslash takes the next character along
	lines     bool // it may go over several lines
}

// masker makes masked text. Every step goes forward, and a mark that was not found is not
// sought again, so the time is linear.
type masker struct {
	f       *file
	src     string
	out     []byte
	at      int
	starts  [256]bool      // bytes at which a comment or a string may begin
	missing map[string]int // marks, and the offset after which they do not occur
	open    map[string]int // quotes, and up to where they have no end
	noExpr  int            // up to where no regular expression ends
	braces  []int          // in templates: the open braces of each ${
	heredoc []heredoc
	long    [][2]int // strings of several lines
}

// heredoc is a text that begins on the next line.
type heredoc struct {
	end    string
	indent bool // the end may be indented
}

// maskText makes the masked text of the file.
func (f *file) maskText() {
	m := &masker{f: f, src: f.text, out: []byte(f.text), missing: map[string]int{}, open: map[string]int{}}
	s := &f.lang.syntax
	for _, c := range "`'\"@#$/<=?rR{}\n" {
		m.starts[c] = true
	}
	for _, mark := range s.line {
		m.starts[mark[0]] = true
	}
	for _, mark := range s.block {
		m.starts[mark[0][0]] = true
	}
	for m.at < len(m.src) {
		if m.starts[m.src[m.at]] && (s.special != nil && s.special(m) || m.maskComment(s) || m.maskString(s)) {
			continue
		}
		if m.src[m.at] == '\n' && len(m.heredoc) > 0 {
			m.at++
			m.maskHeredocs()
			continue
		}
		m.at++
	}
	f.masked = string(m.out)
	f.mlines = strings.Split(strings.TrimSuffix(f.masked, "\n"), "\n")
	f.markLines(m.long)
}

// hideUntil makes blanks of the text up to an offset, and goes on there.
func (m *masker) hideUntil(to int) {
	for ; m.at < to; m.at++ {
		if m.src[m.at] != '\n' {
			m.out[m.at] = ' '
		}
	}
}

// hideString hides a string up to an offset but for its quotes.
func (m *masker) hideString(to int) {
	from := m.at
	m.hideUntil(to)
	if strings.Contains(m.src[from:to], "\n") {
		m.long = append(m.long, [2]int{from, to})
	}
	m.out[from] = '"'
	if to-1 > from && m.src[to-1] != '\n' {
		m.out[to-1] = '"'
	}
}

// seekMark is the offset of a mark at or behind an offset, or -1.
func (m *masker) seekMark(mark string, from int) int {
	if none, ok := m.missing[mark]; ok && from >= none {
		return -1
	}
	i := strings.Index(m.src[from:], mark)
	if i < 0 {
		m.missing[mark] = from
		return -1
	}
	return from + i
}

func (m *masker) atMark(mark string) bool { return strings.HasPrefix(m.src[m.at:], mark) }

// maskComment reads a comment.
func (m *masker) maskComment(s *syntax) bool {
	for _, b := range s.block {
		if !m.atMark(b[0]) {
			continue
		}
		end := len(m.src)
		if s.nested {
			end = m.nestedEnd(b)
		} else if i := m.seekMark(b[1], m.at+len(b[0])); i >= 0 {
			end = i + len(b[1])
		}
		m.note(end, true)
		return true
	}
	for _, mark := range s.line {
		if m.atMark(mark) {
			end := len(m.src)
			if i := strings.IndexByte(m.src[m.at:], '\n'); i >= 0 {
				end = m.at + i
			}
			m.note(end, false)
			return true
		}
	}
	return false
}

// nestedEnd is the end of a comment in which comments may stand.
func (m *masker) nestedEnd(b [2]string) int {
	depth := 0
	for i := m.at; i < len(m.src); {
		switch rest := m.src[i:]; {
		case strings.HasPrefix(rest, b[0]):
			depth++
			i += len(b[0])
		case strings.HasPrefix(rest, b[1]):
			i += len(b[1])
			if depth--; depth == 0 {
				return i
			}
		default:
			i++
		}
	}
	return len(m.src)
}

// note keeps a comment that ends at an offset.
func (m *masker) note(end int, block bool) {
	m.f.notes = append(m.f.notes, comment{from: m.at, to: end, block: block})
	m.hideUntil(end)
}

// maskString reads a string.
func (m *masker) maskString(s *syntax) bool {
	for i := range s.quotes {
		q := &s.quotes[i]
		if !m.atMark(q.open) {
			continue
		}
		end := m.closingOfString(q, m.at+len(q.open))
		if end < 0 {
			m.at += len(q.open)
			return true
		}
		m.hideString(end)
		return true
	}
	return false
}

// closingOfString is the end of a string whose inside begins at an offset, -1 where it has none.
func (m *masker) closingOfString(q *quote, from int) int {
	if none, ok := m.open[q.open]; ok && from <= none {
		return -1 // a line, or a file, without an end of such a string
	}
	for i := from; i < len(m.src); i++ {
		c := m.src[i]
		switch {
		case c == '\\' && q.escapes:
			i++
		case c == '\n' && !q.lines:
			m.open[q.open] = i
			return -1
		case c == q.end[0] && strings.HasPrefix(m.src[i:], q.end):
			return i + len(q.end)
		}
	}
	m.open[q.open] = len(m.src)
	return -1
}

// maskHeredocs hides the texts that begin at a line.
func (m *masker) maskHeredocs() {
	from := m.at
	defer func() { m.long = append(m.long, [2]int{from - 1, m.at}) }()
	for _, h := range m.heredoc {
		for m.at < len(m.src) {
			end := len(m.src)
			if i := strings.IndexByte(m.src[m.at:], '\n'); i >= 0 {
				end = m.at + i + 1
			}
			line := strings.TrimRight(m.src[m.at:end], "\n")
			if h.indent {
				line = strings.TrimLeft(line, " \t")
			}
			m.hideUntil(end)
			if strings.TrimRight(line, ";, )") == h.end {
				break
			}
		}
	}
	m.heredoc = m.heredoc[:0]
}

// wordBefore reports whether a letter, digit or underscore stands before the place.
func (m *masker) wordBefore() bool {
	if m.at == 0 {
		return false
	}
	c := m.src[m.at-1]
	return isWordCharacter(c) || c >= utf8.RuneSelf
}

// characterBefore is the last character before the place that is not blank, and the word that it
// ends.
func (m *masker) characterBefore() (c byte, word string) {
	i := m.at - 1
	for i >= 0 && (m.out[i] == ' ' || m.out[i] == '\t' || m.out[i] == '\n') {
		i--
	}
	if i < 0 {
		return 0, ""
	}
	from := i
	for from >= 0 && i-from < 12 && isWordCharacter(m.out[from]) {
		from--
	}
	return m.out[i], string(m.out[from+1 : i+1])
}

// markLines finds the lines of the comments, and the lines that begin within strings.
func (f *file) markLines(long [][2]int) {
	line, at := 0, 0
	for i := range f.notes {
		c := &f.notes[i]
		line += strings.Count(f.text[at:c.from], "\n")
		c.first = line
		inside := strings.Count(f.text[c.from:c.to], "\n")
		line += inside
		c.last, at = line, c.to
		c.own = c.last < len(f.mlines) && strings.TrimSpace(f.mlines[c.first]) == "" && strings.TrimSpace(f.mlines[c.last]) == ""
	}
	f.inText = make([]bool, len(f.lines)+1)
	at = 0
	for i, l := range f.lines {
		for len(long) > 0 && long[0][1] <= at {
			long = long[1:]
		}
		f.inText[i] = len(long) > 0 && long[0][0] < at
		at += len(l) + 1
	}
}

func isWordCharacter(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}
