package clustertest

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"docent/cmd/internal/dev/campaign/fleet"
)

// The doc set of updates, and how many of them are killed.
const (
	updatedPages = 60
	killedTimes  = 20
)

// testUpdates updates a doc set by two processes at once, and kills updates at each kind of moment.
func (w *world) testUpdates(t *testing.T) {
	m := w.newTeam(t, "updates")
	f := w.newFleet(t, updatedPages)
	m.must(t, "add", f.Dir)
	for range 3 {
		alter(t, f)
		both := make(chan done, 2)
		for range 2 {
			go func() { both <- finish(t, m.command(t.Context(), "update", "Fleet")) }()
		}
		for range 2 {
			if d := <-both; d.code != 0 {
				t.Errorf("two at once: %v", d)
			}
		}
		m.whole(t, f)
	}
	g := newGate(t, w.weaviate.Nodes[1].Address)
	through := m.configure(t, t.TempDir(), "gate.toml", g.address(m), m.catalog)
	alter(t, f)
	g.set(0, false, nil)
	m.must(t, "--config", through, "update", "Fleet")
	writes := g.count()
	t.Logf("an update makes %d changing requests", writes)
	for i := range killedTimes {
		alter(t, f)
		at := 1 + i*writes/killedTimes
		reached, d := m.killAtRequest(t, g, at, i%2 == 0, "--config", through, "update", "Fleet")
		if !reached && d.code != 0 {
			t.Errorf("an update that was not killed: %v", d)
		}
		if files := m.files(t, "flagship"); !strings.HasSuffix(files[0], filepath.Base(f.Path(0))) {
			t.Errorf("killed at request %d of %d: the flagship is not found: %v", at, writes, files)
		}
		m.must(t, "update", "Fleet")
		m.whole(t, f)
	}
}

// testSets adds and removes doc sets by several processes at once, each of which compares the list of doc
// sets with the catalog when it starts. In the end the list, the catalog and the indexes have the same.
func (w *world) testSets(t *testing.T) {
	m := w.newTeam(t, "sets")
	m.must(t, "sets")
	dirs := make([]string, 4)
	for i := range dirs {
		dirs[i] = filepath.Join(t.TempDir(), fmt.Sprintf("Fleet%d", i))
		if _, err := fleet.New(dirs[i], 6, w.rnd); err != nil {
			t.Fatal(err)
		}
	}
	for round := range 3 {
		var wg sync.WaitGroup
		for i, dir := range dirs {
			args := []string{"add", dir}
			if round > 0 && i%2 == round%2 {
				args = []string{"rm", filepath.Base(dir)}
			}
			wg.Go(func() {
				if d := finish(t, m.command(t.Context(), args...)); d.code != 0 {
					t.Errorf("round %d: %v", round, d)
				}
			})
		}
		wg.Wait()
		listed := m.must(t, "sets", "--json").out
		for i, dir := range dirs {
			is, want := strings.Contains(listed, `"`+filepath.Base(dir)+`"`), round == 0 || i%2 != round%2
			if is != want {
				t.Errorf("round %d: whether %s is there is %v: %s", round, dir, is, listed)
			}
		}
		if d := m.docent(t, "doctor"); d.code != 0 {
			t.Errorf("round %d: doctor says %s", round, d.out)
		}
	}
}

// testLostLocks starts PostgreSQL again in the middle of updates: their locks are lost. Each ends well, or
// as one that can be repeated.
func (w *world) testLostLocks(t *testing.T) {
	m := w.newTeam(t, "lost")
	f := w.newFleet(t, updatedPages)
	m.must(t, "add", f.Dir)
	g := newGate(t, w.weaviate.Nodes[1].Address)
	through := m.configure(t, t.TempDir(), "gate.toml", g.address(m), m.catalog)
	for at := 1; at <= 8; at++ {
		alter(t, f)
		g.set(at, false, func() {
			w.postgres.StopServer(t)
			w.postgres.StartAgain(t)
		})
		d := m.docent(t, "--config", through, "update", "Fleet")
		g.set(0, false, nil)
		if d.code != 0 && (d.code != 3 || !strings.Contains(d.err, "[store] catalog")) {
			t.Errorf("the database started again at request %d: %v", at, d)
		}
		t.Logf("the database started again at request %d: %v", at, d)
		m.must(t, "update", "Fleet")
		m.whole(t, f)
	}
}

// alter changes pages of a doc set, and one of them surely.
func alter(t *testing.T, f *fleet.Fleet) {
	t.Helper()
	if err := f.Change(); err != nil {
		t.Fatal(err)
	}
	if err := f.Write(1); err != nil {
		t.Fatal(err)
	}
}

// files searches the doc set of updates, and gives the files in their order.
func (m *team) files(t *testing.T, question string) []string {
	t.Helper()
	d := m.must(t, "search", "--json", "--threshold", "0", "--set", "Fleet", question)
	var files []string
	for rest := d.out; ; {
		_, behind, found := strings.Cut(rest, `"file_path":"`)
		if !found {
			return append(files, "") // no file at the end of the list
		}
		name, after, _ := strings.Cut(behind, `"`)
		files, rest = append(files, name), after
	}
}

// whole requires that doctor finds nothing, and that the doc set has the pages of its folder.
func (m *team) whole(t *testing.T, f *fleet.Fleet) {
	t.Helper()
	if d := m.docent(t, "doctor"); d.code != 0 {
		t.Errorf("doctor says %s%s", d.out, d.err)
	}
	last := len(f.Marks) - 1
	for f.Marks[last] == "" {
		last--
	}
	for _, i := range []int{0, 1, last} {
		if files := m.files(t, f.Marks[i]); files[0] != filepath.Base(f.Path(i)) {
			t.Errorf("%s of page %d finds %v", f.Marks[i], i, files)
		}
	}
}
