package clustertest

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"docent/cmd/internal/dev/served"
)

// versionBefore is a commit whose program can share a home with this one: the objects in the Weaviate and
// the tables in PostgreSQL have the same format. Where one of them changes, a later commit is named here.
const versionBefore = "5b947000400d57b7403d4d29156b7654032ad5a8"

// testVersions runs servers and workers of an older version and of this one, with one home, while
// pages change and files are handed in at both. An older program that starts meets the tables of this
// one: it works, or says that they are newer.
func (w *world) testVersions(t *testing.T) {
	before := *w
	before.bin = buildBefore(t)
	m := w.newTeam(t, "versions")
	m.index = overGraphQL(m.index) // the older program knows no other interface
	m.configure(t, m.home, "docent.toml", m.index, m.catalog)
	older := &team{world: &before, home: m.home, index: m.index, catalog: m.catalog}
	f := w.newFleet(t, updatedPages)
	older.must(t, "add", f.Dir)
	servers := []*served.Server{older.serve(t), nil}
	older.startWorker(t)
	m.must(t, "status")
	servers[1] = m.serve(t)
	m.startWorker(t)
	taken := 0
	for round := range 3 {
		for i := range 6 {
			if status, body, err := handIn(servers[i%2], taken); status != http.StatusCreated {
				t.Fatalf("note %d: %d %s", taken, status, textOr(body, err))
			}
			taken++
		}
		was := f.Marks[1]
		alter(t, f)
		by := m
		if round == 1 {
			by = older
		}
		if d := by.docent(t, "update", "Fleet"); d.code != 0 {
			if by == m || !strings.Contains(d.err, "newer than this program") {
				t.Errorf("round %d: %v", round, d)
			}
			m.must(t, "update", "Fleet")
		}
		for i, s := range servers {
			eventually(t, func() string {
				if err := findOnce(s, f.Marks[1], "Fleet", filepath.Base(f.Path(1))); err != nil {
					return fmt.Sprintf("server %d: %v", i, err)
				}
				return ""
			})
			if stale, err := holds(s, was, "Fleet"); stale || err != nil {
				t.Errorf("server %d: %s is stale, or %v", i, was, err)
			}
		}
	}
	for _, s := range servers {
		completed(t, s, taken)
		findAll(t, s, "Uploads", taken, func(i int) (mark, file string) { return noteMark(i), noteName(i) })
	}
	m.whole(t, f)
}

// buildBefore builds the program of versionBefore from the repository, which must have the commit.
func buildBefore(t *testing.T) (bin string) {
	t.Helper()
	const top = "../../../.."
	if out, err := exec.Command("git", "-C", top, "cat-file", "-e", versionBefore+"^{commit}").CombinedOutput(); err != nil {
		t.Skipf("the program of commit %.8s cannot be built: a clone without the whole history does not have it: %s", versionBefore, out)
	}
	dir := t.TempDir()
	source, bin := filepath.Join(dir, "source"), filepath.Join(dir, "docent")
	if err := os.Mkdir(source, 0o700); err != nil {
		t.Fatal(err)
	}
	archive := exec.Command("git", "-C", top, "archive", versionBefore)
	unpack := exec.Command("tar", "-x", "-C", source)
	var err error
	if unpack.Stdin, err = archive.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	if err = unpack.Start(); err == nil {
		err = archive.Run()
	}
	if waited := unpack.Wait(); err != nil || waited != nil {
		t.Fatal(err, waited)
	}
	build := exec.Command("go", "build", "-trimpath", "-o", bin, "./cmd/docent")
	build.Dir = source
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return bin
}
