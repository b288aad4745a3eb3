package rst

import (
	"strings"

	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/ingest/parse/rst/inline"
	"docent/store/doc"
)

// writeTable writes a table; cells that are not given are empty.
func (w *writer) writeTable(n *node) {
	if n.text != "" {
		w.Paragraph(build.Strong(w.inlineText(n.text)))
		w.placeNode(n)
	}
	var header []string
	var rows [][]string
	var places []doc.Location
	for i, row := range n.rows {
		cells := make([]string, len(row))
		at := doc.Location{Line: min(n.line, w.lines)}
		for k, c := range row {
			cells[k] = w.cellInline(c.kids)
			if k == 0 && len(c.kids) > 0 {
				at.Line = min(c.kids[0].line, w.lines)
			}
		}
		switch {
		case i == 0 && n.header > 0:
			header = cells
		case i < n.header: // a head of several rows
			for k := range cells {
				if k < len(header) && cells[k] != "" && cells[k] != header[k] {
					header[k] = strings.TrimSpace(header[k] + " " + cells[k])
				}
			}
		default:
			rows, places = append(rows, cells), append(places, at)
		}
	}
	w.WriteTable(header, rows, places...)
}

// cellInline is the content of a cell as an inline.
func (w *writer) cellInline(kids []*node) string {
	var parts []string
	for _, k := range kids {
		switch k.kind {
		case paragraph, rubric, heading:
			parts = append(parts, w.inlineText(k.text))
		case lineBlock:
			parts = append(parts, strings.Split(w.inlineText(k.text), "\n")...)
		case code, math:
			for l := range strings.SplitSeq(k.text, "\n") {
				parts = append(parts, build.CodeInline(l))
			}
		case bullets, numbers:
			for _, it := range k.kids {
				parts = append(parts, "• "+w.cellInline(it.kids))
			}
		case image:
			parts = append(parts, build.TextInline(k.text))
		case object:
			for _, s := range k.args {
				parts = append(parts, signature(k.name, s))
			}
			parts = append(parts, w.cellInline(k.kids))
		case table:
			for _, row := range k.rows {
				for _, c := range row {
					parts = append(parts, w.cellInline(c.kids))
				}
			}
		case definition, option, field, version, note, footnote:
			label := k.text
			if k.kind == field {
				label = k.name
			}
			parts = append(parts, strings.TrimSpace(build.Strong(w.inlineText(label))+" "+w.cellInline(k.kids)))
		default:
			parts = append(parts, w.cellInline(k.kids))
		}
	}
	kept := parts[:0]
	for _, s := range parts {
		if strings.TrimSpace(s) != "" {
			kept = append(kept, s)
		}
	}
	return strings.Join(kept, build.Break)
}

// inlineText is a text as Markdown.
func (w *writer) inlineText(text string) string {
	var b strings.Builder
	lost := 0 // line ends in markup that are not in its text
	for _, in := range w.page.Inlines(text, 0) {
		var s string
		switch in.Kind {
		case inline.Strong:
			s = build.Strong(build.TextInline(in.Text))
		case inline.Emphasis:
			s = build.Emphasis(build.TextInline(in.Text))
		case inline.Literal:
			s = build.CodeInline(in.Text)
		default:
			s = build.TextInline(in.Text)
			for ; lost > 0 && in.Target == ""; lost-- { // lines of the text stay lines of the source
				i := strings.IndexByte(s, ' ')
				if i < 0 || strings.IndexByte(s[:i], '\n') >= 0 || i+1 < len(s) && s[i+1] == '\n' {
					break
				}
				s = s[:i] + "\n" + s[i+1:]
			}
		}
		if in.Target != "" {
			s = linked(s, in.Text, in.Target)
		}
		lost += max(0, in.Lines-strings.Count(s, "\n"))
		b.WriteString(s)
	}
	return b.String()
}

// linked is a link; an address that is its own text is written once.
func linked(shown, text, target string) string {
	if text == target && isWebAddress(target) && !strings.ContainsAny(target, " <>\n\\`{|&") {
		return "<" + target + ">"
	}
	return build.LinkInline(shown, target)
}

func isWebAddress(target string) bool {
	return strings.HasPrefix(target, "http://") || strings.HasPrefix(target, "https://")
}
