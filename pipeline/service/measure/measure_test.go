package measure_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/eval"
	"docent/pipeline/service/servicetest"
)

func lantern(t *testing.T) *servicetest.Home {
	t.Helper()
	h := servicetest.New(t)
	h.Add("Lantern@1", map[string]string{
		"wick.md":  "# Wick care\n\nTrim the wick to six millimetres every evening.\n",
		"oil.md":   "# Oil\n\nFill the lantern with colza oil.\n",
		"glass.md": "# Glass\n\nPolish the chimney with chalk.\n",
	})
	return h
}

func query(text, page string) eval.Query {
	return eval.Query{ID: text, Text: text, Documents: map[string]int{page: 1}}
}

func TestQuestionsWithKnownAnswersAreMeasured(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	e, err := h.Measure.Evaluate(t.Context(), "Lantern")
	if err != nil || e.Set() != "Lantern@1" || !e.Has("oil.md") || e.Has("nothing.md") {
		t.Fatalf("%+v, %v", e, err)
	}
	rep, err := e.Run(t.Context(), []eval.Query{query("trim the wick", "wick.md"), query("colza oil", "oil.md")}, eval.Options{})
	if err != nil || len(rep.Stages) == 0 {
		t.Fatalf("%+v, %v", rep, err)
	}
	stages, took, err := e.Ask(t.Context(), "polish the chimney")
	if err != nil || took <= 0 || len(stages) < 2 {
		t.Fatalf("%+v, %v, %v", stages, took, err)
	}
	last := stages[len(stages)-1]
	if last.Name != "reranked" || len(last.Hits) == 0 || last.Hits[0].Doc != "glass.md" {
		t.Errorf("%+v", last)
	}
}

func TestWhatCannotBeMeasured(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	if _, err := h.Measure.Evaluate(t.Context(), "Nothing"); servicetest.Code(err) != contract.CodeInvalidRequest {
		t.Errorf("an unknown doc set: %v", err)
	}
	e, err := h.Measure.Evaluate(t.Context(), "Lantern@1")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		what    string
		queries []eval.Query
		says    []string
	}{
		{"no question", nil, nil},
		{"an unknown page", []eval.Query{query("trim the wick", "nothing.md")}, []string{"nothing.md", `"doc" is a page's path inside Lantern@1`}},
		{"nothing is found", []eval.Query{query("zzzz qqqq", "oil.md")}, nil},
	} {
		_, err := e.Run(t.Context(), tt.queries, eval.Options{})
		servicetest.WantError(t, tt.what, err, contract.CodeInvalidRequest, tt.says...)
	}
	if _, err := e.Run(servicetest.Cancelled(t), []eval.Query{query("trim the wick", "wick.md")}, eval.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that has ended: %v", err)
	}
}

// A model that is required and is not there is noticed before anything is asked.
func TestMeasuringWithoutTheModelThatIsWanted(t *testing.T) {
	t.Parallel()
	models, fake := servicetest.Fake()
	models.Down = errors.New("the server is down")
	h := servicetest.Open(t, servicetest.Options{Models: models})
	if _, err := h.Measure.Evaluate(t.Context(), "Lantern"); err == nil || !strings.Contains(err.Error(), "the server is down") {
		t.Errorf("%v", err)
	}
	if _, err := h.Measure.EvaluateAnswers(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "the server is down") {
		t.Errorf("%v", err)
	}
	if calls := fake.RecordedCalls(); len(calls) != 0 {
		t.Errorf("asked was %+v", calls)
	}
}
