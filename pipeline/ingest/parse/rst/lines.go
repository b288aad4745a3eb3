package rst

import (
	"strings"
	"unicode/utf8"
)

// line is a line of a page without its end, tabs and trailing space, and its number
// in the source, from 1.
type line struct {
	text string
	num  int
}

// view is a run of lines that are read without their first indent columns.
type view struct {
	lines  []line
	indent int
}

func (v view) len() int { return len(v.lines) }

// at is line i without the indentation of the view.
func (v view) at(i int) string {
	t := v.lines[i].text
	if len(t) <= v.indent {
		return strings.TrimLeft(t, " ")
	}
	for k := range v.indent {
		if t[k] != ' ' {
			return t[k:]
		}
	}
	return t[v.indent:]
}

func (v view) num(i int) int {
	if i >= len(v.lines) {
		if len(v.lines) == 0 {
			return 0
		}
		i = len(v.lines) - 1
	}
	return v.lines[i].num
}

func (v view) blank(i int) bool { return v.lines[i].text == "" || v.at(i) == "" }

// part is the lines from a up to b.
func (v view) part(a, b int) view { return view{v.lines[a:b:b], v.indent} }

// inner is v with more indentation.
func (v view) inner(columns int) view { return view{v.lines, v.indent + columns} }

// trim is v without blank lines at both ends.
func (v view) trim() view {
	a, b := 0, v.len()
	for a < b && v.blank(a) {
		a++
	}
	for b > a && v.blank(b-1) {
		b--
	}
	return v.part(a, b)
}

// margin is the smallest indentation of the lines that are not blank.
func (v view) margin() int {
	least := -1
	for i := range v.lines {
		if t := v.at(i); t != "" {
			if n := indentOf(t); least < 0 || n < least {
				least = n
			}
		}
	}
	return max(0, least)
}

// text is the lines without their common indentation.
func (v view) text() string {
	v = v.trim()
	v = v.inner(v.margin())
	var b strings.Builder
	for i := range v.lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(v.at(i))
	}
	return b.String()
}

// indented is the end of the run of blank and indented lines from line i on. Blank
// lines at its end do not belong to it.
func (v view) indented(i, columns int) int {
	end := i
	for ; i < v.len(); i++ {
		t := v.at(i)
		if t == "" {
			continue
		}
		if indentOf(t) < columns {
			break
		}
		end = i + 1
	}
	return end
}

// mask blanks the first n bytes of line i: the mark of a list item or of a directive.
func (v view) mask(i, n int) {
	l := &v.lines[i]
	t := v.at(i)
	rest := ""
	if n < len(t) {
		rest = t[n:]
	}
	if strings.TrimLeft(rest, " ") == "" {
		l.text = ""
		return
	}
	l.text = strings.Repeat(" ", v.indent+n) + rest
}

// place moves what follows the mask of line i to a column, so that it stands under the
// lines after it.
func (v view) place(i, n, column int) {
	t := v.at(i)
	rest := ""
	if n < len(t) {
		rest = strings.TrimLeft(t[n:], " ")
	}
	if rest == "" {
		v.lines[i].text = ""
		return
	}
	v.lines[i].text = strings.Repeat(" ", v.indent+column) + rest
}

func indentOf(s string) int {
	n := 0
	for n < len(s) && s[n] == ' ' {
		n++
	}
	return n
}

// splitLines makes lines of a text. Tabs are eight columns wide.
func splitLines(text string) []line {
	lines := make([]line, 0, strings.Count(text, "\n")+1)
	for n := 1; len(text) > 0; n++ {
		var t string
		if i := strings.IndexByte(text, '\n'); i >= 0 {
			t, text = text[:i], text[i+1:]
		} else {
			t, text = text, ""
		}
		lines = append(lines, line{clean(t), n})
	}
	return lines
}

// clean expands tabs, and removes trailing space and the end of the line.
func clean(t string) string {
	t = strings.TrimRight(t, " \t\r\v\f")
	if strings.IndexByte(t, '\t') < 0 && strings.IndexByte(t, '\v') < 0 && strings.IndexByte(t, '\f') < 0 && strings.IndexByte(t, 0) < 0 {
		return t
	}
	var b strings.Builder
	column := 0
	for i := 0; i < len(t); {
		r, n := utf8.DecodeRuneInString(t[i:])
		switch r {
		case '\t':
			b.WriteString("        "[column%8:])
			column += 8 - column%8
		case '\v', '\f', 0:
			b.WriteByte(' ')
			column++
		default:
			b.WriteString(t[i : i+n])
			column++
		}
		i += n
	}
	return b.String()
}
