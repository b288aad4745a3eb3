package home_test

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/service/home"
	"docent/pipeline/service/servicetest"
	"docent/store"
	"docent/store/embedded"
	"docent/store/sqlite"
)

// registered is a home with doc sets, which is opened again and again.
type registered struct {
	t    *testing.T
	home string
}

func newRegistered(t *testing.T, names ...string) *registered {
	r := &registered{t, filepath.Join(t.TempDir(), "home")}
	h := r.open()
	defer h.Close() // the next process opens it
	for _, name := range names {
		r.add(h, name)
	}
	return r
}

func (r *registered) add(h *servicetest.Home, name string) {
	r.t.Helper()
	h.Add(name+"@1", map[string]string{"page.md": fmt.Sprintf("# Of %s\n\nText.\n", name)})
}

func (r *registered) open(said ...*[]string) *servicetest.Home {
	r.t.Helper()
	h := servicetest.Open(r.t, servicetest.Options{Dir: r.home})
	for _, s := range said {
		*s = append(*s, h.Said()...)
	}
	return h
}

// names are the doc sets after a start, which the list must have too.
func (r *registered) names(said ...*[]string) []string {
	r.t.Helper()
	h := r.open(said...)
	sets, err := h.Home.Corpus.Sets(r.t.Context())
	if err != nil {
		r.t.Fatal(err)
	}
	var out []string
	raw, err := os.ReadFile(filepath.Join(r.home, "sets.json"))
	for _, s := range sets {
		out = append(out, s.Ref.Name)
		if err != nil || !strings.Contains(string(raw), `"`+s.Ref.Name+`"`) {
			r.t.Errorf("the list lacks %s: %s, %v", s.Ref.Name, raw, err)
		}
		if err := h.Home.Corpus.CheckIndex(r.t.Context(), s); err != nil {
			r.t.Errorf("%s: %v", s.Ref, err)
		}
	}
	h.Close()
	return out
}

func (r *registered) want(what string, got []string, want ...string) {
	r.t.Helper()
	if !slices.Equal(got, want) {
		r.t.Errorf("%s: %q are registered, not %q", what, got, want)
	}
}

// change changes the catalog behind the program's back, as a process does that is
// killed before its next step.
func (r *registered) change(query string) {
	r.t.Helper()
	db, err := sqlite.OpenFile(filepath.Join(r.home, "catalog.db"), url.Values{"_pragma": {"foreign_keys(ON)"}})
	if err != nil {
		r.t.Fatal(err)
	}
	_, err = db.ExecContext(r.t.Context(), query)
	if err := errors.Join(err, db.Close()); err != nil {
		r.t.Fatal(err)
	}
}

func (r *registered) overwrite(name, text string) {
	r.t.Helper()
	if err := os.WriteFile(filepath.Join(r.home, name), []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

// A restore that was killed left a catalog that was whole and empty: the next start
// took it for the truth and wrote the list with nothing but the manual.
func TestARestoreThatWasKilledForgetsNothing(t *testing.T) {
	t.Parallel()
	servicetest.NeedsCatalogFile(t)
	r := newRegistered(t, "Kelp", "Tide")
	r.change(`DELETE FROM sets`)
	if err := os.RemoveAll(filepath.Join(r.home, "index")); err != nil {
		t.Fatal(err)
	}
	var said []string
	r.want("after the restore", r.names(&said), "Kelp", "Tide")
	if !strings.Contains(strings.Join(said, "\n"), "are indexed again") {
		t.Errorf("it says %q", said)
	}
	// Another doc set is added to the list, though the catalog lacks one of it.
	h := r.open()
	r.change(`DELETE FROM sets WHERE name = 'Kelp'`)
	r.add(h, "Wrack")
	h.Close()
	r.want("after an addition", r.names(), "Kelp", "Tide", "Wrack")
}

// Removing writes the list first: killed before the catalog is written, the doc set
// stays; killed behind it, its folders are swept.
func TestARemovalThatWasKilledIsMended(t *testing.T) {
	t.Parallel()
	servicetest.NeedsCatalogFile(t)
	r := newRegistered(t, "Kelp", "Tide")
	r.overwrite("sets.json", `[]`)
	r.want("killed before the catalog", r.names(), "Kelp", "Tide")
	for _, name := range []string{"99", "99.vectors", "99.model/g000001"} {
		if err := os.MkdirAll(filepath.Join(r.home, "index", name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	r.overwrite("index/99.weight.json", "{}")
	r.overwrite("index/99.lock", "")
	r.want("killed behind the catalog", r.names(), "Kelp", "Tide")
	left, err := filepath.Glob(filepath.Join(r.home, "index", "99*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left over: %q, %v", left, err)
	}
}

// A damaged list is put aside and written again from the catalog. If that is lost too,
// the readable entries of the list whose folders exist are registered.
func TestADamagedListIsPutAside(t *testing.T) {
	t.Parallel()
	servicetest.NeedsCatalogFile(t)
	r := newRegistered(t, "Kelp", "Tide")
	path := filepath.Join(r.home, "sets.json")
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	bad := strings.Replace(string(raw), `"Kelp"`, `"Gelp"`, 1)
	r.overwrite("sets.json", bad)
	var said []string
	r.want("with a catalog", r.names(&said), "Kelp", "Tide")
	if len(said) != 1 || !strings.Contains(said[0], "sets.json.damaged") {
		t.Errorf("it says %q", said)
	}
	bad = strings.Replace(string(raw), "Tide@1", "Tyde@1", 1) // its folder
	r.overwrite("sets.json", bad)
	for _, ending := range []string{"", "-wal", "-shm"} {
		if err := os.RemoveAll(filepath.Join(r.home, "catalog.db"+ending)); err != nil {
			t.Fatal(err)
		}
	}
	said = nil
	r.want("without a catalog", r.names(&said), "Kelp")
	if aside, err := os.ReadFile(path + ".damaged"); err != nil || string(aside) != bad {
		t.Errorf("put aside: %q, %v", aside, err)
	}
	if !strings.Contains(strings.Join(said, "\n"), "what can be read of it is indexed again") {
		t.Errorf("it says %q", said)
	}
}

// Vectors that a start which was killed left out are made by Mend, and damage that no
// question has met yet is found by a thorough look. All files of the home belong to
// their owner.
func TestMend(t *testing.T) {
	t.Parallel()
	servicetest.NeedsIndexFiles(t)
	r := newRegistered(t, "Kelp")
	h := r.open()
	defer h.Close()
	sets, err := h.Home.Corpus.Sets(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	vectors := embedded.VectorDir(embedded.IndexesInFolder(filepath.Join(r.home, "index")).Dir(sets[0].ID), store.LearnedVectors)
	whole := func(what string, thorough bool) {
		t.Helper()
		if err := h.Care.MendData(t.Context(), thorough, home.Watch{}); err != nil {
			t.Fatal(what, err)
		}
		if err := h.Home.Indexes.VerifyVectors(t.Context(), sets[0].ID, store.LearnedVectors); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := os.RemoveAll(vectors); err != nil {
		t.Fatal(err)
	}
	whole("missing", false)
	files, err := filepath.Glob(filepath.Join(vectors, "g*", "vectors.bin"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	raw, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	raw[len(raw)-1] ^= 1
	if err := os.WriteFile(files[0], raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := h.Home.Indexes.VerifyVectors(t.Context(), sets[0].ID, store.LearnedVectors); err == nil {
		t.Fatal("nothing is damaged")
	}
	whole("damaged", true)
	// The catalog's damage is noted for the next start.
	r.change(`UPDATE documents SET title = 'Gelp'`)
	whole("with a damaged catalog", true)
	if !h.Home.AfterUse(nil).Reopen {
		t.Error("the catalog is not suspect")
	}
	var said []string
	r.want("after damage", r.names(&said), "Kelp")
	if !strings.Contains(strings.Join(said, "\n"), "rows of 1 page of Kelp@1 were damaged") {
		t.Errorf("it says %q", said)
	}
	err = filepath.WalkDir(r.home, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		st, err := d.Info()
		if err == nil && runtime.GOOS != "windows" && st.Mode().Perm()&0o077 != 0 && path != r.home {
			t.Errorf("%s has the mode %v", path, st.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
