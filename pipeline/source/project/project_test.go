package project

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// writeProject writes the files of a fixture and returns their folder.
func writeProject(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func readProject(t testing.TB, dir string) Project {
	t.Helper()
	p, err := Read(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// listing is a project as the fixtures have it.
func listing(p Project) string {
	var b strings.Builder
	for _, d := range p.Dependencies {
		fmt.Fprintf(&b, "%s %s:%d", d, d.File, d.Line)
		if d.Dev {
			b.WriteString(" dev")
		}
		for _, more := range []string{d.Repository, d.Source} {
			if more != "" {
				b.WriteString(" " + more)
			}
		}
		if d.Ecosystem == "" && d.Version != "" {
			b.WriteString(" " + d.Version)
		}
		b.WriteByte('\n')
	}
	var findings []string
	for _, f := range p.Findings {
		place := f.File
		if f.Line > 0 {
			place += fmt.Sprint(":", f.Line)
		}
		findings = append(findings, "! "+f.Kind+" "+place+"\n")
	}
	slices.Sort(findings)
	return b.String() + strings.Join(findings, "")
}

// Each fixture is a project's folder with the listing of what it uses.
func TestProjects(t *testing.T) {
	t.Parallel()
	fixtures, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(fixtures) < 15 {
		t.Fatalf("%d fixtures: %v", len(fixtures), err)
	}
	for _, fixture := range fixtures {
		t.Run(strings.TrimSuffix(filepath.Base(fixture), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(fixture)
			if err != nil {
				t.Fatal(err)
			}
			files, want := map[string]string{}, ""
			for _, f := range archive.Files {
				if f.Name == "want" {
					want = string(f.Data)
					continue
				}
				files[f.Name] = string(f.Data)
			}
			dir := writeProject(t, files)
			p := readProject(t, dir)
			if got := listing(p); got != want || want == "" {
				t.Errorf("it uses\n%s\nwant\n%s\nfindings %v", got, want, p.Findings)
			}
			if again := readProject(t, dir); fmt.Sprint(again) != fmt.Sprint(p) {
				t.Errorf("the second reading is another:\n%v\n%v", again, p)
			}
		})
	}
}
