package sourcing_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"docent/pipeline/ingest"
	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
	"docent/pipeline/service/locate"
	"docent/pipeline/service/servicetest"
	"docent/pipeline/service/sourcing"
	"docent/pipeline/source"
	"docent/store/doc"
)

// shelf is a source in memory.
type shelf struct {
	state   int // counts its changes
	files   map[string]string
	more    map[string]string // that Complete brings
	root    string
	release string
	fails   error
	half    bool // it fails when half of its files are written
	found   []string
	asked   int
	strict  bool // it was asked by somebody else
	at      []source.FileAddress
	left    []source.LeftOut
}

func (s *shelf) Fetch(_ context.Context, w source.Want, into string, before *source.Before, say func(source.Progress)) (source.Fetched, error) {
	s.asked++
	s.strict = w.Strict
	if s.fails != nil {
		return source.Fetched{}, s.fails
	}
	commit := fmt.Sprint(s.state)
	if before != nil && before.Commit == commit {
		return source.Fetched{}, source.ErrUnchanged
	}
	left, err := os.ReadDir(into)
	for _, e := range left {
		s.found = append(s.found, e.Name())
		err = errors.Join(err, os.RemoveAll(filepath.Join(into, e.Name())))
	}
	out := source.Fetched{Origin: source.Origin{Commit: commit, URL: w.Address, Licence: "CC0"}, Name: "Lantern", Release: s.release, Root: s.root,
		State: []byte("state " + commit), Addresses: s.at, LeftOut: s.left}
	for i, name := range slices.Sorted(maps.Keys(s.files)) {
		if s.half && i == len(s.files)/2 {
			return source.Fetched{}, &source.Error{Source: w.Address, Reason: "it broke off", Do: "try again", Err: errors.New("reset")}
		}
		file := filepath.Join(into, filepath.FromSlash(name))
		err = errors.Join(err, os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(s.files[name]), 0o600))
		say(source.Progress{Text: name, Done: i, Total: len(s.files)})
		out.Files++
	}
	return out, err
}

func (s *shelf) Complete(_ context.Context, _ source.Want, folder string, paths []string, _ func(source.Progress)) (n int, err error) {
	for _, p := range paths {
		if text, ok := s.more[p]; ok {
			file := filepath.Join(folder, filepath.FromSlash(p))
			err = errors.Join(err, os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600))
			delete(s.more, p)
			n++
		}
	}
	return n, err
}

func lantern() *shelf {
	return &shelf{root: "docs", release: "2", files: map[string]string{
		"docs/wick.md": "# The wick\n\nTrim it each evening.\n", "docs/oil.md": "# Oil\n\nFill it twice.\n", "docs/glass.md": "# Glass\n\nPolish it.\n",
	}}
}

const address = "https://example.org/lantern.git"

func open(t *testing.T, s *shelf) *servicetest.Home {
	t.Helper()
	return openAt(t, s, func(*sourcing.Options) {})
}

// openAt is open with changed options.
func openAt(t *testing.T, s *shelf, change func(*sourcing.Options)) *servicetest.Home {
	t.Helper()
	options := sourcing.Options{
		Now:      func() time.Time { return time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC) },
		Fetchers: map[string]source.Fetcher{source.KindGit: s},
		Explain: func(w source.Want) (source.Want, error) {
			if w.Address != "lantern" {
				return w, &source.Error{Source: w.Address, Reason: "no recipe has this name", Do: "look at docent sources"}
			}
			return source.Want{Kind: source.KindGit, Address: address, Version: w.Version, URLBase: "https://lantern.example/{page}/"}, nil
		},
	}
	change(&options)
	return servicetest.Open(t, servicetest.Options{Sources: options})
}

func add(t *testing.T, h *servicetest.Home, req sourcing.AddRequest, w home.Watch) (sourcing.Added, error) {
	t.Helper()
	if req.Source == "" {
		req.Source = address
	}
	return h.Sourcing.Add(t.Context(), req, w)
}

// notes keeps the notes for a person.
type notes []string

func (n *notes) watch() home.Watch {
	return home.Watch{Note: func(format string, args ...any) { *n = append(*n, fmt.Sprintf(format, args...)) }}
}

func readPage(t *testing.T, h *servicetest.Home, ref, page string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(h.Set(ref).Root, page))
	if err != nil {
		t.Error(err)
	}
	return string(raw)
}

// A source becomes a doc set that says where it is from; adding it again, and an update, take
// its changes and nothing else.
func TestASourceIsAddedAndUpdated(t *testing.T) {
	t.Parallel()
	s := lantern()
	h := open(t, s)
	out, err := add(t, h, sourcing.AddRequest{}, home.Watch{})
	if err != nil || len(out.Sets) != 1 || out.Sets[0].Set != "Lantern@2" || out.Sets[0].Added != 3 {
		t.Fatalf("%v: %+v", err, out)
	}
	infos, err := h.Library.Sets(t.Context(), []string{"Lantern"})
	if err != nil {
		t.Fatal(err)
	}
	if o := infos.Sets[0].Origin; o == nil || o.Source != address || o.Commit != "0" || o.Licence != "CC0" || o.Kind != source.KindGit ||
		o.Fetched.Year() != 2026 {
		t.Errorf("its origin is %+v", o)
	}
	if out, err = add(t, h, sourcing.AddRequest{}, home.Watch{}); err != nil || out.Sets[0].Touched() {
		t.Errorf("the same again: %v, %+v", err, out)
	}
	s.state, s.files["docs/oil.md"], s.files["docs/fog.md"] = 1, "# Oil\n\nFill it thrice.\n", "# Fog\n\nRing the bell.\n"
	up, err := h.Sourcing.Update(t.Context(), sourcing.UpdateRequest{Offline: true}, home.Watch{})
	if err != nil || s.asked != 2 || up.Sets[len(up.Sets)-1].Touched() {
		t.Errorf("offline: %v, %+v", err, up)
	}
	up, err = h.Sourcing.Update(t.Context(), sourcing.UpdateRequest{}, home.Watch{})
	if r := up.Sets[len(up.Sets)-1]; err != nil || r.Added != 1 || r.Changed != 1 || r.Unchanged != 2 {
		t.Errorf("the update: %v, %+v", err, r)
	}
	if text := readPage(t, h, "Lantern", "oil.md"); !strings.Contains(text, "thrice") {
		t.Errorf("oil.md is %q", text)
	}
}

// A page of plain text cannot say its address: it has that of the source, in the index and where it
// is read, and not one that follows from its name.
func TestAFileHasTheAddressOfItsSource(t *testing.T) {
	t.Parallel()
	s := lantern()
	s.files["docs/storms.txt"] = "Storms\n\n" + strings.Repeat("When the storm comes, ring the bell and shut the lantern room. Then wait for the morning.\n\n", 8)
	s.at = []source.FileAddress{{File: "storms.txt", Address: "https://lantern.example/storms.txt?v=2"}}
	h := open(t, s)
	if _, err := add(t, h, sourcing.AddRequest{URLBase: "https://lantern.example/"}, home.Watch{}); err != nil {
		t.Fatal(err)
	}
	set := h.Set("Lantern")
	for file, want := range map[string]string{"storms.txt": "https://lantern.example/storms.txt?v=2", "wick.md": "https://lantern.example/wick/"} {
		d, err := h.Home.Corpus.Catalog.ByPath(t.Context(), set.ID, file)
		if err != nil || d.URL != want {
			t.Errorf("%s is listed at %q, want %q: %v", file, d.URL, want, err)
			continue
		}
		if p, err := h.Home.Corpus.Page(t.Context(), set, file); err != nil || p.Doc.URL != want {
			t.Errorf("%s is read at %q, want %q: %v", file, p.Doc.URL, want, err)
		}
	}
}

// A source that cannot be had, or that has far less than before, leaves the documents as they
// are, and a note says so.
func TestASourceThatFailsReplacesNothing(t *testing.T) {
	t.Parallel()
	s := lantern()
	h := open(t, s)
	if _, err := add(t, h, sourcing.AddRequest{}, home.Watch{}); err != nil {
		t.Fatal(err)
	}
	all := s.files
	for name, spoil := range map[string]func(){
		"2026-03-04: " + address + ": no network": func() {
			s.fails = &source.Error{Source: address, Reason: "no network", Do: "try again", Err: errors.New("down")}
		},
		"it broke off":                func() { s.half = true },
		"it has 1 file now and had 3": func() { s.files = map[string]string{"docs/wick.md": "# Gone\n"} },
		"its pages lie in guide now": func() {
			s.root = "guide"
			s.files = map[string]string{"guide/a.md": "", "guide/b.md": "", "guide/c.md": ""}
		},
		"it has 0 files now and had 3;": func() { s.files = nil },
	} {
		s.state++
		spoil()
		var told notes
		up, err := h.Sourcing.Update(t.Context(), sourcing.UpdateRequest{}, told.watch())
		if err != nil || len(up.Sets) != 1 || up.Sets[0].Touched() || len(told) != 1 || !strings.Contains(told[0], name) {
			t.Errorf("%s: %v, %+v, told %q", name, err, up, told)
		}
		if text := readPage(t, h, "Lantern", "wick.md"); !strings.Contains(text, "each evening") {
			t.Errorf("%s: wick.md is %q", name, text)
		}
		s.fails, s.half, s.files, s.root = nil, false, all, "docs"
	}
	s.state++
	s.files = map[string]string{"docs/wick.md": "# Gone\n"}
	if up, err := h.Sourcing.Update(t.Context(), sourcing.UpdateRequest{Force: true}, home.Watch{}); err != nil || up.Sets[0].Removed != 2 {
		t.Errorf("by force: %v, %+v", err, up)
	}
}

// Within sources.check_every an update of all doc sets leaves a source alone and says so; one
// that names the doc set or is forced asks.
func TestASourceIsNotAskedTooOften(t *testing.T) {
	t.Parallel()
	s := lantern()
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	h := openAt(t, s, func(o *sourcing.Options) { o.CheckEvery, o.Now = 24*time.Hour, func() time.Time { return now } })
	if _, err := add(t, h, sourcing.AddRequest{}, home.Watch{}); err != nil {
		t.Fatal(err)
	}
	update := func(req sourcing.UpdateRequest, later time.Duration) (asked int, told notes) {
		t.Helper()
		before := s.asked
		now = now.Add(later)
		if _, err := h.Sourcing.Update(t.Context(), req, told.watch()); err != nil {
			t.Error(err)
		}
		return s.asked - before, told
	}
	named := sourcing.UpdateRequest{UpdateRequest: library.UpdateRequest{Sets: []string{"Lantern"}}}
	for _, c := range []struct {
		about string
		req   sourcing.UpdateRequest
		later time.Duration
		asked int
	}{{"soon", sourcing.UpdateRequest{}, time.Hour, 0}, {"named", named, 0, 1}, {"forced", sourcing.UpdateRequest{Force: true}, 0, 1},
		{"23 hours after it was asked", sourcing.UpdateRequest{}, 23 * time.Hour, 0}, {"a day after", sourcing.UpdateRequest{}, time.Hour, 1},
		{"soon after an update without changes", sourcing.UpdateRequest{}, time.Hour, 0}, {"a clock that was ahead", sourcing.UpdateRequest{}, -72 * time.Hour, 1}} {
		asked, told := update(c.req, c.later)
		said := len(told) == 1 && strings.Contains(told[0], "not asked again within 24h0m0s") && strings.Contains(told[0], "Lantern@2")
		if asked != c.asked || said != (c.asked == 0) {
			t.Errorf("%s: asked %d times, told %q", c.about, asked, told)
		}
	}
}

// What an interrupted fetch left is there for the next try; nothing else of it is.
func TestAnInterruptedFetch(t *testing.T) {
	t.Parallel()
	s := lantern()
	s.half = true
	h := open(t, s)
	if _, err := add(t, h, sourcing.AddRequest{}, home.Watch{}); err == nil || !strings.Contains(err.Error(), "it broke off; try again") {
		t.Fatalf("the error is %v", err)
	}
	if len(h.Names()) != 0 {
		t.Errorf("doc sets are %v", h.Names())
	}
	s.half = false
	if _, err := add(t, h, sourcing.AddRequest{}, home.Watch{}); err != nil || !slices.Equal(s.found, []string{"docs"}) {
		t.Errorf("the next try found %v: %v", s.found, err)
	}
	staged, err := os.ReadDir(filepath.Join(h.Dir, home.SourcesFolder, ".next"))
	if err != nil || slices.ContainsFunc(staged, os.DirEntry.IsDir) {
		t.Errorf("left are %v, %v", staged, err)
	}
}

// A name belongs to one source, and names can be chosen.
func TestNamesOfSources(t *testing.T) {
	t.Parallel()
	s := lantern()
	h := open(t, s)
	h.Add("Lantern@2", map[string]string{"a.md": "# A\n"})
	_, err := add(t, h, sourcing.AddRequest{}, home.Watch{})
	if taken, ok := errors.AsType[*library.TakenError](err); !ok || taken.Ref != (doc.Ref{Name: "Lantern", Version: "2"}) {
		t.Errorf("a folder has the name: %v", err)
	}
	if out, err := add(t, h, sourcing.AddRequest{Name: "Lamp", Version: "next"}, home.Watch{}); err != nil || out.Sets[0].Set != "Lamp@next" {
		t.Errorf("%v: %+v", err, out)
	}
	_, err = add(t, h, sourcing.AddRequest{Source: "https://example.org/other.git", Name: "Lamp", Version: "next"}, home.Watch{})
	if taken, ok := errors.AsType[*library.TakenError](err); !ok || taken.Root != address {
		t.Errorf("another source has the name: %v", err)
	}
	if out, err := add(t, h, sourcing.AddRequest{Source: "lantern@v1.2"}, home.Watch{}); err != nil || out.Sets[0].Set != "Lantern@1.2" {
		t.Errorf("of a recipe: %v, %+v", err, out)
	} else if infos, _ := h.Library.Sets(t.Context(), []string{"Lantern@1.2"}); infos.Sets[0].URLBase != "https://lantern.example/{page}/" ||
		infos.Sets[0].Origin.Source != "lantern@v1.2" {
		t.Errorf("of a recipe: %+v", infos.Sets[0])
	}
	for _, bad := range []string{"reakt", "./nothing", "npm:react"} {
		if _, err := add(t, h, sourcing.AddRequest{Source: bad}, home.Watch{}); err == nil || !strings.Contains(err.Error(), "; ") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// A source without a page leaves nothing; a doc set that is forgotten takes its documents with
// it, and nothing else.
func TestForgettingASource(t *testing.T) {
	t.Parallel()
	s := lantern()
	h := open(t, s)
	all := s.files
	s.files = map[string]string{"docs/wick.png": "a picture"}
	if _, err := add(t, h, sourcing.AddRequest{}, home.Watch{}); err == nil || !strings.Contains(err.Error(), "no page was found in") {
		t.Errorf("without a page: %v", err)
	}
	s.files = map[string]string{"docs/index.html": "<title>Page not found</title><h1>Page not found</h1><p>Sorry, it does not exist.</p>"}
	var reports []ingest.Report
	watch := home.Watch{Report: func(r ingest.Report) { reports = append(reports, r) }}
	if _, err := add(t, h, sourcing.AddRequest{}, watch); err == nil || !strings.Contains(err.Error(), "no page in it can be read: index.html: ") ||
		len(h.Names())+len(reports) != 0 {
		t.Errorf("with a page that says that it was not found: %v, doc sets %v, reports %v", err, h.Names(), reports)
	}
	if left, err := os.ReadDir(filepath.Join(h.Dir, home.SourcesFolder)); err != nil || len(left) != 1 {
		t.Errorf("left are %v, %v", left, err)
	}
	s.state, s.files = 1, all
	if _, err := add(t, h, sourcing.AddRequest{}, home.Watch{}); err != nil {
		t.Fatal(err)
	}
	h.Add("Kelp@1", map[string]string{"a.md": "# A\n"})
	if _, err := h.Library.Remove(t.Context(), library.RemoveRequest{Sets: []string{"Lantern", "Kelp"}}); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(filepath.Join(h.Dir, home.SourcesFolder))
	if err != nil || len(left) != 1 || left[0].Name() != ".next" {
		t.Errorf("left are %v, %v", left, err)
	}
	if _, err := os.Stat(filepath.Join(h.Root("Kelp@1"), "a.md")); err != nil {
		t.Error(err)
	}
}

// What a source left out on purpose is counted, in a note and in the answer.
func TestWhatASourceLeavesOut(t *testing.T) {
	t.Parallel()
	s := lantern()
	s.left = []source.LeftOut{{Reason: "pages in other languages", Count: 7, Example: "https://lantern.example/de/"},
		{Reason: "pages of other versions", Count: 2}}
	h := open(t, s)
	var told notes
	out, err := add(t, h, sourcing.AddRequest{}, told.watch())
	want := address + ": left out: pages in other languages (7), pages of other versions (2)"
	if err != nil || !slices.Contains(told, want) || !slices.Equal(out.LeftOut, s.left) {
		t.Errorf("told %q, want %q; %+v, %v", told, want, out.LeftOut, err)
	}
}

// Texts that begin as addresses and packages do are sources, so that the fault in them is said; a
// path, a drive and a file of that name are none.
func TestTextsThatAreSources(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("note:1.md", nil, 0o600); err != nil && runtime.GOOS != "windows" {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{"npm:": true, "maven:": true, "ext::sh -c id": true, "https://": true, "react@19": true,
		"note:1.md": runtime.GOOS == "windows", "docs/lamps": false, `C:\docs`: false, "./x:y": false, "": false, "@19": false} {
		if got := sourcing.IsSource(text); got != want {
			t.Errorf("%q is a source: %v", text, got)
		}
	}
}

// What pages include from elsewhere in their source is fetched after them, and no page says
// that it is missing.
func TestIncludesOfASource(t *testing.T) {
	t.Parallel()
	s := lantern()
	s.files["docs/code.md"] = "# Code\n\n{{#include ../src/main.rs}}\n\n{{#include ../../origin.json}}\n"
	s.more = map[string]string{"src/main.rs": "fn trim_the_wick() {}\n"}
	// A page looks for a few missing files at a time.
	const many = 40
	for i := range many {
		s.files["docs/many.md"] += fmt.Sprintf("\n{{#include ../src/%d.rs}}\n", i)
		s.more[fmt.Sprintf("src/%d.rs", i)] = fmt.Sprintf("fn lamp_%d() {}\n", i)
	}
	h := open(t, s)
	var reports []ingest.Report
	w := home.Watch{Report: func(r ingest.Report) { reports = append(reports, r) }}
	if _, err := add(t, h, sourcing.AddRequest{}, w); err != nil {
		t.Fatal(err)
	}
	if len(reports) != 1 || slices.ContainsFunc(reports[0].Warnings, func(w string) bool { return strings.Contains(w, "main.rs") }) {
		t.Errorf("reports are %+v", reports)
	}
	page, err := h.Locate.ShownPage(t.Context(), locate.ReadRequest{Page: "Lantern@2/code.md"})
	if err != nil || !strings.Contains(string(page.Doc.Text), "trim_the_wick") || strings.Contains(string(page.Doc.Text), "licence") {
		t.Errorf("code.md is %+v, %v", page, err)
	}
	page, err = h.Locate.ShownPage(t.Context(), locate.ReadRequest{Page: "Lantern@2/many.md"})
	if err != nil || !strings.Contains(string(page.Doc.Text), fmt.Sprintf("lamp_%d()", many-1)) {
		t.Errorf("many.md is %s, %v", page.Doc.Text, err)
	}
	infos, err := h.Library.Sets(t.Context(), []string{"Lantern"})
	if err != nil || infos.Sets[0].Learned != nil {
		t.Errorf("the vectors are not those of all pages: %+v, %v", infos, err)
	}
}
