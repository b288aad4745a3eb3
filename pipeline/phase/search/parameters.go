package search

import (
	"context"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/question/kind"
	"docent/pipeline/question/reading"
	"docent/pipeline/question/wordlist"
	"docent/store"
	"docent/store/analysis"
)

// A question for one parameter is answered where that is documented: the sections that do
// are candidates whatever the words score, and say so in their headings.

const (
	// mostPlaces is how many places that document a parameter are candidates: a generated
	// reference repeats common options on a hundred pages.
	mostPlaces = 12
	// mostPlainPlaces is in how many places a name that is also a plain word may be
	// documented to count as a parameter.
	mostPlainPlaces = 6
)

// parameterName is the only name that a question asks about, "" where it asks for
// something else, or for several. sure says that it is written as names in code are.
func parameterName(c *contract.Context) (name string, sure bool) {
	if c == nil || len(c.Subjects) != 1 || len(c.Parts) > 1 || c.Kind != contract.KindLookup && c.Intent != contract.IntentParameter {
		return "", false
	}
	name = strings.Trim(c.Subjects[0], "`'\" ")
	if name == "" || strings.ContainsAny(name, " \t*") || len(besides(c, name)) > mostBesides {
		return "", false
	}
	return name, kind.Identifier(name)
}

// mostBesides is how many other words a question for a parameter may have than its name
// and the requested property: the program or the page of the parameter. "sessionAffinity
// ClientIP timeout default seconds" asks for another parameter than sessionAffinity.
const mostBesides = 2

// besides are the words of a question that are neither the parameter's name nor the
// requested property. Words of Chinese and Japanese count as their first renderings.
func besides(c *contract.Context, name string) []string {
	var out []string
	count := func(w string) {
		if w != "" && !strings.ContainsFunc(w, analysis.IsCJK) && !asksOf.Has(w) {
			out = append(out, w)
		}
	}
	for w := range strings.FieldsSeq(strings.ReplaceAll(c.Question, name, " ")) {
		count(strings.ToLower(strings.Trim(w, "`'\"?!.,:;()")))
	}
	for _, t := range c.Translations {
		if strings.ContainsFunc(t.Word, analysis.IsCJK) && len(t.Terms) > 0 {
			count(strings.ToLower(t.Terms[0].Text))
		}
	}
	return out
}

// asksOf are the words with which something is asked of a parameter.
const asksOf wordlist.Rule = "parameters/asks-of"

// parameters finds the places that document the requested parameter, and returns their
// passages by reader, or nil.
func (r *run) parameters(ctx context.Context, sc scope) ([]map[store.Key]bool, error) {
	name, sure := parameterName(r.in.Context)
	if name == "" || r.b.Parameters == nil {
		return nil, nil
	}
	places, unknown, err := r.b.Parameters(ctx, sc.sets, name)
	if err != nil {
		return nil, err
	}
	if len(unknown) > 0 {
		list := strings.Join(unknown, ", ")
		r.note("where %s documents parameters is not known, for the reference graph is missing or older than its pages; docent update "+
			"makes it", list)
	}
	if !sure {
		places = slices.DeleteFunc(places, func(p contract.ParameterPlace) bool {
			return p.Match != "exact" && p.Match != "case" && p.Match != "dashes"
		})
		if len(places) > mostPlainPlaces {
			return nil, nil
		}
	}
	places = closest(places)
	if reading.OfContext(r.in.Context).Default && slices.ContainsFunc(places,
		func(p contract.ParameterPlace) bool { return p.Default != "" }) {
		// The others do not have the requested property.
		places = slices.DeleteFunc(places, func(p contract.ParameterPlace) bool { return p.Default == "" })
	}
	places = places[:min(len(places), mostPlaces)]
	ids := make([]int64, 0, len(places))
	for _, p := range places {
		ids = append(ids, p.Document)
	}
	slices.Sort(ids)
	docs, err := r.b.Corpus.Documents(ctx, slices.Compact(ids))
	if err != nil || len(places) == 0 {
		return nil, err
	}
	reader := map[string]int{}
	for i, s := range sc.sets {
		reader[s.Ref.String()] = i
	}
	out := make([]map[store.Key]bool, len(sc.indexes))
	r.documented = map[int64][]contract.ParameterPlace{}
	for _, p := range places {
		d, i := docs[p.Document], reader[p.DocSet]
		if d == nil {
			continue
		}
		r.documented[p.Document] = append(r.documented[p.Document], p)
		for _, c := range d.Outline.Chunks {
			if c.Section != p.Section || p.Lines[0] < c.Span.StartLine || p.Lines[0] > c.Span.EndLine {
				continue
			}
			if out[i] == nil {
				out[i] = map[store.Key]bool{}
			}
			out[i][store.Key{Doc: p.Document, Chunk: c.Index}] = true
			break
		}
	}
	return out, nil
}

// closest are the places of each doc set whose names fit best: where ADMINS is documented,
// --admins is another thing.
func closest(places []contract.ParameterPlace) []contract.ParameterPlace {
	best := map[string]string{}
	return slices.DeleteFunc(places, func(p contract.ParameterPlace) bool {
		if _, ok := best[p.DocSet]; !ok {
			best[p.DocSet] = p.Match
		}
		return p.Match != best[p.DocSet]
	})
}

// parameter is the section's documentation of the requested parameter, or nil.
func (r *run) parameter(document int64, section int) *contract.Documented {
	for _, p := range r.documented[document] {
		if p.Section == section {
			found := p.Documented
			return &found
		}
	}
	return nil
}
