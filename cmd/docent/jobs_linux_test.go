package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// A disk that becomes full while a file is taken in: the error says so, and nothing of
// the file is left.
func TestUploadOnAFullDisk(t *testing.T) {
	t.Parallel()
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=6m"); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	home := filepath.Join(disk, "home")
	docent := runner{home: home}
	docent.run(t, 0, "", "status")
	dir := t.TempDir()
	var big bytes.Buffer
	for i := 0; big.Len() < 8<<20; i++ {
		fmt.Fprintf(&big, "Line %d of a text that does not fit on the disk.\n", i)
	}
	for name, text := range map[string][]byte{"big.txt": big.Bytes(), "small.txt": big.Bytes()[:500]} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, errs := docent.run(t, 3, "", "add", filepath.Join(dir, "big.txt"))
	if !strings.Contains(errs, "free some space") {
		t.Errorf("a full disk says %q", errs)
	}
	for _, folder := range []string{"incoming", "waiting", "records", "pages"} {
		if left, _ := os.ReadDir(filepath.Join(home, "uploads", folder)); len(left) > 0 {
			t.Errorf("%s has %s left", folder, left[0].Name())
		}
	}
	docent.run(t, 0, "", "add", filepath.Join(dir, "small.txt"))
	docent.run(t, 0, "", "doctor")
}

// A process that is killed while poppler reads a file leaves neither poppler nor temporary
// files: the one ends with it, the others go at the next start.
func TestKilledWhilePopplerReads(t *testing.T) {
	t.Parallel()
	bin, tmp, docs := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "Lantern@1")
	// A program that reads files of users may write where it is started, and nowhere else.
	script := "#!/bin/sh\necho $$ >pid.new; mv pid.new pid; exec sleep 1000\n"
	for _, name := range []string{"pdftotext", "pdftohtml", "pdftoppm"} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(docs, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(docs, "wick.pdf"), []byte("%PDF-1.7\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(t.TempDir(), "home")
	docent := runner{home: home, env: []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "TMPDIR=" + tmp}}
	cmd := docent.command(t, "", "add", docs)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var child int
	waitFor(t, "poppler to read", func() bool {
		found, _ := filepath.Glob(filepath.Join(home, "tmp", "*", "*", "pid"))
		if len(found) == 0 {
			return false
		}
		raw, err := os.ReadFile(found[0])
		if err == nil {
			child, err = strconv.Atoi(strings.TrimSpace(string(raw)))
		}
		return err == nil
	})
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	waitFor(t, "poppler to end", func() bool {
		stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(child), "stat"))
		return err != nil || strings.Contains(string(stat), ") Z ")
	})
	if left, _ := os.ReadDir(filepath.Join(home, "tmp")); len(left) == 0 {
		t.Error("the killed process had no temporary files in the home: this tries nothing")
	}
	if err := os.Remove(filepath.Join(docs, "wick.pdf")); err != nil { // else the next start reads it
		t.Fatal(err)
	}
	docent.run(t, 0, "", "status")
	for _, dir := range []string{filepath.Join(home, "tmp"), tmp} {
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("%s has %s left", dir, left[0].Name())
		}
	}
}
