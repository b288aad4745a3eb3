package llm

import (
	"sync"
	"time"
)

// circuit is a circuit breaker (Nygard, Release It!): closed, calls pass; open,
// they fail at once; after a time one call is let through to try, and its end
// closes the circuit or opens it for twice as long.
type circuit struct {
	after int           // failures in a row that open it
	first time.Duration // for how long, at first
	most  time.Duration // and at most

	mu       sync.Mutex
	failures int
	until    time.Time // open until then; zero: closed
	wait     time.Duration
	trying   bool
	last     *Error
	heard    time.Time // when the server last answered
	ever     bool      // it did once
}

// enter says whether a call may go out; if not, why and how long it stays so.
// trial is true for the one call that tries an open circuit: leave is to be
// called after it.
func (c *circuit) enter(now time.Time) (last *Error, wait time.Duration, trial bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.until.IsZero():
		return nil, 0, false
	case now.Before(c.until):
		return c.last, c.until.Sub(now), false
	case c.trying:
		// Another call is finding out; it is soon known.
		return c.last, time.Second, false
	}
	c.trying = true
	return nil, 0, true
}

// leave ends a trial that has found out nothing: it was cancelled.
func (c *circuit) leave(trial bool) {
	if !trial {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.trying = false
}

// good notes that the server answered.
func (c *circuit) good(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failures, c.until, c.wait, c.trying, c.last, c.heard, c.ever = 0, time.Time{}, 0, false, nil, now, true
}

// bad notes a failure; at once opens the circuit without counting.
func (c *circuit) bad(now time.Time, err *Error, atOnce bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failures++
	c.last = err
	c.heard = time.Time{} // ask shortly before the next long call
	if !atOnce && !c.trying && c.failures < c.after {
		return
	}
	// Calls that were under way when it opened do not prolong it.
	if now.Before(c.until) {
		return
	}
	c.wait = min(max(c.first, 2*c.wait), c.most)
	c.until, c.trying = now.Add(c.wait), false
}

// known says whether the server ever answered.
func (c *circuit) known() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ever
}

// silent says whether the server has not been heard of for d.
func (c *circuit) silent(now time.Time, d time.Duration) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.heard.IsZero() || now.Sub(c.heard) >= d
}
