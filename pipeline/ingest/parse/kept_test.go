package parse_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/parsetest"
	"docent/store/blobs"
	"docent/store/doc"
)

const wicks = ".title Wicks\n.page 3\n.h trim Trim the wick\nTrim it.\n"

func with(t *testing.T, p parse.Parser, b parse.Blobs) *parse.Registry {
	t.Helper()
	r := all(t)
	if err := r.Register(p); err != nil {
		t.Fatal(err)
	}
	if b != nil {
		r.Keep(b)
	}
	return r
}

// files are the blobs' files.
func files(t *testing.T, dir string) []string {
	t.Helper()
	got, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// A page is converted once, and the kept document is the converted one. Another page of
// the same source is converted by itself: it may take text from other files.
func TestConvertedOnce(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dir := t.TempDir()
	p := &parsetest.Notes{}
	r := with(t, p, blobs.OpenStore(dir))
	first, err := r.Parse(ctx, []byte(wicks), parse.File{Path: "a.notes", Layout: doc.LayoutTree})
	if err != nil {
		t.Fatal(err)
	}
	if first.Verbatim() || first.TextSHA256() == "" || string(first.Source) != wicks || string(first.Text) != "# Wicks\n\n\n## Trim the wick\n\nTrim it.\n" {
		t.Errorf("the rendition is %q of %q", first.Text, first.Source)
	}
	if got, want := first.Location(6), (doc.Location{Line: 4, Page: 3, Element: "trim"}); got != want {
		t.Errorf("line 6 stands at %+v, want %+v", got, want)
	}
	again, err := r.Parse(ctx, []byte(wicks), parse.File{Path: "sub/b.notes", Layout: doc.LayoutTree})
	if err != nil || again.Path != "sub/b.notes" {
		t.Fatalf("%q, %v", again.Path, err)
	}
	if again, err = r.Parse(ctx, []byte(wicks), parse.File{Path: "a.notes", Layout: doc.LayoutTree}); err != nil || !reflect.DeepEqual(first, again) {
		t.Errorf("kept: %+v\nconverted: %+v", again, first)
	}
	if rendition, err := r.Rendition(ctx, []byte(wicks), parse.File{Path: "a.notes", Layout: doc.LayoutTree}); err != nil || string(rendition.Text) != string(first.Text) {
		t.Errorf("the rendition alone: %q, %v", rendition.Text, err)
	}
	if n := p.Converted.Load(); n != 2 || len(files(t, dir)) != 2 {
		t.Errorf("two pages were converted %d times, into %d blobs", n, len(files(t, dir)))
	}
	if _, err := r.ParseAgain(ctx, []byte(wicks), parse.File{Path: "a.notes", Layout: doc.LayoutTree}); err != nil || p.Converted.Load() != 3 {
		t.Errorf("Again converted %d times in all, %v", p.Converted.Load(), err)
	}
	// Nothing is kept of Markdown.
	if _, err := r.Parse(ctx, []byte("# M\n"), parse.File{Path: "m.md", Layout: doc.LayoutTree}); err != nil || len(files(t, dir)) != 2 {
		t.Errorf("%d blobs, %v", len(files(t, dir)), err)
	}
	// Another version of the parser keeps its own.
	newer := with(t, &parsetest.Notes{Version: 2}, blobs.OpenStore(dir))
	if d, err := newer.Parse(ctx, []byte(wicks), parse.File{Path: "a.notes", Layout: doc.LayoutTree}); err != nil || d.Parser != 2 || len(files(t, dir)) != 3 {
		t.Errorf("version %d, %d blobs, %v", d.Parser, len(files(t, dir)), err)
	}
	if !newer.Outdated(first.Format, first.Parser) || newer.Outdated(first.Format, 2) || newer.Outdated(doc.FormatMarkdown, 7) || !newer.Outdated("troff", 1) {
		t.Error("Outdated says otherwise")
	}
}

// The title of a page that names none depends on its path, kept or not.
func TestTitleOfAKeptDocument(t *testing.T) {
	t.Parallel()
	r := with(t, &parsetest.Notes{}, blobs.OpenStore(t.TempDir()))
	got := map[string]string{}
	for _, path := range []string{"a.notes", "b.notes", "guide/index.notes"} {
		d, err := r.Parse(context.Background(), []byte("text\n"), parse.File{Path: path, Layout: doc.LayoutTree})
		if err != nil {
			t.Fatal(err)
		}
		got[path] = d.Title
	}
	if want := map[string]string{"a.notes": "a", "b.notes": "b", "guide/index.notes": "guide"}; !maps.Equal(got, want) {
		t.Errorf("the titles are %v", got)
	}
}

// A damaged blob is made again from the source, and so is one that was damaged
// before its hash was taken.
func TestDamagedBlobIsMadeAgain(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dir := t.TempDir()
	p := &parsetest.Notes{}
	store := blobs.OpenStore(dir)
	r := with(t, p, store)
	want, err := r.Parse(ctx, []byte(wicks), parse.File{Path: "a.notes", Layout: doc.LayoutTree})
	if err != nil {
		t.Fatal(err)
	}
	key := parse.DocumentKey(parsetest.NotesFormat, 1, "a.notes", want.SHA256, parse.OCR{})
	for i, damage := range []func() error{
		func() error { return os.WriteFile(files(t, dir)[0], []byte("no blob"), 0o600) },
		func() error { return os.Truncate(files(t, dir)[0], 100) },
		func() error { return os.Remove(files(t, dir)[0]) },
		func() error { return store.Put(ctx, key, []byte("no JSON")) },
		func() error { return store.Put(ctx, key, []byte(`{"Text":"short","Document":{"Map":[{},{},{}]}}`)) },
	} {
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			got, err := r.Parse(ctx, []byte(wicks), parse.File{Path: "a.notes", Layout: doc.LayoutTree})
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("damage %d: %+v, %v", i, got, err)
			}
		}
		if n := p.Converted.Load(); n != int64(i)+2 {
			t.Errorf("damage %d: converted %d times in all", i, n)
		}
	}
}

// full is a disk without space.
type full struct{}

func (full) Get(context.Context, string) ([]byte, error) { return nil, errors.New("no blob") }

func (full) Put(context.Context, string, ...[]byte) error {
	return errors.New("no space left on device")
}

func TestPageIsReadWhereNothingCanBeKept(t *testing.T) {
	t.Parallel()
	d, err := with(t, &parsetest.Notes{}, full{}).Parse(context.Background(), []byte(wicks), parse.File{Path: "a.notes", Layout: doc.LayoutTree})
	if err != nil || d.Title != "Wicks" || !slices.ContainsFunc(d.Warnings, func(w string) bool { return strings.Contains(w, "no space left") }) {
		t.Errorf("%q, warnings %q, %v", d.Title, d.Warnings, err)
	}
	if d, err = with(t, &parsetest.Notes{}, nil).Parse(context.Background(), []byte(wicks), parse.File{Path: "a.notes", Layout: doc.LayoutTree}); err != nil || d.Title != "Wicks" || len(d.Warnings) > 0 {
		t.Errorf("without blobs: %q, %q, %v", d.Title, d.Warnings, err)
	}
}

// What a parser does wrong is an error of that page.
func TestBrokenParsers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, src, want string
		alter           func(string) string
	}{
		{"an error", ".page x\n", "no number", nil},
		{"a panic", ".panic\n", "panicked: the notes say so", nil},
		{"not UTF-8", "text\n", "not UTF-8", func(string) string { return "\xff" }},
		{"a map of another length", "text\n", "a map of 1", func(string) string { return "two\nlines" }},
	} {
		r := with(t, &parsetest.Notes{Alter: tt.alter}, blobs.OpenStore(t.TempDir()))
		if _, err := r.Parse(context.Background(), []byte(tt.src), parse.File{Path: "a.notes", Layout: doc.LayoutTree}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := with(t, &parsetest.Notes{}, blobs.OpenStore(t.TempDir())).Parse(ended, []byte(wicks), parse.File{Path: "a.notes", Layout: doc.LayoutTree}); !errors.Is(err, context.Canceled) {
		t.Errorf("a conversion that is no longer wanted: %v", err)
	}
}

// A kept document takes less than its text: the places of its blocks and the text are compressed. Bytes
// that are no kept document are no reason to fail, for the source is there.
func TestKeptDocumentIsSmall(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := &parsetest.Notes{}
	r := with(t, p, blobs.OpenStore(dir))
	var src strings.Builder
	for i := range 200 {
		fmt.Fprintf(&src, ".h part%d Part %d of the lamp\nTrim wick number %d, then light it and look at its flame.\n\n", i, i, i*7)
	}
	file := parse.File{Path: "a.notes", Layout: doc.LayoutTree}
	first, err := r.Parse(t.Context(), []byte(src.String()), file)
	if err != nil {
		t.Fatal(err)
	}
	kept := files(t, dir)[0]
	if st, err := os.Stat(kept); err != nil || st.Size() >= int64(len(first.Text)) {
		t.Errorf("%v, %d bytes are kept of a text of %d", err, st.Size(), len(first.Text))
	}
	key := filepath.Base(filepath.Dir(kept)) + filepath.Base(kept)
	for _, other := range []string{"", "no document", "{}\n# Text\n"} {
		if err := blobs.OpenStore(dir).Put(t.Context(), key, []byte(other)); err != nil {
			t.Fatal(err)
		}
		again, err := r.Parse(t.Context(), []byte(src.String()), file)
		if err != nil || !reflect.DeepEqual(first, again) {
			t.Errorf("behind %q: another document, %v", other, err)
		}
	}
	if n := p.Converted.Load(); n != 4 {
		t.Errorf("converted %d times", n)
	}
}

// A large page is kept without its blocks; read again it is the same document.
func TestLargeDocumentIsKeptWithoutBlocks(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dir := t.TempDir()
	p := &parsetest.Notes{}
	r := with(t, p, blobs.OpenStore(dir))
	src := []byte(".title Wicks\n" + strings.Repeat(".h trim Trim the wick\nTrim it, "+strings.Repeat("and *trim* it again, ", 5)+"then light it.\n\n", 12_000))
	file := parse.File{Path: "a.notes", Layout: doc.LayoutTree}
	first, err := r.Parse(ctx, src, file)
	if err != nil {
		t.Fatal(err)
	}
	again, err := r.Parse(ctx, src, file)
	if err != nil || p.Converted.Load() != 1 || len(first.Blocks) < 10_000 {
		t.Fatalf("%v, converted %d times, %d blocks", err, p.Converted.Load(), len(first.Blocks))
	}
	if !reflect.DeepEqual(first, again) {
		t.Error("kept it is another document")
	}
	st, err := os.Stat(files(t, dir)[0])
	if err != nil || st.Size() > int64(len(first.Text)/4) { // compressed: it is the same paragraph 12 000 times
		t.Errorf("%v, %d bytes are kept of a text of %d", err, st.Size(), len(first.Text))
	}
	text, _, err := r.Text(ctx, src, file)
	if err != nil || string(text) != string(first.Text) || p.Converted.Load() != 1 {
		t.Errorf("its text: %d bytes, %v", len(text), err)
	}
}
