package httpapi_test

import (
	"context"
	"io/fs"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"docent/cmd/internal/app"
	"docent/cmd/internal/httpapi"
	"docent/pipeline/service"
	"docent/store/postgrestest"
	"docent/store/weaviate/weaviatetest"
)

// awaitReason asks /ready until it gives a reason, "" for a server that is ready.
func (s *server) awaitReason(t *testing.T, want string) {
	t.Helper()
	var last reply
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		began := time.Now()
		last = s.get("/ready")
		if took := time.Since(began); took > 5*time.Second {
			t.Fatalf("/ready took %v", took)
		}
		if s.get("/health").status != http.StatusOK {
			t.Fatal("the server counts as dead")
		}
		reason := ""
		if details, ok := last.json(t)["details"].(map[string]any); ok {
			reason, _ = details["reason"].(string)
		}
		if reason == want && (want == "") == (last.status == http.StatusOK) {
			if want != "" && last.status != http.StatusServiceUnavailable {
				t.Errorf("the status is %d", last.status)
			}
			return
		}
	}
	t.Fatalf("/ready does not come to %q: %d %s", want, last.status, last.body)
}

// awaitMetrics asks for the metrics until they have some lines. No look may take long.
func (s *server) awaitMetrics(t *testing.T, lines ...string) {
	t.Helper()
	var last reply
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Second) {
		began := time.Now()
		last = s.get("/metrics")
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("/metrics took %v", took)
		}
		if !slices.ContainsFunc(lines, func(line string) bool { return !strings.Contains(string(last.body), "\n"+line) }) {
			return
		}
	}
	t.Fatalf("the metrics do not come to %q: %s", lines, last.body)
}

// A server whose Weaviate or database was away counted as ready as long as its home was open.
func TestReadyWithTheServersOfItsStores(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("figures are given again for ten seconds, three times")
	}
	pg, c := postgrestest.StartOwn(t), weaviatetest.Start(t, 1)
	index, catalog := c.URL("ready", 1), pg.Address("ready")+"&sslmode=disable"
	home, err := app.OpenShared(context.Background(), app.Options{Home: t.TempDir(), Manual: fs.FS(manual), Index: &index, Catalog: &catalog})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = home.Close() })
	s := serve(t, func(opt *httpapi.Options) {
		opt.Home = func() (*service.Services, func(), error) {
			a, release, err := home.Use()
			if err != nil {
				return nil, nil, err
			}
			return a.Services, release, nil
		}
	})
	s.awaitReason(t, "")
	s.awaitMetrics(t, `docent_engine_up{engine="postgresql"} 1`, `docent_engine_up{engine="weaviate"} 1`, "docent_weaviate_nodes 1",
		"docent_doc_sets_without_index 0", "docent_postgresql_read_only 0", `docent_doc_set_pages{doc_set="`)
	pg.StopServer(t)
	// Many who ask are answered at the same time.
	var many sync.WaitGroup
	for range 20 {
		many.Go(func() {
			began := time.Now()
			r := s.get("/ready")
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("one of many waited for %v: %d", took, r.status)
			}
		})
	}
	many.Wait()
	s.awaitReason(t, "CATALOG_UNREACHABLE")
	// Figures are given again for ten seconds, part of which have passed.
	s.awaitMetrics(t, `docent_engine_up{engine="postgresql"} 0`, `docent_engine_up{engine="weaviate"} 1`)
	if body := s.get("/ready").body; strings.Contains(body, "127.0.0.1") || strings.Contains(body, "postgres") {
		t.Errorf("it names a place: %s", body)
	}
	// The database comes back while the node is away: the reason is the other one then.
	if err := c.Kill(c.Nodes[0]); err != nil {
		t.Fatal(err)
	}
	pg.StartAgain(t)
	s.awaitReason(t, "INDEX_UNREACHABLE")
	s.awaitMetrics(t, `docent_engine_up{engine="weaviate"} 0`, `docent_engine_up{engine="postgresql"} 1`)
	if body := s.get("/ready").body; strings.Contains(body, "127.0.0.1") || strings.Contains(body, "10.") {
		t.Errorf("it names a place: %s", body)
	}
	if err := c.RunNode(c.Nodes[0]); err != nil {
		t.Fatal(err)
	}
	s.awaitReason(t, "")
}

// Probes that come close together are answered from one look at the home.
func TestReadyLooksOnceASecond(t *testing.T) {
	t.Parallel()
	looks := 0
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	s := serve(t, func(opt *httpapi.Options) {
		given := opt.Home
		opt.Home = func() (*service.Services, func(), error) {
			looks++
			return given()
		}
		opt.Now = func() time.Time { return now }
	})
	for range 5 {
		s.awaitReason(t, "")
	}
	if looks != 1 {
		t.Errorf("%d looks for 5 probes at the same time", looks)
	}
	now = now.Add(time.Second)
	s.awaitReason(t, "")
	if looks != 2 {
		t.Errorf("%d looks after a second", looks)
	}
}
