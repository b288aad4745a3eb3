package apitoken

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strings"
	"sync"
	"time"
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

// Name returns the name of a token; ok is false if it is unknown or has expired. Tokens
// are looked up by their hashes, so that the time of the lookup reveals nothing about
// them.
func (c *Checker) Name(secret string) (name string, ok bool) {
	if !strings.HasPrefix(secret, begins) {
		return "", false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.reloadIfChanged() {
		return "", false
	}
	t, ok := c.tokens[sha256.Sum256([]byte(secret))]
	if !ok || t.Expired(c.now()) {
		return "", false
	}
	return t.Name, true
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
