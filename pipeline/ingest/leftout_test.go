package ingest

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/markdown"
	"docent/store/doc"
)

// folderOfPages writes pages below root, and gives the parsers that read them.
func folderOfPages(t *testing.T, root string, names ...string) *parse.Registry {
	t.Helper()
	for _, name := range names {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("# A page\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	parsers := &parse.Registry{}
	if err := parsers.Register(markdown.Parser{}); err != nil {
		t.Fatal(err)
	}
	return parsers
}

// A folder that holds a home of this program has its own pages only.
func TestAHomeIsNoDocumentation(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	parsers := folderOfPages(t, root, "a.md", "home/catalog.db", "home/sets.json", "home/manual/b.md", "data/catalog.db", "data/c.md")
	found, err := ScanPages(context.Background(), root, doc.LayoutTree, parsers, nil)
	files := found.Files
	if err != nil || len(files) != 2 || files[0].Path != "a.md" || files[1].Path != "data/c.md" {
		t.Errorf("%v: %+v", err, files)
	}
	if n, _ := CountPages(context.Background(), root, 10, parsers); n != 2 {
		t.Errorf("%d pages are counted", n)
	}
	// A home's manual is added by its own folder.
	if found, err := ScanPages(context.Background(), filepath.Join(root, "home", "manual"), doc.LayoutTree, parsers, nil); err != nil || len(found.Files) != 1 {
		t.Errorf("%v: %+v", err, found.Files)
	}
}

// A page that a build makes of a template is read by that, unless it lies beside it.
func TestTemplatesOfPages(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	parsers := folderOfPages(t, root, "lantern.1.md.in", "wick.md", "wick.md.in", "oil.txt.in", "config.h.in", "Makefile.in", "in")
	found, err := ScanPages(context.Background(), root, doc.LayoutTree, parsers, nil)
	var pages []string
	for _, f := range found.Files {
		pages = append(pages, f.Path)
	}
	if err != nil || !slices.Equal(pages, []string{"lantern.1.md.in", "wick.md"}) {
		t.Errorf("%v: %v", pages, err)
	}
	if others := found.Unread.Others; len(others) != 1 || others[0].Reason != reasonMade || others[0].Files != 1 {
		t.Errorf("%+v", others)
	}
	if title := parse.DefaultTitle("lamps/lantern.1.md.in", doc.LayoutTree); title != "lantern.1" {
		t.Errorf("the title is %q", title)
	}
}

// Sphinx copies the sources of a site's pages next to them: they are not read twice.
func TestSourcesOfABuiltSite(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	parsers := folderOfPages(t, root, "site/a.md", "site/_sources/a.md", "site/searchindex.js", "other/_sources/b.md")
	found, err := ScanPages(context.Background(), root, doc.LayoutTree, parsers, nil)
	if err != nil || len(found.Files) != 2 || found.Files[0].Path != "other/_sources/b.md" || found.Files[1].Path != "site/a.md" {
		t.Errorf("%v: %+v", err, found.Files)
	}
}

// Docusaurus makes no pages of files whose names begin with an underscore: other pages import them. Elsewhere
// such files are pages.
func TestPartsOfPagesAreNoPages(t *testing.T) {
	t.Parallel()
	for config, want := range map[string]int{"docusaurus.config.js": 1, "mkdocs.yml": 4} {
		root := t.TempDir()
		parsers := folderOfPages(t, root, config, "docs/oil.mdx", "docs/_warning.mdx", "docs/_parts/b.md", "docs/guide/_c.md")
		found, err := ScanPages(context.Background(), filepath.Join(root, "docs"), doc.LayoutTree, parsers, nil)
		if err != nil || len(found.Files) != want || len(found.Unread.Others) != 1-want/4 {
			t.Errorf("%s: %v: %+v, left out %v", config, err, found.Files, found.Unread.Others)
		}
	}
}
