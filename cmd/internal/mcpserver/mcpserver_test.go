package mcpserver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"docent/cmd/internal/app"
	"docent/cmd/internal/mcpserver"
	"docent/pipeline/phase/process"
	"docent/pipeline/service"
	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
	"docent/pipeline/service/pages"
	"docent/store/doc"
)

var manual = fstest.MapFS{
	"options.md": {Data: []byte("# Options\n\n| Option | Default | Description |\n| --- | --- | --- |\n" + strings.Repeat("| `--oil-grade` | `rye` | Which grade. |\n", 20) + "| `--oil-price` | | The price. |\n")},
	"lamps.md":   {Data: []byte("# Lamps\n\nA lamp burns oil. It gives light.\n\n## Trimming the wick\n\nTrim the wick once a week with sharp scissors.\n\n## Filling\n\nFill the lamp with whale oil, never to the brim.\n\n## Filling\n\nAgain.\n")},
	"CI/CD.md":   {Data: []byte("# CI/CD\n\n## What's new? 100% & more\n\nA pipeline builds the lantern & tests <it>.\n")},
	"long.md":    {Data: []byte("# Long\n\n## Sperm whales\n\n" + strings.Repeat("The sperm whale dives for squid in the deep sea.\n\n", 600))},
	"links.md":   {Data: []byte("# Links\n\nSee [trimming](lamps.md#trimming-the-wick).\n\n## Next\n\n" + strings.Repeat("Read on. ", 400) + "[long](long.md)\n")},
	"wide.md":    {Data: []byte("# Wide\n\n## Narwhals\n\nnarwhal " + strings.Repeat("tusk ", 20_000) + "\n\nThe end.\n")},
}

// prepared is the folder of a home with the manual, which the homes of tests are copies of: indexing it in
// each took a quarter of the processor's time of all of them.
var prepared = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "docent-mcpserver")
	if err != nil {
		return dir, err
	}
	shared, err := app.OpenShared(context.Background(), app.Options{Home: dir, Manual: fs.FS(manual)})
	if err != nil {
		return dir, err
	}
	return dir, shared.Close()
})

func TestMain(m *testing.M) {
	code := m.Run()
	if dir, _ := prepared(); dir != "" {
		_ = os.RemoveAll(dir)
	}
	os.Exit(code)
}

// openHome opens a home of its own, in a folder.
func openHome(t *testing.T, dir string) *app.Shared {
	t.Helper()
	from, err := prepared()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	shared, err := app.OpenShared(t.Context(), app.Options{Home: dir, Manual: fs.FS(manual)})
	if err != nil {
		t.Fatal(err)
	}
	return shared
}

// connected is a client that speaks with a server over a home of its own.
type connected struct {
	t       *testing.T
	client  *mcp.ClientSession
	dir     string // the home
	updated chan string
	told    chan *mcp.ProgressNotificationParams
}

func connect(t *testing.T) *connected { return connectTo(t, func(*app.App) {}) }

// connectTo is connect after something was done with the home.
func connectTo(t *testing.T, first func(*app.App)) *connected {
	t.Helper()
	dir := t.TempDir()
	shared := openHome(t, dir)
	a, release, err := shared.Use()
	if err != nil {
		t.Fatal(err)
	}
	first(a)
	release()
	s := mcpserver.New(mcpserver.Options{Adds: true, Operations: app.Operations(), Home: func() (*service.Services, func(), error) {
		a, release, err := shared.Use()
		if err != nil {
			return nil, nil, err
		}
		return a.Services, release, nil
	}})
	c := &connected{t: t, dir: dir, updated: make(chan string, 100), told: make(chan *mcp.ProgressNotificationParams, 100)}
	ours, theirs := mcp.NewInMemoryTransports()
	ctx, cancel := context.WithCancel(context.Background())
	var serving sync.WaitGroup
	serving.Go(func() { _ = s.Run(ctx, theirs) })
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ResourceUpdatedHandler:      func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) { c.updated <- r.Params.URI },
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) { c.told <- r.Params },
	})
	if c.client, err = client.Connect(t.Context(), ours, nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.client.Close()
		cancel()
		serving.Wait()
		if err := shared.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// call calls a tool; ok reports whether that must succeed. It gives the text.
func (c *connected) call(ok bool, tool string, args map[string]any) string {
	c.t.Helper()
	res, err := c.client.CallTool(c.t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		c.t.Fatalf("%s %v: %v", tool, args, err)
	}
	text := ""
	for _, part := range res.Content {
		if t, is := part.(*mcp.TextContent); is {
			text += t.Text
		}
	}
	if res.IsError == ok {
		c.t.Fatalf("%s %v: error %v: %s", tool, args, res.IsError, text)
	}
	return text
}

func (c *connected) into(v any, tool string, args map[string]any) {
	c.t.Helper()
	res, err := c.client.CallTool(c.t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil || res.IsError || len(res.Content) != 1 {
		c.t.Fatalf("%s %v: %+v, %v", tool, args, res, err)
	}
	raw := []byte(res.Content[0].(*mcp.TextContent).Text)
	if res.StructuredContent != nil {
		if raw, err = json.Marshal(res.StructuredContent); err != nil {
			c.t.Fatal(err)
		}
	}
	if err := json.Unmarshal(raw, v); err != nil {
		c.t.Fatalf("%s: %v: %s", tool, err, raw)
	}
}

func TestTools(t *testing.T) {
	t.Parallel()
	c := connect(t)
	list, err := c.client.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		if tool.Description == "" || tool.InputSchema == nil || tool.Annotations == nil || tool.Annotations.ReadOnlyHint == (tool.Name == "add_documentation") {
			t.Errorf("%s lacks a description, a schema or its hints: %+v", tool.Name, tool)
		}
	}
	slices.Sort(names)
	var described []string
	for _, op := range app.Operations() {
		if op.Tool != nil {
			described = append(described, op.Tool.Name)
		}
	}
	slices.Sort(described)
	if !slices.Equal(names, described) {
		t.Errorf("the tools are %q, those of the operations %q", names, described)
	}
	for _, name := range []string{"ask_docs", "list_changed_names", "list_doc_sets", "list_pages", "look_up_parameter", "read_doc", "search_docs", "verify_citation"} {
		if !slices.Contains(names, name) {
			t.Errorf("clients know %s, and it is gone: %q", name, names)
		}
	}
	if text := c.client.InitializeResult().Instructions; !strings.Contains(text, "ask_docs") || !strings.Contains(text, "verify_citation") {
		t.Errorf("the instructions: %s", text)
	}
	block := c.call(true, "ask_docs", map[string]any{"question": "how do I trim the wick"})
	if !strings.HasPrefix(block, "=== AOP-FINAL") || !strings.Contains(block, "Trim the wick once a week") || strings.Index(block, "Trim the wick once") > strings.Index(block, "## Filling") && strings.Contains(block, "## Filling") {
		t.Errorf("%s", block)
	}
	var checked struct {
		Proven bool
		Blocks []struct {
			State    string
			Findings []any
		}
	}
	c.into(&checked, "verify_citation", map[string]any{"block": block})
	if !checked.Proven || len(checked.Blocks) != 1 || checked.Blocks[0].State != "verified" {
		t.Errorf("%+v", checked)
	}
	c.into(&checked, "verify_citation", map[string]any{"block": strings.Replace(block, "sharp", "blunt", 1)})
	if checked.Proven || checked.Blocks[0].State != "altered" || len(checked.Blocks[0].Findings) == 0 {
		t.Errorf("%+v", checked)
	}
	var sets struct {
		DocSets []struct {
			DocSet string `json:"doc_set"`
			Pages  int
		} `json:"doc_sets"`
	}
	c.into(&sets, "list_doc_sets", nil)
	if len(sets.DocSets) != 1 || sets.DocSets[0].DocSet != home.ManualRef().String() || sets.DocSets[0].Pages != len(manual) {
		t.Errorf("%+v", sets)
	}
	var looked struct {
		Total      int
		Parameters []struct {
			Name, Default string
			Other         int `json:"other_places"`
		}
	}
	c.into(&looked, "look_up_parameter", map[string]any{"name": "oil_grade"})
	if looked.Total != 20 || len(looked.Parameters) != 1 || looked.Parameters[0].Default != "rye" || looked.Parameters[0].Other != 19 {
		t.Errorf("%+v", looked)
	}
	for tool, args := range map[string]map[string]any{"look_up_parameter": {"name": "--"}, "ask_docs": {"question": " "}, "search_docs": {"query": "oil", "doc_sets": []string{"Nowhere"}}, "read_doc": {"page": "../../etc/passwd"},
		"verify_citation": {"block": "no block"}, "list_doc_sets": {"max_tokens": 1},
		"list_pages": {"doc_set": "Nowhere"}} {
		if text := c.call(false, tool, args); text == "" {
			t.Errorf("%s %v: an error without a word", tool, args)
		}
	}
	if text := c.call(true, "ask_docs", map[string]any{"question": "quantum chromodynamics of lattices"}); !strings.Contains(text, "Nothing was found") && !strings.Contains(text, "probably not in the documentation") {
		t.Errorf("%s", text)
	}
}

// An agent hears what a newer version changes, of the names that it gives or of all.
func TestChangedNames(t *testing.T) {
	t.Parallel()
	c := connectTo(t, func(a *app.App) {
		for version, rows := range map[string]string{"1": "| `--soot` | | Lets the soot be. |\n", "2": ""} {
			dir := t.TempDir()
			text := "# Flags\n\n| flag | default | description |\n| --- | --- | --- |\n| `--oil` | `rye" + version + "` | Which oil is burned in the lamp. |\n" + rows
			if err := os.WriteFile(filepath.Join(dir, "flags.md"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			plan, err := library.Discover(t.Context(), library.AddRequest{Paths: []string{dir}, Name: "Lantern", Version: version}, a.Home.Parsers, home.Watch{})
			if err == nil {
				_, err = a.Library.Add(t.Context(), plan, home.Watch{})
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	})
	for want, names := range map[string][]string{
		"Lantern@1 to Lantern@2: 2 changes\n1. --soot removed [Lantern@1/flags.md 6-6]\n" +
			"2. --oil default rye1 → rye2 [Lantern@1/flags.md 5-5; Lantern@2/flags.md 5-5]": nil,
		"Lantern@1 to Lantern@2: 1 change\n1. --soot removed [Lantern@1/flags.md 6-6]\nnot documented in the older version: tar": {"soot", "tar"},
	} {
		args := map[string]any{"versions": []string{"Lantern"}}
		if names != nil {
			args["names"] = names
		}
		if text := c.call(true, "list_changed_names", args); text != want {
			t.Errorf("%v: %q, want %q", names, text, want)
		}
	}
	if text := c.call(false, "list_changed_names", nil); !strings.Contains(text, "two doc sets are compared") {
		t.Errorf("without versions: %q", text)
	}
}

// An agent that gives an argument of another tool reads which arguments the tool takes. It used to read
// what the checker of JSON Schemas found.
func TestWrongArgumentsAreNamed(t *testing.T) {
	t.Parallel()
	c := connect(t)
	for _, tt := range []struct {
		tool string
		args map[string]any
		want string
	}{
		{"ask_docs", map[string]any{"query": "pods"}, `ask_docs has no argument "query"; ask_docs takes question (needed), doc_sets, `},
		{"ask_docs", map[string]any{}, `ask_docs needs the argument "question"; ask_docs takes question (needed), `},
		{"ask_docs", map[string]any{"question": 5}, "question is no good: it must be a text"},
		{"ask_docs", map[string]any{"question": nil}, "question is no good: it must be a text"},
		{"search_docs", map[string]any{"query": "wick", "limit": "three"}, "limit is no good: it must be a whole number from 1 to 100; search_docs takes query (needed), "},
		{"search_docs", map[string]any{"query": "wick", "max_tokens": "many"}, "max_tokens is no good: it must be a whole number from 100 to "},
		{"ask_docs", map[string]any{"question": "wick", "extent": "pages"}, `extent is "pages", it must be one of `},
	} {
		if text := c.call(false, tt.tool, tt.args); !strings.HasPrefix(text, tt.want) || !strings.HasSuffix(text, ", max_tokens") {
			t.Errorf("%s %v: %q, want %q", tt.tool, tt.args, text, tt.want)
		}
	}
	if text := c.call(true, "search_docs", map[string]any{"query": "zyzzyva"}); !strings.Contains(text, "question: 0; search with other words, or list_doc_sets") {
		t.Errorf("a search that finds nothing does not say what to do: %q", text)
	}
	if text := c.call(true, "search_docs", map[string]any{"query": "wick", "doc_sets": nil}); !strings.Contains(text, "passages") {
		t.Errorf("doc_sets null, which the schema allows: %q", text)
	}
}

// Beside a structured answer stands a short text, and not the same JSON once more.
func TestTextsBesideStructuredAnswers(t *testing.T) {
	t.Parallel()
	c := connect(t)
	block := c.call(true, "ask_docs", map[string]any{"question": "how do I trim the wick"})
	for _, tt := range []struct {
		tool string
		args map[string]any
		want []string
	}{
		{"search_docs", map[string]any{"query": "trim the wick"}, []string{"passages with a word of the question: "}},
		{"list_doc_sets", nil, []string{"1 doc set\n", home.ManualRef().String() + ": ", " pages, ", ", fresh"}},
		{"list_pages", map[string]any{"doc_set": "Docent_Manual"}, []string{"\nlamps.md (Lamps)\n"}},
		{"look_up_parameter", map[string]any{"name": "oil_grade"}, []string{"20 places document it\n1. --oil-grade", "default rye", "and 19 other places]"}},
		{"verify_citation", map[string]any{"block": block}, []string{"proven: every line", "\nblock 1 verified: "}},
		{"verify_citation", map[string]any{"block": strings.Replace(block, "sharp", "blunt", 1)}, []string{"not proven: ", "\nblock 1 altered: ", "\n  line "}},
	} {
		res, err := c.client.CallTool(t.Context(), &mcp.CallToolParams{Name: tt.tool, Arguments: tt.args})
		if err != nil || res.IsError || len(res.Content) != 1 || res.StructuredContent == nil {
			t.Fatalf("%s %v: %+v, %v", tt.tool, tt.args, res, err)
		}
		text := res.Content[0].(*mcp.TextContent).Text
		raw, err := json.Marshal(res.StructuredContent)
		if err != nil {
			t.Fatal(err)
		}
		if json.Valid([]byte(text)) || len(text) >= len(raw) {
			t.Errorf("%s: the text is not shorter than the JSON: %s", tt.tool, text)
		}
		for _, w := range tt.want {
			if !strings.Contains(text, w) {
				t.Errorf("%s %v: %q is not in %s", tt.tool, tt.args, w, text)
			}
		}
	}
}

// An answer never has more than its budget.
func TestBudgets(t *testing.T) {
	t.Parallel()
	c := connect(t)
	for _, most := range []int{100, 137, 200, 500, 1000, 2000, 5000} {
		for tool, args := range map[string]map[string]any{
			"ask_docs sections": {"question": "sperm whales dive"}, "ask_docs documents": {"question": "sperm whales dive", "extent": "documents"}, "ask_docs wide": {"question": "narwhals tusk"},
			"search_docs": {"query": "whale oil lamp narwhal"}, "read_doc long": {"page": "long.md"}, "read_doc wide": {"page": "wide.md"}, "read_doc links": {"page": "links.md"}, "list_doc_sets": {}, "look_up_parameter": {"name": "oil*"},
			"list_pages": {"doc_set": "Docent_Manual"},
		} {
			args["max_tokens"] = most
			name, _, _ := strings.Cut(tool, " ")
			res, err := c.client.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
			if err != nil {
				t.Fatal(err)
			}
			text := ""
			for _, part := range res.Content {
				text += part.(*mcp.TextContent).Text
			}
			whole := process.Tokens(text)
			if res.StructuredContent != nil {
				raw, err := json.Marshal(res.StructuredContent)
				if err != nil {
					t.Fatal(err)
				}
				whole += process.Tokens(string(raw))
			}
			if got := whole; got > most {
				t.Errorf("%s: %d tokens, %d were allowed: %.200s", tool, got, most, text)
			}
			if res.IsError && most >= 500 {
				t.Errorf("%s within %d tokens: %s", tool, most, text)
			}
		}
	}
}

type searched struct {
	Total      int
	NextCursor string `json:"next_cursor"`
	Pages      []struct {
		FilePath string `json:"file_path"`
		Headings []struct {
			Text, Anchor string
			Lines        [2]int
		}
	}
}

// An agent that asks for five pages got two: every page had five snippets, and everything was
// sent twice. Now each page gives something up first, and the text has no snippets.
func TestSearchKeepsItsPages(t *testing.T) {
	t.Parallel()
	c := connectTo(t, func(a *app.App) {
		dir := t.TempDir()
		for i := range 8 {
			text := fmt.Sprintf("# Lighthouse %d\n\n", i)
			for k := range 8 {
				text += fmt.Sprintf("## Optics of the lens number %d\n\n%s\n\n", k, strings.Repeat(fmt.Sprintf("The fresnel lens %d of lighthouse %d bends light. ", k, i), 12))
			}
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("house-%d.md", i)), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		plan, err := library.Discover(t.Context(), library.AddRequest{Paths: []string{dir}, Name: "Coast"}, a.Home.Parsers, home.Watch{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.Library.Add(t.Context(), plan, home.Watch{}); err != nil {
			t.Fatal(err)
		}
	})
	args := map[string]any{"query": "fresnel lens", "limit": 5}
	var out searched
	c.into(&out, "search_docs", args)
	if len(out.Pages) != 5 {
		t.Errorf("%d pages: %+v", len(out.Pages), out)
	}
	text := c.call(true, "search_docs", args)
	if !strings.Contains(text, "(Coast@latest/house-0.md)") || strings.Contains(text, "bends light") {
		t.Errorf("the text: %s", text)
	}
}

// What an argument can be stands in its schema.
func TestEnumsInSchemas(t *testing.T) {
	t.Parallel()
	list, err := connect(t).client.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		if tool.Name != "ask_docs" {
			continue
		}
		raw, err := json.Marshal(tool.InputSchema)
		if err != nil || !strings.Contains(string(raw), `"enum":["documents","sections"]`) {
			t.Errorf("%s, %v", raw, err)
		}
	}
}

func TestSearchGoesOn(t *testing.T) {
	t.Parallel()
	c := connect(t)
	seen := map[string]bool{}
	args := map[string]any{"query": "lamp lantern whale", "limit": 1}
	for range 10 {
		var out searched
		c.into(&out, "search_docs", args)
		for _, p := range out.Pages {
			if seen[p.FilePath] || len(p.Headings) == 0 {
				t.Errorf("%+v", p)
			}
			seen[p.FilePath] = true
		}
		if out.NextCursor == "" {
			break
		}
		args["cursor"] = out.NextCursor
	}
	if len(seen) < 2 {
		t.Errorf("%v", seen)
	}
}

// sectionAddress is the address of a section as a resource.
var sectionAddress = "tech_doc://" + home.ManualRef().String() + "/lamps.md#Lamps%20%3E%20Trimming%20the%20wick"

// A page that does not fit is read to its end in parts, which together are the page.
func TestReadInParts(t *testing.T) {
	t.Parallel()
	c := connect(t)
	var whole strings.Builder
	args := map[string]any{"doc_set": "Docent_Manual", "page": "long.md", "max_tokens": 900}
	parts := 0
	for range 200 {
		var out pages.Part
		c.into(&out, "read_doc", args)
		whole.WriteString(out.Content)
		parts++
		if out.NextLines == nil {
			break
		}
		if !out.Truncated {
			t.Fatalf("%+v", out)
		}
		args["lines"] = fmt.Sprintf("%d-%d", out.NextLines[0], out.NextLines[1])
	}
	if parts < 5 || whole.String() != string(manual["long.md"].Data) {
		t.Errorf("%d parts, %d bytes of %d", parts, whole.Len(), len(manual["long.md"].Data))
	}
	var section pages.Part
	c.into(&section, "read_doc", map[string]any{"page": "lamps", "section": "Trimming the wick"})
	if section.Content != "## Trimming the wick\n\nTrim the wick once a week with sharp scissors.\n\n" && section.Content != "## Trimming the wick\n\nTrim the wick once a week with sharp scissors.\n" {
		t.Errorf("%q", section.Content)
	}
	var same pages.Part
	c.into(&same, "read_doc", map[string]any{"handle": section.Handle})
	for _, args := range []map[string]any{
		{"page": sectionAddress}, {"handle": sectionAddress}, {"doc_set": "Docent_Manual", "page": sectionAddress},
		{"page": strings.Replace(sectionAddress, "#Lamps%20%3E%20Trimming%20the%20wick", "", 1), "section": "Trimming the wick"},
	} {
		var addressed pages.Part
		if c.into(&addressed, "read_doc", args); addressed.Handle != section.Handle {
			t.Errorf("by the address of a resource, %v: %+v", args, addressed)
		}
	}
	if same.Content != section.Content || same.SectionPath != "Lamps > Trimming the wick" || section.Handle != doc.SectionID(home.ManualRef().String()+"/lamps.md", "Lamps > Trimming the wick") {
		t.Errorf("by its handle: %+v", same)
	}
	for _, lines := range []string{"0-5", "5-4", "x", "9999-10000", "-1", "1-2-3"} {
		c.call(false, "read_doc", map[string]any{"page": "lamps.md", "lines": lines})
	}
	for _, w := range []struct{ tool, argument, value, says string }{
		{"read_doc", "lines", "5-4", "give the smaller number first"},
		{"read_doc", "section", "Chandelier", "read_doc of the page without a section lists its sections"},
	} {
		if got := c.call(false, w.tool, map[string]any{"page": "lamps.md", w.argument: w.value}); !strings.Contains(got, w.says) {
			t.Errorf("%s %s: %q, want %q", w.argument, w.value, got, w.says)
		}
	}
	if got := c.call(true, "read_doc", map[string]any{"page": "CI/CD.md"}); !strings.Contains(got, "lantern & tests <it>.") {
		t.Errorf("signs of HTML are escaped, which costs tokens: %s", got)
	}
	if got := c.call(true, "look_up_parameter", map[string]any{"name": "chandelier"}); !strings.Contains(got, "no place documents it as a parameter") {
		t.Errorf("a name that no page has: %q", got)
	}
}

// A read section comes with its references, as far as it was read.
func TestReadWithReferences(t *testing.T) {
	t.Parallel()
	c := connect(t)
	var out struct {
		pages.Part
		References []pages.Reference `json:"references"`
	}
	c.into(&out, "read_doc", map[string]any{"page": "links.md", "lines": "1-3"})
	if len(out.References) != 1 || out.References[0].Leads != "from" || out.References[0].FilePath != "lamps.md" || out.References[0].SectionPath != "Lamps > Trimming the wick" {
		t.Fatalf("%+v", out.References)
	}
	var trimming pages.Part
	c.into(&trimming, "read_doc", map[string]any{"handle": out.References[0].Handle})
	if !strings.HasPrefix(trimming.Content, "## Trimming the wick") {
		t.Errorf("%q", trimming.Content)
	}
	c.into(&out, "read_doc", map[string]any{"page": "links.md", "max_tokens": 5000})
	if len(out.References) != 2 {
		t.Errorf("%+v", out.References)
	}
}

// listSchema is specification 5's schema of the list; the protocol adds fields of its
// own.
const listSchema = `{"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "TechDocResourceList", "type": "object",
 "properties": {"resources": {"type": "array", "items": {"type": "object",
  "required": ["uri","title","section_path","handle","summary","token_estimate","capabilities"],
  "properties": {"uri": {"type": "string", "pattern": "^tech_doc://"}, "title": {"type": "string"}, "section_path": {"type": "string"}, "handle": {"type": "string", "pattern": "^[0-9a-f]{16}$"},
   "summary": {"type": "string", "maxLength": 200}, "token_estimate": {"type": "integer"}, "capabilities": {"type": "array", "items": {"type": "string"}}}}}}}`

func TestResources(t *testing.T) {
	t.Parallel()
	c := connect(t)
	var all []*mcp.Resource
	for r, err := range c.client.Resources(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	uris := map[string]*mcp.Resource{}
	for _, r := range all {
		if uris[r.URI] != nil {
			t.Errorf("%s is listed twice", r.URI)
		}
		uris[r.URI] = r
	}
	lamps := uris["tech_doc://Docent_Manual@0.1.0/lamps.md"]
	if lamps == nil || len(all) != len(manual) {
		t.Fatalf("%d resources: %v", len(all), slices.Sorted(func(yield func(string) bool) {
			for u := range uris {
				if !yield(u) {
					return
				}
			}
		}))
	}
	if lamps.Title != "Lamps" || lamps.Meta["handle"] == "" || lamps.Meta["token_estimate"].(float64) < 10 {
		t.Errorf("%+v", lamps)
	}
	for uri, want := range map[string]string{lamps.URI: "A lamp burns oil", "tech_doc://Docent_Manual@0.1.0/lamps.md#Lamps%20%3E%20Trimming%20the%20wick": "Trim the wick once a week",
		"tech_doc://Docent_Manual@0.1.0/lamps.md#Lamps%20%3E%20Filling~2": "Again.", "tech_doc://Docent_Manual/lamps.md#Lamps > Trimming the wick": "Trim the wick once a week",
		"tech_doc://Docent_Manual@0.1.0/CI/CD.md#CI%2FCD%20%3E%20What%27s%20new%3F%20100%25%20&%20more": "tests <it>"} {
		res, err := c.client.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if err != nil || len(res.Contents) != 1 || !strings.Contains(res.Contents[0].Text, want) || res.Contents[0].Meta["handle"] == "" {
			t.Errorf("%s: %+v, %v", uri, res, err)
		}
	}
	long, err := c.client.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "tech_doc://Docent_Manual@0.1.0/long.md"})
	if err != nil || long.Contents[0].Meta["truncated"] != true || !strings.Contains(long.Contents[0].Text, "omitted …]") || process.Tokens(long.Contents[0].Text) > 2050 {
		t.Errorf("a long page is not trimmed: %v", err)
	}
	for _, uri := range []string{"tech_doc://Docent_Manual@0.1.0/../../etc/passwd", "tech_doc://Docent_Manual@0.1.0/nothing.md", "tech_doc://Nowhere/lamps.md", "tech_doc://Docent_Manual", "file:///etc/passwd",
		"tech_doc://Docent_Manual/lamps.md#Nothing", "tech_doc:///etc/passwd", ""} {
		if res, err := c.client.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri}); err == nil {
			t.Errorf("%s: %+v", uri, res)
		}
	}
	templates, err := c.client.ListResourceTemplates(t.Context(), nil)
	if err != nil || len(templates.ResourceTemplates) != 1 {
		t.Errorf("%+v, %v", templates, err)
	}
	if _, err := c.client.ListResources(t.Context(), &mcp.ListResourcesParams{Cursor: "nonsense"}); err == nil {
		t.Error("a cursor that is none is taken")
	}
}

// What a request of the protocol asks for wrongly is an error with the code for parameters, and
// not with the code 0, which JSON-RPC does not have. Of a tool it stays a text that says more.
func TestWrongParametersHaveTheirCode(t *testing.T) {
	t.Parallel()
	for _, params := range []string{`"method":"resources/list","params":{"cursor":"nonsense"}`,
		`"method":"prompts/get","params":{"name":"answer_from_docs","arguments":{}}`} {
		raw := answerTo(t, `{"jsonrpc":"2.0","id":2,`+params+`}`)
		var answer struct{ Error struct{ Code int } }
		if err := json.Unmarshal(raw, &answer); err != nil || answer.Error.Code != jsonrpc.CodeInvalidParams {
			t.Errorf("%s: %v, %s", params, err, raw)
		}
	}
	raw := answerTo(t, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ask_docs","arguments":{"question":" "}}}`)
	if !strings.Contains(string(raw), `"isError":true`) || !strings.Contains(string(raw), "the question is empty") {
		t.Errorf("of a tool: %s", raw)
	}
}

// The list as it is on the wire has specification 5's form.
func TestTheListHasTheSpecifiedForm(t *testing.T) {
	t.Parallel()
	var schema jsonschema.Schema
	if err := json.Unmarshal([]byte(listSchema), &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	raw := answerTo(t, `{"jsonrpc":"2.0","id":2,"method":"resources/list","params":{}}`)
	var answer struct{ Result map[string]any }
	if err := json.Unmarshal(raw, &answer); err != nil {
		t.Fatal(err)
	}
	if err := resolved.Validate(answer.Result); err != nil {
		t.Errorf("%v: %.500s", err, raw)
	}
	if list, _ := answer.Result["resources"].([]any); len(list) != len(manual) {
		t.Errorf("%d resources", len(list))
	}
}

// A client gets a notification when a subscribed page changes.
func TestSubscriptions(t *testing.T) {
	t.Parallel()
	c := connect(t)
	const uri = "tech_doc://Docent_Manual@0.1.0/lamps.md#Lamps%20%3E%20Filling"
	if err := c.client.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(filepath.Join(c.dir, "manual", "*", "*", "lamps.md"))
	if err != nil || len(pages) != 1 {
		t.Fatal(pages, err)
	}
	// The newest version of the protocol does not report when a subscription starts.
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for n := 0; ; n++ {
		if err := os.WriteFile(pages[0], fmt.Appendf(nil, "# Lamps\n\n## Filling\n\nFill it with light. %d\n", n), 0o600); err != nil {
			t.Fatal(err)
		}
		select {
		case got := <-c.updated:
			if got != uri {
				t.Errorf("%s", got)
			}
		case <-tick.C:
			continue
		case <-t.Context().Done():
			t.Fatal("nobody was told")
		}
		break
	}
	res, err := c.client.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
	if err != nil || !strings.Contains(res.Contents[0].Text, "Fill it with light.") {
		t.Errorf("%+v, %v", res, err)
	}
	raw := answerTo(t, `{"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":"tech_doc://Docent_Manual/nothing.md"}}`)
	if !strings.Contains(string(raw), `"error"`) {
		t.Errorf("a subscription to nothing is taken: %s", raw)
	}
	if err := c.client.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: uri}); err != nil {
		t.Error(err)
	}
}

func TestPromptsAndProgress(t *testing.T) {
	t.Parallel()
	c := connect(t)
	p, err := c.client.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "answer_from_docs", Arguments: map[string]string{"question": "how do I trim the wick"}})
	if err != nil || len(p.Messages) != 1 || !strings.Contains(p.Messages[0].Content.(*mcp.TextContent).Text, "Trim the wick once a week") {
		t.Errorf("%+v, %v", p, err)
	}
	if list, err := c.client.ListPrompts(t.Context(), nil); err != nil || len(list.Prompts) != 2 {
		t.Errorf("%+v, %v", list, err)
	}
	params := &mcp.CallToolParams{Name: "ask_docs", Arguments: map[string]any{"question": "how do I trim the wick"}}
	params.SetProgressToken("wick")
	if _, err := c.client.CallTool(t.Context(), params); err != nil {
		t.Fatal(err)
	}
	last := 0.0
	for last < 9 {
		select {
		case p := <-c.told:
			if p.ProgressToken != "wick" || p.Progress <= last || p.Total != 9 || !strings.HasPrefix(p.Message, "phase ") {
				t.Fatalf("after %v: %+v", last, p)
			}
			last = p.Progress
		case <-time.After(time.Minute):
			t.Fatalf("no more progress after %v", last)
		}
	}
}

// An answer that cannot fit is an error with this reason: neither a longer answer, nor a
// cursor to the same place.
func TestNamesThatDoNotFit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	long := strings.Repeat("lantern-", 25)
	folder := filepath.Join(dir, long)
	if err := os.MkdirAll(filepath.Join(folder, long), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, long, long+".md"), []byte("# Wicks\n\nTrim the zeppelin.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := connectTo(t, func(a *app.App) {
		found, err := library.Discover(t.Context(), library.AddRequest{Paths: []string{folder}}, a.Home.Parsers, home.Watch{})
		if err == nil {
			_, err = a.Library.Add(t.Context(), found, home.Watch{})
		}
		if err != nil {
			t.Fatal(err)
		}
	})
	for tool, args := range map[string]map[string]any{"search_docs": {"query": "zeppelin", "max_tokens": 100}, "list_doc_sets": {"max_tokens": 100, "cursor": "1"}} {
		if text := c.call(false, tool, args); !strings.Contains(text, "fits into 100 tokens") {
			t.Errorf("%s: %s", tool, text)
		}
		args["max_tokens"] = 1000
		c.call(true, tool, args)
	}
}

func TestCompletions(t *testing.T) {
	t.Parallel()
	c := connect(t)
	complete := func(argument, typed, docSet, page string) []string {
		t.Helper()
		res, err := c.client.Complete(t.Context(), &mcp.CompleteParams{Ref: &mcp.CompleteReference{Type: "ref/prompt", Name: "answer_from_docs"},
			Argument: mcp.CompleteParamsArgument{Name: argument, Value: typed}, Context: &mcp.CompleteContext{Arguments: map[string]string{"doc_set": docSet, "page": page}}})
		if err != nil {
			t.Fatal(err)
		}
		return res.Completion.Values
	}
	manual := home.ManualRef().String()
	for _, x := range []struct {
		argument, typed, docSet, page string
		want                          []string
	}{
		{"doc_set", "", "", "", []string{manual}}, {"doc_set", "docent_m", "", "", []string{manual}}, {"doc_set", "x", "", "", nil},
		{"page", "la", manual, "", []string{"lamps.md"}}, {"page", "la", "", "", nil}, {"question", "a", "", "", nil},
		{"section_path", "Lamps > T", manual, "lamps.md", []string{"Lamps > Trimming the wick"}},
		{"section_path", "trim", manual, "lamps.md", []string{"Lamps > Trimming the wick"}},
		{"section_path", "wick", manual, "lamps.md", nil}, {"section_path", "trim", manual, "", nil},
	} {
		if got := complete(x.argument, x.typed, x.docSet, x.page); !slices.Equal(got, x.want) {
			t.Errorf("%+v: %q", x, got)
		}
	}
}
