package rst

import (
	"encoding/csv"
	"io"
	"path"
	"strconv"
	"strings"

	"docent/pipeline/ingest/parse/rst/inline"
)

// tableReader reads tables: grids, simple ones, and those that directives list.
type tableReader struct{ *reader }

func (x *reader) tableReader() tableReader { return tableReader{x} }

// readMedia reads images and figures: their captions and descriptions are their text.
func (r tableReader) readMedia(b *run, n *node, c call, all view) bool {
	switch c.name {
	case "image", "figure", "kernel-image", "kernel-figure", "thumbnail", "video", "youtube":
	default:
		return false
	}
	n.kind, n.name = image, strings.Join(strings.Fields(c.argument()), "")
	n.text, _ = c.option("alt")
	n.kids = r.blocks(c.content, false)
	b.out = append(b.out, n)
	return true
}

// listing reads a table of contents: its entries are links to pages.
func (r tableReader) listing(b *run, n *node, c call, all view) bool {
	if c.name == "autosummary" {
		r.summaryNames(b, n, c, all)
		return true
	}
	if c.name != "toctree" {
		return false
	}
	n.kind = links
	n.text, _ = c.option("caption")
	if _, ok := c.option("hidden"); ok {
		n.name = "hidden"
	}
	v := c.bodyOf(all).trimBlank()
	for i := range v.lines {
		t := strings.TrimSpace(v.lineAt(i))
		if t == "" || t == "self" || strings.HasPrefix(t, ".. ") {
			continue
		}
		if _, glob := c.option("glob"); glob && strings.ContainsAny(t, "*?[") {
			for _, p := range r.matching(t) {
				n.links = append(n.links, link{target: p, line: r.lineNumber(v, i)})
			}
			continue
		}
		text, to, ok := inline.ExplicitTarget(t)
		if !ok {
			text, to = "", t
		}
		if !strings.Contains(to, "://") {
			to = strings.TrimSuffix(strings.TrimSuffix(to, ".rst"), ".txt")
		}
		n.links = append(n.links, link{text: text, target: to, line: r.lineNumber(v, i)})
	}
	b.out = append(b.out, n)
	return true
}

// summaryNames reads a list of objects whose descriptions Sphinx takes from source code:
// their names are what the page itself says.
func (r tableReader) summaryNames(b *run, n *node, c call, all view) {
	n.kind = bullets
	v := c.bodyOf(all).trimBlank()
	for i := range v.lines {
		name := strings.TrimSpace(v.lineAt(i))
		if name == "" || beginsWithMark(name, "..") || strings.ContainsAny(name, "`{%") {
			continue
		}
		says := &node{kind: paragraph, line: r.lineNumber(v, i), still: n.still, text: "``" + inline.ShortName(name) + "``"}
		n.kids = append(n.kids, &node{kind: item, line: says.line, still: n.still, kids: []*node{says}})
	}
	if len(n.kids) > 0 {
		b.out = append(b.out, n)
	}
}

// maxGlobbed is the most pages that the patterns of a page's tables of contents give.
const maxGlobbed = 2000

// matching are the pages, without their endings, that a pattern of a table of contents
// names. They are known where the page is read with its doc set.
func (r tableReader) matching(pattern string) []string {
	if r.page.opt.Files == nil {
		return nil
	}
	pattern = r.fileReader().places(pattern)[0]
	var out []string
	for _, p := range r.page.opt.Files(".rst", ".txt") {
		page := strings.TrimSuffix(p, path.Ext(p))
		if ok, err := path.Match(pattern, page); ok && err == nil && p != r.files[0] && r.globbed < maxGlobbed {
			r.globbed++
			out = append(out, "/"+page)
		}
	}
	return out
}

// tables reads tables that are written as lists or as comma-separated values, and the
// title of one that is drawn.
func (r tableReader) tables(b *run, n *node, c call, all view) bool {
	switch c.name {
	case "table", "longtable":
		kids := r.blocks(c.content, false)
		if len(kids) > 0 && kids[0].kind == table {
			kids[0].text = c.argument()
		}
		b.out = append(b.out, kids...)
	case "list-table", "flat-table":
		kids := r.blocks(c.content, false)
		r.listTable(n, c, kids)
		b.out = append(b.out, n)
	case "csv-table":
		r.csvTable(b, n, c)
	default:
		return false
	}
	return true
}

func headerRows(c call) int {
	s, _ := c.option("header-rows")
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return max(0, n)
}

// listTable makes a table of a list of lists.
func (r tableReader) listTable(n *node, c call, kids []*node) {
	n.kind, n.text, n.header = table, c.argument(), headerRows(c)
	for _, k := range kids {
		if k.kind != bullets {
			continue
		}
		for _, row := range k.kids {
			var cells []cell
			for _, inner := range row.kids {
				if inner.kind != bullets {
					continue
				}
				for _, it := range inner.kids {
					cells = append(cells, cell{kids: it.kids})
				}
			}
			if r.cells += len(cells); cells != nil {
				n.rows = append(n.rows, cells)
			}
		}
	}
	if len(n.rows) == 0 {
		n.kind, n.kids = group, kids // no table: what it holds is shown
	}
}

// csvTable makes a table of comma-separated values, in the directive or in a file of
// the doc set.
func (r tableReader) csvTable(b *run, n *node, c call) {
	text := c.content.commonText()
	if file, ok := c.option("file"); ok {
		from := c
		from.args = []string{file}
		if _, text, ok = r.fileReader().openNamed(from); !ok {
			return
		}
	}
	if head, ok := c.option("header"); ok {
		text = head + "\n" + text
		n.header = 1
	}
	n.kind, n.text = table, c.argument()
	n.header += headerRows(c)
	in := csv.NewReader(strings.NewReader(text))
	in.FieldsPerRecord, in.LazyQuotes, in.TrimLeadingSpace = -1, true, true
	if d, ok := c.option("delim"); ok {
		switch d {
		case "tab", "\\t":
			in.Comma = '\t'
		case "space":
			in.Comma = ' '
		case ";", "|", ":", "&", "#":
			in.Comma = rune(d[0])
		}
	}
	for {
		record, err := in.Read()
		if err == io.EOF {
			break
		}
		if err != nil || !r.countCells(c.line, len(record)) {
			if err != nil {
				r.warnAt(c.line, "the rows after %d cannot be read: %v", len(n.rows), err)
			}
			b.out = append(b.out, &node{kind: code, line: c.line, text: text})
			return
		}
		row := make([]cell, len(record))
		for k, s := range record {
			row[k].kids = r.blocks(view{lines: splitLines(s)}, false)
			walkNodes(row[k].kids, func(n *node) { n.line = c.line })
		}
		n.rows = append(n.rows, row)
	}
	b.out = append(b.out, n)
}
