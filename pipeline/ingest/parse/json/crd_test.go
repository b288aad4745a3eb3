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

// A file with several definitions is not called like the first one: the fields of the others would
// be shown, and found, as fields of that kind.
func TestSeveralDefinitionsInAFile(t *testing.T) {
	t.Parallel()
	one := func(group, kind string) string {
		return "---\nkind: CustomResourceDefinition\nspec:\n  group: " + group + "\n  names: {kind: " + kind + "}\n  versions:\n  - name: v1\n" +
			"    schema: {openAPIV3Schema: {type: object, properties: {oil: {type: string}}}}\n"
	}
	for _, tt := range []struct{ src, title, path string }{
		{one("lamps.example", "Lantern"), "Lantern", "Lantern › v1 › oil"},
		{one("lamps.example", "Lantern") + one("lamps.example", "Wick"), "Custom resources lamps.example", "Custom resources lamps.example › Wick › v1 › oil"},
		{one("lamps.example", "Lantern") + one("oils.example", "Barrel"), "Custom resources", "Custom resources › Barrel › v1 › oil"},
	} {
		d, err := Parser{}.Parse(context.Background(), []byte(tt.src), parse.Options{Path: "crd.yaml"})
		if err != nil {
			t.Fatal(err)
		}
		path := strings.Join(d.Sections[len(d.Sections)-1].Path, " › ")
		if d.Title != tt.title || path != tt.path {
			t.Errorf("title %q, last section %q; want %q, %q", d.Title, path, tt.title, tt.path)
		}
	}
}
