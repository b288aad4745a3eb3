package mcpserver

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// inJSON answers in JSON-RPC where the handler of the protocol would answer with an error as plain text:
// clients read the body of an error as JSON too, and say nothing of it where it is not.
func inJSON(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out := &plainErrors{ResponseWriter: w}
		defer out.finish()
		if r.Method == http.MethodPost {
			body, err := io.ReadAll(io.LimitReader(r.Body, mostBody+1))
			if err == nil && len(body) <= mostBody && !json.Valid(body) {
				out.code = jsonrpc.CodeParseError
				http.Error(out, "the body is not JSON; send one message of JSON-RPC 2.0", http.StatusBadRequest)
				return
			}
			r.Body = struct {
				io.Reader
				io.Closer
			}{io.MultiReader(bytes.NewReader(body), r.Body), r.Body}
		}
		next.ServeHTTP(out, r)
	})
}

// plainErrors keeps the text of an error until it is whole. Everything else goes through.
type plainErrors struct {
	http.ResponseWriter
	code   int64 // of JSON-RPC; 0: the one of a request that is not good
	status int   // of an error as plain text, else 0
	begun  bool
	text   bytes.Buffer
}

// Unwrap is for http.ResponseController.
func (p *plainErrors) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// Flush sends the bytes that were written.
func (p *plainErrors) Flush() {
	if p.status == 0 {
		p.begun = true
		_ = http.NewResponseController(p.ResponseWriter).Flush()
	}
}

// WriteHeader begins the answer.
func (p *plainErrors) WriteHeader(status int) {
	if p.begun || p.status != 0 {
		return
	}
	if status >= http.StatusBadRequest && strings.HasPrefix(p.Header().Get("Content-Type"), "text/plain") {
		p.status = status
		return
	}
	p.begun = true
	p.ResponseWriter.WriteHeader(status)
}

// Write writes a part of the answer.
func (p *plainErrors) Write(b []byte) (int, error) {
	if p.status != 0 {
		return p.text.Write(b)
	}
	p.begun = true
	return p.ResponseWriter.Write(b)
}

// finish sends an error that was kept.
func (p *plainErrors) finish() {
	if p.status == 0 {
		return
	}
	if p.code == 0 {
		p.code = jsonrpc.CodeInvalidRequest
	}
	type fault struct {
		Code    int64  `json:"code"`
		Message string `json:"message"`
	}
	body, err := json.Marshal(struct {
		Version string `json:"jsonrpc"`
		ID      any    `json:"id"`
		Error   fault  `json:"error"`
	}{"2.0", nil, fault{p.code, strings.TrimSpace(p.text.String())}})
	if err != nil { // no text is impossible in JSON
		return
	}
	p.Header().Set("Content-Type", "application/json")
	p.Header().Del("Content-Length")
	p.ResponseWriter.WriteHeader(p.status)
	_, _ = p.ResponseWriter.Write(append(body, '\n'))
}
