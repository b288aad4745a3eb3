package httpapi

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"docent/pipeline/contract"
)

// note is the log's description of a request, in addition to its method, path and time.
// Questions and answers are not written: they may be confidential.
type note struct {
	id       string
	route    string // the operation's path; or ""
	status   int    // in place of the one that was written
	code     string // of an error
	token    string // the name of a script's token
	err      error
	degraded []contract.Degraded
}

type noteKey struct{}

// noteOfRequest is a request's note.
func noteOfRequest(r *http.Request) *note {
	if n, ok := r.Context().Value(noteKey{}).(*note); ok {
		return n
	}
	return &note{}
}

// recorder notes the status and the size of the answer.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
}

// WriteHeader is http.ResponseWriter's.
func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

// Write is http.ResponseWriter's.
func (r *recorder) Write(raw []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	n, err := r.ResponseWriter.Write(raw)
	r.bytes += int64(n)
	return n, err
}

// Unwrap is for http.ResponseController.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// requestID is the client's, if it is a plain one, or a new one.
func requestID(r *http.Request) string {
	const most = 64
	if id := r.Header.Get("X-Request-Id"); id != "" && len(id) <= most && isPlainText(id) {
		return id
	}
	raw := make([]byte, 8)
	if _, err := rand.Read(raw); err != nil {
		return "-"
	}
	return hex.EncodeToString(raw)
}

// isPlainText reports whether a text has only letters, digits, dots, dashes and underscores.
func isPlainText(s string) bool {
	for _, b := range []byte(s) {
		switch {
		case 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || b == '-' || b == '_' || b == '.':
		default:
			return false
		}
	}
	return true
}

// logRequests writes one line a request, counts it, and turns a crash of an operation into
// an error of its request.
func (s *Server) logRequests(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		n := &note{id: requestID(r)}
		w.Header().Set("X-Request-Id", n.id)
		rec := &recorder{ResponseWriter: w}
		r = r.WithContext(context.WithValue(r.Context(), noteKey{}, n))
		s.metrics.running.Add(1)
		defer func() {
			s.metrics.running.Add(-1)
			if crash := recover(); crash != nil {
				s.answerCrash(rec, r, n, crash)
			}
			s.logRequest(rec, r, n, time.Since(began))
			describeSpan(trace.SpanFromContext(r.Context()), r, n, rec.status)
		}()
		next.ServeHTTP(rec, r)
	})
}

// answerCrash answers a request whose operation crashed.
func (s *Server) answerCrash(rec *recorder, r *http.Request, n *note, crash any) {
	s.opt.Log.Error("crash", "id", n.id, "error", fmt.Sprint(crash), "stack", string(debug.Stack()))
	if rec.status != 0 {
		n.err = fmt.Errorf("crash: %v", crash)
		return // the started answer breaks off
	}
	c := &call{Server: s, w: rec, r: r, note: n, done: func() {}}
	c.writeError(fmt.Errorf("crash: %v", crash))
}

// describeSpan says in the span of a request which one it was and what became of it.
func describeSpan(span trace.Span, r *http.Request, n *note, status int) {
	if n.status != 0 {
		status = n.status
	}
	if n.route != "" {
		span.SetName(r.Method + " " + n.route)
		span.SetAttributes(attribute.String("http.route", n.route))
	}
	span.SetAttributes(attribute.String("docent.request_id", n.id), attribute.Int("http.response.status_code", status))
	if n.code != "" {
		span.SetAttributes(attribute.String("error.type", n.code))
	}
	if status >= http.StatusInternalServerError {
		span.SetStatus(codes.Error, "")
	}
}

func (s *Server) logRequest(rec *recorder, r *http.Request, n *note, took time.Duration) {
	status := rec.status
	if n.status != 0 {
		status = n.status
	}
	route := n.route
	if route == "" {
		route = "other"
	}
	s.metrics.countAnswer(route, r.Method, status, took)
	attrs := []slog.Attr{slog.String("id", n.id), slog.String("method", r.Method), slog.String("path", clippedForLog(r.URL.Path)),
		slog.Int("status", status),
		slog.Int64("bytes", rec.bytes), slog.Float64("ms", float64(took.Microseconds())/1000), slog.String("from", r.RemoteAddr)}
	level := slog.LevelInfo
	if span := trace.SpanContextFromContext(r.Context()); span.HasTraceID() {
		attrs = append(attrs, slog.String("trace", span.TraceID().String()))
	}
	if n.token != "" {
		attrs = append(attrs, slog.String("token", n.token))
	}
	if n.code != "" {
		attrs = append(attrs, slog.String("code", n.code))
	}
	if n.err != nil {
		attrs = append(attrs, slog.String("error", n.err.Error()))
	}
	for _, d := range n.degraded {
		attrs = append(attrs, slog.String("degraded", "phase "+d.Phase+": "+d.Used+" instead of "+d.Wanted+": "+d.Reason))
		level = slog.LevelWarn
	}
	if status >= http.StatusInternalServerError {
		level = slog.LevelError
	}
	s.opt.Log.LogAttrs(r.Context(), level, "request", attrs...)
}

// clippedForLog is a path as the log has it.
func clippedForLog(path string) string {
	const most = 200
	if len(path) > most {
		return path[:most] + "…"
	}
	return path
}
