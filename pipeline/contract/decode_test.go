package contract

import (
	"strings"
	"testing"
)

// An error names the very value: the place in an array, the key of a map.
func TestDecodeNamesTheField(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		into              any
		text, field, says string
	}{
		{&SearchInput{}, `{"query": [5]}`, "query[0]", "it must be a string"},
		{&SearchInput{}, `{"query": ["a", {"b": 1}]}`, "query[1]", "a JSON object, it must be a string"},
		{&SearchInput{}, `{"query": "a"}`, "query", "it must be an array"},
		{&SearchInput{}, `{"unknown": [{"x": [1, {}]}], "QUERY": [true]}`, "QUERY[0]", "a JSON bool"},
		{&SearchInput{}, `{"reranker": "no"}`, "reranker", "true or false"},
		{&SearchInput{}, `{"context": {"domain_nouns": [1]}}`, "context.domain_nouns[0]", "a string"},
		{&Extraction{}, `{"contents": {"A": 5}}`, "contents.A", "it must be a string"},
		{&Extraction{}, `{"contents": {"A": "x"}, "total_line_count": 1.5}`, "total_line_count", "number (1.5), it must be a whole number"},
		{&Extraction{}, `{"documents": [{}, {"lines": 99999999999999999999}]}`, "documents[1].lines", "a whole number"},
		{&RerankInput{}, `{"results": [{"doc_set": 5}]}`, "results[0].doc_set", "it must be a string"},
		{&RerankInput{}, `{"results": [{"headings": [{"rerank_sim": null}, {"rerank_sim": "0.5"}]}]}`, "results[0].headings[1].rerank_sim", "it must be a number"},
		{&RerankInput{}, `{"results": [{"headings": [{"lines": [1, "2"]}]}]}`, "results[0].headings[0].lines[1]", "a whole number"},
		{&Check{}, `{"extraction": []}`, "extraction", "it must be an object"},
		{&Check{}, `[1]`, Input, "a JSON array, it must be an object"},
		{&Check{}, `null`, Input, "a JSON null"},
		{&Check{}, `5`, Input, "a JSON number"},
		{&Check{}, ` "x" `, Input, "a JSON string"},
		{&Check{}, `false`, Input, "a JSON bool"},
		{&Check{}, ``, Input, "empty"},
		{&Check{}, " \n", Input, "empty"},
		{&Check{}, `{"a": `, Input, "breaks off"},
		{&Check{}, `hello`, Input, "no JSON"},
		{&Check{}, `{} {}`, Input, "more than one"},
	} {
		err := Decode([]byte(tt.text), tt.into)
		if err == nil {
			t.Errorf("%s is read", tt.text)
			continue
		}
		e := errorOf(err)
		if e.Code != CodeInvalidRequest || e.Details["field"] != tt.field || !strings.Contains(e.Message, tt.says) {
			t.Errorf("%s: %s %v: %s", tt.text, e.Code, e.Details, e.Message)
		}
	}
	var in SearchInput
	if err := Decode([]byte(` {"query": ["a"], "new": {"x": 1}, "reranker": null} `), &in); err != nil || len(in.Query) != 1 || in.Reranker != nil {
		t.Errorf("%+v, %v", in, err)
	}
}

// Whatever comes in, an error is one that names something.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{`{"results":[{"headings":[{"level":2}]}]}`, `{"results":5}`, `[`, `{"results":[[]]}`, `{"": {"": []}}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var in RerankInput
		if err := Decode([]byte(text), &in); err != nil && errorOf(err).Details["field"] == "" {
			t.Errorf("%q: %v", text, err)
		}
	})
}
