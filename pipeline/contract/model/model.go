// Package model asks a model for the phases: it finds the model, limits its time,
// checks the form of its answer, and records in the trace why the built-in answer
// was used instead. The phases of a question share one budget of time.
//
// A phase computes its built-in answer first, which takes milliseconds, and then tries
// the model. The package refuses to know the questions.
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

// Chatter answers chat requests.
type Chatter interface {
	Chat(context.Context, llm.ChatRequest) (llm.Answer, error)
}

// Model is a model for one phase.
type Model struct {
	Chat Chatter
	// Name is the model's on its server, Engine the name in traces:
	// "ollama:qwen3:4b".
	Name, Engine string
	// Judges says that the model is trained to judge passages, not to chat.
	Judges bool
	// Window is the most tokens of a prompt and its answer together; 0: unknown,
	// 8192 is assumed.
	Window int
	// Budget is the time limit of a phase, and of all phases of a question together,
	// see WithPatience; 0: no limit.
	Budget time.Duration
	// Temperature controls sampling; 0: the likeliest token is taken each time.
	Temperature float64
}

// ErrNone means that the configuration disables models, or that no model was found and
// none is required: using the built-in answer is then not a degradation.
var ErrNone = errors.New("no model")

// Source finds the model of a phase. ErrNone means that no model is wanted; a
// *contract.Error ends the run; any other error is recorded as the reason for the
// built-in answer.
type Source func(context.Context) (Model, error)

// Link is a model of a chain, in which models are asked in their order until one gives an
// answer that counts.
type Link struct {
	Name        string // of the link
	Model       string // as it is configured
	Source      Source
	Temperature float64
}

// MultiplyBudget multiplies the budget of the source's models by n.
func (s Source) MultiplyBudget(n int) Source {
	if s == nil {
		return nil
	}
	return func(ctx context.Context) (Model, error) {
		m, err := s(ctx)
		m.Budget *= time.Duration(n)
		return m, err
	}
}

// TryModel calls do with the model, within its budget, and records the outcome in the
// trace. It returns false if the phase's built-in answer counts, for example because
// do returned ErrNone. An error ends the run.
func (s Source) TryModel(ctx context.Context, phase string, do func(context.Context, Model) error) (contract.Trace, bool, error) {
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
		trace.Degraded = append(trace.Degraded, degradedAnswer(phase, m, err))
		return trace, false, nil
	}
	inner, done, err := LimitBudget(ctx, m.Budget)
	if err != nil {
		trace.Degraded = append(trace.Degraded, degradedAnswer(phase, m, err))
		return trace, false, nil
	}
	contract.ReportProgress(ctx, contract.Progress{Text: "asking " + m.Name, Engine: m.Engine})
	err = do(inner, m)
	if err != nil && !errors.Is(err, ErrNone) && errors.Is(inner.Err(), context.DeadlineExceeded) {
		err = m.LateError()
	}
	done(err)
	switch {
	case ctx.Err() != nil: // even if do was content with a partial answer
		return trace, false, ctx.Err()
	case err == nil:
		trace.Engine = m.Engine
		return trace, true, nil
	case errors.Is(err, ErrNone):
		return trace, false, nil
	}
	trace.Degraded = append(trace.Degraded, degradedAnswer(phase, m, err))
	return trace, false, nil
}

// LateError is the error of a model that exceeded its budget.
func (m Model) LateError() error { return lateError{m.Name, m.Budget} }

func degradedAnswer(phase string, m Model, err error) contract.Degraded {
	wanted := m.Engine
	if wanted == "" {
		wanted = "a model"
	}
	reason := err.Error()
	if e, ok := errors.AsType[*llm.Error](err); ok && e.Wait > 0 {
		// The server was not asked again because of an earlier error: that error is
		// the cause.
		if first, ok := errors.AsType[*llm.Error](e.Err); ok {
			reason = first.Error()
		}
	}
	return contract.Degraded{Phase: phase, Wanted: wanted, Used: contract.EngineBuiltin, Reason: reason,
		Remedy: contract.RemedyOf(err)}
}

// contextWindow is the most tokens of a prompt and its answer together.
func (m Model) contextWindow() int {
	if m.Window > 0 {
		return m.Window
	}
	return 8192 // specification 5's num_ctx
}

// PromptRoom is the bytes of text that fit into a prompt, in addition to its instructions and
// an answer of so many tokens. It assumes three bytes a token, a low estimate even for
// code. A longer prompt fails; it is never cut.
func (m Model) PromptRoom(answer int) int {
	const instructions = 700 // tokens
	return max(0, 3*(m.contextWindow()-answer-instructions))
}

// FitPrompt calls do with the bytes of text that fit into a prompt. If the model says that
// the prompt is too long, do is called again with a third of them: the bytes per
// token differ from model to model.
func (m Model) FitPrompt(room int, do func(room int) error) error {
	const least = 200
	for {
		err := do(room)
		if llm.KindOf(err) != llm.TooLong || room/3 < least {
			return err
		}
		room /= 3
	}
}

// Answer is a struct that an answer in JSON is decoded into.
type Answer interface {
	// Check validates the decoded values.
	Check() error
}

// AskJSON asks for an answer in JSON and decodes it. An answer of another form, with an
// unknown or a repeated field, or with values that Check rejects is an error.
func (m Model) AskJSON(ctx context.Context, name prompt.Name, data any, tokens int, into Answer) error {
	p, err := prompt.Render(name, data)
	if err != nil {
		return err
	}
	a, err := m.Chat.Chat(ctx, llm.ChatRequest{Model: m.Name, Messages: p.Messages(), Schema: p.Schema, Temperature: m.Temperature,
		MaxTokens: tokens, OnPiece: reportPieces(ctx)})
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader([]byte(a.Text)))
	d.DisallowUnknownFields()
	if err = d.Decode(into); err == nil {
		if _, more := d.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("more follows it")
		} else if name := repeatedField(json.NewDecoder(strings.NewReader(a.Text))); name != "" {
			err = fmt.Errorf("it has the field %.40q twice", name)
		} else {
			err = into.Check()
		}
	}
	if err != nil {
		return &BadAnswer{Model: m.Name, Err: err}
	}
	return nil
}

// BadAnswer means that a model answered, and not in the form that was asked for.
type BadAnswer struct {
	Model string
	Err   error
}

func (e *BadAnswer) Error() string {
	return fmt.Sprintf("the answer of %s is no good: %v", e.Model, e.Err)
}

// Unwrap gives what is wrong with the answer.
func (e *BadAnswer) Unwrap() error { return e.Err }

// repeatedField is a field that occurs twice in an object of a JSON value, "" if none does.
// encoding/json takes the last one, whatever its case; the model may have meant either.
func repeatedField(d *json.Decoder) string {
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
		if name := repeatedField(d); name != "" {
			return name
		}
	}
	_, _ = d.Token() // the end of the object or list
	return ""
}

// AskProse asks for a text.
func (m Model) AskProse(ctx context.Context, name prompt.Name, data any, tokens int) (string, error) {
	p, err := prompt.Render(name, data)
	if err != nil {
		return "", err
	}
	a, err := m.Chat.Chat(ctx, llm.ChatRequest{Model: m.Name, Messages: p.Messages(), MaxTokens: tokens, OnPiece: reportPieces(ctx)})
	if err != nil {
		return "", err
	}
	return a.Text, nil
}

// reportPieces reports the pieces of an answer as they arrive. Its error stops the answer of
// a cancelled run.
func reportPieces(ctx context.Context) func(string) error {
	return func(text string) error {
		contract.ReportProgress(ctx, contract.Progress{Piece: text})
		return ctx.Err()
	}
}

// TrimLine trims a text of an answer and checks that it is one line of at most so many
// characters, without control characters and the like.
func TrimLine(what, text string, most int) (string, error) {
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

// Failed reports whether an error is that of a model or of its server; incapable, that another
// model or another server is needed.
func Failed(err error) (failed, incapable bool) {
	e, ok := errors.AsType[*llm.Error](err)
	return ok, ok && e.Kind == llm.Incapable
}
