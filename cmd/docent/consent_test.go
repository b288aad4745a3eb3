//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
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

// requests is how many requests the server got.
func (l *listener) requests() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.sent)
}

// unasked does something and reports requests to the server. Programs of other tests may
// look for a model server on this port at the same time: requests count if they come each
// of three times.
func (l *listener) unasked(t *testing.T, when string, do func()) {
	t.Helper()
	got := 0
	for range 3 {
		before := l.requests()
		do()
		if got = l.requests() - before; got == 0 || t.Failed() {
			return
		}
	}
	t.Errorf("%d requests %s", got, when)
}

// secrets are the words of the planted pages and questions that the server was sent.
func (l *listener) secrets() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	found := secretWord.FindAllString(strings.Join(l.sent, "\n"), -1)
	slices.Sort(found)
	return slices.Compact(found)
}

var secretWord = regexp.MustCompile(`zqsecret[a-z]+`)

// listenAsOllama listens on the port where a model server is looked for.
func listenAsOllama(t *testing.T) *listener {
	t.Helper()
	port, err := net.Listen("tcp", "127.0.0.1:11434")
	if err != nil {
		t.Skipf("a model server, or another program, has the port: %v", err)
	}
	l := &listener{}
	server := &httptest.Server{Listener: port, Config: &http.Server{Handler: l}}
	server.Start()
	t.Cleanup(server.Close)
	return l
}

// A program that listens on the port of a model server gets no text of a page and no
// question, unless a person configures the server or allows it, which is remembered. Of 24
// secrets in pages, one question once sent 20, also after docent models refuse.
func TestAServerThatWasFoundGetsNothing(t *testing.T) {
	l := listenAsOllama(t)
	dir := t.TempDir()
	docs := filepath.Join(dir, "Lamps@1")
	write := func(word string) {
		t.Helper()
		if err := os.MkdirAll(docs, 0o700); err != nil {
			t.Fatal(err)
		}
		for i := range 24 {
			secret := fmt.Sprintf("zqsecret%s%c", word, 'a'+i)
			text := fmt.Sprintf("# Wick %d\n\nThe wick is trimmed by %s, whatever the lamp.\n%s", i, secret, strings.Repeat("\nTrim a wick of any lamp.\n", 20))
			if err := os.WriteFile(filepath.Join(docs, secret+".md"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	withManual := func(env string) runner { return runner{homeWithManual(t), []string{env}} }
	r := withManual("OLLAMA_HOST=")
	one := r.inOneProcess(t)
	says := func(want bool, code int, text string, args ...string) {
		t.Helper()
		out, errs := one.require(t, code, args...)
		if strings.Contains(out+errs, text) != want {
			t.Errorf("docent %q says %q: %v, it was to be %v: %s%s", args, text, !want, want, out, errs)
		}
	}
	nothing := func(when string) {
		t.Helper()
		if got := l.secrets(); len(got) > 0 {
			t.Fatalf("%s: sent to a server that nobody named: %q", when, got)
		}
	}
	const offer = "docent models allow has it asked"
	write("one")
	says(true, 0, offer, "add", docs)
	says(true, 0, offer, "ask", "trim a wick of zqsecretquestion")
	says(false, 0, "was found", "ask", "trim a wick of zqsecretquestion") // it is offered once
	says(true, 0, `"engine":{"0a":"builtin","0b":"builtin","1":"builtin","1.5":"builtin"`, "ask", "--json", "--explain", "--documents", "trim a wick")
	says(true, 0, `"3":"builtin"`, "ask", "--summarize", "--json", "--explain", "trim a wick")
	says(false, 0, "was found", "search", "trim a wick of zqsecretquestion")
	says(false, 0, "was found", "ask", "--engine", "builtin", "trim a wick")
	says(true, 0, "no question and no page is sent to it, since nobody named it", "models")
	says(true, 0, "so it is not asked", "doctor")
	nothing("before an answer")
	l.doors(t, r, true)
	nothing("over HTTP and by an agent, before an answer")

	says(true, 0, "as you said", "models", "refuse")
	write("two")
	l.unasked(t, "after it was refused", func() {
		says(false, 0, "docent models allow", "update")
		says(false, 0, "was found", "ask", "trim a wick of zqsecretquestion")
		says(true, 0, `"3":"builtin"`, "ask", "--summarize", "--json", "--explain", "trim a wick")
		says(true, 0, "is not asked, as you said", "doctor")
		says(true, 0, `"documents":"refused"`, "models", "--json")
		says(true, 2, "is refused", "models", "pull", "bge-m3")
		l.doors(t, r, false)
	})

	says(true, 0, "as you allowed", "models", "allow")
	says(true, 0, "by ollama:bge-m3", "update")
	says(false, 0, "was found", "ask", "trim a wick of zqsecretquestion")
	if got := l.secrets(); len(got) < 25 {
		t.Errorf("it was allowed, and was sent %q", got)
	}
	says(true, 2, "are named", "models", "refuse", "--embed-model", "bge-m3")

	// The vectors that it made are there; without leave they are not asked with a question.
	says(true, 0, "as you said", "models", "refuse")
	l.unasked(t, "for the vector of a question after it was refused", func() {
		says(false, 0, "was found", "ask", "trim a wick")
	})
	// Configuring a server is agreement.
	write("three")
	other := withManual("OLLAMA_HOST=")
	if out, _ := other.run(t, 0, "", "add", "--embed-model", "bge-m3", docs); !strings.Contains(out, "by ollama:bge-m3") {
		t.Errorf("a named model made no vectors: %s", out)
	}
	named := withManual("OLLAMA_HOST=127.0.0.1:11434")
	if out, errs := named.run(t, 0, "", "add", docs); !strings.Contains(out, "by ollama:bge-m3") {
		t.Errorf("a server of the environment made no vectors: %s%s", out, errs)
	}
}

// doors asks a question over HTTP and as an agent, whose answers offer the server or not.
func (l *listener) doors(t *testing.T, r runner, offered bool) {
	t.Helper()
	const offer = "was found"
	s := startServe(t, r)
	status, out := s.post("/api/ask", `{"query": "trim a wick of zqsecretquestion"}`)
	if status != http.StatusOK || strings.Contains(out, offer) != offered {
		t.Errorf("over HTTP: %d %s", status, out)
	}
	if status, out = s.post("/api/ask", `{"query": "trim a wick of zqsecretquestion"}`); status != http.StatusOK || strings.Contains(out, offer) {
		t.Errorf("over HTTP once more: %d %s", status, out)
	}
	s.stop()
	cmd := exec.Command("docent", "mcp")
	cmd.Env = r.command(t, "").Env
	agent, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := agent.CallTool(t.Context(), &mcp.CallToolParams{Name: "ask_docs", Arguments: map[string]any{"question": "trim a wick of zqsecretquestion"}})
	if err != nil || res.IsError || strings.Contains(res.Content[0].(*mcp.TextContent).Text, offer) != offered {
		t.Errorf("an agent: %+v, %v", res, err)
	}
	if err := agent.Close(); err != nil {
		t.Error(err)
	}
}

// In the app the first question offers the server, and a key has it asked.
func TestTheAppOffersAServerThatWasFound(t *testing.T) {
	l := listenAsOllama(t)
	home := lanternHome(t)
	p, _ := startProgram(t, "env", "", home, "OLLAMA_HOST=", "docent")
	p.until("pages")
	p.press("how do I trim the wick zqsecretquestion\r")
	p.until("was found")
	p.until("v pages")
	if got := l.secrets(); len(got) > 0 || l.got("Wicks") {
		t.Fatalf("sent to a server that nobody named: %q", got)
	}
	p.press("A")
	p.until("is asked from now on")
	p.press("/how do I trim the wick zqsecretagain\r")
	p.until("zqsecretagain")
	p.until("v pages")
	for deadline := time.Now().Add(time.Minute); !l.got("zqsecretagain"); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it was allowed, and was not asked")
		}
	}
	p.press("\x03") // q would be dropped if the hits came after it
	if err := p.ends(); err != nil {
		t.Error(err)
	}
}
