package extract

import (
	"slices"
	"strings"
	"testing"
)

// A page with almost no text is taken where there are not enough others.
func TestWithoutStubs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		pages string // the stubs begin with s
		limit int
		want  string
	}{
		{"s1 a b c", 3, "a b c"},
		{"s1 a b", 3, "s1 a b"},
		{"a s1 s2 b", 3, "a s1 b"},
		{"s1 s2", 1, "s1"},
		{"a b c d", 2, "a b c d"}, // the limit comes later
		{"", 3, ""},
	} {
		var list []wanted
		for _, p := range strings.Fields(tt.pages) {
			list = append(list, wanted{path: p})
		}
		var got []string
		for _, w := range withoutStubs(slices.Clone(list), tt.limit, func(w wanted) bool { return w.path[0] == 's' }) {
			got = append(got, w.path)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("of %q the %d are %q", tt.pages, tt.limit, got)
		}
	}
}
