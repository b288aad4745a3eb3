package schema_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"docent/cmd/internal/httpapi/schema"
)

type oil struct {
	Kind string  `json:"kind" enum:"rye,olive" doc:"which one"`
	Mix  *oil    `json:"mix"`
	Year *int    `json:"year"`
	Note *string `json:"note,omitempty"`
}

type base struct {
	ID string `json:"id" format:"uuid"`
}

type lamp struct {
	base
	oil
	Base
	Name   string              `json:"name" minLength:"2" maxLength:"5"`
	Height int                 `json:"height,omitempty" minimum:"1" maximum:"9" default:"3"`
	Share  float64             `json:"share,omitempty" exclusiveMinimum:"0"`
	Marks  []string            `json:"marks,omitempty" minItems:"1" maxItems:"2" enum:"a,b"`
	Oils   map[string]oil      `json:"oils,omitempty"`
	Trims  []struct{ N int }   `json:"trims,omitempty"`
	Flame  *struct{ Hot bool } `json:"flame,omitempty"`
	Lit    time.Time           `json:"lit,omitzero"`
	Raw    json.RawMessage     `json:"raw,omitempty"`
	Any    any                 `json:"any,omitempty"`
	Bytes  []byte              `json:"bytes,omitempty"`
	Pair   [2]int              `json:"pair,omitempty"`
	Own    own                 `json:"own,omitempty"`
	Hidden string              `json:"-"`
	//lint:ignore U1000 a field that is not exported has no schema
	quiet string
}

// Base is embedded, and exported so that its fields are seen.
type Base struct {
	Name  string `json:"never"` // hidden by lamp's
	Model string `json:"model,omitempty"`
}

type own struct{}

func (own) Schema(*schema.Registry) *schema.Schema {
	return &schema.Schema{AnyOf: []*schema.Schema{{Type: schema.Integer}, {Type: schema.Null}}}
}

func named(t reflect.Type) string {
	if t.Name() == "" {
		return ""
	}
	return strings.ToUpper(t.Name()[:1]) + t.Name()[1:]
}

func TestTypesAreDescribed(t *testing.T) {
	t.Parallel()
	r := schema.NewRegistry(named)
	s := r.Of(reflect.TypeFor[lamp]())
	r.Close(s)
	if s.Ref != "#/components/schemas/Lamp" || r.Resolve(s) != r.All()["Lamp"] {
		t.Fatalf("%+v", s)
	}
	for name, want := range map[string]string{
		"Oil": `{"type":"object","properties":{"kind":{"type":"string","description":"which one","enum":["rye","olive"]},"mix":{"anyOf":[{"$ref":"#/components/schemas/Oil"},{"type":"null"}]},` +
			`"note":{"type":"string"},"year":{"type":["integer","null"],"format":"int64"}},"required":["kind","mix","year"]}`,
		"LampFlameStruct": `{"type":"object","properties":{"Hot":{"type":"boolean"}},"required":["Hot"]}`,
		"Item":            `{"type":"object","properties":{"N":{"type":"integer","format":"int64"}},"required":["N"]}`,
		"Lamp": `{"type":"object","additionalProperties":false,"properties":{"any":{},"bytes":{"type":"string","contentEncoding":"base64"},"flame":{"$ref":"#/components/schemas/LampFlameStruct"},` +
			`"height":{"type":"integer","format":"int64","default":3,"minimum":1,"maximum":9},"lit":{"type":"string","format":"date-time"},` +
			`"marks":{"type":["array","null"],"items":{"type":"string","enum":["a","b"]},"minItems":1,"maxItems":2},"model":{"type":"string"},"name":{"type":"string","minLength":2,"maxLength":5},` +
			`"oils":{"type":"object","additionalProperties":{"$ref":"#/components/schemas/Oil"}},"own":{"anyOf":[{"type":"integer"},{"type":"null"}]},` +
			`"pair":{"type":["array","null"],"items":{"type":"integer","format":"int64"},"minItems":2,"maxItems":2},"raw":{},"share":{"type":"number","format":"double","exclusiveMinimum":0},` +
			`"trims":{"type":["array","null"],"items":{"$ref":"#/components/schemas/Item"}}},"required":["name"]}`,
	} {
		got, err := json.Marshal(r.All()[name])
		if err != nil || string(got) != want {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, got, want)
		}
	}
}

func TestValuesAreChecked(t *testing.T) {
	t.Parallel()
	r := schema.NewRegistry(named)
	s := r.Of(reflect.TypeFor[lamp]())
	r.Close(s)
	for value, want := range map[string]string{
		`{"name": "Hook", "height": 9, "marks": ["a"], "oils": {"x": {"kind": "rye", "mix": null, "year": null}}, "own": null, "pair": [1, 2], "any": [1]}`: "",
		`{"name": "Hook", "marks": null, "height": null}`: "",
		`{}`:                                         "name is missing",
		`{"name": "x"}`:                              "name: expected length >= 2",
		`{"name": "xxxxxx"}`:                         "name: expected length <= 5",
		`{"name": null}`:                             "name: expected string",
		`{"name": "Hook", "height": 0}`:              "height: expected number >= 1",
		`{"name": "Hook", "height": 10}`:             "height: expected number <= 9",
		`{"name": "Hook", "height": 1.5}`:            "height: expected integer",
		`{"name": "Hook", "height": "1"}`:            "height: expected integer",
		`{"name": "Hook", "share": 0}`:               "share: expected number > 0",
		`{"name": "Hook", "marks": []}`:              "marks: expected array length >= 1",
		`{"name": "Hook", "marks": ["a", "b", "a"]}`: "marks: expected array length <= 2",
		`{"name": "Hook", "marks": ["a", "c"]}`:      `marks[1]: expected value to be one of "a, b"`,
		`{"name": "Hook", "marks": "a"}`:             "marks: expected array",
		`{"name": "Hook", "oils": {"x": {"kind": "tar", "mix": null, "year": null}}}`: `oils.x.kind: expected value to be one of "rye, olive"`,
		`{"name": "Hook", "oils": {"x": {"kind": "rye", "mix": {}, "year": null}}}`:   "oils.x.mix: expected value to match at least one schema but matched none",
		`{"name": "Hook", "oils": {"x": {"kind": "rye", "mix": null}}}`:               "oils.x.year is missing",
		`{"name": "Hook", "own": "x"}`:                                                "own: expected value to match at least one schema but matched none",
		`{"name": "Hook", "wick": 1}`:                                                 "wick is unknown",
		`[]`:                                                                          ": expected object",
	} {
		var v any
		if err := json.Unmarshal([]byte(value), &v); err != nil {
			t.Fatal(err)
		}
		got := ""
		if f := r.Check(s, v); f != nil {
			got = map[schema.Kind]string{schema.Wrong: f.At + ": " + f.What, schema.Missing: f.At + " is missing", schema.Unknown: f.At + " is unknown"}[f.Kind]
		}
		if got != want {
			t.Errorf("%s: %q, want %q", value, got, want)
		}
	}
	id := &schema.Schema{Type: schema.String, Format: "uuid"}
	if r.Check(id, "a9e1c7c2-1111-4222-8333-0123456789ab") != nil || r.Check(id, "a9e1c7c2") == nil {
		t.Error("a uuid is not told from another text")
	}
}

// Two structs of one name, and a tag that is no good, show when the program starts.
func TestFaultsOfTheProgramPanic(t *testing.T) {
	t.Parallel()
	for _, of := range []reflect.Type{
		reflect.TypeFor[struct {
			A struct{ X int } `json:"a" minimum:"x"`
		}](),
		reflect.TypeFor[struct{ C chan int }](),
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v has a schema", of)
				}
			}()
			schema.NewRegistry(func(reflect.Type) string { return "One" }).Of(of)
		}()
	}
}
