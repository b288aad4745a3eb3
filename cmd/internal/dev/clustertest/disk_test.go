package clustertest

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"docent/cmd/internal/dev/served"
	"docent/store/weaviate/weaviatetest"
)

// nodeDisk is the size of the disk of a node that becomes full: what an empty node has, and some more.
const nodeDisk = 48 << 20

// testFullDisk fills the disk of a Weaviate. Updates are refused with the setting's name, and questions go on
// with the pages before. Once there is space, doctor has the Weaviate take changes again.
func (w *world) testFullDisk(t *testing.T) {
	small := *w
	small.weaviate = weaviatetest.StartWith(t, weaviatetest.Options{Nodes: 1, Disk: nodeDisk})
	m := small.newTeam(t, "disk")
	m.index = small.weaviate.URL("disk", 1)
	m.configure(t, m.home, "docent.toml", m.index, m.catalog)
	f := w.newFleet(t, updatedPages)
	m.must(t, "add", f.Dir)
	server := m.serve(t)
	ballast := filepath.Join(small.weaviate.Nodes[0].Folder(), "ballast")
	fill(t, ballast)
	// Writes that meet the full disk before the engine has seen it leave files that only a new start
	// mends, and the engine looks twice a second.
	eventually(t, func() string {
		if d := m.docent(t, "doctor"); d.code == 0 || !strings.Contains(d.out, "takes no changes") || !strings.Contains(d.out, "--repair") {
			return d.out
		}
		return ""
	})
	alter(t, f)
	refused(t, m.docent(t, "update", "Fleet"), "[store] index", "disk")
	for _, s := range []*served.Server{server, m.serve(t)} {
		if err := findOnce(s, "flagship", "Fleet", "ship-000.md"); err != nil {
			t.Errorf("the disk is full: %v", err)
		}
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	if d := m.docent(t, "doctor", "--repair"); d.code != 0 {
		t.Errorf("there is space again, and doctor says %s%s", d.out, d.err)
	}
	m.must(t, "update", "Fleet")
	m.whole(t, f)
	if err := findOnce(server, f.Marks[1], "Fleet", filepath.Base(f.Path(1))); err != nil {
		t.Errorf("there is space again: %v", err)
	}
}

// fill writes a file that takes all space of its disk.
func fill(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for size := 1 << 20; size > 0; {
		if _, err := f.Write(make([]byte, size)); errors.Is(err, syscall.ENOSPC) {
			size /= 2
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
