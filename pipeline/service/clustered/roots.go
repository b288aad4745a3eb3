package clustered

import (
	"context"

	"docent/pipeline/service/home"
	"docent/store"
)

// placedCatalog is a catalog that several machines share: the folders of doc sets are texts there that
// mean the same on each of them.
type placedCatalog struct {
	home.Catalog
	roots home.Roots
}

// Sets is store.Sets'.
func (c placedCatalog) Sets(ctx context.Context) ([]store.Set, error) {
	return found(ctx, c.Catalog, c.roots)
}

// placedWritable is the same for changes.
type placedWritable struct {
	home.WritableCatalog
	roots home.Roots
}

// Sets is store.Sets'.
func (c placedWritable) Sets(ctx context.Context) ([]store.Set, error) {
	return found(ctx, c.WritableCatalog, c.roots)
}

// PutSets is home.WritableCatalog's.
func (c placedWritable) PutSets(ctx context.Context, sets []store.Set) ([]store.Set, error) {
	placed := make([]store.Set, len(sets))
	for i, s := range sets {
		placed[i] = s
		placed[i].Root, placed[i].Host, placed[i].Place = c.roots.Placed(s), "", ""
	}
	out, err := c.WritableCatalog.PutSets(ctx, placed)
	return c.roots.FoundAll(out), err
}

func found(ctx context.Context, c store.Sets, roots home.Roots) ([]store.Set, error) {
	sets, err := c.Sets(ctx)
	return roots.FoundAll(sets), err
}
