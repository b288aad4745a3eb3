package library

import (
	"fmt"

	"docent/pipeline/ingest"
	"docent/store/catalog"
	"docent/store/vector"
	"docent/store/vector/lsa"
)

// Vectors are the stored vectors of a doc set with the model that made them;
// Model is nil where the doc set is too small for one.
type Vectors struct {
	*vector.Reader
	Model *lsa.Model
}

// Vectors gives a doc set's stored vectors, of the generation that holds now.
// The error wraps vector.ErrDamaged where they must be made again.
func (l *Library) Vectors(set catalog.Set) (*Vectors, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if v := l.vectors[set.ID]; v != nil {
		if v.Current() {
			return v, nil
		}
		v.Retire() // somebody may be searching in it
		delete(l.vectors, set.ID)
	}
	r, err := vector.Open(ingest.VectorDir(l.IndexDir(set.ID)))
	if err != nil {
		return nil, fmt.Errorf("doc set %s: %w", set.Ref, err)
	}
	raw, err := r.Basis()
	if err == nil {
		var m *lsa.Model
		if _, m, err = ingest.ReadBasis(raw); err == nil {
			v := &Vectors{Reader: r, Model: m}
			l.vectors[set.ID] = v
			return v, nil
		}
	}
	r.Retire()
	return nil, fmt.Errorf("doc set %s: %w", set.Ref, err)
}
