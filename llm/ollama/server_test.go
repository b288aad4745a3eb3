package ollama_test

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"docent/llm"
	"docent/llm/llmtest"
	"docent/llm/ollama"
)

// open makes a client whose server uses one thread: on a machine with few CPUs two
// threads are far slower.
func open(t *testing.T, address string, opt llm.Options) *llm.Client {
	t.Helper()
	s, err := ollama.New(ollama.Options{Address: address, NumThread: 1, NumCtx: 2048})
	if err != nil {
		t.Fatal(err)
	}
	return llm.New(s, opt)
}

func ask(text string) llm.ChatRequest {
	return llm.ChatRequest{Model: llmtest.ChatModel, MaxTokens: 48, Messages: []llm.Message{{Role: llm.System, Text: "Answer."}, {Role: llm.User, Text: text}}}
}

// scene is a schema with a finite language, so that a model with random weights
// completes its answer.
var scene = json.RawMessage(`{"type":"object","properties":{"scene":{"enum":["fact_lookup","tutorial"]},"sure":{"type":"boolean"}},"required":["scene","sure"],"additionalProperties":false}`)

// The calls against one real server that do not disturb each other.
func TestServer(t *testing.T) {
	t.Parallel()
	s := llmtest.Ollama(t)
	c := open(t, s.URL, llm.Options{})
	ctx := t.Context()

	t.Run("models and what they can do", func(t *testing.T) {
		models, err := c.Models(ctx)
		if err != nil || len(models) != 2 {
			t.Fatalf("%v, %v", models, err)
		}
		chat, embed := models[0], models[1]
		if chat.Name != llmtest.ChatModel || embed.Name != llmtest.EmbedModel || chat.Family != "llama" || chat.Size < 100_000 || chat.Digest == "" {
			t.Errorf("%+v", models)
		}
		if can, known := chat.HasCapability(llm.CanChat); !can || !known || chat.Context != llmtest.ChatContext || chat.Dimension != 0 {
			t.Errorf("%+v", chat)
		}
		if can, _ := embed.HasCapability(llm.CanEmbed); !can || embed.Dimension != llmtest.EmbedDimension || embed.Context != llmtest.EmbedContext {
			t.Errorf("%+v", embed)
		}
		m, err := c.Model(ctx, "tiny-embed")
		if err != nil || !reflect.DeepEqual(m, embed) {
			t.Errorf("%+v, %v", m, err)
		}
		if _, err := c.Model(ctx, "nobody:1b"); llm.KindOf(err) != llm.NotFound {
			t.Error(err)
		}
		if v, err := c.Version(ctx); err != nil || !strings.Contains(v, ".") {
			t.Errorf("version %q, %v", v, err)
		}
	})
	t.Run("preload", func(t *testing.T) {
		if err := c.Preload(ctx, llmtest.EmbedModel, llm.CanEmbed); err != nil {
			t.Error(err)
		}
		if err := c.Preload(ctx, llmtest.ChatModel, llm.CanChat); err != nil {
			t.Error(err)
		}
		// A chat has the options of the preload, so the model is not loaded again in
		// another process.
		preloaded := s.Runners()
		r := ask("warm?")
		r.Schema, r.MaxTokens = scene, 200
		if _, err := c.Chat(ctx, r); err != nil {
			t.Error(err)
		}
		for _, pid := range s.Runners() {
			if !slices.Contains(preloaded, pid) {
				t.Errorf("the process %d loaded the model again; %v were there", pid, preloaded)
			}
		}
	})
	t.Run("a schema, and the same again", func(t *testing.T) {
		var first llm.Answer
		for i := range 3 {
			r := ask("what is a pod?")
			r.Schema, r.MaxTokens, r.Seed, r.Temperature = scene, 200, 7, .8
			a, err := c.Chat(ctx, r)
			if err != nil {
				t.Fatal(err)
			}
			var v struct {
				Scene string
				Sure  *bool
			}
			d := json.NewDecoder(strings.NewReader(a.Text))
			d.DisallowUnknownFields()
			if err := d.Decode(&v); err != nil || v.Sure == nil || v.Scene != "fact_lookup" && v.Scene != "tutorial" {
				t.Errorf("%q: %v", a.Text, err)
			}
			if a.PromptTokens == 0 || a.Tokens == 0 || a.Model != llmtest.ChatModel {
				t.Errorf("%+v", a)
			}
			if i == 0 {
				first = a
			}
			if a.Text != first.Text {
				t.Errorf("the same seed gives %q and %q", first.Text, a.Text)
			}
		}
	})
	t.Run("cut by num_predict, in pieces, valid UTF-8", func(t *testing.T) {
		r := ask("go on")
		var pieces strings.Builder
		r.OnPiece = func(p string) error { pieces.WriteString(p); return nil }
		a, err := c.Chat(ctx, r)
		if llm.KindOf(err) != llm.CutOff || a.Tokens != 48 || a.Text == "" || pieces.String() != a.Text {
			t.Errorf("%q, %q, %d tokens, %v", a.Text, pieces.String(), a.Tokens, err)
		}
		if strings.ToValidUTF8(a.Text, "") != a.Text {
			t.Errorf("%q is no UTF-8", a.Text)
		}
		if b, _ := c.Chat(ctx, ask("go on")); b.Text != a.Text {
			t.Errorf("once %q, once %q", a.Text, b.Text)
		}
		// A stop text ends the answer earlier.
		if len(a.Text) > 20 {
			stop := a.Text[strings.IndexFunc(a.Text[10:], func(r rune) bool { return r < 0x80 && r > ' ' })+10:][:1]
			r := ask("go on")
			r.Stop = []string{stop}
			b, err := c.Chat(ctx, r)
			if err != nil || strings.Contains(b.Text, stop) || !strings.HasPrefix(a.Text, b.Text) {
				t.Errorf("stopped before %q: %q, %v", stop, b.Text, err)
			}
		}
	})
	t.Run("a prompt that is too long", func(t *testing.T) {
		_, err := c.Chat(ctx, ask(strings.Repeat("word ", 5000)))
		if llm.KindOf(err) != llm.TooLong {
			t.Errorf("%v (%s)", err, llm.KindOf(err))
		}
	})
	t.Run("a bad schema", func(t *testing.T) {
		r := ask("x")
		r.Schema = json.RawMessage(`{"type":"nothing there is"}`)
		if _, err := c.Chat(ctx, r); err == nil {
			t.Error("it answers all the same")
		}
	})
	t.Run("a model that is missing", func(t *testing.T) {
		r := ask("x")
		r.Model = "nobody:1b"
		if _, err := c.Chat(ctx, r); llm.KindOf(err) != llm.NotFound || !strings.Contains(err.Error(), `no model "nobody:1b"`) {
			t.Error(err)
		}
		if _, err := c.Embed(ctx, llm.EmbedRequest{Model: "nobody:1b", Texts: []string{"a"}}); llm.KindOf(err) != llm.NotFound {
			t.Error(err)
		}
	})
	t.Run("a model that cannot", func(t *testing.T) {
		_, err := c.Embed(ctx, llm.EmbedRequest{Model: llmtest.ChatModel, Texts: []string{"a"}})
		if err != nil && llm.KindOf(err) != llm.Incapable {
			t.Errorf("a chat model embeds: %v", err)
		}
		r := ask("x")
		r.Model = llmtest.EmbedModel
		if _, err := c.Chat(ctx, r); llm.KindOf(err) != llm.Incapable {
			t.Errorf("an embedder chats: %v", err)
		}
	})
	t.Run("embeddings", func(t *testing.T) {
		embed := func(texts ...string) [][]float32 {
			t.Helper()
			v, err := c.Embed(ctx, llm.EmbedRequest{Model: llmtest.EmbedModel, Texts: texts, Dimension: llmtest.EmbedDimension})
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		var many []string
		for i := range 120 {
			many = append(many, strings.Repeat("pods and probes ", i%3+1)+string(rune('a'+i%26)))
		}
		many[7] = ""
		all := embed(many...)
		if all[7] != nil {
			t.Error("an empty text has a vector")
		}
		for _, i := range []int{0, 59, 119} {
			if one := embed(many[i])[0]; !reflect.DeepEqual(one, all[i]) {
				t.Errorf("text %d alone has another vector than in a batch", i)
			}
		}
		if v := embed("a\xffb\x00c", "容器", "🙂"); len(v) != 3 || v[0] == nil {
			t.Errorf("odd texts: %v", v)
		}
		huge := strings.Repeat("probe ", 20_000)
		_, err := c.Embed(ctx, llm.EmbedRequest{Model: llmtest.EmbedModel, Texts: []string{"short", huge}})
		if llm.KindOf(err) != llm.TooLong {
			t.Errorf("a huge text: %v (%s)", err, llm.KindOf(err))
		}
		if v, err := c.Embed(ctx, llm.EmbedRequest{Model: llmtest.EmbedModel, Texts: []string{"short", huge}, Truncate: true}); err != nil || v[1] == nil {
			t.Errorf("cut: %v", err)
		}
		if _, err := c.Embed(ctx, llm.EmbedRequest{Model: llmtest.EmbedModel, Texts: []string{"a"}, Dimension: 1024}); llm.KindOf(err) != llm.BadAnswer || !strings.Contains(err.Error(), "should be 1024") {
			t.Errorf("another dimension than there is: %v", err)
		}
	})
	t.Run("two at once", func(t *testing.T) {
		want, err := c.Chat(ctx, ask("both"))
		if llm.KindOf(err) != llm.CutOff {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		for range 2 {
			other := open(t, s.URL, llm.Options{})
			all.Go(func() {
				for range 2 {
					if a, err := other.Chat(ctx, ask("both")); a.Text != want.Text || llm.KindOf(err) != llm.CutOff {
						t.Errorf("%q, %v", a.Text, err)
					}
					if _, err := other.Embed(ctx, llm.EmbedRequest{Model: llmtest.EmbedModel, Texts: []string{"a b"}}); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
	})
	t.Run("cancelling reaches the server", func(t *testing.T) {
		// This server sometimes does not answer at all after a cancelled request.
		const tries = 3
		for i := range tries {
			again, cancel := context.WithCancel(ctx)
			r := ask("never")
			r.MaxTokens = 1_000_000
			r.OnPiece = func(string) error { cancel(); return nil }
			if _, err := c.Chat(again, r); !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			// The server runs one request at a time. It answers the next one only because
			// the cancelled one ended.
			next, end := context.WithTimeout(t.Context(), 20*time.Second)
			_, err := c.Chat(next, ask("next"))
			end()
			if llm.KindOf(err) == llm.CutOff {
				return
			}
			if next.Err() == nil || i == tries-1 {
				t.Fatal(err)
			}
			s.Restart()
		}
	})
}

// A server that is killed during an answer, is down, and is started again.
func TestKilled(t *testing.T) {
	t.Parallel()
	s := llmtest.Ollama(t)
	c := open(t, s.URL, llm.Options{Cooldown: time.Nanosecond})
	r := ask("go on")
	r.MaxTokens = 2000
	pieces := 0
	r.OnPiece = func(string) error {
		if pieces++; pieces == 3 {
			s.KillServer()
		}
		return nil
	}
	a, err := c.Chat(t.Context(), r)
	if llm.KindOf(err) != llm.Broken || a.Text == "" {
		t.Errorf("killed in the middle: %q, %v", a.Text, err)
	}
	_, err = c.Chat(t.Context(), ask("there?"))
	if llm.KindOf(err) != llm.Unreachable || !strings.Contains(err.Error(), "Ollama at "+s.URL+" is not reachable: connection refused") {
		t.Errorf("down: %v", err)
	}
	s.Restart()
	if _, err := c.Chat(t.Context(), ask("again")); llm.KindOf(err) != llm.CutOff {
		t.Errorf("back: %v", err)
	}
}

// After the model's process is killed, the next call loads the model again.
func TestRunnerKilled(t *testing.T) {
	t.Parallel()
	s := llmtest.Ollama(t)
	c := open(t, s.URL, llm.Options{})
	r := ask("go on")
	r.MaxTokens = 2000
	pieces := 0
	r.OnPiece = func(string) error {
		if pieces++; pieces == 3 && s.KillRunners() == 0 {
			t.Skip("the runners cannot be found on this system")
		}
		return nil
	}
	if _, err := c.Chat(t.Context(), r); llm.KindOf(err) != llm.Broken {
		t.Errorf("killed in the middle: %v (%s)", err, llm.KindOf(err))
	}
	if _, err := c.Chat(t.Context(), ask("again")); llm.KindOf(err) != llm.CutOff {
		t.Errorf("the next call: %v (%s)", err, llm.KindOf(err))
	}
	// A call that is not streamed is retried at once.
	s.KillRunners()
	if _, err := c.Embed(t.Context(), llm.EmbedRequest{Model: llmtest.EmbedModel, Texts: []string{"a"}}); err != nil {
		t.Errorf("embedding after the kill: %v", err)
	}
}

// A full queue is a 503 and is retried.
func TestOverloaded(t *testing.T) {
	t.Parallel()
	n := 0
	var mu sync.Mutex
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if r.URL.Path == "/api/embed" {
			if n++; n < 3 {
				http.Error(w, `{"error":"server busy, please try again.  maximum pending requests exceeded"}`, http.StatusServiceUnavailable)
				return
			}
			_, _ = w.Write([]byte(`{"embeddings":[[0.6,0.8]]}`))
		}
	}))
	defer s.Close()
	clock := llmtest.NewClock()
	c := open(t, s.URL, llm.Options{Clock: clock})
	v, err := c.Embed(t.Context(), llm.EmbedRequest{Model: "m", Texts: []string{"a"}})
	if err != nil || n != 3 || len(clock.SleptDurations()) != 2 || len(v[0]) != 2 {
		t.Errorf("%v, %v after %d calls", v, err, n)
	}
}

// A server that accepts and never answers costs one short wait.
func TestHanging(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c := open(t, l.Addr().String(), llm.Options{Timeouts: llm.Timeouts{Probe: 50 * time.Millisecond}})
	if _, err := c.Chat(t.Context(), ask("x")); llm.KindOf(err) != llm.TimedOut {
		t.Error(err)
	}
	if _, err := c.Chat(t.Context(), ask("x")); llm.KindOf(err) != llm.Unreachable || !strings.Contains(err.Error(), "tried again in") {
		t.Error(err)
	}
}

// Servers that are not Ollama, and answers that violate its protocol.
func TestStrangeServers(t *testing.T) {
	t.Parallel()
	chat := func(lines string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/api/show":
				_, _ = w.Write([]byte(`{"capabilities":["completion"]}`))
			case "/api/chat":
				_, _ = w.Write([]byte(lines))
			case "/":
			default:
				http.NotFound(w, r)
			}
		}
	}
	page := func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<!doctype html><p>hello")) }
	for _, tt := range []struct {
		name string
		h    http.HandlerFunc
		kind llm.Kind
		says string
		text string
	}{
		{"another kind of server", http.NotFound, llm.BadAnswer, "is the address right?", ""},
		{"a web page", page, llm.BadAnswer, "bad answer", ""},
		{"who wants a password", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(401) }, llm.Denied, "credentials", ""},
		{"no end", chat(`{"message":{"content":"a"}}` + "\n"), llm.CutOff, "no end", "a"}, // the server stopped a model that repeated itself
		{"all that was asked for", chat(`{"message":{"content":"a"},"done":true,"done_reason":"length","eval_count":48}` + "\n"), llm.CutOff, "after 48 tokens", "a"},
		{"no room for all that was asked for", chat(`{"message":{"content":"a"},"done":true,"done_reason":"length","eval_count":17}` + "\n"), llm.TooLong, "room for an answer of 17 tokens, not 48", "a"},
		{"bytes that are no UTF-8", chat("{\"message\":{\"content\":\"a\xff\"},\"done\":true}\n"), "", "", "a\uFFFD"},
		{"a stream that turns into a page", chat(`{"message":{"content":"a"}}` + "\n<html>\n"), llm.BadAnswer, "", "a"},
		{"an error in the stream", chat(`{"message":{"content":"a"}}` + "\n" + `{"error":"llama runner process no longer running: 2"}` + "\n"), llm.Broken, "no longer running", "a"},
		{"a line without an end", chat(strings.Repeat("x", 9<<20)), llm.BadAnswer, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := httptest.NewServer(tt.h)
			defer s.Close()
			c := open(t, s.URL, llm.Options{Clock: llmtest.NewClock()})
			a, err := c.Chat(t.Context(), ask("x"))
			if llm.KindOf(err) != tt.kind || a.Text != tt.text {
				t.Errorf("%q, %v (%s), want %q, %s", a.Text, err, llm.KindOf(err), tt.text, tt.kind)
			}
			if err != nil && (!strings.Contains(err.Error(), tt.says) || len(err.Error()) > 600) {
				t.Errorf("it says %q", err)
			}
		})
	}
}

// Thinking is switched off for models that think. If an old server would then
// ignore the schema, the request goes to /api/generate.
func TestThinking(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		version, capabilities string
		schema                json.RawMessage
		want                  string
	}{
		{"0.24.0", `["completion"]`, scene, "/api/chat <nil>"},
		{"0.24.0", `["completion","thinking"]`, scene, "/api/generate false"},
		{"0.24.0", `["completion","thinking"]`, nil, "/api/chat false"},
		{"0.31.2", `["completion","thinking"]`, scene, "/api/chat false"},
	} {
		got, text := "", `"{}"`
		if tt.schema == nil {
			text = `"x"`
		}
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/api/show":
				_, _ = w.Write([]byte(`{"capabilities":` + tt.capabilities + `}`))
			case "/api/version":
				_, _ = w.Write([]byte(`{"version":"` + tt.version + `"}`))
			case "/api/chat", "/api/generate":
				var body map[string]any
				if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
					t.Error(err)
				}
				think := "<nil>"
				if body["think"] == false {
					think = "false"
				}
				got = r.URL.Path + " " + think
				if body["shift"] != false || body["truncate"] != false || body["options"].(map[string]any)["num_ctx"] != 2048. {
					t.Errorf("%v went out", body)
				}
				_, _ = w.Write([]byte(`{"message":{"content":` + text + `},"response":` + text + `,"done":true}` + "\n"))
			}
		}))
		r := ask("x")
		r.Schema = tt.schema
		if _, err := open(t, s.URL, llm.Options{}).Chat(t.Context(), r); err != nil || got != tt.want {
			t.Errorf("%s %s: %q, %v", tt.version, tt.capabilities, got, err)
		}
		s.Close()
	}
}

// The credentials of the address reach the server, but appear in no error.
func TestCredentialsAreNotTold(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, password, _ := r.BasicAuth()
		http.Error(w, `{"error":"not with `+password+`"}`, http.StatusInternalServerError)
	}))
	defer s.Close()
	address := strings.Replace(s.URL, "http://", "http://me:s3cret@", 1)
	c := open(t, address, llm.Options{Clock: llmtest.NewClock()})
	_, err := c.Models(t.Context())
	if err == nil || !strings.Contains(err.Error(), "not with …") {
		t.Errorf("the password did not arrive: %v", err)
	}
	for e := err; e != nil; e = errors.Unwrap(e) {
		if strings.Contains(e.Error(), "s3cret") {
			t.Errorf("it says %q", e)
		}
	}
	s.Close()
	if _, err := c.Models(t.Context()); err == nil || strings.Contains(err.Error(), "s3cret") || strings.Contains(c.Address(), "me") {
		t.Errorf("it says %q", err)
	}
}

// A pull reports its progress, and then the model is installed.
func TestPull(t *testing.T) {
	t.Parallel()
	s := llmtest.Ollama(t)
	c := open(t, s.URL, llm.Options{})
	gguf := llmtest.TinyChat(2)
	name := llmtest.Registry(t, gguf)
	last, done := "", int64(0)
	if err := c.Pull(t.Context(), name, func(p llm.Progress) {
		last, done = p.Status, max(done, p.Done)
		if p.Done > p.Total {
			t.Errorf("%d of %d", p.Done, p.Total)
		}
	}); err != nil {
		t.Fatal(err)
	}
	if last != "success" || done != int64(len(gguf)) {
		t.Errorf("the last word is %q, %d of %d bytes were told of", last, done, len(gguf))
	}
	models, err := c.Models(t.Context())
	if err != nil || len(models) != 3 {
		t.Errorf("%v, %v", models, err)
	}
	if err := c.Pull(t.Context(), "http://127.0.0.1:1/library/nobody", nil); llm.KindOf(err) == "" {
		t.Error("a registry that is not there")
	}
}
