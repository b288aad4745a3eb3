package rtf

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"

	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/ingest/parse/office"
	"docent/pipeline/text/spacing"
	"docent/store/doc"
)

// Bounds.
const (
	mostLevels = 8   // of lists
	mostNotes  = 500 // footnotes
)

// document is a document while it is read.
type document struct {
	w         *build.Writer
	now       state
	states    []state
	depth     int
	tokens    int
	line      int
	damaged   bool // a warning says so
	ignorable bool // the next word begins a destination that may be left out
	fallback  int  // bytes that stand for a character which was read
	bytes     []byte
	high      rune // the first half of a character

	page          encoding.Encoding
	pages         map[int]encoding.Encoding // by font
	mono, symbols map[int]bool              // fonts
	defaultFont   int
	styles        map[int]style
	styleName     strings.Builder
	stylesAt      int // the depth of their table
	title         string
	shift         int // of headings: 1 below a title
	headings      int

	runs   []office.Run // of the paragraph
	begun  int          // its first line
	marker string       // of the item of a list that begins
	items  int          // containers of lists that are open
	code   []string
	cell   []string // inlines of paragraphs
	row    []string
	rows   [][]string
	table  int // the first line of the table
	body   []office.Run
	notes  []string
}

func newDocument() *document {
	d := &document{w: build.New(), page: charmap.Windows1252, pages: map[int]encoding.Encoding{}, mono: map[int]bool{},
		symbols: map[int]bool{}, styles: map[int]style{}, line: 1}
	d.now = state{unicodeSkip: 1, outline: -1}
	return d
}

func (d *document) setLine(line int) { d.w.At(doc.Location{Line: max(1, line)}) }

// finish writes the block, list and table that are open.
func (d *document) finish() {
	d.endBytes()
	d.endParagraph(d.now)
	d.endTable()
	d.endCode()
	d.endItems(0)
	d.setLine(d.line)
	for i, note := range d.notes {
		d.w.Paragraph("[" + strconv.Itoa(i+1) + "] " + note)
	}
	d.title = spacing.Single(d.title)
}

// takeRuns takes the runs of the paragraph.
func (d *document) takeRuns() []office.Run {
	runs := d.runs
	d.runs = nil
	return runs
}

// endParagraph writes a paragraph.
func (d *document) endParagraph(s state) {
	if s.note {
		d.addText("\n")
		return
	}
	runs := d.takeRuns()
	marker := strings.TrimSpace(d.marker)
	d.marker = ""
	inline := strings.TrimSpace(office.RunsInline(runs))
	if s.inTable {
		if inline != "" {
			d.cell = append(d.cell, strings.TrimSpace(marker+" "+inline))
		}
		return
	}
	d.endTable()
	name := d.styles[s.style].name
	if marker == "" && s.list == 0 && inline != "" && name != "title" &&
		(office.IsCodeStyle(name) && s.style != 0 || office.RunsAreCode(runs) || len(d.code) > 0 && areMono(runs)) {
		d.endItems(0)
		d.code = append(d.code, strings.Split(office.RunsText(runs), "\n")...)
		return
	}
	if inline == "" {
		if len(d.code) > 0 {
			d.code = append(d.code, "")
		}
		return
	}
	d.endCode()
	d.setLine(d.begun)
	switch level := d.headingLevel(s); {
	case name == "title" && d.headings == 0:
		d.endItems(0)
		d.headings, d.shift = 1, 1
		if d.title == "" {
			d.title = office.RunsText(runs)
		}
		d.w.Heading(1, withoutMarks(runs), "")
	case level > 0:
		d.endItems(0)
		d.headings++
		if marker != "" {
			runs = append([]office.Run{{Text: marker + " "}}, runs...)
		}
		d.w.Heading(min(6, level+d.shift), withoutMarks(runs), "")
	case marker != "" || s.list > 0:
		d.beginItem(marker, s.level)
		d.w.Paragraph(inline)
	default:
		d.endItems(0)
		d.w.Paragraph(inline)
	}
}

// areMono reports whether all runs are in fonts of equal widths.
func areMono(runs []office.Run) bool {
	return !slices.ContainsFunc(runs, func(r office.Run) bool { return !r.Mono })
}

// headingLevel is the level of a heading from 1, 0 of other paragraphs.
func (d *document) headingLevel(s state) int {
	of := d.styles[s.style]
	if rest, ok := strings.CutPrefix(of.name, "heading "); ok && s.style != 0 {
		if n, err := strconv.Atoi(strings.Fields(rest + " x")[0]); err == nil && n >= 1 && n <= 9 {
			return n
		}
	}
	if s.outline >= 0 && s.outline < 9 {
		return s.outline + 1
	}
	if of.outline >= 0 && of.outline < 9 && s.style != 0 && of.name != "" {
		return of.outline + 1
	}
	return 0
}

// withoutMarks is a heading's text, which is bold as a whole.
func withoutMarks(runs []office.Run) string {
	plain := make([]office.Run, len(runs))
	for i, r := range runs {
		r.Bold, r.Italic = false, false
		plain[i] = r
	}
	return strings.TrimSpace(office.RunsInline(plain))
}

// beginItem begins an item of a list at a level from 0. A marker with a number counts.
func (d *document) beginItem(marker string, level int) {
	d.endItems(min(level, d.items))
	c := build.Bullet
	if n, err := strconv.Atoi(strings.Trim(marker, "().:]")); err == nil && n >= 0 {
		c = build.Number(n)
	}
	d.w.Open(c)
	d.items++
}

// endItems closes the items of lists that are deeper than so many.
func (d *document) endItems(keep int) {
	for ; d.items > keep; d.items-- {
		d.w.Close()
	}
}

// endCode writes the code that is collected.
func (d *document) endCode() {
	if len(d.code) > 0 {
		d.setLine(d.begun)
		d.w.WriteCode("", strings.Join(d.code, "\n"))
		d.code = nil
	}
}

// endCell ends a cell of a table.
func (d *document) endCell() {
	s := d.now
	s.inTable = true
	d.endParagraph(s)
	if s.note {
		return
	}
	if len(d.rows) == 0 && len(d.row) == 0 {
		d.endCode()
		d.endItems(0)
		d.table = d.line
	}
	d.row = append(d.row, strings.Join(d.cell, "\n"))
	d.cell = nil
}

// endRow ends a row of a table.
func (d *document) endRow() {
	if len(d.runs) > 0 || len(d.cell) > 0 {
		d.endCell()
	}
	if len(d.row) > 0 {
		d.rows = append(d.rows, d.row)
		d.row = nil
	}
}

// endTable writes the table that has been read. One of a single cell is a box around text.
func (d *document) endTable() {
	d.endRow()
	rows := d.rows
	d.rows = nil
	if len(rows) == 0 {
		return
	}
	d.endItems(0)
	d.setLine(d.table)
	if len(rows) == 1 && len(rows[0]) == 1 {
		d.w.Paragraph(rows[0][0])
		return
	}
	d.w.WriteTable(rows[0], rows[1:])
}

// beginNote begins a footnote: its mark is written where it stands.
func (d *document) beginNote() {
	if d.now.to != toBody || d.now.note || len(d.notes) >= mostNotes {
		d.now.to = nowhere
		return
	}
	d.addText(" [" + strconv.Itoa(len(d.notes)+1) + "]")
	d.body, d.runs = d.runs, nil
	d.now.note, d.now.style, d.now.list, d.now.link = true, 0, 0, ""
}

// endNote ends a footnote.
func (d *document) endNote() {
	text := strings.TrimSpace(office.RunsInline(d.takeRuns()))
	d.notes = append(d.notes, text)
	d.runs, d.body = d.body, nil
}
