package parameters

import (
	"slices"
	"strings"

	"docent/store/doc"
)

// ReadNames takes the names that an index has at places of a page, apart from those that known
// documents already. lineOf gives the line of the page's text at which an anchor stands.
func ReadNames(d doc.Document, known []Parameter, lineOf func(anchor string) (line int, ok bool)) []Parameter {
	if len(d.Names) == 0 || d.Plain || len(d.Sections) == 0 {
		return nil
	}
	documented := map[string]bool{}
	for _, p := range known {
		for _, name := range append([]string{p.Name}, p.Aliases...) {
			documented[name] = true
		}
	}
	r := &reader{d: d}
	for _, n := range d.Names {
		name := strings.TrimSuffix(clipText(n.Text, MostName), "()")
		line, ok := lineOf(n.Anchor)
		if !ok || documented[name] || strings.Trim(name, "-") == "" {
			continue
		}
		documented[name] = true
		p := Parameter{Name: name, Type: n.Kind, Form: Indexed, First: line, Last: line}
		if p.Section = r.sectionAt(line); p.Section < 0 {
			continue
		}
		p.describe(d, line)
		r.addParameter(p)
	}
	return r.found
}

// sectionAt is the section that a line lies in, -1 if none.
func (r *reader) sectionAt(line int) int {
	at, _ := slices.BinarySearchFunc(r.d.Sections, line+1, func(s doc.Section, line int) int { return s.Span.StartLine - line })
	return at - 1
}

// describe takes the first paragraph behind the line of a name as its description: in the same
// section, and not far from it.
func (p *Parameter) describe(d doc.Document, line int) {
	const near = 12 // blocks
	i, _ := slices.BinarySearchFunc(d.Blocks, line, func(b doc.Block, line int) int { return b.Span.EndLine - line })
	for _, b := range d.Blocks[i:min(len(d.Blocks), i+near)] {
		switch {
		case b.Section != p.Section:
			return
		case b.Kind == doc.HeadingRow || b.Kind == doc.Code || b.Kind == doc.Meta:
			continue
		case b.Kind == doc.Paragraph && isSignature(b.Text, p.Name):
			p.Last = max(p.Last, b.Span.EndLine)
			continue
		case b.Kind == doc.Paragraph || b.Kind == doc.List || b.Kind == doc.Quote:
			text := b.Text
			if first, rest, ok := strings.Cut(text, " "); ok && strings.HasSuffix(first, ")") && isSignature(first, p.Name) {
				text = rest // the declaration and its text are one block
			}
			p.Description, p.Last = text, max(p.Last, b.Span.EndLine)
			p.fillFromText(text)
		}
		return
	}
}

// isSignature reports whether a paragraph is the line with the name itself, as it is declared:
// "numpy.ones(shape, dtype=None)".
func isSignature(text, name string) bool {
	last := name[strings.LastIndexAny(name, ".:")+1:]
	return len(text) < 400 && strings.Contains(text, last) && !strings.Contains(text, ". ") &&
		!strings.HasSuffix(strings.TrimSpace(text), ".")
}
