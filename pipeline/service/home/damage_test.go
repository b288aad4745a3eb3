package home_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/service/servicetest"
)

// Whichever page of the catalog's file a disk loses, the home says so, and opens whole
// again without waiting for itself: the catalog is put aside and made again, unless
// nothing was in the page.
func TestALostPageOfTheCatalog(t *testing.T) {
	t.Parallel()
	servicetest.NeedsCatalogFile(t)
	r := newRegistered(t, "Kelp", "Tide")
	path := filepath.Join(r.home, "catalog.db")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const page = 4096
	aside := 0
	for at := 0; at+page <= len(whole); at += page {
		for _, ending := range []string{"-wal", "-shm", ".damaged", "-wal.damaged", "-shm.damaged"} {
			if err := os.Remove(path + ending); err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
		}
		broken := slices.Clone(whole)
		clear(broken[at : at+page])
		r.overwrite("catalog.db", string(broken))
		var said []string
		h := r.open(&said)
		found, err := h.Care.Doctor(t.Context(), nil)
		if err != nil {
			t.Fatalf("page %d: doctor: %v", at/page, err)
		}
		met := h.Home.AfterUse(nil).Reopen
		h.Close()
		for _, f := range found.Findings {
			if f.Check == "catalog" && f.OK == met {
				t.Errorf("page %d: %+v, damage met: %v", at/page, f, met)
			}
		}
		r.want("after page was lost", r.names(&said), "Kelp", "Tide")
		if _, err := os.Stat(path + ".damaged"); err == nil {
			aside++
		} else if !os.IsNotExist(err) {
			t.Fatal(err)
		}
		for _, text := range said {
			if strings.Contains(text, "waiting") {
				t.Errorf("page %d: it waits for itself: %q", at/page, said)
			}
		}
		h = r.open()
		if found, err := h.Care.Doctor(t.Context(), nil); err != nil || found.Faults > 0 {
			t.Errorf("page %d: %+v, %v", at/page, found, err)
		}
		h.Close()
	}
	if aside == 0 {
		t.Error("no lost page mattered")
	}
}

// An index whose files may not be read is neither empty nor damaged: it is said, the
// other doc sets are searched, and a new one can be made.
func TestAnIndexThatMayNotBeRead(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("root may read everything")
	}
	r := newRegistered(t, "Kelp", "Tide")
	err := filepath.WalkDir(filepath.Join(r.home, "index", "1"), func(p string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(p) == ".zap" {
			err = os.Chmod(p, 0)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	h := r.open()
	if h.Home.Unsearched == nil || !strings.Contains(contract.RemedyOf(h.Home.Unsearched).String(), "update --rebuild Kelp@1") {
		t.Errorf("it says %v", h.Home.Unsearched)
	}
}
