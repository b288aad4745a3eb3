package model_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"docent/llm"
	"docent/llm/llmtest"
	"docent/pipeline/contract"
	"docent/pipeline/contract/model"
)

// counted counts its calls and answers with the question.
type counted struct {
	mu    sync.Mutex
	calls []string
	fail  error
}

func (c *counted) Chat(_ context.Context, r llm.ChatRequest) (llm.Answer, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	text := r.Messages[0].Text
	c.calls = append(c.calls, text)
	if c.fail != nil {
		return llm.Answer{Text: "half"}, c.fail
	}
	if r.OnPiece != nil {
		for p := range strings.SplitSeq(text, " ") {
			if err := r.OnPiece(p); err != nil {
				return llm.Answer{}, err
			}
		}
	}
	return llm.Answer{Text: text, FirstTokens: []llm.Token{{Text: "yes", LogProb: -1}}}, nil
}

func question(text string) llm.ChatRequest {
	return llm.ChatRequest{Model: "tiny", Messages: []llm.Message{{Role: llm.User, Text: text}}}
}

// The same request is asked once; whatever is different about it is another.
func TestMemory(t *testing.T) {
	t.Parallel()
	var memory model.Memory
	c := &counted{}
	one := memory.Remember(c, "http://one")
	chat := func(c model.Chatter, ctx context.Context, r llm.ChatRequest) string {
		t.Helper()
		a, err := c.Chat(ctx, r)
		if err != nil {
			t.Fatal(err)
		}
		if len(a.FirstTokens) != 1 || a.FirstTokens[0].Text != "yes" {
			t.Errorf("its first tokens are %v", a.FirstTokens)
		}
		return a.Text
	}
	for range 3 {
		if got := chat(one, t.Context(), question("a b")); got != "a b" {
			t.Errorf("the answer is %q", got)
		}
	}
	if n := len(c.calls); n != 1 {
		t.Fatalf("it was asked %d times", n)
	}
	// A remembered answer is watched too, and the watcher can end it.
	var pieces []string
	r := question("a b")
	r.OnPiece = func(p string) error { pieces = append(pieces, p); return nil }
	chat(one, t.Context(), r)
	stop := errors.New("stop")
	r.OnPiece = func(string) error { return stop }
	if _, err := one.Chat(t.Context(), r); !errors.Is(err, stop) || !slices.Equal(pieces, []string{"a b"}) || len(c.calls) != 1 {
		t.Errorf("pieces %q, %v, %d calls", pieces, err, len(c.calls))
	}
	different := []llm.ChatRequest{question("c")}
	for _, alter := range []func(*llm.ChatRequest){
		func(r *llm.ChatRequest) { r.Model = "other" },
		func(r *llm.ChatRequest) { r.Schema = []byte(`{}`) },
		func(r *llm.ChatRequest) { r.Seed = 1 },
		func(r *llm.ChatRequest) { r.Temperature = 1 },
		func(r *llm.ChatRequest) { r.MaxTokens = 1 },
		func(r *llm.ChatRequest) { r.Raw = true },
		func(r *llm.ChatRequest) { r.TopLogProbs = 20 },
		func(r *llm.ChatRequest) { r.Messages[0].Role = llm.System },
	} {
		r := question("a b")
		alter(&r)
		different = append(different, r)
	}
	for _, r := range different {
		chat(one, t.Context(), r)
	}
	chat(memory.Remember(c, "http://two"), t.Context(), question("a b"))
	if n := len(c.calls); n != 1+len(different)+1 {
		t.Errorf("%d different requests were asked %d times", 2+len(different), n)
	}
}

// A lookup makes no request; failures are not remembered.
func TestMemoryRecallsAndForgets(t *testing.T) {
	t.Parallel()
	var memory model.Memory
	c := &counted{}
	m := memory.Remember(c, "x")
	recalled := memory.Recalled("x")
	if _, err := recalled.Chat(t.Context(), question("a")); !errors.Is(err, model.ErrNone) || len(c.calls) != 0 {
		t.Errorf("recalled before it was asked: %v, %d calls", err, len(c.calls))
	}
	// A phase then takes its built-in answer, and says nothing.
	trace, used, err := fixed(model.Model{Chat: recalled, Name: "tiny", Engine: "fake:tiny"}, nil).TryModel(t.Context(), "0a", func(ctx context.Context, m model.Model) error {
		_, err := m.Chat.Chat(ctx, question("a"))
		return err
	})
	if err != nil || used || trace.Engine != contract.EngineBuiltin || len(trace.Degraded) != 0 {
		t.Errorf("%+v, %v, %v", trace, used, err)
	}
	c.fail = &llm.Error{Kind: llm.CutOff}
	if a, err := m.Chat(t.Context(), question("a")); llm.KindOf(err) != llm.CutOff || a.Text != "half" {
		t.Errorf("%+v, %v", a, err)
	}
	if _, err := recalled.Chat(t.Context(), question("a")); !errors.Is(err, model.ErrNone) {
		t.Errorf("a failure is remembered: %v", err)
	}
	c.fail = nil
	if _, err := m.Chat(t.Context(), question("a")); err != nil {
		t.Error(err)
	}
	if a, err := recalled.Chat(t.Context(), question("a")); err != nil || a.Text != "a" || len(c.calls) != 2 {
		t.Errorf("%+v, %v, %d calls", a, err, len(c.calls))
	}
	// The oldest is forgotten, and only that.
	const most = 256
	for i := range most {
		if _, err := m.Chat(t.Context(), question(fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
	}
	for text, known := range map[string]bool{"a": false, "0": true, fmt.Sprint(most - 1): true} {
		if _, err := recalled.Chat(t.Context(), question(text)); (err == nil) != known {
			t.Errorf("%q is remembered: %v", text, err)
		}
	}
}

func TestMemoryForSeveral(t *testing.T) {
	t.Parallel()
	var memory model.Memory
	c := &counted{}
	var all sync.WaitGroup
	for range 8 {
		m := memory.Remember(c, "x")
		all.Go(func() {
			for i := range 400 {
				text := fmt.Sprint(i % 300)
				if a, err := m.Chat(t.Context(), question(text)); err != nil || a.Text != text {
					t.Errorf("%q was answered by %q, %v", text, a.Text, err)
				}
			}
		})
	}
	all.Wait()
}

// Answers through a real client are remembered: a second run costs no call.
func TestMemoryOverAClient(t *testing.T) {
	t.Parallel()
	f := llmtest.NewFake(llmtest.Exchange{Op: llm.OpChat, Times: 1, Pieces: []string{"hel", "lo"}})
	var memory model.Memory
	m := memory.Remember(llm.New(f, llm.Options{}), f.Address())
	for range 2 {
		if a, err := m.Chat(t.Context(), question("x")); err != nil || a.Text != "hello" {
			t.Errorf("%+v, %v", a, err)
		}
	}
	if n := f.Count(llm.OpChat); n != 1 {
		t.Errorf("%d calls", n)
	}
}
