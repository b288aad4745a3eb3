package dialect

import (
	"bytes"
	"strings"
	"testing"

	"docent/store/doc"
)

// The paragraph next to a list of attributes with the class of an admonition is one.
func TestAttributesOfAdmonitions(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]Region{
		"A\n\n{: .warning }\nMind\nthe step.\n\nB\n": {2, 4, doc.Admonition, true},
		"A\n\nMind\nthe step.\n{: .note}\n\nB\n":     {2, 4, doc.Admonition, false},
		"!> **Mind**\nthe step.\n\nB\n":              {0, 1, doc.Admonition, true},
		"A\n\n?> The bridge is nearer.\n":            {2, 2, doc.Admonition, false},
		"{: note}\n> Mind\n":                         {0, 1, doc.Admonition, false},
		"::: {.callout-important}\nMind.\n::::\n":    {0, 2, doc.Admonition, true},
	} {
		got := Rewrite([]byte(in), LineStarts([]byte(in)), 0)
		if len(got.Regions) != 1 || got.Regions[0] != want {
			t.Errorf("%q: the regions are %v, want %v", in, got.Regions, want)
		}
	}
}

// Quarto's callouts stand in braces or without them, and a card with text in it is a link as one without is.
func TestContainersAndCards(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"::: callout-warning\nHot.\n:::\n":                                             "***\nHot.\n***\n",
		"<Card title=\"Wicks\" href=\"/wicks\">\n  Trim.\n</Card>\n":                   "###### [Wicks](/wicks)\nTrim.\n***\n",
		"{% tab 'Big lamps' for=lamps %}\nTrim.\n{% endtab %}\n":                       "###### Big lamps\nTrim.\n***\n",
		"<CodeBlock language=\"sh\">\n{`# trim it\n  trim ${size()}`}\n</CodeBlock>\n": "~~~~~~~~sh\n# trim it\n  trim ${size()}\n~~~~~~~~\n",
		"<CodeBlock>\n{`trim`}\n</CodeBlock>\nText.\n":                                 "~~~~~~~~\ntrim\n~~~~~~~~\nText.\n",
		"<CodeBlock>\n{source}\n</CodeBlock>\n":                                        "***\n{source}\n***\n",
	} {
		b := []byte(in)
		got := Rewrite(b, LineStarts(b), 0)
		if string(got.Text) != want {
			t.Errorf("%q becomes %q, want %q", in, got.Text, want)
		}
		if warns := len(got.Regions) == 1 && got.Regions[0].Warning; warns != strings.HasPrefix(in, ":") {
			t.Errorf("%q has the regions %+v", in, got.Regions)
		}
	}
}

// A value of the front matter stands in the text, and in the addresses that are put together of it. Of
// an address that cannot be known the shortcode stays: without it another address is left.
func TestParametersOfHugo(t *testing.T) {
	t.Parallel()
	front := "---\ntitle: Oil\nparams:\n  base: &b >-\n    https://lamps.example/shop\n  wick: 'flat'\n---\n"
	for in, want := range map[string]string{
		"A {{% param wick %}} wick.":                          "A flat wick.",
		"[a](<{{% param base %}}-oil/?a=b>) [b]: x":           "[a](<https://lamps.example/shop-oil/?a=b>) [b]: x",
		"[c]: {{< param \"base\" >}}/oil":                     "[c]: https://lamps.example/shop/oil",
		"[e]: /docs/{{< param nosuch >}}/oil":                 "[e]: /docs/{{<%20param%20nosuch%20>}}/oil",
		"[d]: <{{% param nosuch %}}/oil>":                     "[d]: <{{% param nosuch %}}/oil>",
		"See [e](https://lamps.example/{{< param v >}}/).":    "See [e](https://lamps.example/{{<%20param%20v%20>}}/).",
		"A {{< param nosuch >}}wick, [f](a) {{< param v >}}.": "A wick, [f](a) .",
	} {
		if got := string(ExpandShortcodes([]byte(front + in))); got != front+want {
			t.Errorf("%q becomes %q, want %q", in, strings.TrimPrefix(got, front), want)
		}
	}
}

func TestRewriteKeepsEachLineInItsPlace(t *testing.T) {
	t.Parallel()
	for name, page := range map[string]struct{ in, want string }{
		"a component":       {"<Callout>\n  Mind the step.\n</Callout>\n", "***\nMind the step.\n***\n"},
		"one end for two":   {"::: tip A\n::: code-group\na\n:::\n::: tip B\n::: code-group\nb\n:::\nc\n::: tip C\nd\n:::\n", "###### A\n***\na\n***\n###### B\n***\nb\n***\nc\n###### C\nd\n***\n"},
		"an end for each":   {"::: tip A\n::: code-group\na\n:::\nb\n:::\n", "###### A\n***\na\n***\nb\n***\n"},
		"a container":       {":::tip Short cut\nTake the bridge.\n:::\n", "###### Short cut\nTake the bridge.\n***\n"},
		"an import":         {"import Boat from './boat'\n\n# Boats\n", "\n\n# Boats\n"},
		"an id":             {"## The lock {#lock}\n", "## The lock \n"},
		"an id with blanks": {"## The lock { #lock }\n", "## The lock \n"},
		"an id of Vue":      {"## 船闸 %{#lock}%\n", "## 船闸 \n"},
		"a formula":         {"$$a\n=\n- b$$\n", "$$a\n\\=\n- b$$\n"},
		"a long formula":    {"$$\n- a\n= b\n$$\n", "$$\n\\- a\n\\= b\n$$\n"},
		"a price":           {"$$\n\n= b\n\n$$\n", "$$\n\n= b\n\n$$\n"},
		"code of a site":    {"{% demoCode 'x' %}\n@a\n===\n# b\n{% enddemoCode %}\n", "~~~~~~~~\n@a\n===\n# b\n~~~~~~~~\n"},
		"code with a fence": {"{% code title=\"x\" %}\n```js\na\n```\n{% endcode %}\n", "###### x\n```js\na\n```\n***\n"},
		"a name of Docsify": {"## Oil :id=whale-oil\n## Wick {docsify-ignore}\n", "## Oil\n## Wick \n"},
		"a note in a procedure": {"1. Cut it.\n\n    !!! note\n        Mind it.\n\n1. Light it.\n",
			"1. Cut it.\n\n   <!---->\n   Mind it.\n\n1. Light it.\n"},
		"a note behind a list": {"1. Cut it.\n2. Light it.\n\n!!! note\n    Mind it.\n", "1. Cut it.\n2. Light it.\n\n***\nMind it.\n"},
		"an id by its key":     {"## 1.2 { id=\"v1.2\" }\n", "## 1.2 \n"},
		"no number":            {"## Thanks {-}\n\n## Set {a=1\n", "## Thanks \n\n## Set {a=1\n"},
		"attributes": {"[Oar](o.md){:target=\"_blank\"}, ![](w.png){.b fig-alt=\"A weir\"}, [low]{.s} `x`{.go} :tug:{ .t } *so*{: .r}.\n",
			"[Oar](o.md), ![](w.png) A weir, low `x` :tug: *so*.\n"},
		"no attributes":  {"`a](b){.c}` {x} f(x){ x } $\\sum_{k=1}^n$ [a]{b} {.x}\n", "`a](b){.c}` {x} f(x){ x } $\\sum_{k=1}^n$ [a]{b} {.x}\n"},
		"a line of them": {"# Weir\n{: .no_toc }\n\n1. TOC\n{:toc}\n", "# Weir\n\n\n1. TOC\n\n"},
		"one in a quote": {"> Mind it.\n> {: .note }\n", "> Mind it.\n> \n"},
		"divs of Pandoc": {"::::: {.columns}\n::: {.callout-tip title=\"Short cut\"}\n- the bridge\n:::\n:::: {}\nA\n:::\n:::::\n",
			"***\n###### Short cut\n- the bridge\n***\n***\nA\n***\n***\n"},
		"a block in MkDocs": {"!!! tug-boat inline end \"Short cut\"\n    The bridge.\n\n??? note \"So\"\n    A\n\n!!! tip inline\n    B\n",
			"###### Short cut\nThe bridge.\n\n###### So\nA\n\n***\nB\n"},
		"hints of docsify": {"!> Mind\nit.\n\n?> *So*\n\nA ?> b\n!> c\n", "Mind\nit.\n\n*So*\n\nA ?> b\n!> c\n"},
		"links of Jekyll": {"[a]({% link lock/gate.md %}) [b]({{ site.baseurl }}{%- post_url 2020-01-02-lock -%}) [c]({{ '/gate/' | relative_url }}) [d]({{site.baseurl}}/x) [e]({{ site.baseurl }}/{% post_url 2020-01-02-a.markdown %}) `{% link y.md %}` {% linked z %}\n",
			"[a](/lock/gate.md) [b](/_posts/2020-01-02-lock.md) [c](/gate/) [d](/x) [e](/_posts/2020-01-02-a.markdown) `{% link y.md %}` {% linked z %}\n"},
		"filters of Jekyll": {"[a]({{ 'gate/' | relative_url }}) [b]({{ \"/x\" | prepend: site.baseurl }}) [c]({{ 'https://e.org/' | absolute_url }})\n",
			"[a](/gate/) [b](/x) [c](https://e.org/)\n"},
		"attributes with quotes": {"[a](b){title=\"x \\\"y\\\" z\"} ![](w.png){fig-alt=\"A \\\"weir\\\"\"}\n", "[a](b) ![](w.png) A \"weir\"\n"},
		"attributes over lines":  {"![](w.png){width=50\nfig-alt=\"A weir\"} and\n\nB [a](b){\n\nC\n", "![](w.png) A weir and\n\n\nB [a](b){\n\nC\n"},
		"attributes over lines elsewhere": {"A *weir*{:\n.b #c} and\n`x`{.go\ntitle=\"y\"} so.\n\n{: .note\n   #mind }\nMind it.\n\n::: {.callout-tip\n     title=\"Short cut\"}\nThe bridge.\n:::\n\n{.x\n\nB\n",
			"A *weir* and\n\n`x` so.\n\n\n\n\nMind it.\n\n###### Short cut\n\nThe bridge.\n***\n\n{.x\n\nB\n"},
		"code of Liquid": {"{% highlight sh linenos %}\n# no heading\n\n- trim\n{% endhighlight %}\nA\n{%- set x %}{% raw %}\n---\na: 1\n---\n{% endraw %}{%- endset %}\n{{ x | highlight(\"yaml\") }}\n",
			"~~~~~~~~sh\n# no heading\n\n- trim\n~~~~~~~~\nA\n~~~~~~~~\n---\na: 1\n---\n~~~~~~~~\n{{ x | highlight(\"yaml\") }}\n"},
		"a text of Liquid":  {"{% set x %}\n# A weir\n{% endset %}\n{% set y = 1 %}\n{% highlight %}\nB\n", "***\n# A weir\n***\n***\n***\nB\n"},
		"blocks of PyMdown": {"/// note | Short cut\n\nThe bridge.\n\n//// tab | By day\n\n- a\n\n////\n\n///\n\n/// A remark\n/// note\n", "###### Short cut\n\nThe bridge.\n\n###### By day\n\n- a\n\n***\n\n***\n\n/// A remark\n/// note\n"},
		"tabs of Quarto": {"::: {.panel-tabset group=\"os\"}\n## Linux {#l}\nA\n### More\n## Windows\nB\n:::\n## After\n",
			"***\n###### Linux\nA\n### More\n###### Windows\nB\n***\n## After\n"},
		"tabs without braces":   {"::: panel-tabset\n# a\n# b\n:::\n", "***\n###### a\n###### b\n***\n"},
		"a block as definition": {"Lock\n:   !!! note \"So\"\n        It shuts.\n\nB\n", "Lock\n###### So\nIt shuts.\n\nB\n"},
		"a grid table": {"+-----+-------+\n| A   | B     |\n+=====+=======+\n| 1   | - x|y |\n|     | - z   |\n+-----+-------+\n| 灯  | c     |\n+-----+-------+\nD\n",
			"\n| A | B |\n| --- | --- |\n| 1 | - x\\|y - z |\n|  |  |\n|  |  |\n| 灯 | c |\n\nD\n"},
		"a grid table without a header": {"- a\n\n  +---+---+\n  | 1 | 2 |\n  | 3 |   |\n  +---+---+\n  | all   |\n  +---+---+\n",
			"- a\n\n  |  |  |\n  | --- | --- |\n  | 1 3 | 2 |\n  |  |  |\n  | all |  |\n\n"},
		"no grid table":       {"+---+\n| a\n+ b\n", "+---+\n| a\n+ b\n"},
		"footnotes":           {"The lock[^1] shuts[^b], `a[^1]`.\n\n[^1]: By *hand*.\n\n    Twice.\n\n[^b]: Late.\n[^c]:\n    - at night\n\n[^d]\n", "The lock shuts, `a[^1]`.\n\nBy *hand*.\n\nTwice.\n\nLate.\n***\n- at night\n\n[^d]\n"},
		"footnotes in a text": {"The lock[^1]\n[^1]: By hand.\n[^2]: # no heading\n", "The lock\n###### By hand.\n###### # no heading\n"},
		"comments":            {"The {/* old */}lock {/* of */}shuts, `{/*not*/}`.\n", "The lock shuts, `{/*not*/}`.\n"},
		"no end":              {"The {/* lock `{` shuts.\n", "The {/* lock `{` shuts.\n"},
		"a table":             {"<table>\n<tr><td>1</td></tr>\n</table>\nAfter.\n", "***\n\n\nAfter.\n"},
		"plain":               {"# Weir\n\n- one\n- two\n", "# Weir\n\n- one\n- two\n"},
	} {
		in := []byte(page.in)
		got := Rewrite(in, LineStarts(in), 0)
		if string(got.Text) != page.want {
			t.Errorf("%s: the shape is\n%q, want\n%q", name, got.Text, page.want)
		}
		if bytes.Count(got.Text, []byte{'\n'}) != strings.Count(page.in, "\n") {
			t.Errorf("%s: the shape has another number of lines", name)
		}
	}
}

// Roles and labels are those of MyST where other Markdown cannot have them.
func TestUsesMyST(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"see {ref}`x`":      true,
		"é{py:func}`é`":     true,
		"(wick)=\n# Wick":   true,
		"# A\n(wick)= \r\n": true,
		"a{ref}`x`":         false,
		"`{ref}`x`":         false,
		"{ref}` x`":         false,
		"{lamp}`x`":         false,
		" (wick)=":          false,
		"(wick)=1":          false,
		"call(wick)=":       false,
		"{{ wick }}":        false,
	} {
		if got := UsesMyST([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
