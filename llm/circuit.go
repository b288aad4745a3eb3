package llm

import (
	"sync"
	"time"
)

// circuit is a circuit breaker (Nygard, Release It!). Closed, it lets all calls
// pass. Open, it fails them at once. After a cooldown it is half-open: one trial
// call passes. Its success closes the circuit; its failure opens the circuit for
// twice as long.
type circuit struct {
	threshold   int           // consecutive failures that open the circuit
	cooldown    time.Duration // length of the first open period
	maxCooldown time.Duration // length of the longest open period

	mu         sync.Mutex
	failures   int           // consecutive failures
	openUntil  time.Time     // zero: closed
	period     time.Duration // length of the current open period
	halfOpen   bool          // a trial call is under way
	lastError  *Error
	lastAnswer time.Time // when the server last answered; zero: ping before the next long call
	answered   bool      // the server answered at least once
}

// allowCall decides whether a call may be sent. If not, it returns the last error and
// the time until the next trial. trial is true for the trial call of a half-open
// circuit: the caller must report its result with success, failure or abandon.
func (c *circuit) allowCall(now time.Time) (last *Error, wait time.Duration, trial bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.openUntil.IsZero():
		return nil, 0, false
	case now.Before(c.openUntil):
		return c.lastError, c.openUntil.Sub(now), false
	case c.halfOpen:
		return c.lastError, time.Second, false // the result of the trial call is near
	}
	c.halfOpen = true
	return nil, 0, true
}

// abandonTrial ends a trial without a result: the call was cancelled. The next call
// becomes the trial.
func (c *circuit) abandonTrial(trial bool) {
	if !trial {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.halfOpen = false
}

// recordSuccess records an answer of the server and closes the circuit.
func (c *circuit) recordSuccess(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failures, c.openUntil, c.period, c.halfOpen, c.lastError, c.lastAnswer, c.answered = 0, time.Time{}, 0, false, nil, now, true
}

// recordFailure records a failed call. atOnce opens the circuit even below the
// threshold.
func (c *circuit) recordFailure(now time.Time, err *Error, atOnce bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failures++
	c.lastError = err
	c.lastAnswer = time.Time{}
	if !atOnce && !c.halfOpen && c.failures < c.threshold {
		return
	}
	// Calls that were already under way when the circuit opened do not prolong it.
	if now.Before(c.openUntil) {
		return
	}
	c.period = min(max(c.cooldown, 2*c.period), c.maxCooldown)
	c.openUntil, c.halfOpen = now.Add(c.period), false
}

// hasAnswered reports whether the server ever answered.
func (c *circuit) hasAnswered() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.answered
}

// idleSince reports whether the last answer of the server is at least d old.
func (c *circuit) idleSince(now time.Time, d time.Duration) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lastAnswer.IsZero() || now.Sub(c.lastAnswer) >= d
}
