// Package changes compares the names that two versions of a doc set document: which were
// removed, renamed or deprecated, and which have another default or type.
//
// Names are settings, flags, fields, variables of the environment, functions and classes:
// the parameters of the reference graph, and headings that are a name in code or a call.
// A name is removed where the newer version documents it nowhere and mentions it at most where
// it tells of changes;
// it is renamed where the newer version says so in a sentence, or where the same section
// has the same description under another name. A finding that the pages leave open says
// why, see Change.Perhaps.
//
// Terms. A statement is a sentence that says of a name that it was removed, renamed or
// deprecated, or what takes its place. A mention is a place that has a name in code without
// documenting it.
//
// The patterns of statements know English. The package refuses to read files and to know
// which project uses a name: docent/pipeline/source/usage does.
package changes

import (
	"slices"
	"strings"

	"docent/pipeline/knowledge/parameters"
	"docent/store/doc"
)

// Place is where a version documents a name, or says something of it.
type Place struct {
	Path, Title          string // of the page
	Heading, SectionPath string // "" before the first heading
	URL, Anchor          string
	Lines                [2]int
}

// Name is a name at a place that documents it.
type Name struct {
	Name    string
	Aliases []string
	Place   Place
	// Type, Default and Description are "" where the page does not say.
	Type, Default, Description string
	Form                       parameters.Form
	// Call says that it is documented with call parentheses.
	Call bool
	// Parents are the keys that stand above it: the documented setting is a part of them.
	Parents []string
	// Deprecated is the line that says that it is deprecated, "" if none does.
	Deprecated     string
	DeprecatedLine int
}

// Kind is the fate of a name.
type Kind string

// The kinds of changes, the gravest first.
const (
	Removed    Kind = "removed"
	Renamed    Kind = "renamed"
	Deprecated Kind = "deprecated"
	Default    Kind = "default"
	Type       Kind = "type"
)

// Kinds are all kinds, the gravest first.
func Kinds() []Kind { return []Kind{Removed, Renamed, Deprecated, Default, Type} }

// Change is the fate of a name between two versions.
type Change struct {
	Name    string
	Aliases []string
	Kind    Kind
	// Replacement is the name that takes its place, "" if the newer version does not say.
	Replacement string
	// From and To are the values of a default or type.
	From, To string
	// Perhaps is why the change is not sure; "": it is.
	Perhaps string
	// Evidence is the sentence of the newer version that says so, "" where the change shows
	// in the documentation of the name itself.
	Evidence string
	// Before is where the older version documents the name; After is where the newer one
	// documents it or says what became of it, nil where it does neither.
	Before Place
	After  *Place
	// Call, Parents and Pages say in which form the name is documented: with parentheses,
	// below which keys, and on which pages. Partial says that other places of the same name
	// did not change: it is to be looked for below its keys or on its command alone. Commands are
	// words of the commands of a flag that others keep.
	Call     bool
	Parents  [][]string
	Pages    []string
	Commands []string
	Partial  bool
	// Shared says that the last part of a dotted name is that of another one that is still
	// documented.
	Shared bool
}

// Page is a page of a version as it is read.
type Page struct {
	Path, Title, URL string
	Text             []byte
	Sections         []doc.Section
	Parameters       []Name // without parents and deprecation
}

// Version collects what a version documents.
type Version struct {
	names      map[string][]Name
	order      []string
	statements []statement
	mentions   map[string]Place
	history    map[string]Place // mentions in reports of changes
	pages      map[string]bool
	// flagMentions are the pages and sections that have a flag in code, and flags those that
	// document it; see flagUnits.
	flagMentions, flags map[string]map[string]bool
	// Wanted are the names whose mentions are collected; nil: none.
	wanted map[string]bool
}

// NewVersion is a version without pages. The mentions of the names that are documented in
// older are collected; nil: no mentions.
func NewVersion(older *Version) *Version {
	v := &Version{names: map[string][]Name{}, mentions: map[string]Place{}, history: map[string]Place{}, pages: map[string]bool{},
		flagMentions: map[string]map[string]bool{}}
	if older != nil {
		v.wanted = map[string]bool{}
		for _, n := range older.order {
			v.wanted[n] = true
		}
	}
	return v
}

// Add takes what a page says.
func (v *Version) Add(page Page) {
	p := newReader(page)
	v.pages[p.Path] = true
	said := p.readStatements()
	covered := map[string]bool{}
	for _, n := range p.Parameters {
		if isEpitaph(n, said) {
			continue
		}
		n.Parents = parentsOf(n.Name, n.Place.SectionPath)
		n.Deprecated, n.DeprecatedLine = p.deprecationAt(n)
		covered[n.Name] = true
		v.addName(n)
	}
	if n, ok := p.nameOfPage(); ok && !covered[n.Name] {
		covered[n.Name] = true
		v.addName(n)
	}
	for i, s := range p.Sections {
		n, ok := p.headingName(i)
		if !ok || covered[n.Name] {
			continue
		}
		n.Place = p.placeOf(s.Span.StartLine, s.Span.EndLine)
		n.Parents = parentsOf(n.Name, n.Place.SectionPath)
		n.Deprecated, n.DeprecatedLine = p.deprecationAt(n)
		v.addName(n)
	}
	v.statements = append(v.statements, said...)
	if v.wanted != nil {
		v.readMentions(p)
	}
}

// isEpitaph reports whether a row or an item says that its name is gone: it documents nothing.
func isEpitaph(n Name, said []statement) bool {
	return n.Form != parameters.Heading && slices.ContainsFunc(said, func(s statement) bool {
		return s.name == n.Name && s.place.Lines[0] == n.Place.Lines[0] && (s.kind == Removed || s.kind == Renamed)
	})
}

func (v *Version) addName(n Name) {
	for _, name := range append([]string{n.Name}, n.Aliases...) {
		if _, ok := v.names[name]; !ok {
			v.order = append(v.order, name)
		}
		v.names[name] = append(v.names[name], n)
	}
}

// Count is how many names the version documents.
func (v *Version) Count() int { return len(v.order) }

// Documents reports whether the version documents a name; a flag may be given without its dashes, a
// function with parentheses.
func (v *Version) Documents(name string) bool {
	name = strings.TrimSuffix(name, "()")
	return slices.ContainsFunc([]string{name, "-" + name, "--" + name}, func(n string) bool { return len(v.names[n]) > 0 })
}

// IsCalled reports whether a change is that of a name, which is given as for Documents.
func IsCalled(name string, c Change) bool {
	name = strings.TrimSuffix(name, "()")
	return slices.ContainsFunc(append([]string{c.Name}, c.Aliases...), func(n string) bool {
		return n == name || n == "-"+name || n == "--"+name
	})
}

// InCommon is the share of the names of the older version that the newer one documents; 1 of
// a version that documents none.
func InCommon(before, after *Version) float64 {
	same := 0
	for _, n := range before.order {
		if len(after.names[n]) > 0 {
			same++
		}
	}
	if len(before.order) == 0 {
		return 1
	}
	return float64(same) / float64(len(before.order))
}

// reader reads one page.
type reader struct {
	Page
	lines    []string
	paths    []string // of the sections
	sections []int    // the section of each line
	history  []bool   // the lines that tell of changes
}

func newReader(p Page) *reader {
	r := &reader{Page: p, lines: strings.Split(string(p.Text), "\n"), paths: doc.SectionPaths(p.Sections)}
	r.sections = make([]int, len(r.lines))
	for i := range r.sections {
		r.sections[i] = -1
	}
	for i, s := range p.Sections {
		for l := max(s.Span.StartLine, 1); l <= min(s.Span.EndLine, len(r.lines)); l++ {
			r.sections[l-1] = i
		}
	}
	return r
}

// placeOf is a place of the page by its lines, which are counted from 1.
func (r *reader) placeOf(first, last int) Place {
	out := Place{Path: r.Path, Title: r.Title, URL: r.URL, Lines: [2]int{first, last}}
	if first < 1 || first > len(r.sections) || r.sections[first-1] < 0 {
		return out
	}
	s := r.Sections[r.sections[first-1]]
	out.SectionPath, out.Anchor = r.paths[r.sections[first-1]], s.Anchor
	if s.Level > 0 {
		out.Heading = s.Text
	}
	return out
}
