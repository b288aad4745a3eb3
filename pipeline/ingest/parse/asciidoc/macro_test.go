package asciidoc_test

import (
	"strings"
	"testing"
)

// Markup within a paragraph.
func TestInline(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"roles of marked text":   {"Press [.ui]*Light*, [.ui]**Snuff** or [.cmd]`lamp -l`: [.red]#hot# [.big.red]##t##oo.", "Press **Light**, **Snuff** or `lamp -l`: hot too."},
		"a bracket that is none": {"lamp [-l] *now* and [x].", "lamp [-l] **now** and [x]."},
		"marked text":            {"A #bright# lamp, issues #1 and #2, C# and F#. Lines with '#', not '#'.", "A bright lamp, issues #1 and #2, C# and F#. Lines with '#', not '#'."},
		"what passes":            {"A +++<u>raw</u>+++ wick, $$a*b*c$$ and pass:[<b>oil</b>] and pass:q[*hot*].", "A raw wick, a\\*b\\*c and oil and **hot**."},
		"monospaced macros":      {"Call `pass:c[/lamp/{id}]` or `xref:b.adoc#wick[wick]`.", "Call `/lamp/{id}` or [`wick`](b.adoc#wick)."},
		"footnotes behind words": {"Oil 4.xfootnote:w[Of whales.] and 4.yfootnote:[Of seals.] are lamplight:x[bright].",
			"Oil 4.x (Of whales.) and 4.y (Of seals.) are bright."},
		"a break at the end":       {"Oil. +\nWick. +\n\n- Lamp. +\n\nA + b +\n", "Oil.\\\nWick.\n\n- Lamp.\n\nA + b"},
		"a break that ends a cell": {"|===\n|Oil |Wick\n\n|whale\n|Of whales. +\nBright. +\n|===", "| Oil | Wick |\n| --- | --- |\n| whale | Of whales.<br>Bright. |"},
		"text of links":            {"xref:b.adoc[Wicks, *oil* and `lamp`], https://example.org[`Lamp` class,window=_blank], <<oil,The *oil*>>.", "[Wicks, **oil** and `lamp`](b.adoc), [`Lamp` class](https://example.org), [The **oil**](#oil)."},
		"links without a text":     {"link:oil.html[role=\"dark\"] and link:oil.html[\"Oil, old\",role=dark].", "[oil.html](oil.html) and [Oil, old](oil.html)."},
		"links that pass":          {"link:++https://example.org/?a=b++[Oil] and link:++https://example.org/x_y_z++[].", "[Oil](https://example.org/?a=b) and [https://example.org/x_y_z](https://example.org/x_y_z)."},
		"a long rule":              {"Oil.\n\n'''''\n\nWick.", "Oil.\n\n***\n\nWick."},
		"brackets in links":        {"xref:b.adoc[wick[0\\]] is first.", "[wick\\[0\\]](b.adoc) is first."},
		"an image that is a link":  {"Lampxref:b.adoc[image:oil.png[Oil,220,align=left]] and xref:b.adoc[wick[0]], xref:b.adoc[a [ b].", "Lamp[![Oil](oil.png)](b.adoc) and [wick\\[0\\]](b.adoc), [a \\[ b](b.adoc)."},
		"footnotes":                {"Whales burnfootnote:[See link:b.adoc[the *oil*].]. Again footnote:w[Old.] and footnote:w[]!", "Whales burn (See [the **oil**](b.adoc).). Again (Old.) and !"},
		"terms of the index":       {"A ((wick)) (((lamp, wick))) and indexterm2:[oil] indexterm:[whale].", "A wick  and oil ."},
		"brackets of formulas":     {"Write $((lamp+1)), ((a, b) x (c, d)) or f((x)).", "Write $((lamp+1)), ((a, b) x (c, d)) or f((x))."},
		"attributes set in a text": {"{set:oil:whale}Of {oil}. {set:oil:seal}Of {oil}, {set:oil!}{oil}.", "Of whale. Of seal, {oil}."},
		"counters":                 {"{counter:n}, {counter:n}{counter2:n} and {counter:n}; {counter:k:c}{counter:k}, {n}.", "1, 2 and 4; cd, 4."},
		"anchors within a text":    {"anchor:oil[]The oil.", "The oil."},
		"powers and indices":       {"E=mc^2^ of H~2~O in ~/lamps, a ^ b and 2^[10]^.", "E=mc^2 of H2O in ~/lamps, a ^ b and 2^[10\\]."},
		"breaks that pass":         {"oil +++<br/>+++ wick", "oil \\\nwick"},
		"formulas of either kind":  {"A latexmath:[\\alpha] and asciimath:[x^2].", "A `\\alpha` and `x^2`."},
	} {
		if got := strings.TrimSpace(string(parsed(t, "= Lantern\n\n"+c.src+"\n").Text)); got != "# Lantern\n\n"+c.want {
			t.Errorf("%s:\n%s", name, got)
		}
	}
	refs := parsed(t, "= Lantern\n\n<<wick>>, <<_the_oil>>, <<all>>, <<tank>>, <<none>>.\n\n[[wick]]\n== A *flat* wick\n\n== The oil\n\n"+
		"[#all]\n.All of <<all>>\n|===\n|a\n|===\n\n[[tank,the tank]]\nOil is here.\n")
	if want := "[A **flat** wick](#wick), [The oil](#_the_oil), [All of all](#all), [the tank](#tank), [none](#none)."; !strings.Contains(string(refs.Text), want) {
		t.Errorf("references without a text:\n%s", refs.Text)
	}
	d := parsed(t, "= Lantern\n:description: pass:q[How _lamps_ burn.]\n:oil: pass:[whale oil]\n\nOf {oil}. (((wick, flat)))\n")
	if !strings.Contains(string(d.Text), "Of whale oil.") || strings.Contains(d.About, "pass:") || !strings.Contains(d.About, "wick, flat") {
		t.Errorf("%q, %q", d.Text, d.About)
	}
}
