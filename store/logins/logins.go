// Package logins has what several servers of a home share of logins to a server: sessions, the
// clients that are known, and counted guesses of the password; the tokens of scripts, and the hash
// of the password.
//
// A token, an address and a version of the password are known here by a hash alone. The package
// refuses to know passwords, and to decide how often they may be guessed: the door of the server
// does.
package logins

import (
	"context"
	"crypto/sha256"
	"time"
)

// Key stands for a token, a client or a version of the password: a hash of it.
type Key [sha256.Size]byte

// KeyOf is the key of a text.
func KeyOf(text string) Key { return sha256.Sum256([]byte(text)) }

// Session is a login. It ends after its Life, or when the password has another version.
type Session struct {
	Token   Key
	From    Key // the address
	Version Key // of the password
	Life    time.Duration
}

// Rate bounds guesses: Most at once, then one more after each Each.
type Rate struct {
	Most int
	Each time.Duration
}

// UntilFree is the time until one more guess is free after so many; 0: it is free now.
func (r Rate) UntilFree(made float64) time.Duration {
	over := made + 1 - float64(r.Most)
	if over <= 0 {
		return 0
	}
	return time.Duration(over * float64(r.Each))
}

// Drained gives the guesses that still count after a time.
func (r Rate) Drained(made float64, after time.Duration) float64 {
	return max(0, made-max(0, after).Seconds()/r.Each.Seconds())
}

// Guess is a guess of the password, counted for its client and, with a rate, among all.
type Guess struct {
	By  Key
	Own Rate
	All *Rate // nil: not counted among all
}

// Store keeps what the servers share. Its clock is its own, so that those of the servers may
// differ. It is safe for concurrent use. It has more than five methods because sessions and
// guesses are two halves of one login.
type Store interface {
	// Begin keeps a session, and knows its token and its address from now on. Of sessions and of
	// clients the most are kept; those that end first make room.
	Begin(ctx context.Context, s Session, known time.Duration, most int) error
	// Inside reports whether a session of this version of the password goes on.
	Inside(ctx context.Context, token, version Key) (bool, error)
	// End ends a session.
	End(ctx context.Context, token Key) error
	// EndAll ends all sessions, and forgets the tokens that were known.
	EndAll(ctx context.Context) error
	// Known reports whether a token or an address had a session not too long ago.
	Known(ctx context.Context, client Key) (bool, error)
	// Guess counts a guess, if there is room for it. Else it gives the time until there is room by the
	// client's own rate, and by that of all.
	Guess(ctx context.Context, g Guess) (own, all time.Duration, err error)
	// Forgive forgets the guesses of a client that knew the password.
	Forgive(ctx context.Context, g Guess) error
}

// Token is a script's token as it is kept: by its hash, with a content of its owner's. Two tokens that
// have not ended have two names.
type Token struct {
	Key     Key
	Name    string
	Content []byte
}

// Secrets keeps what lets scripts and people in at every server of a home. It has more than five
// methods because tokens and the password are looked up at one place.
type Secrets interface {
	// AddToken keeps a token. The error wraps fs.ErrExist where another one has its name. One that
	// was kept before stays as it is, also where it has ended.
	AddToken(ctx context.Context, t Token) error
	// FindToken gives a token; the error wraps fs.ErrNotExist where it has ended or never was.
	FindToken(ctx context.Context, key Key) (Token, error)
	// Tokens gives those that have not ended, by name.
	Tokens(ctx context.Context) ([]Token, error)
	// EndToken ends a token; the error wraps fs.ErrNotExist where no token has the name.
	EndToken(ctx context.Context, name string) error
	// Password is the hash of the password, "" where no password was set.
	Password(ctx context.Context) (hash string, err error)
	// SetPassword keeps a hash, in the place of another one only with replace.
	SetPassword(ctx context.Context, hash string, replace bool) error
}

// Kept is all that servers share of logins.
type Kept interface {
	Store
	Secrets
}
