package markdown

import (
	"docent/pipeline/ingest/parse/markdown/dialect"
	"docent/store/doc"
)

// mostDefinition is how many lines a definition may have that is one block; what follows is not joined.
const mostDefinition = 40

// joinDefinitions joins the pieces of a definition to one: a term on a line, its text behind a colon below
// it, and what is indented under that. PHP Markdown Extra, Pandoc, MkDocs and Hugo read them so. CommonMark
// makes two paragraphs of a term and its text where a blank line parts them, and code of what follows.
func (p *page) joinDefinitions() {
	out := p.pieces[:0]
	defines := false // the last piece is a definition
	for _, pc := range p.pieces {
		k := len(out) - 1
		text := pc.kind == doc.Paragraph && p.isDefinition(pc.first)
		joins := k >= 0 && pc.last-out[k].first < mostDefinition &&
			(text && (defines || out[k].kind == doc.Paragraph && out[k].first == out[k].last) || defines && p.isIndentedCode(pc))
		if joins {
			out[k].last, out[k].parts[1] = pc.last, pc.parts[1]
			defines = true
			continue
		}
		out = append(out, pc)
		defines = false
		for line := pc.first; pc.kind == doc.Paragraph && line <= pc.last && !defines; line++ {
			defines = p.isDefinition(line)
		}
	}
	p.pieces = out
}

// isDefinition reports whether a line is the text of a term.
func (p *page) isDefinition(line int) bool {
	return dialect.IsDefinition(p.shape.Text[p.shaped[line]:p.shaped[line+1]])
}

// isIndentedCode reports whether a piece is code by its indentation alone.
func (p *page) isIndentedCode(pc piece) bool {
	l := p.shape.Text[p.shaped[pc.first]:p.shaped[pc.first+1]]
	return pc.kind == doc.Code && pc.lang == "" && dialect.IndentBytes(l) > 0
}
