package json

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/parsetest"
	"docent/store/doc"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func parsed(t testing.TB, src string) doc.Document {
	t.Helper()
	d, err := Parser{}.Parse(context.Background(), []byte(src), parse.Options{Path: "a.json"})
	if err != nil {
		t.Fatalf("%v of\n%.500s", err, src)
	}
	return d
}

// An OpenAPI document in YAML with all that one may have, one of Swagger 2, a schema of
// settings, and messages of a program.
func TestDocuments(t *testing.T) {
	t.Parallel()
	sources := parsetest.Sources(t, "testdata/*.yaml", "testdata/*.json")
	for name, src := range sources {
		if !sniffJSON(src[:min(len(src), parse.HeadBytes)]) {
			t.Errorf("%s is not known by its beginning", name)
		}
	}
	parsetest.Golden(t, Parser{}, sources, *update)
}

// The place of a line is where it stands in the source, with its pointer.
func TestPlaces(t *testing.T) {
	t.Parallel()
	src, err := os.ReadFile("testdata/lamps.yaml")
	if err != nil {
		t.Fatal(err)
	}
	d := parsed(t, string(src))
	lines := strings.Split(string(src), "\n")
	for line, want := range map[string][2]string{
		"### PUT /lamps/{lampId}: Replace a lamp":                               {"    put:", "/paths/~1lamps~1{lampId}/put"},
		"| `oil.litres` | number |  | How much. Default: `0.5`. At most `4`. |": {"                litres: ", "/components/schemas/Lamp/properties/oil/properties/litres"},
		"### Wick": {"    Wick:", "/components/schemas/Wick"},
	} {
		at := strings.Index("\n"+string(d.Text), "\n"+line+"\n")
		if at < 0 {
			t.Errorf("%q is not there", line)
			continue
		}
		place := d.Map[strings.Count(string(d.Text[:at]), "\n")]
		if !strings.HasPrefix(lines[place.Line-1], want[0]) || place.Element != want[1] {
			t.Errorf("%q stands at %+v: %q", line, place, lines[place.Line-1])
		}
	}
}

func TestSniff(t *testing.T) {
	t.Parallel()
	for head, want := range map[string]bool{
		`{"a": 1}`:                  true,
		"\xef\xbb\xbf [1]":          true,
		"// note\n/* more */ {":     true,
		"openapi: 3.0.0\n":          true,
		"# x\n\"swagger\": '2.0'\n": true,
		"---\n# x\ncomponents:\n  schemas:\n    Lamp:\n": true,
		"components:\n  - wick\n":                        false,
		"x: 1\ncomponents:\n  schemas:\n":                false,
		"name: CI\non: push\n":                           false,
		"text: about openapi: 3\n":                       false,
		"openapi: see below\n":                           false,
		"":                                               false,
		"plain text":                                     false,
		"// a comment, and nothing else\n":               false,
	} {
		if got := sniffJSON([]byte(head)); got != want {
			t.Errorf("%q: %v", head, got)
		}
	}
}

// Data is left out, and it is said why.
func TestLeftOut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, src, why string }{
		{"package-lock.json", `{"lockfileVersion": 3}`, "tool"},
		{"a/package.json", `{"name": "x", "description": "What it is for, in a sentence."}`, "tool"},
		{"log.jsonl", `{"text": "a sentence of five words"}`, "one value a line"},
		{"log.json", "{\"text\": \"a sentence of five words\"}\n{\"text\": \"another one\"}\n", "one value a line"},
		{"data.json", `{"rows": [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]}`, "data"},
		{"empty.json", `{}`, "empty"},
		{"many.json", "[" + strings.Repeat("1,", maxValues+1) + "1]", "values"},
		{"big.yaml", "openapi: 3.0.0\n" + strings.Repeat("# comment\n", maxYAML/10+1), "MB"},
	} {
		_, err := Parser{}.Parse(context.Background(), []byte(c.src), parse.Options{Path: c.file})
		if _, ok := err.(parse.LeftOut); !ok || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: %v, want a reason with %q", c.file, err, c.why)
		}
	}
}

// Invalid JSON or YAML is shown unchanged, with a warning, and found.
func TestInvalid(t *testing.T) {
	t.Parallel()
	for _, src := range []string{
		`{"a": "The lantern burns all night"`,
		`{"a": The lantern burns all night}`,
		`{"The lantern": }`,
		"{\"The lantern\n\": 1}",
		"[1, 2, lantern",
		"openapi: 3.0.0\n\tpaths: lantern\n",
		`{lantern: 1}`,
	} {
		d := parsed(t, src)
		if len(d.Warnings) != 1 || !strings.Contains(string(d.Text), "lantern") {
			t.Errorf("%s: %q, warnings %q", src, d.Text, d.Warnings)
		}
	}
}

func TestProse(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"One line.":                                      "One line.",
		"# A heading\ntext":                              "### A heading\n\ntext",
		"- a\n- b\n  more\n\n  and more\n- c":            "- a\n- b\n  more\n\n  and more\n\n- c",
		"1. a\n   - x\n2. b":                             "1. a\n   - x\n2. b",
		"text\n```go\nx := 1\n\ny\n```\nafter":           "text\n\n```go\nx := 1\n\ny\n```\n\nafter",
		"> quoted\n> more":                               "> quoted\n> more",
		"| a | b |\n|---|---|\n| 1 | 2 |\nafter":         "| a | b |\n| --- | --- |\n| 1 | 2 |\n\nafter",
		"an **open":                                      "an **open",
		"<p>one</p><ul><li>two <code>x</code></li></ul>": "one\n\n- two `x`",
	} {
		d := parsed(t, fmt.Sprintf(`{"openapi": "3.0.0", "info": {"title": "T"}, "paths": {"/a": {"get": {"description": %q}}}}`, src))
		_, got, _ := strings.Cut(string(d.Text), "## GET /a\n")
		if got = strings.TrimSpace(got); got != want {
			t.Errorf("%q is read as\n%s\nnot\n%s", src, got, want)
		}
	}
}

// References that lead in circles, to nothing, and out of the document.
func TestReferences(t *testing.T) {
	t.Parallel()
	d := parsed(t, `{"openapi": "3.0.0", "info": {"title": "T"}, "components": {"schemas": {
		"A": {"$ref": "#/components/schemas/B"}, "B": {"$ref": "#/components/schemas/A"},
		"C": {"properties": {"self": {"$ref": "#/components/schemas/C"}, "gone": {"$ref": "#/components/schemas/None"}, "far": {"$ref": "other.json#/Lamp"},
			"in": {"properties": {"c": {"allOf": [{"$ref": "#/components/schemas/C"}]}}}}},
		"D": {"allOf": [{"$ref": "#/components/schemas/D"}], "description": "The last."}}}}`)
	text := string(d.Text)
	for _, want := range []string{"| `self` | [C](#schema-C) |", "| `gone` | None |", "| `far` | Lamp |", "| `in.c` | [C](#schema-C) |", "The last."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

// The index that MkDocs writes for its search has all pages once more; an object of
// another kind with the same names is read.
func TestSearchIndexIsLeftOut(t *testing.T) {
	t.Parallel()
	entry := `{"location":"oil/#fill","title":"Fill it","text":"Fill the lamp with oil before dusk comes."}`
	for src, out := range map[string]bool{
		`{"config":{"lang":["en"]},"docs":[` + entry + `]}`:                                       true,
		`{"docs":[` + entry + `]}`:                                                                false,
		`{"config":{},"docs":[{"title":"Fill it","text":"Fill the lamp with oil before dusk."}]}`: false,
	} {
		_, err := Parser{}.Parse(context.Background(), []byte(src), parse.Options{Path: "search_index.json", Wanted: true})
		if (err != nil) != out {
			t.Errorf("%s: %v; left out: want %v", src, err, out)
		}
	}
}

// A schema that is a choice is shown as one: each way with its title and values, those with properties as
// settings.
func TestAlternativesOfASchema(t *testing.T) {
	t.Parallel()
	d := parsed(t, `{"$schema": "https://json-schema.org/draft-07/schema", "title": "Oils", "markdownDescription": "Which oil.", "oneOf": [
		{"title": "Rape", "markdownDescription": "It burns slowly.", "const": "rape"}, {"type": "string"},
		{"type": "object", "properties": {"mix": {"title": "A mixture", "enum": ["a", "b"], "type": "string"}, "oil_level": {"title": "Oil Level", "description": "How much."}}},
		{"description": "None at all.", "enum": ["none", "off"]}]}`)
	for _, want := range []string{"Which oil.", "- Rape: It burns slowly. Always `rape`.", "- None at all. One of: `none`, `off`.", "## oil_level\n\nHow much.", "## mix\n\n**Type:** string. One of: `a`, `b`.\n\nA mixture\n"} {
		if !strings.Contains(string(d.Text), want) {
			t.Errorf("%q is missing in\n%s", want, d.Text)
		}
	}
}

// What a person reads first of an operation, what its examples show, was not there; of a list whose items have
// one of several forms only the word "object" was.
func TestExamplesAndAlternatives(t *testing.T) {
	t.Parallel()
	d := parsed(t, `{"openapi": "3.1.0", "info": {"title": "Lamps"}, "paths": {"/lamps": {"post": {"summary": "Light one",
		"requestBody": {"content": {"application/json": {"schema": {"type": "object", "properties": {"oil": {"type": "string"}}}, "examples": {
			"a": {"summary": "A small lamp", "description": "It burns an hour.", "value": {"oil": "rape"}},
			"b": {"summary": "A large lamp.", "value": {"oil": "whale"}}}}}},
		"responses": {"200": {"description": "Lit", "content": {"application/json": {"schema": {"type": "object", "properties": {
			"lamps": {"type": "array", "items": {"anyOf": [
				{"description": "One that burns.", "type": "object", "required": ["id", "since"], "properties": {"id": {"type": "string"}, "since": {"type": "string", "description": "When it was lit."}}},
				{"description": "One that is out.", "type": "object", "required": ["id"], "properties": {"id": {"type": "string"}, "reason": {"type": "string"}}}]}}}},
			"example": {"lamps": []}}}},
		"400": {"description": "No oil", "content": {"application/json": {"examples": {"x": {"$ref": "#/components/examples/dry"}}}}}}}}},
		"components": {"examples": {"dry": {"description": "The lamp is dry.", "value": {"error": "dry"}}}}}`)
	for _, want := range []string{
		"\nExample: A small lamp. It burns an hour.\n", "\nExample: A large lamp.\n", `"oil": "whale"`,
		"\nExample of `200`:\n", "\nExample of `400`: The lamp is dry.\n", `"error": "dry"`,
		"| Either: One that burns.<br>Or: One that is out. |",
		"| `lamps[].id` | string | yes |", "| `lamps[].since` | string |  | When it was lit. |", "| `lamps[].reason` | string |  |",
	} {
		if !strings.Contains(string(d.Text), want) {
			t.Errorf("%q is not in\n%s", want, d.Text)
		}
	}
}
