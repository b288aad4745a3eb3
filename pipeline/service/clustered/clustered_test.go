package clustered_test

import (
	"errors"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"docent/pipeline/ingest/parse/formats"
	"docent/pipeline/service/clustered"
	"docent/pipeline/service/home"
	"docent/store/address"
	"docent/store/postgrestest"
	"docent/store/remote"
	"docent/store/weaviate"
	"docent/store/weaviate/weaviatetest"
)

// open opens a home whose indexes lie at an address.
func open(t *testing.T, dir, text string) (*home.Home, error) {
	t.Helper()
	parsers, err := formats.AllParsers()
	if err != nil {
		t.Fatal(err)
	}
	at, err := address.ParseWeaviate(text)
	if err != nil {
		t.Fatal(err)
	}
	h, closeStores, err := clustered.Open(t.Context(), home.Options{Dir: dir, Parsers: parsers}, clustered.Places{Index: at})
	if err == nil {
		t.Cleanup(func() { _ = closeStores() })
	}
	return h, err
}

// The tests of homes on servers share one Weaviate and one PostgreSQL.
func TestOnServers(t *testing.T) {
	c, s := weaviatetest.Start(t, 1), postgrestest.StartOwn(t)
	onWeaviate := func(test func(*testing.T, *weaviatetest.Cluster)) func(*testing.T) {
		return func(t *testing.T) { test(t, c) }
	}
	machines := func(name string, test func(*testing.T, *team)) func(*testing.T) {
		return func(t *testing.T) { test(t, newTeam(t, c, s, name)) }
	}
	for name, run := range map[string]func(*testing.T){
		"two homes": onWeaviate(testTwoHomes), "round trips": onWeaviate(testRoundTrips), "first opened by many": onWeaviate(testFirstOpenedByMany),
		"a wrong port for gRPC": onWeaviate(testWrongRemote),
		// Machines with folders of their own use one home.
		"uploads elsewhere": machines("uploads", testUploadsElsewhere), "sources elsewhere": machines("sources", testSourcesElsewhere),
		"folders elsewhere": machines("folders", testFoldersElsewhere), "versions elsewhere": machines("versions", testVersionsElsewhere),
		"enrichments elsewhere": machines("enrichments", testEnrichmentElsewhere), "numbers of changes": machines("numbers", testNumbers),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t)
		})
	}
}

// The collections belong to the home that made them, and to no other.
func testTwoHomes(t *testing.T, c *weaviatetest.Cluster) {
	text := c.URL("shared", 1)
	dir := filepath.Join(t.TempDir(), "mine")
	for range 2 {
		h, err := open(t, dir, text)
		if err != nil {
			t.Fatal(err)
		}
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	}
	_, err := open(t, filepath.Join(t.TempDir(), "other"), text)
	e, ok := errors.AsType[*home.UnavailableError](err)
	if !ok || !errors.Is(err, weaviate.ErrOtherHome) || e.Remedy == nil || e.Remedy.Key != "store.index" {
		t.Errorf("another home is told %v", err)
	}
	if h, err := open(t, filepath.Join(t.TempDir(), "other"), c.URL("shared2", 1)); err != nil {
		t.Errorf("another name is refused: %v", err)
	} else if err := h.Close(); err != nil {
		t.Error(err)
	}
}

// A port that is not the gRPC interface's is a fault which doctor finds, with the setting to change.
func testWrongRemote(t *testing.T, c *weaviatetest.Cluster) {
	host := c.Addresses()
	for text, fault := range map[string]string{
		c.URL("remote", 1): "",
		"weaviate://" + host + "/remote?grpc=" + host: "the gRPC interface at " + host,
		"weaviate://" + host + "/remote?grpc=1":       "connection refused",
	} {
		at, err := address.ParseWeaviate(text)
		if err != nil {
			t.Fatal(err)
		}
		x := clustered.Indexes{Indexes: weaviate.Open(at)}
		f := clustered.Examine(t.Context(), x)
		if f == nil || f.OK != (fault == "") || !strings.Contains(f.Text, fault) || !f.OK && !strings.Contains(f.Mend, "grpc=") {
			t.Errorf("%s: %+v", text, f)
		}
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Two servers and a worker began in a new home at the same time, and each made an identity: the
// worker ended, because the collections were those of another one.
func testFirstOpenedByMany(t *testing.T, c *weaviatetest.Cluster) {
	text := c.URL("many", 1)
	dir := filepath.Join(t.TempDir(), "home")
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			h, err := open(t, dir, text)
			if err == nil {
				err = h.Close()
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

func isUnreachable(err error) bool {
	_, ok := errors.AsType[*remote.UnreachableError](err)
	return ok
}

func TestNothingAnswers(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	_, err = open(t, filepath.Join(t.TempDir(), "home"), "weaviate://"+address)
	e, ok := errors.AsType[*home.UnavailableError](err)
	if !ok || !isUnreachable(err) || !strings.Contains(err.Error(), "[store] index") || e.Remedy.Name != "Weaviate" {
		t.Errorf("it says %v", err)
	}
}
