package enrich

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

const good = `{"summary": "Wicks are trimmed before they are lit.", "key_concepts": ["wick", "trimming"],
 "parameters": [{"name": "--length", "type": "mm", "description": "how much stays"}, {"name": "--dry", "type": null, "description": "nothing is cut"}],
 "code_examples": true, "prerequisites": ["a cold lamp"], "warnings": ["hot oil"], "related_topics": ["Oil"], "audience": "user"}`

func TestParseAnAnswer(t *testing.T) {
	t.Parallel()
	e, err := ParseAnswer([]byte(good))
	want := Enrichment{Summary: "Wicks are trimmed before they are lit.", KeyConcepts: []string{"wick", "trimming"},
		Parameters:   []Parameter{{"--length", "mm", "how much stays"}, {"--dry", "", "nothing is cut"}},
		CodeExamples: true, Prerequisites: []string{"a cold lamp"}, Warnings: []string{"hot oil"}, RelatedTopics: []string{"Oil"}, Audience: user}
	if err != nil || !reflect.DeepEqual(e, want) {
		t.Fatalf("%+v, %v", e, err)
	}
	// What a model leaves out has the schema's default.
	e, err = ParseAnswer([]byte(`{"summary": "Wicks."}`))
	if err != nil || e.Audience != mixed || e.Truncated || e.CodeExamples || e.KeyConcepts == nil || e.Parameters == nil {
		t.Errorf("%+v, %v", e, err)
	}
}

func TestRejectedAnswers(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 20_000)
	for _, tt := range []struct {
		answer, field string
		reason        Reason
	}{
		{``, "", NotJSON},
		{`nonsense`, "", NotJSON},
		{`{"summary": "a"`, "", NotJSON},
		{`{"summary": "a"} {"summary": "b"}`, "", NotJSON},
		{`["summary"]`, "", WrongType},
		{`null`, "", WrongType},
		{`{}`, "summary", Missing},
		{`{"summary": "  \u0007 "}`, "summary", Missing},
		{`{"summary": "<script>alert(1)</script>"}`, "summary", Missing},
		{`{"summary": null}`, "summary", WrongType},
		{`{"summary": 1}`, "summary", WrongType},
		{`{"summary": ["a"]}`, "summary", WrongType},
		{`{"Summary": "a"}`, "Summary", UnknownKey},
		{`{"summary": "a", "summary": "b"}`, "summary", Repeated},
		{`{"summary": "a", "score": 1}`, "score", UnknownKey},
		{`{"summary": "a", "span_id": "0123456789abcdef"}`, "span_id", UnknownKey},
		{`{"summary": "a", "truncated": false}`, "truncated", UnknownKey},
		{`{"summary": "a", "key_concepts": "wick"}`, "key_concepts", WrongType},
		{`{"summary": "a", "key_concepts": {"0": "wick"}}`, "key_concepts", WrongType},
		{`{"summary": "a", "key_concepts": null}`, "key_concepts", WrongType},
		{`{"summary": "a", "warnings": ["b", 2]}`, "warnings[1]", WrongType},
		{`{"summary": "a", "warnings": ` + deep + `}`, "warnings", NotJSON},
		{`{"summary": "a", "code_examples": "yes"}`, "code_examples", WrongType},
		{`{"summary": "a", "audience": "root"}`, "audience", Value},
		{`{"summary": "a", "parameters": [1]}`, "parameters[0]", WrongType},
		{`{"summary": "a", "parameters": [{"name": "x"}]}`, "parameters[0].description", Missing},
		{`{"summary": "a", "parameters": [{"name": "x", "description": "y", "default": "z"}]}`, "parameters[0].default", UnknownKey},
		{`{"summary": "a", "parameters": [{"name": "x", "description": "y", "name": "z"}]}`, "parameters[0].name", Repeated},
		{`{"summary": "a", "parameters": [{"name": "x", "description": null}]}`, "parameters[0].description", WrongType},
		{`{"summary": "a", "warnings": [` + strings.Repeat(`"w",`, 2000) + `"w"]}`, "warnings", TooLarge},
		{`{"summary": "` + strings.Repeat("a", 10<<20) + `"}`, "", TooLarge},
	} {
		_, err := ParseAnswer([]byte(tt.answer))
		r, ok := errors.AsType[*Rejected](err)
		if !ok || r.Field != tt.field || r.Reason != tt.reason || r.Detail == "" {
			t.Errorf("%.80s: %v (%+v), want %s at %q", tt.answer, err, r, tt.reason, tt.field)
		}
		if err != nil && len(err.Error()) > 300 {
			t.Errorf("%.80s: the error has %d bytes", tt.answer, len(err.Error()))
		}
	}
}

// A field that is too long is cut, by characters or by words, and the enrichment says so.
func TestLongFieldsAreCut(t *testing.T) {
	t.Parallel()
	many := make([]string, 300)
	for i := range many {
		many[i] = fmt.Sprintf("concept %d", i)
	}
	list, _ := json.Marshal(many)
	var params []Parameter
	for i := range 200 {
		params = append(params, Parameter{Name: fmt.Sprintf("%d%s", i, strings.Repeat("n", 300)), Type: strings.Repeat("t", 80), Description: strings.Repeat("word ", 110)})
	}
	rawParams, _ := json.Marshal(params)
	for _, answer := range []string{
		`{"summary": "` + strings.Repeat("灯", 500) + `"}`,
		`{"summary": "` + strings.Repeat("a ", 61) + `"}`,
		`{"summary": "a", "key_concepts": ` + string(list) + `}`,
		`{"summary": "a", "warnings": ["` + strings.Repeat("hot ", 100) + `"]}`,
		`{"summary": "a", "parameters": ` + string(rawParams) + `}`,
		`{"summary": "` + strings.Repeat("<script", 9000) + ` x"}`,
	} {
		e, err := ParseAnswer([]byte(answer))
		if strings.Contains(answer, "<script") { // there is nothing else in front of it
			if err == nil {
				t.Errorf("%.40s: %+v", answer, e)
			}
			continue
		}
		if err != nil || !e.Truncated {
			t.Errorf("%.40s: %+v, %v", answer, e, err)
			continue
		}
		e.SpanID = "0123456789abcdef"
		if err := e.Check(); err != nil {
			t.Errorf("%.40s: %v", answer, err)
		}
		if n := utf8.RuneCountInString(e.Summary); n > maxSummary || len(strings.Fields(e.Summary)) > maxSummaryWords || len(e.KeyConcepts) > maxItems || len(e.Parameters) > maxParameters {
			t.Errorf("%.40s: %d characters: %+v", answer, n, e)
		}
		for _, p := range e.Parameters {
			if utf8.RuneCountInString(p.Name) > maxName || utf8.RuneCountInString(p.Type) > maxType || utf8.RuneCountInString(p.Description) > maxDescription {
				t.Errorf("%+v", p)
			}
		}
	}
	if e, err := ParseAnswer([]byte(`{"summary": "` + strings.TrimSpace(strings.Repeat("a ", 60)) + `"}`)); err != nil || e.Truncated {
		t.Errorf("sixty words are cut: %+v, %v", e, err)
	}
}

func TestScriptsAndControlCharacters(t *testing.T) {
	t.Parallel()
	for _, tt := range [][2]string{
		{"Trim <script>alert('wick')</script> it", "Trim it"},
		{"Trim <ScRiPt src=x>a</sCrIpT >it", "Trim it"},
		{"Trim <script> a", "Trim script a"},
		{"the <script> tag", "the script tag"},
		{"the <scripted> word", "the <scripted> word"},
		{"a <scr<script>ipt>b</script> c", "a <scr c"},
		{"a <img src=x onerror=alert(1)> c", "a img c"},
		{"a <style", "a"},
		{"red \x1b[31mtext\x00\u202e", "red [31mtext"},
		{"a\r\n\tb\u2028c", "a b c"},
		{"bad \xff byte", "bad \uFFFD byte"},
		{"1 < 2 and a<b>", "1 < 2 and a<b>"},
	} {
		if got := cleanLine(tt[0]); got != tt[1] {
			t.Errorf("%q is %q, want %q", tt[0], got, tt[1])
		}
	}
}

// The schemas are JSON, let no other keys through, and a model's has neither the id nor
// whether something was cut.
func TestSchemas(t *testing.T) {
	t.Parallel()
	for _, answer := range []bool{true, false} {
		var s struct {
			AdditionalProperties bool           `json:"additionalProperties"`
			Required             []string       `json:"required"`
			Properties           map[string]any `json:"properties"`
		}
		if err := json.Unmarshal(schema(answer), &s); err != nil || s.AdditionalProperties || len(s.Required) != len(s.Properties) {
			t.Errorf("%+v, %v", s, err)
		}
		for _, key := range []string{"span_id", "truncated"} {
			if _, ok := s.Properties[key]; ok == answer {
				t.Errorf("%s of a model's answer (%v): %v", key, answer, ok)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte(`{"summary": "<scr<script>ipt>", "parameters": [{"name": "a\u0000", "description": ""}]}`))
	f.Add([]byte(`{"summary": "a", "warnings": ["<img", "\ud800", "` + strings.Repeat("é ", 300) + `"]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		e, err := ParseAnswer(raw)
		if err != nil {
			if r, ok := errors.AsType[*Rejected](err); !ok || !slices.Contains(Reasons(), r.Reason) || len(r.Error()) > 1000 {
				t.Fatalf("%v", err)
			}
			return
		}
		e.SpanID = "0123456789abcdef"
		if err := e.Check(); err != nil {
			t.Fatalf("%q gives what is not valid: %v: %+v", raw, err, e)
		}
		line, err := Encode(Record{SpanID: e.SpanID, Enrichment: e})
		if err != nil {
			t.Fatal(err)
		}
		if r, ok := OpenFile(line).Get(e.SpanID); !ok || !reflect.DeepEqual(r.Enrichment, e) {
			t.Fatalf("%s is read as %+v", line, r)
		}
	})
}
