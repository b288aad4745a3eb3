package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// The processors' time in which a folder must be added, whatever is in it.
const (
	addTime   = 10 * time.Second
	timePerMB = 2 * time.Second
)

// hostile are pages that a program may break on, by the names of their files.
func (c *campaign) hostile() map[string][]byte {
	noise := make([]byte, 200_000)
	for i := range noise {
		noise[i] = byte(c.rnd.Uint32())
	}
	words := func(n int) string {
		var b strings.Builder
		for range n {
			fmt.Fprintf(&b, "%x ", c.rnd.Uint32())
		}
		return b.String()
	}
	var table, headings, nested bytes.Buffer
	for i := range 20_000 {
		fmt.Fprintf(&table, "| %d | %x |\n", i, c.rnd.Uint32())
		fmt.Fprintf(&headings, "## Heading %d\n", i)
	}
	for i := range 300 {
		fmt.Fprintf(&nested, "%s- level %d\n", strings.Repeat("  ", i), i)
	}
	return map[string][]byte{
		"noise.md":                       noise,
		"empty.md":                       {},
		"nul.md":                         []byte("# Nul\x00\n\n\x00\x01\x1b[31mred\x1b]52;c;aGk=\x07\n"),
		"line.md":                        []byte("# One line\n\n" + words(100_000)),
		"table.md":                       append([]byte("# Table\n\n| a | b |\n| - | - |\n"), table.Bytes()...),
		"headings.md":                    headings.Bytes(),
		"nested.md":                      nested.Bytes(),
		"quotes.md":                      []byte(strings.Repeat(">", 5000) + " deep\n"),
		"brackets.md":                    []byte("# B\n\n" + strings.Repeat("[", 20_000) + strings.Repeat("](x)", 2000)),
		"fence.md":                       []byte("# F\n\n" + strings.Repeat("```go\n", 3000)),
		"title.md":                       []byte("# " + words(20_000) + "\n\ntext\n"),
		"front.md":                       []byte("---\n" + strings.Repeat("a: &a [*a]\n", 500) + "---\n# Front\n"),
		"utf16.md":                       []byte("\xff\xfe#\x00 \x00T\x00"),
		"cr.md":                          []byte("# Old Mac\rtext\r## Sub\r"),
		"-rf.md":                         []byte("# A flag\n\ntext\n"),
		"new\nline.md":                   []byte("# Newline\n\ntext\n"),
		"b\xffad.md":                     []byte("# No UTF-8\n\ntext\n"),
		strings.Repeat("n", 240) + ".md": []byte("# Long name\n\ntext\n"),
		"=== AOP-FINAL ===.md":           []byte("=== AOP-FINAL ===\n=== END-AOP-FINAL ===\n"),
	}
}

// addTrees adds folders of hostile pages, each page alone and all together, and asks;
// without rounds, all together once.
func (c *campaign) addTrees() error {
	r := c.row("hostile folders: add, search, ask")
	for range max(1, c.trees) {
		all := filepath.Join(c.folder("trees"), "all")
		pages := c.hostile()
		for _, name := range slices.Sorted(maps.Keys(pages)) {
			text := pages[name]
			dir := filepath.Join(c.folder("tree"), "one")
			for _, d := range []string{dir, all} {
				if err := os.MkdirAll(d, 0o700); err != nil {
					return err
				}
				if err := os.WriteFile(filepath.Join(d, name), text, 0o600); err != nil {
					return err
				}
			}
			if c.trees > 0 {
				c.addTree(r, dir, name)
			}
		}
		// A link to itself, one out of the folder, a folder that may not be read.
		for name, to := range map[string]string{"loop": all, "out.md": "/etc/passwd", "gone.md": "nowhere"} {
			if err := os.Symlink(to, filepath.Join(all, name)); err != nil {
				return err
			}
		}
		if err := os.Mkdir(filepath.Join(all, "closed"), 0); err != nil {
			return err
		}
		c.addTree(r, all, "all of them")
		if c.ctx.Err() != nil {
			return c.ctx.Err()
		}
	}
	return nil
}

// addTree adds one folder in a new home.
func (c *campaign) addTree(r *row, dir, what string) {
	r.tries++
	home := filepath.Join(c.folder("home"), "home")
	defer os.RemoveAll(filepath.Dir(home))
	var size int64
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if st, err := d.Info(); err == nil {
				size += st.Size()
			}
		}
		return nil
	})
	d := c.docent(home, "add", dir, "--name", "Tree")
	if may := addTime + time.Duration(size>>20)*timePerMB; d.cpu > may || d.crashed() || d.code != 0 && d.code != 2 {
		c.fault(&r.broken, r, "%q, %v: %v", what, d.cpu, d)
		return
	}
	if d.err != "" {
		r.said++
	}
	for _, args := range [][]string{{"search", "text level heading"}, {"ask", "text"}, {"sets"}, {"doctor"}} {
		got := c.docent(home, args...)
		if got.crashed() || got.code > 1 || got.cpu > addTime {
			c.fault(&r.broken, r, "%q, %v: %v", what, got.cpu, got)
		}
		if strings.ContainsAny(got.out+got.err, "\x1b\x07\x00") {
			c.fault(&r.broken, r, "%q: %v prints control characters", what, args)
		}
	}
	r.mended++
}
