// Package parameters finds what a page documents as parameters: options, flags, fields,
// settings and variables of the environment, with their types, defaults and descriptions.
//
// It reads the text that a parser made, which is Markdown for every format, and Vim's help: rows of
// tables, items of lists and headings. A row counts where the table's header says that
// it lists parameters, or where the first column holds names in code; an item where its
// head is a name in code, or where a type, or the words around the list, say so; a
// heading where it is a flag or a variable, or where a type or a default stands below it; a
// key of YAML and TOML where the code says its type, or a comment what it is; a flag in the help
// that a program prints.
//
// Names that could be anything (true, a number, the name of a file) are left out: a
// look-up that finds nothing lets the search answer, and one that finds the wrong row
// does not.
//
// It refuses to read files, to read code, and to guess what a page does not say.
package parameters

import (
	"slices"
	"strings"

	"docent/store/doc"
)

// Limits of a parameter's fields, for texts in characters, from the domain specification.
const (
	MostName        = 100
	MostType        = 50
	MostDefault     = 100
	MostDescription = 500
	// MostAliases is how many other names one parameter has.
	MostAliases = 8
	// MostPerPage is how many parameters are taken from one page.
	MostPerPage = 10_000
)

// Form is the kind of place that documents a parameter.
type Form string

// The forms.
const (
	Row     Form = "row"     // of a table
	Item    Form = "item"    // of a list
	Heading Form = "heading" // a section of its own
	Key     Form = "key"     // of a file, in code that tells its form: "[ timeout: <duration> | default = 10s ]"
	Example Form = "example" // a key with a comment in an example of a file
	Indexed Form = "index"   // a place that the documentation's own index of names has
)

// Parameter is a parameter that a page documents. Its texts are plain: without markup,
// control characters and line breaks.
type Parameter struct {
	Name        string
	Aliases     []string // its other names: -n of --namespace
	Type        string   // "" where the page does not say, as in Default
	Default     string
	Description string
	Required    bool
	Form        Form
	Section     int // index into the document's sections
	First, Last int // lines of the page's text
	// Header is the first line of the table whose header names the columns; 0 outside of
	// tables.
	Header int

	within string // its name with those of the parameters around it, lamp.oil.kind
}

// reader reads one page.
type reader struct {
	d     doc.Document
	found []Parameter
	// about is 1 for sections whose heading, or one above it, announces parameters, and
	// -1 for the others that were looked at.
	about []int8
	page  bool   // the same for the page's title
	lead  string // the paragraph in front of a list or a table
}

// ReadParameters takes the parameters of a page, in the order of its lines.
func ReadParameters(d doc.Document) []Parameter {
	if len(d.Sections) == 0 {
		return nil
	}
	r := &reader{d: d}
	if d.Plain {
		r.readVimHelp()
		return r.found
	}
	next := 0
	for i, b := range d.Blocks {
		if b.Section < 0 || b.Section >= len(d.Sections) || b.Span.Start < 0 || b.Span.End > len(d.Text) || b.Span.Start >= b.Span.End {
			continue
		}
		switch b.Kind {
		case doc.Table: // of a very large one each row is a block
			if i < next {
				continue
			}
			for next = i + 1; next < len(d.Blocks) && continues(d.Blocks[next-1], d.Blocks[next]); next++ {
				b.Span.End = d.Blocks[next].Span.End
			}
			r.readTable(b)
		case doc.List:
			r.readList(b)
		case doc.Quote, doc.Admonition:
			r.readQuoted(b)
		case doc.HeadingRow:
			r.readHeading(i)
		case doc.Code:
			r.readCode(b)
		case doc.Paragraph:
			r.readAlone(i)
			r.readColons(b)
			r.lead = b.Text
			continue
		}
		r.lead = ""
	}
	return r.found
}

// continues reports whether a block is a further part of the table before it.
func continues(a, b doc.Block) bool {
	return b.Kind == doc.Table && b.Section == a.Section && b.Span.StartLine == a.Span.EndLine+1 && b.Span.Start >= a.Span.End
}

// announced reports whether the heading of a section, one above it or the page's title
// announces parameters.
func (r *reader) announced(section int) bool {
	if r.about == nil {
		r.about = make([]int8, len(r.d.Sections))
		r.page = announces(r.d.Title)
	}
	if r.page {
		return true
	}
	if r.about[section] == 0 {
		s := r.d.Sections[section]
		r.about[section] = -1
		// The section of manual pages has this name; with other words it is about something else.
		if announces(s.Text) || strings.EqualFold(s.Text, "environment") || s.Parent >= 0 && s.Parent < section && r.announced(s.Parent) {
			r.about[section] = 1
		}
	}
	return r.about[section] > 0
}

// isFull reports whether the page has all that is taken of one.
func (r *reader) isFull() bool { return len(r.found) >= MostPerPage }

// addParameter takes a parameter and cuts its texts.
func (r *reader) addParameter(p Parameter) {
	if r.isFull() {
		return
	}
	p.Type, p.Default, p.Description = clipText(p.Type, MostType), clipText(p.Default, MostDefault),
		clipText(p.Description, MostDescription)
	var aliases []string
	for _, a := range p.Aliases {
		if a != p.Name && !slices.Contains(aliases, a) {
			aliases = append(aliases, a)
		}
	}
	if p.Aliases = aliases; len(p.Aliases) > MostAliases {
		p.Aliases = p.Aliases[:MostAliases]
	}
	r.found = append(r.found, p)
}

// spanText are the lines of a span.
func (r *reader) spanText(s doc.Span) string { return string(r.d.Text[s.Start:s.End]) }

// fillFromText fills in what the words of a description say: its default, that it is required.
func (p *Parameter) fillFromText(text string) {
	if p.Default == "" {
		p.Default = defaultIn(text)
	}
	if !p.Required {
		lower := strings.ToLower(text[:min(len(text), 60)])
		p.Required = strings.HasPrefix(lower, "required.") || strings.HasPrefix(lower, "(required)") ||
			strings.HasPrefix(lower, "required:")
	}
}
