package home

import (
	"context"
	"errors"
	"sync"

	"docent/pipeline/corpus"
	"docent/store"
)

// changingCatalog notes which pages go: texts that were kept for them may not be needed any more.
type changingCatalog struct {
	WritableCatalog
	mu   sync.Mutex
	keys map[int64]string // of the texts that may be kept for pages that go, by document
	all  bool             // others may have gone too
}

// mostReplaced is how many pages that go are noted. To look at all pages of the home is cheaper
// than to look for the kept texts of more than these.
const mostReplaced = 10_000

// replaced notes a page that goes or is replaced.
func (c *changingCatalog) replaced(s store.Set, was store.FileState) {
	key := corpus.KeptKey(s, was)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.keys == nil {
		c.keys = map[int64]string{}
	}
	if len(c.keys) < mostReplaced {
		c.keys[was.ID] = key
	} else {
		c.all = true
	}
}

// Publish is ingest.Catalog's.
func (c *changingCatalog) Publish(ctx context.Context, p store.Publication) error {
	c.mu.Lock()
	c.all = c.all || p.Recount // made from nothing: one before it may have been killed
	for _, id := range p.Retire {
		if c.keys[id] == "" {
			c.all = true // by another way than an update
		}
	}
	c.mu.Unlock()
	return c.WritableCatalog.Publish(ctx, p)
}

// RemoveSets is WritableCatalog's.
func (c *changingCatalog) RemoveSets(ctx context.Context, sets []store.Set) error {
	c.noteAll()
	return c.WritableCatalog.RemoveSets(ctx, sets)
}

// DropDamaged is WritableCatalog's.
func (c *changingCatalog) DropDamaged(ctx context.Context, setID int64) (int, error) {
	c.noteAll()
	return c.WritableCatalog.DropDamaged(ctx, setID)
}

func (c *changingCatalog) noteAll() {
	c.mu.Lock()
	c.all = true
	c.mu.Unlock()
}

// mayLeave reports whether texts may be kept that no page needs any more.
func (c *changingCatalog) mayLeave(ctx context.Context, kept store.Blobs) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all {
		return true
	}
	for _, key := range c.keys {
		if _, err := kept.Get(ctx, key); !errors.Is(err, store.ErrNoBlob) {
			return true
		}
	}
	return false
}
