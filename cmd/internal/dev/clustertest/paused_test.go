package clustertest

import (
	"context"
	"os/exec"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"docent/cmd/internal/dev/campaign/fleet"
)

// testPaused pauses an update in the middle of its publication, behind its look at its lock, while the
// lock goes to another process that publishes. The paused process goes on afterwards, and changes nothing.
func (w *world) testPaused(t *testing.T) {
	m := w.newTeam(t, "paused")
	f := w.newFleet(t, updatedPages)
	m.must(t, "add", f.Dir)
	db, err := pgx.Connect(t.Context(), m.catalogDirectly())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close(context.WithoutCancel(t.Context())) }()

	// The row of the doc set is held, so that the publication waits behind the look at the lock.
	alter(t, f)
	hold, err := db.Begin(t.Context())
	if err == nil {
		_, err = hold.Exec(t.Context(), `SELECT id FROM paused.sets FOR NO KEY UPDATE`)
	}
	if err != nil {
		t.Fatal(err)
	}
	paused := m.command(t.Context(), "update", "Fleet")
	over := make(chan done, 1)
	go func() { over <- finish(t, paused) }()
	m.awaitWaiting(t)
	signal(t, paused, syscall.SIGSTOP)
	defer func() { _ = paused.Process.Signal(syscall.SIGCONT) }() // a test that fails must not leave it
	// The server ends the connections that hold its locks, and not the one with the publication.
	m.endLocks(t)
	if err := hold.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}

	// The pages change once more, and another process updates them. It waits for the row, which the
	// publication of the paused process has now.
	m.alterAndUpdate(t, f, func() {
		m.awaitWaiting(t)
		signal(t, paused, syscall.SIGCONT)
	})
	if d := <-over; d.code == 0 {
		t.Errorf("the paused update says that all went well: %v", d)
	} else {
		t.Logf("the paused update: %v", d)
	}
	m.whole(t, f)
	m.must(t, "update", "Fleet")
	m.whole(t, f)
}

// catalogDirectly is the address of the database for the driver.
func (m *team) catalogDirectly() string { return m.postgres.Direct() }

// awaitWaiting waits until a statement waits for a row.
func (m *team) awaitWaiting(t *testing.T) {
	t.Helper()
	eventually(t, func() string {
		if m.countRows(t, `SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%FOR NO KEY UPDATE%'`) == 0 {
			return "no publication waits for its row, but: " + m.textOf(t, `SELECT coalesce(string_agg(state || ' ' || wait_event || ' ' || query, '; '), '')
				FROM pg_stat_activity WHERE datname IS NOT NULL AND pid <> pg_backend_pid()`)
		}
		return ""
	})
}

// endLocks ends the connections that hold locks of doc sets and homes.
func (m *team) endLocks(t *testing.T) {
	t.Helper()
	if m.countRows(t, `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name LIKE 'docent: process%'`) == 0 {
		t.Fatal("no connection holds a lock")
	}
}

func (m *team) countRows(t *testing.T, query string) (n int) {
	t.Helper()
	m.queryOne(t, query, &n)
	return n
}

func (m *team) textOf(t *testing.T, query string) (text string) {
	t.Helper()
	m.queryOne(t, query, &text)
	return text
}

func (m *team) queryOne(t *testing.T, query string, to any) {
	t.Helper()
	db, err := pgx.Connect(t.Context(), m.catalogDirectly())
	if err == nil {
		err = db.QueryRow(t.Context(), query).Scan(to)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
}

func signal(t *testing.T, cmd *exec.Cmd, s syscall.Signal) {
	t.Helper()
	if err := cmd.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}

// alterAndUpdate changes pages and updates them; the function runs next to the update.
func (m *team) alterAndUpdate(t *testing.T, f *fleet.Fleet, meanwhile func()) {
	t.Helper()
	alter(t, f)
	ended := make(chan done, 1)
	go func() { ended <- m.docent(t, "update", "Fleet") }()
	meanwhile()
	if d := <-ended; d.code != 0 {
		t.Errorf("the update of the next process: %v", d)
	}
}
