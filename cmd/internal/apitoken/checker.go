package apitoken

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"strings"
	"sync"
	"time"

	"docent/store/logins"
)

// Checker says whose a token is, for a server that is asked often: it reads the files
// again when one was made or removed, also by another process. It is safe for concurrent
// use.
type Checker struct {
	store Store
	now   func() time.Time

	mu      sync.Mutex
	changed time.Time // of the folder, when it was read; zero: it was not there
	settled bool      // it had not changed for a while then
	tokens  map[[sha256.Size]byte]Token
}

// NewChecker makes a checker; now is the clock.
func NewChecker(s Store, now func() time.Time) *Checker { return &Checker{store: s, now: now} }

// settles is how long a folder must not have changed for its time of change to tell of
// the next change: clocks of file systems are coarse.
const settles = 2 * time.Second

// secretLen is the length of a token, whose random part is in base64.
const secretLen = len(begins) + (8*randomLen+5)/6

// Name returns the name of a token; ok is false if it is unknown or has expired. Tokens
// are looked up by their hashes, so that the time of the lookup reveals nothing about
// them. Those that servers share are looked up in the database each time, so that one that was
// ended is refused everywhere at once; err is the database's.
func (c *Checker) Name(ctx context.Context, secret string) (name string, ok bool, err error) {
	if !strings.HasPrefix(secret, begins) || len(secret) != secretLen {
		return "", false, nil
	}
	if c.store.shared != nil {
		return c.nameOfShared(ctx, secret)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.reloadIfChanged() {
		return "", false, nil
	}
	t, ok := c.tokens[sha256.Sum256([]byte(secret))]
	if !ok || t.Expired(c.now()) {
		return "", false, nil
	}
	return t.Name, true, nil
}

func (c *Checker) nameOfShared(ctx context.Context, secret string) (name string, ok bool, err error) {
	row, err := c.store.shared.FindToken(ctx, logins.KeyOf(secret))
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	k := decodeShared(row)
	if k.Damaged || k.Expired(c.now()) {
		return "", false, nil
	}
	return k.Name, true, nil
}

// reloadIfChanged reads the tokens where they may have changed. mu is held.
func (c *Checker) reloadIfChanged() bool {
	var changed time.Time
	if info, err := os.Stat(c.store.dir); err == nil {
		changed = info.ModTime()
	}
	if c.settled && c.tokens != nil && changed.Equal(c.changed) {
		return true
	}
	began := time.Now() // of this machine, as the files' times are
	all, err := c.store.readTokens()
	if err != nil {
		c.tokens = nil // a token that was removed must not go on
		return false
	}
	c.tokens, c.changed, c.settled = map[[sha256.Size]byte]Token{}, changed, began.Sub(changed) > settles
	for _, k := range all {
		var sum [sha256.Size]byte
		if n, err := hex.Decode(sum[:], []byte(k.SHA256)); err == nil && n == len(sum) {
			c.tokens[sum] = k.Token
		}
	}
	return true
}
