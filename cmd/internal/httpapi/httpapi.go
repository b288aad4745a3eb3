// Package httpapi is the HTTP door: the pipeline, its phases, the doc sets and their
// pages for programs, with the answers of the command line.
//
// An operation is a method on a path with the Go types of its request and its
// response. Requests are checked against the JSON Schemas of these types, and
// /openapi.json is written from the same schemas.
//
// The package refuses to do what the service in docent/pipeline/service/home does, to open a
// home, to listen on an address that others reach without a password, and to let a web
// page of elsewhere use the server: see guard.go. No path of a request reaches the
// file system: doc sets and pages are looked up in the catalog.
package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"sync/atomic"
	"time"

	"docent/cmd/internal/httpapi/login"
	"docent/cmd/internal/httpapi/schema"
	"docent/pipeline/service"
	"docent/pipeline/service/operation"
)

// Options selects the operations of the server and its clients.
type Options struct {
	// Home gives the home for a request, which calls release when done with it.
	Home func() (h *service.Services, release func(), err error)
	// Operations become routes, in addition to the server's own.
	Operations []operation.Operation[*service.Services]
	// Matches reports whether a password is the server's; nil: no password.
	Matches func(password string) bool
	// PasswordVersion differs from one password to the next: sessions of an earlier password
	// end. nil: the password never changes.
	PasswordVersion func() string
	// Logins keep the sessions and guesses of all servers of the home; nil: this server's own, in
	// memory.
	Logins login.Shared
	// Token returns the name of a script's token; nil: no tokens. The error is that of the place
	// where servers share them.
	Token func(ctx context.Context, token string) (name string, ok bool, err error)
	// CallbackSecret is the token of POST /internal/callback; "": it is refused.
	CallbackSecret string
	// Hosts are the names of the server, in addition to its addresses. Where it listens
	// on loopback only, the machine's own names count too.
	Hosts []string
	// Proxies are the addresses of proxies whose X-Forwarded-For names the client.
	Proxies []netip.Prefix
	// Loopback says that only this machine reaches the server.
	Loopback bool
	Limits   Limits // zero values: the defaults
	Log      *slog.Logger
	Now      func() time.Time // nil: the system's clock
	// MCP serves the Model Context Protocol at /mcp; nil: nothing does. enter waits for
	// a turn among the questions, which leave ends.
	MCP func(enter func(context.Context) (leave func(), err error)) http.Handler
	// Dashboard serves the page at / and its files below /assets/; nil: no dashboard.
	Dashboard http.Handler
	// Packages serves packages of doc sets below /packages/; nil: nothing does.
	Packages http.Handler
	// Around, unless nil, is put around all handlers: it begins the spans of requests.
	Around func(http.Handler) http.Handler
	// Reranked are specification 5's counters of the reranker by model; nil: none.
	Reranked func() (invocations int64, latencyMS float64)
}

// Limits bound what requests may take.
type Limits struct {
	Running int           // questions that are answered at a time
	Waiting int           // questions that wait for their turn, at most
	Wait    time.Duration // for it
	Run     time.Duration // for an answer
	Body    int64         // bytes of a request's body
	Phase   int64         // the same of a phase's input, which holds whole pages
	Held    int64         // bytes of all bodies together
	Read    time.Duration // for a body to arrive
	Write   time.Duration // for a client to receive the answer
	Stop    time.Duration // for running requests when the server ends
	Clients int           // connections at a time
}

// Server serves a home. It is safe for concurrent use.
type Server struct {
	opt      Options
	door     *login.Door
	mux      *http.ServeMux
	ops      []endpoint
	schemas  *schema.Registry
	queue    *queue // of questions
	uploads  *queue
	held     atomic.Int64 // bytes of bodies
	metrics  *metrics
	describe func() ([]byte, error)
	stopping atomic.Bool
	ending   context.Context // of connections that are held open: ends when the server stops
	end      context.CancelFunc
	mcp      http.Handler

	connected atomic.Pointer[clients] // while it serves
	page      http.Handler            // the dashboard

	followers atomic.Int64 // of documents
	readiness *readiness
}

// New makes a server; it does not listen yet.
func New(opt Options) *Server {
	opt.Limits = opt.Limits.withDefaults()
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	door := login.New(opt.Matches, opt.PasswordVersion, opt.Now, opt.Logins)
	s := &Server{opt: opt, door: door, readiness: newReadiness(), mux: http.NewServeMux(), schemas: newSchemas(),
		queue: newQueue(opt.Limits.Running, opt.Limits.Waiting, opt.Limits.Wait)}
	s.uploads = newQueue(maxUploads, moreUploads, opt.Limits.Wait)
	s.ending, s.end = context.WithCancel(context.Background())
	s.metrics = newMetrics()
	s.ops = endpoints(opt.Operations)
	if opt.MCP != nil {
		s.mcp = opt.MCP(s.queue.enterQueue)
		s.ops = append(s.ops, mcpEndpoints()...)
	}
	if opt.Dashboard != nil {
		s.page = opt.Dashboard
		s.ops = append(s.ops, dashboardEndpoints()...)
	}
	if opt.Packages != nil {
		s.ops = append(s.ops, packagesEndpoints()...)
	}
	for i := range s.ops {
		op := &s.ops[i]
		op.prepareSchemas(s.schemas)
		s.mux.HandleFunc(op.method+" "+op.muxPattern(), func(w http.ResponseWriter, r *http.Request) { s.handleRequest(op, w, r) })
	}
	s.mux.HandleFunc("/", s.answerUnknownPath)
	s.describe = s.description()
	return s
}

// Handler answers requests.
func (s *Server) Handler() http.Handler {
	h := s.logRequests(s.guardAgainstForeign(s.mux))
	if s.opt.Around != nil {
		h = s.opt.Around(h)
	}
	return h
}

// Locked reports whether a password is required.
func (s *Server) Locked() bool { return s.door.Locked() }
