package ingest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docent/pipeline/corpus/corpustest"
	"docent/pipeline/ingest"
	"docent/store"
)

// The address of the pages is read from the configuration of the site that holds them.
func TestSite(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ file, text, pages, want string }{
		{"docent.toml", "[repository]\nurl_base = \"https://lamps.example.org/{slug}\"\n", "", "https://lamps.example.org/{slug}"},
		{"docent.toml", "[repository]\nurl_base = \"https://lamps.example.org\"\n", "docs/guide", "https://lamps.example.org/docs/guide/"},
		{"docent.toml", "[repository]\nurl_base = \"lamps.example.org\"\n", "", ""},
		{"mkdocs.yml", "site_name: Lamps\nsite_url: https://lamps.example.org/en/ # here\n", "docs", "https://lamps.example.org/en/"},
		{"mkdocs.yml", "site_url: 'https://lamps.example.org'\ndocs_dir: text\nuse_directory_urls: false\n", "text/guide", "https://lamps.example.org/guide/{page}.html"},
		{"mkdocs.yml", "site_url: https://lamps.example.org\n", "src", ""},
		{"mkdocs.yml", "nav:\n  - site_url: https://no.example.org\n", "docs", ""},
		{"docusaurus.config.ts", "export default {\n  url: 'https://lamps.example.org',\n  baseUrl: \"/l/\",\n}", "docs", "https://lamps.example.org/l/docs/{page}"},
		{"docusaurus.config.js", "url: 'https://lamps.example.org', baseUrl: '/', trailingSlash: true, routeBasePath: '/',", "docs/a", "https://lamps.example.org/a/"},
		{"hugo.toml", "baseURL = 'https://lamps.example.org/'\n[x]\n", "content/en/docs", "https://lamps.example.org/docs/{slug}/"},
		{"config.yaml", "baseURL: https://lamps.example.org\n", "content/de", "https://lamps.example.org/de/{slug}/"},
		{"book.toml", "[book]\nsrc = \"text\"\n[output.html]\nsite-url = \"https://lamps.example.org/book/\"\n", "text", "https://lamps.example.org/book/{page}.html"},
		{"book.toml", "[output.html]\nsite-url = \"/book/\"\n", "src", ""},
		{"astro.config.mjs", "export default defineConfig({ site: `https://lamps.example.org`, base: '/x' })", "src/content/docs", "https://lamps.example.org/x/{slug}/"},
		{"docs/.vitepress/config.mts", "base: '/l/', cleanUrls: true, sitemap: { hostname: 'https://lamps.example.org' }", "docs", "https://lamps.example.org/l/{page}"},
		{"conf.py", "project = 'Lamps'\nhtml_baseurl = 'https://lamps.example.org/'\n", "", "https://lamps.example.org/{page}.html"},
		{"mkdocs.yml", "site_url: https://{evil}.example.org/ x\n", "docs", ""},
		{"book.toml", "[[", "src", ""},
		// A key that takes minutes to read ends nothing: the file is passed over.
		{"docent.toml", "[repository]\nurl_base = \"https://lamps.example.org/\"\n[other]\n" + strings.Repeat("a.", 60_000) + "a = 1\n", "", ""},
		{"book.toml", "[output.html]\nsite-url = \"https://lamps.example.org/\"\n[other]\n" + strings.Repeat("a.", 60_000) + "a = 1\n", "src", ""},
	} {
		dir := filepath.Join(t.TempDir(), "repository")
		for _, d := range []string{filepath.Join(dir, tt.pages), filepath.Join(dir, ".git"), filepath.Dir(filepath.Join(dir, tt.file))} {
			if err := os.MkdirAll(d, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(tt.file)), []byte(tt.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := ingest.FindSite(filepath.Join(dir, filepath.FromSlash(tt.pages))); got != tt.want {
			t.Errorf("%s %q: %q, want %q", tt.file, tt.text, got, tt.want)
		}
		if err := os.WriteFile(filepath.Join(filepath.Dir(dir), filepath.Base(tt.file)), []byte(tt.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(filepath.Join(dir, filepath.FromSlash(tt.file))); err != nil {
			t.Fatal(err)
		}
		if got := ingest.FindSite(filepath.Join(dir, filepath.FromSlash(tt.pages))); got != "" {
			t.Errorf("%s above the repository gives %q", tt.file, got)
		}
	}
}

// Pages without an address of their own have one by the doc set's; another one is
// taken over by all pages at the next update.
func TestAddresses(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	set := h.Add("Lantern@1", map[string]string{
		"a.md":          "# A\n\nalpha\n",
		"guide/own.md":  "---\nurl: https://other.example.org/own\n---\n# Own\n",
		"guide/slug.md": "---\nslug: oil\n---\n# Slug\n",
	})
	addresses := func() string {
		docs, err := h.Catalog.Documents(t.Context(), set.ID)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, d := range docs {
			out = append(out, d.URL)
		}
		return strings.Join(out, " ")
	}
	if got := addresses(); got != " https://other.example.org/own " {
		t.Errorf("without a base: %q", got)
	}
	again := func() store.Set {
		sets, err := h.Catalog.Sets(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return sets[0]
	}
	h.Write(set, map[string]string{"docent.toml": "[repository]\nurl_base = \"https://lamps.example.org/\"\n"})
	for range 2 {
		h.Update(again(), false)
		if got := addresses(); got != "https://lamps.example.org/a/ https://other.example.org/own https://lamps.example.org/guide/oil/" {
			t.Errorf("by a file: %q", got)
		}
	}
	set.URLBase = "https://given.example.org/{page}.html" // by a person
	h.Register(set)
	h.Update(again(), false)
	if got := addresses(); got != "https://given.example.org/a.html https://other.example.org/own https://given.example.org/guide/oil.html" {
		t.Errorf("by a flag: %q", got)
	}
	if s := again(); s.Site != set.URLBase {
		t.Errorf("the doc set is at %q", s.Site)
	}
	// A page that changed since then has its address too.
	h.Write(set, map[string]string{"a.md": "# A\n\nbeta beta\n"})
	p, err := h.Corpus.Page(t.Context(), again(), "a.md")
	if err != nil || !p.Changed || p.Doc.URL != "https://given.example.org/a.html" {
		t.Errorf("%+v, %v", p, err)
	}
}

// A site that was saved by wget -m lies in a folder with its host's name.
func TestSavedSite(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ folder, first, pages, want string }{
		{"docs.lamps.example.org", "index.html", "", "https://docs.lamps.example.org/"},
		{"docs.lamps.example.org", "robots.txt", "en/guide", "https://docs.lamps.example.org/en/guide/"},
		{"docs.lamps.example.org", "a.html", "", ""},
		{"lamps.js", "index.html", "", ""},
		{"lamps", "index.html", "", ""},
	} {
		dir := filepath.Join(t.TempDir(), tt.folder)
		pages := filepath.Join(dir, filepath.FromSlash(tt.pages))
		if err := os.MkdirAll(pages, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, tt.first), []byte("<p>text"), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := ingest.FindSite(pages); got != tt.want {
			t.Errorf("%s of %s with %s: %q, want %q", tt.pages, tt.folder, tt.first, got, tt.want)
		}
	}
}

// Files that are not pages are left out with their parser's reason, and the pages around
// them are indexed.
func TestLeftOutByContent(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	set := h.Add("Lantern@1", map[string]string{"index.html": "<title>Lamps</title><main><h1>Lamps</h1><p>Fill them.</p></main>"})
	h.Write(set, map[string]string{"old.html": "<meta http-equiv=refresh content='0; url=index.html'>"})
	r := h.Update(set, false)
	if r.Added != 0 || len(r.Failed) != 1 || r.Failed[0].Stage != ingest.StageLeftOut || len(r.Warnings) != 1 || r.Warnings[0] != "old.html: it only leads to another page, index.html, left out" {
		t.Errorf("%+v", r)
	}
}
