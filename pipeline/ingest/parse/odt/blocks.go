package odt

import (
	"strconv"
	"strings"

	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/ingest/parse/office"
	"docent/pipeline/text/spacing"
)

// Bounds of a document.
const (
	deepest      = 40 // blocks in each other
	mostRepeated = 64 // equal cells of a table
	mostNotes    = 20_000
)

// writeBlocks writes the paragraphs, lists and tables of an element.
func (d *document) writeBlocks(in *office.Node) {
	if d.depth > deepest {
		return
	}
	d.depth++
	defer func() { d.depth-- }()
	for _, n := range in.Children {
		switch n.Name {
		case "h", "p":
			d.writeParagraph(n)
		case "list":
			d.endCode()
			d.writeList(n, n.Attr("style-name"), 0)
		case "table":
			d.endCode()
			d.writeTable(n)
		case "soft-page-break":
			d.page++
		case "frame":
			d.writeFrame(n)
		case "table-of-content", "alphabetical-index", "illustration-index", "table-index", "object-index", "user-index", "tracked-changes",
			"sequence-decls", "variable-decls", "forms", "annotation":
		case "section", "index-body", "text-box", "bibliography", "note-body", "list-header":
			d.writeBlocks(n)
		}
	}
}

// writeParagraph writes a paragraph: as a heading, the title, a line of code or text.
func (d *document) writeParagraph(n *office.Node) {
	s := d.styleOf(n.Attr("style-name"))
	r := &reader{d: d}
	r.readRuns(n, office.Run{Mono: false}, 0)
	defer func() {
		for _, f := range r.frames {
			d.writeFrame(f)
		}
		if n.Name == "p" && d.depth <= 1 {
			d.writeNotes()
		}
	}()
	for range r.pagesBefore {
		d.page++
	}
	defer func() { d.page += r.pages }()
	text := strings.TrimSpace(office.RunsInline(r.runs))
	if n.Name == "p" && (s.code || s.mono || office.RunsAreCode(r.runs)) && s.name != "title" && (text != "" || len(d.code) > 0) {
		d.code = append(d.code, strings.Split(office.RunsText(r.runs), "\n")...)
		return
	}
	if text == "" {
		return
	}
	d.endCode()
	d.w.At(d.place())
	switch {
	case n.Name == "h":
		d.headings++
		d.w.Heading(min(6, max(1, numberOr(n.Attr("outline-level"), 1))+d.shift), text, r.anchor)
	case s.name == "title" && d.headings == 0:
		d.title, d.shift = spacing.Single(office.RunsText(r.runs)), 1
		d.headings++
		d.w.Heading(1, text, r.anchor)
	default:
		d.w.Paragraph(text)
	}
}

// writeList writes a list; its name is that of the outermost one where it has none.
func (d *document) writeList(n *office.Node, name string, depth int) {
	if own := n.Attr("style-name"); own != "" {
		name = own
	}
	kind := level{start: 1}
	if levels := d.lists[name]; depth < len(levels) {
		kind = levels[depth]
	}
	key := name + " " + strconv.Itoa(depth)
	number := kind.start
	if n.Attr("continue-numbering") == "true" || n.Attr("continue-list") != "" {
		number = max(number, d.counters[key])
	}
	for _, item := range n.Children {
		if item.Name == "list-header" {
			d.writeBlocks(item)
			continue
		}
		if item.Name != "list-item" || depth > 20 {
			continue
		}
		if isHeadingItem(item) { // a chapter with a number
			d.writeBlocks(item)
			continue
		}
		number = numberOr(item.Attr("start-value"), number)
		c := build.Bullet
		if kind.numbered {
			c = build.Number(number)
		}
		d.w.At(d.place())
		d.w.Open(c)
		for _, in := range item.Children {
			if in.Name == "list" {
				d.endCode()
				d.writeList(in, name, depth+1)
			} else {
				d.writeBlocks(&office.Node{Children: []*office.Node{in}})
			}
		}
		d.endCode()
		d.w.Close()
		number++
	}
	d.counters[key] = number
}

// isHeadingItem reports whether an item of a list is a heading, or has one in it.
func isHeadingItem(n *office.Node) bool {
	for _, c := range n.Children {
		if c.Name == "h" || c.Name == "list" && len(c.Children) > 0 && isHeadingItem(c.Children[0]) {
			return true
		}
	}
	return false
}

// endCode writes the code that is collected.
func (d *document) endCode() {
	if len(d.code) > 0 {
		d.w.At(d.place())
		d.w.WriteCode("", strings.Join(d.code, "\n"))
		d.code = nil
	}
}

// writeNotes writes the notes whose marks were written.
func (d *document) writeNotes() {
	if len(d.notes) > 0 {
		d.endCode()
	}
	for len(d.notes) > 0 {
		n := d.notes[0]
		d.notes = d.notes[1:]
		var parts []string
		for _, p := range office.ChildrenOf(n.Child("note-body")) {
			r := &reader{d: d}
			r.readRuns(p, office.Run{}, 0)
			if text := strings.TrimSpace(office.RunsInline(r.runs)); text != "" {
				parts = append(parts, text)
			}
		}
		if len(parts) > 0 {
			d.w.At(d.place())
			d.w.Paragraph("[" + build.TextInline(d.noteMark(n)) + "] " + strings.Join(parts, "\n"))
		}
	}
}

// noteMark is the number of a note, or its sign.
func (d *document) noteMark(n *office.Node) string {
	return strings.TrimSpace(n.Child("note-citation").PlainText())
}

// writeFrame writes the text in a frame, and the description of a picture.
func (d *document) writeFrame(n *office.Node) {
	if box := n.Child("text-box"); box != nil {
		d.writeBlocks(box)
		return
	}
	if about := spacing.Single(n.Child("desc").PlainText()); about != "" {
		d.endCode()
		d.w.At(d.place())
		d.w.Paragraph(build.TextInline("[" + about + "]"))
	}
}

// writeTable writes a table. One of a single cell is a box around text.
func (d *document) writeTable(n *office.Node) {
	var header []string
	var rows [][]string
	var only *office.Node
	cells := 0
	var walk func(*office.Node, bool, int)
	walk = func(in *office.Node, head bool, depth int) {
		for _, c := range in.Children {
			switch c.Name {
			case "table-header-rows", "table-rows", "table-row-group":
				if depth < deepest {
					walk(c, head || c.Name == "table-header-rows", depth+1)
				}
			case "soft-page-break":
				d.page++
			case "table-row":
				var row []string
				for _, cell := range c.Children {
					if cell.Name != "table-cell" && cell.Name != "covered-table-cell" {
						continue
					}
					text := d.cellInline(cell)
					if cell.Name == "table-cell" && (text != "" || only == nil) {
						only = cell
					}
					cells++
					for range min(mostRepeated, max(1, numberOr(cell.Attr("number-columns-repeated"), 1))) {
						row = append(row, text)
					}
				}
				if head && header == nil {
					header = row
				} else {
					rows = append(rows, row)
				}
			}
		}
	}
	at := d.place()
	walk(n, false, 0)
	if cells == 1 && only != nil {
		d.writeBlocks(only)
		d.endCode()
		return
	}
	if header == nil && len(rows) > 0 {
		header, rows = rows[0], rows[1:]
	}
	d.w.At(at)
	if header != nil {
		d.w.WriteTable(header, rows)
	}
	if d.depth <= 1 {
		d.writeNotes()
	}
}

// cellInline is a cell as an inline; paragraphs stand on lines of their own.
func (d *document) cellInline(cell *office.Node) string {
	var parts []string
	var walk func(*office.Node, int)
	walk = func(n *office.Node, depth int) {
		for _, c := range n.Children {
			switch {
			case c.Name == "p" || c.Name == "h":
				r := &reader{d: d}
				r.readRuns(c, office.Run{Mono: d.styleOf(c.Attr("style-name")).mono}, 0)
				if text := strings.TrimSpace(office.RunsInline(r.runs)); text != "" {
					parts = append(parts, strings.ReplaceAll(text, "\n", " "))
				}
			case c.Name == "annotation":
			case depth < deepest:
				walk(c, depth+1)
			}
		}
	}
	walk(cell, 0)
	return strings.Join(parts, build.Break)
}

// reader collects the text of a paragraph.
type reader struct {
	d           *document
	runs        []office.Run
	anchor      string
	frames      []*office.Node
	pages       int // breaks of pages in it
	pagesBefore int // those before its text
}

// readRuns reads the text of an element. like is how it looks.
func (r *reader) readRuns(n *office.Node, like office.Run, depth int) {
	if depth > deepest {
		return
	}
	add := func(text string) {
		run := like
		if run.Text = text; text != "" {
			r.runs = append(r.runs, run)
		}
	}
	for _, c := range n.Children {
		switch c.Name {
		case "":
			add(collapse(c.Text))
		case "s":
			add(strings.Repeat(" ", min(200, max(1, numberOr(c.Attr("c"), 1)))))
		case "tab":
			add("\t")
		case "line-break":
			add("\n")
		case "span":
			inner := like
			s := r.d.styleOf(c.Attr("style-name"))
			inner.Bold, inner.Italic, inner.Mono = like.Bold || s.bold, like.Italic || s.italic, like.Mono || s.mono || s.code
			r.readRuns(c, inner, depth+1)
		case "a":
			inner := like
			if to := c.Attr("href"); len(to) < 2<<10 {
				inner.Link = strings.TrimSuffix(to, "|outline")
			}
			r.readRuns(c, inner, depth+1)
		case "bookmark", "bookmark-start":
			if name := c.Attr("name"); r.anchor == "" && !strings.HasPrefix(name, "_") {
				r.anchor = name
			}
		case "note":
			if mark := r.d.noteMark(c); mark != "" && r.d.noted < mostNotes {
				r.d.noted++
				r.d.notes = append(r.d.notes, c)
				add(" [" + mark + "]")
			}
		case "frame":
			if len(r.frames) < 100 {
				r.frames = append(r.frames, c)
			}
		case "soft-page-break":
			if len(r.runs) == 0 {
				r.pagesBefore++
			} else {
				r.pages++
			}
		case "annotation", "annotation-end", "change", "change-start", "change-end", "ruby-text", "alphabetical-index-mark",
			"alphabetical-index-mark-start", "page-number", "desc", "title":
		default: // fields, and unknown elements
			r.readRuns(c, like, depth+1)
		}
	}
}

// collapse is a text with single blanks, as the format has it.
func collapse(s string) string {
	if !strings.ContainsAny(s, "\n\t\r") && !strings.Contains(s, "  ") {
		return s
	}
	out := strings.Join(strings.Fields(s), " ")
	if s[0] <= ' ' {
		out = " " + out
	}
	if last := s[len(s)-1]; last <= ' ' && len(out) > 1 {
		out += " "
	}
	return out
}
