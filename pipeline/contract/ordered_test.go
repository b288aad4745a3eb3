package contract

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// What a program hands on keeps its contents in the order in which they came, also
// through phase 2.5, whose output has the whole extraction in it.
func TestContentsAreWrittenInTheirOrder(t *testing.T) {
	t.Parallel()
	var ex Extraction
	if err := json.Unmarshal([]byte(`{"contents": {"z": "1", "a": "2", "m": "3"}, "individual_counts": {"a": 1, "m": 1, "z": 1}}`), &ex); err != nil {
		t.Fatal(err)
	}
	written := func(v any) string {
		var out bytes.Buffer
		enc := json.NewEncoder(&out)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(v); err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(out.String())
	}
	if got := written(Check{Extraction: ex}); !strings.Contains(got, `"contents":{"z":"1","a":"2","m":"3"}`) ||
		!strings.Contains(got, `"individual_counts":{"z":1,"a":1,"m":1}`) {
		t.Errorf("%s", got)
	}
	ex.Documents = []Extracted{{Title: "m"}, {Title: "Z", Key: "z"}}
	if got := written(ex); !strings.HasPrefix(got, `{"contents":{"m":"3","z":"1","a":"2"},`) {
		t.Errorf("by documents: %s", got)
	}
	p := Processed{Contents: map[string]string{"b": "<&>\u2028", "c": "", "a": "x"}, Documents: []Extracted{{Title: "c"}, {Title: "b"}}}
	if got := written(p); !strings.Contains(got, `"contents":{"c":"","b":"<&>\u2028","a":"x"}`) {
		t.Errorf("%s", got)
	}
	if got := written(Processed{}); !strings.Contains(got, `"contents":null`) {
		t.Errorf("%s", got)
	}
	// The fields are those of the structs, in their order.
	type plainExtraction Extraction
	type plainProcessed Processed
	one := Extraction{Contents: map[string]string{"a": "x"}, IndividualCounts: map[string]int{"a": 1}, TotalLineCount: 1, RequiresProcessing: true,
		NotFound: []string{"b"}, Summary: "s", Context: &Context{Question: "q"}, Documents: []Extracted{{Title: "a"}}}
	if got, want := written(one), written(plainExtraction(one)); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	p = Processed{Action: "full", Contents: map[string]string{"a": "x"}, LineCount: 1, Omitted: []Omission{{Title: "a"}}, Documents: []Extracted{{Title: "a"}}, Context: &Context{Question: "q"}}
	if got, want := written(p), written(plainProcessed(p)); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
