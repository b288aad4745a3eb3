package corpus

import (
	"context"
	"errors"
	"maps"
	"slices"

	"docent/pipeline/ingest"
	"docent/pipeline/ingest/embed"
	"docent/pipeline/ingest/lsa"
	"docent/store"
)

// Vectors are the learned vectors of a doc set with the model that makes a
// question's.
type Vectors struct {
	store.Vectors
	model *lsa.Model // over attached bytes; nil where the doc set is too small for one
}

// HasModel reports whether anything was learned: a small doc set is too small.
func (v *Vectors) HasModel() bool { return v.model != nil }

// FoldTerms is the vector of a text that has these terms, as often as they are listed, by
// lsa.Model's FoldText. The error wraps store.ErrVectorsDamaged where the model's bytes
// are gone.
func (v *Vectors) FoldTerms(terms []string) (out []float32, err error) {
	counts := map[string]float32{}
	for _, t := range terms {
		counts[t]++
	}
	counted := make([]lsa.Term, 0, len(counts))
	for _, t := range slices.Sorted(maps.Keys(counts)) {
		counted = append(counted, lsa.Term{Text: t, Count: counts[t]})
	}
	err = v.Guard(func() error {
		out = v.model.FoldText(counted)
		return nil
	})
	return out, err
}

// Vectors gives a doc set's learned vectors at their current generation. The
// caller must call release when done with them. The error wraps
// store.ErrVectorsDamaged where they must be made again.
func (l *Corpus) Vectors(ctx context.Context, set store.Set) (v *Vectors, release func(), err error) {
	return l.learned.acquire(ctx, set, func(ctx context.Context) (*Vectors, error) {
		r, err := l.indexes.OpenVectors(ctx, set.ID, store.LearnedVectors)
		if err != nil {
			return nil, l.noticeDamage(damageKey{set.ID, store.LearnedVectors}, err)
		}
		v := &Vectors{Vectors: l.watchVectors(r, set, store.LearnedVectors)}
		raw, err := r.Attachment(ctx)
		if err == nil {
			err = r.Guard(func() (err error) {
				_, v.model, err = ingest.OpenBasis(raw)
				return err
			})
		}
		if err != nil {
			return nil, errors.Join(l.noticeDamage(damageKey{set.ID, store.LearnedVectors}, err), r.Close())
		}
		return v, nil
	})
}

// ModelVectors are the vectors of a doc set that an embedding model made. They
// may be of fewer pages than the index, or of pages that it does not have any
// more, while new ones are made.
type ModelVectors struct {
	store.Vectors
	By embed.By
}

// ModelVectors returns a doc set's vectors by an embedding model, as Vectors does. The
// error wraps store.ErrVectorsDamaged if they are missing or must be made again.
func (l *Corpus) ModelVectors(ctx context.Context, set store.Set) (v *ModelVectors, release func(), err error) {
	return l.embedded.acquire(ctx, set, func(ctx context.Context) (*ModelVectors, error) {
		r, err := l.indexes.OpenVectors(ctx, set.ID, store.ModelVectors)
		if err != nil {
			return nil, err
		}
		v := &ModelVectors{Vectors: l.watchVectors(r, set, store.ModelVectors)}
		if v.By, err = embed.ReadBy(ctx, r); err != nil {
			return nil, errors.Join(l.noticeDamage(damageKey{set.ID, store.ModelVectors}, err), r.Close())
		}
		return v, nil
	})
}

// VectorsBy returns which model made a doc set's vectors. The error wraps
// store.ErrVectorsDamaged if they are missing or must be made again.
func (l *Corpus) VectorsBy(ctx context.Context, set store.Set) (embed.By, error) {
	v, release, err := l.ModelVectors(ctx, set)
	if err != nil {
		return embed.By{}, err
	}
	defer release()
	return v.By, nil
}
