// Package llmtest helps to test code that uses language models. It has a fake
// server with scripted or recorded answers, a fake clock, and a real Ollama
// server with tiny models that the package generates.
//
// It refuses to be linked into the program and to reach a network. The real
// server listens on the loopback address. The tiny models have random weights
// from a fixed seed: their answers are nonsense, and obey a schema.
//
// Terms: an exchange is one request and its answer or error.
package llmtest

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"docent/llm"
)

// Exchange is one call and its answer. Zero fields match any request.
type Exchange struct {
	Op    llm.Op `json:"op"`
	Model string `json:"model,omitempty"`
	// Contains is a part of the last message of a chat, or of the first text to
	// embed.
	Contains string `json:"contains,omitempty"`
	// Times limits how often the exchange is used; 0: no limit.
	Times int `json:"times,omitempty"`

	// Pieces are the streamed parts of a chat's answer.
	Pieces []string `json:"pieces,omitempty"`
	// FirstTokens are returned if the request sets TopLogProbs.
	FirstTokens []llm.Token `json:"first,omitempty"`
	// Vectors are the embeddings; nil: Vector of each text.
	Vectors [][]float32 `json:"vectors,omitempty"`
	// Delay advances the fake's clock before each piece, or before the answer.
	Delay time.Duration `json:"delay,omitempty"`
	// Fails ends the call with an error of this kind, after the pieces.
	Fails  llm.Kind `json:"fails,omitempty"`
	Reason string   `json:"reason,omitempty"`
	// Hangs sends no answer until the call is cancelled. The clock, if there is
	// one, is advanced so that timeouts expire.
	Hangs bool `json:"hangs,omitempty"`
	// Endless repeats the last piece for ever.
	Endless bool `json:"endless,omitempty"`
}

// Call is a call that a fake received.
type Call struct {
	Op    llm.Op
	Model string
	Chat  llm.ChatRequest
	Texts []string
}

// Fake is a model server in memory. It implements llm.Server and llm.Puller.
type Fake struct {
	// Clock is the client's clock; nil: delays are skipped.
	Clock *Clock
	// Installed are the models on the server.
	Installed []llm.Model
	// Dimension is the dimension of generated embeddings; 0: 8.
	Dimension int

	mu        sync.Mutex
	exchanges []Exchange
	left      []int // remaining uses of each exchange that has Times
	calls     []Call
}

// NewFake makes a fake with a script. The first exchange that matches a call and
// is not used up answers it. A ping succeeds without an exchange.
func NewFake(exchanges ...Exchange) *Fake {
	f := &Fake{exchanges: exchanges}
	for _, e := range exchanges {
		f.left = append(f.left, e.Times)
	}
	return f
}

// Recorded makes a fake from a file with a JSON list of exchanges.
func Recorded(t testing.TB, path string) *Fake {
	t.Helper()
	raw, err := os.ReadFile(filepath.FromSlash(path))
	if err != nil {
		t.Fatal(err)
	}
	var exchanges []Exchange
	if err := json.Unmarshal(raw, &exchanges); err != nil || len(exchanges) == 0 {
		t.Fatalf("%s: %d exchanges: %v", path, len(exchanges), err)
	}
	return NewFake(exchanges...)
}

// RecordedCalls returns the calls so far, pings included.
func (f *Fake) RecordedCalls() []Call {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.calls)
}

// Count returns the number of calls of one kind.
func (f *Fake) Count(op llm.Op) int {
	n := 0
	for _, c := range f.RecordedCalls() {
		if c.Op == op {
			n++
		}
	}
	return n
}

// Engine is "fake".
func (f *Fake) Engine() string { return "fake" }

// Address is an address that cannot exist (RFC 2606).
func (f *Fake) Address() string { return "http://fake.invalid" }

// recordCall records a call and finds its exchange.
func (f *Fake) recordCall(c Call, text string) (Exchange, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = append(f.calls, c)
	for i, e := range f.exchanges {
		if e.Op != c.Op || e.Model != "" && e.Model != c.Model || !strings.Contains(text, e.Contains) || e.Times > 0 && f.left[i] == 0 {
			continue
		}
		f.left[i]--
		return e, true
	}
	return Exchange{}, false
}

// playExchange performs an exchange: its delays, pieces and failure.
func (f *Fake) playExchange(ctx context.Context, e Exchange, pieces func(string) error) error {
	wait := func(d time.Duration) error {
		if f.Clock != nil && d > 0 {
			f.Clock.Advance(d)
		}
		return ctx.Err()
	}
	if e.Hangs {
		if f.Clock != nil {
			f.Clock.Advance(time.Hour)
		}
		<-ctx.Done()
		return &llm.Error{Kind: llm.Cancelled, Err: ctx.Err()}
	}
	if len(e.Pieces) == 0 || pieces == nil {
		if err := wait(e.Delay); err != nil {
			return err
		}
	} else {
		for i := 0; i < len(e.Pieces); i++ {
			if err := wait(e.Delay); err != nil {
				return err
			}
			if err := pieces(e.Pieces[i]); err != nil {
				return err
			}
			if e.Endless && i == len(e.Pieces)-1 {
				i--
			}
		}
	}
	if e.Fails != "" {
		return &llm.Error{Kind: e.Fails, Reason: e.Reason}
	}
	return ctx.Err()
}

// Chat answers from the script. Without a matching exchange it fails with
// NotFound.
func (f *Fake) Chat(ctx context.Context, r llm.ChatRequest) (llm.Answer, error) {
	last := ""
	if n := len(r.Messages); n > 0 {
		last = r.Messages[n-1].Text
	}
	e, ok := f.recordCall(Call{Op: llm.OpChat, Model: r.Model, Chat: r}, last)
	if !ok {
		return llm.Answer{}, &llm.Error{Kind: llm.NotFound, Reason: "no exchange fits the call"}
	}
	a := llm.Answer{Model: r.Model}
	if r.TopLogProbs > 0 {
		a.FirstTokens = e.FirstTokens
	}
	err := f.playExchange(ctx, e, func(s string) error {
		a.Text += s
		a.Tokens++
		if r.OnPiece != nil {
			return r.OnPiece(s)
		}
		return nil
	})
	return a, err
}

// Embed returns the exchange's vectors, or else Vector of each text.
func (f *Fake) Embed(ctx context.Context, r llm.EmbedRequest) ([][]float32, error) {
	first := ""
	if len(r.Texts) > 0 {
		first = r.Texts[0]
	}
	e, _ := f.recordCall(Call{Op: llm.OpEmbed, Model: r.Model, Texts: r.Texts}, first)
	if err := f.playExchange(ctx, e, nil); err != nil {
		return nil, err
	}
	if e.Vectors != nil {
		return e.Vectors, nil
	}
	dimension := f.Dimension
	if dimension == 0 {
		dimension = 8
	}
	out := make([][]float32, len(r.Texts))
	for i, t := range r.Texts {
		out[i] = Vector(t, dimension)
	}
	return out, nil
}

// Vector is a deterministic embedding of length 1. Texts that share more words
// have a higher cosine similarity.
func Vector(text string, dimension int) []float32 {
	sums := make([]float64, dimension)
	sums[0] = 1e-3
	for _, w := range strings.Fields(strings.ToLower(text)) {
		h := fnv.New64a()
		h.Write([]byte(w))
		n := h.Sum64()
		sign := 1.0
		if n&(1<<40) != 0 {
			sign = -1
		}
		sums[n%uint64(dimension)] += sign
	}
	norm := 0.0
	for _, x := range sums {
		norm += x * x
	}
	norm = math.Sqrt(norm)
	v := make([]float32, dimension)
	for i, x := range sums {
		v[i] = float32(x / norm)
	}
	return v
}

// Models lists the installed models.
func (f *Fake) Models(ctx context.Context) ([]llm.Model, error) {
	e, _ := f.recordCall(Call{Op: llm.OpModels}, "")
	return slices.Clone(f.Installed), f.playExchange(ctx, e, nil)
}

// Model finds an installed model.
func (f *Fake) Model(ctx context.Context, name string) (llm.Model, error) {
	e, _ := f.recordCall(Call{Op: llm.OpModels, Model: name}, "")
	if err := f.playExchange(ctx, e, nil); err != nil {
		return llm.Model{}, err
	}
	m, ok := llm.FindModel(f.Installed, name)
	if !ok {
		return m, &llm.Error{Kind: llm.NotFound, Model: name}
	}
	return m, nil
}

// Preload only performs its exchange.
func (f *Fake) Preload(ctx context.Context, model string, _ llm.Capability) error {
	e, _ := f.recordCall(Call{Op: llm.OpPreload, Model: model}, "")
	return f.playExchange(ctx, e, nil)
}

// Ping succeeds, unless an exchange says otherwise.
func (f *Fake) Ping(ctx context.Context) error {
	e, _ := f.recordCall(Call{Op: llm.OpPing}, "")
	return f.playExchange(ctx, e, nil)
}

// Pull reports the exchange's pieces as progress, and then installs the model.
func (f *Fake) Pull(ctx context.Context, name string, watch func(llm.Progress)) error {
	e, _ := f.recordCall(Call{Op: llm.OpPull, Model: name}, "")
	n := int64(0)
	err := f.playExchange(ctx, e, func(s string) error {
		n++
		watch(llm.Progress{Status: s, Done: n, Total: int64(len(e.Pieces))})
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.Installed = append(f.Installed, llm.Model{Name: name})
	return nil
}

// String lists the calls, for failure messages.
func (f *Fake) String() string {
	var b strings.Builder
	for _, c := range f.RecordedCalls() {
		fmt.Fprintf(&b, "%s %s\n", c.Op, c.Model)
	}
	return b.String()
}
