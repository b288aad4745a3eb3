package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"docent/pipeline/contract"
	"docent/pipeline/corpus"
	"docent/store"
	"docent/store/analysis"
	"docent/store/parallel"
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
	cosines []map[store.Key]float64 // by reader, of the passages that were looked up or found
}

// meaning asks the stored vectors. The question's vector is pulled towards those
// of the best passages (Rocchio's feedback).
func (r *run) meaning(ctx context.Context, sc scope, best []foremost, said *remarks) (*meaning, error) {
	n := len(sc.sets)
	m := &meaning{vectors: make([]*corpus.Vectors, n), asked: make([][]float32, n), cosines: make([]map[store.Key]float64, n)}
	terms := analysis.New().Terms(r.Queries[0].Text)
	best = best[:min(meaningBest, len(best))]
	r.b.Corpus.OpenVectorsAhead(ctx, sc.sets)
	found, failed := make([][]store.Neighbor, n), make([]error, n)
	parallel.Ask(n, func(i int) { found[i], failed[i] = r.meaningIn(ctx, m, sc, i, terms, best) })
	var all []near
	for i, set := range sc.sets {
		switch err := failed[i]; {
		case errors.Is(err, store.ErrVectorsDamaged):
			said.withoutVectors(set)
			m.vectors[i] = nil
		case errors.Is(err, fs.ErrPermission):
			said.byWordsAlone(set, "its vectors may not be read: %v", err)
		case err != nil:
			return nil, err
		}
		for _, h := range found[i] {
			all = append(all, near{i, h})
		}
	}
	m.found, _, _ = nearest(all, meaningPassages, n)
	return m, nil
}

// meaningIn asks the stored vectors of one doc set. A doc set without a model has none.
func (r *run) meaningIn(ctx context.Context, m *meaning, sc scope, i int, terms []string, best []foremost) ([]store.Neighbor, error) {
	v, release, err := r.b.Corpus.Vectors(ctx, sc.sets[i])
	if err != nil {
		return nil, err
	}
	r.holdOpen(release)
	if !v.HasModel() {
		return nil, nil
	}
	q, err := v.FoldTerms(terms)
	if err != nil {
		return nil, err
	}
	var pulling []store.Key
	for _, h := range best {
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
	if err == nil {
		m.vectors[i], m.asked[i], m.cosines[i] = v, q, make(map[store.Key]float64, len(hits))
		for _, h := range hits {
			m.cosines[i][h.Key] = h.Cosine
		}
	}
	return hits, err
}

// withoutVectors notes that a doc set's built-in vectors could not be read. They are
// made again when the question is answered.
func (m *remarks) withoutVectors(set store.Set) {
	m.byWordsAlone(set, "its vectors are damaged or missing, and are made again (else: by an update of %s)", set.Ref)
}

// byWordsAlone says that a doc set was searched by less than is wanted.
func (m *remarks) byWordsAlone(set store.Set, format string, args ...any) {
	text := set.Ref.String() + " was searched by words alone: " + fmt.Sprintf(format, args...)
	m.take(remarks{notes: []string{text}, degraded: []contract.Degraded{{Phase: contract.PhaseSearch, Wanted: "words and vectors",
		Used: "words alone", Reason: text}}})
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

// lookUp looks up the cosines of hits, and of further passages by reader, that are not known yet.
func (m *meaning) lookUp(ctx context.Context, hits []store.Hit, also []map[store.Key]bool) error {
	unknown := make([]map[store.Key]bool, len(m.vectors))
	want := func(reader int, k store.Key) {
		if _, known := m.cosines[reader][k]; known || m.vectors[reader] == nil {
			return
		}
		if unknown[reader] == nil {
			unknown[reader] = map[store.Key]bool{}
		}
		unknown[reader][k] = true
	}
	for _, h := range hits {
		want(h.Reader, h.Key)
	}
	for i, keys := range also {
		for k := range keys {
			want(i, k)
		}
	}
	wanted := make([][]store.Key, len(m.vectors))
	for i, keys := range unknown {
		wanted[i] = slices.SortedFunc(maps.Keys(keys), store.Key.Compare)
	}
	failed := make([]error, len(m.vectors))
	parallel.Ask(len(m.vectors), func(i int) {
		if len(wanted[i]) == 0 {
			return
		}
		var list []float64
		list, failed[i] = m.vectors[i].Similarities(ctx, m.asked[i], wanted[i])
		for k, s := range list {
			m.cosines[i][wanted[i][k]] = s
		}
	})
	return errors.Join(failed...)
}

// fuseHits adds what the vectors say to the word index's scores. lookUp has looked their cosines up. A doc set of a few passages has
// no vectors: its passages count with the mean cosine of the others. Counted with 0 they would
// stand behind whatever shares a word with the question, one page of a runbook behind a manual
// of a thousand.
func (m *meaning) fuseHits(hits []store.Hit) []hit {
	out := make([]hit, len(hits))
	for i, h := range hits {
		out[i] = hit{Hit: h, words: h.Score - h.Aside}
	}
	sum, known := 0.0, 0
	for i, h := range hits {
		if m.vectors[h.Reader] != nil {
			out[i].semantic = max(0, m.cosines[h.Reader][h.Key])
			sum, known = sum+out[i].semantic, known+1
		}
	}
	usual := 0.0 // where no doc set has vectors, the words alone decide
	if known > 0 {
		usual = sum / float64(known)
	}
	best, nearest := 0.0, 0.0
	for i, h := range hits {
		if m.vectors[h.Reader] == nil && h.Score > 0 { // without a word of the question, nothing says that it is near
			out[i].semantic = usual
		}
		best, nearest = max(best, h.Score), max(nearest, out[i].semantic)
	}
	if nearest > 0 {
		for i := range out {
			out[i].share = meaningWeight * best * out[i].semantic / nearest
			out[i].Score += out[i].share
		}
	}
	return out
}
