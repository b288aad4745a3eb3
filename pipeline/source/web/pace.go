package web

import (
	"context"
	"sync"
	"time"
)

// hosts keeps the pace of each host.
type hosts struct {
	opt   *Options
	mutex sync.Mutex
	all   map[string]*pace
}

func (h *hosts) paceOfHost(host string) *pace {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if h.all == nil {
		h.all = map[string]*pace{}
	}
	p := h.all[host]
	if p == nil {
		p = &pace{opt: h.opt, free: make(chan struct{}, h.opt.Connections)}
		if h.opt.PerSecond > 0 {
			p.delay = time.Duration(float64(time.Second) / h.opt.PerSecond)
		}
		h.all[host] = p
	}
	return p
}

// pace is how fast one host is asked.
type pace struct {
	opt   *Options
	free  chan struct{} // holds a value for each request that runs
	mutex sync.Mutex
	delay time.Duration // between the beginnings of two requests
	next  time.Time     // when the next request may begin
}

func (p *pace) setDelay(delay time.Duration) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.delay = max(p.delay, delay)
}

// enter waits until a request to the host may begin. The caller calls leave when the answer
// was read.
func (p *pace) enter(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case p.free <- struct{}{}:
	}
	for {
		wait := p.reserve()
		if wait <= 0 {
			return nil
		}
		if err := p.opt.Sleep(ctx, wait); err != nil {
			p.leave()
			return err
		}
	}
}

// reserve takes the next beginning of a request; it returns the time to wait where that is
// not now.
func (p *pace) reserve() time.Duration {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	now := p.opt.Now()
	if wait := p.next.Sub(now); wait > 0 {
		return wait
	}
	p.next = now.Add(p.delay)
	return 0
}

func (p *pace) leave() { <-p.free }

// pause lets no request to the host begin for some time.
func (p *pace) pause(d time.Duration) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if until := p.opt.Now().Add(d); until.After(p.next) {
		p.next = until
	}
}
