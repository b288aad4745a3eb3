package analysis_test

import (
	"strings"
	"testing"

	"docent/store/analysis"
)

func TestNameTerm(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Why do I need them?":               "=why do i need them",
		"why  do-I need `them`":             "=why do i need them",
		"# Wie öffne ich das Tor?":          "=wie öffne ich das tor",
		"Trim the wick":                     "",
		"":                                  "",
		"???":                               "",
		strings.Repeat("word ", 25):         "",
		"a b c " + strings.Repeat("d", 600): "",
		"one two three \x00\xff four":       "=one two three four",
	} {
		if got := analysis.NameTerm(text); got != want || got != "" && !analysis.IsNameTerm(got) {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestAbbreviationKey(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"HPA": "hpa", "PVCs": "pvc", "dns": "dns", "as": "as", "As": "as", "GIs": "gi", "": "", "Äs": "äs", "s": "s"} {
		if got := analysis.AbbreviationKey(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
