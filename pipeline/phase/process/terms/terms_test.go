package terms

import (
	"strings"
	"testing"
)

func TestTerms(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"The Hooks are set.":       "the hook are set",
		"use --dry-run or -v now":  "use dry run dry-run --dry-run or v -v now",
		"foo.bar_baz":              "foo bar baz foo.bar_baz",
		"状态栏 x 你":                  "状态 态栏 x 你",
		"status address analysis ": "status address analysis",
		"a -- b 10-20":             "a b 10 20 10-20",
		"Größe\xffü":               "größe ü",
		"":                         "",
	} {
		if got := strings.Join(Split(in), " "); got != want {
			t.Errorf("Terms(%q) = %q, want %q", in, got, want)
		}
	}
}
