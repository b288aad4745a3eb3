package merge

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"docent/pipeline/contract"
)

// The example of spec 1, with its two outputs in either order.
const (
	partA = `{"phase":"0a","output":{"query_analysis":{"doc_set":["OpenCode_Docs@latest"],"domain_nouns":["hooks"],"predicate_verbs":["create"]},"optimized_queries":[{"rank":1,"query":"create hooks"}]}}`
	partB = `{"phase":"0b","output":{"scene":"fact_lookup","reranker_threshold":0.63}}`
)

func TestSpecExample(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{"[" + partA + "," + partB + "]", " [" + partB + ",\n" + partA + "] "} {
		o, r, err := ParseInput([]byte(raw))
		if err != nil {
			t.Fatal(err)
		}
		in, err := Builtin{}.Merge(o, r)
		if err != nil {
			t.Fatal(err)
		}
		c := in.Context
		in.Context = nil
		got, _ := json.Marshal(in)
		want := `{"query":["create hooks"],"doc_sets":"OpenCode_Docs@latest","domain_nouns":["hooks"],"predicate_verbs":["create"],"reranker_threshold":0.63,"scene":"fact_lookup"}`
		if string(got) != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		if c == nil || !*c.RerankerEnabled || *c.RerankerThreshold != 0.63 || c.Scene != "fact_lookup" || len(c.DocSets) != 1 {
			t.Errorf("context %+v", c)
		}
	}
}

func TestMerge(t *testing.T) {
	t.Parallel()
	o := contract.Optimized{
		QueryAnalysis: contract.QueryAnalysis{DocSet: []string{"A@1", "B@2", "A@1"}},
		OptimizedQueries: []contract.OptimizedQuery{
			{Rank: 3, Query: "third", Strategy: "expansion"}, {Rank: 1, Query: "first", Strategy: "original"}, {Rank: 2, Query: "second"}},
		Context: &contract.Context{Question: "q", Language: "en", DocSets: []string{"A@1", "B@2"}, DocSetsExplicit: true,
			Kind: contract.KindComparison, Subjects: []string{"a", "b"}, Parts: []string{"p"}, Notes: []string{"n"}},
	}
	r := contract.Routed{Scene: "tutorial", RerankerThreshold: 0, RerankerEnabled: false, Confidence: 0.5, Intent: "procedure"}
	in, err := mergePhases(o, r)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Join(in.Query, "|") != "first|second|third" || in.DocSets != "A@1,B@2" || in.DomainNouns == nil || in.PredicateVerbs == nil {
		t.Errorf("%+v", in)
	}
	c := in.Context
	if c.Kind != contract.KindComparison || len(c.Subjects) != 2 || len(c.Parts) != 1 || len(c.Notes) != 1 {
		t.Errorf("how the question was read is not handed on: %+v", c)
	}
	if c.Question != "q" || c.Language != "en" || !c.DocSetsExplicit || *c.RerankerEnabled || *c.RerankerThreshold != 0 || c.Scene != "tutorial" || c.Intent != "procedure" ||
		c.Confidence != 0.5 || strings.Join(c.Queries, "|") != "first|second|third" || strings.Join(c.DocSets, "|") != "A@1|B@2" {
		t.Errorf("context %+v", c)
	}
	if o.OptimizedQueries[0].Rank != 3 {
		t.Error("Merge changed its input")
	}

	// If 0a named no doc set, the search uses those of 0b; without either, all.
	o.QueryAnalysis.DocSet, o.Context = nil, nil
	r.Context = &contract.Context{Question: "from 0b", DocSets: []string{"C@1"}}
	if in, err = mergePhases(o, r); err != nil || in.DocSets != "C@1" || in.Context.Question != "from 0b" || in.Context.DocSetsExplicit {
		t.Errorf("%+v, %v", in, err)
	}
	r.Context = nil
	if in, err = mergePhases(o, r); err != nil || in.DocSets != "" {
		t.Errorf("%+v, %v", in, err)
	}
}

func TestDefaults(t *testing.T) {
	t.Parallel()
	_, r, err := ParseInput([]byte("[" + partA + `,{"phase":"0b","output":{"scene":"tutorial","unknown":{"x":1}},"more":2}]`))
	if err != nil || r.RerankerThreshold != contract.DefaultThreshold || !r.RerankerEnabled {
		t.Errorf("%+v, %v", r, err)
	}
	_, r, err = ParseInput([]byte("[" + partA + `,{"phase":"0b","output":{"scene":"tutorial","reranker_threshold":0,"reranker_enabled":false}}]`))
	if err != nil || r.RerankerThreshold != 0 || r.RerankerEnabled {
		t.Errorf("%+v, %v", r, err)
	}
	o, _, err := ParseInput([]byte(`[{"phase":"0a","output":{"optimized_queries":[{"query":"a"},{"query":"b"}]}},` + partB + "]"))
	if err != nil || o.OptimizedQueries[1].Rank != 2 {
		t.Errorf("%+v, %v", o, err)
	}
}

func TestInvalid(t *testing.T) {
	t.Parallel()
	a := func(output string) string { return `[{"phase":"0a","output":` + output + `},` + partB + `]` }
	b := func(output string) string { return `[` + partA + `,{"phase":"0b","output":` + output + `}]` }
	qs := func(s string) string { return a(`{"optimized_queries":` + s + `}`) }
	for _, c := range []struct{ raw, field string }{
		{"", ""},
		{"not json", ""},
		{"{}", ""},
		{"null", "phase"},
		{"[]", "phase"},
		{"[1]", ""},
		{"[" + partA + "]", "phase"},
		{"[" + partB + "]", "phase"},
		{"[" + partA + "," + partA + "]", "[1].phase"},
		{"[" + partA + "," + partB + `,{"phase":"9","output":{}}]`, "[2].phase"},
		{"[" + partA + `,{"output":{}}]`, "[1].phase"},
		{`[{"phase":"0a"},` + partB + "]", "[0].output"},
		{a("[]"), "[0].output"},
		{a("null"), "[0].output"},
		{a("{}"), "0a.optimized_queries"},
		{qs("[]"), "0a.optimized_queries"},
		{qs(`"x"`), "0a.optimized_queries"},
		{qs(`[{"rank":1,"query":" "}]`), "0a.optimized_queries[0].query"},
		{qs(`[{"rank":0,"query":"a"}]`), "0a.optimized_queries[0].rank"},
		{qs(`[{"rank":1,"query":"a"},{"rank":1,"query":"b"}]`), "0a.optimized_queries[1].rank"},
		{qs(`[{"rank":1,"query":"a","strategy":"guess"}]`), "0a.optimized_queries[0].strategy"},
		{qs(`[{"rank":1,"query":"a"},{"rank":2,"query":"b"},{"rank":3,"query":"c"},{"rank":4,"query":"d"},{"rank":5,"query":"e"},{"rank":6,"query":"f"}]`), "0a.optimized_queries"},
		{a(`{"optimized_queries":[{"rank":1,"query":"a"}],"query_analysis":{"doc_set":["a,b"]}}`), "0a.query_analysis.doc_set[0]"},
		{a(`{"optimized_queries":[{"rank":1,"query":"a"}],"query_analysis":{"doc_set":"x"}}`), "0a.query_analysis.doc_set"},
		{b(`{}`), "0b.scene"},
		{b(`{"scene":"other"}`), "0b.scene"},
		{b(`{"scene":"tutorial","intent":"other"}`), "0b.intent"},
		{b(`{"scene":"tutorial","reranker_threshold":1.5}`), "0b.reranker_threshold"},
		{b(`{"scene":"tutorial","reranker_threshold":-0.1}`), "0b.reranker_threshold"},
		{b(`{"scene":"tutorial","reranker_threshold":"high"}`), "0b.reranker_threshold"},
		{b(`{"scene":"tutorial","confidence":2}`), "0b.confidence"},
	} {
		o, r, err := ParseInput([]byte(c.raw))
		if err == nil {
			_, err = mergePhases(o, r)
		}
		var e *contract.Error
		if !errors.As(err, &e) || e.Code != contract.CodeInvalidRequest {
			t.Errorf("%s: %v, want INVALID_REQUEST", c.raw, err)
			continue
		}
		field, _ := e.Details["field"].(string)
		if field != c.field || e.Message == "" {
			t.Errorf("%s: field %q (%s), want %q", c.raw, field, e.Message, c.field)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("[" + partA + "," + partB + "]"))
	f.Add([]byte(`[{"phase":"0a","output":{"optimized_queries":[null]}},` + partB + "]"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		o, r, err := ParseInput(raw)
		if err != nil {
			return
		}
		in, err := mergePhases(o, r)
		if err == nil && (len(in.Query) == 0 || len(in.Query) > contract.MaxQueries || in.Context == nil) {
			t.Fatalf("%+v", in)
		}
	})
}
