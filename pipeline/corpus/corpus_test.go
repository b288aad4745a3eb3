package corpus_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/contract/contracttest"
	"docent/pipeline/corpus"
	"docent/pipeline/corpus/corpustest"
	"docent/pipeline/ingest"
	"docent/store"
	"docent/store/doc"
)

var ctx = context.Background()

func TestResolve(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	for _, ref := range []string{"Harbour@1.9", "Harbour@1.10", "Beacon@2", "Beacon@latest", "Lantern@1", "lantern@1",
		"Pier@2025-10", "Pier@2026-11", "Pier@2026-02", "Quay@v2.0", "Quay@v1.31", "Quay@2.1-beta"} {
		r, _ := doc.ParseRef(ref)
		h.Register(store.Set{Ref: r, Root: "/nowhere", Layout: doc.LayoutTree, Domain: "tech_docs"})
	}
	tests := []struct {
		names string
		want  string // or what the error says
		fails bool
	}{
		{"Harbour@1.9", "Harbour@1.9", false},
		{"Harbour:1.9", "Harbour@1.9", false},
		{"Harbour", "Harbour@1.10", false}, // newer by number, not by letter
		{"Beacon", "Beacon@latest", false},
		{"beacon@2", "Beacon@2", false},
		{"lantern@1", "lantern@1", false},
		{"Lantern@1", "Lantern@1", false},
		{"LANTERN", "Lantern@1", false},
		{"Pier", "Pier@2026-11", false}, // all dates were once taken for equal
		{"Pier@202602", "Pier@2026-02", false},
		{"Quay", "Quay@2.1-beta", false}, // v2.0 was once older than v1.31
		{"quay@2.0", "Quay@v2.0", false},
		{"Beacon@2,Beacon:2,Harbour@1.9", "Beacon@2,Harbour@1.9", false},
		{"Harbour@2", "Harbour@1.10 or Harbour@1.9", true},
		{"Harbuor", "did you mean", true},
		{"Zzzzzz", "there is no doc set", true},
		{"", "is no name", true},
		{"../../etc", "not allowed", true},
		{"Beacon@", "empty version", true},
	}
	for _, tt := range tests {
		sets, err := h.Corpus.Resolve(ctx, strings.Split(tt.names, ","))
		if tt.fails {
			if e := contracttest.ErrorOf(err); err == nil || e.Code != contract.CodeInvalidRequest || !strings.Contains(e.Message, tt.want) {
				t.Errorf("%s: %v", tt.names, err)
			} else if (e.Remedy.Kind == contract.RemedyRun) != (tt.names == "Zzzzzz" || e.Details["nearest"] == nil) {
				t.Errorf("%s: the remedy is %+v", tt.names, e.Remedy)
			}
			continue
		}
		var got []string
		for _, s := range sets {
			got = append(got, s.Ref.String())
		}
		if err != nil || strings.Join(got, ",") != tt.want {
			t.Errorf("%s: %v, %v; want %s", tt.names, got, err, tt.want)
		}
	}
}

// A page's states as its file changes after it was indexed.
func TestStates(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	const text = "# Wicks\n\n> **Source**: https://lantern.example/wicks\n\nTrim them.\n"
	set := h.Add("Lantern@1", map[string]string{"wicks.md": text})
	file := filepath.Join(set.Root, "wicks.md")
	d, err := h.Catalog.ByPath(ctx, set.ID, "wicks.md")
	if err != nil {
		t.Fatal(err)
	}
	st, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	other := strings.Replace(text, "Trim", "Cut!", 1)
	write := func(text string) { h.Write(set, map[string]string{"wicks.md": text}) }
	for _, tt := range []struct {
		name    string
		do      func()
		state   corpus.State
		changed bool // according to a reader of the whole file
	}{
		{"untouched", func() {}, corpus.Same, false},
		{"written anew, the same", func() { write(text) }, corpus.Same, false},
		{"other content of the same size", func() { write(other) }, corpus.Changed, true},
		// The documented hole: only who reads the file whole sees it.
		{"other content of the same size and time", func() { write(other); _ = os.Chtimes(file, st.ModTime(), st.ModTime()) }, corpus.Same, true},
		{"longer", func() { write(text + "More.\n") }, corpus.Changed, true},
		{"a link", func() { _ = os.Remove(file); _ = os.Symlink("/etc/passwd", file) }, corpus.Gone, false},
		{"a folder", func() { _ = os.Remove(file); _ = os.Mkdir(file, 0o755) }, corpus.Gone, false},
		{"gone", func() { _ = os.Remove(file) }, corpus.Gone, false},
	} {
		tt.do()
		got, err := h.Corpus.State(t.Context(), set, d)
		if err != nil || got != tt.state {
			t.Errorf("%s: state %v, %v; want %v", tt.name, got, err, tt.state)
		}
		p, err := h.Corpus.Source(ctx, set, "wicks.md")
		if tt.state == corpus.Gone {
			if !errors.Is(err, corpus.ErrPageGone) {
				t.Errorf("%s: reading it gives %v", tt.name, err)
			}
			continue
		}
		if err != nil || p.Changed != tt.changed || p.Indexed != d.SHA256 || p.Doc.URL != "https://lantern.example/wicks" {
			t.Errorf("%s: %+v, %v", tt.name, p, err)
		}
	}
	if err := os.RemoveAll(set.Root); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Corpus.Source(ctx, set, "wicks.md"); !errors.Is(err, corpus.ErrPageGone) || !strings.Contains(err.Error(), "the whole folder") {
		t.Errorf("a page of a missing folder gives %v", err)
	}
	if _, err := h.Corpus.Source(ctx, set, "../../catalog.db"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a path out of the folder gives %v", err)
	}
}

// What a changed page is called, and where it came from, are as they are now.
func TestChangedPageSpeaksForItself(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	set := h.Add("Lantern@1", map[string]string{"w.md": "# Old\n"})
	h.Write(set, map[string]string{"w.md": "# New name\n\n> **Source**: https://lantern.example/new\n\ntext\n"})
	for name, read := range map[string]func() (*corpus.Page, error){
		"Source": func() (*corpus.Page, error) { return h.Corpus.Source(ctx, set, "w.md") },
		"Page":   func() (*corpus.Page, error) { return h.Corpus.Page(ctx, set, "w.md") },
	} {
		p, err := read()
		if err != nil || !p.Changed || p.Doc.Title != "New name" || p.Doc.URL != "https://lantern.example/new" {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
	}
}

// Pages are read from the doc set's folder and nowhere else, whatever the path
// or the links in it say.
func TestPassagesStayInside(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	set := h.Add("Lantern@1", map[string]string{"sub/w.md": "one\ntwo\nthree", "not-a-page.txt": "secret"})
	secret := filepath.Join(h.Dir, "docs", "secret.md")
	if err := os.WriteFile(secret, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		path  string
		lines [2]int
		want  string
	}{
		{"sub/w.md", [2]int{1, 1}, "one\n"},
		{"sub/w.md", [2]int{2, 3}, "two\nthree"},
		{"sub/w.md", [2]int{3, 1 << 40}, "three"},
		{"sub/w.md", [2]int{4, 4}, ""},
		{"sub/w.md", [2]int{0, 0}, ""},
		{"sub/w.md", [2]int{-1, 2}, ""},
		{"sub/w.md", [2]int{3, 2}, ""},
	} {
		got, err := h.Corpus.Passages(ctx, "Lantern@1", tt.path, [][2]int{tt.lines})
		if err != nil || len(got) != 1 || got[0] != tt.want {
			t.Errorf("%q %v: %q, %v; want %q", tt.path, tt.lines, got, err, tt.want)
		}
	}
	for _, path := range []string{"sub/../sub/w.md", "../secret.md", "../../../../../../../../etc/passwd", "/etc/passwd", "not-a-page.txt", "", ".",
		"\x00"} {
		if got, err := h.Corpus.Passages(ctx, "Lantern@1", path, [][2]int{{1, 1}}); err == nil || !strings.Contains(err.Error(), "no such page") {
			t.Errorf("%q: %q, %v", path, got, err)
		}
	}
	// The folder of an indexed page is replaced by a link to elsewhere.
	away := t.TempDir()
	if err := errors.Join(os.WriteFile(filepath.Join(away, "w.md"), []byte("secret"), 0o600),
		os.RemoveAll(filepath.Join(set.Root, "sub")), os.Symlink(away, filepath.Join(set.Root, "sub"))); err != nil {
		t.Fatal(err)
	}
	if got, err := h.Corpus.Passages(ctx, "Lantern@1", "sub/w.md", [][2]int{{1, 1}}); err == nil && got[0] != "" {
		t.Errorf("read behind a link: %q", got)
	}
	if p, err := h.Corpus.Source(ctx, set, "sub/w.md"); err == nil {
		t.Errorf("read behind a link: %q", p.Doc.Source)
	}
	if _, err := h.Corpus.Passages(ctx, "Nobody@1", "w.md", [][2]int{{1, 1}}); contracttest.ErrorOf(err).Code != contract.CodeInvalidRequest {
		t.Errorf("an unknown doc set gives %v", err)
	}
}

// A page that grew beyond all bounds since it was indexed is not read into
// memory.
func TestHugePageIsRefused(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	set := h.Add("Lantern@1", map[string]string{"w.md": "# W\n"})
	if err := os.Truncate(filepath.Join(set.Root, "w.md"), ingest.MaxFile+1); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Corpus.Source(ctx, set, "w.md"); err == nil || !strings.Contains(err.Error(), "64 MB") {
		t.Errorf("reading it gives %v", err)
	}
}

func TestSlicesOfAFileThatShrank(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	set := h.Add("Lantern@1", map[string]string{"w.md": "0123456789"})
	got, err := h.Corpus.Slices(t.Context(), set, "w.md", []doc.Span{{Start: 2, End: 4}, {Start: 8, End: 1 << 60}, {Start: 20, End: 30}, {Start: -5, End: 3}, {}})
	if want := []string{"23", "89", "", "", ""}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := h.Corpus.Slices(t.Context(), set, "gone.md", nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is gone gives %v", err)
	}
}

// One searches, another updates: the searches go on in the generation that they
// began with, and later ones see the new one.
func TestReadersOutliveUpdates(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	pages := corpustest.MakePages(20)
	set := h.Add("Lantern@1", pages)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				idf, err := h.Corpus.IDF(ctx, []string{"Lantern@1"}, []string{"lantern", "wick"})
				if err != nil || len(idf) != 2 || !(idf[0] > 0) {
					t.Errorf("idf %v, %v", idf, err)
					return
				}
			}
		})
	}
	for i := range 8 {
		h.Write(set, map[string]string{"new.md": "# New\n\n" + strings.Repeat("zeppelin ", i+1)})
		h.Update(set, false)
	}
	close(stop)
	wg.Wait()
	x, release, err := h.Corpus.Index(ctx, set)
	if err != nil {
		t.Fatal(err)
	}
	if n := x.Statistics().Documents; n != 21 {
		t.Errorf("the index has %d documents", n)
	}
	release()
	h.Forget(set)
	if err := h.Corpus.CheckIndex(ctx, set); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("the index of a forgotten set: %v", err)
	}
}
