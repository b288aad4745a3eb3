package spelling_test

import (
	"slices"
	"strings"
	"testing"

	"docent/pipeline/text/spelling"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	names := []string{"Agent_Skills@latest", "Harbour@1", "Harbour@2", "Beacon@latest", "@mention"}
	for _, tt := range []struct {
		name string
		want []string
	}{
		{"agent skills", []string{"Agent_Skills@latest"}},
		{"Skills", []string{"Agent_Skills@latest"}},
		{"harbor", []string{"Harbour@1", "Harbour@2"}},
		{"Beacon@v2", []string{"Beacon@latest"}},
		{"mentoin", []string{"@mention"}},
		{"haborur", []string{"Harbour@1", "Harbour@2"}}, {"Baecon", []string{"Beacon@latest"}}, {"bacn", nil},
		{"kill", nil}, {"genta", nil}, {"our@1", nil}, {"zz", nil},
		{strings.Repeat("x", 300), nil},
		{"", nil},
	} {
		if got := spelling.Nearest(tt.name, names); !slices.Equal(got, tt.want) {
			t.Errorf("%.20q: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// A word is a slip away from a command or it is not: the first words of questions are
// none.
func TestSlips(t *testing.T) {
	t.Parallel()
	names := []string{"add", "ask", "completion", "config", "doctor", "eval", "help", "list", "ls", "models", "phase", "read", "rm", "search", "sessions", "sets", "status", "update", "verify", "version"}
	for word, want := range map[string]string{
		"aks": "ask", "serach": "search", "seach": "search", "udpate": "update", "comletoin": "completion", "hlep": "help", "Verfy": "verify", "set": "sets",
	} {
		if got := spelling.FingerSlips(word, names); !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %v, want %s", word, got, want)
		}
	}
	for _, word := range []string{"how", "what", "why", "which", "when", "where", "who", "can", "could", "does", "is", "are", "the", "use", "my", "i", "should", "configure", "explain", "ask", "search"} {
		if got := spelling.FingerSlips(word, names); len(got) > 0 {
			t.Errorf("%s is a slip of %v", word, got)
		}
	}
}
