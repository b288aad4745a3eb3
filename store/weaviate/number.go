package weaviate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"docent/store"
)

// The number of a change tells its objects from those of other changes, and names the tenant of a fresh
// one. Two processes may be at changes of the same generation: one lost its lock, and does not know it
// yet. If both had one number, the end of the late one would delete the objects of the other, which
// publishes: a random part in 64 was not enough, and 147 passages of 378 were lost so. Where the lock's
// server numbers changes, a later holder of the lock has the higher number, and each deletes nothing
// above its own.

// Numbering is a right that numbers the changes that are made by it.
type Numbering interface {
	store.Held
	// NextNumber gives a number above a floor, and above those of all changes that were made by this
	// right before, by any process. It fails where this process lost the right.
	NextNumber(ctx context.Context, floor int64) (int64, error)
}

// rights are those that number the changes of this process.
type rights struct {
	mu   sync.Mutex
	held map[rightKey]Numbering
}

type rightKey struct {
	set  int64
	work store.SetWork
}

func newRights() *rights { return &rights{held: map[rightKey]Numbering{}} }

// NumberBy has the changes of a kind of work on a doc set be numbered by the right to it, where that
// can, until it is released. The right that it gives is to be used for it.
func (x Indexes) NumberBy(setID int64, work store.SetWork, held store.Held) store.Held {
	n, ok := held.(Numbering)
	if !ok {
		return held
	}
	r, key := x.c.rights, rightKey{setID, work}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.held[key] = n
	return &numbered{held, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.held[key] == n {
			delete(r.held, key)
		}
	}}
}

// numbered is a right that numbers changes until it is released. Rights are compared, so it is used by
// its address.
type numbered struct {
	store.Held
	forget func()
}

// Release is store.Held's.
func (n *numbered) Release() error {
	n.forget()
	return n.Held.Release()
}

// Unwrap gives the right itself.
func (n *numbered) Unwrap() store.Held { return n.Held }

// work is what changes a kind.
func (k kind) work() store.SetWork {
	if k == model {
		return store.Embedding
	}
	return store.Updating
}

// numbersApart is the range of the random part of a number that this process chooses alone.
const numbersApart = 64

// number numbers a change of a generation. ranked reports whether the number is above those of all
// earlier holders of the lock.
func (r *rights) number(ctx context.Context, set int64, k kind, old *state) (n int64, ranked bool, err error) {
	least := max(old.Change+1, firstChange(time.Now()))
	r.mu.Lock()
	by := r.held[rightKey{set, k.work()}]
	r.mu.Unlock()
	if by == nil {
		return least + rand.Int64N(numbersApart), false, nil
	}
	if n, err = by.NextNumber(ctx, least-1); err != nil {
		return 0, false, fmt.Errorf("number a change of the index of doc set %d: %w", set, err)
	}
	return n, true, nil
}

// firstChange numbers the first change of a doc set: by seconds, so that no earlier contents of the
// doc set had the number. Numbers in answers have 32 bits.
func firstChange(now time.Time) int64 {
	return now.Unix() - time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
}
