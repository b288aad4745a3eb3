package weaviate

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"
	"testing"

	"docent/store"
	"docent/store/address"
	"docent/store/analysis"
	"docent/store/storetest"
	"docent/store/weaviate/weaviatetest"
)

// conforming is a doc set of a server's, for the conformance suite.
type conforming struct {
	Indexes
	set int64
}

// Many is more than what is asked at once (atOnce, mostCounted). An engine of two
// threads builds the graph of 10 000 vectors in twice the time.
func (c conforming) Many() int64 { return 5000 }

func (c conforming) begin(ctx context.Context, change storetest.Change) (store.IndexUpdate, error) {
	u, err := c.UpdateIndex(ctx, c.set, false)
	if err != nil {
		return nil, err
	}
	return c.fill(u, change)
}

// fill puts a change into an update that began. One that begins from nothing has nothing to delete.
func (c conforming) fill(u store.IndexUpdate, change storetest.Change) (store.IndexUpdate, error) {
	if u.Fresh() {
		change.Delete = nil
	}
	for _, id := range change.Delete {
		if err := u.Delete(id); err != nil {
			return nil, err
		}
	}
	a := analysis.New()
	for _, d := range change.Add {
		p := c.Analyze(a, d.Passages)
		p.SetID(d.ID)
		if err := u.Add(context.Background(), p); err != nil {
			return nil, err
		}
	}
	return u, nil
}

type conformingWords struct{ conforming }

func (c conformingWords) Open(ctx context.Context) (store.Index, error) {
	return c.OpenIndex(ctx, c.set)
}

func (c conformingWords) Publish(ctx context.Context, change storetest.Change) error {
	u, err := c.begin(ctx, change)
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

// Abandon dies with the documents handed over, or with all written but the state.
func (c conformingWords) Abandon(ctx context.Context, change storetest.Change, steps int) (more bool, err error) {
	u, err := c.begin(ctx, change)
	if err != nil {
		return false, err
	}
	if steps == 0 {
		return true, u.(*wordsChange).arrive()
	}
	return false, u.Prepare(ctx)
}

type conformingVectors struct{ conforming }

func (c conformingVectors) Open(ctx context.Context) (store.Vectors, error) {
	return c.OpenVectors(ctx, c.set, store.ModelVectors)
}

func (c conformingVectors) Publish(ctx context.Context, change storetest.VectorChange) (err error) {
	u, err := c.UpdateVectors(ctx, c.set, store.ModelVectors, change.Model, change.Dims, false)
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

// fewerChecks lowers the number of random corpora from the 100 that an index in this process is given:
// each makes its tenants in the engine first, which takes most of the test.
func fewerChecks(t *testing.T, number string) {
	t.Helper()
	checks := flag.Lookup("rapid.checks")
	was := checks.Value.String()
	if was != checks.DefValue {
		return // somebody asks for more, or fewer
	}
	if err := checks.Value.Set(number); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = checks.Value.Set(was) })
}

// The engine is asked over gRPC where the address has it, and else over GraphQL.
func TestConformance(t *testing.T) {
	c := weaviatetest.Start(t, 1)
	for _, over := range []struct{ name, address, checks string }{
		{"gRPC", c.URL("conforming", 1), "40"},
		{"GraphQL", fmt.Sprintf("weaviate://%s/older", c.Addresses()), "10"},
	} {
		t.Run(over.name, func(t *testing.T) {
			fewerChecks(t, over.checks)
			conforms(t, over.address)
		})
	}
}

func conforms(t *testing.T, text string) {
	t.Helper()
	at, err := address.ParseWeaviate(text)
	if err != nil {
		t.Fatal(err)
	}
	x := Open(at)
	t.Cleanup(func() { _ = x.Close() })
	var sets atomic.Int64
	fresh := func() conforming { return conforming{x, sets.Add(1)} }
	t.Run("words", func(t *testing.T) {
		storetest.RunIndex(t, func(testing.TB) storetest.Index { return conformingWords{fresh()} })
	})
	t.Run("damage", func(t *testing.T) { damages(t, fresh) })
	t.Run("removal", func(t *testing.T) { removes(t, fresh) })
	t.Run("searches", func(t *testing.T) { finds(t, fresh) })
	t.Run("a newer format", func(t *testing.T) { newer(t, fresh) })
	t.Run("vectors", func(t *testing.T) {
		storetest.RunVectors(t, func(testing.TB) storetest.Vectors { return conformingVectors{fresh()} })
	})
}
