package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// However many ask at once, there are never more sessions than fit.
func TestSessionsAreBounded(t *testing.T) {
	t.Parallel()
	s := New(Options{})
	h := s.Handler()
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
	var mu sync.Mutex
	answers := map[int]int{}
	var all sync.WaitGroup
	const more = 60
	for range mostSessions + more {
		all.Go(func() {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/mcp", strings.NewReader(hello))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Accept", "application/json, text/event-stream")
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			mu.Lock()
			defer mu.Unlock()
			answers[w.Code]++
			if w.Code == http.StatusTooManyRequests && w.Header().Get("Retry-After") == "" {
				t.Error("it is not said when to try again")
			}
		})
	}
	all.Wait()
	if n := s.openSessions(); n > mostSessions || answers[200] > mostSessions || answers[429] < more || answers[200]+answers[429] != mostSessions+more {
		t.Errorf("%d sessions, answers %s", n, fmt.Sprint(answers))
	}
	for session := range s.mcp.Sessions() {
		_ = session.Close()
	}
}

// An error over HTTP is a message of JSON-RPC. It was plain text, of which clients show nothing.
func TestErrorsOverHTTPAreMessages(t *testing.T) {
	t.Parallel()
	s := New(Options{})
	h := s.Handler()
	for _, tt := range []struct {
		name, method, body, session string
		status                      int
		want                        string
	}{
		{"broken JSON", http.MethodPost, `{"broken`, "", 400, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the body is not JSON; `},
		{"no message", http.MethodPost, `{"a": 1}`, "", 400, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"`},
		{"events without a session", http.MethodGet, "", "", 400, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"`},
		{"a session that ended", http.MethodPost, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "gone", 404, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"`},
	} {
		r := httptest.NewRequestWithContext(t.Context(), tt.method, "/mcp", strings.NewReader(tt.body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		if tt.session != "" {
			r.Header.Set("Mcp-Session-Id", tt.session)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if body := w.Body.String(); w.Code != tt.status || w.Header().Get("Content-Type") != "application/json" || !strings.HasPrefix(body, tt.want) {
			t.Errorf("%s: %d %s %q", tt.name, w.Code, w.Header().Get("Content-Type"), body)
		}
	}
}

// A call that was cancelled says that, and not which file of this machine was being read.
func TestACancelledCallNamesNoFile(t *testing.T) {
	t.Parallel()
	err := New(Options{}).agentError(fmt.Errorf("phase 1: read the terms in /home/me/index/7: %w", context.Canceled))
	if err == nil || err.Error() != "the call was cancelled" || !errors.Is(err, context.Canceled) {
		t.Errorf("it says %v", err)
	}
}
