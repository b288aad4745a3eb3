//go:build unix

package main

import (
	"context"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// useTools uses the tools as an agent does.
func useTools(t *testing.T, session *mcp.ClientSession) {
	t.Helper()
	call := func(tool string, args map[string]any) string {
		t.Helper()
		res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
		if err != nil || res.IsError || len(res.Content) != 1 {
			t.Fatalf("%s: %+v, %v", tool, res, err)
		}
		return res.Content[0].(*mcp.TextContent).Text
	}
	block := call("ask_docs", map[string]any{"question": "how do I add a doc set", "max_tokens": 800})
	if !strings.Contains(block, "=== AOP-FINAL") || !strings.Contains(block, "docent add") {
		t.Errorf("%s", block)
	}
	if out := call("verify_citation", map[string]any{"block": block}); !strings.Contains(out, "proven: every line") {
		t.Errorf("%s", out)
	}
	if out := call("search_docs", map[string]any{"query": "threshold"}); !strings.Contains(out, "passages with a word of the question:") || !strings.Contains(out, ".md)") {
		t.Errorf("%s", out)
	}
	if out := call("list_doc_sets", nil); !strings.Contains(out, "Docent_Manual@") {
		t.Errorf("%s", out)
	}
	if out := call("read_doc", map[string]any{"page": "Docent_Manual/verify.md"}); !strings.Contains(out, `"content":"# `) {
		t.Errorf("%s", out)
	}
	n := 0
	for r, err := range session.Resources(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n == 3 {
			if res, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: r.URI}); err != nil || res.Contents[0].Text == "" {
				t.Errorf("%s: %+v, %v", r.URI, res, err)
			}
		}
	}
	if n < 30 { // the pages of the manual; sections are reached by the template
		t.Errorf("%d resources", n)
	}
}

// An agent starts docent mcp and speaks with it.
func TestAnAgentUsesDocent(t *testing.T) {
	t.Parallel()
	r := runnerWithManual(t)
	cmd := exec.Command("docent", "mcp")
	cmd.Env = r.command(t, "").Env
	errs := &lockedBuffer{}
	cmd.Stderr = errs
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err, errs)
	}
	useTools(t, session)
	if err := session.Close(); err != nil {
		t.Errorf("it does not end well: %v: %s", err, errs)
	}
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != 0 || errs.String() != "" {
		t.Errorf("%v: %s", cmd.ProcessState, errs)
	}
}

// withToken sends a token.
type withToken struct{ token string }

// RoundTrip is http.RoundTripper's.
func (w withToken) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+w.token)
	return http.DefaultTransport.RoundTrip(r)
}

// The same over HTTP, for those who have a token.
func TestAnAgentUsesServe(t *testing.T) {
	t.Parallel()
	r := runnerWithManual(t)
	r.run(t, 0, "open sesame\n", "serve", "--set-password")
	s := startServe(t, r)
	_, body := s.post("/api/auth/login", `{"password": "open sesame"}`)
	_, rest, _ := strings.Cut(body, `"token":"`)
	token, _, _ := strings.Cut(rest, `"`)
	connect := func(ctx context.Context, token string) (*mcp.ClientSession, error) {
		return mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx,
			&mcp.StreamableClientTransport{Endpoint: s.url + "/mcp", HTTPClient: &http.Client{Transport: withToken{token}}}, nil)
	}
	if session, err := connect(t.Context(), "wrong"); err == nil {
		session.Close()
		t.Error("a wrong token is let in")
	}
	session, err := connect(t.Context(), token)
	if err != nil {
		t.Fatal(err, s.errs)
	}
	useTools(t, session)
	if status, body := s.post("/mcp", `{}`, "Authorization", "Bearer "+token, "Origin", "http://evil.example"); status != 403 {
		t.Errorf("a page of elsewhere: %d %s", status, body)
	}
	s.stop() // with the client still connected
	_ = session.Close()
}
