package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A package that uses a name which a platform does not have is named; faults of other modules are theirs.
func TestCheck(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("files.go", "package files\n\nfunc Lock(int) {}\n\nfunc inner() { missing() }\n")
	write("right.go", "package right\n\nimport \"files\"\n\nfunc f() { files.Lock(1) }\n")
	write("wrong.go", "package wrong\n\nimport \"files\"\n\nfunc f() { files.Lock(); files.Unlock() }\n")
	other := pkg{ImportPath: "files", Dir: dir, GoFiles: []string{"files.go"}}
	of := func(name string) pkg {
		return pkg{ImportPath: name, Dir: dir, GoFiles: []string{name + ".go"}, Module: &struct{ Main bool }{true}}
	}
	if err := check("windows/amd64", []pkg{other, of("right")}); err != nil {
		t.Errorf("without a fault: %v", err)
	}
	err := check("windows/amd64", []pkg{other, of("right"), of("wrong")})
	if err == nil || !strings.Contains(err.Error(), "not enough arguments") || !strings.Contains(err.Error(), "undefined: files.Unlock") {
		t.Errorf("the faults are %v", err)
	}
}
