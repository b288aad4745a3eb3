package postgres

import (
	"context"
	"time"

	"docent/store"
)

// Contents lets the contents of files run the suite of store.Blobs: Trees gets and sweeps them in the
// same way, many at a time.
type Contents struct{ *contents }

var _ store.Blobs = Contents{}

// OpenContents gives the contents of files in a database.
func OpenContents(db *Database) (Contents, error) {
	c, err := openContents(db)
	return Contents{c}, err
}

// Get is store.Blobs'.
func (c Contents) Get(ctx context.Context, key string) (data []byte, err error) {
	if err := checkKey(key); err != nil {
		return nil, err
	}
	err = c.getMany(ctx, []string{key}, func(_ string, content []byte, err error) error {
		data = content
		return err
	})
	return data, err
}

// Put is store.Blobs'.
func (c Contents) Put(ctx context.Context, key string, parts ...[]byte) error {
	return c.put(ctx, key, parts...)
}

// Sweep is store.Blobs'.
func (c Contents) Sweep(ctx context.Context, spare time.Duration, wanted func(key string) bool) (removed int, err error) {
	return sweepKeys(ctx, c.db, "contents", spare, wanted)
}

// IsDuplicate reports whether an error means that another row has the same key.
func IsDuplicate(err error) bool { return codeOf(err) == "23505" }
