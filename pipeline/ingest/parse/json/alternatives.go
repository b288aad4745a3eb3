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
