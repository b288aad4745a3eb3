package json

import (
	"fmt"

	"docent/pipeline/ingest/parse/build"
)

// writeAlternatives writes the schemas of which a value fulfils one: the properties of those that have
// some as settings, and of the others what their title and description say of their values. A schema
// of all fonts or all extensions of a program is nothing else.
func (p *page) writeAlternatives(v *value, prefix, pointer string, level int, open []*value) {
	for _, key := range [...]string{"oneOf", "anyOf"} {
		said := false
		for i, part := range v.getMember(key).listItems() {
			if !p.isAlive() {
				return
			}
			schema, at := p.followReferences(part), fmt.Sprintf("%s/%s/%d", pointer, key, i)
			switch {
			case p.schemas[schema] != "":
			case schema.getMember("properties") != nil || schema.getMember("oneOf") != nil || schema.getMember("anyOf") != nil:
				p.writeSettings(schema, prefix, at, level, open)
			default:
				said = p.writeAlternative(schema, at, said)
			}
		}
	}
}

// writeAlternative writes a schema without properties as an item of a list; said reports whether the
// list has begun.
func (p *page) writeAlternative(v *value, pointer string, said bool) bool {
	text := firstGiven(v.textMember("markdownDescription"), v.textMember("description"))
	line := tableCell(v.textMember("title"))
	if text != "" {
		if line != "" {
			line += ": "
		}
		line += tableCell(text)
	}
	if line == "" {
		return said
	}
	p.setPlace(v, pointer)
	if !said {
		p.w.Paragraph("One of:")
	}
	p.w.Open(build.Bullet)
	p.w.Paragraph(joinTexts(line, p.boundsOfSchema(v)))
	p.w.Close()
	return true
}
