package json

import (
	"cmp"
	"strconv"
	"strings"

	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/spacing"
	"docent/store/doc"
)

// Bounds of JSON by structure.
const (
	maxItems   = 200 // of a list
	maxColumns = 10
)

// structure writes JSON of no known kind: objects are sections by their path, lists of
// objects that are alike tables.
func (p *page) structure() {
	title := cmp.Or(p.root.textMember("title"), p.root.textMember("name"))
	p.w.Title(title)
	p.setPlace(p.root, "")
	p.w.Heading(1, build.TextInline(title), "")
	p.writeProse(p.root.getMember("description"), 1, "/description")
	if p.root.kind == list {
		p.writeItems(p.root, "", "", 1)
		return
	}
	p.writeMembers(p.root, "", "", 1)
}

// writeMembers writes the members of an object: those with a line of text first.
func (p *page) writeMembers(v *value, name, pointer string, level int) {
	for _, m := range v.allMembers() {
		if pointer == "" && (m.name == "title" || m.name == "description") && m.value.kind == text {
			continue
		}
		if m.value.kind == object || m.value.kind == list {
			continue
		}
		p.setPlace(m.value, memberPointer(pointer, m.name))
		p.w.Open(build.Bullet)
		p.w.Paragraph(build.CodeInline(m.name) + ": " + valueInline(m.value))
		p.w.Close()
	}
	for _, m := range v.allMembers() {
		if !p.isAlive() {
			return
		}
		if m.value.kind != object && m.value.kind != list || len(m.value.items)+len(m.value.members) == 0 {
			continue
		}
		path := m.name
		if name != "" {
			path = name + "." + m.name
		}
		p.writeSection(m.value, path, path, memberPointer(pointer, m.name), level+1)
	}
}

// writeSection writes an object or list below a heading; values deeper than the levels of
// headings as code. name is its path.
func (p *page) writeSection(v *value, heading, name, pointer string, level int) {
	p.setPlace(v, pointer)
	p.w.Heading(min(6, level), build.TextInline(heading), "")
	switch {
	case level > 6:
		var b strings.Builder
		renderAsJSON(&b, v, "", 16<<10)
		p.w.WriteCode("json", b.String())
	case v.kind == list:
		p.writeItems(v, name, pointer, level)
	default:
		p.writeMembers(v, name, pointer, level)
	}
}

// writeItems writes a list.
func (p *page) writeItems(v *value, name, pointer string, level int) {
	items := v.items
	if len(items) > maxItems {
		p.w.Warn("line %d: a list has %d items; the first %d are read", v.line, len(items), maxItems)
		items = items[:maxItems]
	}
	if columns := commonColumns(items); columns != nil {
		p.writeTable(items, columns, pointer)
		return
	}
	for i, item := range items {
		if !p.isAlive() {
			return
		}
		at := pointer + "/" + strconv.Itoa(i)
		if item.kind == object || item.kind == list {
			path := name + "[" + strconv.Itoa(i) + "]"
			p.writeSection(item, objectTitle(item, path), path, at, level+1)
			continue
		}
		p.setPlace(item, at)
		p.w.Open(build.Bullet)
		p.w.Paragraph(valueInline(item))
		p.w.Close()
	}
}

// objectTitle is what an object in a list calls itself.
func objectTitle(v *value, or string) string {
	for _, key := range [...]string{"title", "name", "label", "id", "key"} {
		if s := v.textMember(key); s != "" && len(s) < 100 {
			return s
		}
	}
	return or
}

// commonColumns are the columns of a table of objects that have the same members, all of them
// with a line of text; nil where they are not alike.
func commonColumns(items []*value) []string {
	if len(items) < 2 {
		return nil
	}
	var columns []string
	seen := map[string]bool{}
	cells := 0
	for _, item := range items {
		if item.kind != object {
			return nil
		}
		for _, m := range item.members {
			if m.value.kind == object || m.value.kind == list && !isListOfScalars(m.value) || len(m.value.text) > 500 {
				return nil
			}
			cells++
			if !seen[m.name] {
				seen[m.name] = true
				if columns = append(columns, m.name); len(columns) > maxColumns {
					return nil
				}
			}
		}
	}
	if len(columns) == 0 || 10*cells < 6*len(columns)*len(items) {
		return nil
	}
	return columns
}

// isListOfScalars reports whether a list has a few values and no objects.
func isListOfScalars(v *value) bool {
	for _, i := range v.items {
		if i.kind == object || i.kind == list {
			return false
		}
	}
	return len(v.items) <= 12
}

func (p *page) writeTable(items []*value, columns []string, pointer string) {
	header := make([]string, len(columns))
	for i, c := range columns {
		header[i] = build.TextInline(c)
	}
	var rows [][]string
	var places []doc.Location
	for i, item := range items {
		row := make([]string, len(columns))
		for k, c := range columns {
			if v := item.getMember(c); v != nil {
				row[k] = valueInline(v)
			}
		}
		rows = append(rows, row)
		places = append(places, p.placeOf(item, pointer+"/"+strconv.Itoa(i)))
	}
	p.w.WriteTable(header, rows, places...)
}

// valueInline is a value as an inline: a text as such, others as code.
func valueInline(v *value) string {
	switch {
	case v.kind == list:
		var all []string
		for _, i := range v.items {
			all = append(all, valueInline(i))
		}
		return strings.Join(all, ", ")
	case v.kind == text && (isSentence(v.text) || strings.Contains(v.text, " ")):
		return build.TextInline(spacing.Single(v.text))
	case v.kind == text && v.text == "":
		return build.CodeInline(`""`)
	}
	return build.CodeInline(cmp.Or(v.text, "null"))
}

// renderAsJSON writes a value as JSON with two blanks a level, at most about most bytes.
func renderAsJSON(b *strings.Builder, v *value, indent string, most int) {
	if b.Len() > most {
		return
	}
	deeper := indent + "  "
	switch {
	case v == nil || v.kind == null:
		b.WriteString("null")
	case v.kind == text:
		b.WriteString(`"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "\r", "").Replace(v.text) + `"`)
	case v.kind == object && len(v.members) > 0:
		b.WriteString("{")
		for i, m := range v.members {
			if b.Len() > most {
				b.WriteString("…")
				return
			}
			if i > 0 {
				b.WriteString(",")
			}
			b.WriteString("\n" + deeper + strconv.Quote(m.name) + ": ")
			renderAsJSON(b, m.value, deeper, most)
		}
		b.WriteString("\n" + indent + "}")
	case v.kind == object:
		b.WriteString("{}")
	case v.kind == list && len(v.items) > 0 && isListOfScalars(v):
		b.WriteString("[")
		for i, item := range v.items {
			if i > 0 {
				b.WriteString(", ")
			}
			renderAsJSON(b, item, indent, most)
		}
		b.WriteString("]")
	case v.kind == list && len(v.items) > 0:
		b.WriteString("[")
		for i, item := range v.items {
			if b.Len() > most {
				b.WriteString("…")
				return
			}
			if i > 0 {
				b.WriteString(",")
			}
			b.WriteString("\n" + deeper)
			renderAsJSON(b, item, deeper, most)
		}
		b.WriteString("\n" + indent + "]")
	case v.kind == list:
		b.WriteString("[]")
	default:
		b.WriteString(v.text)
	}
}
