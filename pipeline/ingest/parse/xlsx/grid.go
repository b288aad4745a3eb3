package xlsx

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"docent/pipeline/ingest/parse/build"
)

// grid is the content of a sheet.
type grid struct {
	rows   []gridRow // those with text, in order
	merged []area
	links  map[place]string // ids of relations, by cell
	cut    string           // what the sheet has too much of
}

// gridRow is a row with its cells from the first column on.
type gridRow struct {
	number int // from 1
	cells  []string
}

// place is a cell: its row from 1, its column from 0.
type place struct{ row, column int }

// area is a rectangle of cells, both corners included.
type area struct{ from, to place }

// placeOf reads the name of a cell, "C12"; false for other texts.
func placeOf(name string) (place, bool) {
	column, i := 0, 0
	for ; i < len(name) && i < 4 && name[i] >= 'A' && name[i] <= 'Z'; i++ {
		column = column*26 + int(name[i]-'A') + 1
	}
	row, err := strconv.Atoi(name[i:])
	return place{row, column - 1}, err == nil && i > 0 && row > 0
}

// areaOf reads the name of an area, "A1:C2", or of a cell.
func areaOf(name string) (area, bool) {
	from, to, ok := strings.Cut(name, ":")
	if !ok {
		to = from
	}
	a, first := placeOf(from)
	z, second := placeOf(to)
	return area{a, z}, first && second && a.row <= z.row && a.column <= z.column
}

// attributeOf is the value of an attribute, "" without one.
func attributeOf(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// walkXML gives the elements and texts of a part in order. It reports whether the part is whole.
func walkXML(ctx context.Context, data []byte, tell func(xml.Token)) bool {
	dec := xml.NewDecoder(bytes.NewReader(data))
	depth := 0
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return false
		}
		token, err := dec.RawToken()
		if err != nil {
			return errors.Is(err, io.EOF) && depth == 0 && n > 0
		}
		switch token.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		}
		tell(token)
	}
}

// readTexts reads the texts that cells share. Their pronunciation is left out.
func readTexts(ctx context.Context, data []byte) (texts []string, whole bool) {
	var text strings.Builder
	shown, spoken := false, false
	whole = walkXML(ctx, data, func(token xml.Token) {
		switch t := token.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "si":
				text.Reset()
			case "rPh":
				spoken = true
			case "t":
				shown = !spoken
			}
		case xml.EndElement:
			switch t.Name.Local {
			case "si":
				texts = append(texts, unescaped(text.String()))
			case "rPh":
				spoken = false
			case "t":
				shown = false
			}
		case xml.CharData:
			if shown {
				text.Write(t)
			}
		}
	})
	return texts, whole
}

// unescaped is a text without the escapes that Excel writes for characters that XML does not
// have: _x000D_.
func unescaped(s string) string {
	if !strings.Contains(s, "_x") {
		return s
	}
	var b strings.Builder
	for {
		i := strings.Index(s, "_x")
		if i < 0 {
			break
		}
		b.WriteString(s[:i])
		s = s[i:]
		if len(s) >= 7 && s[6] == '_' {
			if n, err := strconv.ParseUint(s[2:6], 16, 16); err == nil {
				if n != '\r' {
					b.WriteRune(rune(n))
				}
				s = s[7:]
				continue
			}
		}
		b.WriteString("_x")
		s = s[2:]
	}
	b.WriteString(s)
	return b.String()
}

var tooMuchText = fmt.Sprintf("more than %d MB of text, that of the sheets before it counted", mostText>>20)

// gridReader is a sheet while it is read.
type gridReader struct {
	b       *workbook
	g       grid
	row     gridRow
	at      place
	kind    string // of the cell's value
	style   int
	value   strings.Builder
	taken   bool // text belongs to the value
	spoken  bool
	endless bool // the rows are read no further
}

// readGrid reads a sheet; false: it is damaged, and its beginning was read.
func (b *workbook) readGrid(ctx context.Context, data []byte) (grid, bool) {
	r := &gridReader{b: b, g: grid{links: map[place]string{}}}
	whole := walkXML(ctx, data, func(token xml.Token) {
		switch t := token.(type) {
		case xml.StartElement:
			r.begin(t)
		case xml.EndElement:
			r.end(t.Name.Local)
		case xml.CharData:
			if r.taken {
				r.value.Write(t)
			}
		}
	})
	r.endRow()
	return r.g, whole
}

func (r *gridReader) begin(e xml.StartElement) {
	switch e.Name.Local {
	case "row":
		r.endRow()
		number, err := strconv.Atoi(attributeOf(e, "r"))
		if err != nil || number <= r.row.number {
			number = r.row.number + 1
		}
		r.row = gridRow{number: number}
		r.at = place{number, -1}
	case "c":
		r.at.column++
		if at, ok := placeOf(attributeOf(e, "r")); ok && at.column >= r.at.column {
			r.at.column = at.column
		}
		r.kind = attributeOf(e, "t")
		r.style, _ = strconv.Atoi(attributeOf(e, "s"))
		r.value.Reset()
	case "rPh":
		r.spoken = true
	case "v", "t":
		r.taken = !r.spoken && !r.endless
	case "mergeCell":
		if a, ok := areaOf(attributeOf(e, "ref")); ok {
			r.g.merged = append(r.g.merged, a)
		}
	case "hyperlink":
		if a, ok := areaOf(attributeOf(e, "ref")); ok && attributeOf(e, "id") != "" {
			r.g.links[a.from] = attributeOf(e, "id")
		}
	}
}

func (r *gridReader) end(name string) {
	switch name {
	case "v", "t":
		r.taken = false
	case "rPh":
		r.spoken = false
	case "row":
		r.endRow()
	case "c":
		r.endCell()
	}
}

// endCell takes the text of a cell into its row.
func (r *gridReader) endCell() {
	if r.endless || r.value.Len() == 0 {
		return
	}
	text := strings.TrimSpace(r.b.shownText(r.kind, r.style, r.value.String()))
	r.value.Reset()
	switch {
	case text == "":
		return
	case r.at.column >= mostColumns:
		r.g.cut = fmt.Sprintf("more than %d columns", mostColumns)
		return
	case r.b.left < len(text):
		r.endless, r.g.cut = true, tooMuchText
		return
	}
	r.b.left -= len(text)
	for len(r.row.cells) <= r.at.column {
		r.row.cells = append(r.row.cells, "")
	}
	r.row.cells[r.at.column] = text
}

func (r *gridReader) endRow() {
	if len(r.row.cells) > 0 {
		if len(r.g.rows) >= mostRows {
			r.endless, r.g.cut = true, fmt.Sprintf("more than %d rows", mostRows)
		} else {
			r.g.rows = append(r.g.rows, r.row)
		}
	}
	r.row.cells = nil
}

// shownText is the value of a cell as it is shown.
func (b *workbook) shownText(kind string, style int, value string) string {
	switch kind {
	case "s":
		if i, err := strconv.Atoi(strings.TrimSpace(value)); err == nil && i >= 0 && i < len(b.shared) {
			return b.shared[i]
		}
		return ""
	case "b":
		if strings.TrimSpace(value) == "1" {
			return "TRUE"
		}
		return "FALSE"
	case "", "n":
		n, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil {
			return value
		}
		code := ""
		if style >= 0 && style < len(b.formats) {
			code = b.formats[style]
		}
		return shownNumber(n, code, b.is1904)
	}
	return unescaped(value)
}

// fillMerged gives each row of a merged cell its text, as each row of a table is read by
// itself. Other columns of it stay empty. left is how much text may be added.
func (g *grid) fillMerged(left *int) {
	byNumber := make(map[int]int, len(g.rows))
	for i, r := range g.rows {
		byNumber[r.number] = i
	}
	for _, a := range g.merged {
		first, ok := byNumber[a.from.row]
		if !ok || a.from.column >= len(g.rows[first].cells) {
			continue
		}
		text := g.rows[first].cells[a.from.column]
		for i := first + 1; text != "" && i < len(g.rows) && g.rows[i].number <= a.to.row; i++ {
			if *left -= len(text); *left < 0 {
				g.cut = tooMuchText
				return
			}
			r := &g.rows[i]
			for len(r.cells) <= a.from.column {
				r.cells = append(r.cells, "")
			}
			if r.cells[a.from.column] == "" {
				r.cells[a.from.column] = text
			}
		}
	}
}

// write writes the tables and paragraphs of a sheet. address is that of a link by its id, ""
// for one that leads nowhere.
func (g *grid) write(w *build.Writer, address func(id string) string) {
	for from := 0; from < len(g.rows); {
		to := from + 1
		for to < len(g.rows) && g.rows[to].number == g.rows[to-1].number+1 {
			to++
		}
		g.writeTable(w, g.rows[from:to], address)
		from = to
	}
}

// writeTable writes rows that follow each other: those at the beginning with one cell as
// paragraphs, the others as a table without the columns that are empty in all of them.
func (g *grid) writeTable(w *build.Writer, rows []gridRow, address func(id string) string) {
	inline := func(r gridRow, column int) string {
		var lines []string
		for line := range strings.Lines(r.cells[column]) {
			if line = strings.TrimSpace(line); line != "" {
				lines = append(lines, build.TextInline(line))
			}
		}
		text := strings.Join(lines, build.Break)
		if to := address(g.links[place{r.number, column}]); to != "" && len(lines) == 1 {
			return build.LinkInline(text, to)
		}
		return text
	}
	for len(rows) > 0 {
		only := slices.IndexFunc(rows[0].cells, func(text string) bool { return text != "" })
		if slices.ContainsFunc(rows[0].cells[only+1:], func(text string) bool { return text != "" }) {
			break
		}
		w.Paragraph(strings.ReplaceAll(inline(rows[0], only), build.Break, "\n"))
		rows = rows[1:]
	}
	if len(rows) == 0 {
		return
	}
	var used [mostColumns]bool
	for _, r := range rows {
		for c, text := range r.cells {
			used[c] = used[c] || text != ""
		}
	}
	table := make([][]string, len(rows))
	for i, r := range rows {
		for c, text := range r.cells {
			switch {
			case text != "":
				table[i] = append(table[i], inline(r, c))
			case used[c]:
				table[i] = append(table[i], "")
			}
		}
	}
	if len(table) == 1 {
		w.WriteTable(nil, table)
		return
	}
	w.WriteTable(table[0], table[1:])
}
