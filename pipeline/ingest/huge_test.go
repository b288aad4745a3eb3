package ingest_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"docent/pipeline/ingest"
	"docent/pipeline/ingest/chunk"
	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/markdown"
	"docent/pipeline/text/fingerprint"
)

// A page of one huge table, list, line or front matter takes memory in proportion to
// its size: four times the page, at most six times the bytes allocated. (Time is not
// measured, since the machine may be busy.) Not parallel: other tests allocate too.
func TestHugePagesAreLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine, and the race detector allocates too")
	}
	row := func(format string) func(n int) string {
		return func(n int) string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, format, i, i)
			}
			return b.String()
		}
	}
	for _, tt := range []struct {
		name, before string
		item         func(n int) string
		after        string
		n            int // items of the small page; 30 000 rows, or a line of 1.5 MB, in the large one
	}{
		{"a table", "# T\n\n| name | what |\n|---|---|\n", row("| opt_%d | sets the number of things to %d |\n"), "", 7500},
		{"a list", "# T\n\n", row("- item %d with words and `code_%d`\n"), "", 7500},
		{"a line of text", "# T\n\n", row("Sentence %d is about lamp %d of the harbour. "), "\n", 8500},
		{"a line without a full stop", "# T\n\n", row("word%d and lamp%d "), "\n", 20_000},
		{"a line of code", "# T\n\n```\n", row("x_%d = %d; "), "\n```\n", 22_500},
		{"a line of HTML", "# T\n\n<table>", row("<tr><td>opt_%d</td><td>sets %d</td></tr>"), "</table>\n", 9300},
		{"front matter", "---\ntitle: T\ndescription: ", row("lamp %d and oil %d "), "\n---\n\nText.\n", 18_600},
	} {
		t.Run(tt.name, func(t *testing.T) {
			measure := func(n int) (bytes uint64, passages int) {
				src := []byte(tt.before + tt.item(n) + tt.after)
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				d, err := markdown.ParseMarkdown(src, parse.Options{})
				if err != nil {
					t.Fatal(err)
				}
				chunks := chunk.SplitPage(d, chunk.Options{})
				out := ingest.Passages(d, chunks, nil)
				for _, c := range chunks {
					fingerprint.OfText(c.Text)
				}
				runtime.ReadMemStats(&after)
				return after.TotalAlloc - before.TotalAlloc, len(out)
			}
			measure(10) // the structures that are made once
			small, few := measure(tt.n)
			large, many := measure(4 * tt.n)
			if large > 6*small || many > 6*max(few, 1) || few == 0 {
				t.Errorf("%d and %d bytes, %d and %d passages", small, large, few, many)
			}
			if limit := uint64(200 * 3 << 19); large > limit {
				t.Errorf("%d MB are allocated", large>>20)
			}
		})
	}
}
