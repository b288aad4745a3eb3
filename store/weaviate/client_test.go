package weaviate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"docent/store/address"
	"docent/store/remote"
	"docent/store/weaviate/transport"
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
		if !ok || e.Setting != transport.Setting || !strings.Contains(err.Error(), answer) {
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
	if !ok || e.Setting != transport.Setting || !strings.Contains(err.Error(), "the disk of a node is full") {
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
			if got := isMissing(&transport.StatusError{Status: status, Message: message}); got != want {
				t.Errorf("%d %s: %v", status, message, got)
			}
		}
	}
	if isMissing(&transport.StatusError{Status: http.StatusBadGateway, Message: "class not found"}) {
		t.Error("what a proxy says is believed")
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
