package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A disk that becomes full during indexing: the error says so, nothing is lost, and
// the doc set that did not fit is not added. On a read-only disk searches work.
func TestFullAndReadOnlyDisk(t *testing.T) {
	t.Parallel()
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=2560k"); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	home := filepath.Join(disk, "home")
	docent := func(want int, args ...string) string {
		t.Helper()
		out, errs := runner{home: home}.run(t, want, "", args...)
		return out + errs
	}
	docent(0, "status")
	big := t.TempDir()
	for i := range 400 {
		var b strings.Builder
		fmt.Fprintf(&b, "# Page %d\n", i)
		for j := range 60 {
			fmt.Fprintf(&b, "\n## Section %d\n\nword%d other%d third%d fourth%d fifth%d\n", j, i*j, i+j, i*7+j, j*13, i*31)
		}
		if err := os.WriteFile(filepath.Join(big, fmt.Sprintf("p%d.md", i)), []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out := docent(3, "add", big, "--name", "Big"); !strings.Contains(out, "cannot be written") || !strings.Contains(out, "free some space") {
		t.Errorf("a full disk says %q", out)
	}
	if out := docent(0, "sets"); strings.Contains(out, "Big@latest") {
		t.Errorf("what did not fit is listed:\n%s", out)
	}
	if out := docent(0, "search", "--limit", "1", "verify a block"); !strings.Contains(out, "Docent_Manual") {
		t.Errorf("after a full disk the search says %q", out)
	}
	docent(0, "doctor")
	small := t.TempDir()
	if err := os.WriteFile(filepath.Join(small, "pods.md"), []byte("# Pods\n\nOf whales.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	docent(0, "add", small, "--name", "Whales")

	// A session that does not fit leaves the earlier one, or none, and no other file.
	session, second := filepath.Join(disk, "session.json"), filepath.Join(disk, "second.json")
	docent(0, "ask", "--save", session, "pods")
	whole, err := os.ReadFile(session)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(disk, "ballast"), make([]byte, 4<<20), 0o600); err == nil {
		t.Fatal("the disk is not full")
	}
	for _, file := range []string{session, second} {
		if out := docent(3, "ask", "--save", file, "of whales"); !strings.Contains(out, "the session was not saved") {
			t.Errorf("on a full disk saving says %q", out)
		}
	}
	if now, err := os.ReadFile(session); err != nil || string(now) != string(whole) {
		t.Errorf("the earlier session is %q, %v", now, err)
	}
	if left, err := filepath.Glob(filepath.Join(disk, "s*")); err != nil || len(left) != 1 {
		t.Errorf("on the disk are %q, %v", left, err)
	}
	if err := os.Remove(filepath.Join(disk, "ballast")); err != nil {
		t.Fatal(err)
	}

	// A home without this version's manual, which cannot be written now.
	if err := os.RemoveAll(filepath.Join(home, "manual")); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("", disk, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skipf("the disk cannot be made read-only here: %v", err)
	}
	if out := docent(0, "search", "--limit", "1", "pods"); !strings.Contains(out, "Whales") {
		t.Errorf("on a read-only disk the search says %q", out)
	}
	for _, args := range [][]string{{"update"}, {"add", big}, {"update", "--json"}, {"add", "--json", big}} {
		out := docent(3, args...)
		if strings.Count(out, "cannot be written") != 1 || strings.Count(out, "\n") != 1 || !strings.Contains(out, "read-only") || strings.Contains(out, "space") {
			t.Errorf("on a read-only disk %v says %q", args, out)
		}
	}
	if out := docent(1, "doctor"); !strings.Contains(out, "FAULT  home: ") || !strings.Contains(out, "read-only") || strings.Contains(out, "space") {
		t.Errorf("on a read-only disk doctor says %q", out)
	}
}
