package model_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"docent/llm"
	"docent/llm/llmtest"
	"docent/pipeline/contract"
	"docent/pipeline/contract/model"
)

// A server that accepts and never answers costs a question one budget, not one a phase:
// after the first silence no phase of that question asks it, and all give the same
// reason. The next question asks again.
func TestSilenceCostsOneBudget(t *testing.T) {
	t.Parallel()
	m, _ := scripted(llmtest.Exchange{Op: llm.OpChat, Hangs: true}, llmtest.Exchange{Op: llm.OpChat, Hangs: true})
	m.Budget = 20 * time.Millisecond
	asked := 0
	ask := func(ctx context.Context, phase string) contract.Trace {
		trace, used, err := fixed(m, nil).TryModel(ctx, phase, func(ctx context.Context, m model.Model) error {
			asked++
			_, err := m.Chat.Chat(ctx, llm.ChatRequest{Model: m.Name})
			return err
		})
		if err != nil || used || len(trace.Degraded) != 1 || trace.Degraded[0].Phase != phase {
			t.Fatalf("phase %s: %+v, %v, %v", phase, trace, used, err)
		}
		return trace
	}
	question := model.WithPatience(t.Context())
	first := ask(question, contract.PhaseOptimize).Degraded[0]
	second := ask(question, contract.PhaseRerank).Degraded[0]
	if asked != 1 || first.Reason != "tiny was not done within 20ms" || second.Reason != first.Reason || second.Wanted != first.Wanted {
		t.Errorf("asked %d times; %+v, then %+v", asked, first, second)
	}
	if ask(model.WithPatience(t.Context()), contract.PhaseOptimize); asked != 2 {
		t.Errorf("the next question: asked %d times", asked)
	}
}

// A question's budget is what its phases took together; phases that ask at the same
// time take it once.
func TestPhasesShareABudget(t *testing.T) {
	t.Parallel()
	ctx := model.WithPatience(t.Context())
	_, first, err := model.LimitBudget(ctx, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	_, second, err := model.LimitBudget(ctx, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	const took = 30 * time.Millisecond
	time.Sleep(took)
	first(nil)
	second(nil)
	limited, done, err := model.LimitBudget(ctx, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	end, ok := limited.Deadline()
	if left := time.Until(end); !ok || left > time.Hour-took || left < time.Hour-20*time.Minute {
		t.Errorf("%v are left", left)
	}
	done(nil)
	if _, _, err := model.LimitBudget(ctx, took); err == nil || !strings.Contains(err.Error(), "the 30ms that the models have for a question were over") {
		t.Errorf("nothing is left: %v", err)
	}
	// Several times the budget, for summaries, has something left.
	if _, done, err := model.LimitBudget(ctx, time.Hour); err != nil {
		t.Error(err)
	} else {
		done(nil)
	}
}
