package json

import (
	"maps"
	"path"
	"strings"

	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/plural"
	"docent/pipeline/text/shorten"
	"docent/pipeline/text/spacing"
	"docent/store/doc"
)

// Bounds of schemas.
const (
	maxFollow  = 20  // references that lead to each other
	maxType    = 4   // kinds of a kind
	maxNested  = 4   // objects in objects whose properties stand in one table
	maxRows    = 500 // of a table of properties
	maxValuesK = 40  // allowed values that are listed
	maxExample = 60  // lines of an example
)

// isSchema reports whether a document is a JSON Schema.
func isSchema(v *value) bool {
	if strings.Contains(v.said("$schema"), "json-schema.org") {
		return true
	}
	return v.get("properties").isObject() && (v.said("type") == "object" || v.said("$id") != "" || v.get("definitions").isObject() || v.get("$defs").isObject())
}

// follow returns the target of a reference, through others too; v itself if it is not a
// reference, or one that leads out of the document.
func (p *page) follow(v *value) *value {
	for range maxFollow {
		ref := v.said("$ref")
		if ref == "" {
			return v
		}
		to := p.pointed(ref)
		if to == nil || to == v {
			return v
		}
		v = to
	}
	return v
}

// pointed is the value at a pointer of the document: "#/components/schemas/Pet".
func (p *page) pointed(ref string) *value {
	pointer, ok := strings.CutPrefix(ref, "#/")
	if !ok || len(pointer) > 1000 {
		return nil
	}
	v := p.root
	for part := range strings.SplitSeq(pointer, "/") {
		part = strings.NewReplacer("~1", "/", "~0", "~", "%7B", "{", "%7D", "}", "%20", " ").Replace(part)
		if v = v.get(part); v == nil {
			return nil
		}
	}
	return v
}

// typeOf is the type of a schema as an inline: with the names of other schemas as links.
func (p *page) typeOf(v *value, depth int) string {
	if !v.isObject() || depth > maxType || !p.spend(1) {
		return ""
	}
	if ref := v.said("$ref"); ref != "" {
		to := p.follow(v)
		if name := p.schemas[to]; name != "" {
			return build.Link(build.Text(name), "#"+anchorOf(name))
		}
		if to != v && depth < maxType {
			return p.typeOf(to, depth+1)
		}
		return build.Text(path.Base(ref))
	}
	if name := p.schemas[v]; name != "" && depth > 0 {
		return build.Link(build.Text(name), "#"+anchorOf(name))
	}
	for _, way := range [...][2]string{{"oneOf", " or "}, {"anyOf", " or "}, {"allOf", " and "}} {
		var parts []string
		for _, s := range v.get(way[0]).each() {
			if t := p.typeOf(s, depth+1); t != "" && len(parts) < 12 {
				parts = append(parts, t)
			}
		}
		if len(parts) > 0 {
			return strings.Join(parts, way[1])
		}
	}
	kind := v.said("type")
	if t := v.get("type"); t != nil && t.items != nil { // 3.1: ["string", "null"]
		var kinds []string
		for _, k := range t.items[:min(len(t.items), 8)] {
			kinds = append(kinds, k.words())
		}
		kind = strings.Join(kinds, " or ")
	}
	switch {
	case kind == "array" || kind == "" && v.get("items") != nil:
		if of := p.typeOf(v.get("items"), depth+1); of != "" {
			return "array of " + of
		}
		return "array"
	case v.get("additionalProperties").isObject() && v.get("properties") == nil:
		if of := p.typeOf(v.get("additionalProperties"), depth+1); of != "" {
			return "map of " + of
		}
	case kind == "" && v.get("properties") != nil:
		kind = "object"
	case kind == "" && v.get("enum") != nil:
		kind = "string"
	}
	if f := v.said("format"); f != "" {
		kind = join(kind, "("+f+")")
	}
	if v.get("nullable").isTrue() {
		kind += " or null"
	}
	return build.Text(kind)
}

// describe is what a property, or a parameter with its schema, is: its description and
// the bounds of its values, in one line.
func (p *page) describe(v, schema *value) string {
	text := cell(v.said("description"))
	if schema != v && text == "" {
		text = cell(schema.said("description"))
	}
	schema = p.follow(schema)
	if text == "" {
		text = cell(or(schema.said("description"), schema.said("title")))
	}
	return join(text, p.bounds(schema))
}

// bounds are the default and what limits the values of a schema.
func (p *page) bounds(v *value) string {
	var all []string
	if d := v.get("default"); d != nil {
		all = append(all, "Default: "+build.Span(short(d))+".")
	}
	values := v.get("enum")
	if values == nil {
		values = p.follow(v.get("items")).get("enum")
	}
	var names []string
	for _, e := range values.each() {
		if len(names) == maxValuesK {
			names = append(names, "…")
			break
		}
		names = append(names, build.Span(short(e)))
	}
	if len(names) > 0 {
		all = append(all, "One of: "+strings.Join(names, ", ")+".")
	}
	if c := v.get("const"); c != nil {
		all = append(all, "Always "+build.Span(short(c))+".")
	}
	for _, b := range [...][2]string{{"minimum", "At least"}, {"exclusiveMinimum", "More than"}, {"maximum", "At most"}, {"exclusiveMaximum", "Less than"},
		{"minLength", "Shortest length:"}, {"maxLength", "Longest length:"}, {"pattern", "Pattern:"}, {"minItems", "Fewest items:"}, {"maxItems", "Most items:"}} {
		if x := v.get(b[0]); x != nil && (x.kind == number || x.kind == text) {
			all = append(all, b[1]+" "+build.Span(short(x))+".")
		}
	}
	if v.get("readOnly").isTrue() {
		all = append(all, "Read only.")
	}
	if v.get("deprecated").isTrue() {
		all = append(all, "Deprecated.")
	}
	if m := or(v.said("deprecationMessage"), v.said("markdownDeprecationMessage")); m != "" {
		all = append(all, "Deprecated: "+cell(m))
	}
	return strings.Join(all, " ")
}

// short is a value as a line of JSON, cut where it is long.
func short(v *value) string {
	var b strings.Builder
	render(&b, v, "", 200)
	s := spacing.Single(b.String())
	if v != nil && v.kind == text && v.text != "" {
		s = v.text
	}
	s = shorten.Bytes(s, 200)
	return s
}

// schema writes what a schema says, below its heading.
func (p *page) schema(v *value, level int, pointer string) {
	p.at(v, pointer)
	p.prose(v.get("description"), level, pointer+"/description")
	line := ""
	if t := p.typeOf(v, 0); t != "" && !(t == "object" && v.get("properties") != nil) {
		line = build.Strong("Type:") + " " + t
	}
	if line = join(line, p.bounds(v)); line != "" {
		p.w.Paragraph(line)
	}
	p.properties(v, pointer)
	p.example(v)
}

// property is a property of a schema, or one of an object in it.
type property struct {
	path     string
	value    *value
	required bool
	line     int
	pointer  string
}

// collect gathers the properties of a schema with those of schemas that it is made of,
// and of objects without a name in it. open are the schemas on the way, since schemas
// may have themselves as a part; needed are the names that a schema asks of its parts.
func (p *page) collect(v *value, prefix, pointer string, needed map[string]bool, open []*value, out []property) []property {
	schema := p.follow(v)
	for _, o := range open {
		if o == schema {
			return out
		}
	}
	if !p.spend(20) || len(open) > maxNested || len(out) >= maxRows || !schema.isObject() {
		return out
	}
	open = append(open[:len(open):len(open)], schema)
	required := maps.Clone(needed)
	if required == nil {
		required = map[string]bool{}
	}
	for _, r := range schema.get("required").each() {
		required[r.words()] = true
	}
	for _, part := range schema.get("allOf").each() {
		out = p.collect(part, prefix, pointer, required, open, out)
	}
	for _, m := range schema.get("properties").all() {
		if len(out) >= maxRows {
			return out
		}
		at := below(pointer+"/properties", m.name)
		name := prefix + m.name
		out = append(out, property{name, m.value, required[m.name], m.line, at})
		inner := p.follow(m.value)
		suffix := "."
		if items := inner.get("items"); items != nil {
			inner, suffix = p.follow(items), "[]."
			if m.value.get("items").said("$ref") != "" && p.schemas[inner] != "" {
				continue
			}
		}
		if p.schemas[inner] == "" && inner.get("properties").isObject() {
			out = p.collect(inner, name+suffix, at, nil, open, out)
		}
	}
	return out
}

// properties writes the properties of a schema as a table.
func (p *page) properties(v *value, pointer string) {
	if schema := p.follow(v); schema.get("items") != nil && schema.get("properties") == nil {
		v = schema.get("items")
		if p.schemas[p.follow(v)] != "" {
			return
		}
	}
	all := p.collect(v, "", pointer, nil, nil, nil)
	if len(all) == 0 {
		return
	}
	var rows [][]string
	var places []doc.Location
	for _, x := range all {
		need := ""
		if x.required {
			need = "yes"
		}
		rows = append(rows, []string{build.Span(x.path), p.typeOf(x.value, 0), need, p.describe(x.value, x.value)})
		places = append(places, p.place(&value{line: x.line}, x.pointer))
	}
	p.w.Table([]string{"Property", "Type", "Required", "Description"}, rows, places...)
	if len(all) >= maxRows {
		p.w.Warn("line %d: a schema has more than %s; the first are shown", v.line, plural.Count(maxRows, "property", "properties"))
	}
}

// example writes an example of a schema or a content.
func (p *page) example(v *value) {
	e := v.get("example")
	if e == nil {
		if all := v.get("examples"); all != nil && len(all.items) > 0 {
			e = all.items[0]
		} else if m := all.all(); len(m) > 0 {
			e = p.follow(m[0].value).get("value")
		}
	}
	if e == nil || e.kind != object && e.kind != list {
		return
	}
	var b strings.Builder
	render(&b, e, "", 64<<10)
	lines := strings.Split(b.String(), "\n")
	if len(lines) > maxExample {
		lines = append(lines[:maxExample], "…")
	}
	p.at(e, "")
	p.w.Paragraph("Example:")
	p.w.Code("json", strings.Join(lines, "\n"))
}

// jsonSchema writes a JSON Schema: each property is a section with its path.
func (p *page) jsonSchema() {
	v := p.root
	title := v.said("title")
	p.w.Title(title)
	p.w.About(v.said("$id"))
	p.at(v, "")
	p.w.Heading(1, build.Text(title), "")
	p.schemas = p.named()
	p.prose(v.get("description"), 1, "/description")
	p.settings(v, "", "", 2, nil)
	p.example(v)
	for _, key := range [...]string{"definitions", "$defs"} {
		all := v.get(key)
		if len(all.all()) == 0 {
			continue
		}
		p.at(all, "/"+key)
		p.w.Heading(2, "Definitions", "")
		for _, m := range all.all() {
			if !p.alive() {
				return
			}
			at := below("/"+key, m.name)
			p.w.At(p.place(&value{line: m.line}, at))
			p.w.Heading(3, build.Text(m.name), anchorOf(m.name))
			p.schema(m.value, 3, at)
		}
	}
}

// settings writes the properties of a schema as sections, those of objects in it below
// them.
func (p *page) settings(v *value, prefix, pointer string, level int, open []*value) {
	for _, o := range open {
		if o == v {
			return
		}
	}
	if len(open) > maxNested+2 {
		return
	}
	open = append(open[:len(open):len(open)], v)
	required := map[string]bool{}
	for _, r := range v.get("required").each() {
		required[r.words()] = true
	}
	for _, part := range v.get("allOf").each() {
		p.settings(p.follow(part), prefix, pointer, level, open)
	}
	for _, m := range v.get("properties").all() {
		if !p.alive() {
			return
		}
		name, at := prefix+m.name, below(pointer+"/properties", m.name)
		p.w.At(p.place(&value{line: m.line}, at))
		p.w.Heading(min(6, level), build.Text(name), name)
		schema := p.follow(m.value)
		line := ""
		if t := p.typeOf(m.value, 0); t != "" {
			line = build.Strong("Type:") + " " + t + "."
		}
		if required[m.name] {
			line = join(line, "Required.")
		}
		if line = join(line, p.bounds(schema)); line != "" {
			p.w.Paragraph(line)
		}
		for _, key := range [...]string{"markdownDescription", "description"} {
			d := m.value.get(key)
			if d == nil && p.schemas[schema] == "" {
				d = schema.get(key)
			}
			if d.words() != "" {
				p.prose(d, level, at+"/"+key)
				break
			}
		}
		p.meanings(schema)
		p.example(schema)
		if p.schemas[schema] != "" {
			continue
		}
		p.settings(schema, name+".", at, level+1, open)
		if items := p.follow(schema.get("items")); items.get("properties").isObject() && p.schemas[items] == "" {
			p.settings(items, name+"[].", at+"/items", level+1, open)
		}
	}
}

// meanings writes what the allowed values mean, where a schema says so.
func (p *page) meanings(v *value) {
	texts := v.get("enumDescriptions")
	if texts == nil {
		texts = v.get("markdownEnumDescriptions")
	}
	values := v.get("enum").each()
	if len(texts.each()) > 0 && len(values) > 0 {
		p.at(texts, "")
		p.w.Paragraph("Values:")
	}
	for i, t := range texts.each() {
		if i >= len(values) || t.words() == "" {
			continue
		}
		p.at(t, "")
		p.w.Open(build.Bullet)
		p.w.Paragraph(build.Span(short(values[i])) + ": " + spacing.Single(t.words()))
		p.w.Close()
	}
}
