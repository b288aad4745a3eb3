package login

import (
	"fmt"
	"sync"
	"time"

	"docent/store/logins"
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

func ownRate() logins.Rate   { return logins.Rate{Most: freeGuesses, Each: eachGuess} }
func rateOfAll() logins.Rate { return logins.Rate{Most: freeOfAll, Each: eachOfAll} }

// TooManyError means that passwords were guessed too often.
type TooManyError struct{ Wait time.Duration }

func (e *TooManyError) Error() string {
	return fmt.Sprintf("too many passwords were tried; try again in %d seconds", int(e.Wait/time.Second)+1)
}

// throttle counts guesses in memory. The zero throttle with a clock is ready.
type throttle struct {
	now func() time.Time

	mu  sync.Mutex
	by  map[logins.Key]bucket
	all bucket
}

// bucket holds guesses that were made. They drain at a steady rate.
type bucket struct {
	made float64
	at   time.Time // when made was right
}

func (b bucket) drained(now time.Time, r logins.Rate) bucket {
	if !b.at.IsZero() {
		b.made = r.Drained(b.made, now.Sub(b.at))
	}
	b.at = now
	return b
}

// beginGuess counts a guess; a time to wait refuses it.
func (t *throttle) beginGuess(g logins.Guess) (wait, ofAll time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	own := t.by[g.By].drained(now, g.Own)
	wait = g.Own.UntilFree(own.made)
	if g.All != nil {
		t.all = t.all.drained(now, *g.All)
		ofAll = g.All.UntilFree(t.all.made)
	}
	if max(wait, ofAll) > 0 {
		return wait, ofAll
	}
	own.made++
	if g.All != nil {
		t.all.made++
	}
	if t.by == nil || len(t.by) >= mostGuesses {
		t.by = t.recentGuesses(now, g.Own)
	}
	t.by[g.By] = own
	return 0, 0
}

// recentGuesses are those who guessed lately. Where they are too many, all are forgotten: the
// common count goes on.
func (t *throttle) recentGuesses(now time.Time, r logins.Rate) map[logins.Key]bucket {
	out := map[logins.Key]bucket{}
	for from, b := range t.by {
		if b = b.drained(now, r); b.made > 0 {
			out[from] = b
		}
	}
	if len(out) >= mostGuesses {
		return map[logins.Key]bucket{}
	}
	return out
}

// forgiveGuesses forgets the guesses of who got in.
func (t *throttle) forgiveGuesses(g logins.Guess) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if own := t.by[g.By]; g.All != nil && own.made > 0 {
		t.all.made = max(0, t.all.made-own.made)
	}
	delete(t.by, g.By)
}

// refusals are the guesses that the place of all servers refused, until there is room again: a flood
// of guesses asks it no more often than guesses are free.
type refusals struct {
	now func() time.Time

	mu  sync.Mutex
	by  map[logins.Key]time.Time
	all time.Time
}

// refusedFor is how long a guess is still refused; 0: it is asked.
func (r *refusals) refusedFor(g logins.Guess) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	wait := r.by[g.By].Sub(now)
	if g.All != nil {
		wait = max(wait, r.all.Sub(now))
	}
	return max(0, wait)
}

// keepRefusal keeps that a guess was refused.
func (r *refusals) keepRefusal(g logins.Guess, own, all time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	if all > 0 {
		r.all = now.Add(all)
	}
	if own <= 0 {
		return
	}
	if r.by == nil || len(r.by) >= mostGuesses {
		r.by = map[logins.Key]time.Time{}
	}
	r.by[g.By] = now.Add(own)
}

// forget is for a client that knew the password.
func (r *refusals) forget(g logins.Guess) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.by, g.By)
}
