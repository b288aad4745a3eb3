package postgres_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"docent/store"
	"docent/store/lock"
	"docent/store/postgres"
	"docent/store/postgrestest"
)

func newKeeper(tb testing.TB, address string) postgres.Keeper {
	tb.Helper()
	return postgres.Keeper{Database: openDatabase(tb, address), Temp: filepath.Join(tb.TempDir(), "index")}
}

// One process at a time does one kind of work on a doc set; other kinds and other doc sets
// are independent.
func TestLocksOfDocSets(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	address := postgrestest.Start(t)
	k, other := newKeeper(t, address), newKeeper(t, address)
	if busy, err := k.Locked(ctx, 1, store.Updating); busy || err != nil {
		t.Fatalf("before any work: %v, %v", busy, err)
	}
	held, err := k.LockSet(ctx, 1, store.Updating, "update", 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = other.LockSet(ctx, 1, store.Updating, "update", 0, nil)
	if e, ok := errors.AsType[*lock.LockedError](err); !ok || e.Holder == "" {
		t.Errorf("the same work twice: %v", err)
	}
	for id, work := range map[int64]store.SetWork{1: store.Embedding, 2: store.Updating} {
		held, err := other.LockSet(ctx, id, work, "other", 0, nil)
		if err != nil {
			t.Fatalf("%s of %d: %v", work, id, err)
		}
		if err := held.Release(); err != nil {
			t.Fatal(err)
		}
	}
	if busy, err := other.Locked(ctx, 1, store.Updating); !busy || err != nil {
		t.Errorf("while it is done: %v, %v", busy, err)
	}
	if err := errors.Join(held.Release(), k.ForgetLock(1, store.Updating)); err != nil {
		t.Fatal(err)
	}
	if busy, err := other.Locked(ctx, 1, store.Updating); busy || err != nil {
		t.Errorf("after it: %v, %v", busy, err)
	}
}

// Changes by the holders of a lock have numbers that rise, above what they ask for. A process that lost
// the lock gets none.
func TestNumbersOfChanges(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	server := postgrestest.StartOwn(t)
	address := server.Address("docent")
	k, other := newKeeper(t, address), newKeeper(t, address)
	type numbering interface {
		NextNumber(ctx context.Context, floor int64) (int64, error)
	}
	last := int64(0)
	for holder, floors := range [][]int64{{7, 7, 3}, {5}, {1000, 2}} {
		k := []postgres.Keeper{k, other}[holder%2]
		held, err := k.LockSet(ctx, 1, store.Updating, "update", 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, floor := range floors {
			n, err := held.(numbering).NextNumber(ctx, floor)
			if err != nil || n <= last || n <= floor {
				t.Errorf("holder %d gets %d above %d, behind %d: %v", holder, n, floor, last, err)
			}
			last = n
		}
		if err := held.Release(); err != nil {
			t.Fatal(err)
		}
	}
	held, err := k.LockSet(ctx, 1, store.Embedding, "embed", 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := held.(numbering).NextNumber(ctx, 0); n != 1 || err != nil {
		t.Errorf("other work on the doc set gets %d, %v", n, err)
	}
	server.StopServer(t)
	server.StartAgain(t)
	if n, err := held.(numbering).NextNumber(ctx, 0); !isUnreachable(err) {
		t.Errorf("without the lock it gets %d, %v", n, err)
	}
	_ = held.Release() // it was lost
}

// A program of the version before has one step of the records, and refuses more. Its updates made no
// reference graphs after a program of this version took a lock.
func TestHoldersLeaveTheRecordsAsTheyWere(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	k := newKeeper(t, postgrestest.Start(t))
	for is := 1; is <= 2; is++ {
		held, err := k.LockSet(ctx, 1, store.Updating, "update", 0, nil)
		if err == nil {
			err = errors.Join(held.Release(), k.WriteRecord(1, store.LagRecord, []byte("7")))
		}
		if err != nil {
			t.Fatal(err)
		}
		v, err := k.Database.Version(ctx, "records")
		if err != nil || v != is {
			t.Errorf("the records have version %d, and had %d: %v", v, is, err)
		}
		writeGraph(k, 1, []byte("graph"))(t)
		// As a program of one day made it.
		if _, err := k.Database.Runner().ExecContext(ctx, `UPDATE schema_version SET version = 2 WHERE part = 'records' AND version = 1`); err != nil {
			t.Fatal(err)
		}
	}
}

func writeGraph(k postgres.Keeper, id int64, graph []byte) func(testing.TB) {
	return func(tb testing.TB) {
		tb.Helper()
		if err := k.WriteReferences(tb.Context(), id, func(w io.Writer) error {
			_, err := io.Copy(w, bytes.NewReader(graph))
			return err
		}); err != nil {
			tb.Fatal(err)
		}
	}
}

// All that is kept of a doc set goes with it, and nothing of others.
func TestPurge(t *testing.T) {
	t.Parallel()
	k := newKeeper(t, postgrestest.Start(t))
	if ids, err := k.Sets(); len(ids) != 0 || err != nil {
		t.Fatalf("before there is a table: %v, %v", ids, err)
	}
	if _, err := k.ReadRecord(1, store.LagRecord); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a record that was never written: %v", err)
	}
	if err := errors.Join(k.RemoveAll(), k.Purge(1), k.Remove(1), k.RemoveRecord(1, store.LagRecord)); err != nil {
		t.Errorf("removing nothing: %v", err)
	}
	for id := range int64(3) {
		for range 2 {
			if err := errors.Join(k.WriteRecord(id, store.LagRecord, fmt.Appendf(nil, "%d\n", id)), k.WriteRecord(id, store.WeightRecord, nil)); err != nil {
				t.Fatal(err)
			}
		}
		writeGraph(k, id, []byte("graph"))(t)
	}
	if err := errors.Join(k.Purge(1), k.Remove(2), k.RemoveRecord(0, store.LagRecord)); err != nil {
		t.Fatal(err)
	}
	ids, err := k.Sets()
	if slices.Sort(ids); err != nil || !slices.Equal(ids, []int64{0, 2}) {
		t.Errorf("%v, %v", ids, err)
	}
	if raw, err := k.ReadRecord(2, store.LagRecord); string(raw) != "2\n" || err != nil {
		t.Errorf("%q, %v", raw, err)
	}
	if raw, err := k.ReadRecord(0, store.WeightRecord); len(raw) != 0 || err != nil {
		t.Errorf("%q, %v", raw, err)
	}
	for id, want := range map[int64]error{0: nil, 1: fs.ErrNotExist, 2: fs.ErrNotExist} {
		if _, err := readReferences(t.Context(), k, id); !errors.Is(err, want) {
			t.Errorf("the graph of %d: %v", id, err)
		}
	}
	if err := k.RemoveAll(); err != nil {
		t.Fatal(err)
	}
	if ids, err := k.Sets(); len(ids) != 0 || err != nil {
		t.Errorf("after all was removed: %v, %v", ids, err)
	}
}

// A graph comes back as it was written, whatever its size; one whose writing fails leaves the
// one before; and an opened one stays as it was.
func TestReferenceGraphs(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	k := newKeeper(t, postgrestest.Start(t))
	if _, _, err := k.OpenReferences(ctx, 1); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a graph that was never written: %v", err)
	}
	large := make([]byte, 5<<19+7)
	rnd := rand.NewChaCha8([32]byte{1})
	_, _ = rnd.Read(large) // never fails
	for _, graph := range [][]byte{large, {}, large[:1<<20], []byte("small")} {
		writeGraph(k, 1, graph)(t)
		if got, err := readReferences(ctx, k, 1); err != nil || !bytes.Equal(got, graph) {
			t.Errorf("%d bytes came back, %d were written: %v", len(got), len(graph), err)
		}
	}
	writeGraph(k, 1, large)(t)
	opened, file, err := k.OpenReferences(ctx, 1)
	if err != nil {
		t.Fatal(err)
	}
	boom := errors.New("boom")
	if err := k.WriteReferences(ctx, 1, func(w io.Writer) error {
		_, err := w.Write(large)
		return errors.Join(err, boom)
	}); !errors.Is(err, boom) {
		t.Errorf("the error of a writer is %v", err)
	}
	if got, err := readReferences(ctx, k, 1); err != nil || !bytes.Equal(got, large) {
		t.Errorf("%d bytes are left, %v", len(got), err)
	}
	writeGraph(k, 1, []byte("another"))(t)
	part := make([]byte, 100)
	if _, err := opened.ReadAt(part, 2<<20); err != nil || !bytes.Equal(part, large[2<<20:][:100]) {
		t.Errorf("the opened graph has changed: %v", err)
	}
	if err := file.Close(); err != nil {
		t.Error(err)
	}
	s, err := k.SpoolReferences(ctx, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Append(large); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(k.Temp); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
	if n, err := k.SweepTemporary(0); n != 0 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}

// Processes that write the same graph at once write it one after the other.
func TestWritersOfAGraph(t *testing.T) {
	t.Parallel()
	address := postgrestest.Start(t)
	var wg sync.WaitGroup
	for n := range 4 {
		k := newKeeper(t, address)
		wg.Go(func() { writeGraph(k, 1, bytes.Repeat([]byte{byte(n)}, 3<<19))(t) })
	}
	wg.Wait()
	got, err := readReferences(t.Context(), newKeeper(t, address), 1)
	if err != nil || len(got) != 3<<19 || !bytes.Equal(got, bytes.Repeat(got[:1], len(got))) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// readReferences gives a doc set's reference graph as it was written.
func readReferences(ctx context.Context, k postgres.Keeper, set int64) (_ []byte, err error) {
	r, file, err := k.OpenReferences(ctx, set)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return io.ReadAll(io.NewSectionReader(r, 0, r.Size()))
}
