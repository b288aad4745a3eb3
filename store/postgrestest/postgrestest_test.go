package postgrestest_test

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"docent/store/postgrestest"
)

// Every test has a schema of its own on the same server.
func TestStart(t *testing.T) {
	t.Parallel()
	a, b := postgrestest.Start(t), postgrestest.Start(t)
	server, schema, _ := strings.Cut(a, "?")
	if a == b || !strings.HasPrefix(b, server) || schema == "" {
		t.Errorf("%q and %q", a, b)
	}
	var version string
	if err := postgrestest.Connect(t).QueryRow(t.Context(), `SHOW server_version`).Scan(&version); err != nil || version == "" {
		t.Errorf("%q, %v", version, err)
	}
	guarded, _, _ := strings.Cut(postgrestest.Address(t, postgrestest.Guarded, "wrong", "x"), "?")
	if _, err := pgx.Connect(t.Context(), guarded); err == nil {
		t.Error("a wrong password is accepted")
	}
}
