package mcpserver_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// published is the folder of the schemas that hosts validate with. They are made of what the
// server sends: run this package's tests with -update to write them anew.
var published = filepath.Join("..", "..", "docent", "deploy", "mcp")

// listed is a resource of the list on the wire: specification 5's fields and the protocol's.
type listed struct {
	URI         string   `json:"uri"`
	Name        string   `json:"name"`
	Title       string   `json:"title"`
	MIMEType    string   `json:"mimeType"`
	SectionPath string   `json:"section_path" jsonschema:"the headings down to the section, joined by \" > \"; empty for a page"`
	Handle      string   `json:"handle" jsonschema:"the section's name for read_doc"`
	Summary     string   `json:"summary"`
	Tokens      int      `json:"token_estimate" jsonschema:"of the whole text"`
	Can         []string `json:"capabilities" jsonschema:"read, subscribe"`
	Meta        struct {
		Handle string `json:"handle"`
		Tokens int    `json:"token_estimate"`
	} `json:"_meta" jsonschema:"the same once more, for clients that keep the protocol's fields alone"`
}

// cached are the fields that the protocol adds to every result.
type cached struct {
	TTL   int    `json:"ttlMs" jsonschema:"the protocol's: how long the answer may be kept"`
	Scope string `json:"cacheScope" jsonschema:"the protocol's: by whom"`
	Type  string `json:"resultType,omitempty" jsonschema:"the protocol's, from 2026-07-28 on"`
}

type list struct {
	Resources []listed `json:"resources"`
	Next      string   `json:"nextCursor,omitempty" jsonschema:"the protocol's: gives the next part"`
	cached
}

type read struct {
	Contents []struct {
		URI      string `json:"uri"`
		MIMEType string `json:"mimeType"`
		Text     string `json:"text"`
		Meta     struct {
			SectionPath string   `json:"section_path"`
			Handle      string   `json:"handle"`
			Summary     string   `json:"summary"`
			Tokens      int      `json:"token_estimate"`
			Can         []string `json:"capabilities"`
			Lines       [2]int   `json:"lines" jsonschema:"of the section in its page"`
			Next        *[2]int  `json:"next_lines,omitempty" jsonschema:"what is omitted, for read_doc"`
			Truncated   bool     `json:"truncated"`
		} `json:"_meta"`
	} `json:"contents"`
	cached
}

// schemas are the schemas to be published, by their files.
func schemas(t *testing.T) map[string]*jsonschema.Schema {
	t.Helper()
	out := map[string]*jsonschema.Schema{}
	for _, s := range []struct {
		file, title string
		make        func() (*jsonschema.Schema, error)
	}{
		{"resources/list.schema.json", "TechDocResourceList", func() (*jsonschema.Schema, error) { return jsonschema.For[list](nil) }},
		{"resources/read.schema.json", "TechDocResourceText", func() (*jsonschema.Schema, error) { return jsonschema.For[read](nil) }},
	} {
		schema, err := s.make()
		if err != nil {
			t.Fatal(err)
		}
		forbidNull(schema)
		schema.Title = s.title
		out[s.file] = schema
	}
	tools, err := connect(t).client.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) == 0 {
		t.Fatalf("%d tools, %v", len(tools.Tools), err)
	}
	for _, tool := range tools.Tools {
		for kind, of := range map[string]any{"arguments": tool.InputSchema, "answer": tool.OutputSchema} {
			if of == nil {
				continue // a text alone
			}
			raw, err := json.Marshal(of)
			if err != nil {
				t.Fatal(err)
			}
			schema := &jsonschema.Schema{}
			if err := json.Unmarshal(raw, schema); err != nil {
				t.Fatal(err)
			}
			schema.Title = fmt.Sprintf("%s of %s", kind, tool.Name)
			out["tools/"+tool.Name+"."+kind+".schema.json"] = schema
		}
	}
	return out
}

// forbidNull takes null out of the types of lists: the server sends none in place of a
// list, though Go's type would allow it.
func forbidNull(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if len(s.Types) == 2 && s.Types[0] == "null" {
		s.Type, s.Types = s.Types[1], nil
	}
	forbidNull(s.Items)
	for _, p := range s.Properties {
		forbidNull(p)
	}
}

// The published schemas are those of the server.
func TestPublishedSchemas(t *testing.T) {
	t.Parallel()
	want := map[string][]byte{}
	for file, schema := range schemas(t) {
		schema.Schema = "https://json-schema.org/draft/2020-12/schema"
		raw, err := json.MarshalIndent(schema, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		want[file] = append(raw, '\n')
	}
	if *update {
		if err := os.RemoveAll(published); err != nil {
			t.Fatal(err)
		}
		for file, raw := range want {
			path := filepath.Join(published, filepath.FromSlash(file))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, raw, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	var have []string
	err := fs.WalkDir(os.DirFS(published), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			have = append(have, path)
			raw, err := os.ReadFile(filepath.Join(published, filepath.FromSlash(path)))
			if err != nil {
				return err
			}
			if !bytes.Equal(raw, want[path]) {
				t.Errorf("%s is not the server's schema: go test ./cmd/internal/mcpserver -run TestPublishedSchemas -update", path)
			}
		}
		return err
	})
	if names := slices.Sorted(maps.Keys(want)); err != nil || !slices.Equal(have, names) {
		t.Errorf("published are %q, want %q, %v", have, names, err)
	}
}

// What the server sends fits the published schemas of resources, which allow no other field.
func TestAnswersFitThePublishedSchemas(t *testing.T) {
	t.Parallel()
	all := schemas(t)
	for file, message := range map[string]string{
		"resources/list.schema.json": `{"jsonrpc":"2.0","id":2,"method":"resources/list","params":{}}`,
		"resources/read.schema.json": `{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"tech_doc://Docent_Manual@0.1.0/long.md"}}`,
	} {
		resolved, err := all[file].Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		raw := answerTo(t, message)
		var answer struct{ Result map[string]any }
		if err := json.Unmarshal(raw, &answer); err != nil {
			t.Fatal(err)
		}
		if err := resolved.Validate(answer.Result); err != nil {
			t.Errorf("%s: %v: %.500s", file, err, raw)
		}
		answer.Result["more"] = true
		if resolved.Validate(answer.Result) == nil {
			t.Errorf("%s allows fields that it does not name", file)
		}
	}
}
