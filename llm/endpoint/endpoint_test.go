package endpoint_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"docent/llm"
	"docent/llm/endpoint"
)

const ollama = "http://127.0.0.1:11434"

func TestAddress(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ in, def, want string }{
		{"", ollama, ollama},
		{"  ", ollama, ollama},
		{"example.org", ollama, "http://example.org:11434"},
		{"example.org:80", ollama, "http://example.org"},
		{":1234", ollama, "http://127.0.0.1:1234"},
		{"0.0.0.0", ollama, ollama},
		{"0.0.0.0:99", ollama, "http://127.0.0.1:99"},
		{"::", ollama, "http://[::1]:11434"},
		{"::1", ollama, "http://[::1]:11434"},
		{"[::1]:5", ollama, "http://[::1]:5"},
		{"http://example.org", ollama, "http://example.org"},
		{"https://example.org", ollama, "https://example.org"},
		{"https://example.org:8443/ollama/", ollama, "https://example.org:8443/ollama"},
		{"example.org/ollama", ollama, "http://example.org:11434/ollama"},
		{"http://u:p@example.org", ollama, "http://example.org"},
		{"http://u:p%40/x@example.org:9/y", ollama, "http://example.org:9/y"},
		{"u:p@example.org", ollama, "http://example.org:11434"},
		{"", "https://api.openai.com/v1", "https://api.openai.com/v1"},
		{"localhost:8080", "https://api.openai.com/v1", "http://localhost:8080/v1"},
		{"https://example.org/api/v1", "https://api.openai.com/v1", "https://example.org/api/v1"},
	} {
		e, err := endpoint.New(endpoint.Options{Address: tt.in, Default: tt.def})
		if err != nil {
			t.Errorf("%q: %v", tt.in, err)
			continue
		}
		if got := e.Address(); got != tt.want {
			t.Errorf("%q is %q, not %q", tt.in, got, tt.want)
		}
	}
}

// Errors about bad addresses do not show anything that may be a password.
func TestBadAddress(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ in, says string }{
		{"ftp://example.org", "neither http nor https"},
		{"http://example.org:99999", "port"},
		{"http://exa mple.org", "no address"},
		{"http://[::1", "no address"},
		{"http://example.org?key=secret", "query"},
		{"http://u:secret@exa mple", "no address"},
		{"ftp://u:secret@example.org", "neither"},
		{"http://u:secret@example.org#x", "fragment"},
		{"http://example.org:secret@", "no address|must be like|host"},
	} {
		e, err := endpoint.New(endpoint.Options{Address: tt.in, Default: ollama})
		if err == nil {
			if strings.Contains(e.Address(), "secret") {
				t.Errorf("%q is %q", tt.in, e.Address())
			}
			continue
		}
		if strings.Contains(err.Error(), "secret") || !strings.Contains(tt.says, "|") && !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%q: %v", tt.in, err)
		}
	}
	if _, err := endpoint.New(endpoint.Options{Default: ollama, Key: "secret\n"}); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("a key with a line's end: %v", err)
	}
}

// Credentials are sent in the header only: not to another host, and not in errors,
// even if the server quotes them.
func TestCredentials(t *testing.T) {
	t.Parallel()
	seen := ""
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = r.Header.Get("Authorization")
		if r.URL.Path == "/away" {
			http.Redirect(w, r, "http://elsewhere.invalid/", http.StatusTemporaryRedirect)
		}
	}))
	defer s.Close()
	host := strings.TrimPrefix(s.URL, "http://")
	basic := "Basic " + base64.StdEncoding.EncodeToString([]byte("me:s3cret"))
	for _, tt := range []struct{ address, key, want string }{
		{"http://me:s3cret@" + host, "", basic},
		{s.URL, "s3cret", "Bearer s3cret"},
		{"http://me:other@" + host, "s3cret", "Bearer s3cret"},
		{s.URL, "", ""},
	} {
		e, err := endpoint.New(endpoint.Options{Address: tt.address, Default: ollama, Key: tt.key})
		if err != nil {
			t.Fatal(err)
		}
		resp, err := e.Client.Get(e.URL.String())
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if seen != tt.want {
			t.Errorf("%q was sent, not %q", seen, tt.want)
		}
		_, err = e.Client.Get(e.URL.JoinPath("away").String())
		if got := e.NetworkError(err); got.Kind != llm.Failed || !strings.Contains(got.Error(), "elsewhere.invalid") || strings.Contains(got.Error(), "s3cret") {
			t.Errorf("a redirect: %v", got)
		}
		if tt.want == "" {
			continue
		}
		got := e.StatusError(401, "wrong key "+tt.want+" or s3cret")
		if got.Kind != llm.Denied || strings.Contains(got.Error(), "s3cret") || strings.Contains(got.Error(), strings.TrimPrefix(basic, "Basic ")) {
			t.Errorf("it says %q", got.Error())
		}
	}
}

func TestNetworkError(t *testing.T) {
	t.Parallel()
	e, err := endpoint.New(endpoint.Options{Default: ollama, MaxBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	// A closed port refuses connections.
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	free := l.Addr().String()
	l.Close()
	if _, err := e.Client.Get("http://" + free); e.NetworkError(err).Kind != llm.Unreachable || e.NetworkError(err).Reason != "connection refused" {
		t.Errorf("refused: %v", e.NetworkError(err))
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/cut":
			w.Header().Set("Content-Length", "100")
			fmt.Fprint(w, "half")
		case "/hangup":
			c, _, _ := w.(http.Hijacker).Hijack()
			c.Close()
		case "/endless":
			for {
				if _, err := w.Write(make([]byte, 1<<16)); err != nil {
					return
				}
			}
		}
	}))
	defer s.Close()
	for path, want := range map[string]llm.Kind{"/cut": llm.Broken, "/hangup": llm.Broken, "/endless": llm.BadAnswer} {
		resp, err := e.Client.Get(s.URL + path)
		if err == nil {
			_, err = io.ReadAll(resp.Body)
			resp.Body.Close()
		}
		if err == nil || e.NetworkError(err).Kind != want {
			t.Errorf("%s: %v", path, err)
		}
	}
	if got := e.NetworkError(&llm.Error{Kind: llm.CutOff}); got.Kind != llm.CutOff {
		t.Error("an error that is known already is changed")
	}
	if got := e.NetworkError(errors.New("odd")); got.Kind != llm.Failed || got.Reason != "odd" {
		t.Error(got)
	}
}

func TestStatusError(t *testing.T) {
	t.Parallel()
	e, err := endpoint.New(endpoint.Options{Default: ollama})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		status int
		words  string
		want   llm.Kind
	}{
		{401, "", llm.Denied},
		{403, "no", llm.Denied},
		{404, `model "x" not found`, llm.NotFound},
		{404, "404 page not found", llm.BadAnswer},
		{200, "<!doctype html>", llm.BadAnswer},
		{429, "", llm.Overloaded},
		{503, "server busy, please try again", llm.Overloaded},
		{502, "", llm.Unreachable},
		{501, "this model does not support embeddings", llm.Incapable},
		{400, `"tiny" does not support chat`, llm.Incapable},
		{400, "the input length exceeds the context length", llm.TooLong},
		{500, "llama runner process has terminated", llm.Broken},
		{500, "failed to load model vocabulary required for format", llm.Failed},
		{0, "pull model manifest: file does not exist", llm.NotFound},
	} {
		if got := e.StatusError(tt.status, tt.words); got.Kind != tt.want || got.Reason == "" {
			t.Errorf("%d %q is %s (%v), not %s", tt.status, tt.words, got.Kind, got, tt.want)
		}
	}
}
