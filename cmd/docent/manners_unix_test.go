//go:build unix

package main

import (
	"errors"
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

// On a terminal a folder whose name ends with a version is asked about; enter takes the
// version, n keeps the name, ctrl+c adds nothing, and no question comes twice.
func TestAddAsksForTheVersion(t *testing.T) {
	t.Parallel()
	prepared := preparedHome(t)
	for _, tt := range []struct{ keys, want, set string }{
		{"\r", "lamps@1.31: 1 page", "lamps@1.31"},
		{"what\ry\r", "lamps@1.31: 1 page", "lamps@1.31"},
		{"n\r", "lamps-v1.31@latest: 1 page", "lamps-v1.31@latest"},
		{"\x04", "lamps-v1.31@latest: 1 page", "lamps-v1.31@latest"},
		{"\x03", "docent: interrupted", ""},
	} {
		home := filepath.Join(t.TempDir(), "home")
		copyHome(t, home, prepared)
		dir := filepath.Join(t.TempDir(), "lamps-v1.31")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "page.md"), []byte("# Wicks\n\nTrim the wick.\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		p := startPTY(t, home, "add", dir)
		p.until("looks like version 1.31 of lamps. Add it as lamps@1.31? [Y/n]")
		p.press(tt.keys)
		p.until(tt.want)
		err := p.ends()
		if tt.set == "" {
			if e, ok := errors.AsType[*exec.ExitError](err); !ok || e.ExitCode() != 130 {
				t.Errorf("interrupted, it ends with %v", err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: it ends with %v", tt.keys, err)
		}
		if out, code := inHome(t, home, "sets"); code != 0 || !strings.Contains(out, tt.set) {
			t.Errorf("%q: the doc sets are\n%s", tt.keys, out)
		}
		again := startPTY(t, home, "add", dir)
		again.until("page")
		if err := again.ends(); tt.keys == "n\r" && err != nil {
			t.Errorf("added again: %v", err)
		}
		again.drain()
		if s := again.screen(); strings.Contains(s, "looks like") {
			t.Errorf("it asks again:\n%s", s)
		}
	}
}
