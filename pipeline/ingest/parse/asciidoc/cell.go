package asciidoc

import (
	"slices"
	"strings"

	"docent/pipeline/ingest/parse/build"
)

// cellInline is the content of a cell as an inline: its paragraphs, items and lines of code
// are lines of the cell.
func (p *page) cellInline(c tableCell, style byte) string {
	w := cellWriter{page: p}
	switch style {
	case 'l':
		for _, l := range c.text {
			w.addCode(l)
		}
	case 'm':
		for _, l := range c.text {
			w.addCode(p.expand(l))
		}
	case 'a':
		w.addBlocks(c.text)
	default:
		for _, l := range c.text {
			w.addLine(l)
		}
	}
	w.endParagraph()
	return strings.Join(w.parts, build.Break)
}

// cellWriter makes the lines of a cell.
type cellWriter struct {
	page  *page
	parts []string
	open  []string // the lines of the paragraph
	lead  string   // stands before it
}

// addLine adds a line of text.
func (w *cellWriter) addLine(t string) {
	if t = strings.TrimSpace(t); t == "" {
		w.endParagraph()
		return
	}
	w.open = append(w.open, t)
}

// endParagraph writes the lines that are open.
func (w *cellWriter) endParagraph() {
	if len(w.open) > 0 {
		w.parts = append(w.parts, w.lead+w.page.inline(w.page.expand(withoutLastBreak(strings.Join(w.open, "\n")))))
	}
	w.open, w.lead = nil, ""
}

// addCode adds a line of code.
func (w *cellWriter) addCode(t string) {
	w.endParagraph()
	if t = strings.TrimSpace(t); t != "" {
		w.parts = append(w.parts, build.CodeInline(t))
	}
}

// addBlocks adds the blocks of a cell that is a document of its own.
func (w *cellWriter) addBlocks(ls []string) {
	fence := ""
	var nested []string // lines of a table within the cell; its border first
	for _, t := range ls {
		trimmed := strings.TrimSpace(t)
		switch {
		case nested != nil && trimmed != nestedBorder:
			nested = append(nested, t)
		case nested != nil:
			w.addTable(nested[1:])
			nested = nil
		case fence == "" && trimmed == nestedBorder:
			w.endParagraph()
			nested = []string{t}
		case fence != "":
			if trimmed == fence {
				fence = ""
				continue
			}
			w.addCode(calloutMark().ReplaceAllString(t, ""))
		case isFence(trimmed):
			w.endParagraph()
			if len(trimmed) > 2 && strings.IndexByte("-.+`", trimmed[0]) >= 0 {
				fence = trimmed
				if trimmed[0] == '`' {
					fence = "```"
				}
			}
		case trimmed == "+" || trimmed == "'''" || styleLine().MatchString(trimmed) || idLine().MatchString(trimmed):
			w.endParagraph()
		default:
			w.addBlockLine(trimmed)
		}
	}
	if len(nested) > 1 { // without its end
		w.addTable(nested[1:])
	}
}

// nestedBorder is the line above and below a table within a cell.
const nestedBorder = "!==="

// addTable adds a table within the cell: each of its rows is a line.
func (w *cellWriter) addTable(lines []string) {
	var t table
	for _, l := range lines {
		t.addLine(line{text: l}, nestedBorder[:1])
	}
	rows, _ := w.page.layOutRows(&t)
	for _, row := range rows {
		cells := slices.DeleteFunc(row, func(c string) bool { return c == "" })
		w.parts = append(w.parts, strings.Join(cells, " · "))
	}
}

// addBlockLine adds a line of a paragraph, or one that begins something.
func (w *cellWriter) addBlockLine(t string) {
	if m := itemLine().FindStringSubmatch(t); m != nil {
		w.endParagraph()
		w.lead = "• "
		w.addLine(m[2])
		return
	}
	if m := macroLine().FindStringSubmatch(t); m != nil && m[1] == "image" {
		w.endParagraph()
		w.parts = append(w.parts, w.page.image(m[2], m[3]))
		return
	}
	if m := titleLine().FindStringSubmatch(t); m != nil && len(w.open) == 0 {
		w.parts = append(w.parts, build.Strong(w.page.inline(w.page.expand(m[1]))))
		return
	}
	w.addLine(t)
}

// image is an image by its target and its attributes. That of a component of Antora is a
// resource of it.
func (p *page) image(to, attributes string) string {
	if to = p.expand(to); !strings.Contains(to, "://") {
		if found, ok := p.site.resource(to, "image"); ok {
			to = "/" + found
		}
	}
	return build.ImageInline(p.expand(imageText(attributes)), to)
}

// imageText is what the attributes of an image say in its place.
func imageText(attributes string) string {
	if _, after, ok := strings.Cut(attributes, "alt="); ok {
		if quoted, ok := strings.CutPrefix(after, `"`); ok {
			alt, _, _ := strings.Cut(quoted, `"`)
			return alt
		}
		alt, _, _ := strings.Cut(after, ",")
		return alt
	}
	alt, _, _ := strings.Cut(attributes, ",")
	if strings.Contains(alt, "=") && !strings.HasPrefix(alt, `"`) {
		return ""
	}
	return strings.Trim(alt, `"`)
}
