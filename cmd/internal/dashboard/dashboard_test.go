package dashboard_test

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"docent/cmd/internal/dashboard"
)

func get(t *testing.T, path string) *httptest.ResponseRecorder {
	t.Helper()
	h, err := dashboard.Handler()
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
	return w
}

// own is what files of the page name: other files of it.
var own = regexp.MustCompile(`(?:src|href)="(/[^"]*)"|from '\./([a-z]+\.js)'`)

// Every file is served with its type and the policy, and what a file names is there.
func TestFilesAreServed(t *testing.T) {
	t.Parallel()
	kinds := map[string]string{".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"}
	n := 0
	err := fs.WalkDir(os.DirFS("."), "assets", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		n++
		w := get(t, "/"+name)
		h := w.Result().Header
		if w.Code != 200 || h.Get("Content-Type") != kinds[filepath.Ext(name)] || h.Get("Content-Security-Policy") != dashboard.Policy || h.Get("ETag") == "" || h.Get("Cache-Control") == "no-store" {
			t.Errorf("%s: %d %v", name, w.Code, h)
		}
		for _, m := range own.FindAllStringSubmatch(w.Body.String(), -1) {
			path := m[1]
			if m[2] != "" {
				path = "/assets/" + m[2]
			}
			if w := get(t, path); w.Code != 200 {
				t.Errorf("%s names %s, which is not there", name, path)
			}
		}
		return nil
	})
	if err != nil || n < 10 {
		t.Errorf("%d files, %v", n, err)
	}
	if w := get(t, "/assets/../dashboard.go"); w.Code != 404 {
		t.Errorf("a file beside them: %d", w.Code)
	}
}

// The policy lets files of the server run and nothing else, and the page needs no more:
// no script and no style stands in it, no address of another host in any file.
func TestThePolicyIsStrict(t *testing.T) {
	t.Parallel()
	for _, not := range []string{"unsafe", "http:", "https:", "data:", "blob:", "*"} {
		if strings.Contains(dashboard.Policy, not) {
			t.Errorf("the policy has %s", not)
		}
	}
	for _, want := range []string{"default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'", "form-action 'none'", "base-uri 'none'", "require-trusted-types-for 'script'"} {
		if !strings.Contains(dashboard.Policy, want) {
			t.Errorf("the policy lacks %s", want)
		}
	}
	names, err := filepath.Glob("assets/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(raw), "http://www.w3.org/2000/svg", "")
		for _, not := range []string{"http://", "https://", "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "style=\"", "onclick=\"", "localStorage.setItem('docent.token"} {
			if strings.Contains(text, not) {
				t.Errorf("%s has %s", name, not)
			}
		}
	}
	page := get(t, "/").Body.String()
	if regexp.MustCompile(`(?i)<style|<script(?:[^>]*)>[^<]|\son[a-z]+=`).MatchString(page) {
		t.Errorf("the page has a script or a style in it:\n%s", page)
	}
}
