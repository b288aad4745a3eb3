package mcpserver

import (
	"net/http"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	idleFor      = 30 * time.Minute
	mostSessions = 500
	mostBody     = 1 << 20
)

// Handler serves the protocol over streamable HTTP. Whoever mounts it checks tokens,
// hosts and origins.
func (s *Server) Handler() http.Handler {
	h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.mcp }, &mcp.StreamableHTTPOptions{
		SessionTimeout: idleFor, MaxRequestBodyBytes: mostBody, PropagateRequestCancellation: true, Logger: s.opt.Log,
		// The server's own check knows the names that it is called by behind a proxy.
		DisableLocalhostProtection: true,
	})
	var opening atomic.Int64 // requests that may begin a session and are not answered yet
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && r.Header.Get("Mcp-Session-Id") == "" {
			defer opening.Add(-1)
			if opening.Add(1)+s.sessions() > mostSessions {
				w.Header().Set("Retry-After", "60")
				http.Error(w, "there are too many sessions; end some, or try again later", http.StatusTooManyRequests)
				return
			}
		}
		h.ServeHTTP(w, r)
	})
}

func (s *Server) sessions() int64 {
	var n int64
	for range s.mcp.Sessions() {
		n++
	}
	return n
}
