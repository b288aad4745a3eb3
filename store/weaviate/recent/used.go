package recent

import "sync"

// Used are values that never change, of which those used last are kept. They are safe for concurrent use.
//
// There are two halves: where the newer one is full, the older one goes and its place is taken. A value of the older
// one that is used goes into the newer one.
type Used[K comparable, V any] struct {
	half         int
	mu           sync.Mutex
	newer, older map[K]V
}

// NewUsed keeps a number of values, and half of them at the least.
func NewUsed[K comparable, V any](most int) *Used[K, V] {
	return &Used[K, V]{half: max(1, most/2), newer: map[K]V{}}
}

// Get gives a value that is kept.
func (u *Used[K, V]) Get(k K) (V, bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if v, ok := u.newer[k]; ok {
		return v, true
	}
	v, ok := u.older[k]
	if ok {
		u.put(k, v)
	}
	return v, ok
}

// Put keeps a value.
func (u *Used[K, V]) Put(k K, v V) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.put(k, v)
}

func (u *Used[K, V]) put(k K, v V) {
	if len(u.newer) >= u.half {
		u.older, u.newer = u.newer, make(map[K]V, u.half)
	}
	u.newer[k] = v
	delete(u.older, k)
}

// Len is the number of values that are kept.
func (u *Used[K, V]) Len() int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return len(u.newer) + len(u.older)
}
