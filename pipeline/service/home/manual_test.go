package home_test

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
	"docent/pipeline/service/servicetest"
)

// A new program finds another manual and an index of another format. It was once said
// that the old manual's folder is gone, after the new manual was installed.
func TestNewManualAndDamagedIndex(t *testing.T) {
	t.Parallel()
	servicetest.NeedsCatalogFile(t)
	dir := t.TempDir()
	opened := func(text string) library.SetsAnswer {
		t.Helper()
		a := servicetest.Open(t, servicetest.Options{Dir: dir, Manual: fstest.MapFS{"a.md": {Data: []byte(text)}}})
		defer func() {
			if a.Close(); len(a.Said()) > 0 {
				t.Errorf("it says %q", a.Said())
			}
		}()
		out, err := a.Library.Sets(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	opened("# Of whales\n")
	indexes, err := filepath.Glob(filepath.Join(dir, "index", "*"))
	if err != nil || len(indexes) == 0 {
		t.Fatal(indexes, err)
	}
	for _, x := range indexes {
		if err := os.RemoveAll(x); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if out := opened("# Of squids\n\nThey are other animals.\n"); len(out.Sets) != 1 || out.Sets[0].Fresh != library.Fresh || out.Sets[0].Lines != 3 {
			t.Errorf("%+v", out.Sets)
		}
	}
}

// A process that was killed while it installed another manual left the old index in place: the new
// folder was registered, the index was whole, and nothing read the new pages. Old folders stayed.
func TestAManualThatWasInstalledByHalf(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	manual := fstest.MapFS{"a.md": {Data: []byte("# Of whales\n\nThey sing.\n")}}
	a := servicetest.Open(t, servicetest.Options{Dir: dir, Manual: manual})
	a.Close()
	folders, err := filepath.Glob(filepath.Join(dir, "manual", "*", "*"))
	if err != nil || len(folders) != 1 {
		t.Fatal(folders, err)
	}
	// As the killed process leaves it: another text is indexed, and the mark and an old folder are there.
	page := filepath.Join(folders[0], "a.md")
	if err := os.WriteFile(page, []byte("# Of squids\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b := servicetest.Open(t, servicetest.Options{Dir: dir, Manual: manual})
	if _, err := b.Library.Update(t.Context(), library.UpdateRequest{}, home.Watch{}); err != nil {
		t.Fatal(err)
	}
	b.Close()
	old := filepath.Join(dir, "manual", "0123456789abcdef")
	for _, err := range []error{os.WriteFile(page, manual["a.md"].Data, 0o600), os.MkdirAll(old, 0o700),
		os.WriteFile(filepath.Dir(folders[0])+".new", nil, 0o600)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	c := servicetest.Open(t, servicetest.Options{Dir: dir, Manual: manual})
	out, err := c.Library.Sets(t.Context(), nil)
	if err != nil || len(out.Sets) != 1 || out.Sets[0].Fresh != library.Fresh || out.Sets[0].Lines != 3 {
		t.Errorf("%+v, %v", out.Sets, err)
	}
	if left, _ := os.ReadDir(filepath.Join(dir, "manual")); len(left) != 1 {
		t.Errorf("in the folder of manuals are %v", left)
	}
}
