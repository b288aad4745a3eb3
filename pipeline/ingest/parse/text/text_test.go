package text

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"docent/pipeline/ingest/chunk"
	"docent/pipeline/ingest/parse"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, title, want string }{
		"title and text": {"Wicks\n\nCut them.\n", "Wicks", "3-3 Cut them."},
		"no title":       {"\nCut them.", "", "2-2 Cut them."},
		"paragraphs":     {"T\na\nb\n\n \nc\n", "T", "2-3 a\nb|6-6 c"},
		"a title alone":  {"Wicks\n", "Wicks", "1-1 "},
		"empty":          {"", "", "1-0 "},
		"markup is text": {"# a\n- b\n```\n", "# a", "2-3 - b\n```"},
		"not UTF-8":      {"T\n\xff\n", "T", "2-2 \uFFFD"},
	} {
		d := parseText([]byte(c.src), "p.txt")
		var got []string
		for _, b := range d.Blocks {
			got = append(got, fmt.Sprintf("%d-%d %s", b.Span.StartLine, b.Span.EndLine, b.Text))
		}
		if g := strings.Join(got, "|"); d.Title != c.title || g != c.want {
			t.Errorf("%s: %q %q, want %q %q", name, d.Title, g, c.title, c.want)
		}
	}
}

// Blocks lie in the source in order, marks stand where they say, and long
// paragraphs are cut at sentences into chunks that have all the words.
func TestPlaces(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		src := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"word ", "end. ", "\n", "\n\n", "  ", "句子。", "\r\n", strings.Repeat("Many words stand here. ", 80)})).Draw(t, "src"), "")
		d := parseText([]byte(src), "p.txt")
		last := 0
		for _, b := range d.Blocks {
			if b.Span.Start < last && b.Text != "" || b.Span.End > len(src) || b.Span.End < b.Span.Start {
				t.Fatalf("block at %+v of %d bytes after %d", b.Span, len(src), last)
			}
			last = b.Span.End
			for i, m := range b.Marks {
				to := len(b.Text)
				if i+1 < len(b.Marks) {
					to = b.Marks[i+1].Text
				}
				if want := b.Text[m.Text:to]; src[m.Source:m.Source+len(want)] != want {
					t.Fatalf("mark %+v: %q stands there, not %q", m, src[m.Source:], want)
				}
			}
		}
		var words int
		for _, c := range chunk.SplitPage(d, chunk.Options{}) {
			words += len(strings.Fields(c.Text))
			if c.Span.Start < 0 || c.Span.End > len(src) {
				t.Fatalf("chunk at %+v", c.Span)
			}
		}
		first, rest, _ := strings.Cut(src, "\n")
		if len(strings.TrimSpace(first)) > parse.MaxTitle {
			rest = src // a long title is text too
		}
		if want := len(strings.Fields(rest)); words != want {
			t.Fatalf("chunks have %d words of %d", words, want)
		}
	})
}
