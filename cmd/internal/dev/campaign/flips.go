package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// flipped are the kinds of files of a home, by how their paths begin and end.
var flipped = []struct{ name, begins, ends string }{
	{"the words", "index/", ".zap"},
	{"the words' table of segments", "index/", ".bolt"},
	{"the words' list of documents", "index/", "docs.bin"}, // of few bytes: among those of the table few flips hit it
	{"the vectors", "index/", "vectors.bin|basis.bin"},
	{"manifests", "index/", ".json"},
	{"the catalog", "catalog.db", ""},
	{"the list of doc sets", "sets.json", ""},
}

// questions are asked before and after a flip.
var questions = []string{"voyage harbour crew", "whale oil porcelain", "what did ship 7 carry", "flagship"}

// asked makes a home and asks it the questions.
func (c *campaign) asked() (p prepared, before []answer, err error) {
	if p, _, err = c.two(true); err != nil {
		return p, nil, err
	}
	for _, q := range questions {
		a := c.search(p.home, q, "Fleet", "Boats")
		if len(a.files) == 0 || a.err != "" {
			return p, nil, fmt.Errorf("%q finds nothing: %v", q, a)
		}
		before = append(before, a)
	}
	return p, before, nil
}

// losePages fills a page of the catalog's file with zeros, as a disk does that lost a
// write.
func (c *campaign) losePages() error {
	if c.flips == 0 {
		return nil
	}
	p, before, err := c.asked()
	if err != nil {
		return err
	}
	r := c.row("a page of zeros in the catalog")
	const page = 4096
	for range c.flips {
		if err := p.restore(); err != nil {
			return err
		}
		r.tries++
		path := filepath.Join(p.home, "catalog.db")
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		at := c.rnd.IntN(len(raw)/page) * page
		clear(raw[at : at+page])
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			return err
		}
		c.afterFlip(r, p.home, fmt.Sprintf("page %d of catalog.db", at/page), before)
		if c.ctx.Err() != nil {
			return c.ctx.Err()
		}
	}
	return nil
}

// flipBytes flips a byte of a file, asks questions, and asks them again.
func (c *campaign) flipBytes() error {
	p, before, err := c.asked()
	if err != nil {
		return err
	}
	for _, kind := range flipped {
		r := c.row("flip: " + kind.name)
		for range c.flips {
			if err := p.restore(); err != nil {
				return err
			}
			r.tries++
			what, err := c.flip(p.home, kind.begins, strings.Split(kind.ends, "|"))
			if err != nil {
				return err
			}
			c.afterFlip(r, p.home, what, before)
			if c.ctx.Err() != nil {
				return c.ctx.Err()
			}
		}
	}
	return nil
}

// flip changes one byte of a random file and says which.
func (c *campaign) flip(home, begins string, ends []string) (what string, err error) {
	var files []string
	var sizes []int
	all := 0
	err = filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(home, path)
		rel = filepath.ToSlash(rel)
		st, serr := d.Info()
		if err != nil || serr != nil || st.Size() == 0 || !strings.HasPrefix(rel, begins) || rel == "catalog.db-shm" ||
			!slices.ContainsFunc(ends, func(e string) bool { return strings.HasSuffix(rel, e) }) {
			return err
		}
		files, sizes, all = append(files, path), append(sizes, int(st.Size())), all+int(st.Size())
		return nil
	})
	if err != nil || len(files) == 0 {
		return "", fmt.Errorf("no file of %s in %s: %v", begins, home, err)
	}
	// Every byte of the kind is as likely as any other.
	at, i := c.rnd.IntN(all), 0
	for ; at >= sizes[i]; i++ {
		at -= sizes[i]
	}
	path := files[i]
	st, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	raw[at] ^= byte(1 + c.rnd.IntN(255))
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		return "", err
	}
	if c.rnd.IntN(2) == 0 { // as a disk rots
		err = os.Chtimes(path, st.ModTime(), st.ModTime())
	}
	return fmt.Sprintf("byte %d of %s", at, path[len(home)+1:]), err
}

// afterFlip asks the questions: an answer is unchanged, or has a message. Repairable
// damage is repaired by the second time.
func (c *campaign) afterFlip(r *row, home, what string, before []answer) {
	said := false
	for i, q := range questions {
		a := c.search(home, q, "Fleet", "Boats")
		tells := a.said(before[i])
		said = said || tells
		switch {
		case a.crashed():
			c.fault(&r.broken, r, "%s: %q: %v", what, q, a)
		case !a.same(before[i]) && !said:
			c.fault(&r.silent, r, "%s: %q gives %v, it gave %v", what, q, a.files, before[i].files)
		}
	}
	if said {
		r.said++
	}
	first := c.docent(home, "doctor")
	if first.crashed() {
		c.fault(&r.broken, r, "%s: %v", what, first)
	}
	if first.code != 0 {
		if !said {
			r.said++
		}
		c.docent(home, "update")
		if again := c.docent(home, "doctor"); again.code != 0 {
			c.fault(&r.broken, r, "%s: doctor says\n%s%s, and after an update\n%s%s", what, first.out, first.err, again.out, again.err)
			return
		}
	}
	for i, q := range questions {
		if a := c.search(home, q, "Fleet", "Boats"); !a.same(before[i]) || a.said(before[i]) {
			c.fault(&r.broken, r, "%s: %q gives %v (%v %v), it gave %v", what, q, a.files, a.notes, a, before[i].files)
			return
		}
	}
	listed, _ := c.sets(home)
	if !slices.Contains(listed, "Fleet") || !slices.Contains(listed, "Boats") {
		c.fault(&r.lost, r, "%s: registered are %v", what, listed)
	}
	r.mended++
}
