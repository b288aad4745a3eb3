package clustertest

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docent/cmd/internal/dev/campaign/fleet"
)

// migrationKills is how often a migration is killed on each way in the short form. The long form kills it
// at every step.
const migrationKills = 3

// testMigration moves a home from its folder to servers and back, and kills that at its steps: the
// requests to the Weaviate on the way there, new files in the folder on the way back. After each kill the
// stores that the home has answer, and those at the new place can be used; the next call finishes the move.
func (w *world) testMigration(t *testing.T) {
	m := w.newTeam(t, "migration")
	f := w.newFleet(t, updatedPages)
	folder := filepath.Join(m.home, "docent.toml")
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	m.must(t, "add", f.Dir)
	g := newGate(t, m.weaviate.Nodes[0].Address)
	there := func(i int) (index, catalog string) {
		name := fmt.Sprintf("migration%d", i)
		return strings.Replace(g.address(m), "/migration?", "/"+name+"?", 1), m.postgres.Address(name) + "&sslmode=disable"
	}
	index, catalog := there(0)
	g.set(0, false, nil)
	m.must(t, "migrate", "--index", index, "--catalog", catalog)
	writes := g.count()
	t.Logf("a migration makes %d changing requests", writes)
	for i, at := range w.steps(writes) {
		index, catalog := there(i + 1)
		args := []string{"migrate", "--index", index, "--catalog", catalog}
		// Two moves need not make the same number of requests: the last step may lie behind the end.
		if reached, d := m.killAtRequest(t, g, at, i%2 == 0, args...); !reached && (d.code != 0 || at < writes*3/4) {
			t.Errorf("it made less than %d changing requests: %v", at, d)
		}
		m.answers(t, f, fmt.Sprintf("there, killed at request %d of %d", at, writes))
		if i%2 == 0 {
			m.usable(t, f, m.configure(t, t.TempDir(), "docent.toml", index, catalog))
		}
		if d := m.must(t, args...); !strings.Contains(d.out, "[store]") {
			t.Errorf("the move that was killed at request %d does not finish: %v", at, d)
		}
		m.answers(t, f, "there, moved")
	}

	m.configure(t, m.home, "docent.toml", index, catalog)
	alter(t, f)
	m.must(t, "update")
	m.whole(t, f)
	files := m.countFiles(t, "migrate", "--to-folder")
	t.Logf("a migration back makes %d new files", files)
	for _, at := range w.steps(files) {
		alter(t, f) // the stores of the folder have something to do
		m.must(t, "update")
		m.killAtFile(t, at, "migrate", "--to-folder")
		m.answers(t, f, fmt.Sprintf("back, killed at file %d of %d", at, files))
		if d := m.must(t, "migrate", "--to-folder"); !strings.Contains(d.out, "take store.index") {
			t.Errorf("the move that was killed at file %d does not finish: %v", at, d)
		}
	}
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	m.whole(t, f)
}

// steps are those at which something is killed: all, or some of them from the first to the last.
func (w *world) steps(all int) (out []int) {
	n := min(all, migrationKills)
	if w.long {
		n = all
	}
	for i := range n {
		out = append(out, 1+i*(all-1)/max(1, n-1))
	}
	return out
}

// answers requires that the stores that the home has answer as before.
func (m *team) answers(t *testing.T, f *fleet.Fleet, when string) {
	t.Helper()
	for _, i := range []int{0, 1} {
		if files := m.files(t, f.Marks[i]); files[0] != filepath.Base(f.Path(i)) {
			t.Errorf("%s: page %d is not found: %v", when, i, files)
		}
	}
}

// usable requires that the stores at the place of a configuration are brought up to date by an update.
func (m *team) usable(t *testing.T, f *fleet.Fleet, config string) {
	t.Helper()
	m.must(t, "--config", config, "update")
	d := m.must(t, "--config", config, "search", "--threshold", "0", "--set", "Fleet", f.Marks[1])
	if !strings.Contains(d.out, f.Marks[1]) {
		t.Errorf("%s is not found: %s", f.Marks[1], d.out)
	}
}

// countFiles runs a command, and counts the files that come into the home until its end.
func (m *team) countFiles(t *testing.T, args ...string) int {
	t.Helper()
	return m.watchFiles(t, 0, args...)
}

// killAtFile runs a command, and kills it when so many files have come into the home.
func (m *team) killAtFile(t *testing.T, at int, args ...string) {
	t.Helper()
	m.watchFiles(t, at, args...)
}

func (m *team) watchFiles(t *testing.T, at int, args ...string) int {
	t.Helper()
	seen := map[string]bool{}
	look := func() (fresh int) {
		_ = filepath.WalkDir(m.home, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && !seen[path] { // files may go while they are listed
				seen[path] = true
				fresh++
			}
			return nil
		})
		return fresh
	}
	look()
	cmd := m.command(t.Context(), args...)
	errs := &notes{}
	cmd.Stderr = errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for count := 0; ; {
		select {
		case err := <-ended:
			if err != nil && cmd.ProcessState.ExitCode() != -1 {
				t.Errorf("it was not killed, and ended with %v: %s", err, errs)
			}
			return count + look()
		case <-time.After(time.Millisecond):
			if count += look(); at > 0 && count >= at {
				_ = cmd.Process.Kill() // it may have ended
			}
		}
	}
}
