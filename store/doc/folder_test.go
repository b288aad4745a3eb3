package doc_test

import (
	"strings"
	"testing"

	"docent/store/doc"
)

// A folder called "docs" is the documentation of what the folder above is called.
func TestRefOfFolder(t *testing.T) {
	t.Parallel()
	for folder, want := range map[string]string{
		"/srv/src/lantern":                  "lantern",
		"/srv/src/lantern/docs":             "lantern",
		"/srv/src/lantern/book":             "lantern",
		"/srv/src/Lantern/Docs":             "Lantern",
		"/srv/src/lantern/website/docs/en":  "lantern",
		"/srv/src/lantern/docs/_build/html": "lantern",
		"/srv/src/lantern/v2.1/docs":        "lantern@2.1",
		"/srv/src/lantern/2.1":              "lantern@2.1",
		"/usr/share/doc/git/html":           "git",
		"/usr/share/man":                    "man", // /usr names nothing
		"/srv/docs":                         "docs",
		"/docs":                             "docs",
		"/home/ada/docs":                    "docs", // a person's folder names nothing
		"/home/ada/lantern/docs":            "lantern",
		"C:/Users/ada/docs":                 "docs",
		"C:/Users/ada/lantern/docs":         "lantern",
		"C:/docs":                           "docs",
		"C:/lantern/docs":                   "docs",
		"/srv/1.31":                         "1.31",
		"/srv/src/...":                      "...",
		"/work/lantern/guides":              "guides",
		"/work/lantern/007":                 "007",
	} {
		if !strings.Contains(want, "@") {
			want += "@latest"
		}
		if got := doc.RefOfFolder(folder).String(); got != want {
			t.Errorf("%s: %s, want %s", folder, got, want)
		}
	}
}
