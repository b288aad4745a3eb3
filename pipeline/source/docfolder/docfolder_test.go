package docfolder

import (
	"slices"
	"testing"
)

// The folder of the documentation is the one that a site's configuration or custom names.
func TestLikely(t *testing.T) {
	t.Parallel()
	make3 := func(dir string) []string { return []string{dir + "/a.md", dir + "/b.md", dir + "/c.md"} }
	for want, lists := range map[string][][]string{
		"docs/source":     {make3("docs/source"), {"docs/source/conf.py", "README.md"}},
		"docs/en/docs":    {make3("docs/en/docs"), make3("docs/de/docs"), make3("docs/de/docs/more"), {"docs/en/mkdocs.yml", "docs/de/mkdocs.yml"}},
		"src":             {make3("src"), {"book.toml"}},
		"content/en":      {make3("content/en"), make3("content/de"), {"hugo.toml"}},
		"docs":            {make3("docs"), make3("node_modules/x/docs"), make3("tests/docs")},
		"website/docs":    {make3("website/docs"), {"website/docusaurus.config.js", "website/README.md"}},
		"docs/modules/ui": {make3("docs/modules/ui"), {"docs/modules/ui/antora.yml", "docs/x.adoc"}},
		"":                {{"README.md", "a.md"}},
	} {
		got := Likely(slices.Concat(lists...))
		if first := append(got, "")[0]; first != want {
			t.Errorf("%q: %v", want, got)
		}
	}
}
