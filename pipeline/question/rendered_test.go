package question

import (
	"strings"
	"testing"

	"docent/pipeline/contract"
)

func TestRendered(t *testing.T) {
	t.Parallel()
	words := []contract.Translation{
		{Word: "灯芯", Terms: []contract.Rendering{{Text: "wick", Weight: 1}, {Text: "lamp wick", Weight: .5}}},
		{Word: "wick", Terms: []contract.Rendering{{Text: "wick", Weight: 1}}},
	}
	for text, want := range map[string]string{"灯芯": "wick|lamp wick", "灯芯 wick": "wick|lamp wick", "wick": "", "": ""} {
		if got := strings.Join(Rendered(text, words), "|"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
