package json

import (
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
		if s := v.get(key); s != nil && s.text != "" && (v.get("paths").isObject() || v.get("components").isObject() || v.get("webhooks").isObject() || v.get("info").isObject()) {
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

// openAPI writes a document of OpenAPI 3 or Swagger 2.
func (p *page) openAPI() {
	info := p.root.get("info")
	title := info.said("title")
	p.w.Title(title)
	p.at(info, "/info")
	p.w.Heading(1, build.Text(title), "")
	p.w.About(info.said("summary"))
	if v := info.get("version"); v != nil && v.text != "" {
		p.w.Paragraph("Version " + build.Text(v.text))
	}
	if s := info.said("summary"); s != "" {
		p.w.Paragraph(spacing.Single(s))
	}
	p.prose(info.get("description"), 1, "/info/description")
	p.servers()
	p.schemas = p.named()
	p.security()
	p.operations("paths")
	p.operations("webhooks")
	p.components()
}

// servers writes the addresses at which an interface is.
func (p *page) servers() {
	servers := p.root.get("servers").each()
	if host := p.root.said("host"); host != "" { // Swagger 2
		scheme := "https"
		if all := p.root.get("schemes").each(); len(all) > 0 && all[0].words() != "" {
			scheme = all[0].words()
		}
		p.at(p.root.get("host"), "/host")
		p.w.Paragraph(build.Strong("Server:") + " " + build.Span(scheme+"://"+host+p.root.said("basePath")))
	}
	for i, s := range servers {
		p.at(s, "/servers/"+strconv.Itoa(i))
		line := build.Strong("Server:") + " " + build.Span(s.said("url"))
		if d := s.said("description"); d != "" {
			line += " – " + spacing.Single(d)
		}
		p.w.Paragraph(line)
	}
}

// security writes how one proves who one is.
func (p *page) security() {
	schemes, pointer := p.root.get("components").get("securitySchemes"), "/components/securitySchemes"
	if schemes == nil {
		schemes, pointer = p.root.get("securityDefinitions"), "/securityDefinitions"
	}
	if len(schemes.all()) == 0 {
		return
	}
	p.at(schemes, pointer)
	p.w.Heading(2, "Authentication", "")
	for _, m := range schemes.all() {
		s := p.follow(m.value)
		p.at(m.value, below(pointer, m.name))
		p.w.Definition(build.Span(m.name))
		kind := s.said("type")
		for _, key := range [...]string{"scheme", "bearerFormat", "in", "name", "openIdConnectUrl", "flow"} {
			if t := s.said(key); t != "" {
				kind += ", " + key + " " + t
			}
		}
		p.w.Paragraph(build.Text(kind))
		p.prose(s.get("description"), 2, "")
		p.flows(s)
		p.w.Close()
	}
}

// flows writes the scopes of OAuth 2.
func (p *page) flows(scheme *value) {
	scopes := scheme.get("scopes").all()
	for _, f := range scheme.get("flows").all() {
		if u := f.value.said("tokenUrl"); u != "" {
			p.w.Paragraph(build.Text(f.name) + ": token URL " + build.Span(u))
		}
		for _, s := range f.value.get("scopes").all() {
			if !slices.ContainsFunc(scopes, func(m member) bool { return m.name == s.name }) && len(scopes) < 500 {
				scopes = append(scopes[:len(scopes):len(scopes)], s)
			}
		}
	}
	for _, s := range scopes {
		p.w.Open(build.Bullet)
		p.w.Paragraph(build.Span(s.name) + ": " + spacing.Single(s.value.words()))
		p.w.Close()
	}
}

// operations writes the operations of "paths" or "webhooks": those with a tag below a
// heading of the tag, in the order in which the document lists its tags.
func (p *page) operations(key string) {
	var order []string
	byTag := map[string][]operation{}
	for _, m := range p.root.get(key).all() {
		item := p.follow(m.value)
		for _, o := range item.all() {
			method, op := o.name, o.value
			if !slices.Contains(methods, method) || !op.isObject() {
				continue
			}
			tag := ""
			if tags := op.get("tags").each(); len(tags) > 0 {
				tag = tags[0].words()
			}
			if _, ok := byTag[tag]; !ok {
				order = append(order, tag)
			}
			byTag[tag] = append(byTag[tag], operation{strings.ToUpper(method), m.name, below(below("/"+key, m.name), method), op, &value{line: o.line}, item.get("parameters")})
		}
	}
	listed := map[string]*value{}
	var first []string
	for _, t := range p.root.get("tags").each() {
		name := t.said("name")
		if listed[name] == nil && name != "" {
			listed[name] = t
			first = append(first, name)
		}
	}
	slices.SortStableFunc(order, func(a, b string) int {
		return place(first, a) - place(first, b)
	})
	for _, tag := range order {
		level := 2
		if tag != "" {
			at := listed[tag]
			if at == nil {
				at = byTag[tag][0].line
			}
			p.at(at, "")
			p.w.Heading(2, build.Text(tag), "")
			p.prose(listed[tag].get("description"), 2, "")
			level = 3
		}
		for _, op := range byTag[tag] {
			if !p.alive() {
				return
			}
			p.operation(op, level)
		}
	}
}

// place is the index of a name in a list, its length where it is not there.
func place(list []string, name string) int {
	if i := slices.Index(list, name); i >= 0 {
		return i
	}
	return len(list)
}

// operation writes an operation as a section.
func (p *page) operation(op operation, level int) {
	v := op.value
	p.at(op.line, op.pointer)
	heading := build.Text(op.method + " " + op.path)
	if s := v.said("summary"); s != "" {
		heading += ": " + spacing.Single(strings.TrimSuffix(s, "."))
	}
	p.w.Heading(level, heading, v.said("operationId"))
	if id := v.said("operationId"); id != "" {
		p.w.Paragraph("Operation " + build.Span(id))
	}
	if v.get("deprecated").isTrue() {
		p.w.Open(build.Note("deprecated", ""))
		p.w.Paragraph("This operation is deprecated.")
		p.w.Close()
	}
	p.prose(v.get("description"), level, op.pointer+"/description")
	if u := v.get("externalDocs").said("url"); u != "" {
		p.w.Paragraph("See " + build.Link(build.Text(or(v.get("externalDocs").said("description"), u)), u))
	}
	body := p.parameters(op)
	p.body(v, body, op.pointer)
	p.responses(v.get("responses"), op.pointer+"/responses")
	p.required(v)
}

// parameters writes an operation's parameters as a table. It gives the one that is the
// body, in Swagger 2.
func (p *page) parameters(op operation) (body *value) {
	var rows [][]string
	var places []doc.Location
	seen := map[string]bool{}
	add := func(list *value, pointer string) {
		for i, item := range list.each() {
			v := p.follow(item)
			name, in := v.said("name"), v.said("in")
			if key := in + " " + name; name == "" || seen[key] {
				continue
			} else {
				seen[key] = true
			}
			if in == "body" {
				body = v
				continue
			}
			schema := v.get("schema")
			if schema == nil {
				schema = v // Swagger 2
			}
			text := p.describe(v, schema)
			if v.get("deprecated").isTrue() {
				text = join(text, "Deprecated.")
			}
			rows = append(rows, []string{build.Span(name), in, p.typeOf(schema, 0), yes(v.get("required")), text})
			places = append(places, p.place(item, pointer+"/"+strconv.Itoa(i)))
		}
	}
	add(op.value.get("parameters"), op.pointer+"/parameters")
	add(op.shared, op.pointer)
	if len(rows) > 0 {
		p.w.Paragraph(build.Strong("Parameters"))
		p.w.Table([]string{"Name", "In", "Type", "Required", "Description"}, rows, places...)
	}
	return body
}

// body writes what an operation is sent.
func (p *page) body(v, swagger *value, pointer string) {
	request := p.follow(v.get("requestBody"))
	at := v.get("requestBody")
	if swagger != nil {
		request, at = swagger, swagger
	}
	if request == nil {
		return
	}
	p.at(at, pointer+"/requestBody")
	line := build.Strong("Request body")
	if request.get("required").isTrue() {
		line += ", required"
	}
	schema := request.get("schema") // Swagger 2
	var kinds []string
	var media *value
	for _, m := range request.get("content").all() {
		kinds = append(kinds, build.Span(m.name))
		if media == nil || strings.Contains(m.name, "json") && media.get("schema") == nil {
			media = m.value
		}
	}
	if schema == nil {
		schema = media.get("schema")
	}
	if len(kinds) > 0 {
		line += " (" + strings.Join(kinds[:min(len(kinds), 8)], ", ") + ")"
	}
	if t := p.typeOf(schema, 0); t != "" {
		line += ": " + t
	}
	p.w.Paragraph(line)
	p.prose(request.get("description"), 6, "")
	if p.schemas[p.follow(schema)] == "" {
		p.properties(schema, pointer)
	}
	p.example(media)
}

// responses writes what an operation answers.
func (p *page) responses(v *value, pointer string) {
	var rows [][]string
	var places []doc.Location
	for _, m := range v.all() {
		r := p.follow(m.value)
		var content []string
		if s := r.get("schema"); s != nil { // Swagger 2
			content = append(content, p.typeOf(s, 0))
		}
		for _, c := range r.get("content").all() {
			content = append(content, join(build.Span(c.name), p.typeOf(c.value.get("schema"), 0)))
		}
		text := cell(r.said("description"))
		for _, h := range r.get("headers").all() {
			text = join(text, build.Break+"Header "+build.Span(h.name)+": "+cell(p.follow(h.value).said("description")))
		}
		rows = append(rows, []string{build.Span(m.name), text, strings.Join(content[:min(len(content), 8)], build.Break)})
		places = append(places, p.place(m.value, below(pointer, m.name)))
	}
	if len(rows) == 0 {
		return
	}
	p.w.Paragraph(build.Strong("Responses"))
	p.w.Table([]string{"Status", "Description", "Content"}, rows, places...)
	for _, m := range v.all() {
		r := p.follow(m.value)
		for _, c := range r.get("content").all() {
			s := c.value.get("schema")
			if s != nil && p.schemas[p.follow(s)] == "" && p.follow(s).get("properties").isObject() {
				p.at(m.value, below(pointer, m.name))
				p.w.Paragraph("Content of " + build.Span(m.name) + ":")
				p.properties(s, below(pointer, m.name))
			}
			p.example(c.value)
			break
		}
	}
}

// required writes the authentication that an operation requires.
func (p *page) required(v *value) {
	security := v.get("security")
	if security == nil {
		return
	}
	var ways []string
	for _, s := range security.each() {
		var all []string
		for _, m := range s.all() {
			one := build.Span(m.name)
			var scopes []string
			for _, scope := range m.value.each() {
				scopes = append(scopes, build.Span(scope.words()))
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
	p.at(security, "")
	p.w.Paragraph(build.Strong("Security:") + " " + strings.Join(ways, ", or "))
}

// named are the schemas that have a section of their own.
func (p *page) named() map[*value]string {
	names := map[*value]string{}
	for _, of := range [...]*value{p.root.get("components").get("schemas"), p.root.get("definitions"), p.root.get("$defs")} {
		for _, m := range of.all() {
			if names[m.value] == "" {
				names[m.value] = m.name
			}
		}
	}
	return names
}

// components writes the schemas by name.
func (p *page) components() {
	schemas, pointer := p.root.get("components").get("schemas"), "/components/schemas"
	if schemas == nil {
		schemas, pointer = p.root.get("definitions"), "/definitions"
	}
	if len(schemas.all()) == 0 {
		return
	}
	p.at(schemas, pointer)
	p.w.Heading(2, "Schemas", "")
	for _, m := range schemas.all() {
		if !p.alive() {
			return
		}
		at := below(pointer, m.name)
		p.w.At(p.place(&value{line: m.line}, at))
		p.w.Heading(3, build.Text(m.name), anchorOf(m.name))
		p.schema(m.value, 3, at)
	}
}

func anchorOf(schema string) string { return "schema-" + schema }

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// join joins texts that are there with a blank.
func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " " + b
}

func yes(v *value) string {
	if v.isTrue() {
		return "yes"
	}
	return ""
}
