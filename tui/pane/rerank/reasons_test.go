package rerank

import (
	"testing"

	"docent/pipeline/contract"
)

func TestMeasureName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"text_cover":         "words in the text",
		"text_cover_of_page": "words in the text, best on its page",
		"best_of_a_side":     "best of a side",
		"unheard\x1b[2Jof":   "unheardof",
	} {
		if got := measureName(name); got != want {
			t.Errorf("%q is called %q, want %q", name, got, want)
		}
	}
}

// The same measure times the question's length is no measure of its own; that of the page is.
func TestJoinedFeatures(t *testing.T) {
	t.Parallel()
	parts, bias, sum := joinedFeatures([]contract.ExplainPart{
		{Name: "bias", Value: -1}, {Name: "near", Input: .5, Weight: 2, Value: 1}, {Name: "near_if_long", Input: .25, Weight: 4, Value: 1},
		{Name: "near_of_page", Input: 1, Weight: .5, Value: .5},
	})
	if len(parts) != 2 || parts[0].Name != "near" || parts[0].Weight != 4 || parts[1].Name != "near_of_page" {
		t.Errorf("the measures are %+v", parts)
	}
	if bias != -1 || sum != 1.5 {
		t.Errorf("the bias is %v, the sum %v", bias, sum)
	}
}
