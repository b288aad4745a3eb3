package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// runner runs docent as a process of its own, in a home.
type runner struct {
	home string
	env  []string // more environment variables
}

// command is a docent command that is not started yet. The text stdin is its
// standard input.
func (r runner) command(t *testing.T, stdin string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "docent", args...)
	cmd.Env = append(append(os.Environ(), "DOCENT_HOME="+r.home, "NO_COLOR=1"), r.env...)
	cmd.Stdin = strings.NewReader(stdin)
	return cmd
}

// run runs docent, requires its exit code and returns its two outputs.
func (r runner) run(t *testing.T, code int, stdin string, args ...string) (stdout, stderr string) {
	t.Helper()
	cmd := r.command(t, stdin, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if cmd.ProcessState == nil {
		t.Fatalf("docent %q: %v", args, err)
	}
	if got := cmd.ProcessState.ExitCode(); got != code {
		t.Fatalf("docent %q: exit code %d, not %d\n%s%s", args, got, code, out.String(), errs.String())
	}
	return out.String(), errs.String()
}

// preparedHome is a home that has the manual and nothing else, from which copyHome makes those of
// tests. Indexing the manual takes 0.4 s of the processor's time in each new home, which is ten times
// what a command takes, so it is done once for all tests.
func preparedHome(t *testing.T) string {
	t.Helper()
	madeOnce.once.Do(func() {
		runner{home: filepath.Join(madeOnce.folder, "manual")}.run(t, 0, "", "sets")
		madeOnce.done = true
	})
	if !madeOnce.done {
		t.Fatal("the home that tests copy was not made")
	}
	return filepath.Join(madeOnce.folder, "manual")
}

// madeOnce is what preparedHome made, in a folder of the whole run.
var madeOnce struct {
	once   sync.Once
	folder string
	done   bool
}

// inFolder runs tests that share a folder, and removes it.
type inFolder struct {
	*testing.M
	folder string
}

func (f inFolder) Run() int {
	defer func() { _ = os.RemoveAll(f.folder) }()
	return f.M.Run()
}

// runnerWithManual has a home of its own with the manual, a copy of preparedHome's.
func runnerWithManual(t *testing.T) runner {
	t.Helper()
	return runner{home: homeWithManual(t)}
}

// homeWithManual is the home of runnerWithManual.
func homeWithManual(t *testing.T) string {
	t.Helper()
	home := filepath.Join(t.TempDir(), "home")
	copyHome(t, home, preparedHome(t))
	return home
}

// copyHome copies a home that no process uses.
func copyHome(t *testing.T, to, from string) {
	t.Helper()
	if err := copyFolder(to, from); err != nil {
		t.Fatal(err)
	}
}

// copyFolder copies a folder. Files keep their times: those of the manual are compared with the
// catalog's.
func copyFolder(to, from string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		copied := filepath.Join(to, strings.TrimPrefix(path, from))
		if d.IsDir() {
			return os.MkdirAll(copied, 0o700)
		}
		st, err := d.Info()
		if err != nil {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return errors.Join(os.WriteFile(copied, content, st.Mode().Perm()), os.Chtimes(copied, st.ModTime(), st.ModTime()))
	})
}

// checkOutput checks that each pattern matches a part of the output; ^ and $ match at
// lines.
func checkOutput(t *testing.T, out string, patterns ...string) {
	t.Helper()
	for _, p := range patterns {
		if !regexp.MustCompile("(?m)" + p).MatchString(out) {
			t.Errorf("%q is not in:\n%s", p, out)
		}
	}
}
