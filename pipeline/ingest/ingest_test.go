package ingest_test

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"docent/pipeline"
	"docent/pipeline/corpus/corpustest"
	"docent/pipeline/ingest"
	"docent/pipeline/ingest/parse/formats"
	"docent/store"
	"docent/store/doc"
	"docent/store/lexical"
)

// counts are a report's numbers: added, changed, removed, unchanged, pages.
func counts(r ingest.Report) [5]int {
	return [5]int{r.Added, r.Changed, r.Removed, r.Unchanged, r.Pages}
}

// ids are a set's documents by path, and a check that the index holds the same.
func ids(t *testing.T, h *corpustest.Home, set store.Set) map[string]int64 {
	t.Helper()
	docs, err := h.Catalog.Documents(context.Background(), set.ID)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]int64{}
	var want []int64
	for _, d := range docs {
		out[d.Path] = d.ID
		want = append(want, d.ID)
	}
	slices.Sort(want)
	indexed, err := lexical.ReadContents(h.IndexDir(set.ID))
	if err != nil {
		t.Fatal(err)
	}
	if got := slices.Sorted(maps.Keys(indexed.Documents)); !slices.Equal(got, want) {
		t.Errorf("the index holds %v, the catalog %v", got, want)
	}
	return out
}

// The life of a doc set, one update after another.
func TestUpdates(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	set := h.Add("Lantern@1", map[string]string{"a.md": "# A\n\nalpha\n", "b.md": "# B\n\nbeta\n", "sub/c.markdown": "# C\n\ngamma\n",
		"notes.psd": "no page", ".hidden/d.md": "# D", "node_modules/e.md": "# E"})
	first := ids(t, h, set)
	if got := slices.Sorted(maps.Keys(first)); !slices.Equal(got, []string{"a.md", "b.md", "sub/c.markdown"}) {
		t.Fatalf("pages are %v", got)
	}
	file := func(path string) string { return filepath.Join(set.Root, path) }
	steps := []struct {
		name    string
		do      func()
		rebuild bool
		want    [5]int
		same    []string // pages that keep their ids
	}{
		{"nothing", func() {}, false, [5]int{0, 0, 0, 3, 3}, []string{"a.md", "b.md", "sub/c.markdown"}},
		{"a rebuild keeps the ids", func() {}, true, [5]int{0, 0, 0, 3, 3}, []string{"a.md", "b.md", "sub/c.markdown"}},
		{"another time, the same content", func() {
			if err := os.Chtimes(file("a.md"), time.Time{}, time.Unix(1e9, 0)); err != nil {
				t.Fatal(err)
			}
		}, false, [5]int{0, 0, 0, 3, 3}, []string{"a.md", "b.md", "sub/c.markdown"}},
		{"one changed, one new, one gone", func() {
			h.Write(set, map[string]string{"a.md": "# A\n\nalpha and more\n", "n.md": "# N\n"})
			h.Delete(set, "b.md")
		}, false, [5]int{1, 1, 1, 1, 3}, []string{"sub/c.markdown"}},
		{"a change and a rebuild", func() { h.Write(set, map[string]string{"n.md": "# N\n\nnu\n"}) }, true,
			[5]int{0, 1, 0, 2, 3}, []string{"a.md", "sub/c.markdown"}},
		{"a page becomes a link", func() {
			if err := errors.Join(os.Remove(file("n.md")), os.Symlink("/etc/passwd", file("n.md"))); err != nil {
				t.Fatal(err)
			}
		}, false, [5]int{0, 0, 1, 2, 2}, []string{"a.md", "sub/c.markdown"}},
		{"all gone", func() {
			h.Delete(set, "a.md")
			h.Delete(set, "sub/c.markdown")
		}, false, [5]int{0, 0, 2, 0, 0}, nil},
		{"one comes back", func() { h.Write(set, map[string]string{"a.md": "# A\n\nalpha\n"}) }, false, [5]int{1, 0, 0, 0, 1}, nil},
	}
	before := first
	for _, st := range steps {
		st.do()
		rep := h.Update(set, st.rebuild)
		if counts(rep) != st.want || rep.Rebuilt != st.rebuild {
			t.Errorf("%s: added, changed, removed, unchanged, pages are %v, want %v (rebuilt %v)", st.name, counts(rep), st.want, rep.Rebuilt)
		}
		now := ids(t, h, set)
		for _, path := range st.same {
			if now[path] != before[path] {
				t.Errorf("%s: %s had the id %d, has %d", st.name, path, before[path], now[path])
			}
		}
		for path, id := range now {
			if !slices.Contains(st.same, path) && slices.Contains(slices.Collect(maps.Values(before)), id) {
				t.Errorf("%s: %s has the id %d, which is used already", st.name, path, id)
			}
		}
		before = now
	}
	sets, err := h.Catalog.Sets(context.Background())
	if err != nil || sets[0].Documents != 1 || sets[0].Lines != 3 {
		t.Errorf("the set is counted as %+v, %v", sets, err)
	}
}

// A version of this program that parses otherwise has the index built again.
// The outline must then be of the same making, or the passages that are found
// point to the wrong lines.
func TestRebuildWritesOutlinesAgain(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	h := corpustest.New(t)
	set := h.Add("A@1", map[string]string{"a.md": "# A\n\none\n\n## B\n\ntwo\n"})
	d, err := h.Catalog.ByPath(ctx, set.ID, "a.md")
	if err != nil {
		t.Fatal(err)
	}
	old := *d
	old.Title, old.Outline = "As it once was", store.Outline{Sections: d.Outline.Sections[:1], Chunks: d.Outline.Chunks[:1]}
	if _, err := h.Catalog.Stage(ctx, []store.Document{old}); err != nil {
		t.Fatal(err)
	}
	if err := h.Catalog.Publish(ctx, store.Publication{SetID: set.ID}); err != nil {
		t.Fatal(err)
	}
	if d, err := h.Catalog.ByPath(ctx, set.ID, "a.md"); err != nil || d.ID != old.ID || d.Title != old.Title {
		t.Fatalf("the document is %+v, %v", d, err)
	}
	h.Update(set, true)
	now, err := h.Catalog.ByPath(ctx, set.ID, "a.md")
	if err != nil || now.ID != d.ID || now.Title != "A" || len(now.Outline.Chunks) != len(d.Outline.Chunks) {
		t.Errorf("the document is %+v, %v", now, err)
	}
}

// A crash between the catalog's transaction and the index's switch leaves an
// index of the last state. The next update, with nothing changed on disk, mends
// it.
func TestUpdateAfterACrash(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	set := h.Add("A@1", map[string]string{"a.md": "# A\n", "b.md": "# B\n"})
	saved := t.TempDir()
	if err := os.CopyFS(filepath.Join(saved, "index"), os.DirFS(h.IndexDir(set.ID))); err != nil {
		t.Fatal(err)
	}
	h.Write(set, map[string]string{"a.md": "# A\n\nchanged\n", "c.md": "# C\n"})
	h.Delete(set, "b.md")
	h.Update(set, false)
	if err := errors.Join(os.RemoveAll(h.IndexDir(set.ID)), os.CopyFS(h.IndexDir(set.ID), os.DirFS(filepath.Join(saved, "index")))); err != nil {
		t.Fatal(err)
	}
	if rep := h.Update(set, false); rep.Rebuilt || counts(rep) != [5]int{0, 0, 0, 2, 2} {
		t.Errorf("mending is reported as %+v", rep)
	}
	if got := slices.Sorted(maps.Keys(ids(t, h, set))); !slices.Equal(got, []string{"a.md", "c.md"}) {
		t.Errorf("pages are %v", got)
	}
}

// A folder that is not there may be on a disk that is not mounted: nothing is
// forgotten.
func TestMissingRootForgetsNothing(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	set := h.Add("A@1", map[string]string{"a.md": "# A\n"})
	away := set.Root + ".away"
	if err := os.Rename(set.Root, away); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"missing", "a file"} {
		if name == "a file" {
			if err := os.WriteFile(set.Root, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		_, err := h.Ingester().Update(context.Background(), set, false, nil)
		if err == nil || name == "missing" && !errors.Is(err, ingest.ErrRootMissing) {
			t.Errorf("%s: %v", name, err)
		}
		if n := len(ids(t, h, set)); n != 1 {
			t.Errorf("%s: %d pages are left", name, n)
		}
	}
	// It comes back as a link to where it was moved: still the same pages.
	if err := errors.Join(os.Remove(set.Root), os.Symlink(away, set.Root)); err != nil {
		t.Fatal(err)
	}
	if rep := h.Update(set, false); counts(rep) != [5]int{0, 0, 0, 1, 1} {
		t.Errorf("behind a link: %+v", rep)
	}
}

func TestCancelledUpdateChangesNothing(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	set := h.Add("A@1", map[string]string{"a.md": "# A\n"})
	before := ids(t, h, set)
	h.Write(set, corpustest.MakePages(40))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	seq := 0
	_, err := h.Ingester().Update(ctx, set, false, func(e pipeline.Event) {
		if seq++; e.Seq != seq || e.Phase != ingest.PhaseIngest {
			t.Errorf("event %d is %+v", seq, e)
		}
		if e.Done == 10 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if got := ids(t, h, set); !maps.Equal(got, before) {
		t.Errorf("pages are %v, were %v", got, before)
	}
	entries, err := os.ReadDir(h.IndexDir(set.ID))
	if err != nil || len(entries) != 2 { // the manifest and one generation
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

// A cancel while the index is written changes nothing either. While vectors are
// learned the pages are in already: the error says so, and the next update
// learns them although no page changed.
func TestCancelBehindThePages(t *testing.T) {
	t.Parallel()
	for _, phase := range []string{ingest.PhaseWrite, ingest.PhaseLearn} {
		h := corpustest.New(t)
		set := h.Add("A@1", map[string]string{"a.md": "# A\n"})
		before := ids(t, h, set)
		h.Write(set, corpustest.MakePages(40))
		ctx, cancel := context.WithCancel(context.Background())
		_, err := h.Ingester().Update(ctx, set, false, func(e pipeline.Event) {
			if e.Phase == phase {
				cancel()
			}
		})
		cancel()
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("%s: %v", phase, err)
		}
		if errors.Is(err, ingest.ErrUnlearned) != (phase == ingest.PhaseLearn) {
			t.Errorf("%s: %v", phase, err)
		}
		if got := ids(t, h, set); maps.Equal(got, before) != (phase == ingest.PhaseWrite) {
			t.Errorf("%s: %d pages, there were %d", phase, len(got), len(before))
		}
		learned := false
		if _, err := h.Ingester().Update(context.Background(), set, false, func(e pipeline.Event) {
			learned = learned || e.Phase == ingest.PhaseLearn
		}); err != nil || !learned {
			t.Errorf("%s: the next update: learned %v, %v", phase, learned, err)
		}
	}
}

// Files vanish and change while an update is under way.
func TestFilesVanishDuringUpdate(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	set := h.Add("A@1", map[string]string{"z/old.md": "# Old\n"})
	h.Write(set, corpustest.MakePages(60))
	h.Write(set, map[string]string{"z/old.md": "# Old, changed\n"})
	in := h.Ingester()
	in.Workers = 1
	rep, err := in.Update(context.Background(), set, false, func(e pipeline.Event) {
		if e.Phase == ingest.PhaseIngest && e.Kind == pipeline.PhaseStarted {
			h.Delete(set, "z/old.md")
		}
	})
	if err != nil || counts(rep) != [5]int{60, 0, 1, 0, 60} {
		t.Errorf("%+v, %v", rep, err)
	}
	ids(t, h, set)
}

func TestScanSaysWhatItLeavesOut(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write := func(path, text string) {
		t.Helper()
		file := filepath.Join(root, path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	write("a.md", "# A")
	write("B.MDX", "# B")
	write("with\nnewline \x1b[31m.md", "# C")
	write("huge.md", "")
	if err := os.Truncate(filepath.Join(root, "huge.md"), ingest.MaxFile+1); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc", filepath.Join(root, "outside")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a.md", filepath.Join(root, "link.md")); err != nil {
		t.Fatal(err)
	}
	parsers, err := formats.AllParsers()
	if err != nil {
		t.Fatal(err)
	}
	found, err := ingest.ScanPages(context.Background(), root, doc.LayoutTree, parsers, nil)
	files, warnings := found.Files, found.Warnings
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, f := range files {
		paths = append(paths, f.Path)
	}
	if want := []string{"B.MDX", "a.md", "with\nnewline \x1b[31m.md"}; !slices.Equal(paths, want) {
		t.Errorf("pages are %q", paths)
	}
	all := ""
	for _, w := range warnings {
		all += w.String() + "\n"
	}
	if len(warnings) != 2 || !strings.Contains(all, "huge.md: 64 MB") || !strings.Contains(all, "link.md: not a regular file, left out") {
		t.Errorf("warnings are %q", warnings)
	}
}

func TestDiscover(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for _, dir := range []string{"one/Lantern@1.2/Wicks", "many/A@1", "many/B@2", "many/rest", "plain/guide", "odd: name, here", "bad/x@"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"one/Lantern@1.2/Wicks/docContent.md", "plain/guide/a.md", "a-file"} {
		if err := os.WriteFile(filepath.Join(root, file), []byte("# X"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(root, "plain"), filepath.Join(root, "Linked@3")); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		dir  string
		want []string
	}{
		{"one", []string{"Lantern@1.2 titled"}},
		{"one/Lantern@1.2", []string{"Lantern@1.2 titled"}},
		{"many", []string{"A@1 tree", "B@2 tree"}},
		{"plain", []string{"plain@latest tree"}},
		{"Linked@3", []string{"Linked@3 tree"}},
		{"odd: name, here", []string{"odd- name- here@latest tree"}},
		{"bad/x@", []string{"x-@latest tree"}},
		{"a-file", nil},
		{"nowhere", nil},
	}
	for _, tt := range tests {
		found, err := ingest.Discover(filepath.Join(root, tt.dir))
		var got []string
		for _, f := range found {
			got = append(got, f.Ref.String()+" "+string(f.Layout))
			if real, err := filepath.EvalSymlinks(f.Root); err != nil || real != f.Root {
				t.Errorf("%s: the root %s is a link", tt.dir, f.Root)
			}
		}
		if !slices.Equal(got, tt.want) || (err == nil) != (tt.want != nil) {
			t.Errorf("%s: found %v, %v; want %v", tt.dir, got, err, tt.want)
		}
	}
}

// A titled page's TOC file comes and goes: the catalog knows where it is. Its headings
// are searched, so that a page with another one is read again.
func TestTOCFiles(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	set := h.Add("A@1", map[string]string{"P/docContent.md": "# P\n", "P/docTOC.md": "# P\n", "Q/docContent.md": "# Q\n"})
	toc := func(want string) {
		t.Helper()
		d, err := h.Catalog.ByPath(context.Background(), set.ID, "P/docContent.md")
		if err != nil || d.TOCPath != want || d.Title != "P" {
			t.Errorf("%+v, %v; want the TOC %q", d, err, want)
		}
	}
	toc("P/docTOC.md")
	h.Write(set, map[string]string{"P/docTOC.md": "# P\n## More\n"})
	if rep := h.Update(set, false); counts(rep) != [5]int{0, 1, 0, 1, 2} {
		t.Errorf("a changed TOC: %+v", rep)
	}
	h.Delete(set, "P/docTOC.md")
	h.Update(set, false)
	toc("")
}

func BenchmarkIngest(b *testing.B) {
	pages := corpustest.MakePages(500)
	n := 0
	for _, text := range pages {
		n += len(text)
	}
	h := corpustest.New(b)
	set := h.Add("Bench@1", pages)
	b.SetBytes(int64(n))
	for b.Loop() {
		h.Update(set, true)
	}
}
