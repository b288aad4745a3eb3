package generation_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"docent/store/generation"
)

func TestManifest(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, err := generation.ReadManifest(dir); !errors.Is(err, generation.ErrDamaged) {
		t.Errorf("a missing manifest gives %v", err)
	}
	if _, err := generation.LookAtManifest(dir); !errors.Is(err, generation.ErrDamaged) {
		t.Errorf("the state of a missing manifest is %v", err)
	}
	const line = `{"generation":"g000001"}`
	if err := generation.WriteManifest(dir, []byte(line)); err != nil {
		t.Fatal(err)
	}
	if got, err := generation.ReadManifest(dir); err != nil || string(got) != line {
		t.Errorf("%q, %v", got, err)
	}
	path := filepath.Join(dir, generation.Manifest)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	spoilt := [][]byte{nil, whole[:len(whole)-1], []byte(line), append(append([]byte{}, whole...), '\n')}
	for i := range whole {
		b := append([]byte{}, whole...)
		b[i] ^= 0x10
		spoilt = append(spoilt, b)
	}
	for _, b := range spoilt {
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := generation.ReadManifest(dir); !errors.Is(err, generation.ErrDamaged) {
			t.Errorf("%q is read as %q, %v", b, got, err)
		}
	}
}

func TestState(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := generation.WriteManifest(dir, []byte("{}")); err != nil {
		t.Fatal(err)
	}
	was, err := generation.LookAtManifest(dir)
	if err != nil || !was.HoldsManifest(dir) {
		t.Fatal(err)
	}
	if err := generation.WriteManifest(dir, []byte("{}")); err != nil {
		t.Fatal(err)
	}
	if was.HoldsManifest(dir) {
		t.Error("another manifest of the same bytes is taken for the same")
	}
	if err := os.Remove(filepath.Join(dir, generation.Manifest)); err != nil || was.HoldsManifest(dir) {
		t.Error("a missing manifest holds", err)
	}
}

func TestNamesOfGenerations(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := generation.NextName(dir, "")
	if err := errors.Join(os.Mkdir(filepath.Join(dir, first), 0o700), os.Mkdir(filepath.Join(dir, "junk"), 0o700), generation.WriteManifest(dir, []byte("{}"))); err != nil {
		t.Fatal(err)
	}
	second := generation.NextName(dir, "")
	if !generation.IsValidName(first) || !generation.IsValidName(second) || first == second || generation.NextName(dir, first) != second {
		t.Errorf("%q, then %q, then %q", first, second, generation.NextName(dir, first))
	}
	for _, name := range []string{"", "..", "g/..", "../g000001", "x000001", "g000001/"} {
		if generation.IsValidName(name) {
			t.Errorf("%q is taken for a generation", name)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, second), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := generation.SweepOld(dir, second); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 || entries[0].Name() != second || entries[1].Name() != generation.Manifest {
		t.Errorf("left are %v, %v", entries, err)
	}
}
