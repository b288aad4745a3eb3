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
