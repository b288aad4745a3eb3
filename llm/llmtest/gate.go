package llmtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"testing"
)

// Gate stands before an Ollama server, notes which texts go to it to be embedded,
// and can hold them up. It has the server embed on one thread: on a busy machine
// several wait for each other most of the time.
type Gate struct {
	*httptest.Server

	mu    sync.Mutex
	texts []string
	calls int
	at    func(call int) bool
}

// NewGate makes a gate before the server at an address. It is closed when the test
// ends.
func NewGate(t testing.TB, to string) *Gate {
	t.Helper()
	u, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(u)
	// Its own connections: every httptest server that closes takes the idle ones of
	// http.DefaultTransport away, and a request that was about to use one fails.
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	proxy.Transport = transport
	proxy.ErrorHandler = func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) }
	g := &Gate{}
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/embed" {
			if err := g.embed(r); err != nil {
				t.Error(err)
			}
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(g.Close)
	return g
}

// embed lets a request pass, or breaks it off.
func (g *Gate) embed(r *http.Request) error {
	raw, err := io.ReadAll(r.Body)
	var texts struct{ Input json.RawMessage }
	var whole map[string]any
	if err := errors.Join(err, json.Unmarshal(raw, &texts), json.Unmarshal(raw, &whole)); err != nil {
		return err
	}
	var list []string
	_ = json.Unmarshal(texts.Input, &list) // else it is one text, to make a model warm
	if options, ok := whole["options"].(map[string]any); ok {
		options["num_thread"] = 1
	}
	if raw, err = json.Marshal(whole); err != nil {
		return err
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(raw)), int64(len(raw))
	g.mu.Lock()
	g.calls++
	call, at := g.calls, g.at
	g.mu.Unlock()
	if at != nil && !at(call) {
		panic(http.ErrAbortHandler) // breaks the connection
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.texts = append(g.texts, list...)
	return nil
}

// Watch has at called before a request with texts goes on, with its number from
// now on; false breaks it off. nil: all pass.
func (g *Gate) Watch(at func(call int) bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.at, g.calls = at, 0
}

// Sent are the texts that passed since it was last asked.
func (g *Gate) Sent() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	texts := g.texts
	g.texts = nil
	return texts
}
