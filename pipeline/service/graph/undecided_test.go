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
		"names of files that Quarto makes": {
			map[string]string{"_quarto.yml": "project:\n  type: website\n", "options/_metadata.yml": "filters:\n  - options.lua\n"},
			map[string]string{
				"a.qmd":            "# A\n\n[1](/lamps/) [2](lamps/index.html#wick) [3](/oil/) [4](options/all.qmd#wick) [5](lamps/basics.qmd#glass)\n",
				"lamps/basics.qmd": "---\ntitle: Lamps\nformat:\n  html:\n    output-file: index.html\n---\n\n## Wick\n\n[1](/a) [2](/options/all) [3](/oil/can)\n",
				"options/all.qmd":  "# Options\n\nThey are listed here.\n",
				"oil/can.qmd":      "# Can\n",
			},
			[]string{"/oil/", "lamps/basics.qmd#glass"}, []string{"options/all.qmd#wick"},
		},
		"pages that Hugo makes": {
			map[string]string{"hugo.toml": "baseURL = 'https://lamps.example.org/'\n[taxonomies]\n  author = 'authors'\n", "layouts/users/list.html": "{{ .Content }}"},
			map[string]string{
				"_index.md":         "---\ntitle: Lamps\n---\n# Lamps\n\n[1](/users/#the-harbour) [2](/authors/ada/) [3](/wicks/#gone) [4](/wicks/) [5](/users/) [6](/shelves/#oak) [7](/shelves/)\n",
				"users/_index.md":   "---\ntitle: Users\n---\n## More\n\n[1](/wicks/#trim) [2](/wicks/)\n",
				"shelves/_index.md": "---\ntitle: Shelves\n---\n# Shelves\n\nOf wood.\n",
				"wicks/_index.md":   "---\ntitle: Wicks\n---\n## Trim\n\n[1](/wicks/lamps/) [2](/users/lamps/#x)\n",
				"ada.md":            "# Ada\n", "lamps.md": "# Lamps\n\n[1](/authors/ada/) [2](/authors/ada) [3](/authors/ada/#x) [4](/authors/eve/)\n",
			},
			[]string{"/users/lamps/#x", "/wicks/#gone", "/wicks/lamps/"}, []string{"/authors/ada/#x", "/authors/eve/", "/shelves/#oak", "/users/#the-harbour"},
		},
		"redirects of relative links": {
			map[string]string{"docs.json": "{}", "_redirects": "/old/* /new\n/new/wick /new/lamp\n"},
			map[string]string{"new/lamp.md": "# Lamp\n\n[1](../old/lamp.md) [2](wick.md#trim) [3](gone.md)\n"},
			[]string{"gone.md"}, nil,
		},
		"redirects of MkDocs": {
			map[string]string{"mkdocs.yml": "INHERIT: config/all.yml\ndocs_dir: .\n", "config/all.yml": "plugins:\n  search: {}\n  redirects:\n    redirect_maps:\n      old/README.md: a.md\n      oil.md: a.md\n"},
			map[string]string{"a.md": "# A\n\n[1](old/README.md) [2](oil.md) [3](gone.md)\n"},
			[]string{"gone.md"}, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := servicetest.New(t)
			h.Write("Lamps@1", tt.files)
			h.Add("Lamps@1", tt.pages)
			found, err := h.Graph.Broken(t.Context(), nil, nil)
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
