package references

import (
	"cmp"
	"maps"
	"net/url"
	"slices"

	"docent/pipeline/knowledge/references/wire"

	"docent/pipeline/knowledge/parameters"
	"docent/store/doc"
)

// details are the stored fields of a parameter that its node lacks. They are apart from
// the pages in a stored graph, so that reading edges does not decode them.
type details struct {
	aliases     []string
	description string
	form        parameters.Form
	last        int
	header      int
	source      [2]int // lines of the source, 0: the same
}

// parameters adds the parameters that the page documents.
func (r *reader) parameters() {
	documented := parameters.ReadParameters(r.d)
	documented = append(documented, parameters.ReadNames(r.d, documented, r.lineOfAnchor)...)
	for _, p := range documented {
		var source [2]int
		if r.d.Map != nil {
			source = [2]int{r.d.Location(p.First).Line, r.d.Location(p.Last).Line}
		}
		r.addPart(Part{Kind: Parameter, Place: p.Section, Line: p.First, Name: p.Name, Type: p.Type, Default: p.Default,
			Required: p.Required,
			Details: details{aliases: p.Aliases, description: p.Description, form: p.Form, last: p.Last, header: p.Header,
				source: source}})
	}
}

// lineOfAnchor gives the line of the page's text at which an anchor stands, as it is written or
// with its escapes resolved.
func (r *reader) lineOfAnchor(anchor string) (line int, ok bool) {
	if anchor == "" {
		return r.d.Sections[0].Span.StartLine, true // the whole page
	}
	if r.lines == nil {
		r.lines = map[string]int{}
		for _, a := range r.page.Anchors {
			if line := r.lineOfSource(a.Line); line > 0 {
				r.lines[a.Name] = line
			}
		}
		for _, s := range r.d.Sections {
			if s.Anchor != "" {
				r.lines[s.Anchor] = s.Span.StartLine
			}
		}
	}
	if line, ok = r.lines[anchor]; ok {
		return line, true
	}
	plain, err := url.PathUnescape(anchor)
	if err != nil {
		return 0, false
	}
	line, ok = r.lines[plain]
	return line, ok
}

// lineOfSource gives the first line of the text that was made of a line of the source or of one
// behind it, or 0.
func (r *reader) lineOfSource(line int) int {
	if r.d.Map == nil {
		return line
	}
	if r.ofSource == nil { // the lines of the text in the order of their places in the source
		for i, at := range r.d.Map {
			if at.Line > 0 {
				r.ofSource = append(r.ofSource, [2]int{at.Line, i + 1})
			}
		}
		slices.SortFunc(r.ofSource, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	}
	i, _ := slices.BinarySearchFunc(r.ofSource, line, func(a [2]int, line int) int { return cmp.Compare(a[0], line) })
	if i == len(r.ofSource) {
		return 0
	}
	return r.ofSource[i][1]
}

// documents reports whether a part is a parameter that is documented there.
func (p Part) documents() bool { return p.Kind == Parameter && !p.Mentioned }

// encodeDetails writes the details of a page's parameters, in their order.
func encodeDetails(p *Page) []byte {
	w := &wire.Writer{}
	for _, x := range p.Parts {
		if !x.documents() {
			continue
		}
		d := x.Details
		w.WriteNumber(len(d.aliases))
		for _, a := range d.aliases {
			w.WriteString(a)
		}
		w.WriteString(d.description)
		w.WriteString(string(d.form))
		w.WriteNumber(d.last - x.Line)
		w.WriteNumber(d.header)
		w.WriteNumber(d.source[0])
		w.WriteNumber(d.source[1])
	}
	return w.B
}

// decodeDetails reads them into the page's parts.
func decodeDetails(p *Page, b []byte) bool {
	r := &wire.Reader{B: b}
	for i := range p.Parts {
		x := &p.Parts[i]
		if !x.documents() {
			continue
		}
		var d details
		for range r.ReadCount() {
			d.aliases = append(d.aliases, r.ReadString())
		}
		d.description, d.form = r.ReadString(), parameters.Form(r.ReadString())
		d.last, d.header = x.Line+r.ReadNumber(), r.ReadNumber()
		d.source = [2]int{r.ReadNumber(), r.ReadNumber()}
		x.Details = d
	}
	return !r.Bad && len(r.B) == 0
}

// parameterNames are the names of a doc set's parameters with the places that document them. The
// places of a name are kept as they are written, because 160 000 pages have a million of them.
type parameterNames map[string]*namePlaces

// namePlaces are places in the order in which they came, encoded.
type namePlaces struct {
	n       int
	last    spot
	encoded wire.Writer
}

func (x *namePlaces) add(s spot) {
	if x.n > 0 && x.last == s {
		return
	}
	x.n, x.last = x.n+1, s
	x.encoded.WriteNumber(s.page)
	x.encoded.WriteNumber(s.n)
}

func (x *namePlaces) spots() []spot {
	r := &wire.Reader{B: x.encoded.B}
	out := make([]spot, x.n)
	for i := range out {
		out[i] = spot{r.ReadNumber(), r.ReadNumber()}
	}
	return out
}

func (at parameterNames) addPage(i int, p *Page) {
	for k, x := range p.Parts {
		if !x.documents() {
			continue
		}
		for _, name := range append([]string{x.Name}, x.Details.aliases...) {
			places, ok := at[name]
			if !ok {
				places = &namePlaces{}
				at[name] = places
			}
			places.add(spot{i, k})
		}
	}
}

// encode writes the names in order with their places, so that finding a parameter decodes
// only the pages that document it.
func (at parameterNames) encode() []byte {
	w := &wire.Writer{}
	w.WriteNumber(len(at))
	for _, name := range slices.Sorted(maps.Keys(at)) {
		w.WriteString(name)
		w.WriteNumber(at[name].n)
		w.B = append(w.B, at[name].encoded.B...)
	}
	return w.B
}

// writePlaces writes a name with its places.
func writePlaces(w *wire.Writer, name string, places []spot) {
	w.WriteString(name)
	w.WriteNumber(len(places))
	for _, s := range places {
		w.WriteNumber(s.page)
		w.WriteNumber(s.n)
	}
}

// replaceParameters gives the encoded names after some pages got others; ok is false where they
// cannot have been written. The entry of a name is copied where none of these pages changes it.
func replaceParameters(raw []byte, pages map[int]*Page) (encoded []byte, ok bool) {
	own := parameterNames{}
	for i, p := range pages {
		own.addPage(i, p)
	}
	fresh := slices.Sorted(maps.Keys(own))
	names, w := 0, &wire.Writer{B: make([]byte, 0, len(raw))}
	put := func(name string, old []spot) {
		places := old
		if x := own[name]; x != nil {
			places = append(places, x.spots()...)
		}
		if len(places) == 0 {
			return
		}
		slices.SortStableFunc(places, func(a, b spot) int { return cmp.Compare(a.page, b.page) })
		names++
		writePlaces(w, name, places)
	}
	old, r := []spot(nil), &wire.Reader{B: raw}
	for range r.ReadCount() {
		entry := r.B
		name := string(r.ReadBytes())
		for ; len(fresh) > 0 && fresh[0] < name; fresh = fresh[1:] {
			put(fresh[0], nil)
		}
		changes := len(fresh) > 0 && fresh[0] == name
		if changes {
			fresh = fresh[1:]
		}
		old = old[:0]
		for range r.ReadCount() {
			if s := (spot{r.ReadNumber(), r.ReadNumber()}); pages[s.page] == nil {
				old = append(old, s)
			} else {
				changes = true
			}
		}
		if changes {
			put(name, old)
		} else {
			names++
			w.B = append(w.B, entry[:len(entry)-len(r.B)]...)
		}
	}
	for _, name := range fresh {
		put(name, nil)
	}
	head := &wire.Writer{}
	head.WriteNumber(names)
	return append(head.B, w.B...), !r.Bad
}

// Documented is a parameter with the place that documents it.
type Documented struct {
	parameters.Parameter
	Set doc.Ref
	// Document is the page's number in the catalog.
	Document int64
	Path     string
	Title    string // the page's, as its URL
	URL      string
	Heading  string // the section's, "" for the text before the first one
	Anchor   string
	// SectionPath are the headings from the outermost, "" without headings.
	SectionPath string
	// Source are the lines of the file, where that is converted to be read, 0: the same.
	Source [2]int
}

// ParameterNames gives the names of all documented parameters, in order, and the places that
// document those that are wanted.
func (g *Graph) ParameterNames(want func(name string) bool) (found map[string][]Documented, all []string, err error) {
	r := &wire.Reader{B: g.stored.names}
	found = map[string][]Documented{}
	for range r.ReadCount() {
		name := r.ReadString()
		all = append(all, name)
		take := want(name)
		for range r.ReadCount() {
			s := spot{r.ReadNumber(), r.ReadNumber()}
			if !take {
				continue
			}
			d, err := g.documented(s)
			if err != nil {
				return nil, nil, err
			}
			found[name] = append(found[name], d)
		}
	}
	if r.Bad {
		return nil, nil, ErrDamaged
	}
	return found, all, nil
}

// documented gives the parameter that is part n of a page.
func (g *Graph) documented(s spot) (Documented, error) {
	p, err := g.decodePage(s.page)
	if err != nil {
		return Documented{}, err
	}
	if g.detailed == nil {
		g.detailed = make([]bool, len(g.pages))
	}
	if !g.detailed[s.page] {
		_, _, details, whole := unpackRecord(g.stored.kept[s.page].packed)
		if !whole || !decodeDetails(p, details) {
			return Documented{}, ErrDamaged
		}
		g.detailed[s.page] = true
	}
	if s.n < 0 || s.n >= len(p.Parts) {
		return Documented{}, ErrDamaged
	}
	x := p.Parts[s.n]
	if !x.documents() {
		return Documented{}, ErrDamaged
	}
	in := p.Places[x.Place]
	return Documented{
		Parameter: parameters.Parameter{Name: x.Name, Aliases: x.Details.aliases, Type: x.Type, Default: x.Default, Required: x.Required,
			Description: x.Details.description,
			Form:        x.Details.form, Section: x.Place, First: x.Line, Last: x.Details.last, Header: x.Details.header},
		Set: g.set, Document: g.stored.kept[s.page].Document, Path: p.Path, Title: p.Title, URL: p.URL, Heading: in.Text,
		Anchor: in.Anchor, SectionPath: in.Path,
		Source: x.Details.source,
	}, nil
}
