package search

import (
	"cmp"
	"context"
	"slices"

	"docent/pipeline/contract"
	"docent/pipeline/phase/search/query"
	"docent/store"
)

// Place is a section that was found.
type Place struct{ DocSet, FilePath, Heading, Anchor string }

// Ranking is the order of one step of the first stage, best first.
type Ranking struct {
	Stage  string
	Places []Place
}

// stageLexical and the others name the rankings: that of the word index's own order.
const (
	stageLexical  = "lexical"
	stageSemantic = "semantic" // of the stored vectors alone
	stageModel    = "model"    // of a model's vectors alone, where there are any
	stageFused    = "fused"    // both, with the terms that the best passages share
)

// Stages gives the first stage's rankings down to depth passages, without
// reading a file: for measuring, where an answer's 50 headings are too few.
func (b *Builtin) Stages(ctx context.Context, in contract.SearchInput, depth int) ([]Ranking, error) {
	if len(query.Weigh(in, false)) == 0 {
		return nil, contract.EmptyQuery()
	}
	names, _ := askedSets(in)
	sets, err := b.Corpus.Sets(ctx)
	if len(names) > 0 && err == nil {
		sets, err = b.Corpus.Resolve(ctx, names)
	}
	if err != nil {
		return nil, err
	}
	r := b.newRun(in, contract.SearchOptions{}, sets, wordless(in))
	defer r.close()
	sc, err := r.openScope(ctx, sets)
	if err != nil {
		return nil, err
	}
	s := r.wordSearcher(sc)
	if err := r.MakeQueries(ctx, s, sets); err != nil {
		return nil, err
	}
	hits, err := r.BestHits(ctx, s, r.Queries, depth)
	if err != nil {
		return nil, err
	}
	places, err := r.places(ctx, sc, bareHits(hits))
	if err != nil {
		return nil, err
	}
	out := []Ranking{{stageLexical, places}}
	best, err := r.foremost(ctx, sc, hits)
	if err != nil {
		return nil, err
	}
	sem, err := r.meaning(ctx, sc, best, &r.remarks)
	if err != nil {
		return nil, err
	}
	if places, err = r.places(ctx, sc, sem.vectorOrder(ctx, depth)); err != nil {
		return nil, err
	}
	out = append(out, Ranking{stageSemantic, places})
	other, err := r.modelled(ctx, sc, &r.remarks)
	if err != nil {
		return nil, err
	}
	if other != nil {
		if places, err = r.places(ctx, sc, other.vectorOrder(ctx, depth)); err != nil {
			return nil, err
		}
		out = append(out, Ranking{stageModel, places})
	}
	fused, _, err := r.search(ctx, sc, s, depth)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(fused, func(a, b hit) int { return cmp.Compare(b.Score, a.Score) })
	places, err = r.places(ctx, sc, fused)
	return append(out, Ranking{stageFused, places}), err
}

func bareHits(hits []store.Hit) []hit {
	out := make([]hit, len(hits))
	for i, h := range hits {
		out[i].Hit = h
	}
	return out
}

// vectorOrder is the built-in vectors' own order.
func (m *meaning) vectorOrder(ctx context.Context, depth int) []hit {
	return ordered(len(m.vectors), func(i int) ([]store.Neighbor, error) {
		if m.vectors[i] == nil {
			return nil, nil
		}
		return m.vectors[i].Search(ctx, m.asked[i], depth)
	})
}

// vectorOrder is that of a model's vectors.
func (m *modelled) vectorOrder(ctx context.Context, depth int) []hit {
	return ordered(len(m.vectors), func(i int) ([]store.Neighbor, error) {
		if m.vectors[i] == nil {
			return nil, nil
		}
		return m.vectors[i].Search(ctx, m.asked[i], depth)
	})
}

// ordered are the hits of all readers, best first. A reader that fails has none:
// the search that follows fails in the same way.
func ordered(readers int, search func(i int) ([]store.Neighbor, error)) []hit {
	var out []hit
	for i := range readers {
		found, err := search(i)
		if err != nil {
			continue
		}
		for _, h := range found {
			out = append(out, hit{Hit: store.Hit{Reader: i, Key: h.Key, Score: h.Cosine}})
		}
	}
	slices.SortStableFunc(out, func(a, b hit) int { return cmp.Compare(b.Score, a.Score) })
	return out
}

// places names the sections of hits, in their order.
func (r *run) places(ctx context.Context, sc scope, hits []hit) ([]Place, error) {
	var ids []int64
	for _, h := range hits {
		ids = append(ids, h.Doc)
	}
	docs, err := r.b.Corpus.Documents(ctx, ids)
	if err != nil {
		return nil, err
	}
	out := make([]Place, 0, len(hits))
	for _, h := range hits {
		d := docs[h.Doc]
		if d == nil || h.Chunk >= len(d.Outline.Chunks) {
			continue
		}
		sec := d.Outline.Sections[d.Outline.Chunks[h.Chunk].Section]
		p := Place{DocSet: sc.sets[h.Reader].Ref.String(), FilePath: d.Path, Heading: sec.Text, Anchor: sec.Anchor}
		if sec.Level == 0 {
			p.Heading = d.Title
		}
		out = append(out, p)
	}
	return out, nil
}

// FlatPlaces lists the headings of an answer over all pages, best first, in the order
// of phase 1.5: by rerank_sim, then score, then place.
func FlatPlaces(results []contract.Result) []Place {
	type one struct {
		res  int
		head contract.Heading
	}
	var all []one
	for i, r := range results {
		for _, h := range r.Headings {
			all = append(all, one{i, h})
		}
	}
	sim := func(h contract.Heading) float64 {
		if h.RerankSim == nil {
			return 0
		}
		return *h.RerankSim
	}
	slices.SortStableFunc(all, func(a, b one) int {
		return cmp.Or(cmp.Compare(sim(b.head), sim(a.head)), cmp.Compare(b.head.Score, a.head.Score), cmp.Compare(a.res, b.res))
	})
	out := make([]Place, len(all))
	for i, o := range all {
		r := results[o.res]
		out[i] = Place{DocSet: r.DocSet, FilePath: r.FilePath, Heading: o.head.Text, Anchor: o.head.Anchor}
	}
	return out
}
