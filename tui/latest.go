package tui

import "sync"

// latest is how far a work is, written by its goroutine and read once a frame.
type latest[T any] struct {
	mu sync.Mutex
	at T
}

func (b *latest[T]) set(at T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.at = at
}

func (b *latest[T]) get() T {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.at
}
