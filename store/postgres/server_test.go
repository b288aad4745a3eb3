package postgres

import (
	"strings"
	"testing"
	"time"

	"docent/store/postgrestest"
)

// A server that is too old is refused by its version.
func TestOldServers(t *testing.T) {
	t.Parallel()
	d, err := OpenDatabase("postgres://docent@db.example/docs", "")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	err = d.checkServer(ServerInfo{Version: "12.19", Number: 120019, Encoding: "UTF8"})
	if err == nil || !strings.Contains(err.Error(), "the server is PostgreSQL 12.19; version 13 or newer is needed (setting [store] catalog)") {
		t.Errorf("%v", err)
	}
	if err := d.checkServer(ServerInfo{Version: "17.1", Number: 170001, Encoding: "UTF8"}); err != nil {
		t.Error(err)
	}
}

// Tables are made in databases alone that keep every text.
func TestEncodings(t *testing.T) {
	t.Parallel()
	if _, err := postgrestest.Connect(t).Exec(t.Context(), `CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`); err != nil {
		t.Fatal(err)
	}
	address := postgrestest.Start(t)
	for name, want := range map[string]string{"/latin?": "its encoding is LATIN1; make a database with the encoding UTF8", "/postgres?": ""} {
		d, err := OpenDatabase(strings.Replace(address, "/postgres?", name, 1), "")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = d.Close() }()
		err = d.Migrate(t.Context(), blobTables)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
		s, err := d.Inspect(t.Context())
		if err != nil || s.Number < oldestServer || s.Version == "" || s.ReadOnly || time.Since(s.Clock).Abs() > time.Minute {
			t.Errorf("%+v, %v", s, err)
		}
	}
}
