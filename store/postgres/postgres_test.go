package postgres_test

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"net"
	"strings"
	"testing"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"docent/store"
	"docent/store/postgres"
	"docent/store/postgrestest"
	"docent/store/remote"
	"docent/store/tracing"
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

func isUnreachable(err error) bool {
	_, ok := errors.AsType[*remote.UnreachableError](err)
	return ok
}

// An address that cannot be used says why, and never with the password in it.
func TestAddresses(t *testing.T) {
	t.Parallel()
	const secret = "s3cr:t"
	for address, want := range map[string]string{
		"postgres://docent:s3cr%3At@db.example:5433/docs?schema=team_a&sslmode=disable": "postgres://db.example:5433/docs?schema=team_a",
		"postgresql://docent@db.example/docs":                                           "postgres://db.example:5432/docs?schema=docent",
		"postgres://docent@/docs?host=/run/postgresql":                                  "postgres:///run/postgresql/docs?schema=docent",
	} {
		db, err := postgres.OpenDatabase(address, "")
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		if db.Name() != want {
			t.Errorf("%s is at %s, want %s", address, db.Name(), want)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
	for address, want := range map[string]string{
		"":                       "does not begin with postgres://",
		"mysql://docent@db/docs": "does not begin with postgres://",
		"postgres://docent:s3cr:t@db.example:54 33/docs":        "it is no URL",
		"postgres://docent:" + secret + "@db:port/docs":         "it is no URL",
		"postgres://docent@db/docs?schema=Team":                 `"Team" is no name for a schema`,
		"postgres://docent@db/docs?schema=":                     `"" is no name for a schema`,
		"postgres://docent@db/docs?schema=pg_catalog":           `"pg_catalog" is no name`,
		"postgres://docent@db/docs?schema=a;drop":               "its parameters cannot be read",
		"postgres://docent@db/docs?schema=a%22b":                `is no name for a schema`,
		"postgres://docent@db/docs?password=" + secret:          "a password does not belong in its parameters",
		"postgres://docent:s3cr%3At@db/docs?sslmode=perhaps":    "sslmode is invalid",
		"postgres://docent:s3cr%3At@db/docs?connect_timeout=-x": "invalid",
	} {
		_, err := postgres.OpenDatabase(address, "")
		if _, ok := errors.AsType[*postgres.AddressError](err); !ok || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "[store] catalog") || strings.Contains(err.Error(), "s3cr") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// The error of a server that is missing or refuses has host, database and setting in it, and
// no password.
func TestConnectionErrors(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	whole := postgrestest.Start(t)
	for _, tt := range []struct{ name, address, want string }{
		{"no server", "postgres://docent:s3cret@" + closed + "/docs", "the server cannot be reached: dial tcp " + closed},
		{"no host", "postgres://docent:s3cret@nowhere.invalid/docs", "the server cannot be reached: "},
		{"wrong password", postgrestest.Address(t, postgrestest.Guarded, "s3cret", "a"), `does not let the user "guarded" in`},
		{"no role", postgrestest.Address(t, "unheard_of", "s3cret", "a"), `does not let the user "unheard_of" in`},
		{"no database", strings.Replace(whole, "/postgres?", "/elsewhere?", 1), `there is no database "elsewhere"`},
	} {
		db := openDatabase(t, tt.address)
		_, err := db.Version(t.Context(), "catalog")
		text := ""
		if err != nil {
			text = err.Error()
		}
		if !isUnreachable(err) || !strings.Contains(text, tt.want) || !strings.Contains(text, db.Name()) ||
			!strings.Contains(text, "[store] catalog") || strings.Contains(text, "s3cret") || strings.Contains(text, "\n") {
			t.Errorf("%s: %v", tt.name, err)
		}
		if _, err := db.Lock(t.Context(), "home", "test", 0, nil); err == nil || err.Error() != text {
			t.Errorf("%s: the lock gives %v, a query %s", tt.name, err, text)
		}
	}
}

// Errors of the engine have their meaning, and keep their text.
func TestErrorsHaveTheirMeaning(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	db := openDatabase(t, postgrestest.Start(t))
	part := postgres.Part{Name: "lamps", Steps: []string{`CREATE TABLE lamps (name TEXT PRIMARY KEY); INSERT INTO lamps VALUES ('Argand')`}}
	if v, err := db.Version(ctx, part.Name); v != 0 || err != nil {
		t.Fatalf("before there is a schema: %d, %v", v, err)
	}
	for range 2 {
		if err := db.Migrate(ctx, part); err != nil {
			t.Fatal(err)
		}
	}
	if v, err := db.Version(ctx, part.Name); v != 1 || err != nil {
		t.Errorf("the version is %d, %v", v, err)
	}
	for _, tt := range []struct {
		statement, text string
		want            error
		fault           store.Fault
	}{
		{`SET transaction_read_only = on; INSERT INTO lamps VALUES ('Fresnel')`, "SQLSTATE 25006", store.ErrReadOnly, store.DiskFault},
		{`DO $$ BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = '53100'; END $$`, "no room", store.ErrDiskFull, store.DiskFault},
		{`DO $$ BEGIN RAISE EXCEPTION 'bad page' USING ERRCODE = 'XX001'; END $$`, "bad page", store.ErrMalformed, store.DamagedFault},
		{`SELECT colour FROM lamps`, "SQLSTATE 42703", store.ErrMalformed, store.DamagedFault},
		{`SET ROLE guarded; SELECT * FROM pg_authid`, "permission denied", fs.ErrPermission, store.DiskFault},
		{`SELECT pg_terminate_backend(pg_backend_pid())`, "the connection was lost", nil, store.OtherFault},
		{`SELEC`, "syntax error", nil, store.OtherFault},
	} {
		c, err := db.SQL().Conn(ctx)
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.ExecContext(ctx, tt.statement)
		if err == nil || !strings.Contains(err.Error(), tt.text) || tt.want != nil && !errors.Is(err, tt.want) || store.FaultOf(err) != tt.fault {
			t.Errorf("%s: %v, fault %d", tt.statement, err, store.FaultOf(err))
		}
		_ = c.Raw(func(any) error { return errors.New("not used again") })
		_, _ = c.ExecContext(ctx, `RESET ROLE; SET transaction_read_only = off`) // lost, or as before
		_ = c.Close()
	}
	_, err := db.SQL().ExecContext(ctx, `SELECT * FROM gone`)
	if !postgres.IsMissing(err) || postgres.IsDuplicate(err) {
		t.Errorf("a missing table: %v", err)
	}
	if _, err = db.SQL().ExecContext(ctx, `INSERT INTO lamps VALUES ('Argand')`); !postgres.IsDuplicate(err) || postgres.IsMissing(err) {
		t.Errorf("a duplicate: %v", err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := db.SQL().ExecContext(cancelled, `SELECT 1`); !errors.Is(err, context.Canceled) || isUnreachable(err) {
		t.Errorf("cancelled: %v", err)
	}
	if err := db.CheckWritable(ctx); err != nil {
		t.Error(err)
	}
	readOnly := openDatabase(t, postgrestest.Start(t)+"&default_transaction_read_only=on")
	if err := readOnly.CheckWritable(ctx); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("a database that takes no changes: %v", err)
	}
	if err := readOnly.Migrate(ctx, part); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("tables are made there: %v", err)
	}
}

// A statement of a transaction runs many times in few round trips, all or none.
func TestRepeat(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	db := openDatabase(t, postgrestest.Start(t))
	if err := db.Migrate(ctx, postgres.Part{Name: "lamps", Steps: []string{`CREATE TABLE lamps (n BIGINT PRIMARY KEY, name TEXT)`}}); err != nil {
		t.Fatal(err)
	}
	run := func(n int, args func(int) []any) error {
		tx, err := db.Begin(ctx)
		if err != nil {
			t.Fatal(err)
		}
		sum := int64(0)
		err = tx.Repeat(ctx, `INSERT INTO lamps VALUES (?, ?) RETURNING n`, n, args, func(row postgres.Row) error {
			var got int64
			err := row.Scan(&got)
			sum += got
			return err
		})
		if err == nil && sum != int64(n*(n-1)/2) {
			t.Errorf("the rows sum up to %d", sum)
		}
		if err == nil {
			err = tx.Commit()
		}
		return errors.Join(err, tx.Rollback())
	}
	if err := run(3000, func(i int) []any { return []any{i % 2999, "x"} }); !postgres.IsDuplicate(err) {
		t.Errorf("one of many fails: %v", err)
	}
	if err := run(2500, func(i int) []any { return []any{i, "Argand"} }); err != nil {
		t.Error(err)
	}
	var n int
	if err := db.Runner().QueryRowContext(ctx, `SELECT count(*) FROM lamps WHERE name = ? AND n < ?`, "Argand", 5000).Scan(&n); n != 2500 || err != nil {
		t.Errorf("%d rows, %v", n, err)
	}
}

// A lock whose connection is lost is not given back in silence.
func TestLostLock(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	db := openDatabase(t, postgrestest.Start(t))
	held, err := db.Lock(ctx, "home", "lost", 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, locked, err := db.LockHolder(ctx, "home"); !locked || err != nil {
		t.Errorf("it is held: %v, %v", locked, err)
	}
	if _, err := db.SQL().ExecContext(ctx, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
		WHERE application_name LIKE 'docent: process%(lost)' AND pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory')`); err != nil {
		t.Fatal(err)
	}
	if err := held.Release(); !isUnreachable(err) {
		t.Errorf("%v", err)
	}
	again, err := db.Lock(ctx, "home", "lost", time.Minute, nil) // as soon as the server has ended the session
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Release(); err != nil {
		t.Error(err)
	}
}

// Each statement is a span that is called like its first word, and is counted; an empty answer is
// no failure.
func TestStatementsAreTraced(t *testing.T) {
	t.Parallel()
	db := openDatabase(t, postgrestest.Start(t))
	spans := tracetest.NewSpanRecorder()
	asked := map[bool]int{}
	ctx := tracing.WithRecorder(t.Context(), tracing.Recorder{
		Provider: sdk.NewTracerProvider(sdk.WithSpanProcessor(spans)),
		Asked: func(service string, failed bool, _ time.Duration) {
			if service == "postgresql" {
				asked[failed]++
			}
		}})
	n := 0
	if err := db.SQL().QueryRowContext(ctx, "select 1 where false").Scan(&n); !errors.Is(err, sql.ErrNoRows) {
		t.Error(err)
	}
	if _, err := db.SQL().ExecContext(ctx, "DROP TABLE marigolds"); err == nil {
		t.Error("a missing table was dropped")
	}
	names := map[string]bool{}
	for _, s := range spans.Ended() {
		names[s.Name()] = true
	}
	if !names["SELECT"] || !names["DROP"] || asked[false] == 0 || asked[true] != 1 {
		t.Errorf("%v, %v", names, asked)
	}
}
