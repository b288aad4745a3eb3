package catalog

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"docent/store"
	"docent/store/storetest"
)

// conforming is a catalog with its writer, for the conformance suite.
type conforming struct {
	*Catalog
	path string
}

func (c conforming) Open(ctx context.Context) (store.Catalog, func() error, error) {
	r, err := OpenReader(ctx, c.path)
	if err != nil {
		return nil, nil, err
	}
	return r, r.Close, nil
}

func (c conforming) AddSet(ctx context.Context, s store.Set) (id int64, err error) {
	err = c.change(ctx, func(tx *Tx) (err error) {
		id, err = tx.PutSet(ctx, s)
		return err
	})
	return id, err
}

func (c conforming) RemoveSet(ctx context.Context, id int64) error {
	return c.change(ctx, func(tx *Tx) error { return tx.RemoveSet(ctx, id) })
}

func (c conforming) change(ctx context.Context, f func(*Tx) error) error {
	tx, err := c.Begin(ctx)
	if err != nil {
		return err
	}
	if err := f(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

func TestConformance(t *testing.T) {
	t.Parallel()
	storetest.RunCatalog(t, func(tb testing.TB) storetest.Catalog {
		path := filepath.Join(tb.TempDir(), "catalog.db")
		c, err := OpenCatalog(context.Background(), path)
		if err != nil {
			tb.Fatal(err)
		}
		tb.Cleanup(func() {
			if err := c.Close(); err != nil {
				tb.Error(err)
			}
		})
		return conforming{c, path}
	})
}
