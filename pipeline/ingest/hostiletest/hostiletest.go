// Package hostiletest writes folders of extreme pages: a million headings, one line of 50
// MB, lists nested ten thousand deep. Tests and measurements add them as doc sets, to see
// that time and memory stay in proportion to the size.
//
// A tree is the same on every machine and at every call. ProcessorTime measures what reads them. The
// package refuses to judge.
package hostiletest

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// Tree is one hostile folder.
type Tree struct {
	Name string // of the folder
	What string // for people
	// Word is a word that stands in the tree, for a question; "" where nothing can be
	// found in it.
	Word  string
	write func(w *writer, n int) error
	full  int // how many of what makes it hostile, in full size
}

// Written is a tree on disk.
type Written struct {
	Tree
	Root    string
	Files   int
	Bytes   int64 // of all files
	Largest int64 // file
}

// WriteTrees writes all trees as folders of dir. scale divides their size: 1 makes full
// ones, which have up to 60 MB each, 100 small ones for quick tests.
func WriteTrees(dir string, scale int) ([]Written, error) {
	var out []Written
	for _, t := range All() {
		w, err := t.Write(dir, scale)
		if err != nil {
			return nil, err
		}
		out = append(out, w)
	}
	return out, nil
}

// Write writes the tree as a folder of dir, see Trees.
func (t Tree) Write(dir string, scale int) (Written, error) {
	w := &writer{root: filepath.Join(dir, t.Name)}
	if err := os.MkdirAll(w.root, 0o755); err != nil {
		return Written{}, err
	}
	if err := t.write(w, max(1, t.full/max(1, scale))); err != nil {
		return Written{}, fmt.Errorf("write the hostile tree %s: %w", t.Name, err)
	}
	return Written{Tree: t, Root: w.root, Files: w.files, Bytes: w.bytes, Largest: w.largest}, nil
}

// writer writes the files of a tree and counts them.
type writer struct {
	root    string
	files   int
	bytes   int64
	largest int64
}

// writePage writes one file through f.
func (w *writer) writePage(name string, f func(out io.Writer)) (err error) {
	path := filepath.Join(w.root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	out := bufio.NewWriterSize(file, 1<<16)
	counted := &counter{out: out}
	f(counted)
	w.files++
	w.bytes += counted.n
	w.largest = max(w.largest, counted.n)
	return errors.Join(counted.err, out.Flush())
}

// counter counts the written bytes and keeps the first error.
type counter struct {
	out io.Writer
	n   int64
	err error
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.out.Write(p)
	c.n += int64(n)
	if c.err == nil {
		c.err = err
	}
	return n, err
}

// repeat is a tree of one page: before, then item with the numbers 0 to n-1, then after.
// item is a format that may use its number as often as it likes (%[1]d).
func repeat(before, item, after string) func(*writer, int) error {
	return func(w *writer, n int) error {
		return w.writePage("page.md", func(out io.Writer) {
			io.WriteString(out, before)
			for i := range n {
				fmt.Fprintf(out, item, i)
			}
			io.WriteString(out, after)
		})
	}
}

// repeatedTree is a tree of one page: before, then n times item, then after.
func repeatedTree(before, item, after string) func(*writer, int) error {
	return func(w *writer, n int) error {
		return w.writePage("page.md", func(out io.Writer) {
			io.WriteString(out, before)
			for range n {
				io.WriteString(out, item)
			}
			io.WriteString(out, after)
		})
	}
}

// nested is a tree of one page of n lines, of which each is indented one step deeper.
func nested(before, step, line string) func(*writer, int) error {
	return func(w *writer, n int) error {
		return w.writePage("page.md", func(out io.Writer) {
			io.WriteString(out, before)
			for i := range n {
				for range i {
					io.WriteString(out, step)
				}
				fmt.Fprintf(out, line, i)
			}
		})
	}
}

// noiseTree is a tree of files of 1 MB of random bytes, made by the generator of the given
// byte from a random one.
func noiseTree(of func(byte) byte) func(*writer, int) error {
	return func(w *writer, n int) error {
		const size = 1 << 20
		for i := 0; i*size < n; i++ {
			err := w.writePage(fmt.Sprintf("noise-%03d.md", i), func(out io.Writer) {
				r := rand.NewChaCha8([32]byte{byte(i)})
				b := make([]byte, min(size, n-i*size))
				r.Read(b)
				for k := range b {
					b[k] = of(b[k])
				}
				out.Write(b)
			})
			if err != nil {
				return err
			}
		}
		return nil
	}
}
