package markdown

import (
	"bytes"
	"docent/pipeline/ingest/parse/markdown/dialect"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/store/doc"
)

// check returns the first fault of a parsed page.
func check(src []byte, d doc.Document) error {
	starts := dialect.LineStarts(src)
	whole := func(what string, s doc.Span) error {
		if s.StartLine < 1 || s.EndLine < s.StartLine || s.EndLine > len(starts)-1 {
			return fmt.Errorf("%s: lines of %+v are not in a page of %d lines", what, s, len(starts)-1)
		}
		if starts[s.StartLine-1] != s.Start || starts[s.EndLine] != s.End {
			return fmt.Errorf("%s: %+v is not whole lines", what, s)
		}
		return nil
	}
	if d.Lines != len(starts)-1 || d.Bytes != len(src) {
		return fmt.Errorf("%d lines, %d bytes; want %d, %d", d.Lines, d.Bytes, len(starts)-1, len(src))
	}
	anchors := map[string]bool{}
	for i, s := range d.Sections {
		what := fmt.Sprintf("section %d %q", i, s.Text)
		if err := whole(what, s.Span); err != nil {
			return err
		}
		if err := whole(what+" tree", s.Tree); err != nil {
			return err
		}
		if s.Index != i || s.Tree.Start != s.Span.Start || s.Tree.End < s.Span.End {
			return fmt.Errorf("%s: index %d, span %+v, tree %+v", what, s.Index, s.Span, s.Tree)
		}
		if i > 0 && d.Sections[i-1].Span.End != s.Span.Start {
			return fmt.Errorf("%s does not begin where the one before ends", what)
		}
		if s.Level == 0 {
			if i != 0 || s.Text != "" || s.Anchor != "" || s.Path != nil || s.Parent != -1 {
				return fmt.Errorf("%s: %+v is no preamble", what, s)
			}
			continue
		}
		if s.Level > 6 || s.Anchor == "" || anchors[s.Anchor] {
			return fmt.Errorf("%s: level %d, anchor %q (or it repeats)", what, s.Level, s.Anchor)
		}
		anchors[s.Anchor] = true
		want := []string{s.Text}
		if s.Parent >= 0 {
			p := d.Sections[s.Parent]
			if s.Parent >= i || p.Level >= s.Level || p.Tree.End < s.Tree.End {
				return fmt.Errorf("%s: parent %+v", what, p)
			}
			want = append(append([]string{}, p.Path...), s.Text)
		}
		if !reflect.DeepEqual(s.Path, want) {
			return fmt.Errorf("%s: path %q, want %q", what, s.Path, want)
		}
	}
	covered := make([]bool, len(starts)-1)
	last := 0
	for i, b := range d.Blocks {
		what := fmt.Sprintf("block %d %s", i, b.Kind)
		if err := whole(what, b.Span); err != nil {
			return err
		}
		if b.Span.StartLine <= last {
			return fmt.Errorf("%s at line %d overlaps the one before", what, b.Span.StartLine)
		}
		last = b.Span.EndLine
		if b.Section < 0 || b.Section >= len(d.Sections) {
			return fmt.Errorf("%s has no section", what)
		}
		if s := d.Sections[b.Section].Span; b.Span.Start < s.Start || b.Span.End > s.End {
			return fmt.Errorf("%s %+v is not within its section %+v", what, b.Span, s)
		}
		for l := b.Span.StartLine; l <= b.Span.EndLine; l++ {
			covered[l-1] = true
		}
	}
	for l, ok := range covered {
		line := src[starts[l]:starts[l+1]]
		if l == 0 {
			line = bytes.TrimPrefix(bytes.TrimPrefix(bytes.TrimPrefix(line, bomUTF8), []byte("\xff\xfe")), []byte("\xfe\xff"))
		}
		if line = bytes.ReplaceAll(line, []byte{0}, nil); !ok && len(bytes.TrimSpace(line)) > 0 {
			return fmt.Errorf("line %d is in no block: %q", l+1, line)
		}
	}
	for _, l := range d.Links {
		if l.Line < 1 || l.Line > d.Lines || l.Section >= len(d.Sections) {
			return fmt.Errorf("link %+v", l)
		}
		if s := d.Sections[l.Section].Span; l.Line < s.StartLine || l.Line > s.EndLine {
			return fmt.Errorf("link %+v is not within its section, lines %d-%d", l, s.StartLine, s.EndLine)
		}
	}
	return nil
}

// shared is the folder of development data next to the checkout.
func shared(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("DOCENT_SHARED")
	if dir == "" {
		wd, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		for ; ; wd = filepath.Dir(wd) {
			if _, err := os.Stat(filepath.Join(wd, "go.mod")); err == nil {
				break
			}
			if wd == filepath.Dir(wd) {
				t.Skip("no go.mod above the test's folder")
			}
		}
		dir = filepath.Join(filepath.Dir(wd), "shared")
	}
	dir = filepath.Join(dir, "data")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no development data (set DOCENT_SHARED): %v", err)
	}
	return dir
}

// pages gives the Markdown files under folders of the development data.
func pages(t testing.TB, folders ...string) map[string][]byte {
	t.Helper()
	root := shared(t)
	found := map[string][]byte{}
	for _, f := range folders {
		err := filepath.WalkDir(filepath.Join(root, f), func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			if ext := filepath.Ext(path); ext != ".md" && ext != ".mdx" {
				return nil
			}
			src, err := os.ReadFile(path)
			found[path] = src
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(found) == 0 {
		t.Fatalf("no Markdown in %v", folders)
	}
	return found
}

func TestRealPages(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it runs on one goroutine: the race detector has nothing to find")
	}
	blocks := map[doc.BlockKind]int{}
	warned := 0
	for path, src := range pages(t, "docsets", "corpora") {
		d, err := ParseMarkdown(src, parse.Options{Path: filepath.Base(path)})
		if err != nil {
			t.Fatal(err)
		}
		if err := check(src, d); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if d.Title == "" {
			t.Errorf("%s has no title", path)
		}
		for _, b := range d.Blocks {
			blocks[b.Kind]++
		}
		if len(d.Warnings) > 0 {
			warned++
			t.Logf("%s: %q", path, d.Warnings)
		}
	}
	for _, k := range []doc.BlockKind{doc.Paragraph, doc.List, doc.Procedure, doc.Table, doc.Code, doc.Quote, doc.Admonition, doc.Rule, doc.HeadingRow, doc.Meta} {
		if blocks[k] == 0 {
			t.Errorf("no %s in all pages", k)
		}
	}
	t.Logf("%v, %d pages with warnings", blocks, warned)
}

func BenchmarkParse(b *testing.B) {
	var all [][]byte
	total := 0
	for _, src := range pages(b, "corpora/k8s-docs-v1.31") {
		all = append(all, src)
		total += len(src)
	}
	b.SetBytes(int64(total))
	b.ReportAllocs()
	for b.Loop() {
		for _, src := range all {
			if _, err := ParseMarkdown(src, parse.Options{}); err != nil {
				b.Fatal(err)
			}
		}
	}
}
