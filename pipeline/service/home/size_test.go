package home

import (
	"strings"
	"testing"
)

// A home is outgrown by its sections where its folder has the indexes.
func TestOutgrown(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		sections int
		onServer bool
		says     string
	}{{mostInFolder, false, ""}, {mostInFolder + 1, false, "300001 sections"}, {10 * mostInFolder, true, ""}} {
		if got := outgrown(tt.sections, tt.onServer); !strings.Contains(got, tt.says) || (got == "") != (tt.says == "") {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}
