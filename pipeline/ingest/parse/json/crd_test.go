package json

import (
	"context"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
)

// A custom resource definition in JSON gives what it gives in YAML, also as an item of a list.
func TestDefinitionsInJSON(t *testing.T) {
	t.Parallel()
	const yaml = `kind: CustomResourceDefinition
spec:
  group: lamps.example
  names: {kind: Lantern, plural: lanterns}
  scope: Namespaced
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        type: object
        properties:
          oil: {type: string, description: Which oil it burns., default: rape}
`
	const json = `{"kind": "CustomResourceDefinition", "spec": {"group": "lamps.example", "names": {"kind": "Lantern", "plural": "lanterns"},
 "scope": "Namespaced", "versions": [{"name": "v1", "schema": {"openAPIV3Schema": {"type": "object", "properties":
 {"oil": {"type": "string", "description": "Which oil it burns.", "default": "rape"}}}}}]}}`
	text := func(file, src string) string {
		d, err := Parser{}.Parse(context.Background(), []byte(src), parse.Options{Path: file})
		if err != nil {
			t.Fatal(err)
		}
		return d.Title + "\n" + string(d.Text)
	}
	want := text("a.yaml", yaml)
	if !strings.Contains(want, "Which oil it burns.") {
		t.Fatalf("the definition in YAML gives\n%s", want)
	}
	for _, src := range []string{json, `{"apiVersion": "v1", "kind": "List", "items": [{"kind": "Secret"}, ` + json + `]}`} {
		if got := text("a.json", src); got != want {
			t.Errorf("%s\ngives\n%s\nwant\n%s", src, got, want)
		}
	}
}
