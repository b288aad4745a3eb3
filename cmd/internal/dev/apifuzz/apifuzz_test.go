package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"docent/cmd/internal/app"
	"docent/cmd/internal/httpapi"
	"docent/pipeline/service"
)

// The server answers generated requests as its description says. The long form is make
// apifuzz.
func TestTheServerIsAsDescribed(t *testing.T) {
	t.Parallel()
	manual := fstest.MapFS{"lamps.md": {Data: []byte("# Lamps\n\nA lamp burns oil.\n\n## Trimming the wick\n\nTrim the wick once a week.\n")}, "a/b c.md": {Data: []byte("# Glass\n\nClean it.\n")}}
	shared, err := app.OpenShared(t.Context(), app.Options{Home: t.TempDir(), Manual: manual})
	if err != nil {
		t.Fatal(err)
	}
	defer shared.Close()
	api := httpapi.New(httpapi.Options{Loopback: true, Operations: app.Operations(), CallbackSecret: "a secret for the callback", Home: func() (*service.Services, func(), error) {
		a, release, err := shared.Use()
		if err != nil {
			return nil, nil, err
		}
		return a.Services, release, nil
	}})
	srv := httptest.NewServer(api.Handler())
	defer srv.Close()
	f := fuzz{url: srv.URL, secret: "a secret for the callback", each: 15, workers: 4, seed: 1}
	var out strings.Builder
	if err := f.run(t.Context(), &out); err != nil {
		t.Errorf("%v\n%s", err, out.String())
	}
	if f.sent < f.each*20 || os.Getenv("APIFUZZ") != "" {
		t.Errorf("%s", out.String())
	}
}

// A server that does something else than it says is found out.
func TestFaultsAreFound(t *testing.T) {
	t.Parallel()
	const description = `{"components": {"schemas": {"Answer": {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}}}},
		"paths": {"/a": {"get": {"responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Answer"}}}}}}}}}`
	for name, answer := range map[string]func(w http.ResponseWriter){
		"is not described":  func(w http.ResponseWriter) { w.WriteHeader(418) },
		"an internal error": func(w http.ResponseWriter) { w.WriteHeader(500) },
		"text/html":         func(w http.ResponseWriter) { w.Header().Set("Content-Type", "text/html") },
		"required": func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte("{}"))
		},
		"no answer": func(http.ResponseWriter) { panic(http.ErrAbortHandler) },
	} {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			switch r.URL.Path {
			case "/openapi.json":
				_, _ = w.Write([]byte(description))
			case "/api/docsets":
				_, _ = w.Write([]byte(`{"sets": [{"set": "A@1"}]}`))
			case "/a":
				answer(w)
			default:
				_, _ = w.Write([]byte("{}"))
			}
		}))
		f := fuzz{url: srv.URL, each: 3, workers: 1, seed: 1}
		var out strings.Builder
		if err := f.run(t.Context(), &out); err == nil || !strings.Contains(out.String(), name) {
			t.Errorf("%s: %v\n%s", name, err, out.String())
		}
		srv.Close()
	}
}
