package site_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/formats"
	"docent/pipeline/source"
	"docent/pipeline/source/web"
	storedoc "docent/store/doc"
)

// sphinx is a site as Sphinx builds it: files with endings, links from page to page.
func sphinx() map[string]string {
	t := func(s string) string { return s + " — Lantern 2.1 documentation" }
	return map[string]string{
		"/":                          "-> /en/latest/",
		"/en/latest/":                doc(t("Lantern"), "lantern", "guide/wick.html", "guide/oil.html#top", "genindex.html", "_static/a.css", "_sources/index.rst.txt", "/de/latest/", "https://other.example.org/"),
		"/en/latest/index.html":      doc(t("Lantern"), "lantern", "guide/wick.html"),
		"/en/latest/guide/wick.html": doc(t("Wick"), "wick", "../index.html", "oil.html?highlight=x", "../api/", "mailto:a@example.org", "javascript:void(0)", "wick.zip"),
		"/en/latest/guide/oil.html":  doc(t("Oil"), "oil", "wick.html", "missing.html"),
		"/en/latest/genindex.html":   doc(t("Index"), "index"),
		"/en/latest/api/":            doc(t("API"), "function", "./", "../guide/oil.html"),
		"/en/latest/_static/a.css":   "body{}",
		"/de/latest/":                doc("Laterne", "Laterne"),
		"/en/stable/":                doc("Lantern", "old lantern"),
	}
}

func TestPagesOfLinks(t *testing.T) {
	t.Parallel()
	h := newHost(t, sphinx())
	got := add(t, h, "/")
	wantFiles(t, got, "index.html", "guide/wick.html", "guide/oil.html", "genindex.html", "api/index.html")
	if got.URLBase != h.URL+"/en/latest/" || got.Name != "Lantern" || got.Release != "latest" || got.Root != "." || got.Kind != source.KindSite ||
		got.Files != 5 || got.Source != h.URL+"/" || !strings.HasPrefix(got.Digest, "sha256:") {
		t.Errorf("%+v", got.Origin)
	}
	if len(got.Failed) != 1 || got.Failed[0].What != h.URL+"/en/latest/guide/missing.html" || !strings.Contains(got.Failed[0].Reason, "404") {
		t.Errorf("failed are %+v", got.Failed)
	}
	for _, path := range h.requests() {
		if strings.Contains(path, "_static") || strings.Contains(path, ".zip") || strings.Contains(path, "_sources") || strings.Contains(path, "/de/") {
			t.Errorf("%s was asked for", path)
		}
	}
}

// Pages cite the address at which they lie: by the line that the fetch writes before them, and
// without it by the address of the doc set.
func TestPagesCiteTheirAddress(t *testing.T) {
	t.Parallel()
	h := newHost(t, map[string]string{
		"/docs/":            strings.Replace(doc("Lamps", "lamp", "a", "b/", "c.html", "d.md"), "<head>", `<head><link rel=canonical href="https://lamps.example.org/stable/">`, 1),
		"/docs/a":           doc("A", "a lamp"),
		"/docs/b/":          doc("B", "b lamp"),
		"/docs/c.html":      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n" + doc("C", "c lamp"),
		"/docs/d.md":        "# D\n\nA lamp for the [desk](e.md) and the floor.\n",
		"/docs/e.md":        "---\ntitle: E\n---\n\n# E\n\nText of the lamp for the desk.\n",
		"/docs/no-such-doc": "",
	})
	got := add(t, h, "/docs/")
	wantFiles(t, got, "index.html", "a.html", "b/index.html", "c.html", "d.md", "e.md")
	parsers, err := formats.AllParsers()
	if err != nil {
		t.Fatal(err)
	}
	// The addresses of this machine are no addresses on the web: another host stands for it.
	const public = "https://lamps.example.org"
	for file, address := range map[string]string{"index.html": "/docs/", "a.html": "/docs/a", "b/index.html": "/docs/b/", "c.html": "/docs/c.html",
		"d.md": "/docs/d.md", "e.md": "/docs/e.md"} {
		content := strings.ReplaceAll(got.files[file], h.URL, public)
		d, err := parsers.Parse(t.Context(), []byte(content), parse.File{Path: file, Layout: storedoc.LayoutTree})
		if err != nil {
			t.Fatal(file, err)
		}
		if d.URL != public+address {
			t.Errorf("%s cites %q, want %q", file, d.URL, public+address)
		}
		if strings.Contains(string(d.Text), "canonical") || strings.HasSuffix(file, ".html") && strings.Count(content, "\n") != strings.Count(h.pages[address], "\n") {
			t.Errorf("%s has other lines than its page: %q", file, content[:200])
		}
	}
	if got := storedoc.PageURL(got.URLBase, "b/index.html", ""); got != h.URL+"/docs/b/" {
		t.Errorf("by the base, the address is %s", got)
	}
}

func sitemap(base string, entries ...string) string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
	for _, e := range entries {
		path, date, _ := strings.Cut(e, " ")
		fmt.Fprintf(&b, "<url><loc>%s%s</loc>", base, path)
		if date != "" {
			fmt.Fprintf(&b, "<lastmod>%s</lastmod>", date)
		}
		b.WriteString("</url>\n")
	}
	return b.String() + "</urlset>"
}

// mkdocs is a site with a sitemap: folders, and a page that no other links to.
func mkdocs(t testing.TB) *host {
	h := newHost(t, map[string]string{
		"/docs/":         doc("Start - Kettle", "kettle", "boil/"),
		"/docs/boil/":    doc("Boil - Kettle", "boiling kettle", "../"),
		"/docs/pour/":    doc("Pour - Kettle", "pouring kettle"),
		"/docs/de/boil/": doc("Kochen - Kettle", "kochender Kessel"),
		"/docs/fr/boil/": doc("Bouillir - Kettle", "bouilloire"),
		"/docs/1.0/boil": doc("Boil - Kettle", "old kettle"),
		"/blog/":         doc("Blog", "news"),
	})
	h.pages["/docs/sitemap.xml"] = sitemap(h.URL, "/docs/ 2026-01-01", "/docs/boil/ 2026-01-01", "/docs/pour/ 2026-01-02", "/docs/de/boil/ 2026-01-01",
		"/docs/fr/boil/ 2026-01-01", "/docs/1.0/boil 2026-01-01", "/blog/ 2026-01-01")
	return h
}

func TestPagesOfSitemap(t *testing.T) {
	t.Parallel()
	h := mkdocs(t)
	got := add(t, h, "/docs/")
	wantFiles(t, got, "index.html", "boil/index.html", "pour/index.html")
	if got.Name != "Kettle" || leftOut(got, "other languages") != 2 || leftOut(got, "other versions") != 1 {
		t.Errorf("%s; left out are %+v", got.Name, got.LeftOut)
	}
	// With a robots.txt that names an index of packed sitemaps.
	delete(h.pages, "/docs/sitemap.xml")
	h.pages["/robots.txt"] = "User-agent: *\nCrawl-delay: nonsense\nDisallow: /docs/pour/\nSitemap: " + h.URL + "/maps/index.xml\n"
	h.pages["/maps/index.xml"] = `<sitemapindex><sitemap><loc>` + h.URL + `/maps/a.xml.gz</loc></sitemap><sitemap><loc>` + h.URL + `/maps/gone.xml</loc></sitemap></sitemapindex>`
	h.pages["/maps/a.xml.gz"] = gzipped(t, sitemap(h.URL, "/docs/boil/", "/docs/pour/"))
	h.types["/maps/a.xml.gz"] = "application/gzip"
	got = add(t, h, "/docs/")
	wantFiles(t, got, "index.html", "boil/index.html")
	if leftOut(got, "robots.txt") != 1 {
		t.Errorf("left out are %+v", got.LeftOut)
	}
}

// A sitemap that lists the shop and one page of the documentation is no list of it.
func TestSitemapOfOtherPages(t *testing.T) {
	t.Parallel()
	h := newHost(t, map[string]string{"/": doc("A", "start", "a", "b", "c"), "/a": doc("A", "one"), "/b": doc("B", "two"), "/c": doc("C", "three"),
		"/d": doc("D", "four")})
	h.pages["/sitemap.xml"] = sitemap(h.URL, "/", "/a", "/d")
	wantFiles(t, add(t, h, "/"), "index.html", "a.html", "b.html", "c.html", "d.html")
}

func TestPagesOfLLMs(t *testing.T) {
	t.Parallel()
	h := newHost(t, map[string]string{
		"/docs":              doc("Home", "home", "/docs/start", "/docs/deep/more"),
		"/docs/start":        doc("Start", "the start"),
		"/docs/start.md":     "# Start\n\nHow to begin with the pump.\n",
		"/docs/deep/more":    doc("More", "more"),
		"/docs/deep/more.md": "# More\n\nMore of the pump.\n",
		"/docs/only":         doc("Only", "without a twin"),
		"/llms.txt":          "# Pump\n\n> A pump.\n\n- [Start](/docs/start.md): first\n- [More](/docs/deep/more.md)\n- [Elsewhere](https://example.org/a.md)\n- [Shop](/shop)\n",
	})
	h.pages["/sitemap.xml"] = sitemap(h.URL, "/docs", "/docs/start", "/docs/deep/more", "/docs/only", "/shop")
	got := add(t, h, "/docs")
	wantFiles(t, got, "index.html", "start.md", "deep/more.md", "only.html")
	if got.Name != "Pump" || got.URLBase != h.URL+"/docs/{page}" {
		t.Errorf("%q at %s", got.Name, got.URLBase)
	}
	if want := "---\nurl: \"" + h.URL + "/docs/start\"\n---\n\n# Start\n"; !strings.HasPrefix(got.files["start.md"], want) {
		t.Errorf("%q", got.files["start.md"])
	}
	// Without a list of all pages, the twins are found by the way of their names.
	h.pages["/llms.txt"] = "# Pump\n\n- [Start](/docs/start)\n- [More](/docs/deep/more)\n"
	delete(h.pages, "/sitemap.xml")
	wantFiles(t, add(t, h, "/docs"), "index.html", "start.md", "deep/more.md")
	// The address of the list itself.
	got = add(t, h, "/llms.txt")
	wantFiles(t, got, "docs/start.md", "docs/deep/more.md")
}

func TestSiteMadeInTheBrowser(t *testing.T) {
	t.Parallel()
	empty := `<html><head><title>App</title><script src=a.js></script></head><body><noscript>You need scripts to see this page, which is a pity.</noscript><div id=root></div></body></html>`
	h := newHost(t, map[string]string{"/docs/": empty})
	h.before = func(w http200, r *request) bool { // every address has the same page
		if strings.HasPrefix(r.URL.Path, "/docs/") && !strings.HasSuffix(r.URL.Path, ".txt") {
			fmt.Fprint(w, empty)
			return true
		}
		return false
	}
	wantError(t, h, "/docs/", "made in the browser by scripts")
	h.set("/llms-full.txt", "# All\n\nAll pages of the app in one text.\n")
	got := add(t, h, "/docs/")
	if wantFiles(t, got, "llms-full.md"); len(got.Failed) != 1 {
		t.Errorf("%+v", got.Failed)
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	pages := map[string]string{"/": doc("Home", "home", "/p/0", "/p/1", "/p/2", "/p/3", "/p/4", "/p/5")}
	for i := range 6 {
		pages[fmt.Sprintf("/p/%d", i)] = doc("P", "page "+strings.Repeat("x", i), fmt.Sprintf("/deep/%d", i))
		pages[fmt.Sprintf("/deep/%d", i)] = doc("D", "deep "+strings.Repeat("y", i))
	}
	h := newHost(t, pages)
	f, _ := newFetcher(t, web.Options{PerSecond: -1}, h)
	for _, tt := range []struct {
		most source.Limits
		want int
		left string
	}{
		{source.Limits{Pages: 4}, 4, "over the limits"}, {source.Limits{Bytes: 3500}, 3, "over the limits"}, {source.Limits{Depth: 1}, 7, "links away"},
		{source.Limits{}, 13, ""},
	} {
		got := fetch(t, f, source.Want{Address: h.URL, AtMost: tt.most}, nil)
		if len(got.files) != tt.want || got.Files != tt.want || (tt.left != "" && leftOut(got, tt.left) == 0) {
			t.Errorf("%+v: %q, %+v", tt.most, got.names(), got.LeftOut)
		}
	}
	got := fetch(t, f, source.Want{Address: h.URL, LeaveOut: []string{"deep", "p/[0-3]"}}, nil)
	wantFiles(t, got, "index.html", "p/4.html", "p/5.html")
}

func TestVersions(t *testing.T) {
	t.Parallel()
	h := newHost(t, map[string]string{"/": doc("All", "versions", "/1.9/", "/1.10/", "/2.0-beta1/", "/dev/"), "/1.9/": doc("Old", "old", "a.html"),
		"/1.9/a.html": doc("Old", "old page"), "/1.10/": doc("New", "new", "a.html"), "/1.10/a.html": doc("New", "new page"), "/2.0-beta1/": doc("B", "beta"),
		"/dev/": doc("Dev", "dev")})
	got := add(t, h, "/")
	f, _ := newFetcher(t, web.Options{PerSecond: -1}, h)
	if wantFiles(t, got, "index.html", "2.0-beta1/index.html"); got.Release != "2.0-beta1" || leftOut(got, "other versions") != 3 || len(got.Others) != 3 {
		t.Errorf("%s, %+v, %q", got.Release, got.LeftOut, got.Others)
	}
	got = fetch(t, f, source.Want{Address: h.URL, Version: "v1.9"}, nil)
	if wantFiles(t, got, "index.html", "1.9/index.html", "1.9/a.html"); got.Release != "v1.9" || got.Source != h.URL+"@v1.9" {
		t.Errorf("%+v", got.Origin)
	}
	_, err := f.Fetch(t.Context(), source.Want{Address: h.URL, Version: "3"}, t.TempDir(), nil, nil)
	if err == nil || !strings.Contains(err.Error(), "no version 3; it has 2.0-beta1, 1.10, 1.9") {
		t.Error(err)
	}
	if got = add(t, h, "/1.10/"); got.Release != "1.10" {
		t.Errorf("%+v", got.Origin)
	}
	wantFiles(t, got, "index.html", "a.html")
}

func TestLicenceAndRepository(t *testing.T) {
	t.Parallel()
	h := newHost(t, map[string]string{"/": doc("A", "start", "/a", "https://github.com/org/lamp/edit/main/docs/a.md"),
		"/a": strings.Replace(doc("B", "page"), "</body>", `<a rel="license" href="https://creativecommons.org/licenses/by-sa/4.0/">this</a></body>`, 1)})
	h.pages["/c"] = doc("C", "third page", "https://github.com/other/project/tree/main/x")
	h.pages["/"] = strings.Replace(h.pages["/"], "</body>", "<a href=c>c</a></body>", 1)
	h.pages["/a"] = strings.Replace(h.pages["/a"], "</body>", "<a href=https://github.com/org/lamp/blob/main/docs/b.md>edit</a></body>", 1)
	got := add(t, h, "/")
	if got.Licence != "CC BY-SA 4.0" || !slices.Equal(got.Better, []string{"https://github.com/org/lamp"}) {
		t.Errorf("%q, %q", got.Licence, got.Better)
	}
}

// A file that cannot say its address has that of its fetch, and not one that follows from its name.
// The address that Markdown says itself may be of another site: it gives way.
func TestFilesHaveTheAddressOfTheirFetch(t *testing.T) {
	t.Parallel()
	h := newHost(t, map[string]string{
		"/docs/":           doc("Lamps", "lamp", "notes.txt", "plain", "toml.md", "own.md", "crlf.md", "manual.pdf"),
		"/docs/notes.txt":  "How to keep a lamp: dry, upright, and out of the wind.\n",
		"/docs/plain":      "Another text, which has no ending in its address.\n",
		"/docs/toml.md":    "+++\ntitle = \"T\"\n+++\n\n# T\n\nMetadata of another form.\n",
		"/docs/own.md":     "---\ntitle: O\nurl: https://other.example.org/own\npermalink: /elsewhere/\n---\n\n# O\n\nIt says another address.\n",
		"/docs/crlf.md":    "---\r\ntitle: C\r\n---\r\n\r\n# C\r\n\r\nLines of another kind.\r\n",
		"/docs/manual.pdf": "%PDF-1.4 all about lamps",
	})
	h.types["/docs/plain"] = "text/plain"
	got := add(t, h, "/docs/")
	wantFiles(t, got, "index.html", "notes.txt", "plain.txt", "toml.md", "own.md", "crlf.md", "manual.pdf")
	at := map[string]string{}
	for _, a := range got.Addresses {
		at[a.File] = strings.TrimPrefix(a.Address, h.URL)
	}
	for file, want := range map[string]string{"notes.txt": "/docs/notes.txt", "plain.txt": "/docs/plain", "toml.md": "/docs/toml.md", "manual.pdf": "/docs/manual.pdf", "index.html": ""} {
		if at[file] != want {
			t.Errorf("%s lies at %q, want %q", file, at[file], want)
		}
	}
	if text := got.files["own.md"]; !strings.Contains(text, "url: \""+h.URL+"/docs/own.md\"\ntitle: O\n---") || strings.Contains(text, "elsewhere") {
		t.Errorf("it is %q", text)
	}
	if text := got.files["crlf.md"]; !strings.HasPrefix(text, "---\r\nurl: \""+h.URL+"/docs/crlf.md\"\r\ntitle: C\r\n---\r\n") {
		t.Errorf("it is %q", text)
	}
}

// PDFs below the address that pages link to are fetched, where a list names the pages too. An
// update keeps them, and takes a new one; a page of HTML in the place of one is left out.
func TestLinkedPDFs(t *testing.T) {
	t.Parallel()
	h := newHost(t, map[string]string{
		"/docs/":                doc("Lamps", "lamp", "a.pdf", "_static/b.pdf", "gone.pdf", "fake.pdf", "/outside/c.pdf", "unlisted.html", "oil.html"),
		"/docs/oil.html":        doc("Oil", "oil"),
		"/docs/unlisted.html":   doc("Unlisted", "unlisted thing"),
		"/docs/a.pdf":           "%PDF-1.4 about lamps",
		"/docs/_static/b.pdf":   "%PDF-1.4 about wicks",
		"/docs/fake.pdf":        doc("Not here", "missing file"),
		"/outside/c.pdf":        "%PDF-1.4 about fog",
		"/docs/sitemap.xml":     "",
		"/docs/other/index.txt": "",
	})
	h.set("/docs/sitemap.xml", `<urlset><url><loc>`+h.URL+`/docs/</loc></url><url><loc>`+h.URL+`/docs/oil.html</loc></url></urlset>`)
	h.set("/robots.txt", "Sitemap: "+h.URL+"/docs/sitemap.xml\n")
	f, _ := newFetcher(t, web.Options{PerSecond: -1}, h)
	want := source.Want{Address: h.URL + "/docs/"}
	got := fetch(t, f, want, nil)
	wantFiles(t, got, "index.html", "oil.html", "a.pdf", "_static/b.pdf")
	if len(got.Failed) != 1 || got.Failed[0].What != h.URL+"/docs/gone.pdf" || got.files["a.pdf"] != "%PDF-1.4 about lamps" {
		t.Errorf("failed are %+v, a.pdf is %q", got.Failed, got.files["a.pdf"])
	}
	h.set("/docs/a.pdf", "%PDF-1.4 about lamps and lanterns")
	h.set("/docs/sitemap.xml", strings.Replace(h.pages["/docs/sitemap.xml"], "</urlset>", "<url><loc>"+h.URL+"/docs/unlisted.html</loc></url></urlset>", 1))
	got = fetch(t, f, want, got.before())
	wantFiles(t, got, "index.html", "oil.html", "a.pdf", "_static/b.pdf", "unlisted.html")
	if got.files["a.pdf"] != "%PDF-1.4 about lamps and lanterns" {
		t.Errorf("a.pdf is %q", got.files["a.pdf"])
	}
}
