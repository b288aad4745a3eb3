package doc

import (
	"net/url"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestPageURL(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ base, file, permalink, want string }{
		{"", "a.md", "", ""},
		{"https://lamps.example.org/docs", "guide/Trim wicks.md", "", "https://lamps.example.org/docs/guide/Trim%20wicks/"},
		{"https://lamps.example.org/docs/", "guide/_index.md", "", "https://lamps.example.org/docs/guide/"},
		{"https://lamps.example.org/docs/", "README.md", "", "https://lamps.example.org/docs/"},
		{"https://lamps.example.org/{slug}/", "Guide/Trim wicks.mdx", "", "https://lamps.example.org/guide/trim-wicks/"},
		{"https://lamps.example.org/{page}", "guide/index.md", "", "https://lamps.example.org/guide"},
		{"https://lamps.example.org/{page}.html", "guide/index.md", "", "https://lamps.example.org/guide/index.html"},
		{"https://lamps.example.org/{page}.html", "index.md", "", "https://lamps.example.org/index.html"},
		{"https://lamps.example.org/{page}.html", "guide/oil.v2.md", "", "https://lamps.example.org/guide/oil.v2.html"},
		{"https://git.example.org/lamps/blob/main/docs/{file}", "guide/index.md", "", "https://git.example.org/lamps/blob/main/docs/guide/index.md"},
		{"https://lamps.example.org/docs/", "guide/oil.md", "/handbook/oil/", "https://lamps.example.org/handbook/oil/"},
		{"https://lamps.example.org/docs/", "guide/oil.md", "fuel", "https://lamps.example.org/docs/guide/fuel/"},
		{"https://lamps.example.org/docs/", "guide/oil.md", "~/fuel", "https://lamps.example.org/docs/fuel/"},
		{"https://lamps.example.org/docs/", "guide/oil.md", "~/", "https://lamps.example.org/docs/"},
		{"https://lamps.example.org/docs/", "灯/油.md", "", "https://lamps.example.org/docs/%E7%81%AF/%E6%B2%B9/"},
		{"https://lamps.example.org/docs", "guide/oil.html", "", "https://lamps.example.org/docs/guide/oil.html"},
		{"https://lamps.example.org/docs/", "guide/Index.HTM", "", "https://lamps.example.org/docs/guide/"},
		{"https://lamps.example.org/docs/", "index.html", "", "https://lamps.example.org/docs/"},
		{"https://lamps.example.org/{page}/", "guide/oil.html", "", "https://lamps.example.org/guide/oil/"},
		{"https://lamps.example.org/docs/", "a?b#c.md", "", "https://lamps.example.org/docs/a%3Fb%23c/"},
	} {
		if got := PageURL(tt.base, tt.file, tt.permalink); got != tt.want {
			t.Errorf("%s of %s (%s) is %s, want %s", tt.file, tt.base, tt.permalink, got, tt.want)
		}
	}
}

func TestCheckURLBase(t *testing.T) {
	t.Parallel()
	for _, good := range []string{"https://a.example.org", "http://a.example.org:8080/docs/", "https://a.example.org/{slug}/", "https://a.example.org/{file}"} {
		if err := CheckURLBase(good); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, bad := range []string{"", "docs", "/docs", "ftp://a.example.org", "https://", "javascript:alert(1)", "https://a b", "https://a.example.org/{path}", "https://a.example.org/{page", "https://me:secret@a.example.org/", "https://a.example.org/?q=1", "https://a.example.org/#x", "https://a.example.org/\n"} {
		if err := CheckURLBase(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestWithAnchor(t *testing.T) {
	t.Parallel()
	for _, tt := range [][3]string{{"https://a.example.org/b", "c d", "https://a.example.org/b#c%20d"}, {"https://a.example.org/b#x", "c", "https://a.example.org/b#c"}, {"", "c", ""}, {"https://a.example.org/b#x", "", "https://a.example.org/b#x"}} {
		if got := WithAnchor(tt[0], tt[1]); got != tt[2] {
			t.Errorf("%s, %s: %s", tt[0], tt[1], got)
		}
	}
}

// An address is a URL on the base's host, whatever a page is called.
func TestPageURLIsAURL(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		base := rapid.SampledFrom([]string{"https://a.example.org", "https://a.example.org/x/{slug}.html", "https://a.example.org/{file}"}).Draw(t, "base")
		got := PageURL(base, rapid.String().Draw(t, "file"), rapid.String().Draw(t, "permalink"))
		u, err := url.Parse(got)
		if err != nil || u.Host != "a.example.org" || u.RawQuery != "" || u.Fragment != "" || strings.ContainsAny(got, " \n\"<>") {
			t.Fatalf("%q: %v", got, err)
		}
	})
}
