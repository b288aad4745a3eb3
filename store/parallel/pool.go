package parallel

import "sync"

// Pool keeps expensive objects, each for one user at a time, for the next user. Unlike
// sync.Pool it keeps all of it: as many as were in use at once. The zero Pool is ready;
// it must not be copied.
type Pool[T any] struct {
	mu   sync.Mutex
	free []*T
}

// Get returns one for the caller alone until it is Put back, or a fresh one.
func (p *Pool[T]) Get(fresh func() *T) *T {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.free); n > 0 {
		x := p.free[n-1]
		p.free = p.free[:n-1]
		return x
	}
	return fresh()
}

// Put gives one back.
func (p *Pool[T]) Put(x *T) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, x)
}
