package vector

import (
	"context"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"docent/store"
	"docent/store/storetest"
)

// conforming are vectors in a folder, for the conformance suite.
type conforming struct{ dir string }

func (c conforming) Open(ctx context.Context) (store.Vectors, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r, err := OpenReader(c.dir)
	if err != nil {
		return nil, err
	}
	return r, nil
}

func (c conforming) Publish(ctx context.Context, change storetest.VectorChange) (err error) {
	u, err := BeginUpdate(c.dir, change.Model, change.Dims, false)
	if err != nil {
		return err
	}
	defer func() {
		if aerr := u.Abort(); err == nil { // nothing after Commit
			err = aerr
		}
	}()
	for _, id := range change.Delete {
		if err := u.Delete(id); err != nil {
			return err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(change.Add)) {
		if err := u.Add(id, change.Add[id]); err != nil {
			return err
		}
	}
	if change.Attach != nil {
		u.Attach(change.Attach)
	}
	if err := u.Prepare(ctx); err != nil {
		return err
	}
	return u.Commit()
}

func (c conforming) Files() (out []string, err error) {
	err = filepath.WalkDir(c.dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			out = append(out, p)
		}
		return err
	})
	return out, err
}

func TestConformance(t *testing.T) {
	t.Parallel()
	storetest.RunVectors(t, func(t testing.TB) storetest.Vectors { return conforming{t.TempDir()} })
}
