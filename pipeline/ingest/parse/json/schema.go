package json

import (
	"cmp"
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
)

// isSchema reports whether a document is a JSON Schema.
func isSchema(v *value) bool {
	if strings.Contains(v.textMember("$schema"), "json-schema.org") {
		return true
	}
	return v.getMember("properties").isObject() &&
		(v.textMember("type") == "object" || v.textMember("$id") != "" || v.getMember("definitions").isObject() ||
			v.getMember("$defs").isObject())
}

// followReferences returns the target of a reference, through others too; v itself if it is not a
// reference, or one that leads nowhere.
func (p *page) followReferences(v *value) *value {
	for range maxFollow {
		ref := v.textMember("$ref")
		if ref == "" {
			return v
		}
		to := p.valueAtReference(ref, v)
		if to == nil || to == v {
			return v
		}
		v = to
	}
	return v
}

// valueAtReference is the value that a reference leads to: "#/components/schemas/Pet" in the
// document, "pets.yml#/Pet" in another file of the doc set.
func (p *page) valueAtReference(ref string, from *value) *value {
	if pointer, ok := strings.CutPrefix(ref, "#"); ok {
		return valueAt(p.root, pointer)
	}
	return p.otherValue(ref, from)
}

// valueAt is the value at a pointer, or nil. All of a document is at "" and "/".
func valueAt(v *value, pointer string) *value {
	if len(pointer) > 1000 || pointer != "" && pointer[0] != '/' {
		return nil
	}
	if pointer == "" || pointer == "/" {
		return v
	}
	for part := range strings.SplitSeq(pointer[1:], "/") {
		part = strings.NewReplacer("~1", "/", "~0", "~", "%7B", "{", "%7D", "}", "%20", " ").Replace(part)
		if v = v.getMember(part); v == nil {
			return nil
		}
	}
	return v
}

// typeAsInline is the type of a schema as an inline: with the names of other schemas as links.
func (p *page) typeAsInline(v *value, depth int) string {
	if !v.isObject() || depth > maxType || !p.spendSteps(1) {
		return ""
	}
	if ref := v.textMember("$ref"); ref != "" {
		to := p.followReferences(v)
		p.nameOther(ref, to)
		if name := p.schemas[to]; name != "" {
			return build.LinkInline(build.TextInline(name), "#"+anchorOf(name))
		}
		if to != v && depth < maxType {
			return p.typeAsInline(to, depth+1)
		}
		name := path.Base(ref) // "Lamp" of "#/definitions/Lamp" and of "models/Lamp.yml"
		return build.TextInline(strings.TrimSuffix(name, path.Ext(name)))
	}
	if name := p.schemas[v]; name != "" && depth > 0 {
		return build.LinkInline(build.TextInline(name), "#"+anchorOf(name))
	}
	for _, way := range [...][2]string{{"oneOf", " or "}, {"anyOf", " or "}, {"allOf", " and "}} {
		var parts []string
		for _, s := range v.getMember(way[0]).listItems() {
			if t := p.typeAsInline(s, depth+1); t != "" && len(parts) < 12 {
				parts = append(parts, t)
			}
		}
		if len(parts) > 0 {
			return strings.Join(parts, way[1])
		}
	}
	kind := v.textMember("type")
	if t := v.getMember("type"); t != nil && t.items != nil { // 3.1: ["string", "null"]
		var kinds []string
		for _, k := range t.items[:min(len(t.items), 8)] {
			kinds = append(kinds, k.textValue())
		}
		kind = strings.Join(kinds, " or ")
	}
	switch {
	case kind == "array" || kind == "" && v.getMember("items") != nil:
		if of := p.typeAsInline(v.getMember("items"), depth+1); of != "" {
			return "array of " + of
		}
		return "array"
	case v.getMember("additionalProperties").isObject() && v.getMember("properties") == nil:
		if of := p.typeAsInline(v.getMember("additionalProperties"), depth+1); of != "" {
			return "map of " + of
		}
	case kind == "" && v.getMember("properties") != nil:
		kind = "object"
	case kind == "" && v.getMember("enum") != nil:
		kind = "string"
	}
	if f := v.textMember("format"); f != "" {
		kind = joinTexts(kind, "("+f+")")
	}
	if v.getMember("nullable").isTrue() {
		kind = cmp.Or(kind, "any") + " or null"
	}
	return build.TextInline(kind)
}

// descriptionOf is what a property, or a parameter with its schema, is: its description and
// the bounds of its values, in one line.
func (p *page) descriptionOf(v, schema *value) string {
	text := tableCell(v.textMember("description"))
	if schema != v && text == "" {
		text = tableCell(schema.textMember("description"))
	}
	schema = p.followReferences(schema)
	if text == "" {
		text = tableCell(cmp.Or(schema.textMember("description"), schema.textMember("title")))
	}
	return joinTexts(joinTexts(text, choice{p}.describe(schema)), p.boundsOfSchema(schema))
}

// boundsOfSchema are the default and what limits the values of a schema.
func (p *page) boundsOfSchema(v *value) string {
	var all []string
	if d := v.getMember("default"); d != nil {
		all = append(all, "Default: "+build.CodeInline(shortJSON(d))+".")
	}
	values := v.getMember("enum")
	if values == nil {
		values = p.followReferences(v.getMember("items")).getMember("enum")
	}
	var names []string
	for _, e := range values.listItems() {
		if len(names) == maxValuesK {
			names = append(names, "…")
			break
		}
		names = append(names, build.CodeInline(shortJSON(e)))
	}
	if len(names) > 0 {
		all = append(all, "One of: "+strings.Join(names, ", ")+".")
	}
	if c := v.getMember("const"); c != nil {
		all = append(all, "Always "+build.CodeInline(shortJSON(c))+".")
	}
	for _, b := range [...][2]string{{"minimum", "At least"}, {"exclusiveMinimum", "More than"}, {"maximum", "At most"},
		{"exclusiveMaximum", "Less than"},
		{"minLength", "Shortest length:"}, {"maxLength", "Longest length:"}, {"pattern", "Pattern:"}, {"minItems", "Fewest items:"},
		{"maxItems", "Most items:"}} {
		if x := v.getMember(b[0]); x != nil && (x.kind == number || x.kind == text) {
			all = append(all, b[1]+" "+build.CodeInline(shortJSON(x))+".")
		}
	}
	for _, rule := range v.getMember("x-kubernetes-validations").listItems() {
		if text := rule.textMember("rule"); text != "" && len(text) < 400 {
			line := "Rule: " + build.CodeInline(text)
			if message := spacing.Single(rule.textMember("message")); message != "" {
				line += " (" + build.TextInline(message) + ")"
			}
			all = append(all, line+".")
		}
	}
	if v.getMember("readOnly").isTrue() {
		all = append(all, "Read only.")
	}
	if v.getMember("deprecated").isTrue() {
		all = append(all, "Deprecated.")
	}
	if m := cmp.Or(v.textMember("deprecationMessage"), v.textMember("markdownDeprecationMessage")); m != "" {
		all = append(all, "Deprecated: "+tableCell(m))
	}
	return strings.Join(all, " ")
}

// shortJSON is a value as a line of JSON, cut where it is long.
func shortJSON(v *value) string {
	var b strings.Builder
	renderAsJSON(&b, v, "", 200)
	s := spacing.Single(b.String())
	if v != nil && v.kind == text && v.text != "" {
		s = v.text
	}
	s = shorten.Bytes(s, 200)
	return s
}

// writeSchema writes what a schema says, below its heading.
func (p *page) writeSchema(v *value, level int, pointer string) {
	p.setPlace(v, pointer)
	if ref := v.textMember("$ref"); ref != "" && ref[0] != '#' { // the schema stands in another file
		v = p.followReferences(v)
	}
	p.writeProse(v.getMember("description"), level, pointer+"/description")
	line := ""
	if t := p.typeAsInline(v, 0); t != "" && !(t == "object" && v.getMember("properties") != nil) {
		line = build.Strong("Type:") + " " + t
	}
	if line = joinTexts(line, p.boundsOfSchema(v)); line != "" {
		p.w.Paragraph(line)
	}
	p.properties(v, pointer)
	example{p, ""}.write(v)
}

// property is a property of a schema, or one of an object in it.
type property struct {
	path     string
	value    *value
	required bool
	line     int
	pointer  string
}

// collectProperties gathers the properties of a schema with those of schemas that it is made of,
// and of objects without a name in it. open are the schemas on the way, since schemas
// may have themselves as a part; needed are the names that a schema asks of its parts.
func (p *page) collectProperties(v *value, prefix, pointer string, needed map[string]bool, open []*value, out []property) []property {
	schema := p.followReferences(v)
	for _, o := range open {
		if o == schema {
			return out
		}
	}
	if !p.spendSteps(20) || len(open) > maxNested || len(out) >= maxRows || !schema.isObject() {
		return out
	}
	open = append(open[:len(open):len(open)], schema)
	required := maps.Clone(needed)
	if required == nil {
		required = map[string]bool{}
	}
	for _, r := range schema.getMember("required").listItems() {
		required[r.textValue()] = true
	}
	for _, part := range schema.getMember("allOf").listItems() {
		out = p.collectProperties(part, prefix, pointer, required, open, out)
	}
	for _, m := range schema.getMember("properties").allMembers() {
		if len(out) >= maxRows {
			return out
		}
		at := memberPointer(pointer+"/properties", m.name)
		name := prefix + m.name
		out = append(out, property{name, m.value, required[m.name], m.line, at})
		inner := p.followReferences(m.value)
		p.nameOther(m.value.textMember("$ref"), inner)
		suffix := "."
		if items := inner.getMember("items"); items != nil {
			inner, suffix = p.followReferences(items), "[]."
			p.nameOther(items.textMember("$ref"), inner)
			if m.value.getMember("items").textMember("$ref") != "" && p.schemas[inner] != "" {
				continue
			}
		}
		if p.schemas[inner] == "" && hasProperties(inner) {
			out = p.collectProperties(inner, name+suffix, at, nil, open, out)
		}
	}
	return choice{p}.collect(schema, prefix, pointer, open, out)
}

// hasProperties reports whether a schema has properties, by itself or in a part or an alternative that has no
// name. Those with a name are linked to.
func hasProperties(v *value) bool {
	if v.getMember("properties").isObject() {
		return true
	}
	for _, key := range [...]string{"allOf", "oneOf", "anyOf"} {
		for _, part := range v.getMember(key).listItems() {
			if part.getMember("properties").isObject() {
				return true
			}
		}
	}
	return false
}

// properties writes the properties of a schema as a table.
func (p *page) properties(v *value, pointer string) {
	if schema := p.followReferences(v); schema.getMember("items") != nil && schema.getMember("properties") == nil {
		v = schema.getMember("items")
		if p.schemas[p.followReferences(v)] != "" {
			return
		}
	}
	all := p.collectProperties(v, "", pointer, nil, nil, nil)
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
		rows = append(rows, []string{build.CodeInline(x.path), p.typeAsInline(x.value, 0), need, p.descriptionOf(x.value, x.value)})
		places = append(places, p.placeOf(&value{line: x.line}, x.pointer))
	}
	p.w.WriteTable([]string{"Property", "Type", "Required", "Description"}, rows, places...)
	if len(all) >= maxRows {
		p.w.Warn("line %d: a schema has more than %s; the first are shown", v.line, plural.Count(maxRows, "property", "properties"))
	}
}

// jsonSchema writes a JSON Schema: each property is a section with its path.
func (p *page) jsonSchema() {
	v := p.root
	title := v.textMember("title")
	p.w.Title(title)
	p.w.AddMetadata(v.textMember("$id"))
	p.setPlace(v, "")
	p.w.Heading(1, build.TextInline(title), "")
	p.schemas = p.namedSchemas()
	about := "description"
	if v.textMember(about) == "" {
		about = "markdownDescription"
	}
	p.writeProse(v.getMember(about), 1, "/"+about)
	p.writeSettings(v, "", "", 2, nil)
	example{p, ""}.write(v)
	for _, key := range [...]string{"definitions", "$defs"} {
		all := v.getMember(key)
		if len(all.allMembers()) == 0 {
			continue
		}
		p.setPlace(all, "/"+key)
		p.w.Heading(2, "Definitions", "")
		for _, m := range all.allMembers() {
			if !p.isAlive() {
				return
			}
			at := memberPointer("/"+key, m.name)
			p.w.At(p.placeOf(&value{line: m.line}, at))
			p.w.Heading(3, build.TextInline(m.name), anchorOf(m.name))
			p.writeSchema(m.value, 3, at)
		}
	}
	if len(p.others.schemas) > 0 {
		p.w.Heading(2, "Definitions of other files", "")
		p.otherSchemas()
	}
}

// writeSettings writes the properties of a schema as sections, those of objects in it below
// them.
func (p *page) writeSettings(v *value, prefix, pointer string, level int, open []*value) {
	for _, o := range open {
		if o == v {
			return
		}
	}
	if len(open) > max(maxNested+2, p.deepest) {
		return
	}
	open = append(open[:len(open):len(open)], v)
	required := map[string]bool{}
	for _, r := range v.getMember("required").listItems() {
		required[r.textValue()] = true
	}
	for _, part := range v.getMember("allOf").listItems() {
		p.writeSettings(p.followReferences(part), prefix, pointer, level, open)
	}
	choice{p}.writeAll(v, prefix, pointer, level, open)
	for _, m := range v.getMember("properties").allMembers() {
		if !p.isAlive() {
			return
		}
		name, at := prefix+m.name, memberPointer(pointer+"/properties", m.name)
		p.w.At(p.placeOf(&value{line: m.line}, at))
		p.w.Heading(min(6, level), build.TextInline(name), name)
		schema := p.followReferences(m.value)
		line := ""
		if t := p.typeAsInline(m.value, 0); t != "" {
			line = build.Strong("Type:") + " " + t + "."
		}
		if required[m.name] {
			line = joinTexts(line, "Required.")
		}
		if line = joinTexts(line, p.boundsOfSchema(schema)); line != "" {
			p.w.Paragraph(line)
		}
		if title := titleOfSetting(m.value, m.name); title != "" {
			p.w.Paragraph(build.TextInline(title))
		}
		for _, key := range [...]string{"markdownDescription", "description"} {
			d := m.value.getMember(key)
			if d == nil && p.schemas[schema] == "" {
				d = schema.getMember(key)
			}
			if d.textValue() != "" {
				p.writeProse(d, level, at+"/"+key)
				break
			}
		}
		p.writeItemProse(schema, level, at)
		p.writeMeanings(schema)
		example{p, ""}.write(schema)
		if p.schemas[schema] != "" {
			continue
		}
		p.writeSettings(schema, name+".", at, level+1, open)
		if items := p.followReferences(schema.getMember("items")); items.getMember("properties").isObject() && p.schemas[items] == "" {
			p.writeSettings(items, name+"[].", at+"/items", level+1, open)
		}
		if others := schema.getMember("additionalProperties"); others.getMember("properties").isObject() && p.deepest > 0 {
			p.writeSettings(others, name+".*.", at+"/additionalProperties", level+1, open)
		}
	}
}

// writeItemProse writes what a schema says of the items of a list, or of the values of a map.
func (p *page) writeItemProse(schema *value, level int, pointer string) {
	for _, of := range [...][2]string{{"items", "Each item:"}, {"additionalProperties", "Each value:"}} {
		in := schema.getMember(of[0])
		if d := in.getMember("description"); d.textValue() != "" && d.text != schema.textMember("description") {
			p.setPlace(d, pointer)
			p.w.Paragraph(of[1])
			p.writeProse(d, level, pointer+"/"+of[0]+"/description")
		}
	}
}

// writeMeanings writes what the allowed values mean, where a schema says so.
func (p *page) writeMeanings(v *value) {
	texts := v.getMember("enumDescriptions")
	if texts == nil {
		texts = v.getMember("markdownEnumDescriptions")
	}
	values := v.getMember("enum").listItems()
	if len(texts.listItems()) > 0 && len(values) > 0 {
		p.setPlace(texts, "")
		p.w.Paragraph("Values:")
	}
	for i, t := range texts.listItems() {
		if i >= len(values) || t.textValue() == "" {
			continue
		}
		p.setPlace(t, "")
		p.w.Open(build.Bullet)
		p.w.Paragraph(build.CodeInline(shortJSON(values[i])) + ": " + spacing.Single(t.textValue()))
		p.w.Close()
	}
}
