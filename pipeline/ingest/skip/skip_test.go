package skip_test

import (
	"os"
	"path/filepath"
	"testing"

	"docent/pipeline/ingest/skip"
)

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestFoldersThatAreNoPartOfADocSet(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "site", "objects.inv"), "")
	write(t, filepath.Join(dir, "home", "catalog.db"), "")
	write(t, filepath.Join(dir, "half", "sets.json"), "[]")
	write(t, filepath.Join(dir, "home", "sets.json"), "[]")
	for path, want := range map[string]bool{".git": true, "node_modules": true, "guide": false, "site/_sources": true,
		"guide/_sources": false, "home": true, "half": false} {
		if got := skip.Folder(filepath.Join(dir, filepath.FromSlash(path)), filepath.Base(path)); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}

// Of a module of Antora the partials and examples are parts of pages. A French question was answered
// by a partial that bore the name of its file, and 83 of 163 pages of a doc set were partials.
func TestPartsThatPagesInclude(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, file := range []string{"modules/ROOT/pages/a.adoc", "modules/ROOT/partials/b.adoc", "modules/ROOT/examples/c.adoc",
		"modules/bare/partials/d.adoc", "guide/pages/e.md", "guide/examples/f.md"} {
		write(t, filepath.Join(dir, filepath.FromSlash(file)), "text")
	}
	for path, want := range map[string]bool{"modules/ROOT/partials": true, "modules/ROOT/examples": true, "modules/ROOT/pages": false,
		"modules/bare/partials": false, "guide/examples": false} {
		if got := skip.Included(filepath.Join(dir, filepath.FromSlash(path)), filepath.Base(path)); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}

func TestCodeThatIsNotTheProjectsOwn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, ".gitignore"), "/made/\n")
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	code := skip.NewCode(dir)
	for path, want := range map[string]string{"main.go": "", "made/x.go": skip.ReasonIgnored, "vendor/lamp/lamp.go": skip.ReasonVendored,
		"vendor.go": ""} {
		if got := code.Reason(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	for path, want := range map[string]bool{"synonyms/lamps.txt": true, "synonyms/old/lamps.txt": false, "lamps.txt": false} {
		if got := skip.IsSynonymList(path); got != want {
			t.Errorf("%s is a list: %v", path, got)
		}
	}
}

// Lists from which generators make menus are no pages: one stood in an answer, with the titles of all
// pages that the question could have meant.
func TestMenusOfSites(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, file := range []string{"docs/modules/ROOT/pages/a.adoc", "docs/modules/ROOT/nav.adoc", "book/src/SUMMARY.md", "book/book.toml",
		"plain/SUMMARY.md", "modules/bare/nav.adoc"} {
		write(t, filepath.Join(dir, filepath.FromSlash(file)), "text")
	}
	for path, want := range map[string]bool{"docs/modules/ROOT/nav.adoc": true, "docs/modules/ROOT/nav-top.adoc": true,
		"docs/modules/ROOT/pages/navigating.adoc": false, "modules/bare/nav.adoc": false, "book/src/SUMMARY.md": true,
		"plain/SUMMARY.md": false, "guide/_sidebar.md": true, "guide/sidebar.md": false} {
		if got := skip.IsNavigation(dir, path); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}
