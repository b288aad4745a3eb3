package doc

import (
	"slices"
	"testing"
)

func TestSectionPathsAreUnique(t *testing.T) {
	t.Parallel()
	sections := []Section{{}, {Level: 1, Path: []string{"API"}}, {Level: 2, Path: []string{"API", "Options"}}, {Level: 2, Path: []string{"API", "Options"}}, {Level: 2, Path: []string{"API", "Options"}}}
	want := []string{"", "API", "API > Options", "API > Options~2", "API > Options~3"}
	if got := SectionPaths(sections); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// The ids of all chunks are those of each, and that of a section's first chunk is the
// section's.
func TestSpanIDs(t *testing.T) {
	t.Parallel()
	sections := []Section{{}, {Level: 1, Text: "A", Path: []string{"A"}}, {Level: 2, Text: "B", Path: []string{"A", "B"}}, {Level: 2, Text: "B", Path: []string{"A", "B"}}}
	var chunks []Chunk
	for _, section := range []int{0, 1, 1, 2, 2, 3, 3} {
		chunks = append(chunks, Chunk{Index: len(chunks), Section: section})
	}
	ids := SpanIDs("Lantern@2.1/wicks.md", sections, chunks)
	for i := range chunks {
		if want := SpanID("Lantern@2.1/wicks.md", sections, chunks, i); ids[i] != want {
			t.Errorf("chunk %d: %s, %s", i, ids[i], want)
		}
	}
	if ids[3] != SectionID("Lantern@2.1/wicks.md", "A > B") || ids[0] != SectionID("Lantern@2.1/wicks.md", "") {
		t.Errorf("%q", ids)
	}
}
