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

// Proxy is an HTTP proxy in front of an Ollama server. It records the texts of
// embedding requests, and can delay or abort such requests. It makes the server
// embed with one thread: on a busy machine several threads mostly wait for each
// other.
type Proxy struct {
	*httptest.Server

	mu        sync.Mutex
	texts     []string
	calls     int
	intercept func(call int) bool
}

// NewProxy starts a proxy in front of the server at an address. It is closed when
// the test ends.
func NewProxy(t testing.TB, to string) *Proxy {
	t.Helper()
	u, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(u)
	// A transport of its own: every httptest server that is closed also closes the
	// idle connections of http.DefaultTransport, and requests about to use them fail.
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	proxy.Transport = transport
	proxy.ErrorHandler = func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) }
	p := &Proxy{}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/embed" {
			if err := p.recordEmbedding(r); err != nil {
				t.Error(err)
			}
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(p.Close)
	return p
}

// recordEmbedding records an embedding request, or aborts its connection.
func (p *Proxy) recordEmbedding(r *http.Request) error {
	raw, err := io.ReadAll(r.Body)
	var texts struct{ Input json.RawMessage }
	var whole map[string]any
	if err := errors.Join(err, json.Unmarshal(raw, &texts), json.Unmarshal(raw, &whole)); err != nil {
		return err
	}
	var list []string
	_ = json.Unmarshal(texts.Input, &list) // a preload sends a single text: list stays empty
	if options, ok := whole["options"].(map[string]any); ok {
		options["num_thread"] = 1
	}
	if raw, err = json.Marshal(whole); err != nil {
		return err
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(raw)), int64(len(raw))
	p.mu.Lock()
	p.calls++
	call, intercept := p.calls, p.intercept
	p.mu.Unlock()
	if intercept != nil && !intercept(call) {
		panic(http.ErrAbortHandler) // closes the connection
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.texts = append(p.texts, list...)
	return nil
}

// Intercept calls allow before each following embedding request, with the number
// of the request from 1. The request is aborted if allow returns false. nil: all
// requests pass.
func (p *Proxy) Intercept(allow func(call int) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.intercept, p.calls = allow, 0
}

// TakeTexts returns the texts that were sent since the last call of TakeTexts.
func (p *Proxy) TakeTexts() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	texts := p.texts
	p.texts = nil
	return texts
}
