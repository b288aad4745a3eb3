package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"docent/llm/llmtest"
	"docent/pipeline/contract"
)

// phaseHome is a home with a small doc set and a configuration.
type phaseHome struct{ runner }

// withServer is the same home with another model server.
func withServer(home, server string) phaseHome {
	return phaseHome{runner{home: home, env: []string{"OLLAMA_HOST=" + server}}}
}

// oneThread is the setting for real servers: on a busy machine two threads are far
// slower.
const oneThread = "num_thread = 1\n"

// newPhaseHome makes a home whose docent.toml has the given lines under [models] and
// under [search.tech_docs].
func newPhaseHome(t *testing.T, server, models, search string) phaseHome {
	t.Helper()
	return copyPhaseHome(t, preparePhaseHome(t), server, models, search)
}

// copyPhaseHome is newPhaseHome with a copy of a prepared home.
func copyPhaseHome(t *testing.T, prepared, server, models, search string) phaseHome {
	t.Helper()
	h := withServer(filepath.Join(t.TempDir(), "home"), server)
	copyHome(t, h.home, prepared)
	text := "[models]\n" + models + "\n[search.tech_docs]\n" + search
	if err := os.WriteFile(filepath.Join(h.home, "docent.toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return h
}

// preparePhaseHome makes a home with the doc set and without a configuration.
func preparePhaseHome(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	var page strings.Builder
	page.WriteString("# Lantern care\n\n> **Source**: https://lantern.example/care\n\n")
	for _, what := range []string{"wick", "glass", "burner", "oil"} {
		fmt.Fprintf(&page, "## Trim the %s\n\nThe lantern must be cool before you trim the %s.\n\n", what, what)
		for i := range 6 {
			fmt.Fprintf(&page, "- Step %d of the %s.\n", i, what)
		}
		page.WriteString("\n")
	}
	write("Lantern@2.1/Care/docContent.md", page.String())
	write("Lantern@2.1/Wicks/docContent.md", "# Wicks\n\n> **Source**: https://lantern.example/wicks\n\n## Kinds of wicks\n\nA wick is flat or round.\n")
	home := homeWithManual(t)
	if out, code := inHome(t, home, "add", filepath.Join(dir, "Lantern@2.1")); code != 0 {
		t.Fatalf("add: %s", out)
	}
	return home
}

// everyIntent is the setting that lets a model rerank every question.
func everyIntent(t *testing.T) string {
	t.Helper()
	raw, err := json.Marshal(contract.Intents())
	if err != nil {
		t.Fatal(err)
	}
	return "reranker_intents = " + string(raw) + "\n"
}

// run is runner.run. It also checks that standard error has no control characters.
func (h phaseHome) run(t *testing.T, code int, in string, args ...string) (out, errs string) {
	t.Helper()
	out, errs = h.runner.run(t, code, in, args...)
	for _, bad := range []string{"\x1b", "\x07", "\u009b"} {
		if strings.Contains(errs, bad) {
			t.Errorf("docent %q says %q", args, errs)
		}
	}
	return out, errs
}

// answer has the fields of `docent ask --json` that these tests need.
type answer struct {
	Engine   map[string]string
	Degraded []contract.Degraded
	Final    string
	Phases   map[string]json.RawMessage
}

func read(t *testing.T, out string) answer {
	t.Helper()
	var a answer
	if err := json.Unmarshal([]byte(out), &a); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return a
}

// differs returns the first difference of two JSON texts, or "". Measured times are
// ignored.
func differs(t *testing.T, a, b string) string {
	t.Helper()
	var v [2]any
	for i, text := range []string{a, b} {
		if err := json.Unmarshal([]byte(text), &v[i]); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		v[i] = withoutTimes(v[i])
	}
	return difference("", v[0], v[1])
}

// difference returns the first difference of two JSON values, or "". at is the path of
// the values.
func difference(at string, a, b any) string {
	x, isX := a.(map[string]any)
	y, isY := b.(map[string]any)
	if isX && isY {
		for _, k := range slices.Sorted(maps.Keys(x)) {
			if d := difference(at+"/"+k, x[k], y[k]); d != "" {
				return d
			}
		}
		for k := range y {
			if _, ok := x[k]; !ok {
				return at + "/" + k + " is only in one"
			}
		}
		return ""
	}
	p, isP := a.([]any)
	q, isQ := b.([]any)
	if isP && isQ && len(p) == len(q) {
		for i := range p {
			if d := difference(fmt.Sprint(at, "/", i), p[i], q[i]); d != "" {
				return d
			}
		}
		return ""
	}
	if reflect.DeepEqual(a, b) {
		return ""
	}
	return fmt.Sprintf("%s: %v, %v", at, a, b)
}

const wick = "how do I trim the wick"

// Every phase that a model can answer, end to end with a real server.
func TestPhasesByARealModel(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a real server is slow beside the race detector")
	}
	s := llmtest.Ollama(t)
	const name = "tiny-brief"
	s.Create(name+":latest", llmtest.BriefChat(2))
	h := newPhaseHome(t, s.URL, oneThread+"num_ctx = 4096\nchat_model = \""+name+"\"\n", everyIntent(t))
	ask := []string{"ask", "--json", "--explain", "--documents", "--compress", "--set", "Lantern@2.1", wick} // the manual is long, and the server slow
	// Two at once get the same answer from a server that answers one after the other.
	outs, said := make([]string, 2), make([]string, 2)
	var both sync.WaitGroup
	for i := range outs {
		both.Go(func() { outs[i], said[i] = h.run(t, 0, "", ask...) })
	}
	both.Wait()
	out, errs := outs[0], said[0]+said[1]
	if strings.Contains(errs, "instead of") {
		t.Errorf("standard error says %s", errs)
	}
	if d := differs(t, outs[1], out); d != "" {
		t.Errorf("the two answers differ: %s", d)
	}
	a := read(t, out)
	for phase, want := range map[string]string{"0a": "ollama:" + name, "0b": "ollama:" + name, "1.5": "ollama:" + name, "3": "ollama:" + name,
		"merge": "builtin", "1": "builtin", "2": "builtin", "2.5": "builtin", "cite": "builtin"} {
		if a.Engine[phase] != want {
			t.Errorf("phase %s was answered by %s, not %s", phase, a.Engine[phase], want)
		}
	}
	if len(a.Degraded) != 0 {
		t.Errorf("degraded: %+v", a.Degraded)
	}
	var optimized contract.Optimized
	var routed contract.Routed
	var reranked contract.RerankOutput
	for phase, v := range map[string]any{"0a": &optimized, "0b": &routed, "1.5": &reranked} {
		if err := json.Unmarshal(a.Phases[phase], v); err != nil {
			t.Fatalf("phase %s: %v", phase, err)
		}
	}
	if qs := optimized.OptimizedQueries; len(qs) < contract.MinQueries || len(qs) > contract.MaxQueries || qs[0].Query != wick {
		t.Errorf("the queries are %+v", qs)
	}
	if !slices.Contains(contract.Scenes(), routed.Scene) || !slices.Contains(contract.Intents(), routed.Intent) || !slices.Contains([]float64{0.4, 0.65, 0.9}, routed.Confidence) {
		t.Errorf("routed to %+v", routed)
	}
	if st := reranked.RerankStats; st.Judged < 4 || st.Invocations < 1 || st.LatencyMS <= 0 || st.Gate != "" {
		t.Errorf("the reranking was %+v", st)
	}
	// For every choice of the model, the block can be verified against its sources.
	verify, _ := h.run(t, 0, a.Final, "verify")
	if !strings.HasPrefix(verify, "verified: ") {
		t.Errorf("verify says %s", verify)
	}

	t.Run("phase by phase", func(t *testing.T) {
		const question = `{"query": "` + wick + `", "doc_sets": ["Lantern@2.1"]}`
		for _, p := range []struct{ phase, in string }{{"0a", question}, {"0b", question}, {"1.5", string(a.Phases["1"])}, {"3", string(a.Phases["2.5"])}} {
			out, errs := h.run(t, 0, p.in, "phase", p.phase, "-v")
			if errs != "docent: ollama:"+name+"\n" {
				t.Errorf("phase %s says %q", p.phase, errs)
			}
			if d := differs(t, out, string(a.Phases[p.phase])); d != "" {
				t.Errorf("phase %s differs from ask's: %s", p.phase, d)
			}
		}
	})
	t.Run("an answer that is cut off", func(t *testing.T) {
		// tiny-chat, unlike tiny-brief, does not end its answers.
		out, errs := h.run(t, 0, "", "ask", "--json", "--explain", "--documents", "--summarize", "--chat-model", "tiny-chat", "--set", "Lantern@2.1", wick)
		a := read(t, out)
		if !degradedBy(a, "3", "cut off") || a.Final == "" || !strings.Contains(errs, "cut off") {
			t.Errorf("engine %v, degraded %+v: %s", a.Engine, a.Degraded, errs)
		}
		if verify, _ := h.run(t, 0, a.Final, "verify"); !strings.HasPrefix(verify, "verified: ") {
			t.Errorf("verify says %s", verify)
		}
	})
	t.Run("a model that is not there", func(t *testing.T) {
		out, errs := h.run(t, 0, "", "ask", "--json", "--explain", "--documents", "--chat-model", "nobody", wick)
		a := read(t, out)
		if len(a.Degraded) < 2 || a.Engine["0a"] != "builtin" || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "has no model \"nobody\"; to get it: docent models pull nobody") {
			t.Errorf("degraded %+v: %s", a.Degraded, errs)
		}
		out, errs = h.run(t, 3, "", "ask", "--json", "--explain", "--documents", "--engine", "ollama", "--chat-model", "nobody", wick)
		checkUnavailable(t, out, errs, `has no model "nobody"`)
	})
	t.Run("credentials are nowhere", func(t *testing.T) {
		secret := withServer(h.home, strings.Replace(s.URL, "http://", "http://me:s3cret@", 1))
		for _, args := range [][]string{{"ask", "--events", "--chat-model", "nobody", "--set", "Lantern@2.1", wick}, {"models", "--json"}, {"phase", "0b", "-v"}} {
			out, errs := secret.run(t, 0, wick, args...)
			if strings.Contains(out+errs, "s3cret") {
				t.Errorf("docent %q: %s%s", args, out, errs)
			}
		}
		if out, errs := secret.run(t, 3, "", "ask", "--json", "--explain", "--documents", "--engine", "ollama", "--chat-model", "nobody", wick); strings.Contains(out+errs, "s3cret") {
			t.Errorf("%s%s", out, errs)
		}
	})
	// The tests that kill the server come last.
	t.Run("the model's process is killed while it answers", func(t *testing.T) {
		a := h.interrupted(t, func() {
			if s.KillRunners() == 0 {
				t.Error("there was nothing to kill")
			}
		})
		if !degradedBy(a, "0a", "broke off") || a.Final == "" {
			t.Errorf("%+v", a.Degraded)
		}
	})
	t.Run("the server is killed while it answers", func(t *testing.T) {
		a := h.interrupted(t, s.KillServer)
		if !degradedBy(a, "0a", "broke off") || !degradedBy(a, "0b", "connection refused") || a.Final == "" {
			t.Errorf("%+v", a.Degraded)
		}
	})
	t.Run("the server is down", func(t *testing.T) { h.checkDown(t) })
}

// checkUnavailable checks the error of a command whose required model is missing.
func checkUnavailable(t *testing.T, out, errs, says string) {
	t.Helper()
	var e contract.Error
	if err := json.Unmarshal([]byte(out), &e); err != nil || e.Code != "MODELS_UNAVAILABLE" || !strings.Contains(e.Message, says) || !strings.Contains(e.Message, "--engine builtin") || errs != "" {
		t.Errorf("%v: %s%s", err, out, errs)
	}
}

func degradedBy(a answer, phase, reason string) bool {
	return slices.ContainsFunc(a.Degraded, func(d contract.Degraded) bool {
		return d.Phase == phase && strings.Contains(d.Reason, reason)
	})
}

// interrupted asks a question with tiny-chat, calls do when the first word of its
// answer arrives, and returns the answer of the program.
func (h phaseHome) interrupted(t *testing.T, do func()) answer {
	t.Helper()
	cmd := h.command(t, "", "ask", "--events", "--chat-model", "tiny-chat", "--set", "Lantern@2.1", wick)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(out)
	var last json.RawMessage
	for done := false; ; {
		var next json.RawMessage
		if err := d.Decode(&next); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%v after %s", err, last)
		}
		var e struct{ Phase, Kind string }
		if json.Unmarshal(next, &e) == nil && e.Kind == "text" && !done {
			done = true
			if e.Phase != "0a" {
				t.Errorf("the first words are of phase %s", e.Phase)
			}
			do()
		}
		last = next
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("docent ends with %v", err)
	}
	return read(t, string(last))
}

// checkDown checks the messages if the server is not running.
func (h phaseHome) checkDown(t *testing.T) {
	t.Helper()
	// The configuration names a model. Its absence is reported once, and all phases
	// use the built-in engine.
	out, errs := h.run(t, 0, "", "ask", "--json", "--explain", "--documents", wick)
	if a := read(t, out); strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "phases 0a, 0b") || !strings.Contains(errs, "connection refused; start it with ollama serve") || !degradedBy(a, "0a", "connection refused") {
		t.Errorf("%+v: %s", a.Degraded, errs)
	}
	out, errs = h.run(t, 3, "", "ask", "--json", "--explain", "--documents", "--engine", "ollama", wick)
	checkUnavailable(t, out, errs, "connection refused")
	out, errs = h.run(t, 3, wick, "phase", "0b", "--engine", "ollama")
	if !strings.Contains(out, `"errorCode":"MODELS_UNAVAILABLE"`) || !strings.Contains(errs, "connection refused") {
		t.Errorf("%s%s", out, errs)
	}
	// Without a configured model nothing is reported.
	builtin, _ := h.run(t, 0, "", "ask", "--json", "--explain", "--documents", "--engine", "builtin", wick)
	if err := os.WriteFile(filepath.Join(h.home, "docent.toml"), []byte("[search.tech_docs]\n"+everyIntent(t)), 0o600); err != nil {
		t.Fatal(err)
	}
	out, errs = h.run(t, 0, "", "ask", "--json", "--explain", "--documents", wick)
	if d := differs(t, out, builtin); errs != "" || d != "" {
		t.Errorf("%s%s", errs, d)
	}
}

// The server is not running.
func TestServerDown(t *testing.T) {
	t.Parallel()
	h := newPhaseHome(t, unusedAddress, "chat_model = \"tiny-chat\"\n", everyIntent(t))
	h.checkDown(t)
}

// scriptedServer is an HTTP server with Ollama's interface and one model. The
// function chat writes the lines of each chat's stream; it gets the prompt.
func scriptedServer(t *testing.T, chat func(http.ResponseWriter, *http.Request, string)) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/api/tags":
			fmt.Fprint(w, `{"models": [{"name": "tiny:latest", "model": "tiny:latest", "digest": "d1", "size": 1}]}`)
		case "/api/show":
			fmt.Fprint(w, `{"capabilities": ["completion"], "details": {"family": "llama"}, "model_info": {"general.architecture": "llama", "llama.context_length": 8192}}`)
		case "/api/version":
			fmt.Fprint(w, `{"version": "0.40.0"}`)
		case "/api/chat":
			var in struct{ Messages []struct{ Content string } }
			if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
				t.Errorf("a chat that is no JSON: %v", err)
			}
			if len(in.Messages) == 0 { // a preload
				fmt.Fprintln(w, `{"model": "tiny", "done": true, "done_reason": "load"}`)
				return
			}
			chat(w, r, in.Messages[len(in.Messages)-1].Content)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// reply writes a complete answer.
func reply(w http.ResponseWriter, text string) {
	enc := json.NewEncoder(w)
	_ = enc.Encode(map[string]any{"model": "tiny", "message": map[string]string{"role": "assistant", "content": text}})
	_ = enc.Encode(map[string]any{"model": "tiny", "message": map[string]string{"role": "assistant"}, "done": true, "done_reason": "stop"})
}

// A server that accepts connections but never answers costs one short wait in all
// phases together, and is reported once.
func TestHangingServer(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	var accepted atomic.Int32
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			accepted.Add(1)
			t.Cleanup(func() { _ = c.Close() })
		}
	}()
	h := newPhaseHome(t, l.Addr().String(), "chat_model = \"tiny\"\n", everyIntent(t))
	_, _ = h.run(t, 0, "", "ask", "--engine", "builtin", wick)
	if n := accepted.Load(); n != 0 {
		t.Fatalf("%d connections before a model is wanted", n)
	}
	out, errs := h.run(t, 0, "", "ask", "--json", "--explain", "--documents", "--compress", wick)
	a := read(t, out)
	if !degradedBy(a, "0a", "does not answer") || !degradedBy(a, "3", "does not answer") || strings.Count(errs, "\n") != 1 {
		t.Errorf("%+v: %s", a.Degraded, errs)
	}
	// Each connection is a wait of two seconds. Phases 0a and 0b run in parallel and
	// may wait once each. No later phase waits again.
	if n := accepted.Swap(0); n == 0 || n > 2 {
		t.Errorf("it was waited for %d times", n)
	}
	out, errs = h.run(t, 3, "", "ask", "--json", "--explain", "--documents", "--engine", "ollama", wick)
	checkUnavailable(t, out, errs, "does not answer")
	if n := accepted.Load(); n == 0 || n > 2 {
		t.Errorf("an error waited %d times", n)
	}
}

// With --engine builtin nothing is sent to the model server. Commands that need no
// model send nothing either.
func TestBuiltinSendsNothing(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	var asked atomic.Int32
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			asked.Add(1)
			_ = c.Close()
		}
	}()
	h := newPhaseHome(t, l.Addr().String(), "chat_model = \"tiny\"\n", everyIntent(t))
	for _, args := range [][]string{
		{"ask", "--engine", "builtin", wick}, {"ask", "--engine", "builtin", "--summarize", "--chat-model", "tiny", wick}, {"search", "--engine", "builtin", wick},
		{"phase", "0a", "--engine", "builtin"}, {"read", "Wicks"}, {"sets"}, {"status"}, {"update", "--engine", "builtin"}, {"config", "show"},
	} {
		h.run(t, 0, wick, args...)
		if n := asked.Load(); n != 0 {
			t.Fatalf("docent %q: %d connections", args, n)
		}
	}
	// Without --engine builtin the listener counts connections.
	h.run(t, 0, "", "ask", wick)
	if asked.Load() == 0 {
		t.Error("nobody is asked at all: the test tests nothing")
	}
}

// If a server is overloaded, slow or gone, each phase uses the built-in engine and
// reports the reason.
func TestServersThatFail(t *testing.T) {
	t.Parallel()
	prepared := preparePhaseHome(t)
	for _, tt := range []struct {
		name  string
		chat  func(http.ResponseWriter, *http.Request, string)
		says  string
		tries int32 // limit, for three phases together
		slow  bool
	}{
		{"full", func(w http.ResponseWriter, _ *http.Request, _ string) {
			http.Error(w, `{"error":"server busy, please try again"}`, http.StatusServiceUnavailable)
		}, "has too much to do: server busy, please try again; try again later", 3 * 4, true},
		{"slow", func(_ http.ResponseWriter, r *http.Request, _ string) { <-r.Context().Done() }, "tiny:latest was not done within 1s", 3, true},
		{"gone in the middle", func(w http.ResponseWriter, _ *http.Request, _ string) {
			fmt.Fprintln(w, `{"model": "tiny", "message": {"role": "assistant", "content": "{"}}`)
			http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}, "broke off", 3, false},
		{"failing", func(w http.ResponseWriter, _ *http.Request, _ string) {
			http.Error(w, "{\"error\":\"out of \\u001b[31mmemory\\u009b31m\\n at once\"}", http.StatusInternalServerError)
		}, "memory", 3, false},
		{"no Ollama", func(w http.ResponseWriter, _ *http.Request, _ string) {
			fmt.Fprint(w, "<html>Welcome to nginx!</html>")
		}, "", 3, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if tt.slow && testing.Short() {
				t.Skip("it waits")
			}
			var tries atomic.Int32
			s := scriptedServer(t, func(w http.ResponseWriter, r *http.Request, prompt string) {
				tries.Add(1)
				tt.chat(w, r, prompt)
			})
			models := "chat_model = \"tiny\"\nbudget = 1\n"
			if tt.name == "full" {
				models = "chat_model = \"tiny\"\n"
			}
			h := copyPhaseHome(t, prepared, s.URL, models, everyIntent(t))
			builtin, _ := h.run(t, 0, "", "ask", "--documents", "--engine", "builtin", wick)
			out, errs := h.run(t, 0, "", "ask", "--json", "--explain", "--documents", wick)
			if n := tries.Load(); n == 0 || n > tt.tries {
				t.Errorf("the server was asked %d times", n)
			}
			a := read(t, out)
			if !degradedBy(a, "0a", tt.says) || !degradedBy(a, "0b", "") || a.Final != strings.TrimSuffix(builtin, "\n") {
				t.Errorf("%+v\n%s", a.Degraded, a.Final)
			}
			if strings.Count(errs, "\n") != 1 || !strings.HasPrefix(errs, "docent: phases 0a, 0b, 1.5 were answered by builtin instead of ollama:tiny: ") {
				t.Errorf("it is not said once: %s", errs)
			}
		})
	}
}

// The output of a model is untrusted. Messages for people contain no control
// sequence of it.
func TestWhatModelsWriteIsClean(t *testing.T) {
	t.Parallel()
	const evil = "\x1b]0;owned\x07\x1b[2J\u009b31m"
	prepared := preparePhaseHome(t)
	for name, text := range map[string]string{
		"prose":          "Sure! " + evil,
		"an unknown":     `{"` + evil + `": 1}`,
		"a scene":        `{"scene": "\u001b[2J` + "\u009b" + `", "intent": "general", "confidence": "high", "reason": ""}`,
		"a grade's name": `{"1": 1, "\u001b[2J": 2}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := scriptedServer(t, func(w http.ResponseWriter, _ *http.Request, _ string) { reply(w, text) })
			h := copyPhaseHome(t, prepared, s.URL, "chat_model = \"tiny\"\n", everyIntent(t))
			out, errs := h.run(t, 0, "", "ask", "-v", "--json", "--explain", "--set", "Lantern@2.1", wick) // run looks at standard error
			if a := read(t, out); len(a.Degraded) < 2 || a.Engine["0a"] != "builtin" || !strings.Contains(errs, "phase") {
				t.Errorf("%+v: %s", a.Degraded, errs)
			}
		})
	}
}

// Good answers of a model are used in all phases, and a summary is marked as not
// verbatim.
func TestScriptedModelEndToEnd(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var prompts []string
	s := scriptedServer(t, func(w http.ResponseWriter, _ *http.Request, prompt string) {
		mu.Lock()
		prompts = append(prompts, prompt)
		mu.Unlock()
		switch {
		case strings.Contains(prompt, "Which of the sections"):
			reply(w, `{"keep": [1]}`)
		case strings.Contains(prompt, "Grade the passages"):
			grades := map[string]int{}
			for i := range strings.Count(prompt, "\nPassage ") {
				grades[fmt.Sprint(i+1)] = i % 4
			}
			raw, err := json.Marshal(grades)
			if err != nil {
				t.Error(err)
			}
			reply(w, string(raw))
		case strings.Contains(prompt, "<<section "):
			reply(w, "Cool the lantern, then trim it.")
		case strings.HasPrefix(prompt, "Documentation:"):
			reply(w, `{"doc_set": ["Lantern@2.1"], "domain_nouns": ["wick"], "predicate_verbs": ["trim"], "optimized_queries": [
				{"query": "trim wick", "strategy": "expansion", "reason": "short"}, {"query": "cut wick", "strategy": "expansion", "reason": "other verb"}, {"query": "wick care", "strategy": "expansion", "reason": "topic"}]}`)
		default:
			reply(w, `{"scene": "tutorial", "intent": "parameter_lookup", "confidence": "high", "reason": "asks how"}`)
		}
	})
	h := newPhaseHome(t, s.URL, "chat_model = \"tiny\"\n", "")
	out, errs := h.run(t, 0, "", "ask", "--json", "--explain", "--documents", "--summarize", wick)
	a := read(t, out)
	for _, phase := range []string{"0a", "0b", "1.5", "3"} {
		if a.Engine[phase] != "ollama:tiny" {
			t.Errorf("phase %s was answered by %s", phase, a.Engine[phase])
		}
	}
	if errs != "" || len(a.Degraded) != 0 || !strings.Contains(a.Final, " summarized, not verbatim …]\nCool the lantern, then trim it.\n[… end of the summary of lines ") {
		t.Errorf("%s%+v\n%s", errs, a.Degraded, a.Final)
	}
	verify, _ := h.run(t, 1, a.Final, "verify")
	if !strings.HasPrefix(verify, "unverified: ") || !strings.Contains(verify, "a model wrote this in place of lines ") || !strings.Contains(verify, " 0 altered\n") {
		t.Errorf("verify says %s", verify)
	}
	if verify, _ = h.run(t, 1, strings.Replace(a.Final, "# Lantern care", "# Lantern hair", 1), "verify", "--json"); !strings.Contains(verify, `"state":"altered"`) {
		t.Errorf("verify says %s", verify)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(prompts) < 5 {
		t.Errorf("only %d prompts", len(prompts))
	}
	for _, p := range prompts {
		if strings.Count(p, "<<question ") != 1 || !strings.Contains(p, wick) {
			t.Errorf("a prompt without its question:\n%s", p)
		}
	}
}
