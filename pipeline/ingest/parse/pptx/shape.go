package pptx

import (
	"maps"
	"slices"
	"strings"

	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/ingest/parse/office"
	"docent/pipeline/text/spacing"
)

// sortedIDs are the ids of relations in order.
func sortedIDs(all map[string]office.Relation) []string { return slices.Sorted(maps.Keys(all)) }

// writeShapes writes the texts of shapes, all but the title's.
func (p *presentation) writeShapes(in, title *office.Node, depth int) {
	for _, n := range office.ChildrenOf(in) {
		switch n.Name {
		case "sp", "cxnSp":
			kind, placeholder := kindOf(n)
			switch {
			case n == title:
			case kind == "ftr" || kind == "sldNum" || kind == "dt" || kind == "hdr":
			default:
				p.writeText(n.Child("txBody"), placeholder && kind != "subTitle" && kind != "ctrTitle" && kind != "title")
			}
		case "grpSp":
			if depth < deepest {
				p.writeShapes(n, title, depth+1)
			}
		case "graphicFrame":
			if table := n.Find("tbl"); table != nil {
				p.writeTable(table)
			}
		case "pic":
			if about := spacing.Single(n.Child("nvPicPr").Child("cNvPr").Attr("descr")); about != "" {
				p.Writer.Paragraph(build.TextInline("[" + about + "]"))
			}
		case "AlternateContent":
			if depth < deepest {
				p.writeShapes(n.Child("Choice"), title, depth+1)
			}
		}
	}
}

// writeText writes the paragraphs of a shape. bulleted says that they are items unless they say
// otherwise, as those of a slide's body are.
func (p *presentation) writeText(body *office.Node, bulleted bool) {
	p.numbers = map[int]int{}
	paragraphs := 0
	for _, n := range office.ChildrenOf(body) {
		if n.Name == "p" && strings.TrimSpace(n.PlainText()) != "" {
			paragraphs++
		}
	}
	var code []string
	endCode := func() {
		if len(code) > 0 {
			p.closeItems(0)
			p.Writer.WriteCode("", strings.Join(code, "\n"))
		}
		code = nil
	}
	for _, n := range office.ChildrenOf(body) {
		if n.Name != "p" {
			continue
		}
		runs := p.runsOf(n)
		text := strings.TrimSpace(office.RunsInline(runs))
		if office.RunsAreCode(runs) {
			code = append(code, strings.Split(strings.TrimRight(office.RunsText(runs), "\n"), "\n")...)
			continue
		}
		if text == "" {
			if len(code) > 0 {
				code = append(code, "")
			}
			continue
		}
		endCode()
		properties := n.Child("pPr")
		level := 0
		if l := properties.Attr("lvl"); len(l) == 1 && l[0] >= '0' && l[0] <= '8' {
			level = int(l[0] - '0')
		}
		item := bulleted && (paragraphs > 1 || level > 0)
		numbered := properties.Child("buAutoNum") != nil
		switch {
		case properties.Child("buNone") != nil:
			item = false
		case numbered, properties.Child("buChar") != nil, properties.Child("buBlip") != nil:
			item = true
		}
		if !item {
			p.closeItems(0)
			p.Writer.Paragraph(text)
			continue
		}
		p.openItem(level, numbered)
		p.Writer.Paragraph(text)
	}
	endCode()
	p.closeItems(0)
}

// openItem opens an item of a list of a level.
func (p *presentation) openItem(level int, numbered bool) {
	n := len(p.open)
	for n > 0 && p.open[n-1] >= level {
		n--
	}
	p.closeItems(n)
	for deeper := range p.numbers {
		if deeper > level || deeper == level && !numbered {
			delete(p.numbers, deeper)
		}
	}
	if numbered {
		p.numbers[level]++
		p.Writer.Open(build.Number(p.numbers[level]))
	} else {
		p.Writer.Open(build.Bullet)
	}
	p.open = append(p.open, level)
}

// closeItems closes items of lists down to n.
func (p *presentation) closeItems(n int) {
	for len(p.open) > n {
		p.Writer.Close()
		p.open = p.open[:len(p.open)-1]
	}
}

// runsOf are the runs of a paragraph.
func (p *presentation) runsOf(n *office.Node) []office.Run {
	var runs []office.Run
	for _, c := range n.Children {
		switch c.Name {
		case "r", "fld":
			properties := c.Child("rPr")
			run := office.Run{Text: c.Child("t").PlainText(), Bold: isTrue(properties.Attr("b")), Italic: isTrue(properties.Attr("i")),
				Mono: office.IsMonoFont(strings.ToLower(properties.Child("latin").Attr("typeface")))}
			if link := properties.Child("hlinkClick"); link != nil {
				if to := p.links[link.Attr("id")]; to.External && len(to.Target) < 2<<10 {
					run.Link = to.Target
				}
			}
			if run.Text != "" {
				runs = append(runs, run)
			}
		case "br":
			runs = append(runs, office.Run{Text: "\n"})
		case "m", "oMath", "AlternateContent":
			if text := c.Find("oMath").PlainText(); text != "" {
				runs = append(runs, office.Run{Text: text})
			}
		}
	}
	return runs
}

func isTrue(s string) bool { return s == "1" || s == "true" }

// writeTable writes a table; its first row is the header.
func (p *presentation) writeTable(table *office.Node) {
	var rows [][]string
	for _, tr := range table.Children {
		if tr.Name != "tr" {
			continue
		}
		var row []string
		for _, tc := range tr.Children {
			if tc.Name != "tc" {
				continue
			}
			var parts []string
			for _, n := range office.ChildrenOf(tc.Child("txBody")) {
				if n.Name == "p" {
					if text := strings.TrimSpace(office.RunsInline(p.runsOf(n))); text != "" {
						parts = append(parts, strings.ReplaceAll(text, "\n", " "))
					}
				}
			}
			row = append(row, strings.Join(parts, build.Break))
		}
		rows = append(rows, row)
	}
	if len(rows) > 0 {
		p.Writer.WriteTable(rows[0], rows[1:])
	}
}

// writeDiagram writes the texts of a diagram as a list.
func (p *presentation) writeDiagram(root *office.Node) {
	for _, point := range office.ChildrenOf(root.Find("ptLst")) {
		var parts []string
		for _, n := range office.ChildrenOf(point.Child("t")) {
			if n.Name == "p" {
				if text := strings.TrimSpace(office.RunsInline(p.runsOf(n))); text != "" {
					parts = append(parts, text)
				}
			}
		}
		if len(parts) > 0 {
			p.Writer.Open(build.Bullet)
			p.Writer.Paragraph(strings.Join(parts, "\n"))
			p.Writer.Close()
		}
	}
}

// writeNotes writes the speaker's notes.
func (p *presentation) writeNotes(root *office.Node) {
	for _, n := range office.ChildrenOf(root.Find("spTree")) {
		kind, _ := kindOf(n)
		if n.Name != "sp" || kind != "body" || strings.TrimSpace(textOf(n)) == "" {
			continue
		}
		p.Writer.Open(build.NoteContainer("note", "Notes"))
		p.writeText(n.Child("txBody"), false)
		p.Writer.Close()
	}
}
