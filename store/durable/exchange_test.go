package durable

import (
	"os"
	"path/filepath"
	"testing"
)

// Two folders change places; what was put aside comes back.
func TestExchange(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	put := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(at(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(at(name), "a"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	has := func(name, text string) {
		t.Helper()
		if raw, err := os.ReadFile(filepath.Join(at(name), "a")); string(raw) != text {
			t.Errorf("%s is %q (%v) instead of %q", name, raw, err, text)
		}
	}
	put("new", "1")
	if err := Exchange(at("new"), at("set")); err != nil {
		t.Fatal(err)
	}
	has("set", "1")
	put("new", "2")
	if err := Exchange(at("new"), at("set")); err != nil {
		t.Fatal(err)
	}
	has("set", "2")
	has("new", "1")
	if err := os.Rename(at("set"), at("set")+aside); err != nil { // killed in between
		t.Fatal(err)
	}
	if err := Restore(at("set")); err != nil {
		t.Fatal(err)
	}
	has("set", "2")
	if err := Restore(at("nothing")); err != nil {
		t.Error(err)
	}
}
