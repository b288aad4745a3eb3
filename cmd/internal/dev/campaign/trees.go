package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"docent/pipeline/ingest/hostiletest"
)

// limits are the processor time and the memory in bytes in which a folder must be added,
// and the processor time of any other command.
type limits struct {
	add, other time.Duration
	memory     int64
}

// limitsOf returns the limits of a folder: for full sizes 2 s and 1 s a megabyte or 5 000
// files, 300 MB and 16 times the largest page, 2 s for another command; for parts of the
// sizes, which a campaign adds between other work, wider ones and none of memory.
func (c *campaign) limitsOf(w hostiletest.Written) limits {
	if c.trees < 100 {
		return limits{add: 10*time.Second + time.Duration(w.Bytes>>20)*2*time.Second, other: 10 * time.Second}
	}
	seconds := 2 + float64(w.Bytes)/(1<<20) + float64(w.Files)/5000
	return limits{add: time.Duration(seconds * float64(time.Second)), other: 2 * time.Second, memory: 300<<20 + 16*int64(w.Largest)}
}

// addTrees adds folders of hostile pages (see hostiletest), each alone at so many
// percent of its full size, and asks; without percents, all in one folder, a thousandth
// of each.
func (c *campaign) addTrees() error {
	r := c.row("hostile folders: add, search, ask")
	if c.trees == 0 {
		trees, err := hostiletest.WriteTrees(c.folder("trees"), 1000)
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
	only, err := regexp.Compile(c.only)
	if err != nil {
		return err
	}
	for _, t := range hostiletest.All() {
		if !only.MatchString(t.Name) {
			continue
		}
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
	d, most := c.docent(home, "add", w.Root, "--name", "Tree"), c.limitsOf(w)
	if c.trees >= 100 {
		fmt.Fprintf(c.log, "%-17s %6.1f MB: %6.2f s of %6.1f, %5d MB of %5d\n", w.Name, float64(w.Bytes)/(1<<20),
			d.cpu.Seconds(), most.add.Seconds(), d.peak>>20, most.memory>>20)
	}
	if d.cpu > most.add || most.memory > 0 && d.peak > most.memory || d.crashed() || d.code != 0 && d.code != 2 {
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
	for _, args := range [][]string{{"search", "text level heading"}, {"ask", "--sections", word}, {"ask", "--max-tokens", "800", word},
		{"sets"}, {"doctor"}} {
		got := c.docent(home, args...)
		if got.crashed() || got.code > 1 || got.cpu > most.other {
			c.fault(&r.broken, r, "%q, %v: %v", w.Name, got.cpu, got)
		}
		if strings.ContainsAny(got.out+got.err, "\x1b\x07\x00") {
			c.fault(&r.broken, r, "%q: %v prints control characters", w.Name, args)
		}
	}
	r.mended++
}
