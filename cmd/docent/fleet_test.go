package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// fleet is a doc set of generated pages. The campaign (cmd/internal/dev/campaign) has one
// that changes, and kills the programs that index it.
type fleet struct {
	dir   string
	pages int
	rnd   *rand.Rand
	words []string // what each page says now
}

func newFleet(t *testing.T, pages int) *fleet {
	f := &fleet{dir: filepath.Join(t.TempDir(), "Fleet@1"), pages: pages, rnd: rand.New(rand.NewPCG(1, 2)), words: make([]string, pages)}
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range pages {
		f.write(t, i)
	}
	return f
}

// write gives a page another text. Page 0 never changes.
func (f *fleet) write(t *testing.T, i int) {
	t.Helper()
	cargo := []string{"grain", "timber", "oranges", "whale oil", "salt", "porcelain"}
	var b bytes.Buffer
	f.words[i] = fmt.Sprintf("mark%dx%d", i, f.rnd.IntN(1<<30))
	if i == 0 {
		f.words[i] = "flagship"
	}
	fmt.Fprintf(&b, "# Ship %d\n\nIts mark is %s.\n", i, f.words[i])
	for s := range 3 + f.rnd.IntN(6) {
		fmt.Fprintf(&b, "\n## Voyage %d\n\nIt carried %s from harbour %d to harbour %d.\n\n- crew: %d\n- log: `log show --voyage %d`\n",
			s, cargo[f.rnd.IntN(len(cargo))], f.rnd.IntN(40), f.rnd.IntN(40), f.rnd.IntN(90), s)
	}
	if err := os.WriteFile(f.path(i), b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (f *fleet) path(i int) string { return filepath.Join(f.dir, fmt.Sprintf("ship-%03d.md", i)) }

// inHome runs the program and returns its standard output and exit code.
func inHome(t *testing.T, home string, args ...string) (string, int) {
	t.Helper()
	cmd := exec.Command("docent", append([]string{"--home", home}, args...)...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		var ee *exec.ExitError
		if !errors.As(err, &ee) {
			t.Fatal(err)
		}
		t.Logf("docent %q: exit code %d: %s", args, ee.ExitCode(), errs.String())
		return out.String(), ee.ExitCode()
	}
	return out.String(), 0
}
