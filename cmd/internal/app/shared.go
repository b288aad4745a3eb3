package app

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Shared is an opened home for a program that runs on and answers several requests
// at a time. Newer indexes are taken up by the home itself. A home is opened again where
// it met damage of its catalog, which mends it, and where another process put another
// catalog in its place; the old one is closed when its last user is done.
type Shared struct {
	opt  Options
	open func(context.Context, Options) (*App, error)

	mu      sync.Mutex
	now     *user
	closed  bool
	failed  error // of closing homes after their last use
	opening sync.WaitGroup
	stop    context.CancelFunc // of opening again
	ctx     context.Context    // for opening again: it outlives a request
}

// user is an opened home with the number of its users. The Shared is one too, until
// another home takes its place.
type user struct {
	app      *App
	replaced func(context.Context) bool // another catalog took the place of the home's
	users    int
	leaving  bool // it is being opened again
}

// newUser is a home that was just opened.
func newUser(a *App) *user { return &user{app: a, replaced: a.Home.Replaced, users: 1} }

// ErrClosed means that the home has been closed.
var ErrClosed = errors.New("the home is closed")

// OpenShared opens a home. ctx is for opening alone. The caller calls Close.
func OpenShared(ctx context.Context, opt Options) (*Shared, error) {
	a, err := Open(ctx, opt)
	if err != nil {
		return nil, err
	}
	s := &Shared{opt: opt, open: Open, now: newUser(a)}
	s.ctx, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	return s, nil
}

// Use gives the home. The caller calls release when done with it.
func (s *Shared) Use() (a *App, release func(), err error) {
	s.mu.Lock()
	u, closed := s.now, s.closed
	if !closed {
		u.users++
	}
	s.mu.Unlock()
	if closed {
		return nil, nil, ErrClosed
	}
	// Without the mutex: a database that does not answer would hold up everybody, also those who are
	// done.
	ctx, done := context.WithTimeout(s.ctx, identifyWithin)
	defer done()
	if u.replaced(ctx) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if u == s.now && !s.closed {
			s.reopen(u)
		}
	}
	return u.app, sync.OnceFunc(func() { s.release(u) }), nil
}

// identifyWithin bounds the look whether the catalog is still the same. A catalog that does not answer
// in time is taken for the same.
const identifyWithin = time.Second

func (s *Shared) release(u *user) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.releaseUse(u)
	if u.app.Home.AfterUse(nil).Reopen && u == s.now && !s.closed {
		s.reopen(u)
	}
}

// reopen opens the home once more in the background. mu is held.
func (s *Shared) reopen(u *user) {
	if !u.leaving {
		u.leaving = true
		s.opening.Go(s.openOnceMore)
	}
}

// releaseUse ends one use. mu is held.
func (s *Shared) releaseUse(u *user) {
	if u.users--; u.users == 0 {
		s.failed = errors.Join(s.failed, u.app.Close())
	}
}

// openOnceMore opens the home once more and puts it in place of the one there is. Where that
// fails, the next user who meets the damage has it tried again.
func (s *Shared) openOnceMore() {
	a, err := s.open(s.ctx, s.opt)
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.now
	old.leaving = false
	switch {
	case err != nil:
		if s.opt.Say != nil && s.ctx.Err() == nil {
			s.opt.Say("the home is damaged or was replaced, and could not be opened again: %v", err)
		}
		return
	case s.closed:
		s.failed = errors.Join(s.failed, a.Close())
		return
	}
	s.now = newUser(a)
	s.releaseUse(old)
}

// Close closes the home when its last user is done; the caller ensures that all users
// end.
func (s *Shared) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	s.mu.Unlock()
	s.stop()
	s.opening.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.releaseUse(s.now)
	return s.failed
}
