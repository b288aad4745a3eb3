package site

import (
	"net/url"
	"path"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func mustParse(t *testing.T, address string) *url.URL {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestParseAddress(t *testing.T) {
	t.Parallel()
	at := mustParse(t, "https://a.example/docs/guide/")
	for text, want := range map[string]string{
		"b": "https://a.example/docs/guide/b", "../b/#c": "https://a.example/docs/b/", "/x//y/./../z": "https://a.example/x/z",
		"HTTPS://A.Example:443/q": "https://a.example/q", "b?a=1": "https://a.example/docs/guide/b", "b.php?b=2&a=1&sid=3": "https://a.example/docs/guide/b.php?a=1&b=2",
		"b;jsessionid=1": "https://a.example/docs/guide/b", "//c.example": "https://c.example/", "a%2Fb": "https://a.example/docs/guide/a%2Fb",
		"é": "https://a.example/docs/guide/%C3%A9", "mailto:a@b": "", "http://me:x@a.example/": "", "http://[::1": "", strings.Repeat("a", 3000): "",
	} {
		u, err := parseAddress(at, text, false)
		if got := ""; err == nil {
			if got = u.String(); got != want {
				t.Errorf("%.50q: %q, want %q", text, got, want)
			}
		} else if want != "" {
			t.Errorf("%.50q: %v", text, err)
		}
	}
	for _, same := range [][2]string{{"/a/", "/a"}, {"/a/index.html", "/a/"}, {"/", "/index.htm"}} {
		if identity(mustParse(t, same[0])) != identity(mustParse(t, same[1])) {
			t.Errorf("%q are two pages", same)
		}
	}
}

func TestTwins(t *testing.T) {
	t.Parallel()
	for _, tt := range [][3]string{
		{"/a/b", twinAppend, "/a/b.md"}, {"/a/b/", twinAppend, "/a/b.md"}, {"/", twinAppend, "/index.md"}, {"/a.html", twinAppend, "/a.html.md"},
		{"/a.html", twinReplace, "/a.md"}, {"/a/", twinReplace, "/a/index.md"}, {"/a/", twinIndex, "/a/index.md"}, {"/a", twinIndex, "/a/index.md"},
		{"/a.md", twinAppend, ""}, {"/a.html", twinIndex, ""}, {"/a", twinReplace, ""},
	} {
		got := ""
		if u := twinOf(mustParse(t, "https://a.example"+tt[0]), tt[1]); u != nil {
			got = u.Path
		}
		if got != tt[2] {
			t.Errorf("%s of %s is %q, want %q", tt[1], tt[0], got, tt[2])
		}
	}
	known := map[string]*url.URL{"/a/b": mustParse(t, "https://a.example/a/b/"), "/c.html": mustParse(t, "https://a.example/c.html")}
	for twin, page := range map[string]string{"/a/b.md": "/a/b/", "/a/b/index.md": "/a/b/", "/c.md": "/c.html", "/d.html.md": "/d.html", "/e.md": "/e.md", "/e.txt": "/e.txt"} {
		if got := pageOfTwin(mustParse(t, "https://a.example"+twin), known); got.Path != page {
			t.Errorf("%s is of %s, want %s", twin, got.Path, page)
		}
	}
}

func TestVersionsAndLanguages(t *testing.T) {
	t.Parallel()
	for segment, want := range map[string]bool{"v1": true, "1.2": true, "v1.2.x": true, "2.0-rc1": true, "16": true, "1": false, "2024": false, "guide": false, "3d": false,
		"version-2.x": true, "r5": true, "1.2.3.4": true, "": false} {
		if isNumberedVersion(segment) != want {
			t.Errorf("%q is a version: %v", segment, !want)
		}
	}
	sorted := []string{"dev", "0.9", "1.9", "1.10", "2.0-beta1", "2.0", "2.0.1", "v10"}
	for i := range sorted[1:] {
		if compareVersions(sorted[i], sorted[i+1]) >= 0 || compareVersions(sorted[i+1], sorted[i]) <= 0 {
			t.Errorf("%s does not come before %s", sorted[i], sorted[i+1])
		}
	}
	for segment, want := range map[string]string{"de": "de", "pt-BR": "pt-br", "zh_CN": "zh-cn", "zh-Hans": "zh-hans", "go": "", "js": "", "en-guide": "", "a": ""} {
		if got, _ := languageOf(segment); got != want {
			t.Errorf("%q: %q", segment, got)
		}
	}
	// A folder "id" is a topic where no other language stands beside it.
	s := scope{scheme: "https", host: "a.example", folder: "/"}
	known := []*url.URL{mustParse(t, "https://a.example/id/"), mustParse(t, "https://a.example/user/"), mustParse(t, "https://a.example/pt-br/x")}
	for i, want := range []string{"", "", leftLanguage} {
		e := chooseEdition(s, known[:2], "id", "")
		if got := e.leftOut(s, known[i]); got != want {
			t.Errorf("%s: %q", known[i], got)
		}
	}
}

func TestTitles(t *testing.T) {
	t.Parallel()
	for title, want := range map[string][2]string{"Lantern 2.1 documentation": {"Lantern", "2.1"}, "Lantern v2.1.0": {"Lantern", "2.1.0"}, "Lantern Docs": {"Lantern", ""},
		"Log4j 2": {"Log4j 2", ""}, "documentation": {"documentation", ""}, "": {"", ""}} {
		if name, release := splitRelease(title); name != want[0] || release != want[1] {
			t.Errorf("%q: %q, %q", title, name, release)
		}
	}
	for title, want := range map[string]string{"Oil (Lantern 2.1 API)": "Lantern 2.1", "Oil — Lantern": "Lantern", "Oil | Guide - Lantern": "Guide - Lantern", "Oil": ""} {
		if got := lastPart(title); got != want {
			t.Errorf("%q: %q, want %q", title, got, want)
		}
	}
	for text, want := range map[string]string{"a/b:c@d, e\x1b[2J\n\u202e": "a-b-cd e[2J", "..": "", " - x. ": "x"} {
		if got := plainName(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestRobots(t *testing.T) {
	t.Parallel()
	r := readRobots([]byte("Disallow: /before\nUser-agent: other\nDisallow: /\nUser-Agent: *\nCrawl-delay: soon\nDisallow: /private/\nDisallow: /*.cgi$\nAllow: /private/open\n" +
		"Crawl-delay: 900\nSitemap: https://a.example/map.xml\nNonsense\n\x00\xff\n"))
	for p, want := range map[string]bool{"/": true, "/private/a": false, "/private/open": true, "/a.cgi": false, "/a.cgix": true, "/before": true} {
		if got := r.allows(mustParse(t, "https://a.example"+p)); got != want {
			t.Errorf("%s is allowed: %v", p, got)
		}
	}
	if r.delay != longestDelay || !slices.Equal(r.sitemaps, []string{"https://a.example/map.xml"}) {
		t.Errorf("%+v", r)
	}
	if r := readRobots([]byte("User-agent: *\nDisallow:\n\nUser-agent: Docent\nUser-agent: b\nDisallow: /x")); r.allows(mustParse(t, "https://a.example/x/y")) {
		t.Error("rules for this program by its name do not hold")
	}
}

func TestSitemapForms(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"https://a.example/1\nhttps://a.example/2\n": 2, "<html><body>no map</body></html>": -1, "no map": -1, "": 0,
		"<urlset><url><loc> https://a.example/1 </loc></url><url><loc>https://a.example/2</loc><lastmod>2026-01-01</lastmod></url><url></url></urlset>": 2,
		"\xef\xbb\xbf<?xml version='1.0'?><urlset><url><loc>https://a.example/&amp;</loc></url><url><loc>https://a.exam":                                1,
		`<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><urlset><url><loc>https://a.example/&b;</loc></url></urlset>`:                             1,
		"<urlset>" + strings.Repeat("<a>", 100): 0,
	} {
		got, err := parseSitemap([]byte(text))
		if n := len(got.pages); want < 0 && err == nil || want >= 0 && (err != nil || n != want) {
			t.Errorf("%.60q: %d, %v", text, n, err)
		}
	}
}

// Whatever an address is: its file lies in the folder, has a name that every system takes, and
// no two pages have one file.
func TestFilesOfAnyAddress(t *testing.T) {
	t.Parallel()
	s := scope{scheme: "https", host: "a.example", folder: "/docs/"}
	rapid.Check(t, func(t *rapid.T) {
		n := newNames()
		seen := map[string]string{}
		part := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"..", ".", "a", "A", "a.html", "CON", "com1.txt", "index", "", " ", "b.", strings.Repeat("x", 300)}))
		for range 20 {
			u := &url.URL{Scheme: "https", Host: "a.example", Path: "/docs/" + strings.Join(rapid.SliceOfN(part, 0, 6).Draw(t, "path"), "/"), RawQuery: rapid.SampledFrom([]string{"", "a=1", "a=../.."}).Draw(t, "query")}
			file := n.assignFile(s, u, rapid.SampledFrom([]kind{kindHTML, kindMarkdown, kindText}).Draw(t, "kind"))
			if other, twice := seen[folded(file)]; twice {
				t.Fatalf("%q is the file of %q and %q", file, other, u)
			}
			seen[folded(file)] = u.String()
			if path.Clean(file) != file || path.IsAbs(file) || len(file) > mostPath+20 || !utf8.ValidString(file) || strings.ContainsAny(file, "\\:*?\"<>|\x00\n\r\t\x7f") {
				t.Fatalf("%q is the file of %q", file, u)
			}
			for name := range strings.SplitSeq(file, "/") {
				stem, _, _ := strings.Cut(strings.ToLower(name), ".")
				if strings.HasPrefix(name, ".") || strings.HasSuffix(name, ".") || strings.HasSuffix(name, " ") || stem == "con" || stem == "com1" {
					t.Fatalf("%q has the name %q", file, name)
				}
			}
		}
	})
}

func FuzzReadPage(f *testing.F) {
	f.Add([]byte(`<html lang=en><head><title>A</title><link rel=canonical href=b><meta http-equiv=refresh content="0; url=c"><base href=d></head><body><a href=e rel=license>f</a>`))
	f.Add([]byte("<noscript><a><svg/><title>x\xff</title><script>"))
	f.Fuzz(func(t *testing.T, src []byte) {
		p := readPage(toUTF8(src, "text/html; charset=utf-16"))
		if len(p.links) > mostLinks || len(p.words.Lowest) > sketchSize || !slices.IsSorted(p.words.Lowest) {
			t.Errorf("%d links, %d hashes", len(p.links), len(p.words.Lowest))
		}
		_ = p.madeByScripts()
	})
}

func FuzzLists(f *testing.F) {
	f.Add([]byte("<urlset><url><loc>https://a.example/</loc></url></urlset>"))
	f.Add([]byte("User-agent: *\nDisallow: /*a$\nCrawl-delay: 1"))
	f.Fuzz(func(t *testing.T, src []byte) {
		file, err := parseSitemap(src)
		if err == nil && len(file.pages) > mostListed {
			t.Errorf("%d addresses", len(file.pages))
		}
		r := readRobots(src)
		_ = r.allows(&url.URL{Path: "/a"})
		if r.delay < 0 || r.delay > longestDelay {
			t.Errorf("a delay of %s", r.delay)
		}
		for _, l := range markdownLinks(src) {
			_, _ = parseAddress(&url.URL{Scheme: "https", Host: "a.example"}, l, true)
		}
	})
}
