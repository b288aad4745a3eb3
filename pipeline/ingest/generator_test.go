package ingest

import (
	"os"
	"path/filepath"
	"testing"

	"docent/store/doc"
)

// The program that makes the web site of a folder is known by its configuration, in the folder or
// above it up to the repository. One that is told to make anchors otherwise is not known.
func TestGeneratorOfAFolder(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		file, text, pages string
		want              doc.Generator
	}{
		{"mkdocs.yml", "site_name: Lamps\n", "docs/guide", doc.MkDocs},
		{"mkdocs.yml", "site_name: Lamps\n", "src", doc.NoGenerator},
		{"mkdocs.yml", "markdown_extensions:\n  - toc:\n      slugify: !!python/object/apply:pymdownx.slugs.slugify\n", "docs", doc.NoGenerator},
		{"docusaurus.config.ts", "export default {}", "docs", doc.Docusaurus},
		{"docs/.vitepress/config.mts", "export default {}", "docs", doc.VitePress},
		{"docs/.vitepress/config.mts", "markdown: { anchor: { slugify } }", "docs", doc.NoGenerator},
		{"book.toml", "[book]\nsrc = 'text'\n", "text", doc.MdBook},
		{"book.toml", "[book]\n", "text", doc.NoGenerator},
		{"hugo.yaml", "", "content/en", doc.Hugo},
		{"config.toml", "baseURL = 'https://lamps.example.org'\n", "content", doc.Hugo},
		{"config.toml", "[lamp]\n", "content", doc.NoGenerator},
		{"_config.yml", "title: Lamps\n", "", doc.Jekyll},
		{"_config.yml", "kramdown:\n  input: kramdown\n", "", doc.Kramdown},
		{"_config.yml", "markdown: CommonMark\n", "", doc.NoGenerator},
		{"conf.py", "extensions = ['myst_parser']\n", "", doc.Sphinx},
		{"_quarto.yml", "", "", doc.Pandoc},
		{"astro.config.mjs", "", "src/content/docs", doc.Astro},
		{"Makefile", "", "", doc.NoGenerator},
	} {
		dir := filepath.Join(t.TempDir(), "repository")
		for _, d := range []string{filepath.Join(dir, tt.pages), filepath.Join(dir, ".git"), filepath.Dir(filepath.Join(dir, tt.file))} {
			if err := os.MkdirAll(d, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, tt.file), []byte(tt.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := FindGenerator(filepath.Join(dir, filepath.FromSlash(tt.pages))); got != tt.want {
			t.Errorf("%s %q makes the folder %q one of %q, want %q", tt.file, tt.text, tt.pages, got, tt.want)
		}
	}
}
