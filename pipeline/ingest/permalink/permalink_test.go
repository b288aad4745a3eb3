package permalink

import "testing"

// The rules of a site with collections: a page lies elsewhere on the site than its file in the folder.
func TestPlaces(t *testing.T) {
	t.Parallel()
	const config = `
permalink: /:categories/:title.html:output_ext
baseurl: /lamps
collections:
  guides:
    output: true
  tour:
    output: true
    permalink: /:collection/:path.html
  drafts:
    output: false
defaults:
  - scope: { path: "_guides/harbour" }
    values: { permalink: "/harbour/book/:title.html" }
  - scope: { path: "_guides/*/old" }
    values: { permalink: "/old/:name/" }
  - scope: { path: "", type: "tour" }
    values: { layout: wide }
`
	r, err := ReadRules([]byte(config))
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct{ file, source, want string }{
		"a collection":                {"_guides/oil/fill.md", "---\ntitle: x\n---\n", "/guides/oil/fill.html"},
		"with a template":             {"_tour/wicks.md", "", "/tour/wicks.html"},
		"with a default":              {"_guides/harbour/Quay Walls.md", "", "/harbour/book/Quay-Walls.html"},
		"with a slug":                 {"_guides/harbour/a.md", "---\nslug: b-c\n---\n", "/harbour/book/b-c.html"},
		"of folders by a pattern":     {"_guides/oil/old/Can_1.md", "", "/old/can-1/"},
		"with its own path":           {"_guides/harbour/a.md", "---\npermalink: /x/:title/\n---\n", "/x/a/"},
		"that has no slash":           {"about.md", "---\r\npermalink: who.html\r\n---\r\n", "/who.html"},
		"hidden":                      {"_drafts/a.md", "", ""},
		"a part of pages":             {"_includes/a.md", "", ""},
		"a page":                      {"docs/a.md", "---\ntitle: a\n---\n", ""},
		"a post":                      {"lamps/_posts/2020-01-02-new-oil.md", "---\ncategories: [news, Oil cans]\n---\n", "/lamps/news/Oil-cans/new-oil.html.html"},
		"an unknown placeholder":      {"a.md", "---\npermalink: /:colour/a\n---\n", ""},
		"matter that is not legible":  {"_tour/a.md", "---\npermalink: [\n---\n", "/tour/a.html"},
		"a permalink that is no text": {"_tour/a.md", "---\npermalink: [a]\n---\n", "/tour/a.html"},
		"it stays on the site":        {"a.md", "---\npermalink: /../../etc\n---\n", "/etc"},
	} {
		if got := r.Place(tt.file, []byte(tt.source)); got != tt.want {
			t.Errorf("%s: %s is published at %q, want %q", name, tt.file, got, tt.want)
		}
	}
}

// The styles that have a name.
func TestStyles(t *testing.T) {
	t.Parallel()
	for config, want := range map[string][3]string{
		"":                                   {"/2020/01/02/oil.html", "", ""},
		"permalink: pretty":                  {"/2020/01/02/oil/", "/docs/a/", ""},
		"permalink: none":                    {"/oil.html", "", ""},
		"permalink: /blog/:year/:i_day/":     {"/blog/2020/2/", "/docs/a/", ""},
		"collections: [lamps]":               {"/2020/01/02/oil.html", "", ""},
		"collections: {lamps: {output: on}}": {"/2020/01/02/oil.html", "", "/lamps/b.html"},
		"collections_dir: parts\ncollections: {lamps: {output: true}}\npermalink: pretty": {"/2020/01/02/oil/", "/docs/a/", "/lamps/b/"},
	} {
		r, err := ReadRules([]byte(config))
		if err != nil {
			t.Fatal(err)
		}
		third := r.folder + "_lamps/b.md"
		for i, file := range []string{"_posts/2020-01-02-oil.md", "docs/a.md", third} {
			if got := r.Place(file, nil); got != want[i] {
				t.Errorf("%s: %s is published at %q, want %q", config, file, got, want[i])
			}
		}
	}
	if _, err := ReadRules([]byte("permalink: [\n")); err == nil {
		t.Error("a configuration that is not legible was read")
	}
}
