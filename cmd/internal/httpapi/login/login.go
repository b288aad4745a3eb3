// Package login lets in who knows the server's password: sessions with random tokens,
// and a throttle on guessing.
//
// Only the client that logged in knows its token: the server keeps its SHA-256. Sessions
// live in memory, so a restart ends them all. The package refuses to know HTTP, and to
// keep a password.
//
// Guesses are counted by address, and all together, so that many addresses do not get
// further than one. Known clients do not count there: an address with an earlier login,
// and a client with the token of an earlier session, which is counted by itself. Guessing
// strangers keep other strangers out that way, but not earlier users (OWASP calls such
// tokens device cookies).
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

// How long clients are known, and how many.
const (
	knownFor  = 30 * 24 * time.Hour
	mostKnown = 1000
)

// tokenLen is the length of a token in random bytes.
const tokenLen = 32

// ErrWrong means that the password is wrong.
var ErrWrong = errors.New("the password is wrong")

// Door checks passwords and tokens. It is safe for concurrent use.
type Door struct {
	matches func(password string) bool
	version func() string // of the password
	now     func() time.Time
	guesses throttle
	one     chan struct{} // a check of a password takes 19 MB: one at a time

	mu       sync.Mutex
	sessions map[[sha256.Size]byte]session
	known    known[[sha256.Size]byte] // tokens, of sessions that ended too
	from     known[string]            // addresses
}

// session is one that was begun with a version of the password.
type session struct {
	ends    time.Time
	version string
}

// known are the clients that logged in, with the time until which each is known.
type known[K comparable] map[K]time.Time

// addKnown adds one; the one that expires first makes room.
func (k known[K]) addKnown(key K, now time.Time) {
	var first K
	var at time.Time
	for other, until := range k {
		switch {
		case !now.Before(until):
			delete(k, other)
		case at.IsZero() || until.Before(at):
			first, at = other, until
		}
	}
	if len(k) >= mostKnown {
		delete(k, first)
	}
	k[key] = now.Add(knownFor)
}

// Guest is a client that wants to log in.
type Guest struct {
	Address string
	Token   string // that it shows: of an earlier session, or ""
	Trusted bool   // its token is good for something else here
}

// New makes a door. matches reports whether a password is right; nil: no password is
// required. version differs from one password to the next; nil: there is one password. now is
// the clock.
func New(matches func(password string) bool, version func() string, now func() time.Time) *Door {
	if version == nil {
		version = func() string { return "" }
	}
	return &Door{matches: matches, version: version, now: now, guesses: throttle{now: now}, one: make(chan struct{}, 1),
		sessions: map[[sha256.Size]byte]session{}, known: known[[sha256.Size]byte]{}, from: known[string]{}}
}

// Locked reports whether there is a password.
func (d *Door) Locked() bool { return d.matches != nil }

// Enter begins a session. The error is ErrWrong, a *TooManyError, or that of ctx.
func (d *Door) Enter(ctx context.Context, who Guest, password string) (token string, ends time.Time, err error) {
	version := d.version() // before the check: a password that changes meanwhile ends the session
	if d.matches != nil {
		if err := d.checkPassword(ctx, who, password); err != nil {
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
	d.endExpired()
	key := sha256.Sum256([]byte(token))
	d.sessions[key] = session{ends, version}
	if d.matches != nil {
		d.known.addKnown(key, d.now())
		d.from.addKnown(who.Address, d.now())
	}
	return token, ends, nil
}

// guessCounterOf is by what the guesses of a guest are counted, and whether among all too.
func (d *Door) guessCounterOf(who Guest) (by string, all bool) {
	key := sha256.Sum256([]byte(who.Token))
	d.mu.Lock()
	defer d.mu.Unlock()
	if until, ok := d.known[key]; who.Token != "" && (who.Trusted || ok && d.now().Before(until)) {
		return "token " + string(key[:]), false
	}
	until, ok := d.from[who.Address]
	return who.Address, !ok || !d.now().Before(until)
}

func (d *Door) checkPassword(ctx context.Context, who Guest, password string) error {
	by, all := d.guessCounterOf(who)
	if err := d.guesses.beginGuess(by, all); err != nil {
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
	d.guesses.forgiveGuesses(by, all)
	return nil
}

// endExpired ends the sessions whose time is over, and one more where there are too many.
// mu is held.
func (d *Door) endExpired() {
	var first [sha256.Size]byte
	var at time.Time
	for key, s := range d.sessions {
		if !d.now().Before(s.ends) {
			delete(d.sessions, key)
			continue
		}
		if at.IsZero() || s.ends.Before(at) {
			first, at = key, s.ends
		}
	}
	if len(d.sessions) >= mostSessions {
		delete(d.sessions, first)
	}
}

// Inside reports whether a token is that of a session that has not ended: its time is not
// over, and the password is the one that it was begun with. Tokens are looked
// up by their hashes, so that the time of the lookup reveals nothing about them.
func (d *Door) Inside(token string) bool {
	if d.matches == nil {
		return true
	}
	key, version := sha256.Sum256([]byte(token)), d.version()
	d.mu.Lock()
	defer d.mu.Unlock()
	s, ok := d.sessions[key]
	if ok && (!d.now().Before(s.ends) || s.version != version) {
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
		clear(d.known)
		return
	}
	delete(d.sessions, sha256.Sum256([]byte(token)))
}

// Bearer is the token of an Authorization header, or "".
func Bearer(header string) string {
	scheme, token, ok := strings.Cut(header, " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}
