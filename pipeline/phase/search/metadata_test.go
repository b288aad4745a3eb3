package search

import "testing"

func TestBehindMetadata(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"---\ntitle: T\n---\nText.":          "Text.",
		"+++\r\ntitle = 'T'\r\n+++\r\nText.": "Text.",
		"---\ntitle: T\n---\n":               "---\ntitle: T\n---\n", // all there is
		"---\nText.":                         "---\nText.",
		"Text.\n---\nMore.":                  "Text.\n---\nMore.",
	} {
		if got := behindMetadata(in); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}
