//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"docent/llm/llmtest"
)

// watched is the header that marks the requests of watchedServer which are chats.
const watched = "X-Watched"

// watchedServer is a proxy in front of a model server. It reports the start of each
// chat that is not a preload, and each connection that ends before the answer. While endless is
// true an answer has no end, so that it cannot be whole before it is cancelled.
func watchedServer(t *testing.T, server string, endless *atomic.Bool) (address string, begins, dropped chan struct{}) {
	t.Helper()
	to, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	begins, dropped = make(chan struct{}, 16), make(chan struct{}, 16)
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.FlushInterval = -1
	transport := &http.Transport{} // see llmtest.Proxy
	t.Cleanup(transport.CloseIdleConnections)
	proxy.Transport = transport
	proxy.ModifyResponse = func(r *http.Response) error {
		if r.Request.Header.Get(watched) != "" && endless.Load() {
			r.Body = &endlessBody{ReadCloser: r.Body, lines: bufio.NewReader(r.Body), dropped: r.Request.Context().Done()}
		}
		return nil
	}
	proxy.ErrorHandler = func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) }
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(raw))
		if r.URL.Path == "/api/chat" && bytes.Contains(raw, []byte(`"content"`)) {
			r.Header.Set(watched, "yes")
			begins <- struct{}{}
			defer func() {
				if r.Context().Err() != nil {
					dropped <- struct{}{}
				}
			}()
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL, begins, dropped
}

// endlessBody gives the lines of a streamed answer but for the last one, in whose place it waits until
// the connection is closed.
type endlessBody struct {
	io.ReadCloser
	lines   *bufio.Reader
	rest    []byte
	dropped <-chan struct{}
}

func (b *endlessBody) Read(into []byte) (int, error) {
	if len(b.rest) == 0 {
		line, err := b.lines.ReadBytes('\n')
		if err != nil || bytes.Contains(line, []byte(`"done":true`)) {
			<-b.dropped
			return 0, context.Canceled
		}
		b.rest = line
	}
	n := copy(into, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}

// Esc while a model answers cancels the call: the app reports it, and closes the
// connection, so that the server stops generating.
func TestCancelWhileAModelAnswers(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a real server is slow beside the race detector")
	}
	s := llmtest.Ollama(t)
	var endless atomic.Bool
	endless.Store(true)
	address, begins, dropped := watchedServer(t, s.URL, &endless)
	h := newPhaseHome(t, "", oneThread+fmt.Sprintf("num_ctx = 4096\nchat_model = \"tiny-chat\"\napi_base = %q\n", address), "")
	p := startPTY(t, h.home)
	p.until("1 doc set")
	for i := range 2 {
		// Another question each time, because answers are remembered.
		p.press(fmt.Sprintf("how do I trim the wick %d\r", i))
		select {
		case <-begins:
		case <-time.After(limit):
			t.Fatalf("no model is asked:\n%s", p.screen())
		}
		p.until("asking tiny-chat")
		p.press("\x1b")
		p.until("cancelled; R goes on")
		select {
		case <-dropped:
		case <-time.After(limit):
			t.Fatal("the connection is kept")
		}
		if strings.Contains(p.screen(), "asking tiny-chat") {
			t.Errorf("the app still asks:\n%s", p.screen())
		}
		p.press("/") // to the question
		p.press("\x15")
	}
	// The next question is answered.
	endless.Store(false)
	p.press("how do I trim the wick\r")
	p.until("Trim the wick")
	p.press("\x03")
	if err := p.ends(); err != nil {
		t.Errorf("the program ends with %v", err)
	}
}

// No control sequence of a model reaches a terminal: not in a note, not in JSON, and
// not in the app, which shows the answer while it is streamed.
func TestNoControlSequenceOfAModelReachesATerminal(t *testing.T) {
	t.Parallel()
	const evil = "\x1b]52;c;ZXZpbA==\x07\x1b]0;owned\x07\x1b[2J\u009b31m\u009d0;owned\u009c\x7f\u202e"
	s := scriptedServer(t, func(w http.ResponseWriter, r *http.Request, prompt string) {
		if strings.Contains(prompt, "slowly") { // the app shows the partial answer
			raw, err := json.Marshal(map[string]any{"model": "tiny", "message": map[string]string{"role": "assistant", "content": "evil " + evil}})
			if err != nil {
				t.Error(err)
			}
			fmt.Fprintf(w, "%s\n", raw)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
			return
		}
		if strings.Contains(prompt, "<<section ") && !strings.Contains(prompt, "Which of") {
			reply(w, "Cool it first, "+evil+" then trim.")
			return
		}
		reply(w, "{\"scene\": \"evil "+evil+"\"}")
	})
	h := newPhaseHome(t, "", fmt.Sprintf("chat_model = \"tiny\"\napi_base = %q\n", s.URL), everyIntent(t))
	clean := func(name string, p *pty80) {
		t.Helper()
		raw := p.written()
		if !strings.Contains(raw, "evil") && !strings.Contains(raw, "no good") && !strings.Contains(raw, "bad answer") {
			t.Errorf("%s: nothing is said of the model: %q", name, raw)
		}
		for _, bad := range []string{"\x1b]52", "\x1b]0;", "\x1b[2J\u009b", "\u009b", "\u009d", "\u009c", "\x7f", "\u202e"} {
			if strings.Contains(raw, bad) {
				t.Errorf("%s lets %q through: %q", name, bad, raw)
			}
		}
	}
	for _, args := range [][]string{{"ask", wick}, {"ask", "-v", "--summarize", wick}, {"ask", "--json", "--summarize", wick}, {"ask", "--events", wick}, {"phase", "0b", "-v"}} {
		p := startPTY(t, h.home, args...)
		if args[0] == "phase" {
			p.press(wick + "\n\x04")
		}
		_ = p.ends()
		p.drain()
		clean(fmt.Sprintf("docent %q", args), p)
	}
	p := startPTY(t, h.home, "trim the wick slowly")
	p.until("evil")
	p.press("\x1b")
	p.until("cancelled; R goes on")
	p.press("/")
	p.press("\x15" + wick + "\r")
	p.until("! it is no JSON: ")
	p.press("\x03")
	_ = p.ends()
	clean("the app", p)
}
