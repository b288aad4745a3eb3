package lexical

import (
	"context"
	"maps"
	"math"
	"slices"
	"strings"

	index "github.com/blevesearch/bleve_index_api"

	"docent/store"
	"docent/store/analysis"
)

const (
	abbreviationField = "abbreviation"
	mostLongBytes     = 120
)

// newAbbreviations makes the field of a passage's definitions: a term has the
// keys, so that they need not be made again by every process, and the spelling.
func newAbbreviations(a *analysis.Analyzer, list []store.Abbreviation) *field {
	fl := &field{name: abbreviationField, options: index.IndexField, freqs: index.TokenFrequencies{}}
	for _, d := range list {
		def := store.Definition{Abbreviation: d, Key: analysis.AbbreviationKey(d.Short), Stems: analysis.LongFormKey(a, d.Long)}
		if def.Key == "" || def.Stems == "" || len(d.Long) > mostLongBytes {
			continue
		}
		t := definitionTerm(def)
		if fl.freqs[t] == nil {
			tf := &index.TokenFreq{Term: []byte(t)}
			tf.SetFrequency(1)
			fl.freqs[t] = tf
			fl.length++
			fl.size += len(d.Short) + len(d.Long)
		}
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

// definitionTerm is a definition as a term of the field.
func definitionTerm(d store.Definition) string {
	return strings.Join([]string{d.Key, d.Stems, d.Short, d.Long}, "\x00")
}

// parseDefinition reads a term of the field.
func parseDefinition(term string) (store.Definition, bool) {
	p := strings.Split(term, "\x00")
	if len(p) != 4 {
		return store.Definition{}, false
	}
	return store.Definition{Key: p[0], Stems: p[1], Abbreviation: store.Abbreviation{Short: p[2], Long: p[3]}}, true
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
		if d, ok := parseDefinition(t); ok {
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
	term := definitionTerm(d)
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
