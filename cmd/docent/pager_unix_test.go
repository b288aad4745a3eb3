//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// longHome makes a home with one page of many lines.
func longHome(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "docs"), 0o700); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("# Wicks\n\nAll wicks.\n\n## Trim the wick\n\nCut it level.\n\n## Sizes\n\n")
	for i := range 1500 { // more than a pipe holds
		fmt.Fprintf(&b, "Wick number %d is one of the many wicks that a lantern may have had in its long life.\n\n", i)
	}
	if err := os.WriteFile(filepath.Join(dir, "docs", "page.md"), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	home := homeWithManual(t)
	if out, code := inHome(t, home, "add", filepath.Join(dir, "docs")); code != 0 {
		t.Fatalf("add: exit code %d: %s", code, out)
	}
	return home
}

// script writes a shell script and gives its path.
func script(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pager")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// inShell runs a command line of the shell in a terminal.
func inShell(t *testing.T, home, line string) *pty80 {
	t.Helper()
	p, _ := startProgram(t, "/bin/sh", "", home, "-c", line)
	return p
}

// A block that is longer than the screen is shown in a pager, which may be left
// early; a short one, and one for which no pager is wanted or there, is printed.
func TestPager(t *testing.T) {
	t.Parallel()
	home := longHome(t)
	early := script(t, `read first; echo "the pager has a line"; exit 3`)
	for _, tt := range []struct {
		name, line string
		paged      bool
		says       string
	}{
		{"a long block", "DOCENT_PAGER=" + early + " docent ask --full 'trim the wick'", true, "lines of 1 page; --sections: "},
		{"by PAGER", "PAGER=" + early + " docent ask --full 'trim the wick'", true, ""},
		{"its own variable first", "PAGER=" + early + " DOCENT_PAGER=cat docent ask --full 'trim the wick'", false, ""},
		{"an empty one", "PAGER=" + early + " DOCENT_PAGER= docent ask --full 'trim the wick'", false, ""},
		{"no pager by a flag", "PAGER=" + early + " docent ask --no-pager --full 'trim the wick'", false, ""},
		{"a dumb terminal", "TERM=dumb PAGER=" + early + " docent ask --full 'trim the wick'", false, ""},
		{"a short block", "PAGER=" + early + " docent ask --sections --lines 5 'trim the wick'", false, "; --documents: "},
		{"JSON", "PAGER=" + early + " docent ask --json --full 'trim the wick'", false, ""},
		{"no such pager", "PAGER=no-such-pager docent ask --full 'trim the wick'", false, "the pager cannot be run: no-such-pager: executable file not found in $PATH; --no-pager asks for none"},
		{"without one", "docent ask --full 'trim the wick'", false, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := inShell(t, home, "export NO_COLOR=1; "+tt.line)
			if err := p.ends(); err != nil {
				t.Errorf("it ends with %v:\n%s", err, p.screen())
			}
			p.drain()
			raw := strings.ReplaceAll(p.written(), "\r\n", " ")
			if paged := strings.Contains(raw, "the pager has a line"); paged != tt.paged {
				t.Errorf("a pager was used: %v", paged)
			}
			if printed := strings.Contains(raw, "Cut it level."); printed == tt.paged {
				t.Errorf("the answer was printed: %v", printed)
			}
			if !strings.Contains(raw, tt.says) {
				t.Errorf("it does not say %q:\n%s", tt.says, p.screen())
			}
		})
	}
}

// ctrl+c is the pager's own: docent waits until it is left, and what it says comes
// behind it.
func TestInterruptInPager(t *testing.T) {
	t.Parallel()
	pager := script(t, `trap 'echo "interrupted by a key"' INT; read first; echo "ready"; read key </dev/tty; read key </dev/tty; echo "left"`)
	p := inShell(t, longHome(t), "DOCENT_PAGER="+pager+" exec docent ask --full 'trim the wick'")
	p.until("ready")
	p.press("\x03")
	p.until("interrupted by a key")
	p.press("\n\n")
	if err := p.ends(); err != nil {
		t.Errorf("it ends with %v:\n%s", err, p.screen())
	}
	p.drain()
	if s := p.screen(); !strings.Contains(s, "left") || !strings.Contains(s, "--sections: ") {
		t.Errorf("the pager was not waited for:\n%s", s)
	}
}

// A signal that ends docent ends its pager too.
func TestPagerEndsWithTheProgram(t *testing.T) {
	t.Parallel()
	pager := script(t, `trap 'echo "the pager ends"; exit 0' TERM; read first; echo "ready"; while read key </dev/tty; do :; done`)
	p := inShell(t, longHome(t), "DOCENT_PAGER="+pager+" exec docent ask --full 'trim the wick'")
	p.until("ready")
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	err := p.ends()
	if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 143 {
		t.Errorf("it ends with %v", err)
	}
}
