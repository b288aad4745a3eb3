package graph_test

import (
	"slices"
	"testing"

	"docent/pipeline/service/servicetest"
)

// The sources do not decide all: each doc set has a link that is broken, and others that lead somewhere on the
// site, or may.
func TestWhatTheSourcesDoNotDecide(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		files          map[string]string
		pages          map[string]string
		broken, unsure []string
	}{
		"Jekyll": {
			map[string]string{"_config.yml": "collections:\n  guides: {output: true}\ndefaults:\n  - scope: {path: _guides/book}\n    values: {permalink: '/harbour/:title.html'}\n"},
			map[string]string{
				"_guides/book/oil.md":  "---\ntitle: Oil\n---\n# Oil\n\n[1](wick.html#trim) [2](/harbour/wick.html#gone) [3]({% link _guides/lamp.md %}#glass)\n",
				"_guides/book/wick.md": "# Wick\n\n## Trim\n\n[1](/guides/lamp.html#glass) [2](../guides/lamp.html) [3](lamp.html)\n",
				"_guides/lamp.md":      "# Lamp\n\n## Glass\n",
			},
			[]string{"/harbour/wick.html#gone", "lamp.html"}, nil,
		},
		"files that git leaves alone": {
			map[string]string{".gitignore": "/api/\nmade-*.md\n", "docs.json": "{}"},
			map[string]string{"a.md": "# A\n\n[1](api/lamp.md) [2](made-oil.md) [3](/made-wick#x) [4](gone.md)\n", "b.md": "# B\n\n[1](/a) [2](/a#a) [3](/b)\n"},
			[]string{"gone.md"}, []string{"/made-wick#x", "api/lamp.md", "made-oil.md"},
		},
		"a site of an unknown program": {
			nil,
			map[string]string{"a.md": "# A\n\n[1](/wicks) [2](wick#x) [3](gone.md) [4](/b) [5](/b#b) [6](#gone)\n", "b.md": "# B\n\n[1](/a)\n"},
			[]string{"#gone", "gone.md"}, []string{"/wicks", "wick#x"},
		},
		"an interface": {
			map[string]string{"docs.json": "{}"},
			map[string]string{"api.json": `{"openapi": "3.0.0", "info": {"title": "Lamps", "version": "1", "description": "See [it](#tag_Lamps) and [more](gone.md)."}, ` +
				`"paths": {"/lamps": {"get": {"summary": "List", "description": "See [all](../other/lamps#a).", "responses": {"200": {"description": "OK"}}}}}}`},
			nil, []string{"#tag_Lamps", "gone.md"},
		},
		"documents of other projects": {
			map[string]string{"conf.py": "intersphinx_mapping = {}\n"},
			map[string]string{"a.rst": "A\n=\n\nSee :doc:`library/re` and :doc:`./gone`.\n"},
			[]string{"./gone"}, []string{"library/re"},
		},
		"static files": {
			map[string]string{"docs.json": "{}", "static/plan.yaml": "x: 1\n", "static/_redirects": "/old/* /new\n"},
			map[string]string{"a.md": "# A\n\n[1](plan.yaml) [2](gone.yaml) [3](/old/x)\n", "old/b.md": "# B\n\n[1](/a) [2](/a#a) [3](/old/b)\n"},
			[]string{"gone.yaml"}, nil,
		},
		"Docusaurus": {
			map[string]string{"docusaurus.config.js": "module.exports = {}\n"},
			map[string]string{"cli/a.md": "# A\n\n[1](wick.md) [2](./wick.md)\n", "wick.md": "# Wick\n"},
			[]string{"./wick.md"}, nil,
		},
		"Quarto": {
			map[string]string{"_quarto.yml": "project:\n  type: website\n"},
			map[string]string{"a.qmd": "# A\n\n[1](table.pdf) [2](table-preview.html) [3](gone.pdf)\n", "table.qmd": "# Table\n"},
			[]string{"gone.pdf"}, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := servicetest.New(t)
			h.Write("Lamps@1", tt.files)
			h.Add("Lamps@1", tt.pages)
			found, err := h.Graph.Broken(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			var broken, unsure []string
			for _, b := range found.Broken {
				broken = append(broken, b.Target)
			}
			for _, b := range found.Unsure {
				unsure = append(unsure, b.Target)
			}
			slices.Sort(broken)
			slices.Sort(unsure)
			if !slices.Equal(broken, tt.broken) || !slices.Equal(unsure, tt.unsure) {
				t.Errorf("broken are %q, want %q; unsure %q, want %q", broken, tt.broken, unsure, tt.unsure)
			}
		})
	}
}
