package login

import (
	"context"
	"sync"
	"time"

	"docent/store/logins"
)

// memory keeps the logins of one server: it is logins.Store, and never fails.
type memory struct {
	now     func() time.Time
	guesses throttle

	mu       sync.Mutex
	sessions map[logins.Key]session
	tokens   known // of sessions that ended too
	from     known // addresses
}

func newMemory(now func() time.Time) *memory {
	return &memory{now: now, guesses: throttle{now: now}, sessions: map[logins.Key]session{}, tokens: known{}, from: known{}}
}

// session is one that was begun with a version of the password.
type session struct {
	ends    time.Time
	version logins.Key
}

// known are the clients that logged in, with the time until which each is known.
type known map[logins.Key]time.Time

// add adds one; the one that expires first makes room.
func (k known) add(key logins.Key, now, until time.Time, most int) {
	var first logins.Key
	var at time.Time
	for other, until := range k {
		switch {
		case !now.Before(until):
			delete(k, other)
		case at.IsZero() || until.Before(at):
			first, at = other, until
		}
	}
	if len(k) >= most {
		delete(k, first)
	}
	k[key] = until
}

// Begin is logins.Store's.
func (m *memory) Begin(_ context.Context, s logins.Session, knownFor time.Duration, most int) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	m.endExpired(now, most)
	m.sessions[s.Token] = session{now.Add(s.Life), s.Version}
	m.tokens.add(s.Token, now, now.Add(knownFor), most)
	m.from.add(s.From, now, now.Add(knownFor), most)
	return nil
}

// endExpired ends the sessions whose time is over, and one more where there are too many.
// mu is held.
func (m *memory) endExpired(now time.Time, most int) {
	var first logins.Key
	var at time.Time
	for key, s := range m.sessions {
		if !now.Before(s.ends) {
			delete(m.sessions, key)
			continue
		}
		if at.IsZero() || s.ends.Before(at) {
			first, at = key, s.ends
		}
	}
	if len(m.sessions) >= most {
		delete(m.sessions, first)
	}
}

// Inside is logins.Store's.
func (m *memory) Inside(_ context.Context, token, version logins.Key) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, ok := m.sessions[token]
	if ok && (!m.now().Before(s.ends) || s.version != version) {
		delete(m.sessions, token)
		return false, nil
	}
	return ok, nil
}

// End is logins.Store's.
func (m *memory) End(_ context.Context, token logins.Key) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.sessions, token)
	return nil
}

// EndAll is logins.Store's.
func (m *memory) EndAll(context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	clear(m.sessions)
	clear(m.tokens)
	return nil
}

// Known is logins.Store's.
func (m *memory) Known(_ context.Context, client logins.Key) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, k := range []known{m.tokens, m.from} {
		if until, ok := k[client]; ok && m.now().Before(until) {
			return true, nil
		}
	}
	return false, nil
}

// Guess is logins.Store's.
func (m *memory) Guess(_ context.Context, g logins.Guess) (own, all time.Duration, err error) {
	own, all = m.guesses.beginGuess(g)
	return own, all, nil
}

// Forgive is logins.Store's.
func (m *memory) Forgive(_ context.Context, g logins.Guess) error {
	m.guesses.forgiveGuesses(g)
	return nil
}
