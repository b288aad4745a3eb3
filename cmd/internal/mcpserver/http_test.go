package mcpserver

import (
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
