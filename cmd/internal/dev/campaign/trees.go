package main

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"docent/pipeline/ingest/hostiletest"
)

// The processors' time in which a folder must be added, whatever is in it, and in which
// a question must be answered. The command hostile measures full sizes more closely.
const (
	addTime   = 10 * time.Second
	timePerMB = 2 * time.Second
)

// addTrees adds folders of hostile pages (see hostiletest), each alone at so many
// percent of its full size, and asks; without percents, all in one folder, a thousandth
// of each.
func (c *campaign) addTrees() error {
	r := c.row("hostile folders: add, search, ask")
	if c.trees == 0 {
		trees, err := hostiletest.Trees(c.folder("trees"), 1000)
		if err != nil {
			return err
		}
		all := hostiletest.Written{Tree: hostiletest.Tree{Name: "all of them"}, Root: filepath.Dir(trees[0].Root)}
		for _, w := range trees {
			all.Bytes += w.Bytes
		}
		c.addTree(r, all)
		return nil
	}
	for _, t := range hostiletest.All() {
		dir := c.folder("trees")
		w, err := t.Write(dir, max(1, 100/c.trees))
		if err != nil {
			return err
		}
		c.addTree(r, w)
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
		if c.ctx.Err() != nil {
			return c.ctx.Err()
		}
	}
	return nil
}

// addTree adds one folder in a new home.
func (c *campaign) addTree(r *row, w hostiletest.Written) {
	r.tries++
	home := filepath.Join(c.folder("home"), "home")
	defer os.RemoveAll(filepath.Dir(home))
	d := c.docent(home, "add", w.Root, "--name", "Tree")
	if may := addTime + time.Duration(w.Bytes>>20)*timePerMB; d.cpu > may || d.crashed() || d.code != 0 && d.code != 2 {
		c.fault(&r.broken, r, "%q, %v: %v", w.Name, d.cpu, d)
		return
	}
	if d.err != "" {
		r.said++
	}
	word := w.Word
	if word == "" {
		word = "text"
	}
	for _, args := range [][]string{{"search", "text level heading"}, {"ask", "--sections", word}, {"sets"}, {"doctor"}} {
		got := c.docent(home, args...)
		if got.crashed() || got.code > 1 || got.cpu > addTime {
			c.fault(&r.broken, r, "%q, %v: %v", w.Name, got.cpu, got)
		}
		if strings.ContainsAny(got.out+got.err, "\x1b\x07\x00") {
			c.fault(&r.broken, r, "%q: %v prints control characters", w.Name, args)
		}
	}
	r.mended++
}
