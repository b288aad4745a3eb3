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

	// firstStateless is the version of the protocol from which on there are no sessions
	// over HTTP. The SDK serves those and the earlier ones by different handlers.
	firstStateless = "2026-07-28"
)

// Handler serves the protocol over streamable HTTP. The caller checks tokens, hosts and
// origins.
func (s *Server) Handler() http.Handler {
	handler := func(stateless bool) http.Handler {
		return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.mcp }, &mcp.StreamableHTTPOptions{
			Stateless: stateless, SessionTimeout: idleFor, MaxRequestBodyBytes: mostBody, PropagateRequestCancellation: true,
			Logger: s.opt.Log,
			// The server's own check knows the names that it is called by behind a proxy.
			DisableLocalhostProtection: true,
		})
	}
	withSessions, without := handler(false), handler(true)
	var opening atomic.Int64 // requests that may begin a session and are not answered yet
	return inJSON(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && r.Header.Get("Mcp-Session-Id") == "" {
			defer opening.Add(-1)
			if opening.Add(1)+s.openSessions() > mostSessions {
				w.Header().Set("Retry-After", "60")
				http.Error(w, "there are too many sessions; end some, or try again later", http.StatusTooManyRequests)
				return
			}
		}
		if r.Header.Get("Mcp-Protocol-Version") >= firstStateless {
			without.ServeHTTP(w, r)
			return
		}
		withSessions.ServeHTTP(w, r)
	}))
}

func (s *Server) openSessions() int64 {
	var n int64
	for range s.mcp.Sessions() {
		n++
	}
	return n
}
