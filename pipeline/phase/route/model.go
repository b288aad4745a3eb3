package route

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"docent/llm/prompt"
	"docent/pipeline/contract"
	"docent/pipeline/contract/model"
	"docent/pipeline/question"
)

// Model is phase 0b with a model. Doc sets and threshold are Builtin's.
type Model struct {
	Builtin *Builtin
	Source  model.Source
}

const (
	answerTokens = 120
	maxReason    = 120  // characters
	maxAsked     = 2000 // bytes of the question, as of the built-in way
)

// answer is the model's answer. Its confidence is one of three words: small models
// handle words better than numbers between 0 and 1.
type answer struct {
	Scene      string `json:"scene"`
	Intent     string `json:"intent"`
	Confidence string `json:"confidence"`
	Reason     string `json:"reason"`
}

// confidence is the number for a word.
func confidence(word string) (float64, bool) {
	v, ok := map[string]float64{"low": 0.4, "medium": 0.65, "high": 0.9}[word]
	return v, ok
}

// Check is model.Answer's.
func (a *answer) Check() (err error) {
	if !slices.Contains(contract.Scenes(), a.Scene) {
		return fmt.Errorf("the scene %.40q is none of %s", a.Scene, strings.Join(contract.Scenes(), ", "))
	}
	if !slices.Contains(contract.Intents(), a.Intent) {
		return fmt.Errorf("the intent %.40q is none of %s", a.Intent, strings.Join(contract.Intents(), ", "))
	}
	if _, ok := confidence(a.Confidence); !ok {
		return fmt.Errorf("the confidence %.40q is none of low, medium, high", a.Confidence)
	}
	a.Reason, err = model.TrimLine("the reason", a.Reason, maxReason)
	return err
}

// Route is phase 0b.
func (m *Model) Route(ctx context.Context, in contract.OptimizeInput) (contract.Routed, contract.Trace, error) {
	out, trace, err := m.Builtin.Route(ctx, in)
	if err != nil {
		return out, trace, err
	}
	var a answer
	asked := question.Shorten(out.Context.Question, maxAsked)
	tried, ok, err := m.Source.TryModel(ctx, contract.PhaseRoute, func(ctx context.Context, model model.Model) error {
		return model.AskJSON(ctx, prompt.Route, map[string]any{"Question": asked, "Scenes": contract.Scenes(),
			"Intents": contract.Intents()}, answerTokens, &a)
	})
	if err != nil {
		return out, trace, err
	}
	tried.Degraded = append(trace.Degraded, tried.Degraded...)
	if !ok {
		return out, tried, nil
	}
	out.Scene, out.Intent, out.Evidence = a.Scene, a.Intent, nil
	out.Confidence, _ = confidence(a.Confidence)
	if a.Reason != "" {
		out.Evidence = []string{a.Reason}
	}
	out.Context.Scene, out.Context.Intent, out.Context.Confidence = out.Scene, out.Intent, out.Confidence
	return out, tried, nil
}
