package storetest

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// damaged damages every file of a store in every way, and uses it then: it must
// say so. fresh makes a store, and use uses all of it.
func damaged(t *testing.T, fresh func(testing.TB) (x any, use func() error), want error) {
	x, use := fresh(t)
	d, ok := x.(Damager)
	if !ok {
		t.Skip("it has no files that could be damaged")
	}
	files, err := d.Files()
	if err != nil || len(files) == 0 {
		t.Fatalf("files %q, %v", files, err)
	}
	if err := use(); err != nil {
		t.Fatalf("undamaged: %v", err)
	}
	for name, damage := range map[string]func(string) error{
		"cut":     func(p string) error { return os.Truncate(p, 10) },
		"emptied": func(p string) error { return os.Truncate(p, 0) },
		"removed": os.Remove,
		"flipped": func(p string) error {
			raw, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			raw[len(raw)/2] ^= 0x55
			return replace(p, raw)
		},
		"foreign": func(p string) error { return replace(p, []byte(`{"format": "something else"}`)) },
	} {
		t.Run(name, func(t *testing.T) {
			for i := range files {
				x, use := fresh(t)
				files, err := x.(Damager).Files()
				if err != nil {
					t.Fatal(err)
				}
				if err := damage(files[i]); err != nil {
					t.Fatal(err)
				}
				if err := use(); !errors.Is(err, want) {
					t.Errorf("%s: %v", filepath.Base(files[i]), err)
				}
			}
		})
	}
}

// replace writes a new file in the place of one that others may have mapped.
func replace(path string, content []byte) error {
	if err := os.Remove(path); err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o600)
}
