package clustertest

import (
	"path/filepath"
	"strings"
	"testing"

	"docent/cmd/internal/dev/campaign/fleet"
)

// testRestored puts a catalog in place of the one that is there, from a backup that is some updates older
// than the pages and the index: doctor says it, no question finds a text that is no more, and an update
// mends it, for servers that ran before it too.
func (w *world) testRestored(t *testing.T) {
	m := w.newTeam(t, "restored")
	f := w.newFleet(t, updatedPages)
	m.must(t, "add", f.Dir)
	server := m.serve(t)
	backup := m.postgres.Dump(t, "restored")
	old := map[int]string{}
	for range 3 {
		for i, mark := range f.Marks {
			if _, known := old[i]; !known && mark != "" {
				old[i] = mark
			}
		}
		alter(t, f)
		m.must(t, "update", "Fleet")
	}
	later := filepath.Join(t.TempDir(), "Later")
	if _, err := fleet.New(later, 6, w.rnd); err != nil {
		t.Fatal(err)
	}
	m.must(t, "add", later)
	m.postgres.Restore(t, "restored", backup)

	m.nothingStale(t, f, old)
	if d := m.docent(t, "doctor"); d.code == 0 || !strings.Contains(d.out, "FAULT") || !strings.Contains(d.out, "docent update") {
		t.Errorf("the catalog is older than the index, and doctor says %s", d.out)
	}
	m.must(t, "update")
	m.nothingStale(t, f, old)
	m.whole(t, f)
	if pages := pagesOf(t, server); pages["Later"] != 6 {
		t.Errorf("the doc sets have %v pages", pages)
	}
	eventually(t, func() string {
		if err := findOnce(server, f.Marks[1], "Fleet", filepath.Base(f.Path(1))); err != nil {
			return err.Error()
		}
		return ""
	})
}

// nothingStale requires that no question finds the text that pages had.
func (m *team) nothingStale(t *testing.T, f *fleet.Fleet, old map[int]string) {
	t.Helper()
	for i, mark := range old {
		if mark == f.Marks[i] || i > 12 {
			continue
		}
		d := m.docent(t, "search", "--threshold", "0", "--set", "Fleet", mark)
		if d.code > 1 || strings.Contains(d.out, mark) {
			t.Errorf("page %d had %s, and a search for it gives %s%s", i, mark, d.out, d.err)
		}
	}
}
