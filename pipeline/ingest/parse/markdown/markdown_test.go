package markdown

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/store/doc"
)

// outline prints a page's blocks, one a line: kind, lines, text, code.
func outline(d doc.Document) string {
	var b strings.Builder
	for _, bl := range d.Blocks {
		kind := string(bl.Kind)
		if bl.Warning {
			kind += "!"
		}
		fmt.Fprintf(&b, "%s %d-%d", kind, bl.Span.StartLine, bl.Span.EndLine)
		if bl.Text != "" {
			fmt.Fprintf(&b, " %q", bl.Text)
		}
		if bl.Code != "" {
			fmt.Fprintf(&b, " code=%q", bl.Code)
		}
		if bl.Lang != "" {
			fmt.Fprintf(&b, " lang=%s", bl.Lang)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func parsed(t *testing.T, src string) doc.Document {
	t.Helper()
	d, err := ParseMarkdown([]byte(src), parse.Options{Path: "a/page.md", FallbackTitle: "Fallback"})
	if err != nil {
		t.Fatal(err)
	}
	if err := check([]byte(src), d); err != nil {
		t.Fatalf("%v\n%s", err, outline(d))
	}
	return d
}

func lines(l ...string) string { return strings.Join(l, "\n") + "\n" }

func TestBlocks(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, src, want string }{
		{"plain", lines("# A", "", "Some *text* with `code` and [a link](x.md).", "", "- one", "- two", "", "> quoted", "", "---", "", "| a | b |", "|---|---|", "| 1 | `2` |"),
			`heading 1-1 "A"
paragraph 3-3 "Some text with code and a link." code="code"
list 5-6 "one\ntwo"
quote 8-8 "quoted"
rule 10-10
table 12-14 "a\tb\n1\t2" code="2"
`},
		{"code", lines("Intro:", "", "```go title=\"main.go\"", "func main() {}", "```", "", "    indented", "", "~~~", "open"),
			`paragraph 1-1 "Intro:"
code 3-5 "main.go" code="func main() {}" lang=go
code 7-7 code="indented"
code 9-10 code="open"
`},
		{"definitions", lines("`--wick`", ": How long.", "", "`--oil`", "", ": Which oil,", "  `rye` or another.", "", "    Default: `rye`.", "", ": Or none.", "", "Then light it.", "", "## Hours", "", ": When.", "", "    At 7.", "", "- wick", "", ": no term"),
			`paragraph 1-2 "--wick : How long." code="--wick"
paragraph 4-11 "--oil\n: Which oil, rye or another.\n: Or none." code="--oil\nrye\nDefault: ` + "`rye`" + `."
paragraph 13-13 "Then light it."
heading 15-15 "Hours"
paragraph 17-19 ": When." code="At 7."
list 21-21 "wick"
paragraph 23-23 ": no term"
`},
		{"code in other words", lines("```python Python theme={null}", "x = {{< note >}}", "<Note>", "```"),
			`code 1-4 "Python" code="x = {{< note >}}\n<Note>" lang=python
`},
		{"tabs", lines("=== \"On Linux\"", "", "    Run it:", "", "    ```sh", "    lantern run", "    ```", "", "=== 'On a Mac'", "", "    Open it.", "", "Then wait.", "", "Title", "=== x", "", "A", "==="),
			`paragraph 1-1 "On Linux"
paragraph 3-3 "Run it:"
code 5-7 code="lantern run" lang=sh
paragraph 9-9 "On a Mac"
paragraph 11-11 "Open it."
paragraph 13-13 "Then wait."
paragraph 15-16 "Title === x"
heading 18-19 "A"
`},
		{"liquid", lines("{% tabs %}", "{% tab title=\"On Linux\" %}", "Run it.", "{% endtab %}", "{% endtabs %}", "", "{% hint style=\"warning\" %}", "It is hot.", "", "- very", "{% endhint %}", "", "{% note %}", "", "Open {% raw %} and see {% x %}"),
			`meta 1-1
paragraph 2-2 "On Linux"
paragraph 3-3 "Run it."
meta 4-4
meta 5-5
admonition! 7-11 "It is hot.\nvery"
meta 13-13
paragraph 15-15 "Open {% raw %} and see {% x %}"
`},
		{"names in info strings", lines("```rust,compile_fail,E0716", "x", "```", "", "```js{1,3-4} title=\"a.js\"", "y", "```"),
			`code 1-3 "E0716" code="x" lang=rust,compile_fail,E0716
code 5-7 "a.js" code="y" lang=js{1,3-4}
`},
		{"entities, escapes, breaks", lines(`A&amp;B &lt;c&gt; \*d\* e&nbsp;&nbsp;f<br>g  `, "h <!-- no -->i &nope; &"),
			`paragraph 1-2 "A&B <c> *d* e f g\nh i &nope; &"
`},
		{"soft breaks", lines("one", "two", "", "文档", "测试"),
			`paragraph 1-2 "one two"
paragraph 4-5 "文档测试"
`},
		{"images, tasks, autolinks", lines("![alt *text*](a.png) <https://example.org/x>", "", "- [x] done", "- [ ] not"),
			`paragraph 1-1 "alt text https://example.org/x"
list 3-4 "done\nnot"
`},
		{"link definitions", lines("See [a][1].", "", "[1]: https://example.org", "[2]: https://example.org/2 \"two\"", "", "End."),
			`paragraph 1-1 "See a."
meta 3-3
meta 4-4
paragraph 6-6 "End."
`},
		{"front matter", lines("---", "title: \"A: b\" # no", "description: >-", "  Folded", "  words", "tags: [x]", "---", "", "Text."),
			`meta 1-7
paragraph 9-9 "Text."
`},
		{"toml front matter", lines("+++", "title = 'T'", "[x]", "title2 = 'no'", "+++", "Text."),
			`meta 1-5
paragraph 6-6 "Text."
`},
		{"front matter without an end", lines("---", "title: T", "", "Text.", "", "# H"),
			`meta 1-2
paragraph 4-4 "Text."
heading 6-6 "H"
`},
		{"a rule is no front matter", lines("---", "", "Text here.", "", "---", "More."),
			`rule 1-1
paragraph 3-3 "Text here."
rule 5-5
paragraph 6-6 "More."
`},
		{"source line", lines("# P", "", "> **原文链接**: https://example.org/p", "", "---", "", "# P", "", "> a quote: https://example.org"),
			`heading 1-1 "P"
meta 3-3 "原文链接: https://example.org/p"
rule 5-5
heading 7-7 "P"
quote 9-9 "a quote: https://example.org"
`},
		{"html comments", lines("<!-- a", "", "<Note>", "-->", "Text <!-- b", "c --> more.", "", "<!-- x --> tail"),
			`meta 1-1
meta 3-4
paragraph 5-6 "Text more."
paragraph 8-8 "tail"
`},
		{"a comment without an end loses nothing", lines("<!-- open", "", "# H"),
			`paragraph 1-1 "<!-- open"
heading 3-3 "H"
`},
		{"html headings and blocks", lines("<h2 id=\"x\">One <code>two</code></h2>", "<p>Para", "graph</p>", "<h3>Three</h3>", "", "<ul>", "<li>a</li>", "", "<li>b</li>", "</ul>", "<ol><li>a</li><li>b</li></ol>", "<pre>a &lt; b", "", "<b>c</b></pre>"),
			`heading 1-1 "One two"
paragraph 2-3 "Para graph"
heading 4-4 "Three"
list 6-10 "a\nb"
procedure 11-11 "a\nb"
code 12-14 code="a < b\n\nc"
`},
		{"html table", lines("   <table style=\"width: 1%\">", "<tbody>", "", "<tr>", "<td colspan=\"2\">--root string&nbsp;&nbsp;Default: <code>&quot;/&quot;</code></td>", "</tr>", "<tr>", "<td></td><td><p>The root</p> of &lt;all&gt;. <a href=\"x.md\">More</a></td>", "</tr>", "</tbody></table>", "", "After."),
			`table 1-10 "--root string Default: \"/\"\nThe root of <all>. More" code="\"/\""
paragraph 12-12 "After."
`},
		{"two tables, one never closed", lines("<table><tr><td>a</td></tr></table>", "<table><tr><td>b", "", "Text."),
			`table 1-1 "a"
html 2-2 "b"
paragraph 4-4 "Text."
`},
		{"details", lines("<details>", "<summary>More *here*</summary>", "", "- a", "", "</details>"),
			`meta 1-1
paragraph 2-2 "More here"
list 4-4 "a"
meta 6-6
`},
		{"script", lines("<script>", "var words = 1;", "", "</script>", "Text."),
			`meta 1-4
paragraph 5-5 "Text."
`},
		{"jsx admonitions", lines("<Note>", "  Indented **text**.", "", "      - code it is not", "</Note>", "", "<Warning>One line.</Warning>", "<Tip>Begins here", "ends here.</Tip>", "", "<Callout type=\"warning\" title=\"Mind\">", "x", "</Callout>", "After <Icon name=\"i\" /> it."),
			`admonition 1-5 "Indented text.\ncode it is not"
admonition! 7-7 "One line."
admonition 8-9 "Begins here ends here."
admonition! 11-13 "Mind\nx"
paragraph 14-14 "After it."
`},
		{"jsx steps, tabs, cards", lines("<Steps>", "  <Step title=\"First\">", "    Do:", "", "    ```bash", "    ls", "    ```", "  </Step>", "  <Step title=\"Second\">Text.</Step>", "</Steps>", "", "<Tabs>", "<Tab title=\"Linux\">", "### In a tab", "Text.", "</Tab>", "</Tabs>", "<Card title=\"Go\" href=\"/there\" />"),
			`procedure 1-10 "First\nDo:\nSecond Text." code="ls"
meta 12-12
paragraph 13-13 "Linux"
heading 14-14 "In a tab"
paragraph 15-15 "Text."
meta 16-16
meta 17-17
paragraph 18-18 "Go"
`},
		{"jsx in a list", lines("1. One", "", "   <Note>", "     Noted.", "   </Note>", "", "2. Two", "   <Tabs>", "     <Tab title=\"T\">", "       inner", "     </Tab>", "   </Tabs>", "", "After."),
			`procedure 1-12 "One\nNoted.\nTwo\nT\ninner"
paragraph 14-14 "After."
`},
		{"a list after a wrapper is another list", lines("<Note>", "- a", "</Note>", "- b"),
			`admonition 1-3 "a"
list 4-4 "b"
`},
		{"two wrappers meet on a line", lines("<Note>", "a", "</Note><Warning>", "b", "</Warning>"),
			`admonition 1-3 "a"
admonition! 4-5 "b"
`},
		{"a placeholder is no wrapper", lines("<ClusterName> is the name.", "", "<YOUR_TOKEN> too."),
			`paragraph 1-1 "is the name."
paragraph 3-3 "<YOUR_TOKEN> too."
`},
		{"an open wrapper swallows nothing", lines("<Note>", "", "  Text.", "", "# H", "", "  Text."),
			`meta 1-1
paragraph 3-3 "Text."
heading 5-5 "H"
paragraph 7-7 "Text."
`},
		{"mdx modules", lines("import { A } from \"a\"", "import B from 'b'", "", "export const C = ({ x }) => {", "  return <div>{x}</div>", "", "}", "", "# T", "", "import the thing first.", "{/* a", "comment */}", "export it."),
			`meta 1-2
meta 4-5
meta 7-7
heading 9-9 "T"
paragraph 11-11 "import the thing first."
meta 12-13
paragraph 14-14 "export it."
`},
		{"hugo admonitions", lines("{{< note >}}", "A [pod]({{< ref \"/docs/pod\" >}}).", "{{< /note >}}", "", "{{< warning >}}One.{{< /warning >}}", "{{% alert title=\"Careful\" color=\"warning\" %}}", "* x", "{{% /alert %}}", "", "- item", "  {{< caution >}}", "  in it", "  {{</ caution >}}", "- more"),
			`admonition 1-3 "A pod."
admonition! 5-5 "One."
admonition! 6-8 "Careful\nx"
list 10-14 "item\nin it\nmore"
`},
		{"hugo shortcodes", lines("## {{% heading \"prerequisites\" %}}", "", "A {{< glossary_tooltip text=\"pod\" term_id=\"pod\" >}} and {{<glossary_tooltip term_id=\"kube-proxy\">}},", "also {{< glossary_tooltip", "text=\"Container Runtime\" term_id=\"x\" >}}. {{</* note */>}}", "", "{{% codenew file=\"pods/a.yaml\" %}}", "", "{{< skew currentVersion >}}", "", "## {{% heading \"whatsnext\" %}}"),
			`heading 1-1 "Prerequisites"
paragraph 3-5 "A pod and kube proxy, also Container Runtime. {{</* note */>}}"
paragraph 7-7 "pods/a.yaml"
meta 9-9
heading 11-11 "What's next"
`},
		{"hugo tabs, code, comments", lines("{{< tabs name=\"lamp_tabs\" >}}", "{{% tab name=\"Linux\" %}}", "Text.", "{{% /tab %}}", "{{< /tabs >}}", "{{< highlight go >}}", "# no heading", "{{< /highlight >}}", "{{< comment >}}", "# gone", "{{< /comment >}}"),
			`meta 1-1
paragraph 2-2 "Linux"
paragraph 3-3 "Text."
meta 4-4
meta 5-5
code 6-8 code="# no heading" lang=go
meta 9-11
`},
		{"github alerts", lines("> [!WARNING]", "> Mind *it*.", "", "> [!NOTE] Same line", "", "> **Note**", "> Old style.", "", "> Just a quote."),
			`admonition! 1-2 "Mind it."
admonition 4-4 "Same line"
admonition 6-7 "Note Old style."
quote 9-9 "Just a quote."
`},
		{"docusaurus containers", lines(":::warning", "Mind.", ":::", "", ":::tip[My title]", "", "## In it", "", ":::", "", "::: details More", "Text.", ":::", "", ":::no-such", "x"),
			`admonition! 1-3 "Mind."
admonition 5-9 "My title\nIn it"
paragraph 11-11 "More"
paragraph 12-12 "Text."
meta 13-13
meta 15-15
paragraph 16-16 "x"
`},
		{"mkdocs admonitions", lines("!!! danger \"Stop\"", "    Mind.", "", "    More.", "", "After.", "", "!!! wow"),
			`admonition! 1-4 "Stop\nMind.\nMore."
paragraph 6-6 "After."
paragraph 8-8 "!!! wow"
`},
		{"labelled paragraphs", lines("**Warning:** mind.", "", "Note: this.", "", "> ⚠️ **Caution**: that.", "", "警告：小心。", "", "Note that it is not.", "", "Notes on: x."),
			`admonition! 1-1 "Warning: mind."
admonition 3-3 "Note: this."
admonition! 5-5 "⚠️ Caution: that."
admonition! 7-7 "警告：小心。"
paragraph 9-9 "Note that it is not."
paragraph 11-11 "Notes on: x."
`},
		{"procedures", lines("1. One", "", "   ```", "   a", "   ```", "2. Two", "", "```", "b", "```", "", "3. Three", "", "A note.", "", "4. Four", "", "Text.", "", "1. Alone"),
			`procedure 1-16 "One\nTwo\nThree\nA note.\nFour" code="a\nb"
paragraph 18-18 "Text."
list 20-20 "Alone"
`},
		{"single steps with code between", lines("1. One", "", "```", "a", "```", "", "2. Two", "", "# H", "", "3. Three"),
			`procedure 1-7 "One\nTwo" code="a"
heading 9-9 "H"
list 11-11 "Three"
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := outline(parsed(t, tt.src)); got != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
		})
	}
}

func TestHeadings(t *testing.T) {
	t.Parallel()
	src := lines("Preamble.", "", "# Title ##", "", "Setext *one*", "===", "", "Two", "---", "", "### `code` [link](x) <b>html</b> ![img](y) ###", "", "##", "", "## Own {#my-anchor}", "", "Set {#two}", "---",
		"", "## Two", "", "## my anchor", "", "- # in a list", "", "> ## in a quote", "", "#### 深层 标题！", "#no heading", "", "## C# and F#", "", "## A {curly}")
	d := parsed(t, src)
	type h struct {
		level  int
		text   string
		anchor string
		parent int
	}
	want := []h{{0, "", "", -1}, {1, "Title", "title", -1}, {1, "Setext one", "setext-one", -1}, {2, "Two", "two-1", 2}, {3, "code link html img", "code-link-html-img", 3},
		{2, "Own", "my-anchor", 2}, {2, "Set", "two", 2}, {2, "Two", "two-2", 2}, {2, "my anchor", "my-anchor-1", 2}, {4, "深层 标题！", "深层-标题", 8}, {2, "C# and F#", "c-and-f", 2}, {2, "A {curly}", "a-curly", 2}}
	var got []h
	for _, s := range d.Sections {
		got = append(got, h{s.Level, s.Text, s.Anchor, s.Parent})
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if d.H1 != "Title" || d.Title != "Title" {
		t.Errorf("title %q, h1 %q", d.Title, d.H1)
	}
	if p := d.Sections[4].Path; !reflect.DeepEqual(p, []string{"Setext one", "Two", "code link html img"}) {
		t.Errorf("path %q", p)
	}
	if s := d.Sections[2]; s.Span.StartLine != 5 || s.Span.EndLine != 7 || s.Tree.EndLine != d.Lines {
		t.Errorf("spans %+v %+v", s.Span, s.Tree)
	}
}

func TestTitles(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, src string
		opt       parse.Options
		title, h1 string
	}{
		{"front matter", "---\ntitle: 'It''s'\n---\n# H", parse.Options{FallbackTitle: "F"}, "It's", "H"},
		{"heading", "text\n\n# H `c` &amp; *d*\n# H2", parse.Options{FallbackTitle: "F"}, "H c & d", "H c & d"},
		{"fallback", "## Two", parse.Options{FallbackTitle: "F"}, "F", ""},
		{"path", "", parse.Options{Path: "a/b.md"}, "b", ""},
		{"folder", "---\ntitle: T\n---\n# CI/CD", parse.Options{FallbackTitle: "CICD", Titled: true}, "CICD", "CI/CD"},
		{"html", "<div align=\"center\">\n  <h1>Big <em>one</em></h1>\n</div>", parse.Options{}, "Big one", "Big one"},
		{"carriage returns alone", "# T\rText.\r", parse.Options{FallbackTitle: "F"}, "F", ""},
	}
	for _, tt := range tests {
		d, err := ParseMarkdown([]byte(tt.src), tt.opt)
		if err != nil || d.Title != tt.title || d.H1 != tt.h1 {
			t.Errorf("%s: title %q, h1 %q, %v; want %q, %q", tt.name, d.Title, d.H1, err, tt.title, tt.h1)
		}
	}
	if _, err := ParseMarkdown(nil, parse.Options{Titled: true}); err == nil {
		t.Error("a titled page without a title is no error")
	}
}

func TestURL(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"# T\n\n> **原文链接**: https://e.org/a?b=c#d\n":                         "https://e.org/a?b=c#d",
		"# T\n\n> **Source**: <https://e.org/a>\n":                           "https://e.org/a",
		"> **Original URL**： [https://e.org/a](https://e.org/a)\n\n# T":      "https://e.org/a",
		"# T\n\nText.\n\n> **Source**: https://e.org/a\n":                    "",
		"# T\n\n> **Source**: the archive\n":                                 "",
		"---\nurl: https://e.org/u\nsource: https://e.org/s\n---\n":          "https://e.org/u",
		"---\npermalink: /docs/x\n---\n":                                     "",
		"---\nsource: \"http://e.org/s\"\n---\n> **Source**: https://e.org/": "http://e.org/s",
	} {
		if d := parsed(t, src); d.URL != want {
			t.Errorf("%q: URL %q, want %q", src, d.URL, want)
		}
	}
}

func TestLinks(t *testing.T) {
	t.Parallel()
	d := parsed(t, lines("# A", "", "[one *x*](a.md#b \"t\")", "and [two][r] <https://e.org>", "", "## B", "- <a href=\"/c\">three</a>", "", "<table><tr><td>", "<a href='d'>four</a></td></tr></table>", "", "<Card title=\"Five\" href=\"/e\" />", "![no](img.png)", "", "[r]: r.md", "", "[{{< ref \"six\" >}}]({{< ref \"six\" >}})"))
	want := []doc.Link{{Text: "one x", Target: "a.md#b", Section: 0, Line: 3}, {Text: "two", Target: "r.md", Section: 0, Line: 4}, {Text: "https://e.org", Target: "https://e.org", Section: 0, Line: 4},
		{Text: "three", Target: "/c", Section: 1, Line: 7}, {Text: "four", Target: "d", Section: 1, Line: 10}, {Text: "Five", Target: "/e", Section: 1, Line: 12}, {Text: "six", Target: "six", Section: 1, Line: 17}}
	if !reflect.DeepEqual(d.Links, want) {
		t.Errorf("got  %+v\nwant %+v", d.Links, want)
	}
}

func TestOddBytes(t *testing.T) {
	t.Parallel()
	utf16 := func(s string, big bool) string {
		b := "\xff\xfe"
		if big {
			b = "\xfe\xff"
		}
		for _, r := range s {
			if big {
				b += string([]byte{byte(r >> 8), byte(r)})
			} else {
				b += string([]byte{byte(r), byte(r >> 8)})
			}
		}
		return b
	}
	tests := []struct {
		name, src, want string
		warnings        []string
	}{
		{"empty", "", "", nil},
		{"blank", " \n\n\t\n", "", nil},
		{"crlf", "# A\r\n\r\ntext\r\nmore\r\n\r\n```\r\ncode\r\n```", "heading 1-1 \"A\"\nparagraph 3-4 \"text more\"\ncode 6-8 code=\"code\"\n", nil},
		{"bom", "\xef\xbb\xbf# A\n", "heading 1-1 \"A\"\n", nil},
		{"bom and front matter", "\xef\xbb\xbf---\ntitle: T\n---\nx", "meta 1-3\nparagraph 4-4 \"x\"\n", nil},
		{"lone cr", "a\rb\n\nc", "paragraph 1-1 \"a b\"\nparagraph 3-3 \"c\"\n", []string{"the byte at offset 1 is a lone carriage return, which ends no line"}},
		{"nul", "a\x00b\x00", "paragraph 1-1 \"a\ufffdb\ufffd\"\n", []string{"2 bytes are NUL, the first at offset 1"}},
		{"latin-1", "caf\xe9 ok\n\nx", "paragraph 1-1 \"café ok\"\nparagraph 3-3 \"x\"\n", []string{"the byte at offset 3 is not UTF-8"}},
		{"utf-16le", utf16("# Ä\n\ntext\n", false), "heading 1-1 \"Ä\"\nparagraph 3-3 \"text\"\n", []string{"the page is UTF-16LE; convert it to UTF-8 so that offsets in it mean characters"}},
		{"utf-16be", utf16("# Ä\n\ntext", true), "heading 1-1 \"Ä\"\nparagraph 3-3 \"text\"\n", []string{"the page is UTF-16BE; convert it to UTF-8 so that offsets in it mean characters"}},
		{"tabs", "-\tone\n\n\ttwo\n\n\tcode\n", "list 1-5 \"one\\ntwo\\ncode\"\n", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := parsed(t, tt.src)
			if got := outline(d); got != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
			if !reflect.DeepEqual(d.Warnings, tt.warnings) {
				t.Errorf("warnings %q, want %q", d.Warnings, tt.warnings)
			}
		})
	}
}

// hugeAndNested are the shapes that are known to cost Markdown parsers quadratic
// time or a deep stack; each page has about 200 KB.
func hugeAndNested() map[string]string {
	const n = 20000
	rep := strings.Repeat
	ticks := ""
	for i := 1; i < 600; i++ {
		ticks += "e" + rep("`", i)
	}
	deep := ""
	for i := range 600 {
		deep += rep("  ", i) + "- a\n"
	}
	return map[string]string{
		"lines": rep("A line of text.\n", 25000) + rep("\nA paragraph.\n", 12500), "headings": rep("## A\n\ntext\n\n", n), "quotes": rep(">", 10*n) + " a", "quote lines": rep(rep(">", 50)+" a\n", n/20),
		"brackets": rep("[", 10*n), "nested brackets": rep("[", n) + "a" + rep("]", n), "links": rep("[a](", n), "links on lines": rep("[a](\n", n), "images": rep("![", n), "emphasis": rep("*a_ ", n), "emphasis on lines": rep("*a_\n", n), "strong": rep("**a ", n), "strike": rep("~~a ", n),
		"ticks": ticks, "angles": rep("<", n), "tags": rep("<a ", n), "lines of tags": rep("<a\n", n), "components": rep("<Note>\n", n), "unfinished": rep("<Note\n", n), "attributes": rep("<Note a=\"\n", n), "closers": rep("</Note>\n", n),
		"tables": rep("<table>\n", n), "one closed": rep("<table>\n", n) + "</table>", "comments": rep("<!--\n", n), "inline comments": rep("a <!-- ", n), "shortcodes": rep("{{< note >}}\n", n), "unclosed": rep("{{< note ", n), "highlights": rep("{{< highlight go >}}\n", n) + "{{< /highlight >}}", "containers": rep(":::note\n", n), "bangs": rep("!!! note\n    a\n", n),
		"exports": rep("export const a = {\n\n", n), "fences": rep("```\n", n), "definitions": rep("[a]: b\n", n), "used": rep("[a]\n", n) + "\n[a]: b\n", "lists": rep("- a\n", n), "deep": deep, "markers": rep("- ", n), "ordered": rep("1. a\n\n```\n\n```\n\n", n/10), "cells": rep("|a", 2000) + "\n" + rep("|-", 2000) + "\n" + rep("|a", 2000),
		"entities": rep("&amp;", n), "amps": rep("&", n), "same headings": rep("# a\n", n), "anchors": rep("# a {#b}\n", n), "crs": rep("#\r", n), "divs": rep("<div>\n", n) + rep("</div>\n", n), "pre": rep("<pre>\n", n), "html": rep("<p>a\n", n), "inline closers": rep("<Note>\n", 3) + rep("</a>", 5*n), "sentence": rep("a. ", 5*n),
	}
}

// Each shape takes under a second; quadratic work on one would not end before the
// tests' own time limit. BenchmarkHugeAndNested says how long they take.
func TestHugeAndNested(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for name, src := range hugeAndNested() {
		t.Run(name, func(t *testing.T) { parsed(t, src) })
	}
}

func BenchmarkHugeAndNested(b *testing.B) {
	for name, src := range hugeAndNested() {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				if _, err := ParseMarkdown([]byte(src), parse.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestParseTOC(t *testing.T) {
	t.Parallel()
	src := lines("# Page", "", "原文链接: https://e.org/p", "", "## 1. Overview：https://e.org/p#_top", "### 2.1. Example: multi-file：https://e.org/p#example%3A", "#### 2.1.1. ASCII: https://e.org/p#a", "## No number：https://e.org/p#n",
		"## 3. No address", "## 4. Colon at end:", "## Set http://x: it：https://e.org/?u=https://f.org ##", "## 5.", "text", "#5. no", "```", "## no", "```", "## 2 things")
	want := []doc.TOCEntry{
		{Level: 2, Number: "1.", Text: "Overview", URL: "https://e.org/p#_top", Line: 5},
		{Level: 3, Number: "2.1.", Text: "Example: multi-file", URL: "https://e.org/p#example%3A", Line: 6},
		{Level: 4, Number: "2.1.1.", Text: "ASCII", URL: "https://e.org/p#a", Line: 7},
		{Level: 2, Text: "No number", URL: "https://e.org/p#n", Line: 8},
		{Level: 2, Number: "3.", Text: "No address", Line: 9},
		{Level: 2, Number: "4.", Text: "Colon at end", Line: 10},
		{Level: 2, Text: "Set http://x: it", URL: "https://e.org/?u=https://f.org", Line: 11},
		{Level: 2, Number: "5.", Line: 12},
		{Level: 2, Text: "2 things", Line: 18},
	}
	if got := ParseTOC([]byte(src)); !reflect.DeepEqual(got, want) {
		for i := range max(len(got), len(want)) {
			if i >= len(got) || i >= len(want) || got[i] != want[i] {
				t.Errorf("entry %d differs: got %+v, want %+v", i, got[min(i, len(got)-1)], want[min(i, len(want)-1)])
			}
		}
	}
}

// kramdown and Python-Markdown take the id of a heading from a list of attributes on the line below it.
func TestIDsBelowHeadings(t *testing.T) {
	t.Parallel()
	d := parsed(t, lines("## Weir", "{: #low .no_toc }", "", "Lock", "----", "{: .x", "   #gate }", "", "A word.", "{: #no }", "", "## Oar {#own}", "{: #other }", ""))
	var got []string
	for _, s := range d.Sections {
		got = append(got, s.Text+" #"+s.Anchor)
	}
	if want := []string{"Weir #low", "Lock #gate", "Oar #own"}; !slices.Equal(got, want) {
		t.Errorf("the sections are %q, want %q", got, want)
	}
}
