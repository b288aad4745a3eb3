package site_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"docent/pipeline/source"
	"docent/pipeline/source/site"
	"docent/pipeline/source/web"
)

// host is a web site on this machine. Its answers have an ETag and honour it.
type host struct {
	*httptest.Server
	mutex sync.Mutex
	pages map[string]string // by path
	types map[string]string // content types, by path; HTML without one
	asked []string          // the paths that were asked for
	sent  int               // answers that were no 304
	// before answers in place of the pages where it returns true.
	before func(w http.ResponseWriter, r *http.Request) bool
}

func newHost(t testing.TB, pages map[string]string) *host {
	t.Helper()
	h := &host{pages: pages, types: map[string]string{}}
	h.Server = httptest.NewServer(h)
	t.Cleanup(h.Close)
	return h
}

func (h *host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mutex.Lock()
	h.asked = append(h.asked, r.URL.RequestURI())
	text, ok := h.pages[r.URL.Path]
	kind, before := h.types[r.URL.Path], h.before
	h.mutex.Unlock()
	if before != nil && before(w, r) {
		return
	}
	switch to, leads := strings.CutPrefix(text, "-> "); {
	case !ok:
		http.NotFound(w, r)
		return
	case leads:
		http.Redirect(w, r, to, http.StatusFound)
		return
	}
	tag := fmt.Sprintf(`"%d-%x"`, len(text), checksum(text))
	w.Header().Set("ETag", tag)
	if r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.mutex.Lock()
	h.sent++
	h.mutex.Unlock()
	switch {
	case kind != "":
	case strings.HasPrefix(text, "%PDF-"):
		kind = "application/pdf"
	case strings.HasSuffix(r.URL.Path, ".txt"):
		kind = "text/plain"
	case strings.HasSuffix(r.URL.Path, ".md"):
		kind = "text/markdown; charset=utf-8"
	case strings.HasSuffix(r.URL.Path, ".xml"):
		kind = "application/xml"
	default:
		kind = "text/html; charset=utf-8"
	}
	w.Header().Set("Content-Type", kind)
	fmt.Fprint(w, text)
}

func checksum(text string) (sum uint32) {
	for _, c := range []byte(text) {
		sum = sum*31 + uint32(c)
	}
	return sum
}

// answer sets the function that answers in place of the pages. Handlers of an earlier request
// may still run.
func (h *host) answer(before func(w http.ResponseWriter, r *http.Request) bool) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.before = before
}

func (h *host) set(path, text string) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.pages[path] = text
}

func (h *host) remove(path string) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	delete(h.pages, path)
}

// requests are the paths that were asked for since the last call.
func (h *host) requests() []string {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	out := h.asked
	h.asked = nil
	return out
}

// clock is a time that only sleeping moves on.
type clock struct {
	mutex sync.Mutex
	at    time.Time
}

func (c *clock) now() time.Time {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.at
}

func (c *clock) sleep(ctx context.Context, d time.Duration) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.at = c.at.Add(d)
	return ctx.Err()
}

// newFetcher makes a fetcher that may read the given hosts and does not wait.
func newFetcher(t testing.TB, opt web.Options, hosts ...*host) (*site.Fetcher, *clock) {
	t.Helper()
	c := &clock{at: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	opt.Agent, opt.Now, opt.Sleep = web.Agent("test", "tests"), c.now, c.sleep
	for _, h := range hosts {
		u, err := url.Parse(h.URL)
		if err != nil {
			t.Fatal(err)
		}
		opt.Policy.Private = append(opt.Policy.Private, web.HostPort(u))
	}
	client, err := web.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return site.New(client), c
}

// fetched is what a fetch brought, with its files.
type fetched struct {
	source.Fetched
	folder string
	files  map[string]string
}

// before is what the next fetch is given.
func (f fetched) before() *source.Before {
	return &source.Before{Origin: f.Origin, Folder: f.folder, State: f.State}
}

func (f fetched) names() []string {
	var out []string
	for name := range f.files {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// add fetches a site into a new folder.
func add(t *testing.T, h *host, below string) fetched {
	t.Helper()
	f, _ := newFetcher(t, web.Options{PerSecond: -1}, h)
	return fetch(t, f, source.Want{Address: h.URL + below}, nil)
}

func fetch(t *testing.T, f *site.Fetcher, want source.Want, before *source.Before) fetched {
	t.Helper()
	dir := t.TempDir()
	got, err := f.Fetch(t.Context(), want, dir, before, nil)
	if err != nil {
		t.Fatal(err)
	}
	return fetched{got, dir, readFolder(t, dir)}
}

// wantError checks that a site cannot be had, and why.
func wantError(t *testing.T, h *host, below, words string) *source.Error {
	t.Helper()
	f, _ := newFetcher(t, web.Options{PerSecond: -1}, h)
	_, err := f.Fetch(t.Context(), source.Want{Address: h.URL + below}, t.TempDir(), nil, nil)
	var failure *source.Error
	if !errors.As(err, &failure) || !strings.Contains(err.Error(), words) || failure.Do == "" {
		t.Fatalf("%s: %v; want a source.Error with %q and what to do", below, err, words)
	}
	return failure
}

func readFolder(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(p)
		rel, _ := filepath.Rel(dir, p)
		out[filepath.ToSlash(rel)] = string(raw)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func wantFiles(t *testing.T, got fetched, want ...string) {
	t.Helper()
	slices.Sort(want)
	if names := got.names(); !slices.Equal(names, want) {
		t.Errorf("the files are\n\t%q, want\n\t%q\nfailed %+v, left out %+v", names, want, got.Failed, got.LeftOut)
	}
}

func leftOut(got fetched, reason string) int {
	for _, l := range got.LeftOut {
		if strings.Contains(l.Reason, reason) {
			return l.Count
		}
	}
	return 0
}

// prose is the text of a page, different for each subject.
func prose(subject string) string {
	var b strings.Builder
	for _, verb := range []string{"clean", "fill", "light", "carry", "mend", "store", "sell"} {
		fmt.Fprintf(&b, "<p>How to %s a %s: take the %s in one hand and %s it slowly, as %s of old did.</p>\n", verb, subject, subject, verb, subject)
	}
	return b.String()
}

func doc(title, subject string, links ...string) string {
	var b strings.Builder
	for _, l := range links {
		fmt.Fprintf(&b, `<a href="%s">a link</a> `, l)
	}
	return "<!DOCTYPE html>\n<html lang=en><head><title>" + title + "</title></head>\n<body><h1>" + subject + "</h1>" + prose(subject) + b.String() +
		"</body></html>\n"
}
