package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"docent/pipeline/contract"
	"docent/pipeline/corpus"
	"docent/store"
	"docent/store/analysis"
)

// The stored vectors find passages without the question's words. They choose candidates
// and are a feature of the reranker; in the first stage's own order they count little,
// for fused into it they harm look-ups of names (-12 % on flags).
const (
	meaningPassages = 60   // that the vectors add to the candidates
	meaningWeight   = 0.15 // of the best cosine, relative to the best score's 1
	meaningPull     = 0.15 // of each of the best passages on the question's vector
	meaningBest     = 10   // passages that pull
)

// meaning is what the stored vectors say of a question.
type meaning struct {
	vectors []*corpus.Vectors // by reader; nil where there are none
	asked   [][]float32       // the question's vector in each
	found   []map[store.Key]bool
}

// meaning asks the stored vectors. The question's vector is pulled towards those
// of the best passages (Rocchio's feedback).
func (r *run) meaning(ctx context.Context, sc scope, best []foremost) (*meaning, error) {
	m := &meaning{vectors: make([]*corpus.Vectors, len(sc.sets)), asked: make([][]float32, len(sc.sets))}
	terms := analysis.New().Terms(r.Queries[0].Text)
	var all []near
	r.b.Corpus.WarmVectors(ctx, sc.sets)
	for i, set := range sc.sets {
		v, release, err := r.b.Corpus.Vectors(ctx, set)
		if errors.Is(err, store.ErrVectorsDamaged) {
			r.withoutVectors(set)
			continue
		}
		if errors.Is(err, fs.ErrPermission) {
			byWordsAlone(r, set, "its vectors may not be read: %v", err)
			continue
		}
		if err != nil {
			return nil, err
		}
		r.holdOpen(release)
		if !v.HasModel() {
			continue
		}
		q, err := v.FoldTerms(terms)
		if errors.Is(err, store.ErrVectorsDamaged) {
			r.withoutVectors(set)
			continue
		}
		if err != nil {
			return nil, err
		}
		var pulling []store.Key
		for _, h := range best[:min(meaningBest, len(best))] {
			if h.Reader == i {
				pulling = append(pulling, h.Key)
			}
		}
		vectors, err := v.Vectors.Vectors(ctx, pulling)
		if err != nil && !errors.Is(err, store.ErrVectorsDamaged) { // Search reads them too, and says so
			return nil, err
		}
		for _, p := range vectors {
			for j := range p {
				q[j] += float32(meaningPull * float64(p[j]))
			}
		}
		hits, err := v.Search(ctx, q, meaningPassages)
		if errors.Is(err, store.ErrVectorsDamaged) {
			r.withoutVectors(set)
			continue
		}
		if err != nil {
			return nil, err
		}
		m.vectors[i], m.asked[i] = v, q
		for _, h := range hits {
			all = append(all, near{i, h})
		}
	}
	m.found, _, _ = nearest(all, meaningPassages, len(sc.sets))
	return m, nil
}

// withoutVectors notes that a doc set's built-in vectors could not be read. They are
// made again when the question is answered.
func (r *run) withoutVectors(set store.Set) {
	byWordsAlone(r, set, "its vectors are damaged or missing, and are made again (else: by an update of %s)", set.Ref)
}

// byWordsAlone says that a doc set was searched by less than is wanted.
func byWordsAlone(r *run, set store.Set, format string, args ...any) {
	text := set.Ref.String() + " was searched by words alone: " + fmt.Sprintf(format, args...)
	r.note("%s", text)
	d := contract.Degraded{Phase: contract.PhaseSearch, Wanted: "words and vectors", Used: "words alone", Reason: text}
	if !slices.Contains(r.degraded, d) {
		r.degraded = append(r.degraded, d)
	}
}

// near is a passage of one reader, with its cosine.
type near struct {
	reader int
	hit    store.Neighbor
}

// nearest are the best passages by reader, with the best cosine and the last one. All
// that tie with the last one stay, because the order among them depends on the history of
// updates.
func nearest(all []near, limit, readers int) (found []map[store.Key]bool, best, last float64) {
	found = make([]map[store.Key]bool, readers)
	slices.SortStableFunc(all, func(a, b near) int { return cmp.Compare(b.hit.Cosine, a.hit.Cosine) })
	for k, n := range all {
		if n.hit.Cosine <= 0 || k >= limit && n.hit.Cosine < all[limit-1].hit.Cosine {
			break
		}
		if found[n.reader] == nil {
			found[n.reader] = map[store.Key]bool{}
		}
		found[n.reader][n.hit.Key] = true
		best, last = max(best, n.hit.Cosine), n.hit.Cosine
	}
	return found, best, last
}

// keysOf are the passages of hits that one reader has, and which hits these are.
func keysOf(hits []hit, reader int) (keys []store.Key, at []int) {
	for k, h := range hits {
		if h.Reader == reader {
			keys, at = append(keys, h.Key), append(at, k)
		}
	}
	return keys, at
}

// nearestPassages are the passages nearest in meaning, by reader; nil for none.
func (m *meaning) nearestPassages() []map[store.Key]bool {
	if slices.ContainsFunc(m.found, func(f map[store.Key]bool) bool { return len(f) > 0 }) {
		return m.found
	}
	return nil
}

// fuseHits adds what the vectors say to the word index's scores.
func (m *meaning) fuseHits(ctx context.Context, hits []store.Hit) ([]hit, error) {
	out := make([]hit, len(hits))
	best, nearest := 0.0, 0.0
	for i, h := range hits {
		out[i] = hit{Hit: h, words: h.Score - h.Aside}
		best = max(best, h.Score)
	}
	for i, v := range m.vectors {
		if v == nil {
			continue
		}
		keys, at := keysOf(out, i)
		sims, err := v.Similarities(ctx, m.asked[i], keys)
		if err != nil {
			return nil, err
		}
		for k, s := range sims {
			out[at[k]].semantic = max(0, s)
			nearest = max(nearest, s)
		}
	}
	if nearest > 0 {
		for i := range out {
			out[i].share = meaningWeight * best * out[i].semantic / nearest
			out[i].Score += out[i].share
		}
	}
	return out, nil
}
