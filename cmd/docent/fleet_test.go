package main

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"testing"

	"docent/cmd/internal/dev/campaign/fleet"
)

// ships is a fleet whose errors end the test.
type ships struct{ *fleet.Fleet }

func newFleet(t *testing.T, pages int) ships {
	t.Helper()
	f, err := fleet.New(filepath.Join(t.TempDir(), "Fleet@1"), pages, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	return ships{f}
}

// write gives a page another text.
func (f ships) write(t *testing.T, i int) {
	t.Helper()
	if err := f.Write(i); err != nil {
		t.Fatal(err)
	}
}

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
