package params

import (
	"cmp"
	"context"
	"path"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"docent/pipeline/contract"
	"docent/pipeline/knowledge/parameters"
	"docent/pipeline/knowledge/references"
	"docent/pipeline/service/home"
	"docent/pipeline/text/spacing"
	"docent/pipeline/text/spelling"
	"docent/store"
	"docent/store/doc"
)

// ParameterRequest asks for the documentation of a parameter. Without doc sets all are
// meant, and without a limit all places.
type ParameterRequest struct {
	Name  string   `json:"name" arg:"NAME" path:"name"`
	Sets  []string `json:"doc_sets,omitempty" flag:"set" tool:"doc_sets"`
	Limit int      `json:"limit,omitempty" flag:"limit" query:"limit" minimum:"1" maximum:"1000000000" flag.minimum:"0" flag.maximum:""`
}

// FieldTags are the texts of the fields.
func (ParameterRequest) FieldTags() map[string]reflect.StructTag {
	return map[string]reflect.StructTag{
		"Name": `tool:"name,the name of an option, flag, field, setting or variable, or a pattern with *"` +
			` doc:"the parameter's name, or a pattern with *"`,
		"Sets": `query:"doc_set,narrows to a doc set, Name or Name@version; may be repeated"` +
			` doc:"narrows to these doc sets, Name or Name@version"`,
		"Limit": `doc:"places at most"`,
	}
}

// ParameterAnswer are the places that document a parameter, the most precise first.
type ParameterAnswer struct {
	Name       string           `json:"name"`
	Total      int              `json:"total"`
	Parameters []ParameterPlace `json:"parameters"`
	// Near are similar names, if no parameter has this name.
	Near []string `json:"near"`
}

// ParameterPlace is a place that documents a parameter.
type ParameterPlace struct {
	Name        string   `json:"name"`
	Aliases     []string `json:"aliases"`
	Type        string   `json:"type"`
	Default     string   `json:"default"`
	Required    bool     `json:"required"`
	Description string   `json:"description"`
	// Match says how its name fits the one that was asked for: exact, case, dashes,
	// spelling, component or pattern.
	Match       string `json:"match"`
	DocSet      string `json:"doc_set"`
	PageTitle   string `json:"page_title"`
	FilePath    string `json:"file_path"`
	Section     string `json:"section"` // its heading, "" before the first one
	SectionPath string `json:"section_path"`
	URL         string `json:"url"`
	Lines       [2]int `json:"lines"` // of the page's text
	// SourceLines are the lines of the file, where that was converted to be read.
	SourceLines [2]int `json:"source_lines,omitzero"`
	// Header is the line of the header of its table, 0 if it is not in a table.
	Header int             `json:"header_line"`
	Form   parameters.Form `json:"form"` // row, item, heading, key, example or index
}

// mostAsked is the length of the longest name that is looked up, in bytes.
const mostAsked = 400

// Parameter gives every place that documents a parameter.
func (svc *Service) Parameter(ctx context.Context, req ParameterRequest) (ParameterAnswer, error) {
	name := strings.TrimSpace(req.Name)
	out := ParameterAnswer{Name: name, Parameters: []ParameterPlace{}, Near: []string{}}
	switch {
	case name == "" || strings.Trim(name, "*-") == "":
		return out, contract.Invalid("name", "%q is no name of a parameter; give one, or a pattern such as auto*", name)
	case len(name) > mostAsked:
		return out, contract.Invalid("name", "the name has %d bytes, the longest that is looked up has %d; give a shorter one", len(name),
			mostAsked)
	}
	sets, err := svc.home.ResolveOrAll(ctx, req.Sets)
	if err != nil {
		return out, err
	}
	sets = home.NewestFirst(sets)
	var found []matched
	var near []string
	err = svc.graph.EachGraph(ctx, sets, func(set store.Set, g *references.Graph) error {
		of, all, err := g.ParameterNames(func(n string) bool { return parameters.MatchName(n, name) < parameters.None })
		near = append(near, all...)
		found = append(found, sorted(of, name, doc.GeneratorOf(set.Site))...)
		return err
	})
	if err != nil {
		return out, err
	}
	slices.SortStableFunc(found, func(a, b matched) int {
		return cmp.Or(cmp.Compare(a.how, b.how), cmp.Compare(a.rank(), b.rank()))
	})
	found = nearestParts(found, name)
	out.Total = len(found)
	if req.Limit > 0 {
		found = found[:min(len(found), req.Limit)]
	}
	for _, m := range found {
		out.Parameters = append(out.Parameters, m.placeOf())
	}
	if out.Total == 0 && !parameters.IsPattern(name) {
		out.Near = nearNames(name, near)
	}
	return out, nil
}

// matched is a place with how well its name fits.
type matched struct {
	references.Documented
	how       parameters.Precision
	generator doc.Generator // of the doc set's web site
}

// nearestParts are, for a dotted name, those places by which it is documented best: where the name itself
// is, its last part alone is another thing. Where it is nowhere, a place that has more of its parts, or
// stands below a heading that is the part before, excludes the others.
func nearestParts(found []matched, asked string) []matched {
	if len(found) == 0 || !strings.Contains(strings.Trim(asked, "."), ".") {
		return found
	}
	if found[0].how < parameters.Component {
		return slices.DeleteFunc(found, func(m matched) bool { return m.how == parameters.Component })
	}
	best := 0
	fit := make(map[string]int, len(found))
	key := func(m matched) string { return m.Name + "\x00" + m.SectionPath + "\x00" + m.Path }
	for _, m := range found {
		n := partsBy(m, asked)
		fit[key(m)] = n
		best = max(best, n)
	}
	return slices.DeleteFunc(found, func(m matched) bool { return m.how == parameters.Component && fit[key(m)] < best })
}

// partsBy is how many parts of a dotted name a place has one after another, from the last: those of its
// own name, and those that headings above it or its page are named after.
func partsBy(m matched, asked string) int {
	n := 0
	for _, name := range append([]string{m.Name}, m.Aliases...) {
		around := parameters.Around(name, asked)
		if around == nil {
			continue
		}
		parts := strings.Count(parameters.Folded(name), ".") + 1
		above := []string{m.Path, m.Title, m.SectionPath}
		for _, part := range around {
			if !slices.ContainsFunc(above, func(s string) bool { return hasWord(s, part) }) {
				break
			}
			parts++
		}
		n = max(n, parts)
	}
	return n
}

// hasWord reports whether one of the words of a text has the given letters and digits, and no others.
func hasWord(text, letters string) bool {
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '_' && r != '-'
	}) {
		if parameters.Folded(word) == letters {
			return true
		}
	}
	return false
}

// rank orders places whose names fit equally well: a page about this one parameter, places that
// say its type or default, the others, and examples at last.
func (m matched) rank() int {
	switch {
	case m.Form == parameters.Example:
		return 3
	case m.Form == parameters.Indexed:
		return 2
	case m.Form == parameters.Heading && m.Heading == m.Title && m.Title == m.Name:
		return 0
	case m.Type == "" && m.Default == "":
		return 2
	}
	return 1
}

// mostNear is how many near names are given.
const mostNear = 3

// shortName is the length up to which a name of as many other letters is not near: "nope" is
// no slip of "note" and "home", while "wik" is one of "wick".
const shortName = 4

// nearNames are similar names, typing mistakes first. Leading dashes do not count, and a
// much shorter name is not similar.
func nearNames(asked string, all []string) []string {
	written := map[string]string{}
	var bare []string
	asked = strings.TrimLeft(asked, "-")
	slices.Sort(all)
	for _, n := range all {
		b := strings.TrimLeft(n, "-")
		if _, ok := written[b]; !ok && 2*len(b) >= len(asked) && len(b) > 2 {
			written[b] = n
			bare = append(bare, b)
		}
	}
	out := []string{}
	for _, b := range append(spelling.FingerSlips(asked, bare), spelling.Nearest(asked, bare)...) {
		if len(asked) <= shortName && len(b) == len(asked) {
			continue
		}
		if n := written[b]; !slices.Contains(out, n) && len(out) < mostNear {
			out = append(out, n)
		}
	}
	return out
}

// sorted are the places of a doc set in the order of their pages and lines. A place with
// several names counts once, by the one that fits best. Of pages about the name the longest is the
// first: the variable's page has the text, the page of the environment variable of that name refers
// to it.
func sorted(of map[string][]references.Documented, asked string, generator doc.Generator) []matched {
	type key struct {
		path string
		line int
		name string
	}
	best := map[key]matched{}
	for name, all := range of {
		how := parameters.MatchName(name, asked)
		for _, d := range all {
			k := key{d.Path, d.First, d.Name}
			if old, ok := best[k]; !ok || how < old.how {
				best[k] = matched{d, how, generator}
			}
		}
	}
	out := make([]matched, 0, len(best))
	for _, m := range best {
		out = append(out, m)
	}
	slices.SortFunc(out, func(a, b matched) int {
		if a.rank() == 0 && b.rank() == 0 && a.Last != b.Last { // the page that says more
			return cmp.Compare(b.Last, a.Last)
		}
		return cmp.Or(cmp.Compare(languageDepth(a.Path), languageDepth(b.Path)), cmp.Compare(min(a.rank(), 1), min(b.rank(), 1)),
			cmp.Compare(a.Path, b.Path), cmp.Compare(a.First, b.First), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// languages are folders of translations: es/reference.md next to reference.md.
var languages = spacing.WordSet(`ar bn cs da de el es fa fi fr he hi hu id it ja ko nl no pl pt ro ru sv th tr uk vi zh`)

// languageDepth is 1 for a page below the folder of a language that is not English, 0 for others:
// without that Spanish stood before English, by the order of their paths.
func languageDepth(file string) int {
	for folder := range strings.SplitSeq(path.Dir(file), "/") {
		code, region, has := strings.Cut(strings.ReplaceAll(folder, "_", "-"), "-")
		if languages[code] && (!has || len(region) == 2 || len(region) == 4) {
			return 1
		}
	}
	return 0
}

func (m matched) placeOf() ParameterPlace {
	anchor := doc.WebAnchor(doc.WebPlace{Generator: m.generator, URL: m.URL, File: m.Path, Heading: m.Heading,
		Outermost: m.SectionPath == m.Heading, Anchor: m.Anchor})
	p := ParameterPlace{
		Name: m.Name, Aliases: m.Aliases, Type: m.Type, Default: m.Default, Required: m.Required, Description: m.Description,
		Match:  m.how.String(),
		DocSet: m.Set.String(), PageTitle: m.Title, FilePath: m.Path, Section: m.Heading, SectionPath: m.SectionPath,
		URL: doc.WithAnchor(m.URL, anchor), Lines: [2]int{m.First, m.Last}, SourceLines: m.Source, Header: m.Header, Form: m.Form,
	}
	if p.Aliases == nil {
		p.Aliases = []string{}
	}
	return p
}

// ParameterNames are the names of the parameters of doc sets that begin as given, with or
// without dashes, in order.
func (svc *Service) ParameterNames(ctx context.Context, begin string, sets []string) ([]string, error) {
	of, err := svc.home.ResolveOrAll(ctx, sets)
	if err != nil {
		return nil, err
	}
	var out []string
	err = svc.graph.EachGraph(ctx, of, func(_ store.Set, g *references.Graph) error {
		_, all, err := g.ParameterNames(func(string) bool { return false })
		for _, n := range all {
			if len(n) >= len(begin) && strings.EqualFold(n[:len(begin)], begin) {
				out = append(out, n)
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// Documenting gives the places in doc sets that document a parameter, the most precise
// first. It makes nothing: doc sets whose reference graph is not that of their index are
// unknown. Examples count where nothing else documents the name.
func (svc *Service) Documenting(ctx context.Context, sets []store.Set, name string) (places []contract.ParameterPlace, unknown []string,
	err error) {
	var found []matched
	for _, s := range sets {
		ok, err := svc.graph.WithGraphAtHand(ctx, s, func(g *references.Graph) error {
			of, _, err := g.ParameterNames(func(n string) bool { return parameters.MatchName(n, name) < parameters.Pattern })
			found = append(found, sorted(of, name, doc.GeneratorOf(s.Site))...)
			return err
		})
		if err != nil {
			return nil, nil, err
		}
		// In an index of thousands of names the last part of one is a word of any question.
		found = slices.DeleteFunc(found, func(m matched) bool { return m.Form == parameters.Indexed && m.how >= parameters.Component })
		if !ok {
			unknown = append(unknown, s.Ref.String())
		}
	}
	slices.SortStableFunc(found, func(a, b matched) int {
		return cmp.Or(cmp.Compare(a.how, b.how), cmp.Compare(a.rank(), b.rank()))
	})
	found = nearestParts(found, name)
	if len(found) > 0 && found[0].Form != parameters.Example {
		found = slices.DeleteFunc(found, func(m matched) bool { return m.Form == parameters.Example })
	}
	for _, m := range found {
		places = append(places, contract.ParameterPlace{DocSet: m.Set.String(), Document: m.Document, Section: m.Section,
			Documented: contract.Documented{Name: m.Name, Match: m.how.String(), Default: m.Default, Lines: [2]int{m.First, m.Last},
				Header: m.Header}})
	}
	return places, unknown, nil
}
