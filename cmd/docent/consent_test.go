package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// listener is a model server with one model for text and one for vectors, which keeps
// what it is sent.
type listener struct {
	mu   sync.Mutex
	sent []string
}

func (l *listener) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	l.mu.Lock()
	l.sent = append(l.sent, string(body))
	l.mu.Unlock()
	switch r.URL.Path {
	case "/api/tags":
		fmt.Fprint(w, `{"models":[{"name":"bge-m3:latest","digest":"a1"},{"name":"qwen3:4b","digest":"a2"}]}`)
	case "/api/show":
		kind := "completion"
		if strings.Contains(string(body), "bge") {
			kind = "embedding"
		}
		fmt.Fprintf(w, `{"capabilities":[%q],"model_info":{"general.architecture":"x","x.context_length":512,"x.embedding_length":4}}`, kind)
	case "/api/version":
		fmt.Fprint(w, `{"version":"0.24.0"}`)
	case "/api/chat":
		fmt.Fprintln(w, `{"message":{"content":"{}"},"done":true}`)
	case "/api/embed":
		var in struct{ Input any }
		_ = json.Unmarshal(body, &in)
		texts, _ := in.Input.([]any)
		out := make([][]float32, max(1, len(texts)))
		for i := range out {
			out[i] = []float32{1, float32(i), 2, 3}
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"embeddings": out})
	}
}

// got reports whether a text was sent to the server.
func (l *listener) got(text string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Contains(strings.Join(l.sent, "\n"), text)
}

// A program that listens on the port of a model server gets no text of a page, unless a
// person configures the server or agrees, which is remembered; and the server that gets a
// question is named.
func TestAServerThatWasFoundGetsNoPages(t *testing.T) {
	t.Parallel()
	port, err := net.Listen("tcp", "127.0.0.1:11434")
	if err != nil {
		t.Skipf("a model server, or another program, has the port: %v", err)
	}
	l := &listener{}
	server := &httptest.Server{Listener: port, Config: &http.Server{Handler: l}}
	server.Start()
	t.Cleanup(server.Close)
	dir := t.TempDir()
	docs := filepath.Join(dir, "Lamps@1")
	write := func(text string) {
		t.Helper()
		if err := os.MkdirAll(docs, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(docs, "wick.md"), []byte("# Wicks\n\nThe wick is trimmed by "+text+".\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := runner{filepath.Join(dir, "home"), []string{"OLLAMA_HOST="}}
	says := func(want bool, code int, text string, args ...string) {
		t.Helper()
		out, errs := r.run(t, code, "", args...)
		if strings.Contains(out+errs, text) != want {
			t.Errorf("docent %q says %q: %v, it was to be %v: %s%s", args, text, !want, want, out, errs)
		}
	}
	write("zanzibar")
	says(true, 0, "docent models allow has it make them", "add", docs)
	says(true, 0, "Ollama at http://127.0.0.1:11434 was found and is asked about the question", "ask", "trim a wick")
	says(false, 0, "was found", "ask", "--engine", "builtin", "trim a wick")
	says(true, 0, "no text of them is sent to it, since nobody named it", "models")
	if l.got("zanzibar") {
		t.Fatal("the text of a page was sent to a server that nobody named")
	}
	says(true, 0, "as you said", "models", "refuse")
	write("timbuktu")
	says(false, 0, "docent models allow", "update")
	if l.got("timbuktu") {
		t.Fatal("the text of a page was sent although it was refused")
	}
	says(true, 0, `"documents":"refused"`, "models", "--json")
	says(true, 0, "as you allowed", "models", "allow")
	says(true, 0, "vectors of 1 passage by ollama:bge-m3", "update")
	if !l.got("timbuktu") {
		t.Error("it was allowed, and nothing was sent")
	}
	says(true, 2, "are named", "models", "refuse", "--embed-model", "bge-m3")
	// Configuring a server is agreement.
	other := runner{filepath.Join(dir, "other"), []string{"OLLAMA_HOST="}}
	write("samarkand")
	if out, _ := other.run(t, 0, "", "add", "--embed-model", "bge-m3", docs); !strings.Contains(out, "vectors of 1 passage by ollama:bge-m3") || !l.got("samarkand") {
		t.Errorf("a named model made no vectors: %s", out)
	}
}
