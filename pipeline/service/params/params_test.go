package params_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/service/params"
	"docent/pipeline/service/servicetest"
)

const options = `# Options

| Option | Type | Default | Description |
| --- | --- | --- | --- |
| ` + "`--wick-length`" + ` | int | 6 | millimetres of wick |
| ` + "`--auto-trim`" + ` | bool | false | trims every evening |
| ` + "`--auto-refill`" + ` | bool | true | refills every month |

## Environment

- ` + "`LANTERN_HOME`" + `: the folder of the lanterns.
`

func lantern(t *testing.T) *servicetest.Home {
	t.Helper()
	h := servicetest.New(t)
	h.Add("Lantern@1", map[string]string{"options.md": options, "other.md": "# Other\n\nNo options here.\n"})
	return h
}

func TestAParameterIsFoundHoweverItIsWritten(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	for _, tt := range []struct {
		name  string
		match string
		found []string
	}{
		{"--wick-length", "exact", []string{"--wick-length"}},
		{"wick-length", "dashes", []string{"--wick-length"}},
		{"WICK-LENGTH", "", []string{"--wick-length"}},
		{" --wick-length ", "exact", []string{"--wick-length"}},
		{"--auto-*", "pattern", []string{"--auto-trim", "--auto-refill"}},
		{"LANTERN_HOME", "exact", []string{"LANTERN_HOME"}},
	} {
		out, err := h.Params.Parameter(t.Context(), params.ParameterRequest{Name: tt.name})
		if err != nil {
			t.Errorf("%q: %v", tt.name, err)
			continue
		}
		var found []string
		for _, p := range out.Parameters {
			found = append(found, p.Name)
			if tt.match != "" && p.Match != tt.match {
				t.Errorf("%q fits %q by %s, want %s", tt.name, p.Name, p.Match, tt.match)
			}
		}
		if !slices.Equal(found, tt.found) || out.Total != len(tt.found) || out.Name != strings.TrimSpace(tt.name) {
			t.Errorf("%q: %q of %d as %q, want %q", tt.name, found, out.Total, out.Name, tt.found)
		}
	}
}

func TestWhatATableSaysOfAParameter(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	out, err := h.Params.Parameter(t.Context(), params.ParameterRequest{Name: "--wick-length", Sets: []string{"Lantern"}})
	if err != nil || len(out.Parameters) != 1 {
		t.Fatalf("%+v, %v", out, err)
	}
	p := out.Parameters[0]
	if p.Type != "int" || p.Default != "6" || p.Description != "millimetres of wick" || p.DocSet != "Lantern@1" || p.FilePath != "options.md" ||
		p.PageTitle != "Options" || p.Lines != [2]int{5, 5} || p.Header != 3 || p.Aliases == nil {
		t.Errorf("%+v", p)
	}
}

// A definition stands before its translations, whatever the folders are called.
func TestTranslationsComeLast(t *testing.T) {
	t.Parallel()
	h := servicetest.New(t)
	page := "# %s\n\n| Option | Type |\n| --- | --- |\n| `--oil` | string |\n"
	files := map[string]string{}
	for _, name := range []string{"es/oil.md", "io/oil.md", "pt-br/oil.md", "reference/oil.md", "zh_Hans/oil.md"} {
		files[name] = fmt.Sprintf(page, name)
	}
	h.Add("Lantern@1", files)
	out, err := h.Params.Parameter(t.Context(), params.ParameterRequest{Name: "--oil"})
	if err != nil {
		t.Fatal(err)
	}
	var pages []string
	for _, p := range out.Parameters {
		pages = append(pages, p.FilePath)
	}
	if want := []string{"io/oil.md", "reference/oil.md", "es/oil.md", "pt-br/oil.md", "zh_Hans/oil.md"}; !slices.Equal(pages, want) {
		t.Errorf("%q, want %q", pages, want)
	}
}

// CMake has a page for a variable and one for the variable of the environment that presets it, and
// names it in tables and examples of other pages: the page that says most is the definition.
func TestTheDefinitionComesFirst(t *testing.T) {
	t.Parallel()
	h := servicetest.New(t)
	h.Add("Lantern@1", map[string]string{
		"a-guide.md":         "# Guide\n\n| Variable | Use |\n| --- | --- |\n| `LAMP_OIL` | see there |\n| `LAMP_WICK` | see there |\n",
		"b-sample.md":        "# Sample\n\n```yaml\nLAMP_OIL: rye # which oil\n```\n",
		"environment/OIL.md": "# LAMP_OIL\n\nPresets the variable.\n",
		"types.md":           "# Types\n\n| Variable | Type | Default |\n| --- | --- | --- |\n| `LAMP_OIL` | string | rye |\n",
		"variables/OIL.md":   "# LAMP_OIL\n\nWhich oil.\n\nIt burns.\n",
	})
	out, err := h.Params.Parameter(t.Context(), params.ParameterRequest{Name: "LAMP_OIL"})
	if err != nil {
		t.Fatal(err)
	}
	var pages []string
	for _, p := range out.Parameters {
		pages = append(pages, p.FilePath)
	}
	want := []string{"variables/OIL.md", "environment/OIL.md", "types.md", "a-guide.md", "b-sample.md"}
	if !slices.Equal(pages, want) {
		t.Errorf("%q, want %q", pages, want)
	}
}

func TestANameThatNothingDocuments(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	for _, tt := range []struct {
		name string
		near []string
	}{
		{"--wick-lenght", []string{"--wick-length"}},
		{"wick-lenght", []string{"--wick-length"}},
		{"--quite-another-thing", nil},
		{"zzz*", nil}, // a pattern has no similar names
	} {
		out, err := h.Params.Parameter(t.Context(), params.ParameterRequest{Name: tt.name})
		if err != nil || out.Total != 0 || out.Parameters == nil || out.Near == nil || !slices.Equal(out.Near, slices.Concat([]string{}, tt.near)) {
			t.Errorf("%q: %+v, %v; want near %q", tt.name, out, err, tt.near)
		}
	}
}

func TestNamesThatCannotBeParameters(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	for _, tt := range []struct {
		name string
		says string
	}{
		{"", "no name of a parameter"},
		{"   ", "no name of a parameter"},
		{"--", "a pattern such as auto*"},
		{"*", "a pattern such as auto*"},
		{strings.Repeat("x", 401), "the longest that is looked up has 400; give a shorter one"},
	} {
		_, err := h.Params.Parameter(t.Context(), params.ParameterRequest{Name: tt.name})
		servicetest.WantError(t, tt.name, err, contract.CodeInvalidRequest, tt.says)
	}
	_, err := h.Params.Parameter(t.Context(), params.ParameterRequest{Name: "x", Sets: []string{"Nothing"}})
	servicetest.WantError(t, "an unknown doc set", err, contract.CodeInvalidRequest, "Nothing")
	if _, err := h.Params.Parameter(servicetest.Cancelled(t), params.ParameterRequest{Name: "x"}); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that has ended: %v", err)
	}
}

func TestALimitCutsThePlacesAndNotTheirNumber(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	for limit, want := range map[int]int{0: 2, 1: 1, 2: 2, 99: 2} {
		out, err := h.Params.Parameter(t.Context(), params.ParameterRequest{Name: "--auto-*", Limit: limit})
		if err != nil || out.Total != 2 || len(out.Parameters) != want {
			t.Errorf("limit %d: %d of %d, %v; want %d of 2", limit, len(out.Parameters), out.Total, err, want)
		}
	}
}

// The newest version of a doc set comes first.
func TestVersionsOfAParameter(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	h.Add("Lantern@2", map[string]string{"options.md": strings.Replace(options, "| 6 |", "| 9 |", 1)})
	out, err := h.Params.Parameter(t.Context(), params.ParameterRequest{Name: "--wick-length"})
	if err != nil || out.Total != 2 || out.Parameters[0].DocSet != "Lantern@2" || out.Parameters[0].Default != "9" || out.Parameters[1].Default != "6" {
		t.Errorf("%+v, %v", out, err)
	}
	folded := params.FoldParameters(out.Parameters)
	if len(folded) == 0 {
		t.Error("nothing is folded")
	}
}

func TestNamesThatBeginAsTyped(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	for begin, want := range map[string][]string{
		"--auto": {"--auto-refill", "--auto-trim"},
		"--AUTO": {"--auto-refill", "--auto-trim"},
		"LANT":   {"LANTERN_HOME"},
		"zzz":    nil,
	} {
		if got, err := h.Params.ParameterNames(t.Context(), begin, nil); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v; want %q", begin, got, err, want)
		}
	}
	if all, err := h.Params.ParameterNames(t.Context(), "", nil); err != nil || len(all) < 4 {
		t.Errorf("all: %q, %v", all, err)
	}
	if _, err := h.Params.ParameterNames(t.Context(), "", []string{"Nothing"}); servicetest.Code(err) != contract.CodeInvalidRequest {
		t.Errorf("an unknown doc set: %v", err)
	}
}

// A search asks for a parameter while pages change. It never builds a graph, and says of
// which doc sets it has none.
func TestDocumentingBuildsNoGraph(t *testing.T) {
	t.Parallel()
	servicetest.NeedsCatalogFile(t)
	h := lantern(t)
	set := h.Set("Lantern@1")
	places, unknown, err := h.Params.Documenting(t.Context(), h.Sets(), "--wick-length")
	if err != nil || len(places) != 1 || len(unknown) != 0 || places[0].DocSet != "Lantern@1" || places[0].Documented.Default != "6" {
		t.Errorf("%+v, %q, %v", places, unknown, err)
	}
	h.RemoveGraph(set)
	again := h.Reopen()
	places, unknown, err = again.Params.Documenting(t.Context(), again.Sets(), "--wick-length")
	if err != nil || len(places) != 0 || !slices.Equal(unknown, []string{"Lantern@1"}) {
		t.Errorf("without a graph: %+v, %q, %v", places, unknown, err)
	}
	// Asked for by name the graph is made.
	if out, err := again.Params.Parameter(t.Context(), params.ParameterRequest{Name: "--wick-length"}); err != nil || out.Total != 1 {
		t.Errorf("%+v, %v", out, err)
	}
}

func TestAnEmptyHomeDocumentsNothing(t *testing.T) {
	t.Parallel()
	h := servicetest.New(t)
	if out, err := h.Params.Parameter(t.Context(), params.ParameterRequest{Name: "x"}); err != nil || out.Total != 0 || len(out.Near) != 0 {
		t.Errorf("%+v, %v", out, err)
	}
	if names, err := h.Params.ParameterNames(t.Context(), "", nil); err != nil || len(names) != 0 {
		t.Errorf("%q, %v", names, err)
	}
}

func TestManyAskForParametersAtOnce(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if out, err := h.Params.Parameter(t.Context(), params.ParameterRequest{Name: "--auto-*"}); err != nil || out.Total != 2 {
				t.Errorf("%+v, %v", out, err)
			}
		})
	}
	h.Add("Other@1", map[string]string{"a.md": "# Other\n\nText.\n"})
	all.Wait()
}

// A dotted name that is documented part by part fell back to its last part alone: every "cert" of the
// documentation was an answer to "server.tls.cert".
func TestADottedNameIsFoundByTheHeadingsAbove(t *testing.T) {
	t.Parallel()
	h := servicetest.New(t)
	table := func(rows string) string {
		return "\n| Field | Type | Description |\n| --- | --- | --- |\n" + rows + "\n"
	}
	h.Add("Lantern@1", map[string]string{
		"server.md": "# Server\n\n## `tls`\n" + table("| `cert` | string | a file of the lantern |") + "\n## `log`\n" + table("| `cert` | bool | writes it down |"),
		"client.md": "# Client\n\n## `tls`\n" + table("| `cert` | string | a file of the boat |"),
		"wick.md":   "# Wicks\n" + table("| `wick.oil.kind` | string | what it burns |\n| `oil.level` | int | millimetres |"),
	})
	for asked, want := range map[string][]string{
		"server.tls.cert":  {"server.md#tls cert"},
		"tls.cert":         {"client.md#tls cert", "server.md#tls cert"},
		"log.cert":         {"server.md#log cert"},
		"boat.oil.level":   {"wick.md#Wicks oil.level"},
		"oil.kind":         {"wick.md#Wicks wick.oil.kind"},
		"nothing.cert":     {"client.md#tls cert", "server.md#log cert", "server.md#tls cert"},
		"wick.oil.kind":    {"wick.md#Wicks wick.oil.kind"},
		"lamp.server.cert": {"server.md#log cert", "server.md#tls cert"},
	} {
		out, err := h.Params.Parameter(t.Context(), params.ParameterRequest{Name: asked})
		if err != nil {
			t.Errorf("%s: %v", asked, err)
		}
		var found []string
		for _, p := range out.Parameters {
			found = append(found, p.FilePath+"#"+p.Section+" "+p.Name)
		}
		if slices.Sort(found); !slices.Equal(found, want) {
			t.Errorf("%s is documented at %q, want %q", asked, found, want)
		}
	}
}
