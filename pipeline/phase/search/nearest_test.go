package search_test

import (
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/corpus/corpustest"
)

// A question of words that stand nowhere leads to the headings that are spelled
// most like it, and says that; gibberish leads nowhere.
func TestNearestHeadings(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	h.Add("Lantern@1", map[string]string{
		"wick.md":   "# Trimming\n\nCut it level.\n",
		"burner.md": "# Installation of burners\n\nScrew it on.\n",
	})
	out := find(t, h, contract.SearchInput{Query: []string{"uninstallable"}})
	if len(out.Results) == 0 || out.Results[0].FilePath != "burner.md" || !out.SearchStats.Nearest {
		t.Errorf("%s, %v", paths(out), out.SearchStats.Notes)
	}
	if len(out.SearchStats.Coverage.Covered) > 0 {
		t.Errorf("covered: %v", out.SearchStats.Coverage.Covered)
	}
	for _, q := range []string{"qqqq jjjj", "髑髏", "🎉", "the of and"} {
		if out := find(t, h, contract.SearchInput{Query: []string{q}}); len(out.Results) > 0 || out.SearchStats.Nearest {
			t.Errorf("%q finds %s", q, paths(out))
		}
	}
}
