package json

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/spacing"
	"docent/store/doc"
)

// isOpenAPI reports whether a document is one of OpenAPI 3 or Swagger 2.
func isOpenAPI(v *value) bool {
	for _, key := range [...]string{"openapi", "swagger"} {
		if s := v.getMember(key); s != nil && s.text != "" &&
			(v.getMember("paths").isObject() || v.getMember("components").isObject() || v.getMember("webhooks").isObject() ||
				v.getMember("info").isObject()) {
			return true
		}
	}
	return false
}

// methods are the names of the operations of a path.
var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace", "query"}

// operation is an operation of a path.
type operation struct {
	method, path string
	pointer      string
	value        *value
	line         *value // what says where it stands
	shared       *value // the parameters of the path
}

// writeOpenAPI writes a document of OpenAPI 3 or Swagger 2.
func (p *page) writeOpenAPI() {
	info := p.followReferences(p.root.getMember("info"))
	title := info.textMember("title")
	p.w.Title(title)
	p.setPlace(info, "/info")
	p.w.Heading(1, build.TextInline(title), "")
	p.w.AddMetadata(info.textMember("summary"))
	if v := info.getMember("version"); v != nil && v.text != "" {
		p.w.Paragraph("Version " + build.TextInline(v.text))
	}
	if s := info.textMember("summary"); s != "" {
		p.w.Paragraph(spacing.Single(s))
	}
	p.writeProse(info.getMember("description"), 1, "/info/description")
	p.writeServers()
	p.schemas = p.namedSchemas()
	p.writeSecurity()
	p.operations("paths")
	p.operations("webhooks")
	p.components()
}

// component is a group of components, which may stand in another file.
func (p *page) component(name string) *value {
	return p.followReferences(p.followReferences(p.root.getMember("components")).getMember(name))
}

// writeServers writes the addresses at which an interface is.
func (p *page) writeServers() {
	servers := p.root.getMember("servers").listItems()
	if host := p.root.textMember("host"); host != "" { // Swagger 2
		scheme := "https"
		if all := p.root.getMember("schemes").listItems(); len(all) > 0 && all[0].textValue() != "" {
			scheme = all[0].textValue()
		}
		p.setPlace(p.root.getMember("host"), "/host")
		p.w.Paragraph(build.Strong("Server:") + " " + build.CodeInline(scheme+"://"+host+p.root.textMember("basePath")))
	}
	for i, s := range servers {
		p.setPlace(s, "/servers/"+strconv.Itoa(i))
		line := build.Strong("Server:") + " " + build.CodeInline(s.textMember("url"))
		if d := s.textMember("description"); d != "" {
			line += " – " + spacing.Single(d)
		}
		p.w.Paragraph(line)
	}
}

// writeSecurity writes how one proves who one is.
func (p *page) writeSecurity() {
	schemes, pointer := p.component("securitySchemes"), "/components/securitySchemes"
	if schemes == nil {
		schemes, pointer = p.root.getMember("securityDefinitions"), "/securityDefinitions"
	}
	if len(schemes.allMembers()) == 0 {
		return
	}
	p.setPlace(schemes, pointer)
	p.w.Heading(2, "Authentication", "")
	for _, m := range schemes.allMembers() {
		s := p.followReferences(m.value)
		p.setPlace(m.value, memberPointer(pointer, m.name))
		p.w.Definition(build.CodeInline(m.name))
		kind := s.textMember("type")
		for _, key := range [...]string{"scheme", "bearerFormat", "in", "name", "openIdConnectUrl", "flow"} {
			if t := s.textMember(key); t != "" {
				kind += ", " + key + " " + t
			}
		}
		p.w.Paragraph(build.TextInline(kind))
		p.writeProse(s.getMember("description"), 2, "")
		p.writeFlows(s)
		p.w.Close()
	}
}

// writeFlows writes the scopes of OAuth 2.
func (p *page) writeFlows(scheme *value) {
	scopes := scheme.getMember("scopes").allMembers()
	for _, f := range scheme.getMember("flows").allMembers() {
		if u := f.value.textMember("tokenUrl"); u != "" {
			p.w.Paragraph(build.TextInline(f.name) + ": token URL " + build.CodeInline(u))
		}
		for _, s := range f.value.getMember("scopes").allMembers() {
			if !slices.ContainsFunc(scopes, func(m member) bool { return m.name == s.name }) && len(scopes) < 500 {
				scopes = append(scopes[:len(scopes):len(scopes)], s)
			}
		}
	}
	for _, s := range scopes {
		p.w.Open(build.Bullet)
		p.w.Paragraph(build.CodeInline(s.name) + ": " + spacing.Single(s.value.textValue()))
		p.w.Close()
	}
}

// operations writes the operations of "paths" or "webhooks": those with a tag below a
// heading of the tag, in the order in which the document lists its tags.
func (p *page) operations(key string) {
	var order []string
	byTag := map[string][]operation{}
	for _, m := range p.followReferences(p.root.getMember(key)).allMembers() {
		item := p.followReferences(m.value)
		for _, o := range item.allMembers() {
			method, op := o.name, p.followReferences(o.value)
			if !slices.Contains(methods, method) || !op.isObject() {
				continue
			}
			tag := ""
			if tags := op.getMember("tags").listItems(); len(tags) > 0 {
				tag = tags[0].textValue()
			}
			if _, ok := byTag[tag]; !ok {
				order = append(order, tag)
			}
			byTag[tag] = append(byTag[tag], operation{strings.ToUpper(method), m.name,
				memberPointer(memberPointer("/"+key, m.name), method), op, &value{line: o.line}, item.getMember("parameters")})
		}
	}
	listed := map[string]*value{}
	var first []string
	for _, t := range p.followReferences(p.root.getMember("tags")).listItems() {
		t = p.followReferences(t)
		name := t.textMember("name")
		if listed[name] == nil && name != "" {
			listed[name] = t
			first = append(first, name)
		}
	}
	slices.SortStableFunc(order, func(a, b string) int {
		return indexOf(first, a) - indexOf(first, b)
	})
	for _, tag := range order {
		level := 2
		if tag != "" {
			at := listed[tag]
			if at == nil {
				at = byTag[tag][0].line
			}
			p.setPlace(at, "")
			p.w.Heading(2, build.TextInline(tag), "")
			p.writeProse(listed[tag].getMember("description"), 2, "")
			level = 3
		}
		for _, op := range byTag[tag] {
			if !p.isAlive() {
				return
			}
			p.operation(op, level)
		}
	}
}

// indexOf is the index of a name in a list, its length where it is not there.
func indexOf(list []string, name string) int {
	if i := slices.Index(list, name); i >= 0 {
		return i
	}
	return len(list)
}

// operation writes an operation as a section.
func (p *page) operation(op operation, level int) {
	v := op.value
	p.setPlace(op.line, op.pointer)
	heading := build.TextInline(op.method + " " + op.path)
	if s := v.textMember("summary"); s != "" {
		heading += ": " + spacing.Single(strings.TrimSuffix(s, "."))
	}
	p.w.Heading(level, heading, v.textMember("operationId"))
	if id := v.textMember("operationId"); id != "" {
		p.w.Paragraph("Operation " + build.CodeInline(id))
	}
	if v.getMember("deprecated").isTrue() {
		p.w.Open(build.NoteContainer("deprecated", ""))
		p.w.Paragraph("This operation is deprecated.")
		p.w.Close()
	}
	p.writeProse(v.getMember("description"), level, op.pointer+"/description")
	if u := v.getMember("externalDocs").textMember("url"); u != "" {
		p.w.Paragraph("See " + build.LinkInline(build.TextInline(cmp.Or(v.getMember("externalDocs").textMember("description"), u)), u))
	}
	body := p.parameters(op)
	p.writeBody(v, body, op.pointer)
	p.responses(p.followReferences(v.getMember("responses")), op.pointer+"/responses")
	p.writeRequiredSecurity(v)
}

// parameters writes an operation's parameters as a table. It gives the one that is the
// body, in Swagger 2.
func (p *page) parameters(op operation) (body *value) {
	var rows [][]string
	var places []doc.Location
	seen := map[string]bool{}
	add := func(list *value, pointer string) {
		for i, item := range list.listItems() {
			v := p.followReferences(item)
			name, in := v.textMember("name"), v.textMember("in")
			if key := in + " " + name; name == "" || seen[key] {
				continue
			} else {
				seen[key] = true
			}
			if in == "body" {
				body = v
				continue
			}
			schema := v.getMember("schema")
			if schema == nil {
				schema = v // Swagger 2
			}
			text := p.descriptionOf(v, schema)
			if v.getMember("deprecated").isTrue() {
				text = joinTexts(text, "Deprecated.")
			}
			rows = append(rows, []string{build.CodeInline(name), in, p.typeAsInline(schema, 0), yesOrEmpty(v.getMember("required")), text})
			places = append(places, p.placeOf(item, pointer+"/"+strconv.Itoa(i)))
		}
	}
	add(p.followReferences(op.value.getMember("parameters")), op.pointer+"/parameters")
	add(p.followReferences(op.shared), op.pointer)
	if len(rows) > 0 {
		p.w.Paragraph(build.Strong("Parameters"))
		p.w.WriteTable([]string{"Name", "In", "Type", "Required", "Description"}, rows, places...)
	}
	return body
}

// writeBody writes what an operation is sent.
func (p *page) writeBody(v, swagger *value, pointer string) {
	request := p.followReferences(v.getMember("requestBody"))
	at := v.getMember("requestBody")
	if swagger != nil {
		request, at = swagger, swagger
	}
	if request == nil {
		return
	}
	p.setPlace(at, pointer+"/requestBody")
	line := build.Strong("Request body")
	if request.getMember("required").isTrue() {
		line += ", required"
	}
	schema := request.getMember("schema") // Swagger 2
	var kinds []string
	var media *value
	for _, m := range request.getMember("content").allMembers() {
		kinds = append(kinds, build.CodeInline(m.name))
		if media == nil || strings.Contains(m.name, "json") && media.getMember("schema") == nil {
			media = p.followReferences(m.value)
		}
	}
	if schema == nil {
		schema = media.getMember("schema")
	}
	if len(kinds) > 0 {
		line += " (" + strings.Join(kinds[:min(len(kinds), 8)], ", ") + ")"
	}
	if t := p.typeAsInline(schema, 0); t != "" {
		line += ": " + t
	}
	p.w.Paragraph(line)
	p.writeProse(request.getMember("description"), 6, "")
	if p.schemas[p.followReferences(schema)] == "" {
		p.properties(schema, pointer)
	}
	example{p, ""}.write(media)
}

// responses writes what an operation answers.
func (p *page) responses(v *value, pointer string) {
	var rows [][]string
	var places []doc.Location
	for _, m := range v.allMembers() {
		r := p.followReferences(m.value)
		var content []string
		if s := r.getMember("schema"); s != nil { // Swagger 2
			content = append(content, p.typeAsInline(s, 0))
		}
		for _, c := range r.getMember("content").allMembers() {
			content = append(content, joinTexts(build.CodeInline(c.name),
				p.typeAsInline(p.followReferences(c.value).getMember("schema"), 0)))
		}
		text := tableCell(r.textMember("description"))
		for _, h := range r.getMember("headers").allMembers() {
			text = joinTexts(text, build.Break+"Header "+build.CodeInline(h.name)+": "+
				tableCell(p.followReferences(h.value).textMember("description")))
		}
		rows = append(rows, []string{build.CodeInline(m.name), text, strings.Join(content[:min(len(content), 8)], build.Break)})
		places = append(places, p.placeOf(m.value, memberPointer(pointer, m.name)))
	}
	if len(rows) == 0 {
		return
	}
	p.w.Paragraph(build.Strong("Responses"))
	p.w.WriteTable([]string{"Status", "Description", "Content"}, rows, places...)
	for _, m := range v.allMembers() {
		r := p.followReferences(m.value)
		for _, c := range r.getMember("content").allMembers() {
			media := p.followReferences(c.value)
			s := media.getMember("schema")
			if s != nil && p.schemas[p.followReferences(s)] == "" && p.hasTable(s) {
				p.setPlace(m.value, memberPointer(pointer, m.name))
				p.w.Paragraph("Content of " + build.CodeInline(m.name) + ":")
				p.properties(s, memberPointer(pointer, m.name))
			}
			example{p, m.name}.write(media)
			break
		}
	}
}

// hasTable reports whether a schema, or that of its items, has properties that are written where it is used.
func (p *page) hasTable(v *value) bool {
	schema := p.followReferences(v)
	if items := p.followReferences(schema.getMember("items")); items != nil {
		return p.schemas[items] == "" && hasProperties(items)
	}
	return hasProperties(schema)
}

// writeRequiredSecurity writes the authentication that an operation requires.
func (p *page) writeRequiredSecurity(v *value) {
	security := v.getMember("security")
	if security == nil {
		return
	}
	var ways []string
	for _, s := range security.listItems() {
		var all []string
		for _, m := range s.allMembers() {
			one := build.CodeInline(m.name)
			var scopes []string
			for _, scope := range m.value.listItems() {
				scopes = append(scopes, build.CodeInline(scope.textValue()))
			}
			if len(scopes) > 0 {
				one += " (" + strings.Join(scopes, ", ") + ")"
			}
			all = append(all, one)
		}
		if len(all) == 0 {
			all = []string{"none"}
		}
		ways = append(ways, strings.Join(all, " and "))
	}
	if len(ways) == 0 {
		ways = []string{"none"}
	}
	p.setPlace(security, "")
	p.w.Paragraph(build.Strong("Security:") + " " + strings.Join(ways, ", or "))
}

// namedSchemas are the schemas that have a section of their own.
func (p *page) namedSchemas() map[*value]string {
	names := map[*value]string{}
	for _, of := range [...]*value{p.component("schemas"), p.followReferences(p.root.getMember("definitions")), p.root.getMember("$defs")} {
		for _, m := range of.allMembers() {
			if names[m.value] == "" {
				names[m.value] = m.name
			}
			if ref := m.value.textMember("$ref"); ref != "" && ref[0] != '#' { // another file has it
				if to := p.followReferences(m.value); names[to] == "" {
					names[to] = m.name
				}
			}
		}
	}
	return names
}

// components writes the schemas by name.
func (p *page) components() {
	schemas, pointer := p.component("schemas"), "/components/schemas"
	if schemas == nil {
		schemas, pointer = p.followReferences(p.root.getMember("definitions")), "/definitions"
	}
	if len(schemas.allMembers()) == 0 && len(p.others.schemas) == 0 {
		return
	}
	p.setPlace(schemas, pointer)
	p.w.Heading(2, "Schemas", "")
	for _, m := range schemas.allMembers() {
		if !p.isAlive() {
			return
		}
		at := memberPointer(pointer, m.name)
		p.w.At(p.placeOf(&value{line: m.line}, at))
		p.w.Heading(3, build.TextInline(m.name), anchorOf(m.name))
		p.writeSchema(m.value, 3, at)
	}
	p.otherSchemas()
}

func anchorOf(schema string) string { return "schema-" + schema }

// joinTexts joins texts that are there with a blank.
func joinTexts(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " " + b
}

func yesOrEmpty(v *value) string {
	if v.isTrue() {
		return "yes"
	}
	return ""
}
