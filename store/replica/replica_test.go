package replica_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docent/store"
	"docent/store/filetree"
	"docent/store/postgres"
	"docent/store/postgrestest"
	"docent/store/replica"
)

// two machines have a folder each of one tree.
type machines struct {
	a, b  *replica.Folder
	db    *postgres.Database
	trees *postgres.Trees
}

func newMachines(t *testing.T, parts ...string) machines {
	t.Helper()
	db, err := postgres.OpenDatabase(postgrestest.Start(t), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	trees, err := postgres.OpenTrees(db)
	if err != nil {
		t.Fatal(err)
	}
	folder := func() *replica.Folder {
		dir := t.TempDir()
		return &replica.Folder{Dir: filepath.Join(dir, "files"), Mark: filepath.Join(dir, "mark"), Tree: "lamps", Trees: trees, Parts: parts}
	}
	return machines{folder(), folder(), db, trees}
}

func write(t *testing.T, f *replica.Folder, p, text string) string {
	t.Helper()
	file := filepath.Join(f.Dir, filepath.FromSlash(p))
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// has compares the files of a folder with the expected ones.
func has(t *testing.T, what string, f *replica.Folder, want map[string]string) {
	t.Helper()
	got := map[string]string{}
	_ = filepath.WalkDir(f.Dir, func(file string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			raw, rerr := os.ReadFile(file)
			rel, _ := filepath.Rel(f.Dir, file)
			got[filepath.ToSlash(rel)] = string(raw)
			return rerr
		}
		return nil
	})
	if len(got) != len(want) {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
	for p, text := range want {
		if got[p] != text {
			t.Errorf("%s: %s is %q, want %q", what, p, got[p], text)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A folder that is filled while its files change keeps the change: the tree has the old files until the
// change is pushed.
func TestFillDuringAChange(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	m := newMachines(t)
	must(t, m.a.FillNow(ctx))
	wick := write(t, m.a, "wick.md", "wick")
	write(t, m.a, "oil.md", "oil")
	must(t, m.a.Push(ctx, "."))
	filled := make(chan error, 1)
	must(t, m.a.Change(ctx, func() error {
		if err := os.Remove(wick); err != nil {
			return err
		}
		write(t, m.a, "oil.md", "new oil")
		go func() { filled <- m.a.FillNow(ctx) }()
		select {
		case err := <-filled:
			t.Errorf("it was filled within a change: %v", err)
			filled <- err
		case <-time.After(200 * time.Millisecond):
		}
		return nil
	}, "wick.md", "oil.md"))
	must(t, <-filled)
	has(t, "here", m.a, map[string]string{"oil.md": "new oil"})
	must(t, m.b.FillNow(ctx))
	has(t, "the other machine", m.b, map[string]string{"oil.md": "new oil"})
	refused := errors.New("refused")
	if err := m.a.Change(ctx, func() error { return refused }, "oil.md"); !errors.Is(err, refused) {
		t.Error(err)
	}
	must(t, m.b.FillNow(ctx))
	has(t, "a change that failed", m.b, map[string]string{"oil.md": "new oil"})
}

// What changes at one machine comes to the other: new files, changed ones, those that went. Files keep
// their times.
func TestFill(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	m := newMachines(t)
	write(t, m.b, "own.md", "before there is a tree")
	must(t, m.b.FillNow(ctx))
	has(t, "no tree", m.b, map[string]string{"own.md": "before there is a tree"})
	old := write(t, m.a, "a/wick.md", "wick")
	at := time.Now().Add(-time.Hour).Truncate(time.Second)
	must(t, os.Chtimes(old, time.Time{}, at))
	write(t, m.a, "oil.md", "oil")
	write(t, m.a, ".git/config", "stays here")
	write(t, m.a, "half.tmp", "stays here")
	must(t, m.a.Push(ctx, "."))
	must(t, m.b.FillNow(ctx))
	has(t, "all", m.b, map[string]string{"a/wick.md": "wick", "oil.md": "oil"})
	if st, err := os.Stat(filepath.Join(m.b.Dir, "a", "wick.md")); err != nil || !st.ModTime().Equal(at) {
		t.Errorf("%v, %v, want %v", st, err, at)
	}
	write(t, m.a, "oil.md", "new")
	must(t, os.RemoveAll(filepath.Join(m.a.Dir, "a")))
	must(t, m.a.Push(ctx, "oil.md", "a"))
	must(t, m.b.FillNow(ctx))
	has(t, "changes", m.b, map[string]string{"oil.md": "new"})
	if _, err := os.Stat(filepath.Join(m.b.Dir, "a")); err == nil {
		t.Error("an empty folder is left")
	}
	must(t, m.a.FillNow(ctx))
	has(t, "its own changes", m.a, map[string]string{"oil.md": "new", ".git/config": "stays here", "half.tmp": "stays here"})
	// A process that is killed before it writes the mark brings the same once more.
	must(t, os.Remove(m.b.Mark))
	write(t, m.b, "left.md", "of a killed process")
	must(t, m.b.FillNow(ctx))
	has(t, "after a kill", m.b, map[string]string{"oil.md": "new"})
	must(t, m.a.Forget(ctx))
	must(t, m.b.FillNow(ctx))
	has(t, "without the tree", m.b, map[string]string{"oil.md": "new"})
}

// A machine can have files next to those of the tree.
func TestParts(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	m := newMachines(t, "pages", "origin.json")
	for _, f := range []*replica.Folder{m.a, m.b} {
		write(t, f, "asked", "own")
	}
	write(t, m.a, "pages/wick.md", "wick")
	write(t, m.a, "origin.json", "{}")
	write(t, m.b, "pages/other.md", "goes")
	must(t, m.a.Replace(ctx, m.a.Dir))
	must(t, m.b.FillNow(ctx))
	has(t, "parts", m.b, map[string]string{"asked": "own", "pages/wick.md": "wick", "origin.json": "{}"})
	must(t, os.Remove(filepath.Join(m.a.Dir, "pages", "wick.md")))
	must(t, m.a.Push(ctx, "pages"))
	must(t, m.b.FillNow(ctx))
	has(t, "the last page went", m.b, map[string]string{"asked": "own", "origin.json": "{}"})
	if _, err := os.Stat(filepath.Join(m.b.Dir, "pages")); err != nil {
		t.Errorf("the folder of pages went too: %v", err)
	}
}

// A file that was altered on a machine, with its size and time, is replaced there.
func TestMend(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	m := newMachines(t)
	write(t, m.a, "wick.md", "wick")
	must(t, m.a.Push(ctx, "."))
	must(t, m.b.FillNow(ctx))
	file := filepath.Join(m.b.Dir, "wick.md")
	for _, alter := range []func() error{
		func() error {
			st, err := os.Stat(file)
			must(t, err)
			return errors.Join(os.WriteFile(file, []byte("WICK"), 0o600), os.Chtimes(file, time.Time{}, st.ModTime()))
		},
		func() error { return os.WriteFile(file, []byte("longer than it was"), 0o600) },
		func() error { return os.Remove(file) },
	} {
		must(t, alter())
		if mended, err := m.b.Mend(ctx, "wick.md"); !mended || err != nil {
			t.Errorf("%v, %v", mended, err)
		}
		has(t, "mended", m.b, map[string]string{"wick.md": "wick"})
		must(t, alter())
		must(t, m.b.Restore(ctx))
		has(t, "restored", m.b, map[string]string{"wick.md": "wick"})
	}
	for _, p := range []string{"wick.md", "none.md", "../wick.md", ""} {
		if mended, err := m.b.Mend(ctx, p); mended || err != nil {
			t.Errorf("%q: %v, %v", p, mended, err)
		}
	}
}

// A content that is damaged or gone is said, the other files come, and the files here are never replaced
// by wrong bytes.
func TestLostContents(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	m := newMachines(t)
	write(t, m.a, "wick.md", strings.Repeat("wick ", 100))
	write(t, m.a, "oil.md", "oil")
	must(t, m.a.Push(ctx, "."))
	if _, err := m.db.SQL().ExecContext(ctx, `UPDATE contents SET bytes = set_byte(bytes, 9, 65) WHERE packed`); err != nil {
		t.Fatal(err)
	}
	err := m.b.FillNow(ctx)
	if e, ok := errors.AsType[*filetree.LostError](err); !ok || !errors.Is(err, store.ErrBlobDamaged) || e.Path != "wick.md" {
		t.Errorf("%v", err)
	}
	has(t, "the other files", m.b, map[string]string{"oil.md": "oil"})
	if _, err := m.db.SQL().ExecContext(ctx, `DELETE FROM contents WHERE packed`); err != nil {
		t.Fatal(err)
	}
	if err := m.b.FillNow(ctx); !errors.Is(err, store.ErrNoBlob) {
		t.Errorf("%v", err)
	}
	// A change of the file at the other machine heals it.
	write(t, m.a, "wick.md", "another wick")
	must(t, m.a.Push(ctx, "wick.md"))
	must(t, m.b.FillNow(ctx))
	has(t, "healed", m.b, map[string]string{"oil.md": "oil", "wick.md": "another wick"})
}

// Rows that name a file outside of the folder write nothing.
func TestPathsOutside(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	for _, p := range []string{"../out.md", "/etc/out.md", "a/../../out.md", "."} {
		m := newMachines(t)
		write(t, m.a, "wick.md", "wick")
		must(t, m.a.Push(ctx, "."))
		if _, err := m.db.SQL().ExecContext(ctx, `UPDATE tree_files SET path = $1`, []byte(p)); err != nil {
			t.Fatal(err)
		}
		if err := m.b.FillNow(ctx); err == nil {
			t.Errorf("%q is taken", p)
		}
		if left, _ := os.ReadDir(filepath.Dir(m.b.Dir)); len(left) > 1 {
			t.Errorf("%q: %v", p, left)
		}
	}
}
