package corpus

import (
	"errors"

	"docent/pipeline/ingest"
	"docent/pipeline/lsa"
	"docent/store"
	"docent/store/vector"
)

// Vectors are the stored vectors of a doc set with the model that made them.
type Vectors struct {
	*vector.Reader
	model *lsa.Model // over the reader's mapped bytes; nil where the doc set is too small for one
}

// HasModel says whether anything was learned: a small doc set is too small.
func (v *Vectors) HasModel() bool { return v.model != nil }

// Fold is a text's vector, as lsa.Model's. The error wraps vector.ErrDamaged
// where the model's bytes are gone.
func (v *Vectors) Fold(terms []lsa.Term) (out []float32, err error) {
	err = v.Guard(func() error {
		out = v.model.Fold(terms)
		return nil
	})
	return out, err
}

func openVectors(dir string) (*Vectors, error) {
	r, err := vector.Open(dir)
	if err != nil {
		return nil, err
	}
	v := &Vectors{Reader: r}
	raw, err := r.MappedBasis()
	if err == nil {
		err = r.Guard(func() (err error) {
			_, v.model, err = ingest.OpenBasis(raw)
			return err
		})
	}
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return v, nil
}

// Vectors gives a doc set's stored vectors, of the generation that holds now.
// The error wraps vector.ErrDamaged where they must be made again.
func (l *Library) Vectors(set store.Set) (*Vectors, error) {
	return hold(l, l.vectors, set, func(dir string) (*Vectors, error) { return openVectors(ingest.VectorDir(dir)) })
}
