package search_test

import (
	"strings"
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/corpus/corpustest"
)

// A page is found by what documentation has in the place of the question's words, and the
// explanation says so.
func TestOtherWords(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	h.Add("Lantern@1", map[string]string{
		"wick.md":  "# Wicks\n\nA wick is trimmed in the evening, and never in the wind.\n",
		"oil.md":   "# Oil\n\nThe interval between two fillings is nine hours.\n",
		"glass.md": "# Glass\n\nGlass is wiped with a dry cloth. A lantern has four panes.\n",
	})
	find := func(query string) contract.SearchOutput {
		out, _, err := searcher(h).Search(t.Context(), contract.SearchInput{Query: []string{query},
			Context: &contract.Context{Question: query}}, contract.SearchOptions{Explain: true})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	for _, query := range []string{"how often a lantern is filled", "lantern, how often", "how often and how frequently a lantern is filled"} {
		out := find(query)
		if !strings.Contains(paths(out), "oil.md") {
			t.Errorf("%q finds %s", query, paths(out))
			continue
		}
		said := false
		for _, r := range out.Results {
			for _, head := range r.Headings {
				seen := map[contract.ExplainPart]bool{}
				for _, p := range head.Explain.Parts {
					same := p
					if same.Value = 0; seen[same] {
						t.Errorf("%q: the score of %s has a part twice: %+v", query, r.FilePath, p)
					}
					seen[same] = true
					said = said || r.FilePath == "oil.md" && strings.Contains(p.Name+p.Query, "(other words)")
				}
			}
		}
		if !said {
			t.Errorf("%q: no part of the score of oil.md is by other words", query)
		}
	}
	if out := find("\"how often\" a lantern"); strings.Contains(paths(out), "oil.md") {
		t.Errorf("text in quotation marks was looked for as other words: %s", paths(out))
	}
}
