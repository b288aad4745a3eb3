package main

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strings"
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
