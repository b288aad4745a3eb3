package clustertest

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"docent/store/postgrestest"
)

// testFaults uses a home with wrong settings, and with servers that lost something: each gives one
// line that names the setting, and exit code 3, or is mended.
func (w *world) testFaults(t *testing.T) {
	m := w.newTeam(t, "faults")
	f := w.newFleet(t, updatedPages)
	m.must(t, "add", f.Dir)
	t.Run("settings", m.wrongSettings)
	t.Run("a newer schema", m.newerSchema)
	t.Run("an index is dropped", m.droppedIndex)
	t.Run("the catalog is dropped", m.droppedCatalog)
	t.Run("the Weaviate fails", func(t *testing.T) {
		m.failingIndex(t, func() { alter(t, f) })
		m.must(t, "update", "Fleet")
		m.whole(t, f)
	})
	if !w.long {
		return // the Weaviate takes half a minute to answer, and to be whole again
	}
	t.Run("two nodes of three are away", func(t *testing.T) {
		m.withoutMajority(t, func() { alter(t, f) })
		m.must(t, "update", "Fleet")
		m.whole(t, f)
	})
}

// withoutMajority kills two nodes of three: neither questions nor updates are answered, and both name
// the setting. Then it starts the nodes again.
func (m *team) withoutMajority(t *testing.T, alter func()) {
	away := m.weaviate.Nodes[1:]
	for _, n := range away {
		if err := m.weaviate.Kill(n); err != nil {
			t.Fatal(err)
		}
	}
	alter()
	for _, args := range [][]string{{"search", "--set", "Fleet", "flagship"}, {"update", "Fleet"}} {
		refused(t, m.docent(t, args...), "[store] index")
	}
	for _, n := range away {
		if err := m.weaviate.RunNode(n); err != nil {
			t.Fatal(err)
		}
	}
	for _, n := range away {
		if err := m.weaviate.Await(n); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, func() string {
		if d := m.docent(t, "doctor"); strings.Contains(d.out, "unhealthy") {
			return d.out
		}
		return ""
	})
}

// refused requires exit code 3 and one line that has these words.
func refused(t *testing.T, d done, words ...string) {
	t.Helper()
	if d.code != 3 || strings.Count(d.err, "\n") != 1 {
		t.Errorf("%v", d)
	}
	for _, word := range words {
		if !strings.Contains(d.err, word) {
			t.Errorf("%v, without %q", d, word)
		}
	}
}

// freePort gives a port at which nothing listens.
func freePort() string {
	s := httptest.NewServer(http.NotFoundHandler())
	defer s.Close()
	return strings.TrimPrefix(s.URL, "http://")
}

func (m *team) wrongSettings(t *testing.T) {
	locked := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer locked.Close()
	guarded := strings.Replace(m.catalog, postgrestest.Superuser+"@", postgrestest.Guarded+":wrong@", 1)
	for name, tt := range map[string]struct {
		index, catalog string
		words          []string
	}{
		"no Weaviate at the port":   {"weaviate://" + freePort() + "/faults", m.catalog, []string{"does not answer", "[store] index"}},
		"no PostgreSQL at the port": {m.index, "postgres://postgres@" + freePort() + "/postgres", []string{"cannot be reached", "[store] catalog"}},
		"a wrong password":          {m.index, guarded, []string{"PGPASSWORD", "[store] catalog"}},
		"a wrong key":               {"weaviate://" + strings.TrimPrefix(locked.URL, "http://") + "/faults", m.catalog, []string{"WEAVIATE_API_KEY", "store.index"}},
		"a missing database":        {m.index, strings.Replace(m.catalog, "/postgres?", "/nothing?", 1), []string{"there is no database", "[store] catalog"}},
	} {
		t.Run(name, func(t *testing.T) {
			path := m.configure(t, t.TempDir(), "docent.toml", tt.index, tt.catalog)
			refused(t, m.docent(t, "--config", path, "search", "flagship"), tt.words...)
		})
	}
	other := &team{world: m.world, home: filepath.Join(t.TempDir(), "other")}
	other.configure(t, other.home, "docent.toml", m.index, strings.Replace(m.catalog, "=faults", "=elsewhere", 1))
	refused(t, other.docent(t, "search", "flagship"), "another home", "store.index")
	other.configure(t, other.home, "docent.toml", strings.Replace(m.index, "/faults", "/elsewhere", 1), m.catalog)
	refused(t, other.docent(t, "search", "flagship"), "another home", "store.catalog")
	m.must(t, "search", "--threshold", "0", "flagship")
	m.namesItsStores(t)
}

// namesItsStores has status say where the stores lie, without the user and what follows the name.
func (m *team) namesItsStores(t *testing.T) {
	out := m.must(t, "status").out
	index, _, _ := strings.Cut(m.index, "?")
	for _, want := range []string{" at " + index + "\n", "\ncatalog    postgres://127.0.0.1:", "?schema=faults\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("status has no %q:\n%s", want, out)
		}
	}
	if strings.Contains(out, postgrestest.Superuser+"@") {
		t.Errorf("status names the user:\n%s", out)
	}
}

// run runs a statement in the database.
func (m *team) run(t *testing.T, statement string) {
	t.Helper()
	address, _, _ := strings.Cut(m.catalog, "?")
	c, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close(context.WithoutCancel(t.Context())) }()
	if _, err := c.Exec(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}

func (m *team) newerSchema(t *testing.T) {
	for _, part := range []string{"catalog", "records", "uploads"} {
		m.run(t, "UPDATE faults.schema_version SET version = version + 90 WHERE part = '"+part+"'")
	}
	for _, args := range [][]string{{"search", "flagship"}, {"update"}} {
		refused(t, m.docent(t, args...), "newer than this program", "[store] catalog")
	}
	m.run(t, "UPDATE faults.schema_version SET version = version - 90")
	m.must(t, "search", "--threshold", "0", "flagship")
}

// request sends a request to the Weaviate, which must succeed.
func (m *team) request(t *testing.T, method, path, body string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, "http://"+m.weaviate.Nodes[1].Address+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	status, answer, err := readBody(http.DefaultClient.Do(r))
	if err != nil || status >= http.StatusMultipleChoices {
		t.Fatalf("%s %s: %d %s", method, path, status, textOr(answer, err))
	}
	return answer
}

// droppedIndex drops collections. The indexes are built again at the next start, which says so, or
// after a search that met the damage.
func (m *team) droppedIndex(t *testing.T) {
	for _, dropped := range [][]string{{"Words", "Vectors", "Records"}, {"Words"}} {
		for _, name := range dropped {
			m.request(t, http.MethodDelete, "/v1/schema/Faults"+name, "")
		}
		d := m.docent(t, "search", "--threshold", "0", "flagship")
		if strings.Contains(strings.Join(dropped, " "), "Records") && !strings.Contains(d.err, "it is built ") {
			t.Errorf("%v was dropped: %v", dropped, d)
		}
		if d.code != 0 && d.code != 3 {
			t.Errorf("%v was dropped: %v", dropped, d)
		}
		m.must(t, "update")
		if d := m.docent(t, "doctor"); d.code != 0 {
			t.Errorf("%v was dropped: %s", dropped, d.out)
		}
		if files := m.files(t, "flagship"); files[0] != "ship-000.md" {
			t.Errorf("%v was dropped: %v", dropped, files)
		}
	}
}

// droppedCatalog drops the schema: the catalog is made again from the list of doc sets.
func (m *team) droppedCatalog(t *testing.T) {
	m.run(t, "DROP SCHEMA faults CASCADE")
	d := m.must(t, "search", "--threshold", "0", "--set", "Fleet", "flagship")
	if !strings.Contains(d.err, "indexed again") {
		t.Errorf("it is not said: %v", d)
	}
	if d := m.docent(t, "doctor"); d.code != 0 {
		t.Errorf("doctor: %s", d.out)
	}
}

// failingIndex changes pages while the Weaviate takes no changes, and while it goes away in an update.
func (m *team) failingIndex(t *testing.T, alter func()) {
	g := newGate(t, m.weaviate.Nodes[2].Address)
	through := m.configure(t, t.TempDir(), "gate.toml", g.address(m), m.catalog)
	for at := 1; at <= 9; at += 2 {
		alter()
		g.set(at, true, g.close)
		d := m.docent(t, "--config", through, "update", "Fleet")
		g.open()
		if d.code != 0 { // else its last request was before
			refused(t, d, "[store] index")
		}
		if files := m.files(t, "flagship"); files[0] != "ship-000.md" {
			t.Errorf("the Weaviate was away at request %d: %v", at, files)
		}
	}
	alter()
	m.setShards(t, "READONLY")
	refused(t, m.docent(t, "update", "Fleet"), "take changes", "[store] index")
	if files := m.files(t, "flagship"); files[0] != "ship-000.md" {
		t.Errorf("the Weaviate is read-only: %v", files)
	}
	m.setShards(t, "READY")
}

// setShards sets the status of all shards of the words and records.
func (m *team) setShards(t *testing.T, status string) {
	t.Helper()
	for _, name := range []string{"FaultsWords", "FaultsRecords"} {
		list := m.request(t, http.MethodGet, "/v1/schema/"+name+"/shards", "")
		for _, part := range strings.Split(list, `"name":"`)[1:] {
			shard, _, _ := strings.Cut(part, `"`)
			m.request(t, http.MethodPut, fmt.Sprintf("/v1/schema/%s/shards/%s", name, shard), `{"status":"`+status+`"}`)
		}
	}
}
