package transclude

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
)

// set is a doc set without a folder.
type set map[string]string

func (s set) open(name string) ([]byte, error) {
	if text, ok := s[name]; ok {
		return []byte(text), nil
	}
	return nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
}

var files = set{
	"src/parts/two.md":                "Fill it.\n\nTrim it.\n",
	"parts/oil.md":                    "Use whale oil.\n",
	"src/parts/oil.md":                "---\ntitle: Oil\n---\n\nUse whale oil.\n",
	"src/code/lamp.rs":                "fn a() {}\n// ANCHOR: light\nfn light() {\n}\n// ANCHOR_END: light\nfn z() {}\n",
	"content/_common/wick.md":         "Trim the wick.\n",
	"docs/en/_includes/lamps/wick.md": "Trim the flat wick.\n",
	"snippets/all.md":                 "One.\n# --8<-- [start:two]\nTwo.\n# --8<-- [end:two]\nThree.\n",
	"src/_part.mdx":                   "Filled daily.",
	"src/nested.md":                   "Outer:\n\n{{#include parts/oil.md}}\n",
	"src/loop.md":                     "{{#include loop.md}}\n",
	"src/shared/oil/kinds.md":         "---\ntitle: Kinds\n---\nWhale or rape.\n",
	"built/docset.yml":                "project: Lamp\ntoc:\n  - file: index.md\nsubs:\n  lamp: \"Storm Lamp\"\n  oil-kind: whale oil\n",
	"src/code/lamp.ts":                "const a = 1\n  // #region wick.long\n  if (lit) {\n    trim()\n  }\n  // #endregion\n",
	"src/code/fence.md":               "```sh\nlight\n```\n",
	"conf.py":                         "myst_substitutions = {'release': '2.1'}\n",
	"docs_src/app.py":                 "import lamp\n\nlamp.light()\n",
}

func TestWhatPagesInclude(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ in, want string }{
		"names of MyST": {"---\nmyst:\n  substitutions:\n    oil: \"**whale oil**\"\n    care: |\n      Trim it.\n\n      Fill it.\n---\n\nUse {{ oil }}, `{{ oil }}`, {{ water }}.\n\n{{ care }}\n\nA {{ care }}\n\n```\n{{ oil }}\n```\n",
			"---\nmyst:\n  substitutions:\n    oil: \"**whale oil**\"\n    care: |\n      Trim it.\n\n      Fill it.\n---\n\nUse **whale oil**, `{{ oil }}`, {{ water }}.\n\nTrim it.\n\nFill it.\n\nA {{ care }}\n\n```\n{{ oil }}\n```\n"},
		"names of conf.py":      {"Lamp {{ release }} of {{maker}}.\n", "Lamp 2.1 of {{maker}}.\n"},
		"mdBook":                {"A\n\n{{#include parts/oil.md}}\n\nB\n", "A\n\nUse whale oil.\n\nB\n"},
		"lines of a file":       {"```rust\n{{#include code/lamp.rs:1}}\n```\n", "```rust\nfn a() {}\n```\n"},
		"a part by its name":    {"```rust\n{{#rustdoc_include code/lamp.rs:light}}\n```\n", "```rust\nfn light() {\n}\n```\n"},
		"a playground":          {"{{#playground code/lamp.rs:light editable}}\n", "```rust\nfn light() {\n}\n```\n"},
		"behind an indentation": {"- a\n\n  {{#include parts/oil.md}}\n", "- a\n\n  Use whale oil.\n"},
		"some lines":            {"```python\n{!./docs_src/app.py[ln:3]!}\n```\n{!docs_src/app.py[ln:1-2]!}\n{!docs_src/app.py[ln:2-]!}\n", "```python\nlamp.light()\n```\nimport lamp\n\n\nlamp.light()\n"},
		"runs of lines":         {"{!docs_src/app.py[ln:1,3]!}\n", "import lamp\n\nlamp.light()\n"},
		"Svelte":                {"@include parts/oil.md\n\n    @include parts/oil.md\n", "Use whale oil.\n\n    @include parts/oil.md\n"},
		"MkDocs":                {"--8<-- \"snippets/all.md\"\n", "One.\nTwo.\nThree.\n"},
		"MkDocs, a part":        {"--8<-- \"snippets/all.md:two\"\n", "Two.\n"},
		"MkDocs, a list":        {"--8<--\nsnippets/all.md:two\nparts/oil.md\n--8<--\nEnd\n", "--8<--\nTwo.\nUse whale oil.\n--8<--\nEnd\n"},
		"Hugo":                  {"{{% include \"/_common/wick.md\" %}}\n", "Trim the wick.\n"},
		"Hugo, code":            {"{{< readfile file=\"/docs_src/app.py\" code=\"true\" lang=\"python\" >}}\n", "```python\nimport lamp\n\nlamp.light()\n```\n"},
		"Hugo, a folder above":  {"{{% include \"lamps/wick.md\" `https://lamps.example/#wick` %}}\n", "Trim the flat wick.\n"},
		"Quarto":                {"{{< include parts/oil.md >}}\n", "Use whale oil.\n"},
		"Grafana":               {"{{< docs/shared source=\"lamp\" lookup=\"oil/kinds.md\" version=\"next\" >}}\n", "Whale or rape.\n"},
		"MDX":                   {"import Part from './_part.mdx'\n\n<Part />\n\nB\n", "import Part from './_part.mdx'\n\nFilled daily.\n\nB\n"},
		"a tag":                 {"<Include src=\"parts/oil\" />\n", "Use whale oil.\n"},
		"a tag, in an item":     {"1. a\n\n   <Snippet file=\"parts/oil.md\" />\n", "1. a\n\n   Use whale oil.\n"},
		"a tag, a folder above": {"<Include src={'_part'} wick=\"flat\" />\n", "Filled daily.\n"},
		"a tag as an item":      {"1. <Include src=\"parts/two\" />\n2. b\n", "1. Fill it.\n\n   Trim it.\n2. b\n"},
		"a plugin":              {"A\n\n{% include-markdown \"parts/oil.md\" %}\nB\n", "A\n\nUse whale oil.\nB\n"},
		"a plugin, in lines":    {"  {%\n    include-markdown 'snippets/all.md'\n    start=\"[start:two]\\n\" end='# --8'\n  %}\nB\n", "  Two.\nB\n"},
		"a plugin, by the site": {"{% include 'docs/parts/oil.md' %}\n", "Use whale oil.\n"},
		"VitePress":             {"<!--@include: ./parts/oil.md-->\n", "Use whale oil.\n"},
		"VitePress, a listing":  {"<<< @/code/lamp.rs{2 rust:line-numbers} [the lamp]\n", "```rust\nfn a() {}\nfn light() {\n}\nfn z() {}\n```\n"},
		"VitePress, a region":   {"<<< ./code/lamp.ts#wick.long{1,3-4}\n", "```ts\nif (lit) {\n  trim()\n}\n```\n"},
		"VitePress, Markdown":   {"- a\n\n  <<< ./code/fence.md\n", "- a\n\n  ````md\n  ```sh\n  light\n  ```\n  ````\n"},
		"FastAPI":               {"{* ../../docs_src/app.py ln[3] hl[1] *}\n", "```py\nlamp.light()\n```\n"},
		"FastAPI, within code":  {"```python\n{!../../docs_src/app.py!}\n```\n", "```python\nimport lamp\n\nlamp.light()\n```\n"},
		"MyST":                  {"A\n\n```{include} parts/oil.md\n:heading-offset: 1\n```\nB\n", "A\n\n\nUse whale oil.\n\nB\n"},
		"MyST, code in a tab":   {"````{tab-item} Rust\n```{literalinclude} code/lamp.rs\n:language: rust\n:lines: 1\n```\n````\n", "````{tab-item} Rust\n```rust\nfn a() {}\n```\n````\n"},
		"one in another":        {"{{#include nested.md}}\n", "Outer:\n\nUse whale oil.\n"},
		"ends of lines":         {"A\r\n{{#include parts/oil.md}}\r\nB\r\n", "A\r\nUse whale oil.\nB\r\n"},
	} {
		from := "src/page.md"
		if strings.HasPrefix(name, "FastAPI") || name == "Hugo, a folder above" {
			from = "docs/en/docs/tutorial/page.md" // it counts from docs/en
		}
		if !Includes([]byte(c.in)) {
			t.Errorf("%s: %q is not known to include something", name, c.in)
		}
		got, ok := Expand([]byte(c.in), from, files.open)
		if !ok || string(got.Text) != c.want {
			t.Errorf("%s: %q becomes\n%q, %v, want\n%q", name, c.in, got.Text, ok, c.want)
		}
		if n := strings.Count(string(got.Text), "\n"); len(got.Lines) != n {
			t.Errorf("%s: %d lines have places, of %d", name, len(got.Lines), n)
		}
	}
}

// Elastic's docs-builder has the anchors of headings in brackets, which were read as words of the titles, and
// the names of docset.yml, of which Sphinx knows nothing.
func TestPagesOfDocsBuilder(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"# Care of the {{lamp}} [lamp-care]\n":               "# Care of the Storm Lamp {#lamp-care}\n",
		"## Oil $$$oil$$$ [oil-kinds]\r\n":                   "## <a id=\"oil\"></a>Oil {#oil-kinds}\r\n",
		"# A [b]\n\n$$$wick$$$**Wicks** are flat.\n":         "# A {#b}\n\n<a id=\"wick\"></a>**Wicks** are flat.\n",
		"# A [b]\n% not shown {{lamp}}\n100 % of it\n":       "# A {#b}\n\n100 % of it\n",
		"---\nsub:\n  wick: flat wick\n---\n\nA {{wick}}.\n": "---\nsub:\n  wick: flat wick\n---\n\nA flat wick.\n",
		"```sh subs=true\nfill {{oil-kind}}\n```\n":          "```sh subs=true\nfill whale oil\n```\n",
		"{{lamp}}\n```sh\nfill {{oil-kind}}\n# A [b]\n```\n": "Storm Lamp\n```sh\nfill {{oil-kind}}\n# A [b]\n```\n",
	} {
		if !Includes([]byte(in)) {
			t.Errorf("%q is not known to have names", in)
		}
		got, ok := Expand([]byte(in), "built/care/page.md", files.open)
		if !ok || string(got.Text) != want {
			t.Errorf("%q becomes\n%q, %v, want\n%q", in, got.Text, ok, want)
		}
	}
	for _, in := range []string{"## 2.1 [beta]\n", "a $$$b$$$\n", "# A [b]\n% c\n"} { // without such a project
		if got, ok := Expand([]byte(in), "src/page.md", files.open); ok {
			t.Errorf("%q becomes %q", in, got.Text)
		}
	}
}

func TestWhatIncludesNothing(t *testing.T) {
	t.Parallel()
	for _, in := range []string{"plain\n", "\\{{#include parts/oil.md}}\n", "{{#title Oil}}\n", "<Include src=\"code/lamp.rs\" />\n", "<Include src=\"parts/oil\">a</Include>\n", "```md\n<Include src=\"parts/oil\" />\n```\n", "{% include oil.html %}\n", "{% include \"parts/oil.html\" %}\n", "{% include-markdown \"parts/*.md\" %}\n", "{% include-markdown\n", "text {{#include parts/oil.md}}\n", "<Part />\n",
		"```md\n<!--@include: ./parts/oil.md-->\n```\n", "--8<-- \"https://lamp.example/oil.md\"\n", "```md\n<<< ./code/lamp.ts\n```\n", "<<< HEAD\n", "a <<< ./code/lamp.ts\n", "<<<<<<< ours\n", "{{< note >}}include{{< /note >}}\n",
		"````md\n```{include} parts/oil.md\n```\n````\n", "```{include} parts/oil.md\n:start-after: x\n```\n", "```{include} parts/oil.rst\n```\n", "", "\xff{{#include parts/oil.md}}"} {
		if got, ok := Expand([]byte(in), "src/page.md", files.open); ok || Includes([]byte(in)) {
			t.Errorf("%q becomes %q", in, got.Text)
		}
	}
	in := "A\n{{#include none.md}}\n{{#include loop.md}}\n{{#include ../../up.md}}\n{{#include code/lamp.rs:none}}\n"
	got, ok := Expand([]byte(in), "src/page.md", files.open)
	if string(got.Text) != in || !ok || len(got.Missing) != 2 || got.Missing[0] != (Missing{2, "none.md"}) || got.Missing[1].File != "../../up.md" {
		t.Errorf("it becomes %q, %v, %+v", got.Text, ok, got.Missing)
	}
}

// Prose that says "include", and tags that have nothing to do with it, are passed over without a look at each
// line: a search asks of each page that it found.
func TestPagesWithoutASign(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]bool{
		"The lamps include a wick.\n\n{{< note >}}\nThey are included.\n{{< /note >}}\n":    false,
		"[Oil](oil.md \"Oil\"), [wicks](wicks.mdx)\n":                                       false,
		"{% if lit %}\nThe lamps include a wick.\n":                                         false,
		"a\nimport Oil from './oil.mdx'\n":                                                  true,
		"{%-\n\n  include \"oil.md\" %}\n":                                                  true,
		"include\n  {{% readfile \"oil.md\" %}}":                                            true,
		strings.Repeat("{%\n", mostOptions) + strings.Repeat("\n", mostOptions) + "include": false,
	} {
		if got := hasSign([]byte(in)); got != want {
			t.Errorf("%q: %v", in, got)
		}
	}
}

// The place of an included line is the directive's.
func TestPlacesOfIncludedLines(t *testing.T) {
	t.Parallel()
	got, _ := Expand([]byte("A\n{{#include code/lamp.rs}}\nB\n{{#include nested.md}}"), "src/page.md", files.open)
	if want := "[1 2 2 2 2 3 4 4 4]"; fmt.Sprint(got.Lines) != want {
		t.Errorf("the lines stand at %v, want %s, of %q", got.Lines, want, got.Text)
	}
}

// A file that includes itself many times, and chains of files, end.
func TestBoundsOfIncluding(t *testing.T) {
	t.Parallel()
	many := set{"a.md": strings.Repeat("{{#include b.md}}\n", 1000), "b.md": strings.Repeat("{{#include c.md}}\n", 1000), "c.md": strings.Repeat("x\n", 100_000)}
	got, ok := Expand([]byte(many["a.md"]), "a.md", many.open)
	if !ok || len(got.Text) > maxAdded+1<<20 {
		t.Errorf("%v, %d bytes", ok, len(got.Text))
	}
	deep := set{}
	for i := range 20 {
		deep[fmt.Sprintf("%d.md", i)] = fmt.Sprintf("line %d\n{{#include %d.md}}\n", i, i+1)
	}
	if got, _ := Expand([]byte(deep["0.md"]), "0.md", deep.open); strings.Count(string(got.Text), "line") != maxDepth+1 {
		t.Errorf("it becomes %q", got.Text)
	}
}

// Whatever a page is, each line of the result has a place in it, and nothing is lost of a
// page that includes nothing.
func FuzzExpand(f *testing.F) {
	for _, seed := range []string{"{{#include parts/oil.md}}", "--8<--\nsnippets/all.md:two\n--8<--\n", "import P from './_part.mdx'\n<P />\n", "```\n{!app.py!}\n", "{* ../x.py ln[1:2] *}\r\n", "<!--@include: ./a.md{1,}-->"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, page string) {
		got, ok := Expand([]byte(page), "src/page.md", files.open)
		n := strings.Count(string(got.Text), "\n")
		if len(got.Text) > 0 && got.Text[len(got.Text)-1] != '\n' {
			n++
		}
		if len(got.Lines) != n || !ok && string(got.Text) != page {
			t.Errorf("%q becomes %q, %v, with places for %d of %d lines", page, got.Text, ok, len(got.Lines), n)
		}
		for _, line := range got.Lines {
			if line < 1 || line > strings.Count(page, "\n")+1 {
				t.Errorf("a line of %q stands at %d", page, line)
			}
		}
	})
}
