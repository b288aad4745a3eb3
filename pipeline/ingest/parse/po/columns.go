package po

import (
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"

	"docent/pipeline/text/pattern"
)

// A drawn table is cut at columns of the screen, and its lines are cut at bytes here. So each character
// beyond ASCII becomes one byte that stands for it in this table, and a wide one has a second byte, which
// is dropped where cells become text again.

// filler is the second byte of a wide character.
const filler = 0x7f

// mostLetters is how many different characters beyond ASCII a table has.
const mostLetters = 128

// letters are the characters beyond ASCII of one table.
type letters struct {
	bytes map[rune]byte
	runes []rune
}

// columns is a line of which each byte is a column. ok is false where that cannot be said.
func (n *letters) columns(line string) (s string, ok bool) {
	if strings.IndexFunc(line, func(r rune) bool { return r >= utf8.RuneSelf || r == '\t' || r == filler }) < 0 {
		return line, true
	}
	var b strings.Builder
	for _, r := range line {
		switch {
		case r == '\t' || r == filler || unicode.Is(unicode.Mn, r):
			return "", false
		case r < utf8.RuneSelf:
			b.WriteByte(byte(r))
			continue
		}
		c, known := n.bytes[r]
		if !known {
			if len(n.runes) == mostLetters {
				return "", false
			}
			if n.bytes == nil {
				n.bytes = map[rune]byte{}
			}
			c = byte(utf8.RuneSelf + len(n.runes))
			n.bytes[r], n.runes = c, append(n.runes, r)
		}
		b.WriteByte(c)
		if k := width.LookupRune(r).Kind(); k == width.EastAsianWide || k == width.EastAsianFullwidth {
			b.WriteByte(filler)
		}
	}
	return b.String(), true
}

// text is a part of a line in columns as text again.
func (n *letters) text(s string) string {
	if len(n.runes) == 0 {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case c == filler:
		case c >= utf8.RuneSelf:
			b.WriteRune(n.runes[c-utf8.RuneSelf])
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// textRows are rows with their cells as text.
func (n *letters) textRows(rows []tableRow) []tableRow {
	for _, row := range rows {
		for _, cell := range row {
			for i := range cell {
				cell[i].text = n.text(cell[i].text)
			}
		}
	}
	return rows
}

// csvTable is the first line of a table of comma-separated values.
var (
	csvTable  = pattern.Lazy(`^( *)\.\. csv-table::(.*)$`)
	csvOption = pattern.Lazy(`^:([\w-]+):\s*(.*)$`)
)

// csvTableAt reads the directive csv-table that begins at a line, where its content stands in it and has the
// usual signs. The title is none of its cells. The end is at where none begins.
func csvTableAt(lines []string, at int) (end int, rows []tableRow, header int) {
	m := csvTable().FindStringSubmatch(lines[at])
	if m == nil {
		return at, nil, 0
	}
	indent := len(m[1]) + 1
	end = at + 1
	head := ""
	for ; end < len(lines); end++ { // its options
		o := csvOption().FindStringSubmatch(strings.TrimSpace(lines[end]))
		if o == nil {
			break
		}
		switch o[1] {
		case "header":
			head = o[2]
		case "header-rows":
			header = int(o[2][0] - '0')
			if len(o[2]) != 1 || header < 0 || header > 9 {
				return at, nil, 0
			}
		case "file", "url", "delim", "quote", "escape", "keepspace":
			return at, nil, 0
		}
	}
	first := end
	for last := end; end < len(lines) && end-at < mostTableLines; end++ {
		if strings.TrimSpace(lines[end]) == "" {
			continue
		}
		if len(lines[end])-len(strings.TrimLeft(lines[end], " ")) < indent {
			end = last
			break
		}
		last = end + 1
	}
	end = min(end, len(lines))
	if head != "" {
		if rows = csvRows(head, at+1); len(rows) != 1 {
			return at, nil, 0
		}
		header++
	}
	body := csvRows(strings.Join(lines[first:end], "\n"), first+1)
	if len(body) == 0 {
		return at, nil, 0
	}
	rows = append(rows, body...)
	most := 0
	for _, row := range rows {
		most = max(most, len(row))
	}
	for i, row := range rows { // short rows have empty cells at their ends
		for len(row) < most {
			row = append(row, []cellLine{{"", row[0][0].of}})
		}
		rows[i] = row
	}
	return end, rows, header
}

// csvRows are the rows of comma-separated values, of which the first line is line of the page; nil where they
// cannot be read.
func csvRows(text string, line int) []tableRow {
	r := csv.NewReader(strings.NewReader(text))
	r.FieldsPerRecord, r.LazyQuotes, r.TrimLeadingSpace = -1, true, true
	var rows []tableRow
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return rows
		}
		if err != nil || len(record) > mostColumns {
			return nil
		}
		row := make(tableRow, len(record))
		for i, field := range record {
			at, _ := r.FieldPos(i)
			for k, l := range strings.Split(strings.TrimSpace(field), "\n") {
				row[i] = append(row[i], cellLine{l, line + at - 1 + k})
			}
		}
		rows = append(rows, row)
	}
}

// spread puts the cells of a row in which some span columns into the columns at which they begin; the others
// are empty. false: a cell begins at no column.
func spread(row tableRow, begin, from []int, of int) (tableRow, bool) {
	out := make(tableRow, len(from))
	for i := range out {
		out[i] = []cellLine{{"", of}}
	}
	for i, b := range begin {
		at := slices.Index(from, b)
		if at < 0 {
			return nil, false
		}
		out[at] = row[i]
	}
	return out, true
}
