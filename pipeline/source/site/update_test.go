package site_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"docent/pipeline/source"
	"docent/pipeline/source/web"
)

// wantUnchanged checks that an update finds nothing new, and returns what it asked for.
func wantUnchanged(t *testing.T, h *host, address string, before *source.Before) []string {
	t.Helper()
	f, _ := newFetcher(t, web.Options{PerSecond: -1}, h)
	h.requests()
	dir := t.TempDir()
	got, err := f.Fetch(t.Context(), source.Want{Address: address}, dir, before, nil)
	if !errors.Is(err, source.ErrUnchanged) {
		t.Fatalf("%v, failed are %+v", err, got.Failed)
	}
	if files := readFolder(t, dir); len(files) > 0 {
		t.Errorf("files were written: %v", files)
	}
	return h.requests()
}

func TestUpdateOfLinks(t *testing.T) {
	t.Parallel()
	h := newHost(t, sphinx())
	first := add(t, h, "/")
	h.sent = 0
	asked := wantUnchanged(t, h, h.URL+"/", first.before())
	if len(asked) != 5 || h.sent != 0 {
		t.Errorf("an update of 5 pages asks for %q, %d answers had a body", asked, h.sent)
	}

	// A page changes, one is new, one is gone, and one cannot be read now.
	h.set("/en/latest/guide/oil.html", doc("Oil — Lantern 2.1 documentation", "whale oil", "new.html"))
	h.set("/en/latest/guide/new.html", doc("New — Lantern 2.1 documentation", "new lamp"))
	h.remove("/en/latest/genindex.html")
	h.before = func(w http200, r *request) bool {
		if r.URL.Path == "/en/latest/api/" {
			w.WriteHeader(http.StatusBadGateway)
			return true
		}
		return false
	}
	f, _ := newFetcher(t, web.Options{PerSecond: -1}, h)
	got := fetch(t, f, source.Want{Address: h.URL + "/"}, first.before())
	wantFiles(t, got, "index.html", "guide/wick.html", "guide/oil.html", "guide/new.html", "api/index.html")
	if !strings.Contains(got.files["guide/oil.html"], "whale") || got.files["guide/wick.html"] != first.files["guide/wick.html"] {
		t.Error("the pages are not those of the site")
	}
	if len(got.Failed) != 2 || got.Digest == first.Digest || got.Name != first.Name {
		t.Errorf("failed are %+v; %+v", got.Failed, got.Origin)
	}
	// The same page by a second name, not written again.
	a, err := os.Stat(filepath.Join(first.folder, "guide/wick.html"))
	if err != nil {
		t.Fatal(err)
	}
	if b, err := os.Stat(filepath.Join(got.folder, "guide/wick.html")); err != nil || !os.SameFile(a, b) {
		t.Errorf("the file is not the same: %v", err)
	}
}

func TestUpdateOfSitemap(t *testing.T) {
	t.Parallel()
	h := mkdocs(t)
	first := add(t, h, "/docs/")
	if asked := wantUnchanged(t, h, h.URL+"/docs/", first.before()); !slices.Equal(asked, []string{"/docs/sitemap.xml"}) {
		t.Errorf("an update with a sitemap as it was asks for %q", asked)
	}
	// One date is new, one page is gone, and one is new.
	h.set("/docs/boil/", doc("Boil - Kettle", "kettle on the boil"))
	h.set("/docs/clean/", doc("Clean - Kettle", "clean kettle"))
	h.set("/docs/sitemap.xml", sitemap(h.URL, "/docs/ 2026-01-01", "/docs/boil/ 2026-02-01", "/docs/clean/ 2026-02-01"))
	f, clock := newFetcher(t, web.Options{PerSecond: -1}, h)
	got := fetch(t, f, source.Want{Address: h.URL + "/docs/"}, first.before())
	wantFiles(t, got, "index.html", "boil/index.html", "clean/index.html")
	asked := h.requests()
	if slices.Contains(asked, "/docs/") || !slices.Contains(asked, "/docs/boil/") || slices.Contains(asked, "/robots.txt") {
		t.Errorf("it asks for %q", asked)
	}
	// robots.txt is read again after a day, and holds.
	h.set("/robots.txt", "User-agent: docent\nDisallow: /docs/boil/\n")
	h.set("/docs/sitemap.xml", sitemap(h.URL, "/docs/ 2026-01-01", "/docs/boil/ 2026-02-03", "/docs/clean/ 2026-02-01"))
	_ = clock.sleep(context.Background(), 25*time.Hour)
	got = fetch(t, f, source.Want{Address: h.URL + "/docs/"}, got.before())
	wantFiles(t, got, "index.html", "clean/index.html")
}

// Without dates, every page is asked. A server may give the same page anew.
func TestUpdateWithoutDatesAndTags(t *testing.T) {
	t.Parallel()
	h := mkdocs(t)
	h.pages["/docs/sitemap.xml"] = sitemap(h.URL, "/docs/", "/docs/boil/", "/docs/pour/")
	h.before = func(w http200, r *request) bool {
		r.Header.Del("If-None-Match")
		return false
	}
	first := add(t, h, "/docs/")
	if asked := wantUnchanged(t, h, h.URL+"/docs/", first.before()); len(asked) != 4 {
		t.Errorf("it asks for %q", asked)
	}
	// The same ETag with other content: what comes counts, not what it is called.
	h.before = func(w http200, r *request) bool {
		if r.URL.Path != "/docs/pour/" {
			return false
		}
		w.Header().Set("ETag", `"always"`)
		fmt.Fprint(w, doc("Pour - Kettle", "poured out"))
		return true
	}
	f, _ := newFetcher(t, web.Options{PerSecond: -1}, h)
	got := fetch(t, f, source.Want{Address: h.URL + "/docs/"}, first.before())
	if wantFiles(t, got, "index.html", "boil/index.html", "pour/index.html"); !strings.Contains(got.files["pour/index.html"], "poured out") {
		t.Error("the page is the old one")
	}
}

func TestUpdateOfLLMs(t *testing.T) {
	t.Parallel()
	h := newHost(t, map[string]string{"/a.md": "# A\n\nThe first page.\n", "/b.md": "# B\n\nThe second page.\n", "/llms.txt": "# Two\n\n- [A](a.md)\n- [B](b.md)\n"})
	first := add(t, h, "/llms.txt")
	wantFiles(t, first, "a.md", "b.md")
	if asked := wantUnchanged(t, h, h.URL+"/llms.txt", first.before()); len(asked) != 3 || h.sent != 3 {
		t.Errorf("it asks for %q, and %d answers had a body", asked, h.sent)
	}
	h.set("/c.md", "# C\n\nThe third page.\n")
	h.set("/llms.txt", "# Three\n\n- [A](a.md)\n- [C](c.md)\n")
	f, _ := newFetcher(t, web.Options{PerSecond: -1}, h)
	wantFiles(t, fetch(t, f, source.Want{Address: h.URL + "/llms.txt"}, first.before()), "a.md", "c.md")
}

// A site that fails, or that has one text for all addresses, is no update.
func TestUpdateOfErrors(t *testing.T) {
	t.Parallel()
	pages := map[string]string{"/": doc("Home", "home", "p/0", "p/1", "p/2", "p/3", "p/4", "p/5", "p/6", "p/7", "p/8", "p/9", "p/10", "p/11")}
	for i := range 12 {
		pages[fmt.Sprintf("/p/%d", i)] = doc("P", "page "+strings.Repeat("x", i))
	}
	h := newHost(t, pages)
	first := add(t, h, "/")
	f, _ := newFetcher(t, web.Options{PerSecond: -1}, h)
	for words, answer := range map[string]func(http200, *request) bool{
		"could not be read": func(w http200, r *request) bool { w.WriteHeader(http.StatusForbidden); return true },
		"one text at many":  func(w http200, r *request) bool { fmt.Fprint(w, doc("Closed", "closed shop")); return true },
		"broke":             func(w http200, r *request) bool { panic(http.ErrAbortHandler) },
	} {
		h.answer(answer)
		_, err := f.Fetch(t.Context(), source.Want{Address: h.URL + "/"}, t.TempDir(), first.before(), nil)
		var failure *source.Error
		if words == "broke" {
			words = "could not be read" // fewer pages than end a fetch
		}
		if !errors.As(err, &failure) || !strings.Contains(err.Error(), words) {
			t.Errorf("%v, want %q", err, words)
		}
	}
}

// many is a site of n pages, each of which leads to the next ones.
func many(n int) map[string]string {
	pages := map[string]string{}
	for i := range n {
		var links []string
		for j := 1; j <= 8; j++ {
			if to := i*8 + j; to < n {
				links = append(links, fmt.Sprintf("/docs/p%d.html", to))
			}
		}
		subject := "thing"
		for k := i + 1; k > 0; k /= 26 {
			subject += string(rune('a' + k%26))
		}
		pages[fmt.Sprintf("/docs/p%d.html", i)] = doc(fmt.Sprintf("Page %d", i), subject, links...)
	}
	return pages
}

// An interrupted fetch goes on where it ended, with the same files as one that was not.
func TestInterruptedFetchGoesOn(t *testing.T) {
	t.Parallel()
	const n = 120
	h := newHost(t, many(n))
	whole := add(t, h, "/docs/p0.html")
	if len(whole.files) != n {
		t.Fatalf("%d pages, %+v", len(whole.files), whole.LeftOut)
	}
	f, _ := newFetcher(t, web.Options{PerSecond: -1}, h)
	dir := t.TempDir()
	want := source.Want{Address: h.URL + "/docs/p0.html"}
	h.requests()
	total := 0
	for stop := 20; ; stop += 35 {
		ctx, cancel := context.WithCancel(t.Context())
		var told atomic.Int64
		got, err := f.Fetch(ctx, want, dir, nil, func(p source.Progress) {
			if told.Add(1); p.Done >= stop {
				cancel()
			}
		})
		cancel()
		total += len(h.requests())
		if err == nil {
			if told.Load() == 0 || got.Digest != whole.Digest || got.Files != n {
				t.Errorf("%+v, want the digest %s", got.Origin, whole.Digest)
			}
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if stop == 55 { // the process died while it wrote a line
			file := filepath.Join(dir, ".docent-fetch", "journal")
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, append(raw, `{"asked":"http`...), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "p3.html"), []byte("damaged"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	// Each try asks for the rules, the first page and the lists, and reads a few pages ahead.
	if total > n+60 {
		t.Errorf("%d requests for %d pages", total, n)
	}
	got := readFolder(t, dir)
	for name, text := range whole.files {
		if got[name] != text {
			t.Errorf("%s differs", name)
		}
	}
	if len(got) != n {
		t.Errorf("%d files", len(got))
	}
	// What another fetch left is not used.
	if err := os.MkdirAll(filepath.Join(dir, ".docent-fetch"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".docent-fetch", "journal"), []byte("{}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	h.set("/docs/p0.html", doc("One", "one page"))
	if got, err := f.Fetch(t.Context(), want, dir, nil, nil); err != nil || got.Files != 1 || len(readFolder(t, dir)) != 1 {
		t.Errorf("%+v, %v", got.Origin, err)
	}
}

// Every page that can be had is there, and the others are named.
func TestFaults(t *testing.T) {
	t.Parallel()
	const n = 1000
	h := newHost(t, nil)
	h.pages = many(n)
	// Links of a tree: without a page, those below it would not be found.
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf("/docs/p%d.html", i))
	}
	h.pages["/docs/"] = doc("All", "all pages", all...)
	tries := make([]atomic.Int64, n)
	h.before = func(w http200, r *request) bool {
		var i int
		if _, err := fmt.Sscanf(r.URL.Path, "/docs/p%d.html", &i); err != nil {
			return false
		}
		first := tries[i].Add(1) == 1
		switch {
		case i%50 == 7: // 2 %: always
			w.WriteHeader(http.StatusInternalServerError)
		case i%97 == 3 && first:
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
		case i%101 == 5 && first: // a reset
			panic(http.ErrAbortHandler)
		case i%103 == 11 && first: // breaks off in the middle
			w.Header().Set("Content-Length", "100000")
			fmt.Fprint(w, "<html>")
			panic(http.ErrAbortHandler)
		case i%499 == 13 && first: // slow
			w.WriteHeader(http.StatusOK)
			fmt.Fprint(w, "<")
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		default:
			return false
		}
		return true
	}
	f, _ := newFetcher(t, web.Options{PerSecond: -1, Stall: 2 * time.Second}, h)
	got := fetch(t, f, source.Want{Address: h.URL + "/docs/"}, nil)
	if len(got.files) != n+1-n/50 || len(got.Failed) != n/50 {
		t.Errorf("%d pages, %d failed: %+v", len(got.files), len(got.Failed), got.Failed)
	}
	for _, failed := range got.Failed {
		if !strings.Contains(failed.Reason, "500 Internal Server Error") {
			t.Errorf("%+v", failed)
		}
	}
	// The next fetch tries those again.
	h.answer(nil)
	got = fetch(t, f, source.Want{Address: h.URL + "/docs/"}, got.before())
	if len(got.files) != n+1 || len(got.Failed) != 0 {
		t.Errorf("%d pages, %d failed: %+v", len(got.files), len(got.Failed), got.Failed)
	}
}

// A site that does not answer any more ends the fetch, and what came is kept for the next one.
func TestSiteThatIsGone(t *testing.T) {
	t.Parallel()
	h := newHost(t, many(200))
	var n atomic.Int64
	h.before = func(w http200, r *request) bool {
		if n.Add(1) > 80 {
			panic(http.ErrAbortHandler)
		}
		return false
	}
	f, _ := newFetcher(t, web.Options{PerSecond: -1}, h)
	dir := t.TempDir()
	_, err := f.Fetch(t.Context(), source.Want{Address: h.URL + "/docs/p0.html"}, dir, nil, nil)
	var failure *source.Error
	if !errors.As(err, &failure) || failure.Do == "" {
		t.Fatal(err)
	}
	h.answer(nil)
	h.requests()
	got, err := f.Fetch(t.Context(), source.Want{Address: h.URL + "/docs/p0.html"}, dir, nil, nil)
	if err != nil || got.Files != 200 || len(h.requests()) > 160 {
		t.Errorf("%+v, %v", got.Origin, err)
	}
}

// 500 pages with no delay, and an update of them where nothing changed.
func BenchmarkSite(b *testing.B) {
	for _, kind := range []string{"links", "sitemap"} {
		h := newHost(b, many(500))
		address := h.URL + "/docs/p0.html"
		if kind == "sitemap" {
			var entries []string
			for i := range 500 {
				entries = append(entries, fmt.Sprintf("/docs/p%d.html 2026-01-01", i))
			}
			h.pages["/docs/sitemap.xml"] = sitemap(h.URL, entries...)
		}
		f, _ := newFetcher(b, web.Options{PerSecond: -1}, h)
		var before *source.Before
		b.Run(kind+"/add", func(b *testing.B) {
			for b.Loop() {
				dir := b.TempDir()
				got, err := f.Fetch(b.Context(), source.Want{Address: address}, dir, nil, nil)
				if err != nil || got.Files != 500 {
					b.Fatal(got.Files, err)
				}
				if before == nil {
					before = &source.Before{Origin: got.Origin, Folder: keepFolder(b, dir), State: got.State}
				}
			}
		})
		b.Run(kind+"/update", func(b *testing.B) {
			for b.Loop() {
				if _, err := f.Fetch(b.Context(), source.Want{Address: address}, b.TempDir(), before, nil); !errors.Is(err, source.ErrUnchanged) {
					b.Fatal(err)
				}
			}
		})
	}
}

// keepFolder copies a folder so that it outlives the benchmark that made it.
func keepFolder(b *testing.B, dir string) string {
	b.Helper()
	to, err := os.MkdirTemp("", "site")
	if err == nil {
		err = os.CopyFS(to, os.DirFS(dir))
	}
	if err != nil {
		b.Fatal(err)
	}
	return to
}
