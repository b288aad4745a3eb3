package rst

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/rst/inline"
	"docent/store/doc"
)

const (
	corpus  = "../../../../../shared/data/corpora/django-docs-rst"
	queries = "../../../../../shared/data/queries"
)

// pages reads a folder of reStructuredText; it skips the test without that folder.
func pages(t testing.TB, root string) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	err := filepath.WalkDir(root, func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		src, err := os.ReadFile(p)
		if sniffRST(src[:min(len(src), parse.HeadBytes)]) {
			out[filepath.ToSlash(rel)] = src
		}
		return err
	})
	if err != nil {
		t.Skipf("the Django documentation is not here: %v", err)
	}
	return out
}

// question is a line of a query file that names a section.
type question struct{ Doc, Section, Anchor string }

func questions(t *testing.T) []question {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(queries, "django-*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Skipf("the questions on Django are not here: %v", err)
	}
	var out []question
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(src)) {
			var q question
			if err := json.Unmarshal([]byte(line), &q); err != nil {
				t.Fatal(err)
			}
			if q.Section != "" && !slices.Contains(out, q) {
				out = append(out, q)
			}
		}
	}
	return out
}

// names reports whether a section is the one that a question names. The questions have
// labels as they are written, and GitHub's slugs of titles.
func names(s doc.Section, q question) bool {
	return s.Anchor == q.Anchor || fold(s.Text) == fold(q.Section) && (s.Anchor == inline.MakeID(q.Anchor) || slug(inline.MakeID(q.Section)) == slug(inline.MakeID(q.Anchor)))
}

func fold(s string) string { return strings.Join(strings.Fields(strings.ToLower(s)), " ") }

func slug(s string) string { return strings.ReplaceAll(s, "-", "") }

// Every page of Django's documentation is read without a warning, and the sections that
// the questions name exist with the anchors that they name.
func TestDjango(t *testing.T) {
	t.Parallel()
	all := pages(t, corpus)
	if len(all) < 530 {
		t.Errorf("only %d pages are reStructuredText", len(all))
	}
	sections := map[string][]doc.Section{}
	for name, src := range all {
		d, err := Parser{}.Parse(context.Background(), src, parse.Options{Path: name})
		switch {
		case err != nil:
			t.Errorf("%s: %v", name, err)
		case len(d.Warnings) > 0:
			t.Errorf("%s: %q", name, d.Warnings)
		case d.Title == "" || len(d.Blocks) == 0:
			t.Errorf("%s: title %q, %d blocks", name, d.Title, len(d.Blocks))
		}
		for _, mark := range []string{"\n.. ", ":ref:", ":doc:", ":setting:"} {
			if i := strings.Index(string(d.Text), mark); i >= 0 && !strings.HasPrefix(name, "internals/") && !strings.HasPrefix(name, "intro/") {
				t.Errorf("%s: markup is left: %q", name, string(d.Text[i:min(len(d.Text), i+60)]))
			}
		}
		sections[name] = d.Sections
	}
	missing := 0
	wanted := questions(t)
	for _, q := range wanted {
		if !slices.ContainsFunc(sections[q.Doc], func(s doc.Section) bool { return names(s, q) }) {
			missing++
			t.Logf("%s: no section %q with the anchor %q", q.Doc, q.Section, q.Anchor)
		}
	}
	t.Logf("%d of %d sections that questions name are there", len(wanted)-missing, len(wanted))
	if missing*100 > 3*len(wanted) {
		t.Errorf("%d of %d sections that questions name are missing", missing, len(wanted))
	}
}

func BenchmarkDjango(b *testing.B) {
	all := pages(b, corpus)
	size := 0
	for _, src := range all {
		size += len(src)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for name, src := range all {
			read(b, string(src), parse.Options{Path: name})
		}
	}
}
