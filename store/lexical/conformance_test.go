package lexical

import (
	"context"
	"io/fs"
	"path/filepath"
	"testing"

	"docent/store"
	"docent/store/analysis"
	"docent/store/storetest"
)

// conforming is an index in a folder, for the conformance suite.
type conforming struct{ dir string }

func (c conforming) Open(ctx context.Context) (store.Index, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r, err := OpenReader(c.dir)
	if err != nil {
		return nil, err
	}
	return r, nil
}

// begin begins a change, up to what Prepare writes.
func (c conforming) begin(change storetest.Change) (*Update, error) {
	u, err := BeginUpdate(c.dir, false)
	if err != nil {
		return nil, err
	}
	for _, id := range change.Delete {
		if err := u.Delete(id); err != nil {
			return nil, err
		}
	}
	a := analysis.New()
	for _, d := range change.Add {
		p := Analyze(a, d.Passages)
		p.SetID(d.ID)
		if err := u.Add(context.Background(), p); err != nil {
			return nil, err
		}
	}
	return u, nil
}

func (c conforming) Publish(ctx context.Context, change storetest.Change) error {
	u, err := c.begin(change)
	if err != nil {
		return err
	}
	if err := u.Prepare(ctx); err != nil {
		if aerr := u.Abort(); aerr != nil {
			return aerr
		}
		return err
	}
	return u.Commit()
}

// Abandon dies with the documents handed over, or with the new generation written
// and the manifest not replaced.
func (c conforming) Abandon(ctx context.Context, change storetest.Change, steps int) (more bool, err error) {
	u, err := c.begin(change)
	if err != nil {
		return false, err
	}
	if steps == 0 {
		return true, u.closeIndex() // its files are open; a dead process has none
	}
	return false, u.Prepare(ctx)
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
	storetest.RunIndex(t, func(t testing.TB) storetest.Index { return conforming{t.TempDir()} })
}
