package docx

import (
	"strconv"
	"strings"

	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/ingest/parse/office"
	"docent/pipeline/text/spacing"
)

// deepestTable is how deep tables in cells are read as text.
const deepestTable = 10

// writeBlocks writes the paragraphs and tables of an element.
func (d *document) writeBlocks(in *office.Node) {
	for _, n := range in.Children {
		switch n.Name {
		case "p":
			d.paragraph(n)
		case "tbl":
			d.writeTable(n)
		case "sdt":
			d.writeBlocks(textOrNone(n.Child("sdtContent")))
		case "ins", "moveTo", "smartTag", "customXml":
			d.writeBlocks(n)
		case "AlternateContent":
			d.writeBlocks(textOrNone(n.Child("Choice")))
		}
	}
}

func textOrNone(n *office.Node) *office.Node {
	if n == nil {
		return &office.Node{}
	}
	return n
}

// paragraph writes a paragraph: as a heading, an item of a list, a line of code or text.
func (d *document) paragraph(n *office.Node) {
	properties := n.Child("pPr")
	s := d.styles[valueOf(properties, "pStyle")]
	if s == nil {
		s = &style{}
	}
	if strings.HasPrefix(s.name, "toc ") || s.name == "table of figures" {
		return // headings again
	}
	r := &run{d: d, code: s.code}
	r.readChildren(n)
	defer func() {
		d.page += r.pages
		d.waiting = append(d.waiting, r.notes...)
		for _, b := range r.boxes {
			d.writeBlocks(b)
		}
	}()
	text := strings.TrimSpace(r.inlineText())
	heading := s.heading
	if at := properties.Child("outlineLvl"); at != nil && numberOrDefault(at.Attr("val"), 9) < 9 {
		heading = numberOrDefault(at.Attr("val"), 0) + 1
	}
	if list := d.listOf(properties, s); list == nil && heading == 0 && s.name != "title" && (s.code && r.any || r.allCode()) {
		d.code = append(d.code, strings.Split(r.plainText(), "\n")...)
		return
	}
	if text == "" {
		if len(d.code) > 0 && s.code {
			d.code = append(d.code, "")
		}
		return
	}
	d.endCode()
	switch {
	case s.name == "title" && d.headings == 0:
		d.closeItems(0)
		d.title = spacing.Single(r.plainText())
		d.writeHeading(1, text, r.anchor)
		d.shift = 1
	case heading > 0:
		d.closeItems(0)
		d.writeHeading(heading+d.shift, text, r.anchor)
	default:
		d.w.At(d.nextPlace())
		if list := d.listOf(properties, s); list != nil {
			d.openItem(list)
		} else if !strings.HasPrefix(s.name, "list") {
			d.closeItems(0)
		}
		d.w.Paragraph(text)
	}
}

// writeHeading writes a heading.
func (d *document) writeHeading(level int, text, anchor string) {
	d.writePendingNotes()
	d.headings++
	d.w.At(d.nextPlace())
	d.w.Heading(level, text, anchor)
}

// listed is the place of a paragraph in a list.
type listed struct {
	id    string
	level int
}

// listOf returns the list that a paragraph is an item of, or nil.
func (d *document) listOf(properties *office.Node, s *style) *listed {
	l := &listed{id: s.list, level: s.level}
	if num := properties.Child("numPr"); num != nil {
		if id := valueOf(num, "numId"); id != "" {
			l.id = id
		}
		l.level = numberOrDefault(valueOf(num, "ilvl"), l.level)
	}
	if l.id == "" || l.id == "0" || s.heading > 0 || l.level < 0 || l.level > 8 {
		return nil
	}
	return l
}

// openItem opens an item of a list.
func (d *document) openItem(l *listed) {
	n := len(d.items)
	for n > 0 && d.items[n-1].level >= l.level {
		n--
	}
	d.closeItems(n)
	kind := level{bullet: true, start: 1}
	if levels := d.numbering[l.id]; l.level < len(levels) {
		kind = levels[l.level]
	}
	if d.counters[l.id] == nil {
		d.counters[l.id] = map[int]int{}
	}
	count := d.counters[l.id]
	if _, ok := count[l.level]; !ok {
		count[l.level] = kind.start - 1
	}
	count[l.level]++
	for deeper := range count {
		if deeper > l.level {
			delete(count, deeper)
		}
	}
	if kind.bullet {
		d.w.Open(build.Bullet)
	} else {
		d.w.Open(build.Number(max(0, count[l.level])))
	}
	d.items = append(d.items, item{l.level})
}

// closeItems closes items of lists down to n.
func (d *document) closeItems(n int) {
	d.endCode()
	for len(d.items) > n {
		d.w.Close()
		d.items = d.items[:len(d.items)-1]
	}
	if n == 0 {
		d.writePendingNotes()
	}
}

// endCode writes the code that is collected.
func (d *document) endCode() {
	if len(d.code) > 0 {
		d.w.At(d.nextPlace())
		d.w.WriteCode("", strings.Join(d.code, "\n"))
		d.code = nil
	}
}

// writePendingNotes writes the notes whose marks were written.
func (d *document) writePendingNotes() {
	waiting := d.waiting
	d.waiting = nil
	for _, n := range waiting {
		var parts []string
		for _, p := range n.node.Children {
			r := &run{d: &document{w: build.New(), styles: d.styles, links: d.links}} // notes in notes are not followed
			r.readChildren(p)
			if text := strings.TrimSpace(r.inlineText()); text != "" {
				parts = append(parts, text)
			}
		}
		if len(parts) > 0 {
			d.w.At(d.nextPlace())
			d.w.Paragraph(build.TextInline("["+strconv.Itoa(n.number)+"]") + " " + strings.Join(parts, "\n"))
		}
	}
}

// writeTable writes a table. One of a single cell is a box around text.
func (d *document) writeTable(n *office.Node) {
	d.endCode()
	var rows [][]string
	var only *office.Node
	cells := 0
	for _, tr := range n.Children {
		if tr.Name != "tr" {
			continue
		}
		var row []string
		for _, tc := range tr.Children {
			if tc.Name == "sdt" {
				tc = textOrNone(textOrNone(tc.Child("sdtContent")).Child("tc"))
			}
			if tc.Name != "tc" {
				continue
			}
			cells++
			only = tc
			text := ""
			if merged := tc.Child("tcPr").Child("vMerge"); merged == nil || merged.Attr("val") == "restart" {
				text = d.cellInline(tc)
			}
			row = append(row, text)
			for span := numberOrDefault(valueOf(tc.Child("tcPr"), "gridSpan"), 1); span > 1 && len(row) < 64; span-- {
				row = append(row, "")
			}
		}
		rows = append(rows, row)
	}
	d.closeItems(0)
	if cells == 1 && d.depth < deepestTable {
		d.depth++
		d.writeBlocks(only)
		d.depth--
		d.endCode()
		return
	}
	if len(rows) == 0 {
		return
	}
	d.w.At(d.nextPlace())
	d.w.WriteTable(rows[0], rows[1:])
	d.writePendingNotes()
}

// cellInline is a cell as an inline; paragraphs stand on lines of their own.
func (d *document) cellInline(tc *office.Node) string {
	var parts []string
	var walk func(*office.Node, int)
	walk = func(n *office.Node, depth int) {
		for _, c := range n.Children {
			switch {
			case c.Name == "p":
				r := &run{d: d}
				r.readChildren(c)
				d.page += r.pages
				d.waiting = append(d.waiting, r.notes...)
				if text := strings.TrimSpace(r.inlineText()); text != "" {
					parts = append(parts, text)
				}
			case depth < office.MostDepth:
				walk(c, depth+1)
			}
		}
	}
	walk(tc, 0)
	return strings.Join(parts, build.Break)
}

// finishPage ends the page.
func (d *document) finishPage() {
	d.closeItems(0)
	d.w.Title(d.title)
	if d.w.Len() == 0 {
		d.w.Warn("it has no text")
	}
}
