package json

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/parsetest"
)

// hostile are extreme documents.
func hostile(n int) map[string]string {
	const api = `{"openapi": "3.0.0", "info": {"title": "T"}, `
	numbered := func(format string) string { return parsetest.Numbered(n, ",", format) }
	return map[string]string{
		"deep lists":         strings.Repeat("[", n) + `"a sentence of five words"` + strings.Repeat("]", n),
		"deep objects":       strings.Repeat(`{"a sentence of many words":`, n) + "1" + strings.Repeat("}", n),
		"open lists":         strings.Repeat("[", n),
		"open texts":         strings.Repeat(`{"`, n),
		"escapes":            `{"a": "` + strings.Repeat(`\ud800\u12`, n) + `"}`,
		"backslashes":        `{"a": "` + strings.Repeat(`\`, n),
		"comments":           strings.Repeat("/**/", n) + `{"a": "a sentence of five words"}`,
		"an open comment":    "/*" + strings.Repeat("x", n),
		"members":            "{" + numbered(`"m%d": "a sentence of five words"`) + "}",
		"sections":           "{" + numbered(`"m%d": {"a": "a sentence of five words"}`) + "}",
		"one name":           "{" + strings.Repeat(`"m": "a sentence of five words",`, n) + "}",
		"a long list":        "[" + strings.Repeat(`"a sentence of five words",`, n) + "]",
		"a long table":       "[" + strings.Repeat(`{"a": "a sentence of five words"},`, n) + "]",
		"operations":         api + `"paths": {` + numbered(`"/p%d": {"get": {"operationId": "o"}}`) + "}}",
		"schemas":            api + `"components": {"schemas": {` + numbered(`"s%[1]d": {"$ref": "#/components/schemas/s%[1]d"}`) + "}}}",
		"a chain":            api + `"components": {"schemas": {` + numbered(`"s%[1]d": {"$ref": "#/components/schemas/s%[1]d0"}`) + "}}}",
		"many properties":    api + `"components": {"schemas": {"s": {"properties": {` + numbered(`"p%d": {"type": "string"}`) + "}}}}}",
		"all of themselves":  api + `"components": {"schemas": {` + numbered(`"s%d": {"allOf": [{"$ref": "#/components/schemas/s0"}, {"$ref": "#/components/schemas/s1"}, {"$ref": "#/components/schemas/s2"}]}`) + "}}}",
		"tags":               api + `"paths": {` + numbered(`"/p%[1]d": {"get": {"tags": ["t%[1]d"]}}`) + "}}",
		"scopes":             api + `"components": {"securitySchemes": {"x": {"flows": {"a": {"scopes": {` + numbered(`"s%d": "x"`) + `}}, "b": {"scopes": {` + numbered(`"t%d": "x"`) + "}}}}}}}",
		"prose":              api + `"paths": {"/p": {"get": {"description": "` + strings.Repeat(`> - 1. `, n) + `"}}}}`,
		"nested items":       api + `"paths": {"/p": {"get": {"description": "` + nested(min(n, 300)) + `"}}}}`,
		"open fences":        api + `"paths": {"/p": {"get": {"description": "` + strings.Repeat("```\\n", n) + `"}}}}`,
		"HTML":               api + `"paths": {"/p": {"get": {"description": "</p>` + strings.Repeat("<p><b>", n) + `"}}}}`,
		"a schema in depth":  `{"$schema": "http://json-schema.org/x", "properties": ` + strings.Repeat(`{"a": {"properties": `, min(n, 400)) + "{}" + strings.Repeat("}}", min(n, 400)) + "}",
		"aliases":            "openapi: 3.0.0\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]\ng: [*f,*f,*f,*f,*f,*f,*f,*f,*f]\n",
		"an alias of itself": "openapi: 3.0.0\na: &a [*a]\ninfo: {title: T}\n",
		"deep YAML":          "openapi: " + strings.Repeat("[", min(n, 5000)),
		"NUL":                `{"a": "a sentence ` + strings.Repeat("\x00\x1b[31m of words ", n) + `"}`,
		"not UTF-8":          `{"a": "a sentence ` + strings.Repeat("\xff of words ", n) + `"}`,
	}
}

func nested(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", 2*i) + `- x\n`)
	}
	return b.String()
}

// Whatever a document is, it is read or left out with a reason, in memory and time that
// are linear in its size.
func TestHostile(t *testing.T) {
	t.Parallel()
	parsetest.Hostile(t, Parser{}, "a.json", hostile, nil)
}

// Values that nest 100 000 deep are read down to a depth, with a warning.
func TestDepth(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"deep lists", "deep objects"} {
		_, err := Parser{}.Parse(context.Background(), []byte(hostile(100_000)[name]), parse.Options{Path: "a.json"})
		if _, ok := err.(parse.LeftOut); err != nil && !ok {
			t.Errorf("%s: %v", name, err)
		}
	}
	d := parsed(t, `{"text": "A sentence of many words.", "deep": `+strings.Repeat("[", 100_000)+strings.Repeat("]", 100_000)+"}")
	if len(d.Warnings) != 1 || !strings.Contains(d.Warnings[0], "deeper") || !strings.Contains(string(d.Text), "A sentence") {
		t.Errorf("%.200q, warnings %q", d.Text, d.Warnings)
	}
}

func FuzzParse(f *testing.F) {
	parsetest.FuzzParser(f, Parser{}, parse.Options{}, parsetest.AllSeeds(parsetest.Sources(f, "testdata/*.json", "testdata/*.yaml"), hostile(3))...)
}

// The document is an interface of 300 operations, each with parameters, answers and a
// schema.
func BenchmarkParse(b *testing.B) {
	var paths, schemas strings.Builder
	for i := range 300 {
		if i > 0 {
			paths.WriteString(",\n")
			schemas.WriteString(",\n")
		}
		fmt.Fprintf(&paths, `"/lamps/%d/{id}": {"get": {"operationId": "get%d", "summary": "Get lamp %d", "description": "Gets the lamp with all that it has.\n\nIt may burn.", "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}, "description": "Which lamp."}], "responses": {"200": {"description": "A lamp", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Lamp%d"}}}}}}}`, i, i, i, i)
		fmt.Fprintf(&schemas, `"Lamp%d": {"type": "object", "properties": {"name": {"type": "string", "description": "What it is called."}, "oil": {"type": "number", "default": 1}}}`, i)
	}
	src := []byte(`{"openapi": "3.0.0", "info": {"title": "Lamps"}, "paths": {` + paths.String() + `}, "components": {"schemas": {` + schemas.String() + `}}}`)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := (Parser{}).Parse(b.Context(), src, parse.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
