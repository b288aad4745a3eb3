package html

import (
	"context"
	"flag"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/parsetest"
	"docent/store/doc"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func parsed(t testing.TB, src string) doc.Document {
	t.Helper()
	d, err := Parser{}.Parse(context.Background(), []byte(src), parse.Options{})
	if err != nil {
		t.Fatalf("%v of\n%.500s", err, src)
	}
	return d
}

// The pages are written after those of DevDocs, Docusaurus (3, and an alpha of 2), go.dev,
// javadoc, Material for MkDocs, MkDocs, mdBook, Node.js, rustdoc and Sphinx, a hand-made
// manual of the nineties in Latin-1, and a site without any known container.
func TestPages(t *testing.T) {
	t.Parallel()
	sources := parsetest.Sources(t, "testdata/*.html")
	if len(sources) < 13 {
		t.Errorf("%d pages are here", len(sources))
	}
	parsetest.Golden(t, Parser{}, sources, *update)
}

// The elements around the text of a page are not in its rendition, whatever the site.
func TestNoClutter(t *testing.T) {
	t.Parallel()
	for file, src := range parsetest.Sources(t, "testdata/*.html") {
		text := string(parsed(t, string(src)).Text)
		for _, word := range []string{"¶", "§", "cookie", "secret", "never", "Permalink", "Skip to", "Copyright", "©", "Previous", "Next", "Edit this", "helpful", "Overview", "Show Source", "Last updated", "Copy item", "breadcrumb"} {
			if strings.Contains(strings.ReplaceAll(text, "Never", ""), word) {
				t.Errorf("%s: %q is in\n%s", file, word, text)
			}
		}
	}
}

func TestParts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"blanks around marks":           {"<p>a<b> bold </b>c <i>d</i>, e</p>", "a **bold** c *d*, e"},
		"lines are kept":                {"<p>one\n  two\n\n three</p>", "one\ntwo\nthree"},
		"a break":                       {"<p>one<br>two<br/></p>", "one\\\ntwo"},
		"code in a link":                {"<p><a href='x.html#y'><code>f()</code></a></p>", "[`f()`](x.html#y)"},
		"a link in code":                {"<p><code><a href='x.html'>f</a></code></p>", "[`f`](x.html)"},
		"script is no target":           {"<p><a href='javascript:alert(1)'>go</a></p>", "go"},
		"marks are text":                {"<p>2 * 3 _x_ &lt;b&gt; [a](b) # 1.</p>", "2 * 3 \\_x\\_ \\<b> [a\\](b) # 1."},
		"a heading in a link":           {"<a href=x><h2>Oil</h2></a><p>b", "## Oil\n\nb"},
		"an unknown element":            {"<my-page><my-p>one</my-p><p>two</p></my-page>", "one\n\ntwo"},
		"an unclosed list":              {"<ul><li>a<li>b<p>c", "- a\n- b\n\n  c"},
		"numbers":                       {"<ol start=3><li>a</li><li value=7>b</li></ol>", "3. a\n\n7) b"},
		"language by class":             {"<pre class='language-go'>x</pre>", "```go\nx\n```"},
		"language of the code":          {"<pre><code class='hljs lang-py'>x</code></pre>", "```python\nx\n```"},
		"language around":               {"<div class='highlight highlight-source-shell'><pre>x</pre></div>", "```shell\nx\n```"},
		"language of brush":             {"<pre class='brush: js; ruler: true'>x</pre>", "```js\nx\n```"},
		"no language":                   {"<pre class='language-none'>x</pre>", "```\nx\n```"},
		"code with ticks":               {"<pre>```\nx</pre>", "````\n```\nx\n````"},
		"a note by role":                {"<div role=note>Mind.</div>", "> [!NOTE]\n> Mind."},
		"a GitHub alert":                {"<div class='markdown-alert markdown-alert-caution'><p class='markdown-alert-title'>Caution</p><p>Hot.</p></div>", "> [!CAUTION]\n> Hot."},
		"a Docusaurus admonition":       {"<div class='theme-admonition theme-admonition-tip admonition_x alert alert--success'><div class='admonitionHeading_y'>tip</div><div><p>Dry it.</p></div></div>", "> [!TIP]\n> Dry it."},
		"an Asciidoctor note":           {"<div class='admonitionblock note'><table><tr><td class=icon><img src=n.png alt=Note></td><td class=content>Dry it.</td></tr></table></div>", "> [!NOTE]\n> Dry it."},
		"a DocBook note":                {"<div class=warning style='margin-left: 1em'><h3 class=title>Warning</h3><p>Hot.</p></div>", "> [!WARNING]\n> Hot."},
		"a DocBook note with a picture": {"<div class=tip><table summary=Tip><tr><td rowspan=2><img src=t.png alt='[Tip]'></td><th>Tip</th></tr><tr><td><p>Dry it.</p></td></tr></table></div>", "> [!TIP]\n> Dry it."},
		"a list in columns":             {"<table><tr><td><ul><li>a<li>b</ul></td><td><ul><li>c</ul></td></tr></table>", "- a\n- b\n- c"},
		"the way on in Texinfo":         {"<p>Next: <a href='b'>Oil</a> [<a href='#c'>Contents</a>][<a href='#i'>Index</a>]</p><p>See <a href='b'>setAt(Index, Index)</a>, <a href='c'>contents</a></p>", "See [setAt(Index, Index)](b), [contents](c)"},
		"a link to the top":             {"<p>text</p><div class=up><a href='#top'>top</a></div><p>more, see <a href='#top'>top</a></p>", "text\n\nmore, see [top](#top)"},
		"a section of that name":        {"<section class=warning><h2>A</h2><p>a</p><h2>B</h2>" + strings.Repeat("<p>long text of a section</p>", 200) + "</section>", ""},
		"details":                       {"<details><summary>More</summary><p>text</p></details>", "**More**\n\ntext"},
		"details with a heading":        {"<details><summary><h3 id=x>More</h3></summary><p>text</p></details>", "### More\n\ntext"},
		"MathML":                        {"<p><math alttext='x^2'><mi>x</mi></math></p>", "`x^2`"},
		"KaTeX":                         {"<p><span class=katex><span class=katex-mathml><math><semantics><mi>x</mi><annotation encoding='application/x-tex'>x</annotation></semantics></math></span><span class=katex-html aria-hidden=true>x</span></span></p>", "`x`"},
		"a picture":                     {"<p><img src=a.png alt='The lamp'></p>", "![The lamp](a.png)"},
		"a picture as data":             {"<p><img src='data:image/png;base64,AAAA' alt='The lamp'></p>", "The lamp"},
		"a header across columns":       {"<table><tr><th colspan=2>size</th><th>x</th></tr><tr><th>a</th><th>b</th><th></th></tr><tr><td>1</td><td>2</td><td>3</td></tr></table>", "| size a | b | x |\n| --- | --- | --- |\n| 1 | 2 | 3 |"},
		"code in a cell":                {"<table><tr><th>a</th><th>b</th></tr><tr><td>one</td><td><pre>x\ny</pre></td></tr></table>", "- **one**\n\n  ```\n  x\n  y\n  ```"},
		"lists in a cell":               {"<table><tr><th>a</th><th>b</th></tr><tr><td>one</td><td><ul><li>x</li><li>y</li></ul></td></tr></table>", "| a | b |\n| --- | --- |\n| one | • x<br>• y |"},
		"cells without a row":           {"<table><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>", "| | |\n| --- | --- |\n| a | b |\n| c | d |"},
		"no rows at all":                {"<table><td><p>a</p></td><td><p>b</p></td></table>", "a\n\nb"},
		"a table to lay out":            {"<table><tr><td><h2>A</h2><p>a</p></td></tr></table>", "## A\n\na"},
		"empty columns":                 {"<table><tr><td>a</td><td></td><td>b</td></tr><tr><td>c</td><td></td><td>d</td></tr></table>", "| | |\n| --- | --- |\n| a | b |\n| c | d |"},
		"two terms":                     {"<dl><dt>-a</dt><dt>--all</dt><dd>all of it</dd></dl>", "- **-a, --all**\n  all of it"},
		"a long named definition":       {"<h2>Options</h2><dl><dt id=opt-a>-a</dt><dd><p>" + strings.Repeat("all of it ", 40) + "</p></dd></dl>", "## Options\n\n### -a\n\n" + strings.TrimSpace(strings.Repeat("all of it ", 40))},
		"panels of tabs":                {"<div><ul role=tablist><li>Linux</li><li>macOS</li></ul><div><div role=tabpanel>apt</div><div role=tabpanel hidden>brew</div></div></div>", "**Linux**\n\napt\n\n**macOS**\n\nbrew"},
		"text in front of headings":     {"text<h2>A</h2>more", "text\n\n## A\n\nmore"},
	} {
		d := parsed(t, "<!doctype html><title>T</title><main>"+c.src+"</main>")
		if got := strings.TrimSpace(string(d.Text)); c.want != "" && got != c.want {
			t.Errorf("%s: %q is read as\n%s\nnot\n%s", name, c.src, got, c.want)
		}
	}
}

// The name of a section is that by which the source's links reach it.
func TestAnchors(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"<h2 id=own>A</h2>":                                             "own",
		"<h2><a name=inner>A</a></h2>":                                  "inner",
		"<a name=before></a><h2>A</h2>":                                 "before",
		"<p><a name=before></a></p>\n<h2>A</h2>":                        "before",
		"<section id=around><p>x</p><h2>A</h2></section>":               "around",
		"<section id=around><span id=alias></span><h2>A</h2></section>": "alias",
		"<h2 id=own>A<a class=headerlink href='#shown'>¶</a></h2>":      "shown",
		"<h2>A<a href='#shown'>#</a></h2>":                              "shown",
		"<h2 id='impl-%3CT%3E'>A</h2>":                                  "impl-%3CT%3E",
		"<h2>A<a class=anchor href='#impl-Lamp%3CT%3E'>§</a></h2>":      "impl-Lamp<T>",
		"<a name=before></a><p>text of its own</p><h2>A</h2>":           "~a",
		"<h2>A</h2>":                 "~a",
		"<h2 id='with blank'>A</h2>": "~a",
		"<div id=x><div><h2>A</h2></div><h2>B</h2></div><p>rest of the page":                    "x",
		"<h2 id=same>A</h2><p>t</p><h2 id=same>B</h2>":                                          "same",
		"<dl><dt class='sig' id='f'>f()<a class=headerlink href='#f'>¶</a></dt><dd>x</dd></dl>": "f",
	} {
		d := parsed(t, "<title>T</title><body><main>"+src+"</main>")
		got := ""
		for _, s := range d.Sections {
			if s.Level > 0 {
				got = s.Anchor
				break
			}
		}
		if got != want {
			t.Errorf("%s: the section is #%s, not #%s", src, got, want)
		}
	}
	d := parsed(t, "<h2 id=same>A</h2><p>t</p><h2 id=same>B</h2>")
	if a, b := d.Sections[0].Anchor, d.Sections[1].Anchor; a != "same" || b == a {
		t.Errorf("two headings with one id are #%s and #%s", a, b)
	}
}

func TestTitles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ title, site, heading, want string }{
		{"Oil — Lantern 2.1", "", "Oil", "Oil"},
		{"Oil | Lantern", "", "", "Oil"},
		{"Lantern | Oil", "Lantern", "", "Oil"},
		{"Oil - Lantern", "", "Lantern", "Oil"},
		{"Path | Node 20 Documentation", "", "Node 20 documentation", "Path"},
		{"Oil", "Lantern", "Lantern", "Oil"},
		{"", "", "Oil", "Oil"},
		{"Lantern", "", "Oil and water", "Oil and water"},
		{"re-use of oil", "", "", "re-use of oil"},
	} {
		h := head{title: c.title, site: c.site}
		if got, _ := h.titles(c.heading); got != c.want {
			t.Errorf("<title>%s</title> of %q, heading %q: the title is %q, not %q", c.title, c.site, c.heading, got, c.want)
		}
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"<link rel=canonical href='https://a.example/b'><meta property=og:url content='https://a.example/c'>":  "https://a.example/b",
		"<base href='https://a.example/docs/'><link rel=canonical href='b.html'>":                              "https://a.example/docs/b.html",
		"<meta property=og:url content='https://a.example/c#d'>":                                               "https://a.example/c",
		"<link rel=canonical href='/b'>":                                                                       "",
		"<link rel=canonical href='http://localhost:8000/b'>":                                                  "",
		"<link rel=canonical href='javascript:alert(1)'>":                                                      "",
		"<base href='https://a.example/b.html'>":                                                               "https://a.example/b.html",
		"<!-- saved from url=(0020)https://a.example/b/ -->":                                                   "https://a.example/b/",
		"<!-- Mirrored from a.example/b.html by HTTrack Website Copier/3.x [XR&CO'2014], Sat, 01 Jan 2026 -->": "https://a.example/b.html",
		"<!--\n Page saved with SingleFile \n url: https://a.example/b \n saved date: x\n-->":                  "https://a.example/b",
	} {
		if d := parsed(t, "<html><head>"+src+"</head><body><p>text</p></body></html>"); d.URL != want {
			t.Errorf("%s: the address is %q, not %q", src, d.URL, want)
		}
	}
	d := parsed(t, "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=iso-8859-1\r\nContent-Location: https://a.example/b\r\n\r\n<p>caf\xe9</p>")
	if d.URL != "https://a.example/b" || !strings.Contains(string(d.Text), "café") || d.Map[0].Line != 5 {
		t.Errorf("saved with headers: %q %q at %+v", d.URL, d.Text, d.Map)
	}
}

func TestEncodings(t *testing.T) {
	t.Parallel()
	for name, src := range map[string]string{
		"UTF-8":                 "<p>café</p>",
		"byte order mark":       "\xef\xbb\xbf<p>café</p>",
		"meta charset":          "<meta charset=iso-8859-1><p>caf\xe9</p>",
		"http-equiv":            "<meta http-equiv=content-type content='text/html; charset=windows-1252'><p>caf\xe9</p>",
		"XML":                   "<?xml version=\"1.0\" encoding=\"iso-8859-15\"?><html><p>caf\xe9</p></html>",
		"nothing said":          "<p>caf\xe9</p>",
		"said to be UTF-8":      "<meta charset=utf-8><p>caf\xe9</p>",
		"UTF-16":                "\xff\xfe<\x00p\x00>\x00c\x00a\x00f\x00\xe9\x00",
		"UTF-16, the other way": "\xfe\xff\x00<\x00p\x00>\x00c\x00a\x00f\x00\xe9",
		"an entity":             "<p>caf&eacute;</p>",
	} {
		if d := parsed(t, src); strings.TrimSpace(string(d.Text)) != "café" {
			t.Errorf("%s: %q is read as %q (%q)", name, src, d.Text, d.Warnings)
		}
	}
	if d := parsed(t, "<meta charset=shift_jis><p>\x83\x89\x83\x93\x83v</p>"); strings.TrimSpace(string(d.Text)) != "ランプ" {
		t.Errorf("Shift JIS is read as %q", d.Text)
	}
}

// Lines that end with carriage returns alone are lines, all on the first of the file.
func TestLoneReturns(t *testing.T) {
	t.Parallel()
	d := parsed(t, "<p>one\rtwo</p>\r<pre>a\rb</pre>")
	if got := string(d.Text); got != "one\ntwo\n\n```\na\nb\n```\n" || d.Map[1].Line != 1 || d.Map[4].Line != 1 {
		t.Errorf("%q at %+v", got, d.Map)
	}
}

// Front matter, as generators of sites write it above HTML.
func TestFrontMatter(t *testing.T) {
	t.Parallel()
	d := parsed(t, "---\ntitle: \"Filling\"\ndescription: How to fill.\n---\n\n<div><p>Fill it. {{< x >}}</p></div>\n")
	if d.Title != "Filling" || d.About != "How to fill." || !strings.HasPrefix(string(d.Text), "Fill it.") || d.Map[0].Line != 6 {
		t.Errorf("%q %q %q %+v", d.Title, d.About, d.Text, d.Map)
	}
	d = parsed(t, "---\ntitle: Filling\nparts:\n  - title: Oil\n    icon: can\n    description: >\n      Rape and\n      whale.\n---\n{{< cover height=\"min\"\n  color=\"red\" >}}\n<p>Fill it.</p>\n{{% lead %}}<p>Then light it.</p>{{% /lead %}}\n{{< /cover >}}\n")
	if d.About != "Oil\nRape and whale." || string(d.Text) != "Fill it.\n\nThen light it.\n" || d.Map[0].Line != 12 {
		t.Errorf("%q %q %+v", d.About, d.Text, d.Map)
	}
}

// An address into which Hugo puts a part shows the place of it: without it /lamps/{{< year >}}/wick was a link to
// another page, /lamps//wick.
func TestAddressOfHugoWithATag(t *testing.T) {
	t.Parallel()
	d := parsed(t, "---\ntitle: Filling\n---\n<p>See <a href=\"/lamps/{{< param year >}}/wick\">{{< icon >}}wicks</a> and <a href=\"/oil\">oil</a>.</p>\n")
	if got, want := string(d.Text), "See [wicks](/lamps/{{}}/wick) and [oil](/oil).\n"; strings.NewReplacer("%7B", "{", "%7D", "}").Replace(got) != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// The small form of some letters has more bytes: the parser cut the target of such a redirect
// before its beginning, and ended.
func TestTargetOfRedirectInOtherLetters(t *testing.T) {
	t.Parallel()
	target := strings.Repeat("İ", 20)
	_, err := Parser{}.Parse(context.Background(), []byte("<meta http-equiv=refresh content='0; URL="+target+"'><p>Moved</p>"), parse.Options{})
	if err == nil || !strings.Contains(err.Error(), "leads to another page, "+target) {
		t.Errorf("%v", err)
	}
}

// Pages that are no text to read are left out, and it is said why.
func TestLeftOut(t *testing.T) {
	t.Parallel()
	for src, why := range map[string]string{
		`<meta http-equiv="refresh" content="0; URL='../b.html'"><p>Redirecting to <a href=../b.html>b</a></p>`:                                      "leads to another page, ../b.html",
		"<html><frameset cols='20%,80%'><frame src=a.html></frameset></html>":                                                                        "frames",
		"<title>404 Not Found</title><p>Nothing here.</p>":                                                                                           "not found",
		"<title>Lantern</title><main><h1>404 - Not found</h1></main>":                                                                                "not found",
		"<title>Search — Lantern</title><div role=main><h1>Search</h1><form><input name=q></form><p>Searching for many words is possible.</p></div>": "search",
		"<title>Index</title><h1 id=index>Index</h1><table class='indextable genindextable'><tr><td><a href=a>a</a> text</td></tr></table>":          "index of names",
		"<title>Index (Lantern API)</title><body class=split-index-page><p>a b c</p></body>":                                                         "index of names",
		"<title>lib.rs - source</title><body class='rustdoc src'><pre>fn main() {}</pre></body>":                                                     "source code",
		"<title>lantern.lamp</title><h1>Source code for lantern.lamp</h1><pre>x = 1</pre>":                                                           "source code",
		"<html><body><div id=app></div><script>run()</script></body></html>":                                                                         "no text",
		"<title>{{ .Title }}</title><p>{{ .Content }}</p>":                                                                                           "template",
		"{% extends 'base.html' %}<p>text</p>":                                                                                                       "template",
		"<nav><a href='{{ site.url }}'>home</a></nav><p>text</p>":                                                                                    "template",
		"<title>All</title><main>" + strings.Repeat("<p><a href='a.html'>a page of this site</a></p>", 600) + "</main>":                              "links",
	} {
		_, err := Parser{}.Parse(context.Background(), []byte(src), parse.Options{})
		if err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%.200s: %v, want a reason with %q", src, err, why)
		}
	}
	const book = "<!DOCTYPE HTML><html><head><!-- Book generated using mdBook --><title>The Lantern Book</title></head><body><main><h1>Burning</h1><p>All of it.</p></main></body></html>"
	for file, src := range map[string]string{
		"print.html":     book,
		"old/print.html": book,
		"toc.html":       strings.Replace(book, "Book generated", "sidebar iframe generated", 1),
		"all.html":       "<title>Lantern.js Documentation</title><body class='alt apidoc' id=api-section-all><div role=main><h2>Lamp</h2><p>All of it.</p></div></body>",
	} {
		if _, err := (Parser{}).Parse(context.Background(), []byte(src), parse.Options{Path: file}); err == nil {
			t.Errorf("%s of a generated site is a page", file)
		}
	}
	if _, err := (Parser{}).Parse(context.Background(), []byte(book), parse.Options{Path: "print.html", Wanted: true}); err != nil {
		t.Errorf("a book in one page, handed in by itself: %v", err)
	}
	if d, err := (Parser{}).Parse(context.Background(), []byte(book), parse.Options{Path: "burning.html"}); err != nil || d.Title != "Burning" {
		t.Errorf("a page of a book: %q, %v", d.Title, err)
	}
	for _, src := range []string{
		`<meta http-equiv=refresh content=3600><p>The state of the lamp.</p>`,
		"<title>Search</title><main><h1>Searching</h1><p>How the search works, with a form.</p></main>",
		"<title>Templates</title><p>Write <code>{{ .Title }}</code> in {{ braces }}.</p>",
		"<p>Indexes speed up queries.</p>",
	} {
		parsed(t, src)
	}
}

// A full stop behind the end of a paragraph was a paragraph of its own.
func TestSignsBehindBlocks(t *testing.T) {
	t.Parallel()
	d := parsed(t, "<h1>Lamps</h1><p>Trim the <a href=wick.html>wick</a></p>. <p>Fill it</p>,<ul><li>Oil</ul>; <p>And so on</p>...")
	if want := "# Lamps\n\nTrim the [wick](wick.html)\n\nFill it\n\n- Oil\n\nAnd so on\n\n...\n"; string(d.Text) != want {
		t.Errorf("%q, want %q", d.Text, want)
	}
}
