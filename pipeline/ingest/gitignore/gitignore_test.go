package gitignore_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/ingest/gitignore"
)

func write(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

var tree = map[string]string{
	".gitignore": "# comment\n*.o\n/build\nout/\n!keep.o\ndocs/**/gen\n**/cache/*.js\na/**\n\\#x\nname with space\ntrailing   \nlib/*.py\n[ab].c\n!/build/no.go\nx?.go\n**\\\n",
	"main.o":     "", "keep.o": "", "build/x.go": "", "build/no.go": "", "sub/build/x.go": "", "out/x.go": "", "sub/out/x.go": "", "outx/x.go": "",
	"docs/gen": "", "docs/a/b/gen": "", "docs/a/general": "", "p/q/cache/x.js": "", "cache/x.js": "", "cache/d/x.js": "", "a/x.go": "", "b/a/x.go": "",
	"#x": "", "name with space": "", "trailing": "", "lib/x.py": "", "lib/d/x.py": "", "a.c": "", "c.c": "", "xy.go": "", "xyz.go": "",
	"sub/.gitignore": "!*.o\n/own.go\n", "sub/y.o": "", "sub/own.go": "", "sub/d/own.go": "", "out/.gitignore": "!*\n",
}

// The ignored files are those that git itself ignores.
func TestAsGit(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not here to compare with")
	}
	root := t.TempDir()
	write(t, root, tree)
	if out, err := exec.CommandContext(t.Context(), "git", "-C", root, "init", "-q").CombinedOutput(); err != nil {
		t.Skipf("git init: %v %s", err, out)
	}
	write(t, root, map[string]string{".git/info/exclude": "c.c\n"})
	check := exec.CommandContext(t.Context(), "git", "-C", root, "-c", "core.excludesFile=", "check-ignore", "--no-index", "--stdin")
	var names []string
	for name := range tree {
		if !strings.HasSuffix(name, ".gitignore") {
			names = append(names, name)
		}
	}
	check.Stdin = strings.NewReader(strings.Join(names, "\n"))
	raw, err := check.Output()
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.TrimSpace(string(raw)), "\n")
	ignores := gitignore.New(root)
	for _, name := range names {
		if got := ignores.Ignored(name); got != slices.Contains(want, name) {
			t.Errorf("%s: ignored is %v", name, got)
		}
	}
	if len(want) < 15 {
		t.Errorf("git ignores %q only", want)
	}
	// A doc set may be a folder of a repository.
	sub := gitignore.New(filepath.Join(root, "sub"))
	for name, want := range map[string]bool{"out/x.go": true, "own.go": true, "d/own.go": false, "y.o": false, "x.go": false} {
		if got := sub.Ignored(name); got != want {
			t.Errorf("from sub, %s: ignored is %v", name, got)
		}
	}
}

// A folder without a repository has files .gitignore too; links and folders of that name
// are none.
func TestWithoutRepository(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write(t, root, map[string]string{".gitignore": "*.o\n", "d/.gitignore/x": "", "secret": "*\n", "big/.gitignore": strings.Repeat("*.x\n", 200_000)})
	if err := os.Mkdir(filepath.Join(root, "l"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(root, "secret"), filepath.Join(root, "l", ".gitignore")); err != nil {
		t.Skip(err)
	}
	ignores := gitignore.New(root)
	for name, want := range map[string]bool{"a.o": true, "d/a.o": true, "d/a.go": false, "l/a.go": false, "big/a.x": true, "big/a.go": false} {
		if got := ignores.Ignored(name); got != want {
			t.Errorf("%s: ignored is %v", name, got)
		}
	}
}

func FuzzPatterns(f *testing.F) {
	f.Add(tree[".gitignore"], "a/b/c.go")
	f.Add("**/**/**/x\n*/*/*\n[", "a/x")
	f.Add("!\n/\n//\n\\\n***", "/")
	f.Fuzz(func(t *testing.T, patterns, file string) {
		root := t.TempDir()
		if err := os.WriteFile(filepath.Join(root, ".gitignore"), []byte(patterns), 0o600); err != nil {
			t.Fatal(err)
		}
		ignores := gitignore.New(root)
		if len(file) < 200 && filepath.IsLocal(file) && !strings.ContainsAny(file, "\\\x00") {
			if first, again := ignores.Ignored(file), ignores.Ignored(file); first != again {
				t.Fatal("asked again, it is otherwise")
			}
		}
	})
}
