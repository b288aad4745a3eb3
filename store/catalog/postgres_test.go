package catalog

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"testing"
	"time"

	"docent/store"
	"docent/store/doc"
	"docent/store/lock"
	"docent/store/postgres"
	"docent/store/postgrestest"
	"docent/store/remote"
	"docent/store/storetest"
)

func openDatabase(tb testing.TB, address string) *postgres.Database {
	tb.Helper()
	db, err := postgres.OpenDatabase(address, "")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := db.Close(); err != nil {
			tb.Error(err)
		}
	})
	return db
}

func openSchema(tb testing.TB, db *postgres.Database) *Catalog {
	tb.Helper()
	c, err := OpenPostgres(tb.Context(), db)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

func openNewSchema(tb testing.TB) *Catalog {
	tb.Helper()
	return openSchema(tb, openDatabase(tb, postgrestest.Start(tb)))
}

// inSchema is a catalog on PostgreSQL for the conformance suite. Its readers have connections of
// their own, as those of another process have.
type inSchema struct {
	conforming
	address string
}

func (c inSchema) Open(ctx context.Context) (store.Catalog, func() error, error) {
	db, err := postgres.OpenDatabase(c.address, "")
	if err != nil {
		return nil, nil, err
	}
	r, err := OpenPostgresReader(ctx, db)
	if err != nil {
		return nil, nil, errors.Join(err, db.Close())
	}
	return r, db.Close, nil
}

func TestConformanceOnPostgres(t *testing.T) {
	t.Parallel()
	storetest.RunCatalog(t, func(tb testing.TB) storetest.Catalog {
		address := postgrestest.Start(tb)
		return inSchema{conforming{Catalog: openSchema(tb, openDatabase(tb, address))}, address}
	})
}

// Several processes make one catalog at once, and a newer one is refused.
func TestSchemaIsMadeOnce(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	address := postgrestest.Start(t)
	if _, err := OpenPostgresReader(ctx, openDatabase(t, address)); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("a missing catalog opens with %v", err)
	}
	var wg sync.WaitGroup
	for range 6 {
		db := openDatabase(t, address)
		wg.Go(func() {
			c, err := OpenPostgres(ctx, db)
			if err == nil {
				_, err = c.Sets(ctx)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	db := openDatabase(t, address)
	r, err := OpenPostgresReader(ctx, db)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Publish(ctx, store.Publication{}); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("a reader publishes: %v", err)
	}
	if _, err := db.SQL().ExecContext(ctx, `UPDATE schema_version SET version = 99`); err != nil {
		t.Fatal(err)
	}
	for _, open := range []func(context.Context, *postgres.Database) (*Catalog, error){OpenPostgres, OpenPostgresReader} {
		_, err := open(ctx, db)
		if e, ok := errors.AsType[*remote.UnreachableError](err); !ok || !strings.Contains(e.Reason, "version 99, newer") {
			t.Errorf("a newer catalog: %v", err)
		}
	}
	if _, err := db.SQL().ExecContext(ctx, `UPDATE schema_version SET version = 0`); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenPostgresReader(ctx, db); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an unfinished catalog opens with %v", err)
	}
}

// What a reader got before is never given again after a change by another process, nor after
// the catalog was put aside and made again.
func TestSetsOfASchemaAreNeverStale(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	address := postgrestest.Start(t)
	other := openDatabase(t, address)
	w, r := openSchema(t, openDatabase(t, address)), openSchema(t, other)
	for i := range 5 {
		for _, c := range []*Catalog{w, r} {
			if sets, err := c.Sets(ctx); err != nil || len(sets) != i {
				t.Fatalf("%d sets, not %d: %v", len(sets), i, err)
			}
		}
		putSet(t, w, fmt.Sprint("A", i))
	}
	place := PostgresPlace{other}
	if _, err := place.PutAside(ctx); err != nil {
		t.Fatal(err)
	}
	again := openSchema(t, other)
	for i := range 6 {
		putSet(t, again, fmt.Sprint("B", i))
	}
	if sets, err := w.Sets(ctx); err != nil || len(sets) != 6 || sets[0].Ref.Name != "B0" {
		t.Errorf("%+v, %v", sets, err)
	}
}

// Documents that are staged together have numbers without gaps, whatever others stage.
func TestNumbersHaveNoGaps(t *testing.T) {
	t.Parallel()
	address := postgrestest.Start(t)
	var wg sync.WaitGroup
	set := putSet(t, openSchema(t, openDatabase(t, address)), "A")
	for n := range 4 {
		c := openSchema(t, openDatabase(t, address))
		wg.Go(func() {
			for round := range 10 {
				docs := make([]store.Document, 20)
				for i := range docs {
					docs[i] = store.Document{SetID: set, Path: fmt.Sprintf("%d/%d/%d", n, round, i)}
				}
				ids, err := c.Stage(t.Context(), docs)
				if err != nil || len(ids) != len(docs) || ids[19] != ids[0]+19 {
					t.Errorf("%v, %v", ids, err)
				}
			}
		})
	}
	wg.Wait()
}

// Pages have zero bytes and broken characters in their texts, which PostgreSQL does not keep.
func TestTextsThatPostgresCannotKeep(t *testing.T) {
	t.Parallel()
	c := openNewSchema(t)
	f := fixture{c, t, putSet(t, c, "A")}
	outline := store.Outline{Sections: []doc.Section{{Level: 1, Text: "a\x00b\xff", Parent: -1, Path: []string{"a\x00b\xff"}, Source: true}},
		Chunks: []doc.Chunk{}}
	ids := f.stage(store.Document{Path: "a.md", Title: "a\x00b\xffc", H1: "\xf0\x28", Warnings: []string{"w\x00\xff"}, Outline: outline,
		Routing: store.Routing{Reason: "x\x00"}})
	f.publish(store.Publication{Touched: []store.Touch{{ID: ids[0], Routing: store.Routing{Reason: "\x00"}}},
		Failures: []store.Failure{{Path: "b.md", Reason: "panic: \x00\xff"}}})
	got, err := f.ByPath(t.Context(), f.set, "a.md")
	if err != nil || got.Title != "a�b�c" || got.Outline.Sections[0].Text != "a\x00b\xff" {
		t.Errorf("%+v, %v", got, err)
	}
	if err := f.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

// A catalog that was put aside is another one, with its note of damage, and the kept one can
// still be looked at.
func TestPlaceOnPostgres(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	db := openDatabase(t, postgrestest.Address(t, postgrestest.Superuser, "", "aside"))
	p := PostgresPlace{db}
	if _, err := p.Identify(ctx); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("no catalog: %v", err)
	}
	if aside, err := p.PutAside(ctx); aside != "" || err != nil {
		t.Errorf("a missing one put aside: %q, %v", aside, err)
	}
	made := func() store.Identity {
		t.Helper()
		openSchema(t, db)
		id, err := p.Identify(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	first := made()
	if again := made(); !first.Same(again) || first.Same(nil) {
		t.Error("a catalog that is opened once more is another one")
	}
	if p.DamageNoted(ctx) {
		t.Error("damage is noted of a whole catalog")
	}
	if err := p.NoteDamage(ctx); err != nil || !p.DamageNoted(ctx) {
		t.Errorf("the note is missing: %v", err)
	}
	if err := p.ForgetDamage(ctx); err != nil || p.DamageNoted(ctx) {
		t.Errorf("the note is still there: %v", err)
	}
	if err := p.ForgetDamage(ctx); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("forget it twice: %v", err)
	}
	aside, err := p.PutAside(ctx)
	if err != nil || !strings.HasPrefix(aside, "aside_damaged_") {
		t.Fatalf("%q, %v", aside, err)
	}
	if _, err := p.Identify(ctx); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("after it was put aside: %v", err)
	}
	if err := p.ForgetDamage(ctx); !errors.Is(err, fs.ErrNotExist) || p.DamageNoted(ctx) {
		t.Errorf("the note of a missing catalog: %v", err)
	}
	if first.Same(made()) {
		t.Error("the catalog that takes its place is the same one")
	}
	var n int
	if err := db.SQL().QueryRowContext(ctx, `SELECT count(*) FROM `+aside+`.sets`).Scan(&n); err != nil {
		t.Errorf("the one that was put aside: %v", err)
	}
	if err := p.RemoveRemains(); err != nil || len(p.FileNames()) > 0 || p.Name() == "" {
		t.Error(err)
	}
}

// The right to write is held by one connection at a time, and others see by which process.
func TestPlaceOnPostgresIsLocked(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	address := postgrestest.Start(t)
	p, other := PostgresPlace{openDatabase(t, address)}, PostgresPlace{openDatabase(t, address)}
	if err := p.Lockable(ctx); err != nil {
		t.Fatal(err)
	}
	held, err := p.Lock(ctx, "update", 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = other.Lock(ctx, "add", 0, nil)
	e, ok := errors.AsType[*lock.LockedError](err)
	if !ok || !strings.HasSuffix(e.Holder, "(update)") || !strings.HasPrefix(err.Error(), p.Name()+" is being written by process ") {
		t.Errorf("two processes have the right: %v", err)
	}
	told := make(chan string, 1)
	go func() {
		<-told
		if err := held.Release(); err != nil {
			t.Error(err)
		}
	}()
	second, err := other.Lock(ctx, "add", time.Minute, func(holder string) { told <- holder })
	if err != nil {
		t.Fatal(err)
	}
	if err := second.Release(); err != nil {
		t.Error(err)
	}
	another := PostgresPlace{openDatabase(t, postgrestest.Start(t))}
	for _, place := range []PostgresPlace{p, another} {
		held, err := place.Lock(ctx, "x", 0, nil)
		if err != nil {
			t.Fatalf("locks of two schemas: %v", err)
		}
		defer func() {
			if err := held.Release(); err != nil {
				t.Error(err)
			}
		}()
	}
}

// takeOver ends the connection that holds the lock of a doc set, and takes the lock.
func takeOver(t *testing.T, k postgres.Keeper, setID int64) store.Held {
	t.Helper()
	if _, err := k.Database.Runner().ExecContext(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
		WHERE application_name LIKE 'docent: process%'`); err != nil {
		t.Fatal(err)
	}
	held, err := k.LockSet(t.Context(), setID, store.Updating, "update", time.Minute, nil)
	if err != nil {
		t.Fatal(err)
	}
	return held
}

// A process that was paused while its lock went to another one changes nothing: neither the visible pages,
// nor the staged pages of the other. Before, it published over the other's pages where the pause came
// behind its look at the lock.
func TestALostLockPublishesNothing(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	// The connections that are ended are found by their names, so the server is this test's alone.
	address := postgrestest.StartOwn(t).Address("docent") + "&sslmode=disable"
	db := openDatabase(t, address)
	paused, next := openSchema(t, db), openSchema(t, openDatabase(t, address))
	id := putSet(t, paused, "A")
	k := postgres.Keeper{Database: db}
	held, err := k.LockSet(ctx, id, store.Updating, "update", 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer paused.Guard(id, held)()
	stage := func(c *Catalog, path string) error {
		_, err := c.Stage(ctx, []store.Document{{SetID: id, Path: path, Title: path}})
		return err
	}
	if err := stage(paused, "old"); err != nil {
		t.Fatal(err)
	}
	nextHeld := takeOver(t, k, id)
	unguard := next.Guard(id, nextHeld)
	if err := errors.Join(next.Discard(ctx, id), stage(next, "new")); err != nil {
		t.Fatal(err)
	}
	if err := stage(paused, "late"); !errors.Is(err, postgres.ErrTakenOver) {
		t.Errorf("a page is staged: %v", err)
	}
	if err := paused.Publish(ctx, store.Publication{SetID: id}); !errors.Is(err, postgres.ErrTakenOver) {
		t.Errorf("a publication: %v", err)
	}
	if err := paused.Discard(ctx, id); err != nil {
		t.Errorf("discarding: %v", err)
	}
	if err := next.Publish(ctx, store.Publication{SetID: id}); err != nil {
		t.Fatal(err)
	}
	files, err := next.Files(ctx, id)
	if err != nil || len(files) != 1 || files[0].Path != "new" {
		t.Errorf("%+v, %v; want the page of the process that has the lock alone", files, err)
	}
	unguard()
	if err := nextHeld.Release(); err != nil {
		t.Error(err)
	}
}

// A process that is paused in the middle of a publication holds the row of the doc set: the next one that
// publishes waited for it without an end. The server ends the transaction of a paused one.
func TestAPausedPublicationEnds(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	db := openDatabase(t, postgrestest.Start(t))
	c := openSchema(t, db)
	id := putSet(t, c, "A")
	held, err := postgres.Keeper{Database: db}.LockSet(ctx, id, store.Updating, "update", 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, begin := range map[string]func(change) error{
		"a publication": func(tx change) error { return tx.lockSet(ctx, id) },
		"staging":       func(tx change) error { return tx.checkHolder(ctx, held) },
	} {
		var limit string
		err := inChange(ctx, c.db, func(tx change) error {
			err := begin(tx)
			return errors.Join(err, tx.QueryRowContext(ctx, `SHOW idle_in_transaction_session_timeout`).Scan(&limit))
		})
		if err != nil || limit != "1min" {
			t.Errorf("%s may stand still for %s: %v", name, limit, err)
		}
	}
	paused := make(chan struct{})
	err = inChange(ctx, c.db, func(tx change) error {
		if err := tx.lockSet(ctx, id); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `SET LOCAL idle_in_transaction_session_timeout = 200`); err != nil {
			return err
		}
		go func() {
			defer close(paused)
			if err := c.Publish(ctx, store.Publication{SetID: id}); err != nil {
				t.Errorf("the next publication: %v", err)
			}
		}()
		<-paused
		_, err := tx.ExecContext(ctx, `SELECT 1`)
		return err
	})
	if _, ok := errors.AsType[*remote.UnreachableError](err); !ok {
		t.Errorf("the paused one says %v", err)
	}
	if err := held.Release(); err != nil {
		t.Error(err)
	}
}

// The next holder waits for a publication that has begun.
func TestTheNextHolderWaitsForAPublication(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	address := postgrestest.StartOwn(t).Address("docent") + "&sslmode=disable"
	db := openDatabase(t, address)
	id := putSet(t, openSchema(t, db), "A")
	k := postgres.Keeper{Database: db}
	held, err := k.LockSet(ctx, id, store.Updating, "update", 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	tx, err := db.Begin(ctx)
	if err == nil {
		err = tx.CheckHolder(ctx, held)
	}
	if err != nil {
		t.Fatal(err)
	}
	took := make(chan store.Held)
	go func() { took <- takeOver(t, k, id) }()
	select {
	case <-took:
		t.Fatal("the lock was given away during a publication")
	case <-time.After(time.Second):
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := (<-took).Release(); err != nil {
		t.Error(err)
	}
}
