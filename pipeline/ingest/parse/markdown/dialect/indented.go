package dialect

import (
	"bytes"
	"strings"

	"docent/store/doc"
)

// indented shapes containers whose lines are indented: the admonitions and tabs of MkDocs.
type indented struct{ *shaper }

// shapeBangs takes the first line of a "!!! note" block, whose content is indented.
func (s indented) shapeBangs(i int, body []byte, cols int) int {
	var rest []byte
	for _, p := range [...]string{"!!! ", "??? ", "???+ "} {
		if bytes.HasPrefix(body, []byte(p)) {
			rest = bytes.TrimSpace(body[len(p):])
		}
	}
	n := 0
	for n < len(rest) && (IsLetter(rest[n]) || n > 0 && rest[n] == '-') {
		n++
	}
	if n == 0 || n < len(rest) && rest[n] != ' ' {
		return i
	}
	if !s.endsList(cols) || s.nextIndent(i+1) < cols+2 {
		return i
	}
	f := frame{name: "!!!", line: i, list: s.list, kind: doc.Admonition, indent: cols}
	_, f.warning = Admonition(string(rest[:n]), "")
	s.titleLine(i, bangTitle(string(rest[n:])))
	s.pushFrame(f, i, cols)
	return i + 1
}

// endsList reports whether a line with this indentation stands outside of a list, or ends the one before it: it
// follows a blank line.
func (s indented) endsList(cols int) bool {
	if s.list >= 0 && cols-s.strip < s.list {
		if !s.blank {
			return false
		}
		s.list = -1
	}
	return true
}

// nextIndent is the indentation of the first line from i on that is not blank, -1 without one.
func (s indented) nextIndent(i int) int {
	for ; i < len(s.lines)-1; i++ {
		if line := s.lineAt(i); !IsBlank(line) {
			cols, _ := IndentOf(line)
			return cols
		}
	}
	return -1
}

// bangTitle is the title behind the kind of a "!!!" block. The words that say where the block
// stands, inline end, do not belong to it.
func bangTitle(rest string) string {
	place, title, _ := strings.Cut(rest, `"`)
	place = strings.TrimSpace(place)
	if place == "inline" || place == "inline end" {
		place = ""
	}
	return strings.TrimSpace(place + " " + strings.Trim(strings.TrimSpace(title), `"`))
}

// shapeTab shapes the line above the indented content of a tab, === "Title", as in
// Material for MkDocs.
func (s indented) shapeTab(i int, body []byte, cols int) int {
	rest := bytes.TrimLeft(bytes.TrimPrefix(body, []byte("===")), "+!")
	title := bytes.TrimSpace(rest)
	if len(rest) == 0 || rest[0] != ' ' || len(title) < 3 || title[0] != '"' && title[0] != '\'' || title[len(title)-1] != title[0] {
		return i
	}
	if !s.endsList(cols) || s.nextIndent(i+1) < cols+2 {
		return i
	}
	s.titleLine(i, string(title[1:len(title)-1]))
	s.pushFrame(frame{name: "===", line: i, list: s.list, indent: cols}, i, cols)
	return i + 1
}

// endIndented closes the indented containers that a line at column cols ends.
func (s indented) endIndented(i, cols int) {
	for len(s.frames) > 0 {
		f := s.frames[len(s.frames)-1]
		if f.indent < 0 || cols > f.indent {
			return
		}
		s.popFrame(f.name, i-1)
		s.fence.n = 0
	}
}
