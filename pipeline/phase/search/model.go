package search

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/contract/model"
	"docent/pipeline/corpus"
	"docent/pipeline/ingest/embed"
	"docent/store"
)

// Vectors that a model made of the passages are another way of finding, in addition to
// the words and the built-in vectors. The question's vector comes from the same model; if
// that is unavailable, the doc set is searched without it.
//
// Both ways are fused by a convex combination of scores brought to one range, the
// model's with a weight (Bruch, Gai, Ingber: An Analysis of Fusion
// Functions for Hybrid Retrieval, 2023, where it beats reciprocal ranks, and needs
// one parameter). Here that decides which passages become candidates; among these
// phase 1.5 does the same again with its own value in the words' place.

// QuestionEmbedder makes the vector of a question with the model of the stored vectors.
// model.ErrNone means that no model is configured, requested or found.
type QuestionEmbedder interface {
	Question(ctx context.Context, by embed.By, text string) ([]float32, error)
}

// modelPassages is how many passages a model's vectors add to the candidates.
const modelPassages = 60

// modelled is what a model's vectors say of a question.
type modelled struct {
	vectors []*corpus.ModelVectors // by reader; nil where there are none
	asked   [][]float32            // the question's vector for each
	found   []map[store.Key]bool   // the nearest passages
	nearest float64                // the best cosine
	floor   float64                // that of the last of the nearest
	engine  string                 // who made the question's vector
	weight  float64                // relative to the words: the mean of the doc sets'
	sets    int
}

// modelDamaged says that a model's vectors of a doc set are left out.
func (m *remarks) modelDamaged(set store.Set, wanted string) {
	m.degraded = append(m.degraded, contract.Degraded{Phase: contract.PhaseSearch, Wanted: wanted,
		Used: "words and built-in vectors", Reason: "those of " + set.Ref.String() + " are damaged",
		Remedy: contract.RunDocent("update", set.Ref.String()).To("makes them again")})
}

// modelled asks the vectors that models made; nil where there are none.
func (r *run) modelled(ctx context.Context, sc scope, said *remarks) (*modelled, error) {
	if r.b.Embedder == nil || r.Empty {
		return nil, nil
	}
	m := &modelled{vectors: make([]*corpus.ModelVectors, len(sc.sets)), asked: make([][]float32, len(sc.sets))}
	questions := map[string][]float32{} // by model
	var all []near
	for i, set := range sc.sets {
		v, release, err := r.b.Corpus.ModelVectors(ctx, set)
		if errors.Is(err, fs.ErrPermission) {
			said.byWordsAlone(set, "the vectors of a model may not be read: %v", err)
			continue
		}
		if errors.Is(err, store.ErrVectorsDamaged) {
			if !errors.Is(err, fs.ErrNotExist) { // else a model never made any
				said.modelDamaged(set, "a model's vectors")
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		r.holdOpen(release)
		weight := r.b.Dense(set, v.By)
		if !(weight > 0 && weight < 1) {
			continue
		}
		q, ok := questions[v.By.Model]
		if !ok {
			q, err = r.embedQuestion(ctx, v.By)
			fatal, is := errors.AsType[*contract.Error](err)
			switch {
			case is:
				return nil, fatal
			case err != nil && ctx.Err() != nil:
				return nil, ctx.Err()
			case err != nil && !errors.Is(err, model.ErrNone):
				said.degraded = append(said.degraded, contract.Degraded{Phase: contract.PhaseSearch, Wanted: "vectors by " + v.By.Engine,
					Used: "words and built-in vectors", Reason: err.Error()})
			}
			questions[v.By.Model] = q
		}
		if q == nil {
			continue
		}
		hits, err := v.Search(ctx, q, modelPassages)
		if errors.Is(err, store.ErrVectorsDamaged) {
			said.modelDamaged(set, "vectors by "+v.By.Engine)
			continue
		}
		if err != nil {
			return nil, err
		}
		m.vectors[i], m.asked[i], m.engine = v, q, v.By.Engine
		m.weight += weight
		m.sets++
		for _, h := range hits {
			all = append(all, near{i, h})
		}
	}
	if m.engine == "" {
		return nil, nil
	}
	m.weight /= float64(m.sets)
	m.found, m.nearest, m.floor = nearest(all, modelPassages, len(sc.sets))
	return m, nil
}

// embedQuestion makes the question's vector: of the question as it was asked; where it is
// not English, of its translation, and of the question itself too if the model
// knows other languages; and of a passage that a model thought up.
func (r *run) embedQuestion(ctx context.Context, by embed.By) ([]float32, error) {
	texts := []string{r.Queries[0].Text}
	if c := r.In.Context; c != nil {
		if asked := strings.TrimSpace(c.Question); asked != "" && asked != texts[0] {
			switch {
			case c.Language == "en":
				texts[0] = asked
			case model.Multilingual(by.Name):
				texts = append(texts, asked)
			}
		}
		if c.Hypothetical != "" {
			texts = append(texts, c.Hypothetical)
		}
	}
	var out []float32
	for _, t := range texts {
		v, err := r.b.Embedder.Question(ctx, by, t)
		if err != nil {
			return nil, err
		}
		if out == nil {
			out = slices.Clone(v)
			continue
		}
		for i := range out {
			out[i] += v[i]
		}
	}
	return out, nil
}

// joinNearest joins the nearest passages of both kinds of vectors.
func (m *modelled) joinNearest(other []map[store.Key]bool) []map[store.Key]bool {
	if m == nil {
		return other
	}
	out := make([]map[store.Key]bool, len(m.found))
	some := false
	for i := range out {
		out[i] = map[store.Key]bool{}
		for k := range m.found[i] {
			out[i][k] = true
		}
		if other != nil {
			for k := range other[i] {
				out[i][k] = true
			}
		}
		some = some || len(out[i]) > 0
	}
	if !some {
		return nil
	}
	return out
}

// fuseHits adds the model's part to the scores of hits.
func (m *modelled) fuseHits(ctx context.Context, hits []hit) error {
	if m == nil || m.nearest <= 0 {
		return nil
	}
	width := m.nearest - m.floor
	best := 0.0
	for _, h := range hits {
		best = max(best, h.Score)
	}
	if best == 0 {
		best = 1
	}
	for i, v := range m.vectors {
		if v == nil {
			continue
		}
		keys, at := keysOf(hits, i)
		sims, err := v.Similarities(ctx, m.asked[i], keys)
		if err != nil {
			return err
		}
		for k, s := range sims {
			h := &hits[at[k]]
			h.model = max(0, s)
			in := 0.0
			if s >= m.floor {
				in = 1 // all of the nearest may be equally near
			}
			if width > 0 {
				in = (s - m.floor) / width
			}
			if in > 0 {
				h.modelShare = m.weight / (1 - m.weight) * best * in
				h.Score += h.modelShare
			}
		}
	}
	return nil
}
