//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The app is refused where nothing can be drawn, with what answers there.
func TestNoAppOnADumbTerminal(t *testing.T) {
	t.Parallel()
	p := inShell(t, lanternHome(t), "TERM=dumb docent 'how do I trim the wick'")
	if ee, ok := p.ends().(*exec.ExitError); !ok || ee.ExitCode() != 2 {
		t.Errorf("it ends with %v", ee)
	}
	p.drain()
	if raw := p.written(); !strings.Contains(raw, `TERM is "dumb"; set TERM to your terminal's name, or ask here: docent ask`) || strings.Contains(raw, "\x1b[") {
		t.Errorf("it writes %q", raw)
	}
}

// The error of a phase is JSON on standard output and a line for a person on standard
// error. Where both are one terminal, it is shown once.
func TestAPhaseErrorIsShownOnce(t *testing.T) {
	t.Parallel()
	home := lanternHome(t)
	p := inShell(t, home, "echo '{' | docent phase 1")
	_ = p.ends()
	p.drain()
	if raw := p.written(); strings.Count(raw, "JSON that breaks off") != 1 || !strings.Contains(raw, `"errorCode":"INVALID_REQUEST"`) {
		t.Errorf("on a terminal it writes %q", raw)
	}
	p = inShell(t, home, "{ echo '{' | docent phase 1; } 2>&1 | while read -r line; do echo \"$line\"; done")
	_ = p.ends()
	p.drain()
	if raw := p.written(); strings.Count(raw, "JSON that breaks off") != 2 || !strings.Contains(raw, "docent: the input is JSON") {
		t.Errorf("into a pipe it writes %q", raw)
	}
}

// A code span that `docent read` renders has no spaces around it: they would be copied
// with it.
func TestCodeSpansAreNotPadded(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "page.md"), []byte("# Wicks\n\nRun (`trim --level`), then wait.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(t.TempDir(), "home")
	if out, code := inHome(t, home, "add", dir, "--name", "Spans"); code != 0 {
		t.Fatalf("add: exit code %d: %s", code, out)
	}
	p := startPTY(t, home, "read", "Spans/page.md")
	if err := p.ends(); err != nil {
		t.Fatalf("it ends with %v", err)
	}
	p.drain()
	if s := p.screen(); !strings.Contains(s, "Run (trim --level), then wait.") {
		t.Errorf("the screen is:\n%s", s)
	}
}
