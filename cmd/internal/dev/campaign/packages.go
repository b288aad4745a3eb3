package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// killPackages kills the packing of a doc set, and the adding of the package: a package is
// whole or as it was before, and a home has the doc set whole or not at all.
func (c *campaign) killPackages() error {
	r := c.row("kill: pack")
	p, _, err := c.two(true)
	if err != nil {
		return err
	}
	dir := c.folder("packed")
	file := filepath.Join(dir, "boats.docent")
	had := false
	prepare := func() error {
		if had = c.rnd.IntN(2) == 0; had {
			_, err := c.must(p.home, "pack", "Boats", "-o", file)
			return err
		}
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	err = c.killed(r, p, []string{"pack", "Boats", "-o", file}, prepare, func() {
		c.settle(r, p.home, "Fleet", "Boats")
		if _, err := os.Stat(file); err == nil || had {
			c.addsPackage(r, filepath.Join(c.folder("other"), "home"), file)
		}
		if d := c.docent(p.home, "pack", "Boats", "-o", file); d.code != 0 {
			c.fault(&r.broken, r, "%v", d)
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
			c.fault(&r.broken, r, "next to the package lies %v, %v", entries, err)
		}
	})
	if err != nil {
		return err
	}
	if _, err := c.must(p.home, "pack", "Boats", "-o", file); err != nil {
		return err
	}
	return c.killAddsOfPackages(file)
}

func (c *campaign) killAddsOfPackages(file string) error {
	r := c.row("kill: add of a package")
	p, _, err := c.two(false)
	if err != nil {
		return err
	}
	return c.killed(r, p, []string{"add", file}, nothing, func() {
		c.settle(r, p.home, "Fleet")
		if listed, _ := c.sets(p.home); len(listed) > 1 {
			if a := c.search(p.home, "flagship", "Boats"); len(a.files) == 0 && a.code != 1 {
				c.fault(&r.lost, r, "half a doc set: %v", a)
			}
		}
		c.addsPackage(r, p.home, file)
		c.settle(r, p.home, "Fleet", "Boats")
	})
}

// addsPackage requires that a home takes a package, and finds its pages.
func (c *campaign) addsPackage(r *row, home, file string) {
	if d := c.docent(home, "add", file); d.code != 0 {
		c.fault(&r.broken, r, "%v", d)
	}
	if a := c.search(home, "flagship", "Boats"); len(a.files) == 0 {
		c.fault(&r.lost, r, "the package's pages are not found: %v", a)
	}
}
