package scratch_test

import (
	"os"
	"path/filepath"
	"testing"

	"docent/store/scratch"
)

// What a dead process left goes at the next sweep, what a living one has stays until it
// closes.
func TestSweep(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "tmp")
	left := func() []string {
		t.Helper()
		var names []string
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	}
	living, other := scratch.InFolder(dir), scratch.InFolder(dir)
	if err := other.Sweep(t.Context()); err != nil {
		t.Fatalf("where nothing is: %v", err)
	}
	kept, remove, err := living.MakeFolder(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(kept, "in.pdf"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"0102030405060708", "0807060504030201"} { // the lock of one is gone already
		if err := os.MkdirAll(filepath.Join(dir, name, "123"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "0102030405060708.lock"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := other.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if names := left(); len(names) != 2 {
		t.Errorf("after the sweep there are %q, want those of the living one", names)
	}
	if _, err := os.Stat(filepath.Join(kept, "in.pdf")); err != nil {
		t.Error(err)
	}
	if err := remove(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(kept); !os.IsNotExist(err) {
		t.Errorf("a removed folder: %v", err)
	}
	if err := living.Close(); err != nil {
		t.Error(err)
	}
	if names := left(); len(names) != 0 {
		t.Errorf("in the end there are %q", names)
	}
}
