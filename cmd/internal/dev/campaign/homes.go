package main

import (
	"io/fs"
	"os"
	"path/filepath"

	"docent/cmd/internal/dev/campaign/fleet"
)

// fleet makes a doc set of pages.
func (c *campaign) fleet(name string, pages int) (*fleet.Fleet, error) {
	return fleet.New(filepath.Join(c.folder("docs"), name+"@1"), pages, c.rnd)
}

// prepared is a home that is put back before each try. It keeps its path: the manual
// lies in it, and the catalog knows where.
type prepared struct{ home, copy string }

// prepare makes a home with doc sets.
func (c *campaign) prepare(docs ...*fleet.Fleet) (prepared, error) {
	dir := c.folder("home")
	p := prepared{filepath.Join(dir, "home"), filepath.Join(dir, "copy")}
	for _, f := range docs {
		if _, err := c.must(p.home, "add", f.Dir); err != nil {
			return p, err
		}
	}
	return p, copyTree(p.copy, p.home)
}

// restore puts the home back.
func (p prepared) restore() error {
	if err := os.RemoveAll(p.home); err != nil {
		return err
	}
	return copyTree(p.home, p.copy)
}

// copyTree copies a folder. Files keep their times: the manual's are compared with the
// catalog's.
func copyTree(to, from string) error {
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return err
	}
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		st, err := d.Info()
		if err != nil {
			return err
		}
		return os.Chtimes(filepath.Join(to, path[len(from):]), st.ModTime(), st.ModTime())
	})
}
