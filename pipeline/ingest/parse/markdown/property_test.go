package markdown

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"docent/pipeline/ingest/parse"
	"docent/store/doc"
)

// fragments are lines that mean something to the parser; pages made of them in any order
// try all combinations: side by side, nested and overlapping.
var fragments = []string{
	"", "", "", "text", "Some *words* with `code`.", "# H", "## Two", "### Three {#id}", "Setext", "===", "---", "***", "- item", "  more", "    deep", "1. one", "2. two", "3. three", "> quote", "> [!NOTE]", "> - x", "```", "```go title=\"x\"", "~~~", "    code", "\tcode",
	"| a | b |", "|---|---|", "| 1 | 2 |", "<Note>", "</Note>", "  <Note>", "  </Note>", "   </Note>", "<Warning>x</Warning>", "<Steps>", "</Steps>", "<Step title=\"T\">", "</Step>", "    <Step title=\"T\">a", "    b</Step>", "<Tabs", "  x={1}", ">", "<Card title=\"a\" href=\"/b\" />", "<div>", "</div>", "</div><Note>", "</Note><Note>",
	"<details><summary>S</summary>", "</details>", "<table>", "<tr><td>c</td><td>", "</td></tr></table>", "<h2>Html</h2>", "<h3 id=\"i\">a", "b</h3>", "<p>p", "</p>", "<ul><li>l", "</ul>", "<ol><li>l</li><li>m</li></ol>", "<pre>", "</pre>", "<!-- c -->", "<!--", "-->", "<br>", "<a href=\"x\">l</a>",
	"{{< note >}}", "{{< /note >}}", "  {{% warning %}}", "  {{% /warning %}}", "{{< tab name=\"n\" >}}x", "{{< /tab >}}", "a {{< glossary_tooltip", "text=\"t\" >}}", "{{< highlight go >}}", "{{< /highlight >}}", "{{< comment >}}", "{{< /comment >}}", "{{< ref \"x\" >}}", "{{</* x */>}}",
	":::note", ":::", "::::tip[T]", "::::", "!!! note", "    in it", "[^1]: n", "+---+---+", "| a | b |", "+===+===+", "a[^1]b[^2]", "[^2]:", "!> h", "?> h", "import a from 'b'", "export const c = {", "}", "{/* c", "*/}", "[a]: b", "[a]", "[x](y", "**Warning:** w", "警告：w", "title: t", "+++", "a\rb", "# c\r# d", "\x00", "\xff", "\ufeff", "文字", "&amp;&nbsp;", "\\", "{{<", "{{%", "%}}", "<", "{#x}",
	"```{note} T", ":::{tip}", "````{tab-item} Linux", "````", ":name: a", "```{code-block} go", "```{toctree}", "a <b>", "(l)=", "% c", "See {ref}`t <l>` and {math}`x`.", "  ```{warning}", "  ```", "```{unknown} x", ":::{code} go", "^^^",
}

func randomPage(t *rapid.T) []byte {
	lines := rapid.SliceOfN(rapid.SampledFrom(fragments), 0, 30).Draw(t, "lines")
	ending := rapid.SampledFrom([]string{"\n", "\n", "\r\n"}).Draw(t, "ending")
	src := strings.Join(lines, ending)
	if rapid.Bool().Draw(t, "newline at the end") {
		src += ending
	}
	return []byte(rapid.SampledFrom([]string{"", "", "", "\xef\xbb\xbf", "---\n", "---\ntitle: T\n---\n"}).Draw(t, "head") + src)
}

func TestPlacesAreExact(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		src := randomPage(t)
		d, err := ParseMarkdown(src, parse.Options{Path: "p.md"})
		if err != nil {
			t.Fatal(err)
		}
		if err := check(src, d); err != nil {
			t.Fatalf("%v\n%q\n%s", err, src, outline(d))
		}
		if again, _ := ParseMarkdown(src, parse.Options{Path: "p.md"}); !reflect.DeepEqual(d, again) {
			t.Fatal("a second parse differs")
		}
	})
}

// Words of paragraphs, items, cells, headings and admonitions are found again,
// each once, whatever dialect stands around them.
func TestWordsAreKept(t *testing.T) {
	t.Parallel()
	around := [][2]string{{"", ""}, {"<Note>\n", "\n</Note>"}, {"<Steps>\n  <Step title=\"t\">\n    ", "\n  </Step>\n</Steps>"}, {"{{< note >}}\n", "\n{{< /note >}}"}, {"{{% tab name=\"n\" %}}", "{{% /tab %}}"}, {":::tip\n", "\n:::"}, {"```{note} t\n:class: x\n\n", "\n```"}, {"````{card} t\n```{tip}\n", "\n```\n````"}, {":::{warning}\n", "\n:::"}, {"(l)=\n", ""}, {"{term}`", "`"}, {"!!! note\n    ", ""},
		{"- ", ""}, {"1. a\n\n   ", ""}, {"> ", ""}, {"> [!TIP]\n> ", ""}, {"| a |\n|---|\n| ", " |"}, {"## ", ""}, {"", "\n==="}, {"<h2>", "</h2>"}, {"<p>", "</p>"}, {"<table><tr><td>\n\n", "\n\n</td></tr></table>"}, {"<div align=\"x\">\n", "\n</div>"}, {"<details>\n<summary>", "</summary>\n</details>"}, {"<!-- x -->", ""}, {"**", "**"}, {"[", "](x)"}, {"<Card title=\"", "\" />"}}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "parts")
		var src strings.Builder
		words := make([]string, n)
		for i := range n {
			words[i] = "word" + strings.Repeat("x", i) + "end"
			a := rapid.SampledFrom(around).Draw(t, "around")
			src.WriteString(a[0] + words[i] + a[1] + "\n\n")
		}
		d, err := ParseMarkdown([]byte(src.String()), parse.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var all strings.Builder
		for _, b := range d.Blocks {
			all.WriteString(b.Text + "\n")
		}
		for _, w := range words {
			if strings.Count(all.String(), w) != 1 {
				t.Fatalf("%q is there %d times\n%s\n%s", w, strings.Count(all.String(), w), src.String(), outline(d))
			}
		}
	})
}

// A page's text in marks is the source's text at the marks.
func TestMarks(t *testing.T) {
	t.Parallel()
	src := "A paragraph with *emphasis* and `code`. " + strings.Repeat("It goes on &amp; on.\n  More of it, [linked](x) twice. ", 30) + "\n"
	for _, s := range []string{src, strings.ReplaceAll(src, "\n", "\r\n"), "\xef\xbb\xbf" + src, "<Note>\n\n# In\n\n" + src} {
		d, _ := ParseMarkdown([]byte(s), parse.Options{})
		var b doc.Block
		for _, bl := range d.Blocks {
			if len(bl.Marks) > len(b.Marks) {
				b = bl
			}
		}
		if len(b.Marks) < 60 {
			t.Fatalf("%d marks", len(b.Marks))
		}
		for i, m := range b.Marks {
			if i > 0 && (b.Marks[i-1].Text >= m.Text || b.Marks[i-1].Source >= m.Source || b.Marks[i-1].Line > m.Line) {
				t.Fatalf("mark %d: %+v after %+v", i, m, b.Marks[i-1])
			}
			if b.Text[m.Text] != s[m.Source] && s[m.Source] != '&' {
				t.Errorf("mark %d %+v: %q stands for %q", i, m, s[m.Source:][:5], b.Text[m.Text:][:5])
			}
			if line := 1 + strings.Count(s[:m.Source], "\n"); line != m.Line {
				t.Errorf("mark %d %+v is on line %d", i, m, line)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range fragments {
		f.Add([]byte(s))
	}
	f.Add([]byte(strings.Join(fragments, "\n")))
	f.Add([]byte("\xff\xfe#\x00 \x00a\x00\n\x00"))
	f.Add([]byte("<Note>\n  <Steps>\n    - a\n  </Steps>\n</Note>\n\n| a |\n|-|\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		d, err := ParseMarkdown(src, parse.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := check(src, d); err != nil {
			t.Fatalf("%v\n%s", err, outline(d))
		}
	})
}

func FuzzParseTOC(f *testing.F) {
	f.Add([]byte("# P\n\n### 2.1. A: b：https://e.org/p#a\n## 3. x:http://\n"))
	f.Add([]byte("## 1.1.：https://"))
	f.Fuzz(func(t *testing.T, src []byte) {
		n := doc.CountLines(src)
		last := 0
		for _, e := range ParseTOC(src) {
			if e.Level < 1 || e.Level > 6 || e.Line <= last || e.Line > n {
				t.Fatalf("entry %+v in %d lines", e, n)
			}
			last = e.Line
			if e.URL != "" && !isAddress(e.URL) {
				t.Fatalf("entry %+v has no address", e)
			}
		}
	})
}
