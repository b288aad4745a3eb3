package storetest

import (
	"context"
	"maps"
	"math"
	"slices"
	"strings"

	"docent/store"
	"docent/store/analysis"
)

// Reference is an index in memory that is as simple as can be. As an engine it
// finds everything and knows no bounds; Scores scores every passage by the
// formula of BM25F, written down once more.
type Reference struct {
	documents map[int64][]analysed
	sorted    []analysed // all passages by key
}

// analysed is a passage as terms.
type analysed struct {
	key         store.Key
	fields      [store.NumFields][]string
	definitions []store.Definition
}

// NewReference makes an empty one.
func NewReference() *Reference { return &Reference{documents: map[int64][]analysed{}} }

// Publish makes a change.
func (r *Reference) Publish(c Change) {
	for _, id := range c.Delete {
		delete(r.documents, id)
	}
	a := analysis.New()
	for _, d := range c.Add {
		list := []analysed{}
		for _, p := range d.Passages {
			list = append(list, analyse(a, d.ID, p))
		}
		r.documents[d.ID] = list
	}
	r.sorted = nil
	for _, list := range r.documents {
		r.sorted = append(r.sorted, list...)
	}
	slices.SortFunc(r.sorted, func(a, b analysed) int { return a.key.Compare(b.key) })
}

func analyse(a *analysis.Analyzer, doc int64, p store.Passage) analysed {
	out := analysed{key: store.Key{Doc: doc, Chunk: p.Chunk, Part: p.Part}}
	for f, text := range p.Fields {
		if store.Field(f) == store.Name {
			if t := analysis.NameTerm(text); t != "" {
				out.fields[f] = []string{t}
			}
			continue
		}
		a.EachToken(text, func(t analysis.Token) {
			if t.Kind != analysis.Stop {
				out.fields[f] = append(out.fields[f], t.Term)
			}
		})
	}
	for _, d := range p.Abbreviations {
		def := store.Definition{Abbreviation: d, Key: analysis.AbbreviationKey(d.Short), Stems: analysis.LongFormKey(a, d.Long)}
		if def.Key != "" && def.Stems != "" && !slices.Contains(out.definitions, def) {
			out.definitions = append(out.definitions, def)
		}
	}
	return out
}

func (r *Reference) documentIDs() []int64 { return slices.Sorted(maps.Keys(r.documents)) }

// allKeys are the keys of all passages, and of more documents that there are not.
func (r *Reference) allKeys(more int64) (out []store.Key) {
	for _, p := range r.sorted {
		out = append(out, p.key)
	}
	if more > 0 {
		out = append(out, store.Key{Doc: 1<<30 + more}, store.Key{Doc: 1, Chunk: 1000})
	}
	return out
}

// Scores scores every passage, naively; those without any score are left out.
func (r *Reference) Scores(params store.Params, queries []store.Query) map[store.Key]float64 {
	passages := r.sorted
	n := float64(len(passages))
	var average [store.NumFields]float64
	df := map[string]float64{}
	for _, p := range passages {
		seen := map[string]bool{}
		for f, terms := range p.fields {
			average[f] += float64(len(terms)) / n
			for _, t := range terms {
				seen[t] = true
			}
		}
		for t := range seen {
			df[t]++
		}
	}
	out := map[store.Key]float64{}
	for _, p := range passages {
		// What one term is worth in this passage.
		value := func(term string) float64 {
			tf := 0.0
			for f, terms := range p.fields {
				count := 0.0
				for _, t := range terms {
					if t == term {
						count++
					}
				}
				if count > 0 {
					b := params.B[f]
					tf += params.Weight[f] * count / (1 - b + b*float64(len(terms))/average[f])
				}
			}
			idf := math.Log(1 + (n-df[term]+.5)/(df[term]+.5))
			return idf * tf * (params.K1 + 1) / (tf + params.K1)
		}
		score := 0.0
		for _, q := range queries {
			for _, t := range q.Terms {
				score += q.Weight * t.Weight * value(t.Term)
			}
			for _, g := range q.Groups {
				best := 0.0
				for _, alt := range g {
					sum := 0.0
					for _, t := range alt.Terms {
						sum += value(t)
					}
					best = max(best, q.Weight*alt.Weight*sum)
				}
				score += best
			}
		}
		if score > 0 {
			out[p.key] = score
		}
	}
	return out
}

// Statistics is store.Words's.
func (r *Reference) Statistics() store.Statistics {
	s := store.Statistics{Documents: len(r.documents)}
	for _, p := range r.sorted {
		s.Passages++
		for f, terms := range p.fields {
			s.Tokens[f] += int64(len(terms))
		}
	}
	return s
}

// Frequencies is store.Words's.
func (r *Reference) Frequencies(_ context.Context, terms []string) ([]int, error) {
	out := make([]int, len(terms))
	for _, p := range r.sorted {
		for i, t := range terms {
			if slices.ContainsFunc(p.fields[:], func(f []string) bool { return slices.Contains(f, t) }) {
				out[i]++
			}
		}
	}
	return out, nil
}

// Matches is store.Words's.
func (r *Reference) Matches(_ context.Context, terms []string) (n int, err error) {
	for _, p := range r.sorted {
		if slices.ContainsFunc(p.fields[:], func(f []string) bool {
			return slices.ContainsFunc(f, func(t string) bool { return slices.Contains(terms, t) })
		}) {
			n++
		}
	}
	return n, nil
}

// Candidates is store.Words's: all passages, without bounds.
func (r *Reference) Candidates(context.Context, *store.Ranking, int) ([]store.Candidate, error) {
	var out []store.Candidate
	for _, p := range r.sorted {
		out = append(out, store.Candidate{Key: p.key, Bound: math.Inf(1)})
	}
	return out, nil
}

// Evidence is store.Words's.
func (r *Reference) Evidence(_ context.Context, terms []string, keys []store.Key) ([]store.Evidence, error) {
	out := make([]store.Evidence, len(keys))
	for i, k := range keys {
		for _, p := range r.documents[k.Doc] {
			if p.key == k {
				out[i] = store.Evidence{Known: true, Occurrences: p.occurrences(terms)}
			}
		}
	}
	return out, nil
}

func (p analysed) occurrences(terms []string) []store.Occurrence {
	out := []store.Occurrence{}
	for i, t := range terms {
		for f, have := range p.fields {
			n := int32(0)
			for _, h := range have {
				if h == t {
					n++
				}
			}
			if n > 0 {
				out = append(out, store.Occurrence{Term: int32(i), Frequency: n, Length: int32(len(have)), Field: store.Field(f)})
			}
		}
	}
	return out
}

// ApproxFrequencies is store.Vocabulary's.
func (r *Reference) ApproxFrequencies(_ context.Context, terms []string) ([]int, error) {
	out := make([]int, len(terms))
	for i, t := range terms {
		var by [store.NumFields]int
		for _, p := range r.sorted {
			for f, have := range p.fields {
				if slices.Contains(have, t) {
					by[f]++
				}
			}
		}
		if out[i] = by[store.Body]; out[i] == 0 {
			out[i] = slices.Max(by[:store.Name])
		}
	}
	return out, nil
}

// matching counts the terms of words that match.
func (r *Reference) matching(match func(string) bool) (map[string]int, error) {
	out := map[string]int{}
	for _, p := range r.sorted {
		for _, have := range p.fields[:store.Name] {
			for _, t := range have {
				if match(t) {
					out[t] = 0
				}
			}
		}
	}
	for t := range out {
		n, err := r.ApproxFrequencies(context.Background(), []string{t})
		if err != nil {
			return nil, err
		}
		out[t] = n[0]
	}
	return out, nil
}

// Fuzzy is store.Vocabulary's.
func (r *Reference) Fuzzy(_ context.Context, term string, distance int) (map[string]int, error) {
	rs := []rune(term)
	return r.matching(func(t string) bool {
		return strings.HasPrefix(t, string(rs[:1])) && levenshtein([]rune(t), rs) <= distance
	})
}

// levenshtein by its definition.
func levenshtein(a, b []rune) int {
	if len(a) == 0 || len(b) == 0 {
		return len(a) + len(b)
	}
	if a[0] == b[0] {
		return levenshtein(a[1:], b[1:])
	}
	return 1 + min(levenshtein(a[1:], b), levenshtein(a, b[1:]), levenshtein(a[1:], b[1:]))
}

// Prefix is store.Vocabulary's.
func (r *Reference) Prefix(_ context.Context, prefix string) (map[string]int, error) {
	return r.matching(func(t string) bool { return strings.HasPrefix(t, prefix) })
}

// Terms is store.Vocabulary's.
func (r *Reference) Terms(_ context.Context, fields ...store.Field) ([]string, error) {
	found := map[string]bool{}
	for _, p := range r.sorted {
		for _, f := range fields {
			for _, t := range p.fields[f] {
				found[t] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found)), nil
}

// Definitions is store.Vocabulary's.
func (r *Reference) Definitions(_ context.Context, keys, stems []string) ([]store.Definition, error) {
	counts := map[store.Definition]int{}
	for _, p := range r.sorted {
		for _, d := range p.definitions {
			if slices.Contains(keys, d.Key) || slices.Contains(stems, d.Stems) {
				counts[d]++
			}
		}
	}
	var out []store.Definition
	for d, n := range counts {
		d.Passages = n
		out = append(out, d)
	}
	return out, nil
}
