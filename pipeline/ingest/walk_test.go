package ingest_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/ingest"
	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/markdown"
	"docent/store/doc"
)

// A scan takes folders and files in the order of filepath.WalkDir, whatever goroutine looked at them
// first: what it leaves out is told in that order.
func TestScansInTheOrderOfAWalk(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	random := rand.New(rand.NewPCG(1, 2))
	folders := []string{root}
	for i := range 60 {
		dir := filepath.Join(folders[random.IntN(len(folders))], fmt.Sprintf("d%02d", i))
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		folders = append(folders, dir)
	}
	for i := range 900 {
		file := filepath.Join(folders[random.IntN(len(folders))], fmt.Sprintf("p%03d.md", i))
		if i < 200 {
			file = filepath.Join(folders[7], fmt.Sprintf("p%03d.md", i)) // a folder with many files
		}
		err := os.WriteFile(file, []byte("# A page\n"), 0o644)
		if i%5 == 0 { // left out with a warning
			err = os.Symlink("elsewhere.md", strings.TrimSuffix(file, ".md")+"-link.md")
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var want, left []string
	if err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(root, p)
		switch {
		case err != nil || d.IsDir():
		case d.Type().IsRegular():
			want = append(want, filepath.ToSlash(rel))
		default:
			left = append(left, filepath.ToSlash(rel))
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	slices.Sort(want)
	parsers := &parse.Registry{}
	if err := parsers.Register(&markdown.Parser{}); err != nil {
		t.Fatal(err)
	}
	found, err := ingest.ScanPages(t.Context(), root, doc.LayoutTree, parsers, nil)
	if err != nil {
		t.Fatal(err)
	}
	var warned []string
	for _, w := range found.Warnings {
		warned = append(warned, w.Path)
	}
	if got := found.Paths(); !slices.Equal(got, want) || !slices.Equal(warned, left) || len(left) == 0 {
		t.Errorf("%d pages, want %d; left out\n%s\nwant\n%s", len(got), len(want), strings.Join(warned, "\n"), strings.Join(left, "\n"))
	}
}
