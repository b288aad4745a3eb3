package corpus

import (
	"context"
	"errors"

	"docent/store"
)

// damageKey names vectors of a doc set.
type damageKey struct {
	set  int64
	kind store.VectorKind
}

// Damaged reports whether vectors of a doc set were found to be missing or damaged since
// they were last made: their owner makes them again.
func (l *Corpus) Damaged(set store.Set, kind store.VectorKind) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.damaged[damageKey{set.ID, kind}]
}

// Mended says that vectors of a doc set were made again.
func (l *Corpus) Mended(set store.Set, kind store.VectorKind) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.damaged, damageKey{set.ID, kind})
}

// noticeDamage notes what an error says of vectors, and gives it back.
func (l *Corpus) noticeDamage(key damageKey, err error) error {
	if errors.Is(err, store.ErrVectorsDamaged) {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.damaged == nil {
			l.damaged = map[damageKey]bool{}
		}
		l.damaged[key] = true
	}
	return err
}

// Other names for interfaces that have a method of their own name.
type (
	opened     = store.Generation
	attachment = store.Attachment
)

// watched are opened vectors whose damage, which may only show when they are read, is
// noted.
type watched struct {
	opened
	store.Nearest
	attachment
	notice func(error) error
}

func (l *Corpus) watchVectors(v store.Vectors, set store.Set, kind store.VectorKind) store.Vectors {
	return watched{v, v, v, func(err error) error { return l.noticeDamage(damageKey{set.ID, kind}, err) }}
}

// Search is store.Nearest's.
func (w watched) Search(ctx context.Context, vector []float32, limit int) ([]store.Neighbor, error) {
	out, err := w.Nearest.Search(ctx, vector, limit)
	return out, w.notice(err)
}

// Similarities is store.Nearest's.
func (w watched) Similarities(ctx context.Context, vector []float32, keys []store.Key) ([]float64, error) {
	out, err := w.Nearest.Similarities(ctx, vector, keys)
	return out, w.notice(err)
}

// Guard is store.Attachment's.
func (w watched) Guard(f func() error) error { return w.notice(w.attachment.Guard(f)) }
