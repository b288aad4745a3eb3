package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// fleet is a doc set of generated pages that change at random.
type fleet struct {
	dir   string
	pages int
	rnd   *rand.Rand
	marks []string // what each page says now, "" for one that is not there
}

// fleet makes the pages of a doc set.
func (c *campaign) fleet(name string, pages int) (*fleet, error) {
	f := &fleet{dir: filepath.Join(c.folder("docs"), name+"@1"), pages: pages, rnd: c.rnd, marks: make([]string, pages)}
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return nil, err
	}
	for i := range pages {
		if err := f.write(i); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// write gives a page another text. Page 0 never changes.
func (f *fleet) write(i int) error {
	cargo := []string{"grain", "timber", "oranges", "whale oil", "salt", "porcelain"}
	var b bytes.Buffer
	f.marks[i] = fmt.Sprintf("mark%dx%d", i, f.rnd.IntN(1<<30))
	if i == 0 {
		f.marks[i] = "flagship"
	}
	fmt.Fprintf(&b, "# Ship %d\n\nIts mark is %s.\n", i, f.marks[i])
	for s := range 3 + f.rnd.IntN(6) {
		fmt.Fprintf(&b, "\n## Voyage %d\n\nIt carried %s from harbour %d to harbour %d.\n\n- crew: %d\n- log: `log show --voyage %d`\n",
			s, cargo[f.rnd.IntN(len(cargo))], f.rnd.IntN(40), f.rnd.IntN(40), f.rnd.IntN(90), s)
	}
	return os.WriteFile(f.path(i), b.Bytes(), 0o600)
}

func (f *fleet) path(i int) string { return filepath.Join(f.dir, fmt.Sprintf("ship-%03d.md", i)) }

// change alters, deletes and makes pages.
func (f *fleet) change() error {
	for range 1 + f.rnd.IntN(60) {
		i := 1 + f.rnd.IntN(f.pages-1)
		if f.rnd.IntN(4) > 0 {
			if err := f.write(i); err != nil {
				return err
			}
			continue
		}
		if err := os.Remove(f.path(i)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		f.marks[i] = ""
	}
	return nil
}

// prepared is a home that is put back before each try. It keeps its path: the manual
// lies in it, and the catalog knows where.
type prepared struct{ home, copy string }

// prepare makes a home with doc sets.
func (c *campaign) prepare(docs ...*fleet) (prepared, error) {
	dir := c.folder("home")
	p := prepared{filepath.Join(dir, "home"), filepath.Join(dir, "copy")}
	for _, f := range docs {
		if _, err := c.must(p.home, "add", f.dir); err != nil {
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
