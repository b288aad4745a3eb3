// Package login lets in who knows the server's password: sessions with random tokens,
// and a throttle on guessing.
//
// Only the client that logged in knows its token: the server keeps its SHA-256. Sessions
// live in memory, so a restart ends them all; several servers of a home keep them at one place,
// where a login at one is good at all. The package refuses to know HTTP, and to keep a password.
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
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"

	"docent/store/logins"
)

// Lifetime is how long a session lasts.
const Lifetime = 12 * time.Hour

// mostSessions bounds the sessions, and the tokens and addresses that are known; those that end
// first make room.
const mostSessions = 1000

// knownFor is how long clients are known.
const knownFor = 30 * 24 * time.Hour

// tokenLen is the length of a token in random bytes.
const tokenLen = 32

// ErrWrong means that the password is wrong.
var ErrWrong = errors.New("the password is wrong")

// Shared keeps the logins of several servers.
type Shared = logins.Store

// Door checks passwords and tokens. It is safe for concurrent use.
type Door struct {
	matches func(password string) bool
	version func() string // of the password
	now     func() time.Time
	one     chan struct{} // a check of a password takes 19 MB: one at a time
	kept    logins.Store
	refused *refusals // by a kept that other servers share; nil: kept is this server's alone
}

// Guest is a client that wants to log in.
type Guest struct {
	Address string
	Token   string // that it shows: of an earlier session, or ""
	Trusted bool   // its token is good for something else here
}

// New makes a door. matches reports whether a password is right; nil: no password is
// required. version differs from one password to the next; nil: there is one password. now is
// the clock. shared keeps the logins of all servers of a home; nil: this server is the only one.
func New(matches func(password string) bool, version func() string, now func() time.Time, shared Shared) *Door {
	if version == nil {
		version = func() string { return "" }
	}
	d := &Door{matches: matches, version: version, now: now, one: make(chan struct{}, 1), kept: shared}
	if shared == nil {
		d.kept = newMemory(now)
	} else {
		d.refused = &refusals{now: now}
	}
	return d
}

// Locked reports whether there is a password.
func (d *Door) Locked() bool { return d.matches != nil }

// Enter begins a session. The error is ErrWrong, a *TooManyError, an *UnreachableError, or that of
// ctx.
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
	if d.matches == nil {
		return token, ends, nil // all are inside
	}
	err = d.runWithin(ctx, func(ctx context.Context) error {
		return d.kept.Begin(ctx, logins.Session{Token: logins.KeyOf(token), From: addressKey(who.Address), Version: logins.KeyOf(version),
			Life: Lifetime}, knownFor, mostSessions)
	})
	return token, ends, err
}

// addressKey is never the key of a token, which has no space.
func addressKey(address string) logins.Key { return logins.KeyOf("address " + address) }

// guessOf is by what a guess of a guest is counted, and whether among all too.
func (d *Door) guessOf(ctx context.Context, who Guest) (g logins.Guess, err error) {
	g = logins.Guess{By: addressKey(who.Address), Own: ownRate()}
	token := logins.KeyOf(who.Token)
	known := who.Trusted
	err = d.runWithin(ctx, func(ctx context.Context) (err error) {
		if who.Token != "" && !known {
			known, err = d.kept.Known(ctx, token)
		}
		if known || err != nil {
			g.By = token
			return err
		}
		known, err = d.kept.Known(ctx, g.By)
		return err
	})
	if !known {
		all := rateOfAll()
		g.All = &all
	}
	return g, err
}

func (d *Door) checkPassword(ctx context.Context, who Guest, password string) error {
	g, err := d.guessOf(ctx, who)
	if err == nil {
		err = d.beginGuess(ctx, g)
	}
	if err != nil {
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
	if d.refused != nil {
		d.refused.forget(g)
	}
	return d.runWithin(ctx, func(ctx context.Context) error { return d.kept.Forgive(ctx, g) })
}

// beginGuess counts a guess; a *TooManyError refuses it.
func (d *Door) beginGuess(ctx context.Context, g logins.Guess) error {
	if d.refused != nil {
		if wait := d.refused.refusedFor(g); wait > 0 {
			return &TooManyError{Wait: wait}
		}
	}
	var own, all time.Duration
	err := d.runWithin(ctx, func(ctx context.Context) (err error) {
		own, all, err = d.kept.Guess(ctx, g)
		return err
	})
	if err != nil || max(own, all) <= 0 {
		return err
	}
	if d.refused != nil {
		d.refused.keepRefusal(g, own, all)
	}
	return &TooManyError{Wait: max(own, all)}
}

// Inside reports whether a token is that of a session that has not ended: its time is not
// over, and the password is the one that it was begun with. Tokens are looked
// up by their hashes, so that the time of the lookup reveals nothing about them. The error is
// an *UnreachableError or that of ctx.
func (d *Door) Inside(ctx context.Context, token string) (inside bool, err error) {
	if d.matches == nil {
		return true, nil
	}
	if len(token) != base64.RawURLEncoding.EncodedLen(tokenLen) {
		return false, nil
	}
	version := logins.KeyOf(d.version())
	err = d.runWithin(ctx, func(ctx context.Context) (err error) {
		inside, err = d.kept.Inside(ctx, logins.KeyOf(token), version)
		return err
	})
	return inside && err == nil, err
}

// Leave ends a session; with all, every session. The error is an *UnreachableError or that of ctx.
func (d *Door) Leave(ctx context.Context, token string, all bool) error {
	if d.matches == nil {
		return nil
	}
	return d.runWithin(ctx, func(ctx context.Context) error {
		if all {
			return d.kept.EndAll(ctx)
		}
		return d.kept.End(ctx, logins.KeyOf(token))
	})
}

// UnreachableError means that the place where the servers keep their logins does not answer.
type UnreachableError struct{ Err error }

func (e *UnreachableError) Error() string {
	return fmt.Sprintf("the logins cannot be read or kept: %v", e.Err)
}

// Unwrap gives the cause.
func (e *UnreachableError) Unwrap() error { return e.Err }

// answerWithin bounds the wait for the place where logins are kept. A database that starts again is
// back within it.
const answerWithin = 10 * time.Second

// runWithin runs do, which asks kept, within answerWithin.
func (d *Door) runWithin(ctx context.Context, do func(context.Context) error) error {
	within, done := ctx, func() {}
	if d.refused != nil {
		within, done = context.WithTimeout(ctx, answerWithin)
	}
	defer done()
	err := do(within)
	if err == nil || ctx.Err() != nil {
		return err
	}
	return &UnreachableError{Err: err}
}

// Bearer is the token of an Authorization header, or "".
func Bearer(header string) string {
	scheme, token, ok := strings.Cut(header, " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}
