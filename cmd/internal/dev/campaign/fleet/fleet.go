// Package fleet writes doc sets of pages about ships, which change at random: for tests
// and for the campaign, which kill the programs that index them.
//
// It refuses to run programs and to judge what they make of the pages.
package fleet

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// Fleet is a doc set of generated pages.
type Fleet struct {
	Dir   string // whose name is the doc set's
	Pages int
	// Marks is a word that each page alone has now, "" for a page that is not there.
	Marks []string
	rnd   *rand.Rand
}

// New writes the pages of a doc set.
func New(dir string, pages int, rnd *rand.Rand) (*Fleet, error) {
	f := &Fleet{Dir: dir, Pages: pages, rnd: rnd, Marks: make([]string, pages)}
	if err := os.MkdirAll(f.Dir, 0o700); err != nil {
		return nil, err
	}
	for i := range pages {
		if err := f.Write(i); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// Write gives a page another text. The mark of page 0 never changes.
func (f *Fleet) Write(i int) error {
	cargo := []string{"grain", "timber", "oranges", "whale oil", "salt", "porcelain"}
	var b bytes.Buffer
	f.Marks[i] = fmt.Sprintf("mark%dx%d", i, f.rnd.IntN(1<<30))
	if i == 0 {
		f.Marks[i] = "flagship"
	}
	fmt.Fprintf(&b, "# Ship %d\n\nIts mark is %s.\n", i, f.Marks[i])
	for s := range 3 + f.rnd.IntN(6) {
		fmt.Fprintf(&b, "\n## Voyage %d\n\nIt carried %s from harbour %d to harbour %d.\n\n- crew: %d\n- log: `log show --voyage %d`\n",
			s, cargo[f.rnd.IntN(len(cargo))], f.rnd.IntN(40), f.rnd.IntN(40), f.rnd.IntN(90), s)
	}
	return os.WriteFile(f.Path(i), b.Bytes(), 0o600)
}

// Path is the file of a page.
func (f *Fleet) Path(i int) string { return filepath.Join(f.Dir, fmt.Sprintf("ship-%03d.md", i)) }

// Change alters, deletes and makes pages, but for page 0.
func (f *Fleet) Change() error {
	for range 1 + f.rnd.IntN(60) {
		i := 1 + f.rnd.IntN(f.Pages-1)
		if f.rnd.IntN(4) > 0 {
			if err := f.Write(i); err != nil {
				return err
			}
			continue
		}
		if err := os.Remove(f.Path(i)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		f.Marks[i] = ""
	}
	return nil
}
