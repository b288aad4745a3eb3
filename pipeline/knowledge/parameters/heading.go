package parameters

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"docent/store/doc"
)

// mostBelow is how many blocks of a section are looked at.
const mostBelow = 20

// readHeading takes a section that documents one parameter: its heading is a flag or a name
// in code, or a type or a default stands below it.
func (r *reader) readHeading(i int) {
	b := r.d.Blocks[i]
	s := r.d.Sections[b.Section]
	if len(s.Text) > 300 || r.isFull() {
		return
	}
	name, ok := readNames(s.Text)
	if !ok {
		return
	}
	p := Parameter{Name: name.name, Aliases: name.aliases, Type: name.typ, Form: Heading, Section: b.Section, First: s.Span.StartLine,
		Last: s.Span.EndLine}
	coded := b.Code != "" && len(strings.Join(strings.Fields(b.Code), "")) >= len(strings.Join(strings.Fields(s.Text), ""))
	likely := isFlagName(p.Name) || coded && (looksLikeCodeName(p.Name) || s.Parent >= 0 && s.Parent < b.Section &&
		r.announced(s.Parent)) &&
		!isClass(p.Name) && !isFileName(p.Name)
	if len(name.aliases) > 0 && !isFlagName(p.Name) && !coded {
		return
	}
	stated := false
	var words []string
	size := 0
	for _, x := range r.d.Blocks[i+1 : min(len(r.d.Blocks), i+1+mostBelow)] {
		if x.Section != b.Section || x.Kind == doc.HeadingRow {
			break
		}
		switch x.Kind {
		case doc.Paragraph, doc.List, doc.Quote:
		case doc.Admonition: // of notes that one which says that it goes, or the only words
			if len(words) > 0 && !deprecating().MatchString(x.Text[:min(len(x.Text), mostMarkup)]) {
				continue
			}
		default:
			continue
		}
		said := false
		for l := range strings.SplitSeq(x.Text[:min(len(x.Text), mostMarkup)], "\n") {
			said = p.readStatement(strings.TrimSpace(l)) || said
		}
		stated = stated || said
		text := cleanLine(withoutNoteTitle(x), false)
		if said || x.Kind == doc.List || size > MostDescription || passing().MatchString(text) || text == strings.TrimSpace(x.Code) {
			continue
		}
		words = append(words, text)
		size += len(text)
	}
	if !stated && !likely {
		return
	}
	p.Description = strings.Join(words, " ")
	p.fillFromText(p.Description)
	if !stated && p.Description == "" {
		return
	}
	r.addParameter(p)
}

// withoutNoteTitle is the beginning of a block's text, of a note without its title.
func withoutNoteTitle(b doc.Block) string {
	text := b.Text[:min(len(b.Text), mostMarkup)]
	if title, rest, ok := strings.Cut(text, "\n"); ok && b.Kind == doc.Admonition && len(strings.Fields(title)) <= 3 &&
		!strings.ContainsAny(title, ".:;,") {
		return rest
	}
	return text
}

// isClass reports whether a name is written as names of classes are.
func isClass(s string) bool {
	r, size := utf8.DecodeRuneInString(s)
	next, _ := utf8.DecodeRuneInString(s[size:])
	return unicode.IsUpper(r) && unicode.IsLower(next) && !strings.Contains(s, ".")
}

// readStatement reads a line such as "Type: integer. Required. Default: 3."
func (p *Parameter) readStatement(l string) bool {
	if len(l) > mostMarkup {
		return false
	}
	m := stating().FindStringSubmatchIndex(l)
	if m == nil {
		return false
	}
	word, rest := strings.ToLower(l[m[2]:m[3]]), l[m[1]:]
	v := cleanLine(leadingValue(rest, false), false)
	switch {
	case statesDefault.Inside(word) != "":
		if p.Default == "" {
			p.Default = v
		}
	case requiredWord.Has(word):
		p.Required = saysRequired(v)
	default:
		if p.Type == "" {
			p.Type = v
		}
		if p.Default == "" {
			p.Default = defaultIn(rest)
		}
		p.Required = p.Required || strings.Contains(rest, " Required.")
	}
	return true
}
