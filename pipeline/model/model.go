// Package model is what the phases share of asking a model: finding it, a budget of
// time, an answer of a form, and the built-in answer in its place, said in the
// trace, when it does not come.
//
// A phase makes its built-in answer first, which costs milliseconds, and then
// tries the model. It refuses to know what is asked.
package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"docent/llm"
	"docent/llm/prompt"
	"docent/pipeline/contract"
)

// Chatter is what is asked.
type Chatter interface {
	Chat(context.Context, llm.ChatRequest) (llm.Answer, error)
}

// Model is a model that a phase may ask.
type Model struct {
	Chat Chatter
	// Name is the model's on its server, Engine the name in traces:
	// "ollama:qwen3:4b".
	Name, Engine string
	// Judges says that the model was made to judge passages, and not to talk.
	Judges bool
	// Window is how many tokens a prompt and its answer may have together; 0: it
	// is not known, and 8192 is taken.
	Window int
	// Budget is the time that a phase has for it; 0: no limit.
	Budget time.Duration
}

// ErrNone says that no model is wanted, or that none is there and none was asked
// for: the built-in answer is then no second choice.
var ErrNone = errors.New("no model")

// Source finds the model of a phase. ErrNone means that there is to be none; a
// *contract.Error ends the run; any other error is why there is none, though
// there should be.
type Source func(context.Context) (Model, error)

// Times is the source with so many times the budget.
func (s Source) Times(n int) Source {
	if s == nil {
		return nil
	}
	return func(ctx context.Context) (Model, error) {
		m, err := s(ctx)
		m.Budget *= time.Duration(n)
		return m, err
	}
}

// Try lets do ask the model, within its budget, and says in the trace how that
// went. It is false where the phase's built-in answer counts: also where do
// gives ErrNone, for the model is not wanted. The error is for what ends the run.
func (s Source) Try(ctx context.Context, phase string, do func(context.Context, Model) error) (contract.Trace, bool, error) {
	trace := contract.Trace{Engine: contract.EngineBuiltin}
	if s == nil {
		return trace, false, nil
	}
	m, err := s(ctx)
	switch fatal, is := errors.AsType[*contract.Error](err); {
	case errors.Is(err, ErrNone):
		return trace, false, nil
	case is:
		return trace, false, fatal
	case err != nil && ctx.Err() != nil:
		return trace, false, ctx.Err()
	case err != nil:
		trace.Degraded = append(trace.Degraded, degraded(phase, m, err))
		return trace, false, nil
	}
	contract.Watch(ctx, contract.Progress{Text: "asking " + m.Name, Engine: m.Engine})
	inner, cancel := ctx, func() {}
	if m.Budget > 0 {
		inner, cancel = context.WithTimeout(ctx, m.Budget)
	}
	defer cancel()
	err = do(inner, m)
	switch {
	case ctx.Err() != nil: // also where do took what there was by then for enough
		return trace, false, ctx.Err()
	case err == nil:
		trace.Engine = m.Engine
		return trace, true, nil
	case errors.Is(err, ErrNone):
		return trace, false, nil
	case errors.Is(inner.Err(), context.DeadlineExceeded):
		err = m.Late()
	}
	trace.Degraded = append(trace.Degraded, degraded(phase, m, err))
	return trace, false, nil
}

// Late is the error of a model that was not done within its budget.
func (m Model) Late() error { return fmt.Errorf("%s was not done within %v", m.Name, m.Budget) }

func degraded(phase string, m Model, err error) contract.Degraded {
	wanted := m.Engine
	if wanted == "" {
		wanted = "a model"
	}
	reason := err.Error()
	if e, ok := errors.AsType[*llm.Error](err); ok && e.Wait > 0 {
		// That the server was not even asked again is no other reason: the first one
		// is the cause.
		if first, ok := errors.AsType[*llm.Error](e.Err); ok {
			reason = first.Error()
		}
	}
	return contract.Degraded{Phase: phase, Wanted: wanted, Used: contract.EngineBuiltin, Reason: reason}
}

// Window is what the model reads at once.
func (m Model) window() int {
	if m.Window > 0 {
		return m.Window
	}
	return 8192 // specification 5's num_ctx
}

// Room is how many bytes of text fit into a prompt beside its instructions and an
// answer of so many tokens. It reckons with three bytes a token, which is little
// even for code; a prompt that is too long all the same fails, and is not cut.
func (m Model) Room(answer int) int {
	const instructions = 700 // tokens
	return max(0, 3*(m.window()-answer-instructions))
}

// Fit calls do with the bytes of text that a prompt may hold, and again with less
// where the model says that it is too long: no rule knows how many bytes a token
// of a model has.
func (m Model) Fit(room int, do func(room int) error) error {
	const least = 200
	for {
		err := do(room)
		if llm.KindOf(err) != llm.TooLong || room/3 < least {
			return err
		}
		room /= 3
	}
}

// Answer is the form of an answer: what it is decoded into.
type Answer interface {
	// Check says what is wrong with the answer's meaning.
	Check() error
}

// JSON asks for an answer of a form. What is no such answer, has a field too
// many or twice, or means nonsense is an error.
func (m Model) JSON(ctx context.Context, name prompt.Name, data any, tokens int, into Answer) error {
	p, err := prompt.Render(name, data)
	if err != nil {
		return err
	}
	a, err := m.Chat.Chat(ctx, llm.ChatRequest{Model: m.Name, Messages: p.Messages(), Schema: p.Schema, MaxTokens: tokens, OnPiece: piece(ctx)})
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader([]byte(a.Text)))
	d.DisallowUnknownFields()
	if err = d.Decode(into); err == nil {
		if _, more := d.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("more follows it")
		} else if name := twice(json.NewDecoder(strings.NewReader(a.Text))); name != "" {
			err = fmt.Errorf("it has the field %.40q twice", name)
		} else {
			err = into.Check()
		}
	}
	if err != nil {
		return fmt.Errorf("the answer of %s is no good: %w", m.Name, err)
	}
	return nil
}

// twice is a field that an object of a JSON value has twice, "" where none has.
// encoding/json takes the last of them, in upper or lower case: which one the model
// meant nobody knows.
func twice(d *json.Decoder) string {
	t, err := d.Token()
	if _, composed := t.(json.Delim); err != nil || !composed {
		return ""
	}
	seen := map[string]bool{}
	for d.More() {
		if t == json.Delim('{') {
			key, _ := d.Token()
			name := fmt.Sprint(key)
			folded := strings.ToLower(strings.ToUpper(name))
			if seen[folded] {
				return name
			}
			seen[folded] = true
		}
		if name := twice(d); name != "" {
			return name
		}
	}
	_, _ = d.Token() // the end of the object or list
	return ""
}

// Prose asks for a text.
func (m Model) Prose(ctx context.Context, name prompt.Name, data any, tokens int) (string, error) {
	p, err := prompt.Render(name, data)
	if err != nil {
		return "", err
	}
	a, err := m.Chat.Chat(ctx, llm.ChatRequest{Model: m.Name, Messages: p.Messages(), MaxTokens: tokens, OnPiece: piece(ctx)})
	if err != nil {
		return "", err
	}
	return a.Text, nil
}

// piece hands on what comes of an answer. A run that was cancelled wants no more
// of it.
func piece(ctx context.Context) func(string) error {
	return func(text string) error {
		contract.Watch(ctx, contract.Progress{Piece: text})
		return ctx.Err()
	}
}

// Line checks that a text of an answer is one line of at most so many characters
// that a person could have written, and trims it.
func Line(what, text string, most int) (string, error) {
	text = strings.TrimSpace(text)
	n := utf8.RuneCountInString(text)
	switch {
	case n > most:
		return "", fmt.Errorf("%s has %d characters, not at most %d", what, n, most)
	case strings.ContainsFunc(text, func(r rune) bool {
		return r == utf8.RuneError || unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp)
	}):
		return "", fmt.Errorf("%s has characters that are no text", what)
	}
	return text, nil
}
