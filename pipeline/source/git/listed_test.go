package git_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"docent/pipeline/source/git"
)

func TestFilesOfAWorkTree(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := t.TempDir()
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for name, text := range map[string]string{"wick.yml": "a: 1\n", "sub/two words.txt": "b\n", "soot.log": "c\n", ".gitignore": "*.log\n"} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// What the repository brings is not run.
	for _, setting := range [][2]string{{"core.fsmonitor", "touch ran; false"}, {"core.hooksPath", dir}} {
		if out, err := exec.Command("git", "-C", dir, "config", setting[0], setting[1]).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	names, err := (&git.Fetcher{}).ListFiles(t.Context(), dir)
	slices.Sort(names)
	if want := []string{".gitignore", "sub/two words.txt", "wick.yml"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("the files are %q, %v, want %q", names, err, want)
	}
	if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
		t.Error("a program of the repository ran")
	}
	names, err = (&git.Fetcher{}).ListFiles(t.Context(), filepath.Join(dir, "sub"))
	if err != nil || !slices.Equal(names, []string{"two words.txt"}) {
		t.Errorf("below a folder: %q, %v", names, err)
	}
	if _, err := (&git.Fetcher{Program: "no-such-git"}).ListFiles(t.Context(), dir); err == nil {
		t.Error("without git there is no error")
	}
}
