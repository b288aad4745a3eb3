package catalog_test

import (
	"context"
	"errors"
	"io/fs"
	"testing"

	"docent/store"
	"docent/store/catalog"
	"docent/store/lock"
)

// A catalog that was put aside or restored is another one, and the note of damage stays
// until it is forgotten.
func TestPlace(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	p := catalog.Place{Dir: t.TempDir()}
	if _, err := p.Identify(ctx); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("no catalog: %v", err)
	}
	made := func() store.Identity {
		c, err := catalog.OpenCatalog(ctx, p.Name())
		if err == nil {
			err = c.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		id, err := p.Identify(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	first := made()
	if again := made(); !first.Same(again) {
		t.Error("a catalog that is opened once more is another one")
	}
	if p.DamageNoted(ctx) {
		t.Error("damage is noted of a whole catalog")
	}
	if err := p.NoteDamage(ctx); err != nil || !p.DamageNoted(ctx) {
		t.Errorf("the note is missing: %v", err)
	}
	if aside, err := p.PutAside(ctx); err != nil || aside == p.Name() {
		t.Fatalf("%q, %v", aside, err)
	}
	if second := made(); first.Same(second) {
		t.Error("the catalog that takes its place is the same one")
	}
	if err := p.ForgetDamage(ctx); err != nil || p.DamageNoted(ctx) {
		t.Errorf("the note is still there: %v", err)
	}
	if err := p.ForgetDamage(ctx); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("forget it twice: %v", err)
	}
}

func TestPlaceIsLocked(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	p := catalog.Place{Dir: t.TempDir()}
	if err := p.Lockable(ctx); err != nil {
		t.Fatal(err)
	}
	held, err := p.Lock(ctx, "update", 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Lock(ctx, "add", 0, nil); err == nil {
		t.Error("two processes have the right")
	} else if e, ok := errors.AsType[*lock.LockedError](err); !ok || e.Holder == "" {
		t.Errorf("%v", err)
	}
	if err := held.Release(); err != nil {
		t.Fatal(err)
	}
	if err := (catalog.Place{Dir: p.Name() + "/missing"}).Lockable(ctx); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is missing: %v", err)
	}
}
