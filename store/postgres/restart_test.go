package postgres_test

import (
	"context"
	"errors"
	"io/fs"
	"sync"
	"testing"
	"time"

	"docent/store"
	"docent/store/postgres"
	"docent/store/postgrestest"
)

// Reads go on over a start of the server, and wait for it. A change that was lost gives an
// error, and the next one succeeds. A lock that was held is not given back in silence.
func TestRestart(t *testing.T) {
	t.Parallel()
	server := postgrestest.StartOwn(t)
	db := openDatabase(t, server.Address("docent"))
	k := postgres.Keeper{Database: db, Temp: t.TempDir()}
	if err := k.WriteRecord(1, store.LagRecord, []byte("7")); err != nil {
		t.Fatal(err)
	}
	held, err := k.LockSet(t.Context(), 1, store.Updating, "update", 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := held.Check(t.Context()); err != nil {
		t.Error(err)
	}
	ctx, end := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			for ctx.Err() == nil {
				if got, err := k.ReadRecord(1, store.LagRecord); string(got) != "7" || err != nil {
					t.Errorf("read %q, %v", got, err)
					return
				}
				if _, err := k.ReadRecord(2, store.LagRecord); !errors.Is(err, fs.ErrNotExist) {
					t.Error(err)
					return
				}
				time.Sleep(time.Millisecond)
			}
		})
	}
	lost := 0
	for round := range 2 {
		time.Sleep(100 * time.Millisecond)
		server.StopServer(t)
		time.Sleep(time.Duration(round) * 300 * time.Millisecond)
		server.StartAgain(t)
		for range 3 {
			if err := k.WriteRecord(1, store.LagRecord, []byte("7")); isUnreachable(err) {
				lost++
			} else if err != nil {
				t.Error(err)
			}
		}
	}
	end()
	wg.Wait()
	if lost > 2 {
		t.Errorf("%d changes were lost in 2 starts", lost)
	}
	if err := held.Check(t.Context()); !isUnreachable(err) {
		t.Errorf("the lock, before something is published: %v", err)
	}
	if err := held.Release(); !isUnreachable(err) {
		t.Errorf("the lock: %v", err)
	}
	if held, err = k.LockSet(t.Context(), 1, store.Updating, "update", 0, nil); err != nil {
		t.Fatal(err)
	}
	if err := held.Release(); err != nil {
		t.Error(err)
	}
	server.StopServer(t)
	short, done := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer done()
	if _, err := db.Version(short, "catalog"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a server that stays away: %v", err)
	}
	if _, err := openDatabase(t, server.Address("docent")).Version(t.Context(), "catalog"); !isUnreachable(err) {
		t.Errorf("a server that this process has not met: %v", err)
	}
}
