package login

import (
	"fmt"
	"sync"
	"time"
)

// The throttle: an address may guess a few times at once, and then at intervals; all
// unknown clients together have a higher limit, so that many addresses together do not
// get far.
const (
	freeGuesses = 5
	eachGuess   = 12 * time.Second // until another guess is free
	freeOfAll   = 50
	eachOfAll   = time.Second
	mostGuesses = 4096 // the most remembered addresses
)

// TooManyError means that passwords were guessed too often.
type TooManyError struct{ Wait time.Duration }

func (e *TooManyError) Error() string {
	return fmt.Sprintf("too many passwords were tried; try again in %d seconds", int(e.Wait/time.Second)+1)
}

// throttle counts guesses. The zero throttle with a clock is ready.
type throttle struct {
	now func() time.Time

	mu  sync.Mutex
	by  map[string]bucket
	all bucket
}

// bucket holds guesses that were made. They drain at a steady rate.
type bucket struct {
	made float64
	at   time.Time // when made was right
}

func (b bucket) drainedTokens(now time.Time, each time.Duration) bucket {
	if !b.at.IsZero() {
		b.made = max(0, b.made-now.Sub(b.at).Seconds()/each.Seconds())
	}
	b.at = now
	return b
}

// timeUntilRoom is the time until there is room for one more.
func (b bucket) timeUntilRoom(most int, each time.Duration) time.Duration {
	over := b.made + 1 - float64(most)
	if over <= 0 {
		return 0
	}
	return time.Duration(over * float64(each))
}

// beginGuess counts a guess, with all among those of all; a *TooManyError refuses it.
func (t *throttle) beginGuess(from string, all bool) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	t.all = t.all.drainedTokens(now, eachOfAll)
	own := t.by[from].drainedTokens(now, eachGuess)
	wait := own.timeUntilRoom(freeGuesses, eachGuess)
	if all {
		wait = max(wait, t.all.timeUntilRoom(freeOfAll, eachOfAll))
	}
	if wait > 0 {
		return &TooManyError{Wait: wait}
	}
	own.made++
	if all {
		t.all.made++
	}
	if t.by == nil || len(t.by) >= mostGuesses {
		t.by = t.recentGuesses(now)
	}
	t.by[from] = own
	return nil
}

// recentGuesses are those who guessed lately. Where they are too many, all are forgotten: the
// common count goes on.
func (t *throttle) recentGuesses(now time.Time) map[string]bucket {
	out := map[string]bucket{}
	for from, b := range t.by {
		if b = b.drainedTokens(now, eachGuess); b.made > 0 {
			out[from] = b
		}
	}
	if len(out) >= mostGuesses {
		return map[string]bucket{}
	}
	return out
}

// forgiveGuesses forgets the guesses of who got in.
func (t *throttle) forgiveGuesses(from string, all bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if own := t.by[from]; all && own.made > 0 {
		t.all.made = max(0, t.all.made-own.made)
	}
	delete(t.by, from)
}
