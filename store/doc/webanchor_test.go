package doc

import "testing"

// The anchors of headings, as the programs give them that make web sites of pages.
func TestAnchorsByGenerator(t *testing.T) {
	t.Parallel()
	order := []Generator{OnGitHub, VitePress, MkDocs, Hugo, MdBook,
		Sphinx, Kramdown, Pandoc, NoGenerator}
	for _, tt := range []struct {
		heading string
		want    []string // in this order
	}{
		{"Trim the wick", []string{"trim-the-wick", "trim-the-wick", "trim-the-wick", "trim-the-wick", "trim-the-wick", "trim-the-wick", "trim-the-wick", "trim-the-wick", "trim-the-wick"}},
		{"Oil & wicks", []string{"oil--wicks", "oil-wicks", "oil-wicks", "oil--wicks", "oil--wicks", "oil-wicks", "oil--wicks", "oil-wicks", ""}},
		{"lamp.light()", []string{"lamplight", "lamp-light", "lamplight", "lamplight", "lamplight", "lamp-light", "lamplight", "lamp.light", ""}},
		{"2. Light it", []string{"2-light-it", "_2-light-it", "2-light-it", "2-light-it", "2-light-it", "light-it", "light-it", "light-it", ""}},
		{"wick_length", []string{"wick_length", "wick-length", "wick_length", "wick_length", "wick_length", "wick-length", "wicklength", "wick_length", ""}},
		{"\u00d6l", []string{"\u00f6l", "", "", "\u00f6l", "", "", "l", "\u00f6l", ""}},
		{"\u706f\u5854", []string{"\u706f\u5854", "\u706f\u5854", "", "\u706f\u5854", "\u706f\u5854", "", "section", "\u706f\u5854", ""}},
		{"--oil - cold", []string{"--oil---cold", "oil-cold", "-oil-cold", "--oil---cold", "--oil---cold", "oil-cold", "oil---cold", "oil---cold", ""}},
		{"What? No!", []string{"what-no", "what-no", "what-no", "what-no", "what-no", "what-no", "what-no", "what-no", "what-no"}},
	} {
		for i, g := range order {
			p := WebPlace{Generator: g, File: "a/b.md", Heading: tt.heading, Anchor: GitHubSlug(tt.heading)}
			if got := WebAnchor(p); got != tt.want[i] {
				t.Errorf("%q by %q: %q, want %q", tt.heading, g, got, tt.want[i])
			}
		}
	}
}

// Repeated headings are counted in several ways; what a page or its format states is the anchor
// everywhere; a made-up one is given nowhere.
func TestAnchorsThatArePagesOwn(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		g                       Generator
		file, url, anchor, want string
	}{
		{Hugo, "a.md", "", "trim-it-2", "trim-it-2"},
		{MkDocs, "a.md", "", "trim-it-2", "trim-it_2"},
		{Sphinx, "a.md", "", "trim-it-2", ""},
		{NoGenerator, "a.md", "", "trim-it-2", ""},
		{NoGenerator, "a.md", "https://github.com/lamp/lamp/blob/1.0/a.md", "trim-it-2", "trim-it-2"},
		{MkDocs, "a.md", "", "cold-wick", "cold-wick"},
		{NoGenerator, "a.mdx", "", "cold-wick", "cold-wick"},
		{NoGenerator, "a.md", "https://github.com/lamp/lamp/blob/1.0/a.md", "cold-wick", ""},
		{NoGenerator, "lamp/docContent.md", "", "trim-it-2", "trim-it-2"},
		{NoGenerator, "a.html", "", "trim-it-2", "trim-it-2"},
		{NoGenerator, "a.html", "https://lamp.example/a.html", "~trim-it", ""}, // the page gives it no id
		{NoGenerator, "a.rst", "", "Trim.It", "Trim.It"},
		{NoGenerator, "lamp.1", "", "trim-it", ""},
		{NoGenerator, "lamp.pdf", "", "trim-it", ""},
		{Docusaurus, "a.md", "", "", ""},
	} {
		p := WebPlace{Generator: tt.g, File: tt.file, URL: tt.url, Heading: "Trim it", Anchor: tt.anchor}
		if got := WebAnchor(p); got != tt.want {
			t.Errorf("%+v: %q, want %q", p, got, tt.want)
		}
	}
	title := WebPlace{Generator: Docusaurus, File: "a.md", Heading: "Lamps", Outermost: true, Anchor: "lamps"}
	if got := WebAnchor(title); got != "" {
		t.Errorf("the title of a page of Docusaurus has no id, not %q", got)
	}
}
