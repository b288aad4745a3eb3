// Package login lets in who knows the server's password: sessions with random tokens,
// and a throttle on guessing.
//
// A token is known to whoever logged in and to nobody else: the server keeps its
// SHA-256. Sessions live in memory, so a restart ends them all. The package refuses to
// know HTTP, and to keep a password.
package login

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strings"
	"sync"
	"time"
)

// Lifetime is how long a session lasts.
const Lifetime = 12 * time.Hour

// mostSessions bounds the sessions; the one that ends first makes room.
const mostSessions = 1000

// tokenLen is the length of a token in random bytes.
const tokenLen = 32

// ErrWrong means that the password is wrong.
var ErrWrong = errors.New("the password is wrong")

// Door checks passwords and tokens. It is safe for concurrent use.
type Door struct {
	matches func(password string) bool
	now     func() time.Time
	guesses throttle
	one     chan struct{} // a check of a password takes 19 MB: one at a time

	mu       sync.Mutex
	sessions map[[sha256.Size]byte]time.Time // when each ends
}

// New makes a door. matches says whether a password is right; nil: there is none, and
// every one is. now is the clock.
func New(matches func(password string) bool, now func() time.Time) *Door {
	return &Door{matches: matches, now: now, guesses: throttle{now: now}, one: make(chan struct{}, 1), sessions: map[[sha256.Size]byte]time.Time{}}
}

// Locked says whether there is a password.
func (d *Door) Locked() bool { return d.matches != nil }

// Enter begins a session. from is who asks, for the throttle: an address. The error is
// ErrWrong, a *TooManyError, or that of ctx.
func (d *Door) Enter(ctx context.Context, from, password string) (token string, ends time.Time, err error) {
	if d.matches != nil {
		if err := d.check(ctx, from, password); err != nil {
			return "", time.Time{}, err
		}
	}
	raw := make([]byte, tokenLen)
	if _, err := rand.Read(raw); err != nil {
		return "", time.Time{}, err
	}
	token, ends = base64.RawURLEncoding.EncodeToString(raw), d.now().Add(Lifetime)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.sweep()
	d.sessions[sha256.Sum256([]byte(token))] = ends
	return token, ends, nil
}

func (d *Door) check(ctx context.Context, from, password string) error {
	if err := d.guesses.begin(from); err != nil {
		return err
	}
	select {
	case d.one <- struct{}{}:
		defer func() { <-d.one }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if !d.matches(password) {
		return ErrWrong
	}
	d.guesses.forgive(from)
	return nil
}

// sweep ends the sessions whose time is over, and one more where there are too many.
// mu is held.
func (d *Door) sweep() {
	var first [sha256.Size]byte
	var at time.Time
	for key, ends := range d.sessions {
		if !d.now().Before(ends) {
			delete(d.sessions, key)
			continue
		}
		if at.IsZero() || ends.Before(at) {
			first, at = key, ends
		}
	}
	if len(d.sessions) >= mostSessions {
		delete(d.sessions, first)
	}
}

// Inside says whether a token is that of a session that has not ended. Tokens are
// looked up by their hashes, so that the time it takes tells nothing of them.
func (d *Door) Inside(token string) bool {
	if d.matches == nil {
		return true
	}
	key := sha256.Sum256([]byte(token))
	d.mu.Lock()
	defer d.mu.Unlock()
	ends, ok := d.sessions[key]
	if ok && !d.now().Before(ends) {
		delete(d.sessions, key)
		return false
	}
	return ok
}

// Leave ends a session; with all, every session.
func (d *Door) Leave(token string, all bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if all {
		clear(d.sessions)
		return
	}
	delete(d.sessions, sha256.Sum256([]byte(token)))
}

// Bearer is the token of an Authorization header, "" for none.
func Bearer(header string) string {
	scheme, token, ok := strings.Cut(header, " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}
