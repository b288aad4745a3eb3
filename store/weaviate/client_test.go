package weaviate

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"docent/store/address"
	"docent/store/remote"
)

// A server that cannot store or answer is said with the setting that names it.
func TestServersThatCannot(t *testing.T) {
	t.Parallel()
	for answer, status := range map[string]int{
		"broadcast: cannot reach enough replicas": http.StatusOK,
		"store is read-only":                      http.StatusOK,
		"no leader":                               http.StatusInternalServerError,
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
