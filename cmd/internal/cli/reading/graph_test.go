package reading

import (
	"testing"
)

// Paths of sections leave out the title of their page, and no part of another word.
func TestBelow(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ title, path, want string }{
		{"Wick", "Wick", ""},
		{"Wick", "Wick > Trim", "Trim"},
		{"Wick", "Wicks > Trim", "Wicks › Trim"},
		{"", "Trim", "Trim"},
		{"Wick", "", ""},
	} {
		if got := sectionPathBelowTitle(tt.title, tt.path); got != tt.want {
			t.Errorf("%q below %q: %q, want %q", tt.path, tt.title, got, tt.want)
		}
	}
}
