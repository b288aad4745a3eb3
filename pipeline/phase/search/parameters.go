package search

import (
	"context"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/phase/search/query"
	"docent/store"
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

// parameters finds the places that document the requested parameter, and returns their
// passages by reader, or nil.
func (r *run) parameters(ctx context.Context, sc scope, said *remarks) ([]map[store.Key]bool, error) {
	name, sure := query.ParameterName(r.In.Context)
	if name == "" || r.b.Parameters == nil {
		return nil, nil
	}
	places, unknown, err := r.b.Parameters(ctx, sc.sets, name)
	if err != nil {
		return nil, err
	}
	if len(unknown) > 0 {
		list := strings.Join(unknown, ", ")
		said.note("where %s documents parameters is not known, for the reference graph is missing or older than its pages; an update "+
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
	if query.WantsDefault(r.In.Context) && slices.ContainsFunc(places,
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
