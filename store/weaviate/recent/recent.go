// Package recent keeps values that others change for a moment after they were read. Values in use are read again
// before they are too old.
//
// It refuses to say what a value is, or to keep one that could not be read.
package recent

import (
	"context"
	"sync"
	"time"

	"docent/store/parallel"
)

// fresh is how long a value that was read is taken for the current one. A question asks for the same ones several times.
const fresh = 250 * time.Millisecond

// Usable is how long a value that was read is still taken while it is read again: a question that follows another one
// does not wait. A change has to be found within a second.
const Usable = 600 * time.Millisecond

// together is how long after it was asked for a value is read again along with others: a process that searched a doc set
// is likely to search it again.
const together = 10 * time.Second

// aheadTimeout bounds a read ahead, so that Close need not wait long.
const aheadTimeout = 5 * time.Second

// Values are values that others change. They are safe for concurrent use.
type Values[K comparable, V any] struct {
	// read reads a value. keeps reports whether an error is an answer like a value, and kept.
	read  func(context.Context, K) (V, error)
	keeps func(error) bool

	turn  chan struct{} // held by the reader
	ahead sync.WaitGroup
	mu    sync.Mutex
	last  map[K]sighting[V]
	gone  map[K]int // how often each was forgotten: a read that began before is not kept
}

type sighting[V any] struct {
	at, asked time.Time
	value     V
	err       error
}

// New gives values that read reads. keeps reports whether an error of read is kept like a value.
func New[K comparable, V any](read func(context.Context, K) (V, error), keeps func(error) bool) *Values[K, V] {
	return &Values[K, V]{read: read, keeps: keeps, turn: make(chan struct{}, 1), last: map[K]sighting[V]{}, gone: map[K]int{}}
}

// Get gives a value, which may be as it was a moment ago. The errors are those of read, and of the context.
func (v *Values[K, V]) Get(ctx context.Context, k K) (value V, err error) {
	if err := ctx.Err(); err != nil {
		return value, err
	}
	if x, ok := v.lastReading(k, Usable); ok {
		if time.Since(x.at) >= fresh {
			v.readAhead(ctx, k)
		}
		return x.value, x.err
	}
	select {
	case v.turn <- struct{}{}:
		defer func() { <-v.turn }()
	case <-ctx.Done():
		return value, ctx.Err()
	}
	if x, ok := v.lastReading(k, fresh); ok {
		return x.value, x.err
	}
	return v.readNow(ctx, k)
}

// Forget has the value read anew when it is asked for next, as after a change by this process.
func (v *Values[K, V]) Forget(k K) {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.last, k)
	v.gone[k]++
}

// Close waits for reads that are under way. Get must not be called any more.
func (v *Values[K, V]) Close() { v.ahead.Wait() }

// readAhead reads a value for the questions that follow, unless values are being read already.
func (v *Values[K, V]) readAhead(ctx context.Context, k K) {
	select {
	case v.turn <- struct{}{}:
	default:
		return
	}
	v.ahead.Go(func() {
		defer func() { <-v.turn }()
		ctx, end := context.WithTimeout(context.WithoutCancel(ctx), aheadTimeout)
		defer end()
		_, _ = v.readNow(ctx, k) // where that fails, it is read when it is asked for
	})
}

// readNow reads a value, and along with it those that were asked for lately and are no longer fresh.
func (v *Values[K, V]) readNow(ctx context.Context, k K) (V, error) {
	keys := v.keysToRead(k)
	var mine sighting[V]
	parallel.Ask(len(keys), func(i int) {
		at, gone := v.beginReading(keys[i])
		value, err := v.read(ctx, keys[i])
		if err == nil || v.keeps(err) {
			v.keepReading(keys[i], at, gone, value, err)
		}
		if i == 0 {
			mine = sighting[V]{value: value, err: err}
		}
	})
	return mine.value, mine.err
}

// lastReading gives the last reading of a value, if it is younger than an age.
func (v *Values[K, V]) lastReading(k K, age time.Duration) (sighting[V], bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	x, ok := v.last[k]
	x.asked = time.Now()
	if ok {
		v.last[k] = x
	}
	return x, ok && time.Since(x.at) < age
}

// beginReading gives the arguments of keepReading for a reading that begins now.
func (v *Values[K, V]) beginReading(k K) (at time.Time, gone int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return time.Now(), v.gone[k]
}

func (v *Values[K, V]) keepReading(k K, at time.Time, gone int, value V, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.gone[k] != gone {
		return
	}
	x, ok := v.last[k]
	if !ok {
		x.asked = at
	}
	x.at, x.value, x.err = at, value, err
	v.last[k] = x
}

// keysToRead gives k and the values that were asked for lately and are no longer fresh.
func (v *Values[K, V]) keysToRead(k K) []K {
	v.mu.Lock()
	defer v.mu.Unlock()
	out := []K{k}
	for other, x := range v.last {
		switch {
		case other == k:
		case time.Since(x.asked) > together:
			delete(v.last, other)
		case time.Since(x.at) >= fresh:
			out = append(out, other)
		}
	}
	return out
}
