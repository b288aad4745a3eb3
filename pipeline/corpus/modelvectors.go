package corpus

import (
	"errors"

	"docent/pipeline/embed"
	"docent/store"
	"docent/store/vector"
)

// ModelVectors are the vectors of a doc set that a model made. They may be of
// fewer pages than its index, and of some that it does not have any more, while
// new ones are made.
type ModelVectors struct {
	*vector.Reader
	By embed.By
}

func openModelVectors(dir string) (*ModelVectors, error) {
	r, err := vector.Open(dir)
	if err != nil {
		return nil, err
	}
	v := &ModelVectors{Reader: r}
	basis, err := r.Basis()
	if err == nil {
		v.By, err = embed.ReadBy(r, basis)
	}
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return v, nil
}

// ModelVectors gives a doc set's vectors by a model, of the generation that holds
// now. The error wraps vector.ErrDamaged where there are none, or where they must
// be made again.
func (l *Library) ModelVectors(set store.Set) (*ModelVectors, error) {
	return hold(l, l.modelVectors, set, func(dir string) (*ModelVectors, error) { return openModelVectors(embed.Dir(dir)) })
}
