package json

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"

	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/spacing"
)

// choice writes the alternatives of a schema: its members oneOf and anyOf.
type choice struct{ *page }

// writeAll writes the alternatives of a schema: the properties of those that have some as settings,
// the title, the description and the values of the others as items of a list. Some schemas have
// alternatives alone, for example one of all fonts.
func (p choice) writeAll(v *value, prefix, pointer string, level int, open []*value) {
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
				said = p.writeOne(schema, at, said)
			}
		}
	}
}

// collect gathers the properties of the alternatives of a schema that have no name. A property that several
// have is there once; it is required where all ask for it.
func (p choice) collect(v *value, prefix, pointer string, open []*value, out []property) []property {
	for _, key := range [...]string{"oneOf", "anyOf"} {
		parts := v.getMember(key).listItems()
		at, seen := map[string]int{}, map[string]int{}
		for i, part := range parts {
			if len(out) >= maxRows || !p.isAlive() {
				break
			}
			schema := p.followReferences(part)
			if p.schemas[schema] != "" || !hasProperties(schema) {
				continue
			}
			for _, found := range p.collectProperties(schema, prefix, fmt.Sprintf("%s/%s/%d", pointer, key, i), nil, open, nil) {
				if _, known := at[found.path]; !known {
					at[found.path] = len(out)
					out = append(out, found)
				}
				if found.required {
					seen[found.path]++
				}
			}
		}
		for name, k := range at {
			out[k].required = seen[name] == len(parts)
		}
	}
	return out
}

// describe is what a schema, or that of its items, says of its alternatives that have properties and no name.
func (p choice) describe(v *value) string {
	if items := p.followReferences(v.getMember("items")); items != nil {
		v = items
	}
	var all []string
	for _, key := range [...]string{"oneOf", "anyOf"} {
		for _, part := range v.getMember(key).listItems() {
			schema := p.followReferences(part)
			text := tableCell(cmp.Or(part.textMember("description"), schema.textMember("description"), schema.textMember("title")))
			if text == "" || len(all) == maxValuesK || p.schemas[schema] != "" || text == tableCell(v.textMember("description")) {
				continue
			}
			all = append(all, text)
		}
	}
	switch len(all) {
	case 0:
		return ""
	case 1:
		return all[0]
	}
	return "Either: " + strings.Join(all, build.Break+"Or: ")
}

// writeOne writes a schema without properties as an item of a list. said reports whether an
// item stands before it.
func (p choice) writeOne(v *value, pointer string, said bool) bool {
	text := cmp.Or(v.textMember("markdownDescription"), v.textMember("description"))
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

// titleOfSetting is the title of a setting, "" where the title has the letters of the name: programs that
// write schemas make such titles.
func titleOfSetting(v *value, name string) string {
	title := spacing.Single(v.textMember("title"))
	letters := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return unicode.ToLower(r)
			}
			return -1
		}, s)
	}
	if letters(title) == letters(name) || title == spacing.Single(v.textMember("description")) {
		return ""
	}
	return title
}
