package html

import (
	"fmt"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/parsetest"
	"docent/store/doc"
)

// hostile are extreme pages. n grows with the size.
func hostile(n int) map[string]string {
	numbered := func(format string) string { return parsetest.Numbered(n, "", format) }
	return map[string]string{
		"deep divs":               strings.Repeat("<div>", n) + "text" + strings.Repeat("</div>", n),
		"deep lists":              strings.Repeat("<ul><li>", n) + "text",
		"deep quotes":             strings.Repeat("<blockquote>", n) + "text",
		"deep tables":             strings.Repeat("<table><tr><td>", n) + "text",
		"deep definitions":        strings.Repeat("<dl><dt>t<dd>", n) + "text",
		"deep marks":              "<p>" + strings.Repeat("<b><i>", n) + "text",
		"deep notes":              strings.Repeat("<div class=note>", n) + "text",
		"deep unknown":            strings.Repeat("<x-y>", n) + "text" + strings.Repeat("</x-y>", n),
		"unclosed tags":           "text" + strings.Repeat("<a b=c ", n),
		"unclosed quotes":         "text" + strings.Repeat("<a b=\"", n),
		"open angles":             "text" + strings.Repeat("<", n),
		"closing tags":            "<div><table><td>text" + strings.Repeat("</div>", n),
		"closing marks":           "<p>text" + strings.Repeat("</b>", n),
		"headings":                numbered("<h2 id=h%[1]d>h%[1]d</h2>"),
		"headings in divs":        "<p>text" + numbered("<div id=d%[1]d><h2>h%[1]d</h2></div>"),
		"headings in one div":     "<div id=x><p>text" + numbered("<div><h2>h%[1]d</h2></div>") + "</div>",
		"one id":                  strings.Repeat("<h2 id=x>x</h2>", n),
		"an unclosed heading":     "<h1>" + strings.Repeat("<p>text</p>", n),
		"a huge attribute":        "<p>text <img src='data:" + strings.Repeat("A", 8*n) + "' alt=x>",
		"a huge class":            "<p class='" + strings.Repeat("note x", n) + "'>text",
		"attributes":              "<p " + numbered("a%d=b ") + ">text",
		"attributes, then tags":   "<p " + numbered("a%d=b ") + ">text" + strings.Repeat("<b>x</b>", n),
		"an unclosed comment":     "<p>text</p><!--" + strings.Repeat(" x", n),
		"comments":                "<p>text</p>" + strings.Repeat("<!-- x -->", n),
		"an unclosed script":      "<p>text</p><script>" + strings.Repeat("<!--<script>", n),
		"an unclosed title":       "<title>" + strings.Repeat("text <b>x</b>", n),
		"an unclosed textarea":    "<p>text</p><textarea>" + strings.Repeat("<p>x</p>", n),
		"entities":                "<p>" + strings.Repeat("&amp;lt;&#0;&#x110000;&nosuch", n),
		"a wide table":            "<table><tr>" + strings.Repeat("<td>x", n),
		"a sparse table":          "<table><tr>" + strings.Repeat("<td>x", 50) + strings.Repeat("<tr><td>y", n),
		"spans":                   "<table>" + strings.Repeat("<tr><td rowspan=99999999 colspan=99999999>x", n),
		"rows":                    "<table>" + strings.Repeat("<tr><td>x<td>y", n),
		"links":                   "<p>text that is long enough to be prose here" + strings.Repeat("<a href=x>y</a> z", n),
		"links in links":          strings.Repeat("<a href=x>text", n),
		"brackets in links":       strings.Repeat("<a href='x'>[]](</a>", n),
		"breaks":                  "<p>text" + strings.Repeat("<br>", n) + "text",
		"empty elements":          "<p>text" + strings.Repeat("<span></span>", n),
		"one line":                "<p>" + strings.Repeat("word ", n),
		"no blanks":               "<p>" + strings.Repeat("word", n),
		"blanks":                  "<p>text" + strings.Repeat(" \n", n) + "text",
		"code":                    "<pre>" + strings.Repeat("<span class=k>x</span>\n", n) + "</pre>",
		"code of many elements":   "<pre>" + strings.Repeat("<code>x", n),
		"not UTF-8":               "<p>" + strings.Repeat("\xff\xc3(", n),
		"NUL":                     "<p>" + strings.Repeat("\x00a\x1b[31m", n),
		"tabs":                    "<div><div role=tablist>" + strings.Repeat("<b>x</b>", n) + "</div>" + strings.Repeat("<div role=tabpanel>text</div>", n) + "</div>",
		"panels":                  "text" + strings.Repeat("<div><div role=tabpanel>text</div></div>", n),
		"details":                 strings.Repeat("<details><summary>text</summary>", n),
		"terms":                   "<dl>" + strings.Repeat("<dt id=x>t", n) + "<dd>text</dl>",
		"forms":                   strings.Repeat("<form><input><p>text", n),
		"nested unknown and text": strings.Repeat("<x>a<y>b", n),
		"lists of links":          "<p>text of this page</p>" + strings.Repeat("<ul><li><a href='#x'>x</a>", n),
	}
}

// Whatever a page is, it is read as a whole document or left out with a reason, in
// memory and time that are linear in its size.
func TestHostile(t *testing.T) {
	t.Parallel()
	parsetest.Hostile(t, Parser{}, "a.html", hostile, func(t *testing.T, name, src string, d doc.Document) {
		if !strings.Contains(string(d.Text), "text") && strings.Contains(src, ">text") && name != "an unclosed title" {
			t.Errorf("%s: its text is lost: %.300q, warnings %q", name, d.Text, d.Warnings)
		}
	})
}

// A page of the greatest size, all of it unclosed tags, is over the budget and read as
// plain text, with a warning.
func TestOverBudget(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("reads 64 MB")
	}
	src := "<p>the first words" + strings.Repeat("<div>", (64<<20)/5-100) + "the last words"
	d := parsed(t, src)
	if text := string(d.Text); !strings.Contains(text, "the first words") || !strings.Contains(text, "the last words") || len(d.Warnings) == 0 {
		t.Errorf("%.200q, warnings %q", text, d.Warnings)
	}
}

// The text of a manual in one page has the structure of the page, however long it is.
func TestLongManual(t *testing.T) {
	t.Parallel()
	section := "<h2>Lamp %d</h2><p>It <b>burns</b>."
	parsetest.TestParser(t, Parser{}, map[string][]byte{"manual.html": []byte("<main>" + parsetest.Numbered(90_000, "", section))})
}

func TestManyHeadings(t *testing.T) {
	t.Parallel()
	d := parsed(t, hostile(100_000)["headings"])
	if len(d.Warnings) == 0 || !strings.Contains(string(d.Text), "h99999") {
		t.Errorf("%d sections, warnings %q", len(d.Sections), d.Warnings)
	}
}

func TestCanceled(t *testing.T) {
	t.Parallel()
	parsetest.Canceled(t, Parser{}, "a.html", "<p>text")
}

func FuzzParse(f *testing.F) {
	parsetest.FuzzParser(f, Parser{}, parse.Options{}, parsetest.AllSeeds(parsetest.Sources(f, "testdata/*.html"), hostile(3))...)
}

// The page is a small reference: prose, code, a table, functions with names of their own.
func BenchmarkParse(b *testing.B) {
	var page strings.Builder
	page.WriteString("<!doctype html><html><head><title>Lamps — Lantern</title></head><body><nav><ul><li><a href=a>a</a></ul></nav><main><h1>Lamps</h1>")
	for i := range 400 {
		fmt.Fprintf(&page, "<section id=s%d><h2>Function %d<a class=headerlink href='#s%d'>¶</a></h2>\n<p>The lamp burns with a <em>steady</em> flame; see <a href='oil.html#o%d'><code>oil()</code></a> for how it is\nfilled, and how long it lasts.</p>\n<div class='highlight-python'><div class=highlight><pre><span></span><span class=n>lamp</span><span class=o>.</span><span class=n>light</span><span class=p>()</span>\n</pre></div></div>\n<table><thead><tr><th>name</th><th>text</th></tr></thead><tbody><tr><td><code>wick</code></td><td>what burns</td></tr></tbody></table>\n<ul><li><p>one</p></li><li><p>two</p></li></ul></section>\n", i, i, i, i)
	}
	page.WriteString("</main><footer>x</footer></body></html>")
	src := []byte(page.String())
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := (Parser{}).Parse(b.Context(), src, parse.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
