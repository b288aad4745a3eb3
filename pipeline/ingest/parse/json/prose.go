package json

import (
	"strconv"
	"strings"

	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/ingest/parse/html"
	"docent/pipeline/text/shorten"
	"docent/pipeline/text/spacing"
)

// writeProse writes a description, which is Markdown, or HTML in some documents. Its headings
// stand below the one of level.
func (p *page) writeProse(v *value, level int, pointer string) {
	v = p.followReferences(v)
	text := v.textValue()
	if text == "" {
		return
	}
	p.setPlace(v, pointer)
	if isHTML(text) {
		html.Fragment(p.ctx, p.w, text, p.w.Place())
		return
	}
	m := description{w: p.w, level: level}
	m.writeLines(strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), 0)
}

// isHTML reports whether a description is written in HTML.
func isHTML(s string) bool {
	for _, tag := range [...]string{"</p>", "</ul>", "</ol>", "</a>", "<p>", "</table>", "</code>", "</li>"} {
		if strings.Contains(s, tag) {
			return true
		}
	}
	return false
}

// description writes the blocks of Markdown that stand in a description. The words in them
// are Markdown already.
//
// Rejected: goldmark's tree, which would have to be written as Markdown again.
type description struct {
	w     *build.Writer
	level int
}

const maxQuotes = 5 // quotes in quotes

func (m description) writeLines(lines []string, quotes int) {
	for i := 0; i < len(lines); {
		line := strings.TrimSpace(lines[i])
		switch {
		case line == "":
			i++
		case strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~"):
			i = m.writeCode(lines, i)
		case headingLevel(line) > 0:
			n := headingLevel(line)
			m.w.Heading(min(6, m.level+n), strings.Trim(line[n:], " #"), "")
			i++
		case line[0] == '>' && quotes < maxQuotes:
			var in []string
			for ; i < len(lines) && strings.HasPrefix(strings.TrimSpace(lines[i]), ">"); i++ {
				in = append(in, strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(lines[i]), ">"), " "))
			}
			m.w.Open(build.Quote)
			m.writeLines(in, quotes+1)
			m.w.Close()
		case line[0] == '|' && i+1 < len(lines) && isDelimiter(lines[i+1]):
			i = m.writeTable(lines, i)
		case itemMark(line) > 0:
			i = m.writeList(lines, i)
		default:
			start := i
			for i++; i < len(lines) && !endsParagraph(lines[i]); i++ {
			}
			m.w.Paragraph(strings.Join(lines[start:i], "\n"))
		}
	}
}

// endsParagraph reports whether a line ends the paragraph before it.
func endsParagraph(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || line[0] == '>' || line[0] == '|' || strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") ||
		headingLevel(line) > 0 || itemMark(line) > 0
}

func headingLevel(line string) int {
	n := 0
	for n < len(line) && line[n] == '#' {
		n++
	}
	if n == 0 || n > 6 || n == len(line) || line[n] != ' ' {
		return 0
	}
	return n
}

func isDelimiter(line string) bool {
	line = strings.TrimSpace(line)
	return strings.Contains(line, "-") && strings.Trim(line, "|-: ") == ""
}

// itemMark is the length of the mark of an item at the beginning of a line: "- ", "2. ".
func itemMark(line string) int {
	if len(line) > 1 && strings.IndexByte("-*+", line[0]) >= 0 && line[1] == ' ' {
		return 2
	}
	n := 0
	for n < len(line) && n < 9 && line[n] >= '0' && line[n] <= '9' {
		n++
	}
	if n > 0 && n+1 < len(line) && (line[n] == '.' || line[n] == ')') && line[n+1] == ' ' {
		return n + 2
	}
	return 0
}

func (m description) writeCode(lines []string, i int) int {
	fence := strings.TrimSpace(lines[i])
	mark := fence[:3]
	start := i + 1
	for i++; i < len(lines) && !strings.HasPrefix(strings.TrimSpace(lines[i]), mark); i++ {
	}
	m.w.WriteCode(strings.TrimLeft(fence, "`~"), strings.Join(lines[start:i], "\n"))
	return i + 1
}

func (m description) writeTable(lines []string, i int) int {
	header := splitCells(lines[i])
	var rows [][]string
	for i += 2; i < len(lines) && strings.HasPrefix(strings.TrimSpace(lines[i]), "|"); i++ {
		if row := splitCells(lines[i]); len(row) <= 60 {
			rows = append(rows, row)
		}
	}
	if len(header) <= 60 {
		m.w.WriteTable(header, rows)
	}
	return i
}

func splitCells(line string) []string {
	var out []string
	for c := range strings.SplitSeq(strings.Trim(strings.TrimSpace(line), "|"), "|") {
		out = append(out, strings.TrimSpace(c))
	}
	return out
}

// writeList writes a list; lines that are indented further than its first belong to its
// items.
func (m description) writeList(lines []string, i int) int {
	indent := indentOf(lines[i])
	for i < len(lines) {
		line := strings.TrimSpace(lines[i])
		mark := itemMark(line)
		if mark == 0 || indentOf(lines[i]) > indent+1 {
			return i
		}
		item := build.Bullet
		if n, err := strconv.Atoi(strings.TrimRight(line[:mark], ".) ")); err == nil {
			item = build.Number(n)
		}
		in := []string{line[mark:]}
		for i++; i < len(lines); i++ {
			l := lines[i]
			if strings.TrimSpace(l) == "" {
				if i+1 >= len(lines) || strings.TrimSpace(lines[i+1]) == "" || indentOf(lines[i+1]) <= indent {
					break
				}
				in = append(in, "")
				continue
			}
			if indentOf(l) <= indent && (endsParagraph(l) || in[len(in)-1] == "") {
				break
			}
			in = append(in, strings.TrimPrefix(l, strings.Repeat(" ", min(indentOf(l), indent+mark))))
		}
		m.w.Open(item)
		if indent < 40 {
			m.writeLines(in, 0)
		} else {
			m.w.Paragraph(strings.Join(in, "\n"))
		}
		m.w.Close()
		for i < len(lines) && strings.TrimSpace(lines[i]) == "" && i+1 < len(lines) && itemMark(strings.TrimSpace(lines[i+1])) > 0 {
			i++
		}
	}
	return i
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// tableCell is a description in a table: its first paragraphs on one line.
func tableCell(s string) string {
	if before, _, ok := strings.Cut(s, "```"); ok {
		s = before
	}
	if isHTML(s) {
		return html.OneLine(s)
	}
	const most = 1500
	s = shorten.Bytes(s, most)
	return spacing.Single(s)
}
