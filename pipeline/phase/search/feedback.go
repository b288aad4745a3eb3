package search

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"math"
	"slices"
	"strings"
	"sync"

	"docent/pipeline/phase/search/query"
	"docent/store"
	"docent/store/analysis"
	"docent/store/doc"
	"docent/store/parallel"
	"docent/store/wordsearch"
)

// Pseudo-relevance feedback by the relevance model RM3 (Abdul-Jaleel et al., "UMass at
// TREC 2004"): the terms that the best passages share are added to the question's own.
const (
	feedbackPassages = 10
	feedbackTerms    = 20
	feedbackWeight   = 0.125 // λ: the share of the new terms in the whole query
	feedbackPool     = 60    // terms whose IDF is looked up
	feedbackMinTerms = 3     // questions of fewer terms are names, and similar pages are not wanted
	feedbackBytes    = 4000
	mostFeedback     = 2 << 20 // bytes of a passage; the tables of known documentation have up to half a megabyte
)

// hit is a passage with what each signal says of it; Score is the first stage's
// fused score.
type hit struct {
	store.Hit
	words    float64 // of the question's own words
	semantic float64 // cosine, at least 0
	share    float64 // of the score, that semantic gave
	model    float64 // cosine of a model's vectors, at least 0
	aimed    bool    // found by a part of the question that was searched by itself
	// modelShare is what that gave to the score.
	modelShare float64
}

// search asks the word index, asks the stored vectors for passages near in meaning, and
// asks the word index again with the terms that its best passages share.
func (r *run) search(ctx context.Context, sc scope, s wordsearch.Searcher, limit int) ([]hit, wordsearch.Stats, error) {
	asked, err := r.BeginSearch(ctx, s, r.Queries)
	if err != nil {
		return nil, wordsearch.Stats{}, err
	}
	first := min(limit, feedbackPassages) // of which the words of similar passages are taken
	if r.Empty {
		first = limit
	}
	hits, err := asked.BestHits(ctx, first, nil)
	st := asked.Stats
	if err != nil {
		return nil, st, err
	}
	if len(hits) == 0 || !r.grounded(st) {
		// Nothing is written like the question, which may be in another language:
		// what a model takes for near is what there is.
		found, err := r.byModel(ctx, sc, asked, limit)
		return found, st, err
	}
	if r.Empty {
		out := bareHits(hits)
		for i := range out {
			out[i].words = out[i].Score
		}
		return out, st, nil
	}
	best, err := r.foremost(ctx, sc, hits)
	if err != nil {
		return nil, st, err
	}
	own := map[string]bool{}
	total := 0.0
	asks := askedTerms(r.Queries)
	for _, t := range st.Terms {
		if !analysis.IsNameTerm(t.Term) && asks[t.Term] {
			own[t.Term] = true
			total += t.Weight
		}
	}
	// The four know nothing of each other. What they remark is taken in their order.
	var terms []store.WeightedTerm
	var failed, refused, missed, lost error
	var other *modelled
	var sem *meaning
	var aimed []map[store.Key]bool
	var said [3]remarks
	var wg sync.WaitGroup
	wg.Go(func() {
		terms, failed = r.feedback(ctx, sc, s, best, own)
		if failed == nil && len(terms) > 0 {
			// (1-λ) of the weight is the question's, which keeps its scale.
			failed = asked.Add(ctx, store.Query{Weight: total * feedbackWeight / (1 - feedbackWeight), Terms: terms, Aside: true})
		}
		if failed == nil {
			hits, failed = asked.BestPassages(ctx, limit)
		}
	})
	wg.Go(func() { sem, missed = r.meaning(ctx, sc, best, &said[0]) })
	wg.Go(func() { other, refused = r.modelled(ctx, sc, &said[1]) })
	aimed, lost = r.aimedPassages(ctx, sc, &said[2])
	wg.Wait()
	if refused != nil {
		return nil, st, refused // as it is: it may end the program with a code
	}
	if err = errors.Join(failed, missed, lost); err != nil {
		return nil, st, err
	}
	for _, s := range said {
		r.take(s)
	}
	if len(terms) > 0 {
		r.Queries = append(slices.Clone(r.Queries),
			query.Query{Weight: total * feedbackWeight / (1 - feedbackWeight), Terms: terms, Aside: true})
	}
	found, also := hits, joined(other.joinNearest(sem.nearestPassages()), aimed)
	wg.Go(func() { missed = sem.lookUp(ctx, found, also) })
	hits, err = asked.Complete(ctx, found, also)
	if wg.Wait(); err != nil || missed != nil {
		return nil, st, errors.Join(err, missed)
	}
	fused := sem.fuseHits(hits)
	err = other.fuseHits(ctx, fused)
	for i, h := range fused {
		fused[i].aimed = aimed != nil && aimed[h.Reader][h.Key]
	}
	if err == nil && other != nil {
		r.engine, r.dense = other.engine, other.weight
	}
	return slices.DeleteFunc(fused, func(h hit) bool { return h.Score <= 0 }), st, err
}

// byModel is what a model's vectors find by themselves.
func (r *run) byModel(ctx context.Context, sc scope, asked *wordsearch.Search, limit int) ([]hit, error) {
	other, err := r.modelled(ctx, sc, &r.remarks)
	if err != nil || other == nil {
		return nil, err
	}
	near := other.joinNearest(nil)
	hits, err := asked.BestHits(ctx, limit, near)
	if err != nil {
		return nil, err
	}
	hits = slices.DeleteFunc(hits, func(h store.Hit) bool {
		return near[h.Reader] == nil || !near[h.Reader][h.Key]
	})
	out := bareHits(hits)
	for i := range out {
		out[i].Score, out[i].Aside, out[i].words = 0, 0, 0 // words that stand everywhere
	}
	if err := other.fuseHits(ctx, out); err != nil {
		return nil, err
	}
	r.engine, r.dense = other.engine, other.weight
	return slices.DeleteFunc(out, func(h hit) bool { return h.Score <= 0 }), nil
}

// foremost is one of the best passages with its document.
type foremost struct {
	store.Hit
	doc *store.Document
}

// foremost gives the best passages. Which of equals come first is decided by
// their places, not by the catalog's numbers, which depend on history.
func (r *run) foremost(ctx context.Context, sc scope, hits []store.Hit) ([]foremost, error) {
	n := min(feedbackPassages, len(hits))
	for n < len(hits) && hits[n].Score == hits[n-1].Score {
		n++
	}
	ids := make([]int64, n)
	for i, h := range hits[:n] {
		ids[i] = h.Doc
	}
	docs, err := r.b.Corpus.Documents(ctx, ids)
	if err != nil {
		return nil, err
	}
	var out []foremost
	for _, h := range hits[:n] {
		if d := docs[h.Doc]; d != nil {
			out = append(out, foremost{h, d})
		}
	}
	slices.SortFunc(out, func(x, y foremost) int {
		return cmp.Or(cmp.Compare(y.Score, x.Score), strings.Compare(sc.sets[x.Reader].Ref.String(), sc.sets[y.Reader].Ref.String()),
			strings.Compare(x.doc.Path, y.doc.Path), cmp.Compare(x.Chunk, y.Chunk), cmp.Compare(x.Part, y.Part))
	})
	return out[:min(feedbackPassages, len(out))], nil
}

// feedback gives the terms of the best passages with weights that add up to 1:
// by their probability there, weighed by how much that tells them from the rest
// (the divergence of Kullback and Leibler, term by term).
func (r *run) feedback(ctx context.Context, sc scope, s wordsearch.Searcher, hits []foremost,
	own map[string]bool) ([]store.WeightedTerm, error) {
	if len(own) < feedbackMinTerms {
		return nil, nil
	}
	sum := 0.0
	for _, h := range hits {
		sum += h.Score
	}
	prob := map[string]float64{}
	in := map[string]int{}
	counts, at := r.counts(ctx, sc, hits)
	for i, h := range hits {
		c := counts[at[i]]
		for t, k := range c.terms {
			prob[t] += h.Score / sum * float64(k) / float64(c.n)
			in[t]++
		}
	}
	type one struct {
		term string
		p    float64
	}
	var pool []one
	for t, p := range prob {
		if in[t] > 1 || own[t] {
			pool = append(pool, one{t, p})
		}
	}
	slices.SortFunc(pool, func(x, y one) int { return cmp.Or(cmp.Compare(y.p, x.p), cmp.Compare(x.term, y.term)) })
	pool = pool[:min(feedbackPool, len(pool))]
	terms := make([]string, len(pool))
	for i, o := range pool {
		terms[i] = o.term
	}
	idf, err := s.ApproxIDF(ctx, terms)
	if err != nil {
		return nil, err
	}
	for i := range pool {
		pool[i].p *= idf[i]
	}
	slices.SortFunc(pool, func(x, y one) int { return cmp.Or(cmp.Compare(y.p, x.p), cmp.Compare(x.term, y.term)) })
	pool = pool[:min(feedbackTerms, len(pool))]
	all := 0.0
	for _, o := range pool {
		all += o.p
	}
	var out []store.WeightedTerm
	for _, o := range pool {
		if w := o.p / all; w > 0 && !math.IsInf(w, 0) {
			out = append(out, store.WeightedTerm{Term: o.term, Weight: w})
		}
	}
	return out, nil
}

// counted is how often a passage has each term, of n.
type counted struct {
	terms map[string]int
	n     int
}

// counts counts the terms of passages, each once: of a long table several parts
// may be among the hits. at says which of the counts is whose.
func (r *run) counts(ctx context.Context, sc scope, hits []foremost) (counts []counted, at []int) {
	type chunk struct {
		doc   int64
		index int
	}
	seen := map[chunk]int{}
	var first []foremost
	for _, h := range hits {
		k := chunk{h.Doc, h.Chunk}
		if _, ok := seen[k]; !ok {
			seen[k] = len(first)
			first = append(first, h)
		}
		at = append(at, seen[k])
	}
	counts = make([]counted, len(first))
	weights := r.weights()
	parallel.Do(len(first), func(mine iter.Seq[int]) {
		a := r.b.analyzers.Get()
		defer r.b.analyzers.Put(a)
		for i := range mine {
			h := first[i]
			if h.Chunk >= len(h.doc.Outline.Chunks) {
				continue
			}
			span := h.doc.Outline.Chunks[h.Chunk].Span
			if span.End-span.Start > mostFeedback {
				continue
			}
			texts, err := r.b.Corpus.Slices(ctx, sc.sets[h.Reader], h.doc.Path, []doc.Span{span})
			if err != nil {
				continue // it is left out of the answer later, and that is said
			}
			c := counted{terms: map[string]int{}}
			text := analysis.FocusWindow(plainPreview(texts[0]), weights, feedbackBytes)
			a.EachToken(h.doc.Title+"\n"+text, func(t analysis.Token) {
				if t.Kind != analysis.Stop && t.Kind != analysis.Identifier {
					c.terms[t.Term]++
					c.n++
				}
			})
			counts[i] = c
		}
	})
	return counts, at
}

// weights are the question's terms for finding the part of a long passage.
func (r *run) weights() map[string]float64 {
	a := analysis.New()
	w := map[string]float64{}
	a.EachToken(r.Queries[0].Text, func(t analysis.Token) {
		if t.Kind != analysis.Stop {
			w[analysis.Written(t)] = 1
		}
	})
	return w
}
