package reading

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/question/kind"
)

func contextOf(question string) *contract.Context {
	r := kind.ReadKind(question)
	c := &contract.Context{Question: question, Kind: r.Kind, Subjects: r.Subjects, Parts: r.Parts}
	c.Reading = New(c, r)
	return c
}

// A reading says everything that the phases ask of a question.
func TestReading(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		question, kind, measures, parts string
		how, byDefault, full, compress  bool
	}{
		{question: "what is a Pod", kind: contract.KindDefinition},
		{question: "how do I create a skill", kind: contract.KindProcedure, how: true},
		{question: "what is the default of --wick", kind: contract.KindLookup, measures: "default", byDefault: true},
		{question: "hooks, the full text please", full: true},
		{question: "总结一下 hooks", compress: true},
		{question: "where are logs stored and how many are kept", measures: "place", parts: "where are logs stored: place|logs: how many are kept: "},
		{question: "NoSchedule vs NoExecute", kind: contract.KindComparison},
	} {
		r := OfContext(contextOf(c.question))
		var parts []string
		for _, p := range r.Parts {
			parts = append(parts, p.Question+": "+names(p.Measures))
		}
		if r.Kind != c.kind || names(r.Measures) != c.measures || strings.Join(parts, "|") != c.parts || r.How != c.how || r.Default != c.byDefault || r.Full != c.full || r.Compress != c.compress {
			t.Errorf("%q: %+v", c.question, r)
		}
	}
}

func names(measures []contract.Measure) string {
	var out []string
	for _, m := range measures {
		out = append(out, m.String())
	}
	return strings.Join(out, " ")
}

// A context keeps its reading as long as it is the same question, and the JSON has none.
func TestReadingTravels(t *testing.T) {
	t.Parallel()
	c := contextOf("how do I see the rollout history and how do I pause a rollout")
	if OfContext(c) != c.Reading {
		t.Error("the reading is made twice")
	}
	raw, err := json.Marshal(c)
	if err != nil || strings.Contains(strings.ToLower(string(raw)), "reading") {
		t.Fatalf("%s, %v", raw, err)
	}
	var again contract.Context
	if err := json.Unmarshal(raw, &again); err != nil {
		t.Fatal(err)
	}
	if r := OfContext(&again); r.Kind != c.Reading.Kind || len(r.Parts) != 2 || !slices.Equal(r.Measures, c.Reading.Measures) || r.How != c.Reading.How {
		t.Errorf("a reading made from JSON is %+v, want %+v", r, c.Reading)
	}
	changed := *c
	changed.Question, changed.Parts = "the default port", nil
	if r := OfContext(&changed); len(r.Parts) != 0 || !r.Default {
		t.Errorf("a changed context has the old reading: %+v", r)
	}
}
