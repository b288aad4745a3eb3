// Package llmtest is for tests of whatever uses models: a fake server that
// answers by a script or with recorded exchanges, a clock that need not be waited
// for, and a real Ollama server with tiny models that it writes itself.
//
// It refuses to be linked into the program, and to reach a network: the real
// server listens on the loopback address, and its models are random numbers with
// a seed, which speak nonsense and obey a schema all the same.
//
// Terms: an exchange is one request and what came of it.
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

// Exchange is one call and its answer. What is zero in it fits any request.
type Exchange struct {
	Op    llm.Op `json:"op"`
	Model string `json:"model,omitempty"`
	// Contains must stand in the last message of a chat, or in the first text to
	// embed.
	Contains string `json:"contains,omitempty"`
	// Times is how often the exchange may take place; 0: any number of times.
	Times int `json:"times,omitempty"`

	// Pieces make up the answer of a chat.
	Pieces []string `json:"pieces,omitempty"`
	// First are the likeliest first tokens, if they are asked for.
	First   []llm.Token `json:"first,omitempty"`
	Vectors [][]float32 `json:"vectors,omitempty"` // nil: made from the texts
	// Delay passes on the fake's clock before each piece, or before the answer.
	Delay time.Duration `json:"delay,omitempty"`
	// Fails ends the call, after the pieces.
	Fails  llm.Kind `json:"fails,omitempty"`
	Reason string   `json:"reason,omitempty"`
	// Hangs: no answer comes, until the call is cancelled. With a Clock the time
	// passes for it.
	Hangs bool `json:"hangs,omitempty"`
	// Endless: the last piece comes again and again.
	Endless bool `json:"endless,omitempty"`
}

// Call is what a fake was asked.
type Call struct {
	Op    llm.Op
	Model string
	Chat  llm.ChatRequest
	Texts []string
}

// Fake is a server in memory. It implements llm.Server and llm.Puller.
type Fake struct {
	// Clock is the one of the client; nil: delays do not pass.
	Clock *Clock
	// Has are the models.
	Has []llm.Model
	// Dimension is that of the vectors that are made from texts; 0: 8.
	Dimension int

	mu        sync.Mutex
	exchanges []Exchange
	left      []int
	calls     []Call
}

// NewFake makes a fake with a script. The first exchange that fits a call and is
// not used up answers it; a ping is answered without one.
func NewFake(exchanges ...Exchange) *Fake {
	f := &Fake{exchanges: exchanges}
	for _, e := range exchanges {
		f.left = append(f.left, e.Times)
	}
	return f
}

// Recorded makes a fake of exchanges that lie in a file: a JSON list.
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

// Calls are what was asked so far, pings included.
func (f *Fake) Calls() []Call {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.calls)
}

// Count is how many calls of one kind there were.
func (f *Fake) Count(op llm.Op) int {
	n := 0
	for _, c := range f.Calls() {
		if c.Op == op {
			n++
		}
	}
	return n
}

// Engine is "fake".
func (f *Fake) Engine() string { return "fake" }

// Address is that of nobody.
func (f *Fake) Address() string { return "http://fake.invalid" }

// take notes a call and finds its exchange.
func (f *Fake) take(c Call, text string) (Exchange, bool) {
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

// play does what an exchange says that is not its answer.
func (f *Fake) play(ctx context.Context, e Exchange, pieces func(string) error) error {
	wait := func(d time.Duration) error {
		if f.Clock != nil && d > 0 {
			f.Clock.Pass(d)
		}
		return ctx.Err()
	}
	if e.Hangs {
		if f.Clock != nil {
			f.Clock.Pass(time.Hour)
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

// Chat answers by the script; without an exchange that fits it is NotFound.
func (f *Fake) Chat(ctx context.Context, r llm.ChatRequest) (llm.Answer, error) {
	last := ""
	if n := len(r.Messages); n > 0 {
		last = r.Messages[n-1].Text
	}
	e, ok := f.take(Call{Op: llm.OpChat, Model: r.Model, Chat: r}, last)
	if !ok {
		return llm.Answer{}, &llm.Error{Kind: llm.NotFound, Reason: "no exchange fits the call"}
	}
	a := llm.Answer{Model: r.Model}
	if r.Alternatives > 0 {
		a.First = e.First
	}
	err := f.play(ctx, e, func(s string) error {
		a.Text += s
		a.Tokens++
		if r.Piece != nil {
			return r.Piece(s)
		}
		return nil
	})
	return a, err
}

// Embed gives the exchange's vectors, or without any Vector of each text.
func (f *Fake) Embed(ctx context.Context, r llm.EmbedRequest) ([][]float32, error) {
	first := ""
	if len(r.Texts) > 0 {
		first = r.Texts[0]
	}
	e, _ := f.take(Call{Op: llm.OpEmbed, Model: r.Model, Texts: r.Texts}, first)
	if err := f.play(ctx, e, nil); err != nil {
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

// Vector is a text's vector of length 1: the more words two texts share, the
// nearer they are.
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

// Models lists what it has.
func (f *Fake) Models(ctx context.Context) ([]llm.Model, error) {
	e, _ := f.take(Call{Op: llm.OpModels}, "")
	return slices.Clone(f.Has), f.play(ctx, e, nil)
}

// Model finds one of them.
func (f *Fake) Model(ctx context.Context, name string) (llm.Model, error) {
	e, _ := f.take(Call{Op: llm.OpModels, Model: name}, "")
	if err := f.play(ctx, e, nil); err != nil {
		return llm.Model{}, err
	}
	m, ok := llm.Find(f.Has, name)
	if !ok {
		return m, &llm.Error{Kind: llm.NotFound, Model: name}
	}
	return m, nil
}

// Preload does nothing, by the script.
func (f *Fake) Preload(ctx context.Context, model string, _ llm.Capability) error {
	e, _ := f.take(Call{Op: llm.OpPreload, Model: model}, "")
	return f.play(ctx, e, nil)
}

// Ping is answered, unless an exchange says otherwise.
func (f *Fake) Ping(ctx context.Context) error {
	e, _ := f.take(Call{Op: llm.OpPing}, "")
	return f.play(ctx, e, nil)
}

// Pull reports the exchange's pieces as stages, and then has the model.
func (f *Fake) Pull(ctx context.Context, name string, watch func(llm.Progress)) error {
	e, _ := f.take(Call{Op: llm.OpPull, Model: name}, "")
	n := int64(0)
	err := f.play(ctx, e, func(s string) error {
		n++
		watch(llm.Progress{Status: s, Done: n, Total: int64(len(e.Pieces))})
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.Has = append(f.Has, llm.Model{Name: name})
	return nil
}

// String lists the calls, for messages of tests.
func (f *Fake) String() string {
	var b strings.Builder
	for _, c := range f.Calls() {
		fmt.Fprintf(&b, "%s %s\n", c.Op, c.Model)
	}
	return b.String()
}
