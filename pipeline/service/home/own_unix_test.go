//go:build unix

package home

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// A home that others can read is closed when it is opened, whatever version made it;
// files that are not its own stay as they are, and so does the folder that has some.
func TestAHomeIsItsOwnersAlone(t *testing.T) {
	t.Parallel()
	for _, foreign := range []bool{false, true} {
		dir := filepath.Join(t.TempDir(), "home")
		files := map[string]bool{"catalog.db": true, "catalog.db-wal": true, "sets.json": true, "index/2/g1/scorch/1.zap": true, "manual/x/page.md": true,
			"sessions/a.json": true, "lock": true, "docent.toml": false}
		if foreign {
			files["notes.md"], files["src/main.go"] = false, false
		}
		for name := range files {
			path := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error { // whatever the umask is
			if err == nil {
				err = os.Chmod(path, map[bool]fs.FileMode{true: 0o755, false: 0o644}[d.IsDir()])
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		(&Home{Dir: dir, Stores: namedStores{}}).ownFolder()
		for name, own := range files {
			st, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name)))
			if err != nil || (st.Mode().Perm() == 0o600) != own {
				t.Errorf("foreign %v: %s: %v, %v", foreign, name, st.Mode(), err)
			}
		}
		if st, err := os.Stat(dir); err != nil || (st.Mode().Perm() == 0o700) == foreign {
			t.Errorf("foreign %v: the folder: %v, %v", foreign, st.Mode(), err)
		}
		if st, err := os.Stat(filepath.Join(dir, "index", "2")); err != nil || st.Mode().Perm() != 0o700 {
			t.Errorf("a folder of the index: %v, %v", st.Mode(), err)
		}
	}
}

// namedStores are stores of which only the names of their files are asked.
type namedStores struct{ Stores }

func (namedStores) FileNames() []string { return []string{"catalog.", "lock"} }
