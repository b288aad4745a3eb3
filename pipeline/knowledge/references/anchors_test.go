package references_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Sites name places in more ways than by headings. What they name leads somewhere; what
// the sources do not tell is unsure, and the rest is broken.
func TestPlaces(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		set  set
		want []string
	}{
		{"components and elements", set{
			"a.mdx": "# A\n\n<h2 class=\"x\">Oil <b>lamps</b></h2>\n\n<ParamField path=\"wick_length\" type=\"int\">\nThe length.\n</ParamField>\n\n<ResponseField name=\"Burns\" type=\"bool\">\nIt.\n</ResponseField>\n\n<Card\n  title=\"Trim it\"\n  href=\"b\">\n</Card>\n\n<Update label=\"May 2024\">\nNew.\n</Update>\n\n## Oil\n\nOne.\n\n## Oil\n\nTwo.\n",
			"b.mdx": "# B\n\n[1](a#oil-lamps) [2](a#param-wick-length) [3](a#response-burns) [4](a#trim-it) [5](a#may-2024) [6](a#oil-1) [7](a#oil-2) [8](a#oil-3) [9](#_top)\n",
		}, []string{"b.mdx:3 a#oil-3 anchor"}},
		{"tabs and included pages of Hugo", set{
			"a.md":            "# A\n\n{{< tabs name=\"lamp_kind\" >}}\n{{< tab name=\"Oil\" >}}x{{< /tab >}}\n{{% tab name=\"Gas\" %}}x{{% /tab %}}\n{{< /tabs >}}\n\n{{< include \"parts/shared.md\" >}}\n",
			"parts/shared.md": "## Shared place\n",
			"b.md":            "# B\n\n{{< include \"gone.md\" >}}\n\n```\n{{< include \"code.md\" >}}\n```\n",
			"c.md":            "# C\n\n[1](a.md#lamp-kind-0) [2](a.md#lamp-kind-1) [3](a.md#lamp-kind-2) [4](a.md#shared-place) [5](a.md#other) [6](b.md#other)\n",
		}, []string{"c.md:3 a.md#lamp-kind-2 anchor", "c.md:3 a.md#other anchor", "c.md:3 b.md#other anchor unsure"}},
		{"letters of entities", set{
			"a.md": "# A\n\n## GET /lamp/&lt;id&gt;\n\nOne.\n\n## Trim & light\n\nx\n",
			"b.md": "# B\n\n[1](a.md#get-lampltidgt) [2](a.md#get-lampid) [3](a.md#get-lampltid)\n",
		}, []string{"b.md:3 a.md#get-lampltid anchor"}},
		{"names of GitBook", set{
			"a.md": "# A\n\n### 1. Trim it\n\nNow.\n",
			"b.md": "# B\n\n[1](a.md#id-1.-trim-it) [2](a.md#id-2.-light-it)\n",
		}, []string{"b.md:3 a.md#id-2.-light-it anchor"}},
		{"a part of the site that is made of other files", set{
			"a.md": "---\nsource: https://lamps.example/a/\n---\n# A\n\n[1](https://lamps.example/docs/oil/) [2](https://lamps.example/oil/) [3](https://lamps.example/b/)\n",
			"b.md": "---\nsource: https://lamps.example/b/\n---\n# B\n",
		}, []string{"a.md:6 https://lamps.example/oil/ page unsure"}},
		{"programs in pages", set{
			"a.mdx": "export const Explorer = () => <div id={x} />\n\n# A\n\n<Explorer />\n",
			"b.mdx": "import { Card } from '@theme/Card'\nexport const title = 'x'\n\n# B\n\n```js\nexport const Foo = 1\n```\n",
			"c.mdx": "# C\n\n[1](a.mdx#x) [2](b.mdx#x) [3]({{site.base}}/x) [4](/${lang}/x) [5](https://x.example.org/${a}) [6](<https://x.example.org/{{% param v %}}>) [7](d.md#x)\n",
			"d.md":  "# D\n\n{{% lamps/intro flat /%}}\n",
		}, []string{"c.mdx:3 a.mdx#x anchor unsure", "c.mdx:3 b.mdx#x anchor", "c.mdx:3 {{site.base}}/x page unsure", "c.mdx:3 /${lang}/x page unsure", "c.mdx:3 d.md#x anchor unsure"}},
		{"ids of blocks of AsciiDoc", set{
			"a.adoc": "= A\n\n[id=\"oil-table\"]\n.Oil\n|===\n|a\n|===\n\n[quote,Ada,id=oil_quote]\nBurns.\n",
			"b.adoc": "= B\n\nxref:a.adoc#oil-table[a] xref:a.adoc#oil_quote[b] xref:a.adoc#none[c]\n",
		}, []string{"b.adoc:3 a.adoc#none anchor"}},
		{"rules of the Rust reference", set{
			"a.md": "# A\n\nr[lamps.wick]\n## Wick\n\nr[lamps.wick.length]\nNot long.\n",
			"b.md": "# B\n\n[wick], [a](lamps.wick.length), [b](a.md#r-lamps.wick), [c](lamps.oil)\n\n[wick]: lamps.wick\n",
		}, []string{"b.md:3 lamps.oil page"}},
		{"labels of MyST", set{
			"a.md": "(Trim It)=\n# A\n\n{ref}`wick_care` {ref}`trim it` {doc}`b` [1](wick_care) [2](#wick_care) [3](#other)\n",
			"b.md": "# B\n\n(wick_care)=\n## Care\n\n```{note}\n:name: mind\nx\n```\n\n[](#mind) [](#trim-it)\n",
		}, []string{"a.md:4 #other anchor", "b.md:11 #trim-it anchor"}},
		{"AsciiDoc", set{
			"a.adoc": "= A\n\n[[first]]\n== One\n\n[#second]\n== Two\n\n[[third,Third]]Text. anchor:fourth[]\n",
			"b.adoc": "= B\n\nxref:a.adoc#first[1] xref:a.adoc#second[2] xref:a.adoc#third[3] xref:a.adoc#fourth[4] xref:a.adoc#_one[5] xref:a.adoc#fifth[6]\n",
		}, []string{"b.adoc:3 a.adoc#fifth anchor"}},
		{"places of AsciiDoc with a name that each including page makes", set{
			"part.adoc": "[[oil_{kind}]]Oil. See xref:oil_{kind}[].\n\n[[wick]]Wick.\n",
			"a.adoc":    "= A\n:kind: big\n\n== One\n\ninclude::{parts}/part.adoc[]\n\nxref:oil_big[1] xref:wick[2] xref:oil_[3] xref:gas_big[4]\n",
			"b.adoc":    "= B\n\nxref:wick[1]\n",
		}, []string{"a.adoc:7 #oil_ anchor unsure", "a.adoc:7 #gas_big anchor unsure", "b.adoc:3 #wick anchor", "part.adoc:1 #oil_%7Bkind%7D page unsure"}},
		{"parts of a book that refer to each other", set{
			"book.adoc":   "= B\n\ninclude::parts.adoc[]\n",
			"parts.adoc":  "include::oil.adoc[]\n\ninclude::wick.adoc[]\n",
			"oil.adoc":    "== Oil\n\nxref:_trim_it[1] xref:_snuff[2]\n",
			"wick.adoc":   "== Trim it\n\nNow.\n",
			"lonely.adoc": "== Lonely\n\nxref:_trim_it[1]\n",
		}, []string{"book.adoc:5 #_snuff anchor", "lonely.adoc:3 #_trim_it anchor", "oil.adoc:3 #_snuff anchor unsure", "parts.adoc:3 #_snuff anchor unsure"}},
		{"parts of a book that lead to its other chapters from where the book is", set{
			"book.adoc":            "= B\n\ninclude::lamp.adoc[]\n\ninclude::oil.adoc[]\n",
			"lamp.adoc":            "== Lamps\n\ninclude::parts/wick/trim.adoc[]\n",
			"oil.adoc":             "[[oil]]\n== Oil\n\nBurns.\n",
			"parts/wick/trim.adoc": "=== Trim\n\nxref:oil#oil[1] link:oil{outfilesuffix}#oil[2] <<gas#none,3>>\n",
		}, []string{"book.adoc:7 gas#none page", "lamp.adoc:5 gas#none page unsure", "parts/wick/trim.adoc:3 gas#none page unsure"}},
		{"other components of Antora", set{
			"b.adoc": "= B\n\nxref:2.0@lamps:care:trim.adoc[1] xref:2.0@lamps::trim.adoc#x[2] xref:trim.adoc[3]\n",
		}, []string{"b.adoc:3 trim.adoc page"}},
		{"code that MkDocs documents", set{
			"a.md": "# A\n\n::: lamps.Wick\n",
			"b.md": "# B\n\n[1](a.md#lamps.Wick) [2](a.md#lamps.Wick.trim)\n",
		}, []string{"b.md:3 a.md#lamps.Wick.trim anchor unsure"}},
		{"labels of reStructuredText, and documentation made of code", set{
			"a.rst": "A\n=\n\n.. _here:\n\nB\n-\n\n:ref:`here` :ref:`there` :ref:`python:tut`\n",
			"b.rst": "C\n=\n\n.. autoclass:: Lamp\n\n`y <#Lamp.trim>`__\n",
		}, []string{"a.rst:5 label:there page unsure", "b.rst:5 #Lamp.trim anchor unsure"}},
		{"places of a page that is translated", set{
			"l/de/LC_MESSAGES/a.po": "#: ../../a.rst:3\nmsgid \"Lamps\"\nmsgstr \"Lampen, siehe `Docht <#wick>`__\"\n",
		}, []string{"l/de/LC_MESSAGES/a.po:1 #wick anchor unsure"}},
		{"the page at the folder of the site", set{
			"index.md": "# Home\n", "a.md": "# A\n\n[1](/docs/a) [2](/docs/b) [3](/docs/c) [4](/docs/) [5](/docs) [6](/docs/#home) [7](/docs//b)\n", "b.md": "# B\n", "c.md": "# C\n",
		}, nil},
		{"one page that leads to itself, and nowhere", set{
			"a.md": "# A\n\n[1](a.md) [2](#a) [3](./a.md#a) [4](.) [5](../a.md#b) [6](#%zz) [7](http://[::1) [8](//) [9](a.md#" + strings.Repeat("x", 600) + ") [10](../../../../etc/passwd)\n",
		}, []string{"a.md:3 #%zz anchor"}},
		{"elements of topics of DITA", set{
			"a.dita": "<?xml version=\"1.0\"?><!DOCTYPE topic PUBLIC \"-//OASIS//DTD DITA Topic//EN\" \"topic.dtd\">\n<topic id=\"all\"><title>All</title>\n<topic id=\"one\"><title>One</title><body><p id=\"p\">Text</p></body></topic></topic>",
			"b.dita": "<?xml version=\"1.0\"?><!DOCTYPE topic PUBLIC \"-//OASIS//DTD DITA Topic//EN\" \"topic.dtd\"><topic id=\"b\"><title>B</title><body><p><xref href=\"a.dita#one/p\">1</xref> <xref href=\"a.dita#two/p\">2</xref></p></body></topic>",
		}, []string{"b.dita:3 a.dita#two__p anchor"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			broken, counts, err := tt.set.graph(t).Broken()
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			unsure := 0
			for _, b := range broken {
				line := fmt.Sprintf("%s:%d %s %s", b.Path, b.Line, b.Target, b.Missing)
				if b.Unsure != "" {
					line += " unsure"
					unsure++
				}
				got = append(got, line)
			}
			if !slices.Equal(got, tt.want) || counts.Unsure != unsure {
				t.Errorf("not resolved are %q, %d of them unsure, want %q", got, counts.Unsure, tt.want)
			}
		})
	}
}

// A part of a book of which a doc set has several versions leads to the chapters of its own version.
func TestPartsOfSeveralVersions(t *testing.T) {
	t.Parallel()
	s := set{}
	for _, version := range []string{"v1", "v2", "v3"} {
		s[version+"/book.adoc"] = "= Book\n\ninclude::parts/wick/trim.adoc[]\n"
		s[version+"/oil.adoc"] = "= Oil\n\nBurns.\n"
		s[version+"/parts/wick/trim.adoc"] = "== Trim\n\nxref:oil.adoc[1]\n"
	}
	got := edges(t, s.graph(t))
	for _, version := range []string{"v1", "v2", "v3"} {
		for _, from := range []string{"/parts/wick/trim.adoc", "/book.adoc"} {
			found := slices.ContainsFunc(strings.Split(got, "\n"), func(line string) bool {
				return strings.HasPrefix(line, version+from) && strings.Contains(line, "→ "+version+"/oil.adoc")
			})
			if !found {
				t.Errorf("%s does not lead to %s/oil.adoc:\n%s", version+from, version, got)
			}
		}
	}
}
