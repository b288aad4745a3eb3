package ingest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/ingest"
	"docent/pipeline/ingest/domain"
	"docent/pipeline/ingest/parse/formats"
	"docent/store/doc"
)

// Source code is no page of a doc set of documentation, and counted; in the domain code
// what the project itself wrote is.
func TestScanOfCode(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, text := range map[string]string{
		"README.md": "# Lantern\n", "lamp.go": "package lamp\n", "cmd/main.py": "print()\n", "vendor/x/oil.go": "package oil\n", "vendor/README.md": "# Oil\n",
		"node_modules/a/a.js": "a()\n", "out/gen.go": "package gen\n", "out/README.md": "# Out\n", ".gitignore": "out/\n", "a.png": "x", ".hidden.go": "package h\n", "third_party/own.c": "int a;\n",
	} {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(root, "lamp.go"), filepath.Join(root, "link.go")); err != nil {
		t.Skip(err)
	}
	parsers, err := formats.AllParsers()
	if err != nil {
		t.Fatal(err)
	}
	const others = "README.md out/README.md vendor/README.md"
	for _, tt := range []struct {
		set   domain.Set
		own   domain.Repository
		pages string
		left  string
		warns int
	}{
		{domain.Set{}, domain.Repository{}, others, "1 .png (no parser reads them); 5 files: source code, read in doc sets of the domain code", 0},
		{domain.Set{Domain: contract.DomainCode, Given: true}, domain.Repository{}, "README.md cmd/main.py lamp.go out/README.md vendor/README.md",
			"1 .png (no parser reads them); 2 files: source code of other projects (vendor and the like); 1 file: source code that .gitignore leaves out", 1},
		{domain.Set{Domain: contract.DomainMixed, Given: true}, domain.Repository{Overrides: map[string]string{"third_party/**": contract.DomainCode, "cmd/**": contract.DefaultDomain}},
			"README.md lamp.go out/README.md third_party/own.c vendor/README.md",
			"1 .png (no parser reads them); 1 file: source code of other projects (vendor and the like); 1 file: source code that .gitignore leaves out; 1 file: source code, read in doc sets of the domain code", 1},
	} {
		rules := domain.New(tt.set, tt.own, domain.Repository{}, parsers.Endings(contract.DefaultDomain))
		found, err := ingest.ScanPages(t.Context(), root, doc.LayoutTree, parsers, rules)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(found.Paths(), " "); got != tt.pages {
			t.Errorf("%+v: the pages are %s", tt.set, got)
		}
		if got := found.Unread.String(); got != tt.left {
			t.Errorf("%+v: left out: %s", tt.set, got)
		}
		if len(found.Warnings) != tt.warns {
			t.Errorf("%+v: the warnings are %q", tt.set, found.Warnings)
		}
	}
}
