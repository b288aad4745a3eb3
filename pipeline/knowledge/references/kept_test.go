package references_test

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/knowledge/references"
)

// An update that keeps edges gives the bytes of a graph made of all pages at once,
// whatever changed.
func TestUpdatedIsWhole(t *testing.T) {
	t.Parallel()
	before := set{
		"a.md":       "# A\n\n[b](b.md#two) [c](/docs/c) [d](/docs/sub/d) See \"Oil and fuel\". This option requires `--wick-length`.\n",
		"b.md":       "---\naliases: [/old]\n---\n\n# B\n\n## One\n\n## Two\n\n[old](/docs/old) [gone](/docs/sub/gone) [e](/docs/e)\n",
		"c.md":       "# Oil and fuel\n\n| Flag | Type |\n|---|---|\n| `--wick-length` | int |\n\n[x](a.md#gone) [b](/docs/b)\n",
		"sub/d.md":   "# D\n\n{{< include \"e.md\" >}}\n\nText. [c](/docs/c)\n",
		"e.md":       "# E\n\n## Shared\n\n[d](sub/d.md#shared)\n",
		"unlike.rst": "U\n=\n\n:ref:`x`\n",
	}
	state := references.State{Generation: "g000003", Rules: references.Defaults().RulesName()}
	raw, err := resolve(state, before.kept(t, references.Defaults()), references.Before{})
	if err != nil {
		t.Fatal(err)
	}
	was, err := references.ReuseGraph(bytes.NewReader(raw), nil, state.Rules, "")
	if err != nil {
		t.Fatal(err)
	}
	byPath := map[string]references.Kept{}
	for i, name := range before.List("") {
		byPath[name], _ = was.Page(int64(i + 1))
	}
	for _, tt := range []struct{ name, page, text string }{
		{"nothing", "", ""},
		{"a text", "a.md", before["a.md"] + "\nMore text, and [b](b.md#one).\n"},
		{"a heading", "b.md", "# B\n\n## Two\n\n## One\n\n[c](/docs/c)\n"},
		{"the alias", "b.md", "# B\n\n## One\n\n## Two\n\n[old](/docs/old)\n"},
		{"a title", "c.md", "# Oil\n\n[x](a.md#gone)\n"},
		{"a parameter", "c.md", "# Oil and fuel\n\n| Flag | Type |\n|---|---|\n| `--wick-width` | int |\n"},
		{"links that tell the site's folder", "a.md", "# A\n\nNo links.\n"},
		{"an included page", "e.md", "# E\n\n## Other\n\n[d](sub/d.md#shared)\n"},
		{"what is included", "sub/d.md", "# D\n\nText. [c](/docs/c)\n"},
		{"another page", "sub/f.md", "# F\n\n[gone](gone.md)\n"},
		{"a page that was missing", "sub/gone.md", "# Gone\n"},
		{"a page less", "c.md", ""},
		{"the site's page", "index.md", "# Home\n\n[home](/docs/)\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			after := maps.Clone(before)
			switch {
			case tt.text != "":
				after[tt.page] = tt.text
			case tt.page != "":
				delete(after, tt.page)
			}
			whole := after.kept(t, references.Defaults())
			var updated []references.Kept
			for i, name := range after.List("") {
				// A page that includes the changed one is read again too, since its text is another.
				includes := tt.page != "" && strings.Contains(before[name], `include "`+tt.page+`"`)
				if old, ok := byPath[name]; ok && after[name] == before[name] && !includes {
					old.Document = whole[i].Document
					updated = append(updated, old)
				} else {
					updated = append(updated, whole[i])
				}
			}
			want, err := resolve(state, whole, references.Before{})
			if err != nil {
				t.Fatal(err)
			}
			slices.Reverse(updated)
			got, err := resolve(state, updated, was)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("the updated graph differs from the whole one: %v", err)
			}
		})
	}
}
