package weaviate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"docent/store/address"
	"docent/store/remote"
	"docent/store/tracing"
)

// A server that cannot store or answer is said with the setting that names it.
func TestServersThatCannot(t *testing.T) {
	t.Parallel()
	for answer, status := range map[string]int{
		"broadcast: cannot reach enough replicas":                                          http.StatusOK,
		`10.0.0.2:7103: connect: Post replicas/indices: timeout awaiting response headers`: http.StatusOK,
		"store is read-only":                       http.StatusOK,
		"write commitlog: no space left on device": http.StatusOK,
		"no leader": http.StatusInternalServerError,
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = w.Write([]byte(`[{"result":{"status":"FAILED","errors":{"error":[{"message":"` + answer + `"}]}}}]`))
		}))
		at, err := address.ParseWeaviate("weaviate://" + strings.TrimPrefix(server.URL, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		err = newClient(at).put(context.Background(), []entry{{Class: "C", ID: "1"}})
		e, ok := errors.AsType[*remote.UnreachableError](err)
		if !ok || e.Setting != setting || !strings.Contains(err.Error(), answer) {
			t.Errorf("%s: %v", answer, err)
		}
		server.Close()
	}
}

// Objects that were not deleted are said with the reason, for which the engine is asked once more.
func TestNotDeleted(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct{ Output string }
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			t.Error(err)
		}
		objects := ""
		if asked.Output == "verbose" {
			objects = `,"objects":[{},{"errors":{"error":[{"message":"write commitlog: no space left on device"}]}}]`
		}
		_, _ = w.Write([]byte(`{"results":{"matches":2,"successful":1,"failed":1` + objects + `}}`))
	}))
	defer server.Close()
	at, err := address.ParseWeaviate("weaviate://" + strings.TrimPrefix(server.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	err = newClient(at).removeFrom(t.Context(), "C", quorum, restNumber(setProperty, "Equal", 1))
	e, ok := errors.AsType[*remote.UnreachableError](err)
	if !ok || e.Setting != setting || !strings.Contains(err.Error(), "the disk of a node is full") {
		t.Error(err)
	}
}

// The engine says in many words that a collection or tenant is not there, and in others that
// something else is missing.
func TestMissingCollections(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]bool{
		"explorer: get class: vector search: tried to browse non-existing index for FaultsWords": true,
		"import into non-existing index for FaultsWords":                                         true,
		"could not find class FaultsWords in schema":                                             true,
		"class FaultsWords not found in schema":                                                  true,
		`class "FaultsWords" not found`:                                                          true,
		"cannot find index for class FaultsWords":                                                true,
		"could not find index for class FaultsWords. It might have been deleted in the meantime": true,
		`Cannot query field "FaultsWords" on type "GetObjectsObj".`:                              true,
		`explorer: get class: tenant not found: "g12"`:                                           true,
		"broadcast: cannot reach enough replicas":                                                false,
		`property "title" not found in schema`:                                                   false,
		"bm25: vector index not found for title":                                                 false,
		"shard FaultsWords is read-only":                                                         false,
		"object with id 9f2c not found":                                                          false,
	} {
		for _, status := range []int{http.StatusUnprocessableEntity, http.StatusInternalServerError} {
			if got := isMissing(&statusError{status: status, message: message}); got != want {
				t.Errorf("%d %s: %v", status, message, got)
			}
		}
	}
	if isMissing(&statusError{status: http.StatusBadGateway, message: "class not found"}) {
		t.Error("what a proxy says is believed")
	}
}

// A request carries the span above it to the server, and is counted, by its kind and not by the
// names in its path.
func TestRequestsAreTraced(t *testing.T) {
	t.Parallel()
	parents := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		parents <- r.Header.Get("Traceparent")
		w.WriteHeader(http.StatusTeapot)
	}))
	defer server.Close()
	at, err := address.ParseWeaviate("weaviate://" + strings.TrimPrefix(server.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	spans := tracetest.NewSpanRecorder()
	var failures []string
	ctx := tracing.WithRecorder(context.Background(), tracing.Recorder{
		Provider: sdk.NewTracerProvider(sdk.WithSpanProcessor(spans)),
		Asked: func(service string, failed bool, _ time.Duration) {
			if failed {
				failures = append(failures, service)
			}
		}})
	if err := newClient(at).do(ctx, http.MethodGet, "/v1/objects/TeamWords/0123", nil, nil, nil); err == nil {
		t.Error("a teapot is taken for a Weaviate")
	}
	ended := spans.Ended()
	if len(ended) != 1 || ended[0].Name() != "GET /v1/objects" || !strings.Contains(<-parents, ended[0].SpanContext().SpanID().String()) ||
		len(failures) != 1 || failures[0] != "weaviate" {
		t.Errorf("%v, %v", ended, failures)
	}
}

// One host of several that takes connections and never answers once used up the time that a question
// whether the server is there had.
func TestPing(t *testing.T) {
	t.Parallel()
	status := http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(`{"version":"1.38.5"}`))
	}))
	defer server.Close()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = silent.Close() }()
	ping := func(hosts ...string) error {
		at, err := address.ParseWeaviate("weaviate://" + strings.Join(hosts, ","))
		if err != nil {
			t.Fatal(err)
		}
		ctx, done := context.WithTimeout(t.Context(), 2*time.Second)
		defer done()
		return Open(at).Ping(ctx)
	}
	live := strings.TrimPrefix(server.URL, "http://")
	if err := ping(silent.Addr().String(), live); err != nil {
		t.Errorf("one host of two answers: %v", err)
	}
	if err := ping(silent.Addr().String()); err == nil {
		t.Error("a server that does not answer is there")
	}
	status = http.StatusUnauthorized
	if err := ping(live); !errors.Is(err, ErrRefused) {
		t.Errorf("a server that wants another key: %v", err)
	}
}

// Nodes that are away for a moment, or too busy, fail no update.
func TestNodesThatAreAwayForAMoment(t *testing.T) {
	t.Parallel()
	for _, said := range [][]string{
		{"broadcast: cannot reach enough replicas", "127.0.0.1:7105: status code: 404, error: request not found"},
		{"fetch tenant status: failed to execute query: rpc error: the client connection is closing"},
	} {
		takenAfter(t, said)
	}
}

// takenAfter requires that an object is stored behind answers that it was not.
func takenAfter(t *testing.T, said []string) {
	t.Helper()
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if n := int(asked.Add(1)); n <= len(said) {
			_, _ = fmt.Fprintf(w, `[{"result":{"status":"FAILED","errors":{"error":[{"message":%q}]}}}]`, said[n-1])
			return
		}
		_, _ = w.Write([]byte(`[{"result":{"status":"SUCCESS"}}]`))
	}))
	defer server.Close()
	at, err := address.ParseWeaviate("weaviate://" + strings.TrimPrefix(server.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	if err := newClient(at).put(context.Background(), []entry{{Class: "C", ID: "1"}}); err != nil || int(asked.Load()) != len(said)+1 {
		t.Errorf("asked %d times: %v", asked.Load(), err)
	}
}

// A question at the moment when a node is killed fails nothing: the nodes that are left count it as alive,
// and do not agree with it.
func TestNodesThatMissAKilledOne(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if asked.Add(1) <= 2 {
			w.WriteHeader(http.StatusInternalServerError)
			_, _ = w.Write([]byte(`{"error":[{"message":"object by id: cannot achieve consistency level \"QUORUM\": read error"}]}`))
		}
	}))
	t.Cleanup(server.Close)
	away := httptest.NewServer(nil)
	away.Close()
	if err := impatient(t, server.URL, away.URL).do(t.Context(), http.MethodGet, "/v1/objects/C/1", nil, nil, nil); err != nil || asked.Load() != 3 {
		t.Errorf("asked %d times: %v", asked.Load(), err)
	}
}

// Nodes that choose another leader, as busy ones do, fail nothing: for a moment they answer nothing about
// collections. A move to servers failed so, on a machine that others used too.
func TestNodesThatLackALeaderForAMoment(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if asked.Add(1) <= 2 {
			w.WriteHeader(http.StatusInternalServerError)
			_, _ = w.Write([]byte(`{"error":[{"message":"failed to execute query: leader not found, can not resolve nodes [n2]"}]}`))
		}
	}))
	defer server.Close()
	away := httptest.NewServer(nil) // the leader, which was killed
	away.Close()
	hosts := strings.ReplaceAll(server.URL+","+away.URL, "http://", "")
	at, err := address.ParseWeaviate("weaviate://" + hosts)
	if err != nil {
		t.Fatal(err)
	}
	c := newClient(at)
	if err := c.addTenant(t.Context(), words, "s1words1"); err != nil || asked.Load() != 3 {
		t.Errorf("asked %d times: %v", asked.Load(), err)
	}
	asked.Store(0)
	ctx, done := context.WithTimeout(t.Context(), leaderPause/2)
	defer done()
	if err := c.addTenant(ctx, words, "s1words1"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a call that ended meanwhile: %v", err)
	}
}
