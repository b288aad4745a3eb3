package legible_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"docent/pipeline/ingest/hostiletest"
	"docent/pipeline/ingest/parse/markdown/legible"
)

func TestMarkdown(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, in, want string }{
		{"nothing to do", "A lamp burns *oil*.\n", "A lamp burns *oil*.\n"},
		{"a tooltip", "A {{< glossary_tooltip text=\"wick\" term_id=\"wick\" >}} burns.\n", "A wick burns.\n"},
		{"links of Jekyll", "[a]({% link lock/gate.md %}), `{% link b.md %}`\n", "[a](/lock/gate.md), `{% link b.md %}`\n"},
		{"a heading's shortcode", "## {{% heading \"options\" %}}\n", "## Options\n"},
		{"a note", "{{< note >}}\nMind the oil.\n{{< /note >}}\nThen light it.\n", "**Note**\n\nMind the oil.\n\nThen light it.\n"},
		{"tabs with an id", "{{< tabs name=\"lamp_tabs\" >}}\n{{% tab name=\"Daily\" %}}\nTrim it.\n{{% /tab %}}\n{{< /tabs >}}\n", "\n**Daily**\n\nTrim it.\n\n"},
		{"tabs of one line", "{{< tabpane >}}\n{{< tab header=\"Big\" >}}light --big{{< /tab >}}\n{{< /tabpane >}}\n", "\n**Big:** light --big\n\n"},
		{"text that Liquid must not read", "Use `{% raw %}{{ oil }}{% endraw %}`.\n\n{%- raw -%}\n```\n{% raw %}\n```\n{%- endraw -%}\n", "Use `{{ oil }}`.\n\n```\n{% raw %}\n```\n"},
		{"a tag of Liquid in a sentence", "Open {% raw %} and close {% endraw\n%}.\n", "Open {% raw %} and close {% endraw\n%}.\n"},
		{"a cross reference", "See {{cssxref(\"display\")}} and {{ CSSxRef('gap', '`gap` of rows') }}.\n", "See `display` and `gap` of rows.\n"},
		{"an element, a term, a badge", "{{HTMLElement(\"lamp\")}} is a {{glossary(\"light\")}} {{deprecated_inline}}\n", "`<lamp>` is a light (deprecated)\n"},
		{"a menu", "{{CSSRef}}\n\nThe text.\n", "\n\nThe text.\n"},
		{"macros of others", "Use `{{cssxref(\"display\")}}` or {{ .Values.oil }} or {{ unknown }}.\n", "Use `{{cssxref(\"display\")}}` or {{ .Values.oil }} or {{ unknown }}.\n"},
		{"code", "```\n{{cssxref(\"display\")}} <tr>\n```\n", "```\n{{cssxref(\"display\")}} <tr>\n```\n"},
		{"an include", "```rust\n{{#rustdoc_include ../listings/lamp/src/main.rs:here}}\n```\n", "```rust\n[included: ../listings/lamp/src/main.rs]\n```\n"},
		{"an anchor", "## Trim it {#trim}\n\nNow.\n", "## Trim it\n\nNow.\n"},
		{"anchors of others", "## Trim { #trim }\n## 油 %{#oil}%\n## 1.2 { id=\"1.2\" }\n", "## Trim\n## 油\n## 1.2\n"},
		{"tabs of code", "A\n\n```yaml tab=\"File (YAML)\"\noil: a\n```\n\n```toml tab='CLI_x'\n```\n- b\n  ```js title=\"a.js\" {1}\n  x tab=\"y\"\n  ```\n",
			"A\n\n**File (YAML)**\n\n```yaml tab=\"File (YAML)\"\noil: a\n```\n\n**CLI\\_x**\n\n```toml tab='CLI_x'\n```\n- b\n\n  **a.js**\n\n  ```js title=\"a.js\" {1}\n  x tab=\"y\"\n  ```\n"},
		{"a rule", "r[items.lamps]\nA lamp is an item.\n", "A lamp is an item.\n"},
		{"flags", "<table>\n<colgroup>\n<col span=\"1\" />\n</colgroup>\n<tbody>\n\n<tr>\n<td colspan=\"2\">--oil string&nbsp;&nbsp;Default: \"whale\"</td>\n</tr>\n<tr>\n<td></td><td style=\"x\"><p>The oil, &lt;kind&gt; | none</p></td>\n</tr>\n\n</tbody>\n</table>\n\nAfter.\n",
			"|  |  |\n| --- | --- |\n| --oil string Default: \"whale\" | The oil, \\<kind> \\| none |\n\n\nAfter.\n"},
		{"a table with a header", "<table><tr><th>lamp</th><th>oil</th></tr>\n<tr><td>big</td><td><b>much</b></td></tr></table>\n", "| lamp | oil |\n| --- | --- |\n| big | **much** |\n\n"},
		{"code in HTML", "Light it:\n<pre><code class=\"sh\">lamp light \\\n    --oil 3</code></pre>\n\nIt *burns*.\n",
			"Light it:\n\n```\nlamp light \\\n    --oil 3\n```\n\n\nIt *burns*.\n"},
		{"text in HTML", "<div class=\"hint\">\n  <p>\n    Trim `a` *now*, see\n    <a href=\"wicks.md\">wicks</a>.</p>\n  </div>\n", "\nTrim `a` \\*now\\*, see\n[wicks](wicks.md).\n\n\n"},
		{"items that were cut from their list", "<li>oil, <b>clean</b></li>\n<li>a wick</li>\n</ul>\n", "- oil, **clean**\n- a wick\n\n"},
		{"HTML in an item", "1. Fill it:\n\n   <pre>oil 3</pre>\n\n2. Trim it.\n", "1. Fill it:\n\n   ```\n   oil 3\n   ```\n\n\n2. Trim it.\n"},
		{"HTML that is code", "    <p>oil</p>\n\n```\n<li>oil</li>\n```\n", "    <p>oil</p>\n\n```\n<li>oil</li>\n```\n"},
		{"a template within a tag", "<p><a href=\"{{ oil \"x\" }}\">oil</a></p>\n", "<p><a href=\"{{ oil \"x\" }}\">oil</a></p>\n"},
		{"code in HTML that does not end", "<pre>oil\n\n# Wicks\n", "```\noil\n```\n\n\n# Wicks\n"},
		{"tags alone", "A\n\n</div>\n</div>\n\nB\n", "A\n\n\nB\n"},
		{"the end of a row", "Text.\n\n</tr>\n\nMore.\n", "Text.\n\n\nMore.\n"},
		{"directives of MyST", "(top)=\n# Lamp\n\n::::{note} Mind {term}`it`\n:class: x\n\nSee {ref}`the wick <w>`.\n```{code-block} sh\n:linenos:\ntrim\n```\n::::\n\n```{toctree}\n:hidden:\n\noil\n```\nEnd `{ref}`.\n",
			"# Lamp\n\n**Note: Mind it**\n\n\nSee [the wick](label:w).\n```sh\ntrim\n```\n\n\n\n- oil\n\nEnd `{ref}`.\n"},
		{"containers of colons", "A lamp.\n\n:::tip Mind the oil\n\nIt **burns**.\n\n:::\n\n::: callout-warning\nHot.\n:::\n", "A lamp.\n\n**Tip: Mind the oil**\n\n\nIt **burns**.\n\n\n\n**Warning**\n\nHot.\n\n"},
		{"components", "<Steps>\n  <Step title=\"Trim\">\n    Cut **it**.\n\n    ```sh\n    trim\n    ```\n  </Step>\n</Steps>\n<Note>\n  - Hot\n</Note>\n", "\n**Trim**\n\nCut **it**.\n\n```sh\ntrim\n```\n\n\n**Note**\n\n- Hot\n\n"},
		{"an indented admonition", "!!! danger \"Hot\"\n    Do not touch.\n\nThen wait.\n", "**Danger: Hot**\n\nDo not touch.\n\nThen wait.\n"},
		{"a card that is a link", "<Card title=\"Wicks\" href=\"/wicks\">\n  How to trim.\n</Card>\n", "**[Wicks](/wicks)**\n\nHow to trim.\n\n"},
		{"tags of Liquid", "{% hint style=\"info\" %}\nIt is hot.\n{% endhint %}\n\n{% tabs %}\n{% tab 'Big' %}\nTrim.\n{% endtab %}\n{% endtabs %}\n", "**Info**\n\nIt is hot.\n\n\n\n**Big**\n\nTrim.\n\n\n"},
		{"code in a component", "<CodeBlock>\n{`# trim`}\n</CodeBlock>\n", "~~~~~~~~\n# trim\n~~~~~~~~\n"},
		{"the end of a container alone", "Text.\n\n:::\n\n</Tabs>\n\nMore.\n", "Text.\n\n\n\n\n\nMore.\n"},
		{"colons and tags in code", "```md\n:::tip\n<Note>\n:::\n```\n", "```md\n:::tip\n<Note>\n:::\n```\n"},
		{"how text looks", "The <span style={{color: \"red\"}}>red wick</span> has <font color='x'>oil</font>, <b style={{ fontWeight: 700 }}>much</b>, `<span>` and a <Wick style={{a: 1}} />.\n", "The red wick has oil, <b>much</b>, `<span>` and a <Wick style={{a: 1}} />.\n"},
		{"a picture's attributes", "![A wick](w.png){.border width=3}\n", "![A wick](w.png)\n"},
		{"an omission in a table of HTML", "<table>\n<tr><th>lamp</th></tr>\n<tr><td>big</td></tr>\n[… lines 4–9 omitted …]\n<tr><td>small</td></tr>\n</table>\n",
			"| lamp |\n| --- |\n| big |\n\n[… lines 4–9 omitted …]\n\n| lamp |\n| --- |\n| small |\n\n"},
		{"an omission in a table", "| lamp | oil |\n| --- | --- |\n| big | much |\n[… lines 4–9 omitted …]\n| small | little |\n",
			"| lamp | oil |\n| --- | --- |\n| big | much |\n\n[… lines 4–9 omitted …]\n\n| lamp | oil |\n| --- | --- |\n| small | little |\n"},
		{"an omission in a paragraph", "The lamp\n[… lines 2–3 omitted …]\nburns.\n", "The lamp\n\n[… lines 2–3 omitted …]\n\nburns.\n"},
		{"an omission in code", "```\na\n[… lines 2–3 omitted …]\nb\n```\n", "```\na\n[… lines 2–3 omitted …]\nb\n```\n"},
	} {
		if got := legible.Markdown(tt.in); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

// A browser shows tables in HTML by itself, unless lines of them are missing.
func TestForBrowser(t *testing.T) {
	t.Parallel()
	whole := "<table>\n<tr><td>{{cssxref(\"gap\")}}</td></tr>\n</table>\n"
	if got, want := legible.ForBrowser(whole), "<table>\n<tr><td>gap</td></tr>\n</table>\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := legible.ForBrowser("<table>\n<tr><td>a</td></tr>\n[… lines 3–4 omitted …]\n<tr><td>b</td></tr>\n</table>\n"); strings.Contains(got, "<") {
		t.Errorf("a cut table: %q", got)
	}
}

// A block is read without the lines that are for programs.
func TestBlock(t *testing.T) {
	t.Parallel()
	block := "=== AOP-FINAL | agent=doc-retriever | format=markdown | lines=3 | source=md_docs/Lantern:2.1/Wicks ===\n" +
		"**Pass through EXACTLY as-is**\n\n[… line 1 omitted …]\n## Trim\nCut it.\n\n---\n\n" +
		"**Source:** https://lantern.example\n**Path:** md_docs/Lantern:2.1/wicks.md\n**Document Set:** Lantern:2.1\n\n=== END-AOP-FINAL ==="
	want := "[… line 1 omitted …]\n\n## Trim\nCut it.\n\n---\n\n- **Source:** https://lantern.example\n- **Path:** md_docs/Lantern:2.1/wicks.md\n- **Document Set:** Lantern:2.1\n"
	if got := legible.Block(block); got != want {
		t.Errorf("%q, want\n%q", got, want)
	}
}

// The metadata of every page of a block goes, and not only the first page's: below a citation it was read as
// a rule and a heading.
func TestBlockOfPagesWithMetadata(t *testing.T) {
	t.Parallel()
	page := func(title, text string) string {
		return "---\ntitle: " + title + "\nweight: 3\n---\n\n" + text + "\n\n---\n\n**Source:** " + title + ".md\n**Document Set:** Lantern:2.1\n\n"
	}
	block := "=== AOP-FINAL | lines=9 ===\n**Pass through EXACTLY as-is**\n\n" + page("Wicks", "Trim it.") + page("Oil", "# Oil\n\nFill it.") + "=== END-AOP-FINAL ==="
	want := "# Wicks\n\nTrim it.\n\n---\n\n- **Source:** Wicks.md\n- **Document Set:** Lantern:2.1\n\n" +
		"# Oil\n\nFill it.\n\n---\n\n- **Source:** Oil.md\n- **Document Set:** Lantern:2.1\n"
	if got := legible.Block(block); got != want {
		t.Errorf("%q, want\n%q", got, want)
	}
	if got := legible.FrontMatterLines("% Wicks\n  of lamps\n% A. Keeper\n\nTrim it.\n"); got != 3 {
		t.Errorf("%d lines of a title block", got)
	}
	if got := legible.FrontMatterLines("---\ntitle: Wicks\n---\n\nTrim it.\n"); got != 3 {
		t.Errorf("the metadata takes %d lines, want 3", got)
	}
}

// A part of a page is read from the lines of the whole: the tags above it say that its lines are no code.
func TestLines(t *testing.T) {
	t.Parallel()
	page := "---\ntitle: Lamps\n---\n<Tabs>\n  <Tab title=\"Oil\">\n\n      Fill *it*.\n\n  </Tab>\n</Tabs>\n"
	want := []string{"---\n", "title: Lamps\n", "---\n", "\n", "**Oil**\n\n", "\n", "Fill *it*.\n", "\n", "\n", "\n"}
	if got := legible.Lines([]byte(page)); !slices.Equal(got, want) {
		t.Errorf("%q, want\n%q", got, want)
	}
	if got := legible.Lines([]byte("# Lamps\n\nA lamp burns if a < b.\n")); got != nil {
		t.Errorf("%q of a page without frames, want none", got)
	}
}

// Hostile text takes no longer than its length asks for.
func TestHostileText(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{":::tip\n", ":::\n", "<A>\n", "</A>\n", "!!! note\n    ", "{{", "{{x(", "`", "` `` ``` ", "<tr>\n", "<td", "<table>\n\nx\n", "[… line 1 omitted …]\n", "r[a]\n", "{{< note >}}\n", "| a\n", "<pre>\n", "<pre></pre>\n", "<li>a\n",
		"<p>a\n\n", "<div><pre>\n\n", "    <li>\n", "<ul>\n"} {
		text := strings.Repeat(unit, 400_000/len(unit))
		if took := hostiletest.ProcessorTime(func() { legible.Markdown(text) }); took > 20*time.Second {
			t.Errorf("%q: %v", unit, took)
		}
	}
}

// The metadata of a page is shown by none of its readers; its title is, where no heading says it.
func TestFrontMatter(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"---\ntitle: \"Oil: a guide\"\ntags:\n  - a\n---\n\nBurns.\n": "# Oil: a guide\n\nBurns.\n",
		"---\ntitle: Oil\n---\n# Lamps\n":                             "# Lamps\n",
		"+++\ntitle = 'Oil'\n+++\nBurns.\n":                           "# Oil\n\nBurns.\n",
		"---\ntitle: >-\n  Oil\n---\nBurns.\n":                        "Burns.\n",
		"---\n\nA rule.\n\n---\n":                                     "---\n\nA rule.\n\n---\n",
		"---\nkey: without an end\n":                                  "---\nkey: without an end\n",
		"Oil\n---\n":                                                  "Oil\n---\n",
		"---":                                                         "---",
		"% lamp-trim 1\n\n## NAME\n\nlamp-trim - cut a wick\n":        "# lamp-trim(1)\n\n## NAME\n\nlamp-trim - cut a wick\n",
		"% Oil\n% A. Keeper\n\n# Lamps\n":                             "# Lamps\n",
		"% of the oil\nburns.\n":                                      "% of the oil\nburns.\n",
	} {
		if got := legible.WithoutFrontMatter(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

// HTML within a page is not indented, so that a part of the page that begins with such a line reads
// as HTML and not as code; preformatted text and real code keep their indentation.
func TestLinesOfHTMLStandAlone(t *testing.T) {
	t.Parallel()
	page := "<section>\n<ul>\n\t<li>oil</li>\n      <li><pre>a\n    b</pre></li>\n</ul>\n</section>\n\n    <p>shown</p>\n"
	got := strings.Join(legible.Lines([]byte(page)), "")
	for _, want := range []string{"\n<li>oil</li>\n", "\n<li><pre>a\n    b</pre></li>\n", "\n    <p>shown</p>\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
}

// The shortcodes of a page with frames read as those of other pages: one that begins a line was
// taken for a frame and left out, with a blank before the sign that follows it.
func TestShortcodesBesideFrames(t *testing.T) {
	t.Parallel()
	page := "<div>\n\n{{< feature-state for_k8s_version=\"v2\" state=\"alpha\" >}}\n\nThe oil of a\n" +
		"{{< glossary_tooltip text=\"big lamp\" term_id=\"lamp\" >}}, and more.\n\n{{< note >}}\nMind it.\n{{< /note >}}\n</div>\n"
	got := strings.Join(legible.Lines([]byte(page)), "")
	for _, want := range []string{"Feature state: v2 alpha\n", "\nbig lamp, and more.\n", "**Note**\n\nMind it.\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
}
