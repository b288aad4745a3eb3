package corpus_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"docent/pipeline/corpus/corpustest"
	"docent/store/doc"
)

// largeSource is a page that is not parsed to be shown: with everything that a
// piece must not be cut in.
func largeSource() string {
	var b strings.Builder
	b.WriteString("---\ntitle: Lamps\n---\n\n# Lamps\n\nText.\n\n")
	for i := range 900 {
		fmt.Fprintf(&b, "## Lamp %d\n\nTrim the wick of lamp %d, see [oil][o].\n\n- one\n- two\n\n```sh\nlantern trim %d\n\n# not a heading\n```\n\n| a | b |\n| - | - |\n| %d | x |\n\n---\n\n", i, i, i, i)
		if i%100 == 0 {
			b.WriteString("How it is done:\n\n```go\n" + strings.Repeat("trim()\n", 200) + "```\n\n" + strings.Repeat("A long sentence about wicks and oil and lamps. ", 300) + "\n\n")
		}
	}
	b.WriteString("[o]: oil.md\n")
	return b.String()
}

// A page that is shown without parsing has the same sections and text as a parsed one;
// large code is distinguished from text.
func TestShown(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	set := h.Add("Lantern@1", map[string]string{"large.md": largeSource(), "small.md": "# Small\n\nText.\n"})
	for _, path := range []string{"large.md", "small.md"} {
		want, err := h.Corpus.Page(ctx, set, path)
		if err != nil {
			t.Fatal(err)
		}
		got, err := h.Corpus.ReadShown(ctx, set, path)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got.Doc.Sections, want.Doc.Sections) {
			t.Errorf("%s: the sections differ", path)
		}
		g, w := got.Doc, want.Doc
		if g.Title != w.Title || g.Format != w.Format || g.SHA256 != w.SHA256 || g.Lines != w.Lines || g.Bytes != w.Bytes || g.Path != w.Path {
			t.Errorf("%s: %s %s %s %d %d, want %s %s %s %d %d", path, g.Title, g.Format, g.SHA256, g.Lines, g.Bytes, w.Title, w.Format, w.SHA256, w.Lines, w.Bytes)
		}
		shown := func(d doc.Document) (text []bool, code int) {
			text = make([]bool, len(want.Doc.Source))
			for _, b := range d.Blocks {
				if b.Kind == doc.Meta || b.Kind == doc.Rule {
					continue
				}
				if b.Kind == doc.Code && b.Span.Lines() > 60 {
					code++
				}
				for i := b.Span.Start; i < b.Span.End; i++ {
					text[i] = true
				}
			}
			return text, code
		}
		a, codeA := shown(got.Doc)
		b, codeB := shown(want.Doc)
		for i := range b {
			if b[i] && !a[i] {
				t.Fatalf("%s: %q is not shown", path, want.Doc.Source[i:min(len(b), i+60)])
			}
		}
		if codeA != codeB {
			t.Errorf("%s: %d large blocks of code, want %d", path, codeA, codeB)
		}
		for i := 1; i < len(g.Blocks); i++ {
			if g.Blocks[i].Span.Start < g.Blocks[i-1].Span.End || g.Blocks[i].Section < g.Blocks[i-1].Section {
				t.Fatalf("%s: block %d is %+v behind %+v", path, i, g.Blocks[i].Span, g.Blocks[i-1].Span)
			}
		}
	}
	if p, err := h.Corpus.ReadShown(ctx, set, "large.md"); err != nil || p.Doc.Blocks[len(p.Doc.Blocks)-1].Text != "" {
		t.Errorf("the large page was parsed: %v", err)
	}
	h.Write(set, map[string]string{"large.md": largeSource() + "\n## New\n\nText.\n"})
	p, err := h.Corpus.ReadShown(ctx, set, "large.md")
	if err != nil || p.Doc.Sections[len(p.Doc.Sections)-1].Text != "New" {
		t.Errorf("a page that changed is shown as it was: %v", err)
	}
}

func TestFile(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	set := h.Add("Lantern@1", map[string]string{"a/b.md": "# B\n", "c.md": "# C\n"})
	got, err := h.Corpus.FilePath(ctx, "Lantern@1", "a/b.md")
	if err != nil || got != filepath.Join(set.Root, "a", "b.md") {
		t.Errorf("%s, %v", got, err)
	}
	for _, path := range []string{"../c.md", "none.md", "", "/etc/passwd"} {
		if got, err := h.Corpus.FilePath(ctx, "Lantern@1", path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q lies at %q, %v", path, got, err)
		}
	}
	h.Delete(set, "c.md")
	if err := os.Symlink("/etc/passwd", filepath.Join(set.Root, "c.md")); err != nil {
		t.Skip(err)
	}
	if got, err := h.Corpus.FilePath(ctx, "Lantern@1", "c.md"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a link out lies at %q, %v", got, err)
	}
}

func BenchmarkShown(b *testing.B) {
	h := corpustest.New(b)
	set := h.Add("Lantern@1", map[string]string{"large.md": strings.Repeat(largeSource(), 3)})
	for name, read := range map[string]func() error{
		"shown":  func() error { _, err := h.Corpus.ReadShown(ctx, set, "large.md"); return err },
		"parsed": func() error { _, err := h.Corpus.Page(ctx, set, "large.md"); return err },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := read(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
