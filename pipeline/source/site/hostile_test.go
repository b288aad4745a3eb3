package site_test

import (
	"compress/gzip"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docent/pipeline/source"
	"docent/pipeline/source/web"
)

// A calendar, folders in themselves, sessions in addresses, and a row of pages without an end.
func TestTrapsEnd(t *testing.T) {
	t.Parallel()
	h := newHost(t, map[string]string{"/": doc("Home", "home", "/good", "/cal/2026/01/", "/a/", "/s?PHPSESSID=1", "/row/1", "/same/1/x", "/q.php?p=1")})
	h.pages["/good"] = doc("Good", "a good page", "/?sessionid=5&utm_source=x", "/good;jsessionid=ABC#x", "/good?print=1")
	h.before = func(w http200, r *request) bool {
		p := r.URL.Path
		var year, month, n int
		switch {
		case strings.HasPrefix(p, "/cal/"):
			_, _ = fmt.Sscanf(p, "/cal/%d/%d/", &year, &month)
			fmt.Fprint(w, doc("Calendar", fmt.Sprint("month ", strings.Repeat("m", year%100), strings.Repeat("n", month)), fmt.Sprintf("/cal/%d/%d/", year+month/12, month%12+1), fmt.Sprintf("/cal/%d/%d/", year+1, month)))
		case strings.HasPrefix(p, "/a/"):
			fmt.Fprint(w, doc("A", "folder "+strings.ReplaceAll(p, "/", " "), "a/", "b/"))
		case strings.HasPrefix(p, "/row/"):
			_, _ = fmt.Sscanf(p, "/row/%d", &n)
			fmt.Fprint(w, doc("Row", "row "+strings.Repeat("r", n), fmt.Sprintf("/row/%d", n+1)))
		case strings.HasPrefix(p, "/same/"):
			_, _ = fmt.Sscanf(p, "/same/%d", &n)
			fmt.Fprint(w, doc("Same", "same", fmt.Sprintf("/same/%d/x", 2*n), fmt.Sprintf("/same/%d/x", 2*n+1)))
		case p == "/q.php":
			_, _ = fmt.Sscanf(r.URL.RawQuery, "p=%d", &n)
			fmt.Fprint(w, doc("Q", "query "+strings.Repeat("q", n), fmt.Sprintf("/q.php?p=%d", 3*n), fmt.Sprintf("/q.php?p=%d&sid=%d", 3*n+1, n), fmt.Sprintf("/q.php?p=%d", 3*n+2)))
		default:
			return false
		}
		return true
	}
	got := add(t, h, "/")
	count := map[string]int{}
	for name := range got.files {
		first, _, _ := strings.Cut(name, "/")
		if strings.HasPrefix(first, "q.php") || strings.HasPrefix(first, "q@") {
			first = "q"
		}
		count[first]++
	}
	if count["cal"] == 0 || count["cal"] > 50 || count["row"] > 13 || count["same"] > 5 || count["q"] > 100 || count["q"] == 0 || count["a"] == 0 || count["a"] > 40 {
		t.Errorf("%v", count)
	}
	if _, ok := got.files["good.html"]; !ok || leftOut(got, "endless rows") == 0 || leftOut(got, "same words") == 0 || leftOut(got, "links away") == 0 {
		t.Errorf("%+v", got.LeftOut)
	}
	for _, asked := range h.requests() {
		if strings.Contains(strings.ToLower(asked), "sess") || strings.Contains(asked, "utm_") || strings.Contains(asked, "print") || strings.Contains(asked, "sid=") {
			t.Errorf("%s was asked for", asked)
		}
	}
}

// A server that says 200 for addresses that do not exist.
func TestSoftErrors(t *testing.T) {
	t.Parallel()
	h := newHost(t, map[string]string{"/": doc("Home", "home", "/a", "/gone", "/old", "/late"), "/a": doc("A", "a page"),
		"/late": "<html><title>404 | Site</title><body>" + prose("error") + "</body></html>"})
	h.before = func(w http200, r *request) bool {
		if _, ok := h.pages[r.URL.Path]; ok || strings.HasSuffix(r.URL.Path, ".txt") {
			return false
		}
		fmt.Fprint(w, doc("Sorry", "missing page", "/")+"<p>"+r.URL.Path+" was not found at "+time.Now().String())
		return true
	}
	got := add(t, h, "/")
	wantFiles(t, got, "index.html", "a.html")
	if len(got.Failed) != 3 {
		t.Errorf("failed are %+v", got.Failed)
	}
}

// An answer that is said to be a page and has the bytes of a picture or a program is no page; one in
// UTF-16 is.
func TestPagesThatAreNoText(t *testing.T) {
	t.Parallel()
	wide := []byte("\xff\xfe")
	for _, c := range doc("Wide", "wide page") {
		wide = append(wide, byte(c), byte(c>>8))
	}
	h := newHost(t, map[string]string{"/": doc("Home", "home", "/picture", "/wide"), "/picture": "\x89PNG\x00\x00" + prose("picture"),
		"/wide": string(wide), "/only/": "\x7fELF\x00" + prose("program")})
	got := add(t, h, "/")
	wantFiles(t, got, "index.html", "wide.html")
	if leftOut(got, "no pages") != 1 {
		t.Errorf("%+v", got.LeftOut)
	}
	wantError(t, h, "/only/", "no page of documentation was found")
}

// Pages that lead out of the site, to this machine, or to no page are left out; others are there.
func TestHostilePages(t *testing.T) {
	t.Parallel()
	other := newHost(t, map[string]string{"/": doc("Secret", "secret")})
	h := newHost(t, map[string]string{
		"/docs/": doc("Home", "home", "good", "file", "loop", "private", "out", "bomb", "large", "type", "../../../etc/passwd", "%2e%2e/%2e%2e/x",
			"..%2f..%2fescape", "a%00b", "nul", "CON.html", "Good", "GOOD.html", "trailing.%20", "new%0aline", ".hidden/page", strings.Repeat("long", 1000), strings.Repeat("l", 300),
			"http://[::1", "//", "javascript:alert(1)", "data:text/html,x", "tab\tlink", "%zz", "%ff%fe", "q%3Fa"),
		"/docs/good": doc("Good", "good page", "index.html"), "/docs/Good": doc("Good", "great page"), "/docs/GOOD.html": doc("Good", "best page"),
		"/docs/file": "-> file:///etc/passwd", "/docs/loop": "-> /docs/loop2", "/docs/loop2": "-> /docs/loop", "/docs/private": "-> " + other.URL + "/",
		"/docs/out": "-> /shop/", "/shop/": doc("Shop", "shop"), "/docs/type": "{}", "/docs/nul": doc("N", "device"), "/docs/CON.html": doc("C", "console"),
		"/docs/trailing. ": doc("T", "trailing dot"), "/docs/.hidden/page": doc("H", "hidden page"), "/docs/" + strings.Repeat("l", 300): doc("L", "long name"),
		"/docs/\xff\xfe": doc("U", "no letters"), "/docs/q?a": doc("Q", "question mark"), "/docs/../../escape": doc("E", "escape"), "/docs/a\x00b": doc("Z", "zero"),
		"/docs/new\nline": doc("NL", "line break"), "/docs/tab\tlink": doc("T", "tabulator"),
	})
	h.types["/docs/type"] = "application/json"
	h.before = func(w http200, r *request) bool {
		switch r.URL.Path {
		case "/docs/bomb":
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			zeros := make([]byte, 1<<20)
			for range 64 {
				_, _ = z.Write(zeros)
			}
			_ = z.Close()
		case "/docs/large":
			for range 40 {
				if _, err := fmt.Fprint(w, strings.Repeat("large ", 1<<17)); err != nil {
					break
				}
			}
		default:
			return false
		}
		return true
	}
	got := add(t, h, "/docs/")
	for name := range got.files {
		for part := range strings.SplitSeq(name, "/") {
			if part == ".." || strings.HasPrefix(part, ".") || len(part) > 110 || strings.ContainsAny(part, "\x00\n\t?:*\\\"<>|") || strings.HasSuffix(strings.TrimSuffix(part, ".html"), ".") {
				t.Errorf("the name %q", name)
			}
		}
		if stem, _, _ := strings.Cut(strings.ToLower(filepath.Base(name)), "."); stem == "nul" || stem == "con" {
			t.Errorf("%q is a device on Windows", name)
		}
	}
	folded := map[string]string{}
	for name, text := range got.files {
		if other := folded[strings.ToLower(name)]; other != "" {
			t.Errorf("%s and %s are one file on some systems", name, other)
		}
		folded[strings.ToLower(name)] = name
		if strings.Contains(text, "secret") {
			t.Errorf("%s is of another host", name)
		}
	}
	if asked := other.requests(); len(asked) > 0 {
		t.Errorf("another server of this machine was asked for %q", asked)
	}
	for _, subject := range []string{"good page", "great page", "best page", "device", "console", "hidden page", "long name", "question mark", "no letters", "trailing dot"} {
		found := false
		for _, text := range got.files {
			found = found || strings.Contains(text, "<h1>"+subject+"</h1>")
		}
		if !found {
			t.Errorf("the page of the %s is missing: %q, failed %+v", subject, got.names(), got.Failed)
		}
	}
	reasons := map[string]string{}
	for _, f := range got.Failed {
		reasons[strings.TrimPrefix(f.What, h.URL+"/docs/")] = f.Reason
	}
	for what, words := range map[string]string{"file": "scheme", "loop": "10 times", "private": "private network", "bomb": "larger than", "large": "larger than"} {
		if !strings.Contains(reasons[what], words) {
			t.Errorf("%s: %q, want %q", what, reasons[what], words)
		}
	}
	if leftOut(got, "lead out") != 1 || leftOut(got, "no pages") != 1 {
		t.Errorf("%+v", got.LeftOut)
	}
}

func TestSitesThatCannotBeHad(t *testing.T) {
	t.Parallel()
	h := newHost(t, map[string]string{"/empty/": "", "/a": doc("A", "a")})
	h.before = func(w http200, r *request) bool {
		switch r.URL.Path {
		case "/login/":
			w.WriteHeader(http.StatusUnauthorized)
			return true
		case "/closed/":
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(http.StatusServiceUnavailable)
			return true
		}
		return false
	}
	wantError(t, h, "/gone/", "404")
	wantError(t, h, "/login/", "401")
	wantError(t, h, "/closed/", "left alone for 1h")
	h.set("/robots.txt", "User-agent: *\nDisallow: /a\nAllow: /\n\nUser-agent: other\nDisallow: /\n")
	wantError(t, h, "/a", "robots.txt")
	h.set("/robots.txt", "User-agent: *\nAllow: /\n\nUser-agent: docent\nDisallow: /a\n")
	wantError(t, h, "/a", "robots.txt")
	h.before = func(w http200, r *request) bool {
		if r.URL.Path == "/robots.txt" {
			w.WriteHeader(http.StatusInternalServerError)
			return true
		}
		return false
	}
	wantError(t, h, "/a", "500")
	h.Close()
	wantError(t, h, "/a", "refused")
	f, _ := newFetcher(t, web.Options{})
	for _, address := range []string{"", "ftp://example.org/", "https://me:secret@example.org/", "https://", "file:///etc/passwd", "http://127.0.0.1:1/", "-x"} {
		_, err := f.Fetch(t.Context(), source.Want{Address: address}, t.TempDir(), nil, nil)
		var failure *source.Error
		if !errors.As(err, &failure) || failure.Do == "" || strings.Contains(failure.Reason, "secret") {
			t.Errorf("%q: %v", address, err)
		}
	}
}

// The state of the last fetch may be damaged, or of another version of the program.
func TestDamagedState(t *testing.T) {
	t.Parallel()
	h := newHost(t, sphinx())
	first := add(t, h, "/")
	f, _ := newFetcher(t, web.Options{PerSecond: -1}, h)
	for _, state := range []string{"", "{", `{"format":99}`, `{"format":1,"start":"` + h.URL + `/","base":"%%%","pages":[{}]}`} {
		before := first.before()
		before.State = []byte(state)
		// All is read again, and is as it was.
		h.sent = 0
		if _, err := f.Fetch(t.Context(), source.Want{Address: h.URL + "/"}, t.TempDir(), before, nil); !errors.Is(err, source.ErrUnchanged) || h.sent != 5 {
			t.Errorf("with the state %q: %v, %d answers", state, err, h.sent)
		}
		before.Digest = "sha256:another"
		if got := fetch(t, f, source.Want{Address: h.URL + "/"}, before); got.Files != 5 {
			t.Errorf("with the state %q: %+v", state, got.Origin)
		}
	}
	// Paths of the state lead nowhere else.
	before := first.before()
	before.Digest = "sha256:another"
	before.State = []byte(strings.ReplaceAll(string(first.State), `"guide/oil.html"`, `"../../oil.html"`))
	got := fetch(t, f, source.Want{Address: h.URL + "/"}, before)
	wantFiles(t, got, "index.html", "guide/wick.html", "guide/oil.html", "genindex.html", "api/index.html")
	if _, err := os.Stat(filepath.Join(got.folder, "../../oil.html")); err == nil {
		t.Error("a page was written outside of the folder")
	}
	// A file of the last fetch is gone: it is read again.
	if err := os.Remove(filepath.Join(first.folder, "guide", "oil.html")); err != nil {
		t.Fatal(err)
	}
	before = first.before()
	before.Digest = "sha256:another"
	got = fetch(t, f, source.Want{Address: h.URL + "/"}, before)
	wantFiles(t, got, "index.html", "guide/wick.html", "guide/oil.html", "genindex.html", "api/index.html")
}

// The encoding that only the server names is not lost.
func TestEncodings(t *testing.T) {
	t.Parallel()
	h := newHost(t, map[string]string{"/": "<html><body>" + prose("lamp") + "<a href=b>b</a><p>caf\xe9</p></body></html>",
		"/b": "<html><head><meta charset=iso-8859-1></head><body>" + prose("wick") + "<p>caf\xe9</p></body></html>"})
	h.types["/"] = "text/html; charset=iso-8859-1"
	h.types["/b"] = "text/html"
	got := add(t, h, "/")
	for _, name := range []string{"index.html", "b.html"} {
		if text := got.files[name]; !strings.HasPrefix(text, "\xef\xbb\xbf<link") || !strings.Contains(text, "café") {
			t.Errorf("%s: %q", name, text)
		}
	}
}
