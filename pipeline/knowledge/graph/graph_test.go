package graph

import (
	"testing"

	"pgregory.net/rapid"
)

func TestResolve(t *testing.T) {
	t.Parallel()
	l := NewList([]Ref{
		{Path: "_index.md", Title: "Home"},
		{Path: "concepts/_index.md", Title: "Concepts"},
		{Path: "concepts/oil.md", Title: "Oil"},
		{Path: "concepts/Wick Care.md", Title: "Wick care"},
		{Path: "tasks/trim/_index.md", Title: "Trim"},
		{Path: "tasks/trim/level.md", Title: "Level"},
		{Path: "灯/芯.md", Title: "灯芯"},
	})
	site := NewList([]Ref{
		{Path: "Hooks/docContent.md", Title: "Hooks", URL: "https://docs.example.com/en/docs/hooks"},
		{Path: "Set up/docContent.md", Title: "Set up", URL: "https://docs.example.com/en/docs/setup.html"},
	})
	for _, tt := range []struct {
		list              *List
		from, url, target string
		path, anchor, out string
	}{
		{l, "concepts/oil.md", "", "Wick%20Care.md#trim", "concepts/Wick Care.md", "trim", ""},
		{l, "concepts/oil.md", "", "../tasks/trim/level.md", "tasks/trim/level.md", "", ""},
		{l, "concepts/oil.md", "", "../../tasks/trim/level.md", "", "", ""}, // a file above the doc set, whatever its address
		{l, "concepts/oil.md", "", "../../tasks/trim/level.html", "tasks/trim/level.md", "", ""},
		{l, "concepts/oil.md", "", "./_index.md", "concepts/_index.md", "", ""},
		{l, "concepts/oil.md", "", "../../../../etc/passwd", "", "", ""},
		{l, "concepts/oil.md", "", "../tasks/trim/", "tasks/trim/_index.md", "", ""}, // a folder
		{l, "tasks/trim/level.md", "", "../", "tasks/trim/_index.md", "", ""},        // the site's way: a page is a folder
		{l, "tasks/trim/level.html", "", "level.html", "tasks/trim/level.md", "", ""},
		{l, "concepts/oil.md", "", "/concepts/", "concepts/_index.md", "", ""},
		{l, "concepts/oil.md", "", "/docs/concepts/oil/#wick", "concepts/oil.md", "wick", ""},
		{l, "concepts/oil.md", "", "/en/docs/concepts/oil/", "concepts/oil.md", "", ""},
		{l, "concepts/oil.md", "", "/trim/level", "tasks/trim/level.md", "", ""},
		{l, "concepts/oil.md", "", "/blog/2020/01/oil", "", "", ""},
		{l, "concepts/oil.md", "", "/level", "", "", ""}, // one word stands under many folders
		{l, "concepts/oil.md", "", "灯.md", "", "", ""},
		{l, "concepts/oil.md", "", "../灯/芯.md", "灯/芯.md", "", ""},
		{l, "concepts/oil.md", "", "../%E7%81%AF/%E8%8A%AF.md", "灯/芯.md", "", ""},
		{l, "concepts/oil.md", "", "#here", "concepts/oil.md", "here", ""},
		{l, "concepts/oil.md", "", "nowhere.md", "", "", ""},
		{l, "concepts/oil.md", "", "https://example.org/x", "", "", "https://example.org/x"},
		{l, "concepts/oil.md", "", "mailto:keeper@example.org", "", "", ""},
		{l, "concepts/oil.md", "", "javascript:alert(1)", "", "", ""},
		{l, "concepts/oil.md", "", "{{< ref \"oil\" >}}", "", "", ""},
		{l, "concepts/oil.md", "", "%zz", "", "", ""},
		{l, "concepts/oil.md", "", "", "concepts/oil.md", "", ""},
		{site, "Hooks/docContent.md", "https://docs.example.com/en/docs/hooks", "setup", "Set up/docContent.md", "", ""},
		{site, "Hooks/docContent.md", "https://docs.example.com/en/docs/hooks", "/en/docs/setup#x", "Set up/docContent.md", "x", ""},
		{site, "Hooks/docContent.md", "https://docs.example.com/en/docs/hooks", "/pricing", "", "", "https://docs.example.com/pricing"},
		{site, "Hooks/docContent.md", "https://docs.example.com/en/docs/hooks", "//www.docs.example.com/en/docs/setup/", "Set up/docContent.md", "", ""},
		{site, "Hooks/docContent.md", "", "http://DOCS.example.com/en/docs/setup/#a", "Set up/docContent.md", "a", ""},
		{site, "Hooks/docContent.md", "", "https://docs.example.com/en/docs/other", "", "", "https://docs.example.com/en/docs/other"},
	} {
		got := tt.list.Resolve(tt.from, tt.url, tt.target)
		anchor := got.Anchor
		if got.Ref.Path != tt.path || anchor != tt.anchor || got.URL != tt.out || got.Found != (tt.path != "") {
			t.Errorf("%q on %s: %+v, want %q #%q or %q", tt.target, tt.from, got, tt.path, tt.anchor, tt.out)
		}
	}
}

// A page that says its own place on the site has links that start there, and one in another language links to pages
// of that language.
func TestPlacesOnTheSite(t *testing.T) {
	t.Parallel()
	l := NewList([]Ref{
		{Path: "_guides/book/quay.md", Place: "/harbour/quay.html", Others: []string{"/harbour/quay.html"}},
		{Path: "_guides/book/oil.md", Place: "/harbour/oil.html", Others: []string{"/harbour/oil.html"}},
		{Path: "_ja/book/oil.md", Place: "/ja/harbour/oil.html", Others: []string{"/ja/harbour/oil.html"}},
		{Path: "_ja/book/quay.md", Place: "/ja/harbour/quay.html", Others: []string{"/ja/harbour/quay.html"}},
		{Path: "content/docs/wick.mdx"}, {Path: "content/docs/wick.fr.mdx"}, {Path: "content/docs/lamp.fr.mdx"},
	})
	for _, tt := range [][3]string{
		{"_guides/book/quay.md", "oil.html", "_guides/book/oil.md"},
		{"_guides/book/quay.md", "../ja/harbour/oil.html", "_ja/book/oil.md"},
		{"_ja/book/quay.md", "./oil", "_ja/book/oil.md"},
		{"_ja/book/quay.md", "/harbour/oil.html", "_guides/book/oil.md"},
		{"_ja/book/quay.md", "oil.md", "_ja/book/oil.md"}, // the file
		{"_ja/book/quay.md", "gone.html", ""},
		{"content/docs/lamp.fr.mdx", "/docs/wick", "content/docs/wick.fr.mdx"},
		{"content/docs/wick.mdx", "/docs/wick", "content/docs/wick.mdx"},
	} {
		if got := l.Resolve(tt[0], "", tt[1]); got.Ref.Path != tt[2] {
			t.Errorf("%s on %s leads to %q, want %q", tt[1], tt[0], got.Ref.Path, tt[2])
		}
	}
}

// Whatever a document links to: it is a page of the list, or a URL for a
// browser, or nothing.
func TestResolveHolds(t *testing.T) {
	t.Parallel()
	l := NewList([]Ref{{Path: "a/b.md", URL: "https://e.org/a/b"}, {Path: "index.md"}, {Path: "c.md"}})
	rapid.Check(t, func(t *rapid.T) {
		target := rapid.OneOf(rapid.String(), rapid.StringMatching(`(https?://|file:|javascript:|//|/|\.\./)?(e\.org|a|b|c)(/[abc]|\.md|#x|\?q|%2e)*`)).Draw(t, "target")
		got := l.Resolve(rapid.SampledFrom([]string{"a/b.md", "c.md", "gone.md"}).Draw(t, "from"), rapid.SampledFrom([]string{"", "https://e.org/a/b", "::"}).Draw(t, "url"), target)
		switch {
		case got.Found && l.Index(got.Ref.Path) < 0:
			t.Fatalf("%q leads to %q, which is no page", target, got.Ref.Path)
		case got.URL != "" && (got.Found || WebURL(got.URL) != got.URL):
			t.Fatalf("%q leads to %+v", target, got)
		}
	})
}

// The endings of pages are those of the pages that there are, in any format.
func TestEndingsOfAnyFormat(t *testing.T) {
	t.Parallel()
	l := NewList([]Ref{{Path: "tasks/trim.dita"}, {Path: "lamp/retry.go"}, {Path: "spec.pdf"}, {Path: "man/git.1"}, {Path: "release-1.2.md"}, {Path: "index.dita"}})
	for target, want := range map[string]string{
		"trim": "tasks/trim.dita", "trim.html": "tasks/trim.dita", "../lamp/retry.go": "lamp/retry.go", "/spec": "spec.pdf", "../man/git.1": "man/git.1",
		"../release-1.2": "release-1.2.md", "../release-1.3": "", "..": "index.dita", "trim.rst": "",
	} {
		if got := l.Resolve("tasks/other.dita", "", target); got.Ref.Path != want {
			t.Errorf("%s leads to %q, want %q", target, got.Ref.Path, want)
		}
	}
}

// Docusaurus gives the page of a folder the folder's address, without a slash behind it: a link without a file's
// ending starts from the folder around.
func TestThePageOfAFolder(t *testing.T) {
	t.Parallel()
	l := NewList([]Ref{{Path: "docs/lamp/index.md"}, {Path: "docs/lamp/trim.mdx"}, {Path: "docs/oil.md"}, {Path: "docs/wick/wick.md"}, {Path: "oil.md"}})
	for _, tt := range [][3]string{
		{"docs/lamp/index.md", "./oil", "docs/oil.md"}, {"docs/lamp/index.md", "./trim", "docs/lamp/trim.mdx"},
		{"docs/wick/wick.md", "oil#x", "docs/oil.md"}, {"docs/lamp/index.md", "oil.md", ""}, {"docs/lamp/trim.mdx", "oil", ""},
		{"docs/lamp/index.md", "trim.md", "docs/lamp/trim.mdx"},
	} {
		if got := l.Resolve(tt[0], "", tt[1]); got.Ref.Path != tt[2] {
			t.Errorf("%s of %s leads to %q, want %q", tt[1], tt[0], got.Ref.Path, tt[2])
		}
	}
	for name, want := range map[string]string{"trim": "docs/lamp/trim.mdx", "lamp": "docs/lamp/index.md", "oil": "oil.md", "docs/oil": "docs/oil.md", "il": "", "": ""} {
		if got := l.ResolveName(name); got.Ref.Path != want || got.Found != (want != "") {
			t.Errorf("%q is %q, want %q", name, got.Ref.Path, want)
		}
	}
	if got := NewList([]Ref{{Path: "a/oil.md"}, {Path: "b/oil.md"}}).ResolveName("oil"); got.Found {
		t.Errorf("of two pages it is %q", got.Ref.Path)
	}
}

// On a site that Hugo makes, a page is a folder: a link without a file's ending is
// relative to it, and a link with an ending to the folder of the file.
func TestPagesAreFolders(t *testing.T) {
	t.Parallel()
	l := NewList([]Ref{{Path: "_index.md"}, {Path: "ref/_index.md"}, {Path: "ref/set/_index.md"}, {Path: "ref/set/a.md"}, {Path: "ref/set/b.md"}, {Path: "ref/b.md"}})
	for target, want := range map[string]string{"../": "ref/set/_index.md", "..": "ref/set/_index.md", "../b/": "ref/set/b.md", "../b.md": "ref/b.md", "b.md": "ref/set/b.md", "b": "ref/set/b.md", "../../b/#x": "ref/b.md", "../../": "ref/_index.md"} {
		if got := l.Resolve("ref/set/a.md", "", target); got.Ref.Path != want {
			t.Errorf("%s leads to %q, want %q", target, got.Ref.Path, want)
		}
	}
	if got := l.Resolve("ref/set/_index.md", "", "../"); got.Ref.Path != "ref/_index.md" {
		t.Errorf("of a folder's own page it leads to %q", got.Ref.Path)
	}
}

// SQLAlchemy has a page q.rst that says that it moved, and the page q/index.rst that it moved to.
func TestTheIndexOfAFolderIsNotThePageOfItsName(t *testing.T) {
	t.Parallel()
	l := NewList([]Ref{{Path: "q.rst"}, {Path: "q/b.rst"}, {Path: "q/index.rst"}})
	for target, want := range map[string]string{"/q/index": "q/index.rst", "/q": "q.rst", "index": "q/index.rst"} {
		if got := l.Resolve("q/b.rst", "", target); got.Ref.Path != want {
			t.Errorf("%s leads to %q, want %q", target, got.Ref.Path, want)
		}
	}
}

// Packages of Debian pack larger pages, and the links of other pages lead to them as before.
func TestLinksToPackedPages(t *testing.T) {
	t.Parallel()
	l := NewList([]Ref{{Path: "new/a.html"}, {Path: "new/changes.html.gz"}, {Path: "README.gz"}})
	for target, want := range map[string]string{"changes.html": "new/changes.html.gz", "changes.html#x": "new/changes.html.gz",
		"changes": "new/changes.html.gz", "changes.html.gz": "new/changes.html.gz", "../README": "README.gz"} {
		if got := l.Resolve("new/a.html", "", target); got.Ref.Path != want {
			t.Errorf("%s leads to %q, want %q", target, got.Ref.Path, want)
		}
	}
}

// A link with the host of the doc set's own site led elsewhere where it named a page by its alias.
func TestWholeAddressesOfAliases(t *testing.T) {
	t.Parallel()
	l := NewList([]Ref{{Path: "care/wick.md", URL: "https://lamp.example/docs/care/wick/", Others: []string{"/docs/oil/", "old-wick", "../soot.html"}},
		{Path: "care/oil.md", URL: "https://lamp.example/docs/care/oil/"}})
	for target, want := range map[string]string{"https://lamp.example/docs/oil": "care/wick.md", "https://lamp.example/docs/care/old-wick/#a": "care/wick.md",
		"https://lamp.example/docs/soot": "care/wick.md", "https://lamp.example/docs/care/oil": "care/oil.md", "https://lamp.example/oil": ""} {
		if got := l.Resolve("care/oil.md", "https://lamp.example/docs/care/oil/", target); got.Ref.Path != want {
			t.Errorf("%s leads to %q, want %q", target, got.Ref.Path, want)
		}
	}
}

// Numbers that order the files of a site are in no address, and some sites leave the folders out too.
func TestNumbersThatOrderPages(t *testing.T) {
	t.Parallel()
	l := NewList([]Ref{{Path: "01-start/index.md"}, {Path: "01-start/02-trim.md"}, {Path: "02-oil/01-$fill.md"}, {Path: "02-oil/02-kinds.md"},
		{Path: "03-2024/01-kinds.md"}, {Path: "license.md"}, {Path: "2.0-notes/a.md"}})
	for target, want := range map[string]string{"./trim": "01-start/02-trim.md", "../oil/kinds": "02-oil/02-kinds.md", "$fill": "02-oil/01-$fill.md",
		"/docs/oil/kinds/": "02-oil/02-kinds.md", "kinds": "", "../oil": "", "oil/trim": "", "02-trim.md": "01-start/02-trim.md", "../start": "01-start/index.md"} {
		if got := l.Resolve("01-start/02-trim.md", "", target); got.Ref.Path != want {
			t.Errorf("%s leads to %q, want %q", target, got.Ref.Path, want)
		}
	}
	plain := NewList([]Ref{{Path: "a/trim.md"}, {Path: "b/01-fill.md"}, {Path: "c.md"}})
	if got := plain.Resolve("a/trim.md", "", "../b/fill"); got.Found {
		t.Errorf("in a site without numbers it leads to %q", got.Ref.Path)
	}
}

// A page of the router of Next is a folder with a file page.mdx.
func TestPagesOfNext(t *testing.T) {
	t.Parallel()
	l := NewList([]Ref{{Path: "app/docs/(care)/oil/kinds/page.mdx"}, {Path: "app/docs/wick/page.mdx"}, {Path: "app/docs/page.mdx"}})
	for target, want := range map[string]string{"./wick": "app/docs/wick/page.mdx", "../docs/oil/kinds": "app/docs/(care)/oil/kinds/page.mdx",
		"/docs/oil/kinds#a": "app/docs/(care)/oil/kinds/page.mdx", "/docs/wick": "app/docs/wick/page.mdx", "../docs": "app/docs/page.mdx", "./kinds": ""} {
		if got := l.Resolve("app/docs/wick/page.mdx", "", target); got.Ref.Path != want {
			t.Errorf("%s leads to %q, want %q", target, got.Ref.Path, want)
		}
	}
}

// A repository had a template of each page next to the pages of the site, and links were said to lead to the
// template; and links of translated pages were looked for on the page in English.
func TestTheNearestPageOfAPath(t *testing.T) {
	t.Parallel()
	l := NewList([]Ref{
		{Path: "site/templates/reference/wick.mdx"},
		{Path: "site/content/docs/reference/wick.mdx"},
		{Path: "site/content/docs/guides/trim.mdx"},
		{Path: "docs/oil.mdx"},
		{Path: "docs/oil.ja.mdx"},
		{Path: "docs/care/index.mdx"},
		{Path: "docs/care/index.ja.mdx"},
		{Path: "docs/lamp.ja.mdx"},
		{Path: "docs/release-1.2.mdx"},
	})
	for _, tt := range [][3]string{
		{"site/content/docs/guides/trim.mdx", "/reference/wick/", "site/content/docs/reference/wick.mdx"},
		{"site/templates/reference/wick.mdx", "/reference/wick/#a", "site/templates/reference/wick.mdx"},
		{"docs/lamp.ja.mdx", "/docs/oil", "docs/oil.ja.mdx"},
		{"docs/lamp.ja.mdx", "./oil", "docs/oil.ja.mdx"},
		{"docs/lamp.ja.mdx", "oil.mdx", "docs/oil.mdx"},
		{"docs/lamp.ja.mdx", "/docs/care", "docs/care/index.ja.mdx"},
		{"docs/oil.mdx", "/docs/care", "docs/care/index.mdx"},
		{"docs/release-1.2.mdx", "/docs/oil", "docs/oil.mdx"},
	} {
		if got := l.Resolve(tt[0], "", tt[1]); got.Ref.Path != tt[2] {
			t.Errorf("%q on %s leads to %q, want %q", tt[1], tt[0], got.Ref.Path, tt[2])
		}
	}
}
