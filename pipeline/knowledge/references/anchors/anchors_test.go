package anchors_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/formats"
	"docent/pipeline/knowledge/references/anchors"
	"docent/store/doc"
)

// Places are named by ids, labels, components and terms, and each name stands at its section.
func TestFindAnchors(t *testing.T) {
	t.Parallel()
	parsers, err := formats.AllParsers()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		file, text string
		names      []string // name, section, line
		includes   []string
	}{
		{"a.md", "# Lamps\n\n<a id=\"oil\"></a>\n\n## Wick\n\n{#trim}\n\nBurner\n: It burns.\n",
			[]string{"oil 0 3", "trim 1 7", "burner 1 10"}, nil},
		{"b.md", "# Lamps\n\n(the-wick)=\n## Wick\n\n--8<-- \"part.md\"\n", []string{"label:the-wick 1 3", "the-wick 1 3"}, []string{"part.md"}},
		{"c.rst", "Lamps\n=====\n\nText.\n\n.. _the oil:\n\nMore _`Whale Oil`, a_`b`.\n\n.. click:: lamps\n", []string{"the-oil 0 6", "whale-oil 0 8"}, []string{""}},
		{"d.adoc", "= Lamps\n\n[[oil]]\nText.\n\n== Wick\n\ninclude::part.adoc[]\n", []string{"oil 0 3"}, []string{"part.adoc"}},
		// What L<lamps/trim> and L<lamps/trim WICK, LENGTH> lead to.
		{"e.pod", "=head1 NAME\n\nlamps - light\n\n=over\n\n=item C<trim> WICK, LENGTH\n\nCuts it.\n\n=item $[\n\nA sign.\n\n=item 1.\n\nNo name.\n\n=back\n\n=cut\n",
			[]string{"trim-WICK-LENGTH 0 7", "trim 0 7", "pod-24-5b 0 11"}, nil},
		// Elastic's docs-builder has places between signs.
		{"p.md", "# Lamps\n\n$$$oil-kinds$$$**Oils**\n\n$$ a $$ b\n", []string{"oil-kinds 0 3"}, nil},
		{"q.md", "# Lamps\n\n{{< docs/shared source=\"lamp\" lookup=\"oil.md\" version=\"next\" >}}\n", nil, []string{"oil.md"}},
		{"f.mediawiki", "== Lamps ==\n\nText.\n\n=== <span id=\"wick\"></span>The wick ===\n\nMore text.\n", []string{"wick 1 5"}, nil},
		{"g.md", "# Lamps\n\n::: lamps.burner.Wick\n    options:\n\n::: tip\nTrim it.\n:::\n", []string{"lamps.burner.Wick 0 3"}, []string{""}},
		{"j.md", "# Lamps\n\n* ### big lamp\n  It is big. {{% def id=\"WICK\" name=\"Wick\" %}} It burns.\n\n```{code-cell} python\n---\nmystnb:\n  figure:\n    name: fig-flame\n---\n```\n",
			[]string{"big-lamp 0 3", "WICK 0 4", "Wick 0 4", "def-WICK 0 4", "label:fig-flame 0 10", "fig-flame 0 10"}, nil},
		{"i.md", "# Lamps\n\n<details>\n\n<summary>Trim the <b>wick</b></summary>\n\nCut it.\n\n</details>\n", []string{"trim-the-wick 0 5"}, nil},
		{"h.md", "# Lamps\n\n```{figure} lamp.png\n:label: fig-lamp\n\nA lamp.\n```\n", []string{"label:fig-lamp 0 4", "fig-lamp 0 4"}, nil},
		// A footnote has a place, and so has a heading within an item; lists of pages and cells make places.
		{"k.md", "# Lamps\n\nOil burns[^why].\n\n* Wick\n\n  ### Trim it\n\n[^why]: It is hot.\n",
			[]string{"trim-it 0 7", "fn:why 0 9", "fnref:why 0 9"}, nil},
		{"l.qmd", "---\ntitle: Lamps\nlisting: all\n---\n\n{{< include _wick.qmd >}}\n", nil, []string{"", "_wick.qmd"}},
		{"m.md", "# Lamps\n\n```{include} ../CHANGES.md\n```\n\n:::{figure-md} fig-big\nA lamp.\n:::\n",
			[]string{"label:fig-big 0 6", "fig-big 0 6"}, []string{"../CHANGES.md"}},
		// An unknown directive may make places, and one of docutils makes none.
		{"n.rst", "Lamps\n=====\n\n.. note:: Text.\n\n- .. _big lamps:\n\n  Big lamps.\n", []string{"big-lamps 0 6"}, nil},
		{"o.rst", "Lamps\n=====\n\n.. show-lamps::\n   :all:\n", nil, []string{""}},
	} {
		d, err := parsers.Parse(context.Background(), []byte(tt.text), parse.File{Path: tt.file, Layout: doc.LayoutTree})
		if err != nil {
			t.Fatal(err)
		}
		found, includes := anchors.FindAnchors(d)
		var names []string
		for _, a := range found {
			names = append(names, fmt.Sprintf("%s %d %d", a.Name, a.Place, a.Line))
		}
		if !slices.Equal(names, tt.names) || !slices.Equal(includes, tt.includes) {
			t.Errorf("%s: %q and %q, want %q and %q", tt.file, names, includes, tt.names, tt.includes)
		}
	}
}
