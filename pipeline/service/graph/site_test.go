package graph

import (
	"os"
	"path/filepath"
	"testing"

	"docent/pipeline/knowledge/references"
	"docent/store"
)

// The lists of redirects of sites are read where they are, and a list that cannot be read
// counts as none. It was once said of /older that /old/* sends it on.
func TestRedirectsOfASite(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		file, text string
		target     string
		redirected bool
	}{
		"a static host":         {"_redirects", "/old/page /new/page 301\n", "/old/page", true},
		"with an anchor":        {"_redirects", "/old/page /new/page 301\n", "/old/page?x=1#part", true},
		"in other letters":      {"_redirects", "/Old/Page /new\n", "/old/page/", true},
		"all below a folder":    {"_redirects", "/old/* /new/:splat\n", "/old/page", true},
		"the folder itself":     {"_redirects", "/old/* /new/:splat\n", "/old", true},
		"a longer name":         {"_redirects", "/old/* /new/:splat\n", "/older/page", false},
		"names that begin so":   {"_redirects", "/old* /new\n", "/older/page", true},
		"a placeholder":         {"docs.json", `{"redirects": [{"source": "/old/:name", "destination": "/new"}]}`, "/old/x", true},
		"everything":            {"_redirects", "/* /new\n", "/old/x", false},
		"in a folder":           {"public/_redirects", "/old/page /new\n", "/old/page", true},
		"a generator":           {"mint.json", `{"redirects": [{"source": "/old/page", "destination": "/new"}]}`, "/old/page", true},
		"another address":       {"_redirects", "/other /new\n", "/old/page", false},
		"a relative link":       {"_redirects", "/old/page /new\n", "old/page", false},
		"a line without target": {"_redirects", "/old/page\n", "/old/page", false},
		"a remark":              {"_redirects", "# /old/page /new\n", "/old/page", false},
		"damaged":               {"docs.json", `{"redirects": [{"source": "/old/page"`, "/old/page", false},
		"another form":          {"vercel.json", `{"redirects": "none"}`, "/old/page", false},
		"no list":               {"readme.txt", "/old/page /new\n", "/old/page", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			path := filepath.Join(root, filepath.FromSlash(tt.file))
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			site := readSite(store.Set{Root: root})
			if got := site.redirected(tt.target); got != tt.redirected {
				t.Errorf("%s is redirected: %v, want %v", tt.target, got, tt.redirected)
			}
		})
	}
}

// A doc set of Sphinx that takes texts from code has places that no page names.
func TestNamesOfCode(t *testing.T) {
	t.Parallel()
	for target, want := range map[string]bool{"#Lamp.wick": true, "#Lamp": true, "#trim-it": false, "#wick": false,
		"Lamp.wick": true, "the-wick": true, "gone.md": false, "a/gone": false} {
		missing := references.NoPage
		if target[0] == '#' {
			missing = references.NoAnchor
		}
		if got := mayNameCode(references.Broken{Path: "a.md", Target: target, Missing: missing.String()}); got != want {
			t.Errorf("%s may be made of code: %v, want %v", target, got, want)
		}
	}
}
