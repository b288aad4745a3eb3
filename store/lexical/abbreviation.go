package lexical

import (
	"context"
	"maps"
	"math"
	"slices"

	index "github.com/blevesearch/bleve_index_api"

	"docent/store"
	"docent/store/analysis"
	"docent/store/definition"
)

const abbreviationField = "abbreviation"

// newAbbreviations makes the field of a passage's definitions: a term has the
// keys, so that they need not be made again by every process, and the spelling.
func newAbbreviations(a *analysis.Analyzer, list []store.Abbreviation) *field {
	fl := &field{name: abbreviationField, options: index.IndexField, freqs: index.TokenFrequencies{}}
	for _, t := range definition.Terms(a, list) {
		tf := &index.TokenFreq{Term: []byte(t)}
		tf.SetFrequency(1)
		fl.freqs[t] = tf
		fl.length++
		fl.size += len(t)
	}
	return fl
}

// definitions stands for the field of definitions among those of words.
const definitions = store.NumFields

// fieldName is a field's name in scorch.
func fieldName(f store.Field) string {
	if f == definitions {
		return abbreviationField
	}
	return f.String()
}

// Definitions gives, in every spelling, the definitions that have one of the
// keys or one of the stems.
func (r *Reader) Definitions(ctx context.Context, keys, stems []string) ([]store.Definition, error) {
	all, err := r.definitions(ctx)
	if err != nil {
		return nil, err
	}
	short, long := stringSet(keys), stringSet(stems)
	var out []store.Definition
	for _, d := range all {
		if !short[d.Key] && !long[d.Stems] {
			continue
		}
		// The dictionary keeps the terms of deleted passages for a while.
		if d.Passages, err = r.countDefining(ctx, d); err != nil {
			return nil, err
		}
		if d.Passages > 0 {
			out = append(out, d)
		}
	}
	return out, ctx.Err()
}

func stringSet(list []string) map[string]bool {
	out := make(map[string]bool, len(list))
	for _, x := range list {
		out[x] = true
	}
	return out
}

// definitions is all that the dictionary has, read once.
func (r *Reader) definitions(ctx context.Context) ([]store.Definition, error) {
	if r.rd == nil {
		return nil, nil
	}
	r.mu.Lock()
	have := r.defs
	r.mu.Unlock()
	if have != nil {
		return have, nil
	}
	found, err := r.walkTerms(ctx, []store.Field{definitions}, math.MaxInt, r.rd.FieldDict)
	if err != nil {
		return nil, err
	}
	have = make([]store.Definition, 0, len(found))
	for _, t := range slices.Sorted(maps.Keys(found)) {
		if d, ok := definition.Parse(t); ok {
			have = append(have, d)
		}
	}
	r.mu.Lock()
	r.defs = have
	r.mu.Unlock()
	return have, nil
}

// countDefining is the number of passages with a definition in one spelling.
func (r *Reader) countDefining(ctx context.Context, d store.Definition) (passages int, err error) {
	term := definition.Term(d)
	err = r.withWalker(ctx, term, func(*walker) error {
		for _, s := range r.segments {
			dict, err := s.Segment().Dictionary(abbreviationField)
			if err != nil {
				return err
			}
			l, err := dict.PostingsList([]byte(term), s.Deleted(), nil)
			if err != nil {
				return err
			}
			passages += int(l.Count())
		}
		return nil
	})
	return passages, err
}
