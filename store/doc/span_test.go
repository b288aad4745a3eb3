package doc

import "testing"

// A span's name is the one of the domain specification: the first 16 digits of the
// SHA-256 of "file::section path". It repeats in no page.
func TestSpanID(t *testing.T) {
	t.Parallel()
	sections := []Section{{}, {Level: 1, Text: "A", Path: []string{"A"}}, {Level: 2, Text: "B", Path: []string{"A", "B"}}, {Level: 2, Text: "B", Path: []string{"A", "B"}, Index: 3}}
	chunks := []Chunk{{Section: 0}, {Section: 1}, {Section: 2}, {Section: 2}, {Section: 3}}
	// As printf 'Lamp@1/a.md::A > B~2' | sha256sum | cut -c1-16
	for i, want := range []string{"8d613fe7a9533a7f", "090e4b2a62a8970a", "005565028c233319", "fa947705b4da3078", "82a68542c71c8a24"} {
		if got := SpanID("Lamp@1/a.md", sections, chunks, i); got != want {
			t.Errorf("chunk %d: %s, want %s", i, got, want)
		}
	}
}
