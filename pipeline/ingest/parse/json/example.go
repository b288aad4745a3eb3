package json

import (
	"strings"

	"docent/pipeline/ingest/parse/build"
)

// Bounds of examples.
const (
	maxExample  = 60 // lines of one
	maxExamples = 6  // of a content
)

// example writes the examples of schemas and contents. of is the status that a response answers with, "" of
// anything else.
type example struct {
	*page
	of string
}

// write writes the examples of a schema or a content. Those of OpenAPI 3 have names, and may have a
// summary and a description.
func (p example) write(v *value) {
	if e := p.followReferences(v.getMember("example")); e != nil {
		p.writeOne(e, "", "")
		return
	}
	all := v.getMember("examples")
	if all != nil && len(all.items) > 0 {
		p.writeOne(all.items[0], "", "")
		return
	}
	for i, m := range all.allMembers() {
		if i == maxExamples || !p.isAlive() {
			return
		}
		named := p.followReferences(m.value)
		p.writeOne(p.followReferences(named.getMember("value")), named.textMember("summary"), named.textMember("description"))
	}
}

// writeOne writes an example, where it is more than a word.
func (p example) writeOne(e *value, summary, about string) {
	if e == nil || e.kind != object && e.kind != list {
		return
	}
	var b strings.Builder
	renderAsJSON(&b, e, "", 64<<10)
	lines := strings.Split(b.String(), "\n")
	if len(lines) > maxExample {
		lines = append(lines[:maxExample], "…")
	}
	p.setPlace(e, "")
	line := "Example"
	if p.of != "" {
		line += " of " + build.CodeInline(p.of)
	}
	if about == summary {
		about = ""
	}
	line += ":"
	if said := joinTexts(endSentence(tableCell(summary), about), tableCell(about)); said != "" {
		line += " " + said
	}
	p.w.Paragraph(line)
	p.w.WriteCode("json", strings.Join(lines, "\n"))
}

// endSentence is a text with a full stop where another text follows.
func endSentence(text, next string) string {
	if text == "" || next == "" || strings.ContainsAny(text[len(text)-1:], ".!?:;,)") {
		return text
	}
	return text + "."
}
