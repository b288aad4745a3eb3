package contract_test

import (
	"testing"

	"docent/pipeline/contract"
)

// "can i rename a git branch" found a page on building from a branch: the answer says that it
// has nothing of renaming.
func TestLackedWords(t *testing.T) {
	t.Parallel()
	found := []contract.Result{{}}
	lacking := func(words ...string) contract.SearchStats {
		return contract.SearchStats{Coverage: &contract.Coverage{Missing: words}}
	}
	translated := &contract.Context{Translations: []contract.Translation{{Word: "docht"}}}
	compared := &contract.Context{Kind: contract.KindComparison}
	for name, tt := range map[string]struct {
		out  *contract.SearchOutput
		want string
	}{
		"one":        {&contract.SearchOutput{Results: found, SearchStats: lacking("rename")}, " (not in the best hits: rename)"},
		"two":        {&contract.SearchOutput{Results: found, SearchStats: lacking("trim", "wick")}, " (not in the best hits: trim, wick)"},
		"all there":  {&contract.SearchOutput{Results: found, SearchStats: lacking()}, ""},
		"many":       {&contract.SearchOutput{Results: found, SearchStats: lacking("a", "b", "c", "d", "e")}, ""},
		"translated": {&contract.SearchOutput{Results: found, SearchStats: lacking("docht"), Context: translated}, ""},
		"short":      {&contract.SearchOutput{Results: found, SearchStats: lacking("vs")}, ""},
		"comparison": {&contract.SearchOutput{Results: found, SearchStats: lacking("versus"), Context: compared}, ""},
		"no hits":    {&contract.SearchOutput{SearchStats: lacking("rename")}, ""},
		"no search":  {nil, ""},
		"no account": {&contract.SearchOutput{Results: found}, ""},
	} {
		if got := tt.out.LackedWords(nil); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
	out := &contract.SearchOutput{Results: found, SearchStats: lacking("auth", "rename")}
	reranked := &contract.RerankOutput{Results: []contract.Result{{PageTitle: "Pumps", Headings: []contract.Heading{{Text: "## BasicAuth"}}}}}
	if got := out.LackedWords(reranked); got != " (not in the best hits: rename)" {
		t.Errorf("a word within a heading that is shown: %q", got)
	}
}
