package spelling_test

import (
	"slices"
	"strings"
	"testing"

	"docent/pipeline/spelling"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	names := []string{"Agent_Skills@latest", "Harbour@1", "Harbour@2", "Beacon@latest"}
	for _, tt := range []struct {
		name string
		want []string
	}{
		{"agent skills", []string{"Agent_Skills@latest"}},
		{"Skills", []string{"Agent_Skills@latest"}},
		{"harbor", []string{"Harbour@1", "Harbour@2"}},
		{"Beacon@v2", []string{"Beacon@latest"}},
		{strings.Repeat("x", 300), nil},
		{"", nil},
	} {
		if got := spelling.Nearest(tt.name, names); !slices.Equal(got, tt.want) {
			t.Errorf("%.20q: %v, want %v", tt.name, got, tt.want)
		}
	}
}
