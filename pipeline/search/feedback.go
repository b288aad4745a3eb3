package search

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"docent/store/doc"
	"docent/store/lexical"
	"docent/store/lexical/analysis"
)

// Pseudo-relevance feedback by the relevance model RM3 (Abdul-Jaleel et al.,
// "UMass at TREC 2004"): the terms that the best passages share are asked beside
// the question's own.
const (
	feedbackPassages = 10
	feedbackTerms    = 20
	feedbackWeight   = 0.125 // λ: the share of the new terms in the whole query
	feedbackPool     = 60    // terms whose rarity is looked up
	feedbackMinTerms = 3     // questions of fewer terms are names: what is near is not meant
	feedbackBytes    = 4000
)

// search asks the word index, and asks it again with what its best passages
// share.
func (r *run) search(sc scope, s lexical.Searcher, limit int) ([]lexical.Hit, lexical.Stats, error) {
	hits, st, err := s.Search(r.ctx, r.queries, limit)
	if err != nil || len(hits) == 0 {
		return hits, st, err
	}
	own := map[string]bool{}
	total := 0.0
	for _, t := range st.Terms {
		own[t.Term] = true
		total += t.Weight
	}
	terms, err := r.feedback(sc, s, hits, own)
	if err != nil || len(terms) == 0 {
		return hits, st, err
	}
	// (1-λ) of the weight is the question's, which keeps its scale.
	q := lexical.Query{Weight: total * feedbackWeight / (1 - feedbackWeight), Terms: terms, Aside: true}
	r.queries = append(slices.Clone(r.queries), q)
	again, _, err := s.Search(r.ctx, r.queries, limit)
	return again, st, err
}

// feedback gives the terms of the best passages with weights that add up to 1:
// by their probability there, weighed by how much that tells them from the rest
// (the divergence of Kullback and Leibler, term by term).
func (r *run) feedback(sc scope, s lexical.Searcher, hits []lexical.Hit, own map[string]bool) ([]lexical.WeightedTerm, error) {
	if len(own) < feedbackMinTerms {
		return nil, nil
	}
	n := min(feedbackPassages, len(hits))
	for n < len(hits) && hits[n].Score == hits[n-1].Score {
		n++ // which of equals come first is decided below, not by the catalog's numbers
	}
	hits = slices.Clone(hits[:n])
	ids := make([]int64, len(hits))
	for i, h := range hits {
		ids[i] = h.Doc
	}
	docs, err := r.b.Library.Documents(r.ctx, ids)
	if err != nil {
		return nil, err
	}
	hits = slices.DeleteFunc(hits, func(h lexical.Hit) bool { return docs[h.Doc] == nil })
	slices.SortFunc(hits, func(x, y lexical.Hit) int {
		return cmp.Or(cmp.Compare(y.Score, x.Score), strings.Compare(sc.sets[x.Reader].Ref.String(), sc.sets[y.Reader].Ref.String()),
			strings.Compare(docs[x.Doc].Path, docs[y.Doc].Path), cmp.Compare(x.Chunk, y.Chunk), cmp.Compare(x.Part, y.Part))
	})
	hits = hits[:min(feedbackPassages, len(hits))]
	sum := 0.0
	for _, h := range hits {
		sum += h.Score
	}
	a := analysis.New()
	prob := map[string]float64{}
	in := map[string]int{}
	for _, h := range hits {
		d := docs[h.Doc]
		if h.Chunk >= len(d.Outline.Chunks) {
			continue
		}
		c := d.Outline.Chunks[h.Chunk]
		texts, err := r.b.Library.Slices(sc.sets[h.Reader], d.Path, []doc.Span{c.Span})
		if err != nil {
			continue // it is left out of the answer later, and that is said
		}
		counts := map[string]int{}
		n := 0
		text := analysis.Focus(Plain(texts[0]), r.weights(), feedbackBytes)
		a.Each(d.Title+"\n"+text, func(t analysis.Token) {
			if t.Kind != analysis.Stop && t.Kind != analysis.Identifier {
				counts[t.Term]++
				n++
			}
		})
		for t, k := range counts {
			prob[t] += h.Score / sum * float64(k) / float64(n)
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
	idf, err := s.IDF(r.ctx, terms)
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
	var out []lexical.WeightedTerm
	for _, o := range pool {
		if w := o.p / all; w > 0 && !math.IsInf(w, 0) {
			out = append(out, lexical.WeightedTerm{Term: o.term, Weight: w})
		}
	}
	return out, nil
}

// weights are the question's terms for finding the part of a long passage.
func (r *run) weights() map[string]float64 {
	a := analysis.New()
	w := map[string]float64{}
	for _, t := range a.Terms(r.queries[0].Text) {
		w[t] = 1
	}
	return w
}

// queryName is what an explanation calls a query.
func queryName(q lexical.Query) string {
	if q.Aside {
		return "(feedback)"
	}
	return q.Text
}
