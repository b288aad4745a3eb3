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

func (v view) lineCount() int { return len(v.lines) }

// lineAt is line i without the indentation of the view.
func (v view) lineAt(i int) string {
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

func (v view) sourceLine(i int) int {
	if i >= len(v.lines) {
		if len(v.lines) == 0 {
			return 0
		}
		i = len(v.lines) - 1
	}
	return v.lines[i].num
}

func (v view) isBlank(i int) bool { return v.lines[i].text == "" || v.lineAt(i) == "" }

// linesBetween is the lines from a up to b.
func (v view) linesBetween(a, b int) view { return view{v.lines[a:b:b], v.indent} }

// inner is v with more indentation.
func (v view) inner(columns int) view { return view{v.lines, v.indent + columns} }

// trimBlank is v without blank lines at both ends.
func (v view) trimBlank() view {
	a, b := 0, v.lineCount()
	for a < b && v.isBlank(a) {
		a++
	}
	for b > a && v.isBlank(b-1) {
		b--
	}
	return v.linesBetween(a, b)
}

// margin is the smallest indentation of the lines that are not blank.
func (v view) margin() int {
	least := -1
	for i := range v.lines {
		if t := v.lineAt(i); t != "" {
			if n := indentOf(t); least < 0 || n < least {
				least = n
			}
		}
	}
	return max(0, least)
}

// commonText is the lines without their common indentation.
func (v view) commonText() string {
	v = v.trimBlank()
	v = v.inner(v.margin())
	var b strings.Builder
	for i := range v.lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(v.lineAt(i))
	}
	return b.String()
}

// indented is the end of the run of blank and indented lines from line i on. Blank
// lines at its end do not belong to it.
func (v view) indented(i, columns int) int {
	end := i
	for ; i < v.lineCount(); i++ {
		t := v.lineAt(i)
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

// maskBytes blanks the first n bytes of line i: the mark of a list item or of a directive.
func (v view) maskBytes(i, n int) {
	l := &v.lines[i]
	t := v.lineAt(i)
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

// moveToColumn moves what follows the mask of line i to a column, so that it stands under the
// lines after it.
func (v view) moveToColumn(i, n, column int) {
	t := v.lineAt(i)
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
		lines = append(lines, line{cleanLine(t), n})
	}
	return lines
}

// cleanLine expands tabs, and removes trailing space and the end of the line.
func cleanLine(t string) string {
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
