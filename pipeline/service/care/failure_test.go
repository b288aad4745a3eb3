package care_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
	"docent/pipeline/service/servicetest"
	"docent/store"
	"docent/store/catalog"
)

// A file that failed is named by doctor, and does not make its doc set stale: an
// update would leave it out again. Once it changes there is something to do.
func TestFilesThatFailed(t *testing.T) {
	t.Parallel()
	servicetest.NeedsCatalogFile(t)
	ctx, dir, homeDir := t.Context(), filepath.Join(t.TempDir(), "Whales@1"), filepath.Join(t.TempDir(), "home")
	h := servicetest.Open(t, servicetest.Options{Dir: homeDir})
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) os.FileInfo {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		st, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return st
	}
	write("a.md", "# Of whales\n")
	plan, err := library.Discover(ctx, library.AddRequest{Paths: []string{dir}}, h.Home.Parsers, home.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Library.Add(ctx, plan, home.Watch{}); err != nil {
		t.Fatal(err)
	}
	bad := write("bad.md", "# Of squids\n")
	sets, err := h.Home.Corpus.Sets(ctx)
	if err != nil {
		t.Fatal(err)
	}
	failure := store.Failure{Path: "bad.md", Stage: "parse", Reason: "no such tentacle", Bytes: bad.Size(), ModTime: bad.ModTime().UnixNano(), Format: "markdown", Parser: 1}
	cat, err := catalog.OpenCatalog(ctx, filepath.Join(homeDir, "catalog.db"))
	if err != nil {
		t.Fatal(err)
	}
	err = cat.Publish(ctx, store.Publication{SetID: sets[0].ID, Failures: []store.Failure{failure}})
	if err := errors.Join(err, cat.Close()); err != nil {
		t.Fatal(err)
	}
	look := func() (freshness, text string) {
		t.Helper()
		freshness, _, err := h.Library.Freshness(ctx, sets[0])
		if err != nil {
			t.Fatal(err)
		}
		examined, err := h.Care.Doctor(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range examined.Findings {
			if f.Check == "files Whales@1" {
				text = f.Text
			}
		}
		return freshness, text
	}
	if fresh, text := look(); fresh != library.Fresh || text != "as indexed; left out because they could not be indexed: bad.md (parse: no such tentacle)" {
		t.Errorf("%s: %q", fresh, text)
	}
	write("bad.md", "# Of squids and whales\n")
	if fresh, text := look(); fresh != library.Stale || !strings.Contains(text, "1 new") {
		t.Errorf("%s: %q", fresh, text)
	}
}
