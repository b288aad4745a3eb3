package parsetest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"docent/pipeline/ingest/parse"
	"docent/store/doc"
)

// Promises parses a page and checks what every parser promises of any page: it is a
// whole document, or left out with a reason; its text is valid and without control
// characters, its lines and blocks have places, its sections have anchors of their own
// and stand in sections of higher levels; read again it is the same. ok is false where
// the page is left out.
func Promises(tb testing.TB, p parse.Parser, src []byte, opt parse.Options) (d doc.Document, ok bool) {
	tb.Helper()
	d, err := p.Parse(context.Background(), src, opt)
	if err != nil {
		_, left := errors.AsType[parse.LeftOut](err)
		failed, fails := errors.AsType[*parse.Failed](err)
		if !left && (!fails || failed.Code == "") || err.Error() == "" {
			tb.Errorf("%v is no reason to leave a page out", err)
		}
		return d, false
	}
	lines := doc.CountLines(d.Text)
	if !d.Verbatim() {
		if !utf8.Valid(d.Text) || strings.ContainsAny(string(d.Text), "\x00\x07\x1b") {
			tb.Errorf("the text is not UTF-8, or has control characters: %.300q", d.Text)
		}
		if len(d.Map) != lines {
			tb.Errorf("places of %d lines, the text has %d", len(d.Map), lines)
		}
	}
	last := max(1, doc.CountLines(src))
	for i, at := range d.Map {
		if at.Line < 0 || at.Line > last || at.Page < 0 {
			tb.Errorf("line %d stands at %+v of %d lines", i+1, at, last)
			break
		}
	}
	checkBlocks(tb, opt.Path, d, lines)
	anchors := map[string]bool{}
	for _, s := range d.Sections {
		if s.Level > 0 && (s.Anchor == "" || anchors[s.Anchor]) {
			tb.Errorf("the anchor %q of %q is empty or not unique", s.Anchor, s.Text)
		}
		anchors[s.Anchor] = true
		if s.Parent >= 0 && d.Sections[s.Parent].Level >= s.Level {
			tb.Errorf("section %q of level %d is in one of level %d", s.Text, s.Level, d.Sections[s.Parent].Level)
		}
	}
	if again, err := p.Parse(context.Background(), src, opt); err != nil || string(again.Text) != string(d.Text) {
		tb.Errorf("read again, it is another text (%v)", err)
	}
	return d, true
}

// Hostile checks the promises on extreme pages, by their names; pages(n) grow with n. The
// path of the pages is path, or if that is "" their name. check, unless nil, examines a
// page that was read further.
func Hostile(t *testing.T, p parse.Parser, path string, pages func(n int) map[string]string,
	check func(t *testing.T, name, src string, d doc.Document)) {
	t.Helper()
	file := func(name string) string {
		if path == "" {
			return name
		}
		return path
	}
	for name, src := range pages(4_000) {
		d, ok := Promises(named{t, name}, p, []byte(src), parse.Options{Path: file(name)})
		if ok && check != nil {
			check(t, name, src, d)
		}
	}
	small := map[string][]byte{}
	for name, src := range pages(40) {
		if _, err := p.Parse(context.Background(), []byte(src), parse.Options{Path: file(name)}); err == nil {
			small[name] = []byte(src)
		}
	}
	TestParser(t, p, small)
}

// named says with each failure which page it concerns.
type named struct {
	*testing.T
	name string
}

func (n named) Errorf(format string, args ...any) {
	n.Helper()
	n.T.Errorf("%s: "+format, append([]any{n.name}, args...)...)
}

// FuzzParser checks the promises on sources that grow from some.
func FuzzParser(f *testing.F, p parse.Parser, opt parse.Options, seeds ...[]byte) {
	f.Helper()
	for _, src := range seeds {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if sniff := p.Info().Sniff; sniff != nil {
			sniff(src[:min(len(src), parse.HeadBytes)])
		}
		Promises(t, p, src, opt)
	})
}

// Canceled checks that a page which is no longer wanted is not read.
func Canceled(t *testing.T, p parse.Parser, path, src string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Parse(ctx, []byte(src), parse.Options{Path: path, FallbackTitle: path}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that ended: %v", err)
	}
}

// Sources are the files that fit some patterns, by their names; there must be some.
func Sources(tb testing.TB, patterns ...string) map[string][]byte {
	tb.Helper()
	sources := map[string][]byte{}
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			tb.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			src, err := os.ReadFile(file)
			if err != nil {
				tb.Fatal(err)
			}
			sources[filepath.Base(file)] = src
		}
	}
	return sources
}

// AllSeeds are the sources and the hostile pages, in order.
func AllSeeds(sources map[string][]byte, pages map[string]string) [][]byte {
	var seeds [][]byte
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		seeds = append(seeds, sources[name])
	}
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		seeds = append(seeds, []byte(pages[name]))
	}
	return seeds
}

// Numbered writes a format n times, with the numbers from 0, and sep between them.
func Numbered(n int, sep, format string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteString(sep)
		}
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// Golden compares what the parser reads of sources with the files testdata/NAME.golden;
// with update it writes them. Then it runs the suite.
func Golden(t *testing.T, p parse.Parser, sources map[string][]byte, update bool) {
	t.Helper()
	for name, src := range sources {
		d, err := p.Parse(t.Context(), src, parse.Options{Path: name})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got, file := formatDocument(d), filepath.Join("testdata", name+".golden")
		if update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s is read as\n%s\nand not, as in %s,\n%s", name, got, file, want)
		}
	}
	TestParser(t, p, sources)
}

// formatDocument is what a page became: each line with its place in the source.
func formatDocument(d doc.Document) string {
	var b strings.Builder
	fmt.Fprintf(&b, "title: %s\nurl: %s\nabout: %q\nwarnings: %q\n", d.Title, d.URL, d.About, d.Warnings)
	for _, s := range d.Sections {
		fmt.Fprintf(&b, "section: %d %q #%s\n", s.Level, s.Text, s.Anchor)
	}
	b.WriteString("---\n")
	n := 0
	for line := range strings.Lines(string(d.Text)) {
		n++
		fmt.Fprintf(&b, "%3d %s", d.Location(n).Line, line)
	}
	return b.String()
}
