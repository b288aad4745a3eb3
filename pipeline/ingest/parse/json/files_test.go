package json

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/store/doc"
)

// among parses a file of a doc set.
func among(t *testing.T, file string, set map[string]string) doc.Document {
	t.Helper()
	open := func(name string) ([]byte, error) {
		if text, ok := set[name]; ok {
			return []byte(text), nil
		}
		return nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}
	d, err := Parser{}.Parse(context.Background(), []byte(set[file]), parse.Options{Path: file, Open: open})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// harbour is a description of an interface in seven files, as large ones are written by
// hand.
var harbour = map[string]string{
	"api/harbour.yaml": "openapi: 3.0.0\ninfo:\n  title: Harbour\n  description:\n    $ref: texts.yml#/introduction\npaths:\n" +
		"  /boats:\n    get:\n      $ref: \"boats/list.yml\"\n  /boats/{id}:\n    $ref: './boats/one.yml'\n  /gone:\n    get:\n      $ref: boats/gone.yml\n" +
		"components:\n  schemas:\n    Boat:\n      $ref: models/boat.yml\n",
	"api/texts.yml": "introduction: The harbour lets boats in at high water.\n",
	"api/boats/list.yml": "operationId: boats_list\nsummary: List the boats\ndescription: Lists the boats that lie at the quay.\nparameters:\n" +
		"  - $ref: '../shared.yml#/page'\nresponses:\n  '200':\n    description: The boats.\n    content:\n      application/json:\n        schema:\n" +
		"          type: array\n          items: {$ref: '../models/boat.yml'}\n  '404':\n    $ref: '../shared.yml#/missing'\n",
	"api/boats/one.yml": "get:\n  summary: One boat\n  responses:\n    '200':\n      description: The boat.\n      content:\n        application/json:\n" +
		"          schema: {$ref: ../models/boat.yml}\n    '404':\n      $ref: ../shared.yml#/missing\n",
	"api/shared.yml": "page: {name: page, in: query, schema: {type: integer}, description: Which page of the list.}\n" +
		"missing:\n  description: No such boat.\n  content: {application/json: {schema: {$ref: 'models/fault.json'}}}\nwhole: {$ref: '#/components/schemas/Boat'}\n",
	"api/models/boat.yml":   "type: object\nproperties:\n  name: {type: string, description: Its name.}\n  tender: {$ref: '#', description: The boat that it tows.}\n",
	"api/models/fault.json": `{"type": "object", "properties": {"id": {"type": "string", "description": "Which fault it is."}}}`,
}

// All 650 operations of an interface that is described in 2 900 files were headings
// without a word below them, and no warning said so.
func TestReferencesToOtherFilesAreFollowed(t *testing.T) {
	t.Parallel()
	d := among(t, "api/harbour.yaml", harbour)
	text := string(d.Text)
	for _, want := range []string{
		"# Harbour\n\nThe harbour lets boats in at high water.\n",
		"## GET /boats: List the boats\n\nOperation `boats_list`\n\nLists the boats that lie at the quay.\n",
		"| `page` | query | integer |  | Which page of the list. |",
		"| `200` | The boats. | `application/json` array of [Boat](#schema-Boat) |",
		"| `404` | No such boat. | `application/json` [fault](#schema-fault) |",
		"## GET /boats/{id}: One boat\n",
		"### Boat\n\n| Property | Type | Required | Description |\n| --- | --- | --- | --- |\n| `name` | string |  | Its name. |\n| `tender` | [Boat](#schema-Boat) |",
		"### fault\n\n| Property | Type | Required | Description |\n| --- | --- | --- | --- |\n| `id` | string |  | Which fault it is. |\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if len(d.Warnings) != 1 || !strings.Contains(d.Warnings[0], "it refers to api/boats/gone.yml: no such file") {
		t.Errorf("the warnings are %q", d.Warnings)
	}
	for i, at := range d.Map {
		if at.Line > doc.CountLines([]byte(harbour["api/harbour.yaml"])) {
			t.Errorf("line %d stands at %+v, which the document does not have", i+1, at)
		}
	}
	alone := parsed(t, harbour["api/harbour.yaml"])
	if !strings.Contains(string(alone.Text), "GET /boats") {
		t.Errorf("without its doc set the document is\n%s", alone.Text)
	}
}

// References may lead to each other, to addresses, to what is no document and to too much.
func TestReferencesThatCannotBeFollowed(t *testing.T) {
	t.Parallel()
	set := map[string]string{
		"a.yaml": "openapi: 3.0.0\ninfo: {title: A}\npaths:\n  /x: {get: {$ref: b.yml}}\n  /y: {get: {$ref: bad.yml}}\n  /z: {get: {$ref: 'https://lamp.example/z.yml'}}\n" +
			"  /big: {get: {$ref: big.yml}}\n",
		"b.yml":   "$ref: c.yml\n",
		"c.yml":   "$ref: b.yml\n",
		"bad.yml": "a: [b\n",
		"big.yml": "summary: big\n" + strings.Repeat("# comment\n", maxOtherBytes/10),
	}
	for i := range 9 {
		set["a.yaml"] += fmt.Sprintf("  /m%d: {get: {$ref: m%d.yml}}\n", i, i)
	}
	d := among(t, "a.yaml", set)
	all := strings.Join(d.Warnings, "\n")
	for _, want := range []string{"bad.yml: it is no valid YAML", "big.yml: the files that it refers to are too large together", "m0.yml: no such file", "6 files more"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not in %q", want, d.Warnings)
		}
	}
	if strings.Contains(all, "lamp.example") || len(d.Warnings) != maxRefusals+1 {
		t.Errorf("the warnings are %q", d.Warnings)
	}
}

// A property that may be null and has no other type had the type " or null".
func TestNullableOfNoType(t *testing.T) {
	t.Parallel()
	d := parsed(t, `{"$schema": "http://json-schema.org/x", "title": "T", "properties": {"starred": {"nullable": true}, "at": {"nullable": true, "type": "string"}}}`)
	if text := string(d.Text); !strings.Contains(text, "**Type:** any or null.") || !strings.Contains(text, "**Type:** string or null.") {
		t.Errorf("the page is\n%s", text)
	}
}
