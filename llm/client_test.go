package llm_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"docent/llm"
	"docent/llm/llmtest"
)

// with makes a client of a fake server. Both share a fake clock.
func with(opt llm.Options, exchanges ...llmtest.Exchange) (*llm.Client, *llmtest.Fake, *llmtest.Clock) {
	clock := llmtest.NewClock()
	fake := llmtest.NewFake(exchanges...)
	fake.Clock, opt.Clock = clock, clock
	return llm.New(fake, opt), fake, clock
}

func ask(text string) llm.ChatRequest {
	return llm.ChatRequest{Model: "m", Messages: []llm.Message{{Role: llm.User, Text: text}}}
}

func chat(e llmtest.Exchange) llmtest.Exchange {
	e.Op = llm.OpChat
	return e
}

func TestChat(t *testing.T) {
	t.Parallel()
	schema := []byte(`{"type":"object"}`)
	tests := []struct {
		name   string
		script []llmtest.Exchange
		edit   func(*llm.ChatRequest)
		opt    llm.Options
		text   string
		kind   llm.Kind
		says   string
		calls  int
		slept  []time.Duration
	}{
		{name: "an answer in pieces", script: []llmtest.Exchange{chat(llmtest.Exchange{Pieces: []string{"a", "b"}})}, text: "ab", calls: 1},
		{name: "no such model is not asked for again", script: nil, kind: llm.NotFound, calls: 1},
		{name: "refused once", script: []llmtest.Exchange{chat(llmtest.Exchange{Fails: llm.Unreachable, Times: 1}), chat(llmtest.Exchange{Pieces: []string{"x"}})},
			text: "x", calls: 2, slept: []time.Duration{200 * time.Millisecond}},
		{name: "refused twice", script: []llmtest.Exchange{chat(llmtest.Exchange{Fails: llm.Unreachable})}, kind: llm.Unreachable, calls: 2, slept: []time.Duration{200 * time.Millisecond}},
		{name: "overloaded twice", script: []llmtest.Exchange{chat(llmtest.Exchange{Fails: llm.Overloaded, Times: 2}), chat(llmtest.Exchange{Pieces: []string{"x"}})},
			text: "x", calls: 3, slept: []time.Duration{250 * time.Millisecond, 500 * time.Millisecond}},
		{name: "overloaded for good", script: []llmtest.Exchange{chat(llmtest.Exchange{Fails: llm.Overloaded, Reason: "queue full"})}, kind: llm.Overloaded, says: "queue full", calls: 4,
			slept: []time.Duration{250 * time.Millisecond, 500 * time.Millisecond, time.Second}},
		{name: "broken before a word was handed on", script: []llmtest.Exchange{chat(llmtest.Exchange{Pieces: []string{"half"}, Fails: llm.Broken, Times: 1}), chat(llmtest.Exchange{Pieces: []string{"whole"}})},
			text: "whole", calls: 2, slept: []time.Duration{200 * time.Millisecond}},
		{name: "broken while somebody reads along", script: []llmtest.Exchange{chat(llmtest.Exchange{Pieces: []string{"half"}, Fails: llm.Broken})},
			edit: func(r *llm.ChatRequest) { r.OnPiece = func(string) error { return nil } }, text: "half", kind: llm.Broken, calls: 1},
		{name: "a server that fails is not asked again", script: []llmtest.Exchange{chat(llmtest.Exchange{Fails: llm.Failed, Reason: "bad\nschema"})}, kind: llm.Failed, says: "bad schema", calls: 1},
		{name: "cut off keeps what there is", script: []llmtest.Exchange{chat(llmtest.Exchange{Pieces: []string{`{"a":`}, Fails: llm.CutOff})},
			edit: func(r *llm.ChatRequest) { r.Schema = schema }, text: `{"a":`, kind: llm.CutOff, calls: 1},
		{name: "no JSON where a schema was given", script: []llmtest.Exchange{chat(llmtest.Exchange{Pieces: []string{"Sure! {}"}})},
			edit: func(r *llm.ChatRequest) { r.Schema = schema }, text: "Sure! {}", kind: llm.BadAnswer, says: "no JSON", calls: 1},
		{name: "nothing where a schema was given", script: []llmtest.Exchange{chat(llmtest.Exchange{})},
			edit: func(r *llm.ChatRequest) { r.Schema = schema }, kind: llm.BadAnswer, says: "empty", calls: 1},
		{name: "two values where a schema was given", script: []llmtest.Exchange{chat(llmtest.Exchange{Pieces: []string{"{} {}"}})},
			edit: func(r *llm.ChatRequest) { r.Schema = schema }, text: "{} {}", kind: llm.BadAnswer, says: "more follows", calls: 1},
		{name: "an endless answer", script: []llmtest.Exchange{chat(llmtest.Exchange{Pieces: []string{"again "}, Endless: true})},
			opt: llm.Options{MaxBytes: 10}, text: "again agai", kind: llm.CutOff, says: "longer than 10 bytes", calls: 1},
		{name: "an endless slow answer", script: []llmtest.Exchange{chat(llmtest.Exchange{Pieces: []string{"a"}, Delay: 20 * time.Second, Endless: true})},
			text: strings.Repeat("a", 14), kind: llm.TimedOut, says: "within 5m0s", calls: 1},
		{name: "bytes that are no UTF-8", script: []llmtest.Exchange{chat(llmtest.Exchange{Pieces: []string{"a\xff", "b"}})}, text: "a\uFFFDb", calls: 1},
		{name: "slow, but in time", script: []llmtest.Exchange{chat(llmtest.Exchange{Pieces: []string{"a", "b"}, Delay: 29 * time.Second})}, text: "ab", calls: 1},
		{name: "the first piece may take longer than the next", script: []llmtest.Exchange{chat(llmtest.Exchange{Pieces: []string{"a", "b"}, Delay: 31 * time.Second})},
			text: "a", kind: llm.TimedOut, says: "nothing more came within 30s", calls: 1},
		{name: "hanging", script: []llmtest.Exchange{chat(llmtest.Exchange{Hangs: true})}, kind: llm.TimedOut, says: "nothing came within 2m0s", calls: 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c, fake, clock := with(tt.opt, tt.script...)
			r := ask("question")
			if tt.edit != nil {
				tt.edit(&r)
			}
			a, err := c.Chat(t.Context(), r)
			if a.Text != tt.text || llm.KindOf(err) != tt.kind || (err == nil) != (tt.kind == "") {
				t.Errorf("the answer is %q, %v; want %q, kind %q", a.Text, err, tt.text, tt.kind)
			}
			if err != nil && (!strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error(), "\n")) {
				t.Errorf("it says %q, without %q", err, tt.says)
			}
			if n := fake.Count(llm.OpChat); n != tt.calls {
				t.Errorf("%d calls, want %d", n, tt.calls)
			}
			if got := clock.SleptDurations(); !reflect.DeepEqual(got, tt.slept) {
				t.Errorf("it slept %v, want %v", got, tt.slept)
			}
			if n := clock.Timers(); n != 0 {
				t.Errorf("%d timers are left", n)
			}
		})
	}
}

// A request without a token limit gets the default one, and invalid UTF-8 is
// replaced.
func TestChatRequestIsFilledIn(t *testing.T) {
	t.Parallel()
	c, fake, _ := with(llm.Options{MaxTokens: 77}, chat(llmtest.Exchange{Pieces: []string{"x"}}))
	r := ask("a\xffb")
	if _, err := c.Chat(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if r.Messages[0].Text != "a\xffb" {
		t.Error("the caller's own messages were changed")
	}
	for _, call := range fake.RecordedCalls() {
		if call.Op == llm.OpChat && (call.Chat.MaxTokens != 77 || call.Chat.Messages[0].Text != "a\uFFFDb") {
			t.Errorf("%+v went out", call.Chat)
		}
	}
}

// An error of OnPiece stops the call and is its cause.
func TestOnPieceStops(t *testing.T) {
	t.Parallel()
	c, fake, _ := with(llm.Options{}, chat(llmtest.Exchange{Pieces: []string{"a", "b", "c"}}))
	enough := errors.New("enough")
	r := ask("q")
	n := 0
	r.OnPiece = func(string) error {
		if n++; n == 2 {
			return enough
		}
		return nil
	}
	_, err := c.Chat(t.Context(), r)
	if !errors.Is(err, enough) || llm.KindOf(err) != llm.Cancelled || n != 2 || fake.Count(llm.OpChat) != 1 {
		t.Errorf("%v after %d pieces and %d calls", err, n, fake.Count(llm.OpChat))
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	c, fake, _ := with(llm.Options{}, chat(llmtest.Exchange{Pieces: []string{"a", "b"}}))
	ctx, cancel := context.WithCancel(t.Context())
	r := ask("q")
	r.OnPiece = func(string) error { cancel(); return nil }
	_, err := c.Chat(ctx, r)
	if !errors.Is(err, context.Canceled) || llm.KindOf(err) != llm.Cancelled {
		t.Errorf("cancelled in the middle: %v", err)
	}
	before := len(fake.RecordedCalls())
	if _, err := c.Models(ctx); !errors.Is(err, context.Canceled) || len(fake.RecordedCalls()) != before {
		t.Errorf("cancelled before: %v, %d calls", err, len(fake.RecordedCalls())-before)
	}
	// A cancelled call does not count as a failure of the server.
	if _, err := c.Models(t.Context()); err != nil {
		t.Errorf("after that: %v", err)
	}
	late, stop := context.WithDeadline(t.Context(), time.Unix(1, 0))
	defer stop()
	if _, err := c.Models(late); llm.KindOf(err) != llm.TimedOut || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("after the caller's deadline: %v", err)
	}
}

// A dead server costs one short wait; further calls fail at once. When it is back,
// calls succeed again.
func TestCircuit(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		dead llmtest.Exchange
		wait time.Duration // of the first call
	}{
		{"nobody listens", llmtest.Exchange{Op: llm.OpPing, Fails: llm.Unreachable, Reason: "connection refused", Times: 3}, 0},
		// A fake that hangs lets an hour pass, in which the time limit strikes.
		{"it hangs", llmtest.Exchange{Op: llm.OpPing, Hangs: true, Times: 3}, time.Hour},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c, fake, clock := with(llm.Options{}, tt.dead, chat(llmtest.Exchange{Pieces: []string{"x"}}))
			start := clock.Now()
			for i := range 100 {
				_, err := c.Chat(t.Context(), ask("q"))
				e, ok := errors.AsType[*llm.Error](err)
				if !ok || i > 0 && (e.Kind != llm.Unreachable || e.Wait <= 0 || e.Op != llm.OpChat) {
					t.Fatalf("call %d: %v", i, err)
				}
				if i == 1 && !strings.Contains(err.Error(), "tried again in 10s") {
					t.Errorf("it says %q", err)
				}
			}
			if got := clock.Now().Sub(start); got != tt.wait {
				t.Errorf("100 calls took %v, not %v", got, tt.wait)
			}
			pings := fake.Count(llm.OpPing)
			if n := fake.Count(llm.OpChat); n != 0 {
				t.Errorf("%d chats went out", n)
			}
			// It is tried once after 10 s, and then after 20 s only.
			clock.Advance(11 * time.Second)
			if _, err := c.Chat(t.Context(), ask("q")); err == nil {
				t.Fatal("it answers already")
			}
			clock.Advance(11 * time.Second)
			if _, err := c.Chat(t.Context(), ask("q")); err == nil || fake.Count(llm.OpPing) != 2*pings {
				t.Errorf("%v; %d pings, then %d", err, pings, fake.Count(llm.OpPing))
			}
			clock.Advance(10 * time.Second)
			if _, err := c.Chat(t.Context(), ask("q")); err == nil {
				t.Fatal("the third try succeeds too early")
			}
			clock.Advance(41 * time.Second)
			if a, err := c.Chat(t.Context(), ask("q")); err != nil || a.Text != "x" {
				t.Errorf("when it is back: %q, %v", a.Text, err)
			}
			if _, err := c.Chat(t.Context(), ask("q")); err != nil {
				t.Errorf("and then: %v", err)
			}
		})
	}
}

// Consecutive failures open the circuit even if pings succeed. A success resets
// the count. An error status about a request is not a failure of the server.
func TestCircuitCounts(t *testing.T) {
	t.Parallel()
	c, fake, _ := with(llm.Options{}, chat(llmtest.Exchange{Contains: "break", Fails: llm.Broken}), chat(llmtest.Exchange{Contains: "bad", Fails: llm.Failed}), chat(llmtest.Exchange{Pieces: []string{"x"}}))
	do := func(texts ...string) (err error) {
		for _, s := range texts {
			_, err = c.Chat(t.Context(), ask(s))
		}
		return err
	}
	open := func(err error) bool {
		e, ok := errors.AsType[*llm.Error](err)
		return ok && e.Wait > 0
	}
	if err := do("break", "break", "fine", "break", "break", "bad", "bad", "bad", "bad", "break", "break"); open(err) {
		t.Fatalf("open too early: %v", err)
	}
	n := fake.Count(llm.OpChat)
	if err := do("break"); open(err) || err == nil {
		t.Fatalf("the third in a row: %v", err)
	}
	if err := do("fine"); !open(err) || fake.Count(llm.OpChat) != n+2 {
		t.Errorf("after three in a row: %v, %d calls", err, fake.Count(llm.OpChat)-n)
	}
}

// A refused connection is retried only if the server has answered before: then it
// may be restarting.
func TestRefusal(t *testing.T) {
	t.Parallel()
	gone := llmtest.Exchange{Op: llm.OpPing, Fails: llm.Unreachable, Times: 1}
	c, fake, clock := with(llm.Options{}, gone, chat(llmtest.Exchange{Pieces: []string{"x"}}))
	start := clock.Now()
	if _, err := c.Chat(t.Context(), ask("q")); err == nil || clock.Now() != start || fake.Count(llm.OpPing) != 1 {
		t.Errorf("never heard of: %v after %v and %d pings", err, clock.Now().Sub(start), fake.Count(llm.OpPing))
	}
	good := llmtest.Exchange{Op: llm.OpPing, Times: 1}
	c, fake, clock = with(llm.Options{}, good, gone, chat(llmtest.Exchange{Pieces: []string{"x"}}))
	if _, err := c.Chat(t.Context(), ask("q")); err != nil {
		t.Fatal(err)
	}
	clock.Advance(time.Minute) // long enough to ask for a sign of life
	start = clock.Now()
	if _, err := c.Chat(t.Context(), ask("q")); err != nil || clock.Now().Sub(start) != 200*time.Millisecond || fake.Count(llm.OpPing) != 3 {
		t.Errorf("refused once: %v after %v and %d pings", err, clock.Now().Sub(start), fake.Count(llm.OpPing))
	}
}

// A cancelled trial call must not leave the circuit half-open for ever.
func TestCancelledTrial(t *testing.T) {
	t.Parallel()
	c, _, clock := with(llm.Options{}, llmtest.Exchange{Op: llm.OpPing, Fails: llm.Unreachable, Times: 1}, chat(llmtest.Exchange{Pieces: []string{"x"}}))
	if _, err := c.Chat(t.Context(), ask("q")); err == nil {
		t.Fatal("no failure")
	}
	clock.Advance(time.Minute)
	ctx, cancel := context.WithCancel(t.Context())
	r := ask("q")
	r.OnPiece = func(string) error { cancel(); return ctx.Err() }
	if _, err := c.Chat(ctx, r); llm.KindOf(err) != llm.Cancelled {
		t.Fatal(err)
	}
	if _, err := c.Chat(t.Context(), ask("q")); err != nil {
		t.Errorf("after the cancelled trial: %v", err)
	}
}

// The server is pinged after an idle time, not before every call.
func TestProbe(t *testing.T) {
	t.Parallel()
	c, fake, clock := with(llm.Options{}, chat(llmtest.Exchange{Pieces: []string{"x"}}))
	for range 5 {
		if _, err := c.Chat(t.Context(), ask("q")); err != nil {
			t.Fatal(err)
		}
		clock.Advance(time.Second)
	}
	if n := fake.Count(llm.OpPing); n != 1 {
		t.Errorf("%d pings for five calls in five seconds", n)
	}
	clock.Advance(time.Minute)
	if _, err := c.Chat(t.Context(), ask("q")); err != nil || fake.Count(llm.OpPing) != 2 {
		t.Errorf("after a minute: %v, %d pings", err, fake.Count(llm.OpPing))
	}
}

func TestEmbed(t *testing.T) {
	t.Parallel()
	c, fake, _ := with(llm.Options{Batch: 3})
	texts := []string{"a", "", "b c", " \n\t", "d", "e", "f", "g\xff", "h"}
	var done []int
	got, err := c.Embed(t.Context(), llm.EmbedRequest{Model: "m", Texts: texts, OnBatch: func(n int) { done = append(done, n) }})
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		want := llmtest.Vector(strings.ToValidUTF8(text, "\uFFFD"), 8)
		if strings.TrimSpace(text) == "" {
			want = nil
		}
		if !reflect.DeepEqual(got[i], want) {
			t.Errorf("%q has %v, not %v", text, got[i], want)
		}
	}
	if want := []int{5, 8, 9}; !reflect.DeepEqual(done, want) {
		t.Errorf("progress was %v, not %v", done, want)
	}
	if n := fake.Count(llm.OpEmbed); n != 3 {
		t.Errorf("%d batches", n)
	}
	// Without texts to embed no request is sent.
	for _, none := range [][]string{nil, {}, {"", " "}} {
		if got, err := c.Embed(t.Context(), llm.EmbedRequest{Model: "m", Texts: none}); err != nil || len(got) != len(none) || fake.Count(llm.OpEmbed) != 3 {
			t.Errorf("%q: %v, %v", none, got, err)
		}
	}
}

func TestBadVectors(t *testing.T) {
	t.Parallel()
	nan := float32(math.NaN())
	for _, tt := range []struct {
		name      string
		vectors   [][]float32
		dimension int
		says      string
	}{
		{"too few", [][]float32{{1, 0}}, 0, "1 vectors for 2 texts"},
		{"of two dimensions", [][]float32{{1, 0}, {1, 0, 0}}, 0, "3 dimensions where there should be 2"},
		{"of another than asked for", [][]float32{{1, 0}, {0, 1}}, 4, "2 dimensions where there should be 4"},
		{"empty", [][]float32{{}, {}}, 0, "0 dimensions"},
		{"zero", [][]float32{{0, 0}, {1, 0}}, 0, "length 0"},
		{"not a number", [][]float32{{nan, 0}, {1, 0}}, 0, "NaN"},
	} {
		c, _, _ := with(llm.Options{}, llmtest.Exchange{Op: llm.OpEmbed, Vectors: tt.vectors})
		_, err := c.Embed(t.Context(), llm.EmbedRequest{Model: "m", Texts: []string{"a", "b"}, Dimension: tt.dimension})
		if llm.KindOf(err) != llm.BadAnswer || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// All vectors are normalized to length 1.
func TestVectorsHaveLengthOne(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SliceOfN(rapid.Float32Range(-1e6, 1e6), 3, 3).Draw(t, "vector")
		v[0] = max(v[0], 1)
		c, _, _ := with(llm.Options{}, llmtest.Exchange{Op: llm.OpEmbed, Vectors: [][]float32{v}})
		got, err := c.Embed(context.Background(), llm.EmbedRequest{Model: "m", Texts: []string{"a"}})
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, x := range got[0] {
			sum += float64(x) * float64(x)
		}
		if math.Abs(sum-1) > 2e-4 {
			t.Fatalf("%v has length² %v", got[0], sum)
		}
	})
}

func TestModelsAndPull(t *testing.T) {
	t.Parallel()
	c, fake, _ := with(llm.Options{}, llmtest.Exchange{Op: llm.OpPull, Pieces: []string{"manifest", "layer"}})
	fake.Installed = []llm.Model{{Name: "z:1"}, {Name: "a\xff:1"}}
	models, err := c.Models(t.Context())
	if err != nil || len(models) != 2 || models[0].Name != "a\uFFFD:1" {
		t.Errorf("%v, %v", models, err)
	}
	if _, err := c.Model(t.Context(), "q"); llm.KindOf(err) != llm.NotFound || !strings.Contains(err.Error(), `no model "q"`) {
		t.Errorf("a model that is missing: %v", err)
	}
	var seen []string
	if err := c.Pull(t.Context(), "q:1", func(p llm.Progress) { seen = append(seen, fmt.Sprintf("%s %d/%d", p.Status, p.Done, p.Total)) }); err != nil {
		t.Fatal(err)
	}
	if want := []string{"manifest 1/2", "layer 2/2"}; !reflect.DeepEqual(seen, want) {
		t.Errorf("progress was %q", seen)
	}
	if _, err := c.Model(t.Context(), "q:1"); err != nil {
		t.Errorf("after the pull: %v", err)
	}
	if err := c.Preload(t.Context(), "q:1", llm.CanChat); err != nil {
		t.Error(err)
	}
	if v, err := c.Version(t.Context()); v != "" || err != nil {
		t.Errorf("a version of %q, %v", v, err)
	}
}

func TestChoose(t *testing.T) {
	t.Parallel()
	chat, embed := []llm.Capability{llm.CanChat}, []llm.Capability{llm.CanEmbed}
	for _, tt := range []struct {
		name   string
		models []llm.Model
		want   string
	}{
		{"none", nil, ""},
		{"only embedders", []llm.Model{{Name: "qwen3:4b", Capabilities: embed}}, ""},
		{"the better one", []llm.Model{{Name: "gemma3:4b", Capabilities: chat}, {Name: "qwen3:4b", Capabilities: chat}}, "qwen3:4b"},
		{"a name without a tag takes any", []llm.Model{{Name: "gemma4:latest", Capabilities: chat}, {Name: "gemma4:e2b", Capabilities: chat}}, "gemma4:e2b"},
		{"what it can is not known", []llm.Model{{Name: "qwen3:4b"}}, "qwen3:4b"},
		{"any, the smallest", []llm.Model{{Name: "b", Size: 5, Capabilities: chat}, {Name: "a", Size: 9, Capabilities: chat}, {Name: "c", Size: 1, Capabilities: embed}}, "b"},
		{"any, but not what may be anything", []llm.Model{{Name: "b"}}, ""},
	} {
		got, ok := llm.Choose(tt.models, llm.ChatModels(), llm.CanChat)
		if got.Name != tt.want || ok != (tt.want != "") {
			t.Errorf("%s: %q, %v", tt.name, got.Name, ok)
		}
	}
	if !llm.SameName("a", "a:latest") || llm.SameName("a:1", "a") || !llm.SameName("http://h:5/a", "h:5/a:latest") || !llm.SameName("registry.ollama.ai/library/a", "a") {
		t.Error("names without a tag")
	}
}

// Recorded reads exchanges from a JSON file.
func TestRecorded(t *testing.T) {
	t.Parallel()
	c := llm.New(llmtest.Recorded(t, "testdata/exchanges.json"), llm.Options{})
	a, err := c.Chat(t.Context(), ask("what is a pod?"))
	if err != nil || a.Text != `{"scene": "fact_lookup"}` {
		t.Errorf("%q, %v", a.Text, err)
	}
	if _, err := c.Chat(t.Context(), ask("else")); llm.KindOf(err) != llm.CutOff {
		t.Error(err)
	}
}
