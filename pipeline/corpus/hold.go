package corpus

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"

	"docent/store"
	"docent/store/parallel"
)

// Indexes opens the derived data of a doc set, at the current generation.
type Indexes interface {
	// OpenIndex opens its index of words.
	OpenIndex(ctx context.Context, setID int64) (store.Index, error)
	// OpenVectors opens its vectors of one kind.
	OpenVectors(ctx context.Context, setID int64, kind store.VectorKind) (store.Vectors, error)
}

// errClosed is for callers of a corpus that has been closed.
var errClosed = errors.New("the corpus is closed")

// generation is what holder opens and closes.
type generation interface {
	Current(context.Context) (bool, error)
	Close() error
}

// held is an opened generation with the number of its users. It is closed when
// the last of them releases it; the holder is a user too, until a newer
// generation takes its place.
type held[G generation] struct {
	value G
	users int // guarded by the holder's mu
}

// holder holds one doc set's generation, opened for the first who asks. Those of
// other doc sets may be opened at the same time.
type holder[G generation] struct {
	opening sync.Mutex // one at a time looks whether a newer one must be opened

	mu     sync.Mutex
	now    *held[G] // nil until it is asked for
	closed bool
	failed error // of closing generations after their last use
}

// acquire gives the current generation. The caller must call release when done
// with it.
func (h *holder[G]) acquire(ctx context.Context, open func(context.Context) (G, error)) (g G, release func(), err error) {
	h.opening.Lock()
	defer h.opening.Unlock()
	h.mu.Lock()
	now, closed := h.now, h.closed
	if now != nil && !closed {
		now.users++
	}
	h.mu.Unlock()
	switch {
	case closed:
		return g, nil, errClosed
	case now != nil:
		current, err := now.value.Current(ctx)
		if err == nil && current {
			return now.value, sync.OnceFunc(func() { h.release(now) }), nil
		}
		h.release(now)
		if err != nil {
			return g, nil, err
		}
		h.dropUse()
	}
	value, err := open(ctx)
	if err != nil {
		return g, nil, err
	}
	opened := &held[G]{value: value, users: 1}
	h.mu.Lock()
	if !h.closed { // else the caller is the only user
		h.now = opened
		opened.users++
	}
	h.mu.Unlock()
	return value, sync.OnceFunc(func() { h.release(opened) }), nil
}

// release ends one use.
func (h *holder[G]) release(x *held[G]) {
	h.mu.Lock()
	x.users--
	last := x.users == 0
	h.mu.Unlock()
	if !last {
		return
	}
	if err := x.value.Close(); err != nil {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.failed = errors.Join(h.failed, err)
	}
}

// dropUse ends the holder's own use.
func (h *holder[G]) dropUse() {
	h.mu.Lock()
	now := h.now
	h.now = nil
	h.mu.Unlock()
	if now != nil {
		h.release(now)
	}
}

// close ends the holder's use for good. Generations in use are closed by their last user.
func (h *holder[G]) close() error {
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	h.dropUse()
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.failed
}

// holders are the holders by doc set.
type holders[G generation] struct {
	mu     sync.Mutex
	by     map[int64]*holder[G]
	closed bool
}

func (hs *holders[G]) acquire(ctx context.Context, set store.Set, open func(context.Context) (G, error)) (g G, release func(), err error) {
	hs.mu.Lock()
	h := hs.by[set.ID]
	if h == nil {
		h = &holder[G]{closed: hs.closed}
		if hs.by == nil {
			hs.by = map[int64]*holder[G]{}
		}
		hs.by[set.ID] = h
	}
	hs.mu.Unlock()
	if g, release, err = h.acquire(ctx, open); err != nil {
		return g, nil, fmt.Errorf("doc set %s: %w", set.Ref, err)
	}
	return g, release, nil
}

func (hs *holders[G]) close() error {
	hs.mu.Lock()
	hs.closed = true
	all := hs.by
	hs.by = nil
	hs.mu.Unlock()
	var errs []error
	for _, h := range all {
		errs = append(errs, h.close())
	}
	return errors.Join(errs...)
}

// Index gives a doc set's index of words at its current generation. The caller
// must call release when done with it. The error wraps store.ErrDamaged where the
// index must be built again.
func (l *Corpus) Index(ctx context.Context, set store.Set) (x store.Index, release func(), err error) {
	return l.words.acquire(ctx, set, func(ctx context.Context) (store.Index, error) { return l.indexes.OpenIndex(ctx, set.ID) })
}

// CheckIndex reports whether a doc set's index can be opened.
func (l *Corpus) CheckIndex(ctx context.Context, set store.Set) error {
	_, release, err := l.Index(ctx, set)
	if err == nil {
		release()
	}
	return err
}

// IndexBytes is the size of a doc set's index on disk.
func (l *Corpus) IndexBytes(ctx context.Context, set store.Set) (int64, error) {
	x, release, err := l.Index(ctx, set)
	if err != nil {
		return 0, err
	}
	defer release()
	return x.Statistics().Bytes, nil
}

// OpenIndexesAhead opens the indexes of doc sets, several at a time, before they are asked
// for one by one. An index that cannot be opened gives its error then.
func (l *Corpus) OpenIndexesAhead(ctx context.Context, sets []store.Set) {
	warmSets(sets, func(s store.Set) (func(), error) { _, release, err := l.Index(ctx, s); return release, err })
}

// OpenVectorsAhead is as OpenIndexesAhead for learned vectors.
func (l *Corpus) OpenVectorsAhead(ctx context.Context, sets []store.Set) {
	warmSets(sets, func(s store.Set) (func(), error) { _, release, err := l.Vectors(ctx, s); return release, err })
}

func warmSets(sets []store.Set, open func(store.Set) (release func(), err error)) {
	parallel.Do(len(sets), func(mine iter.Seq[int]) {
		for i := range mine {
			if release, err := open(sets[i]); err == nil {
				release()
			}
		}
	})
}
