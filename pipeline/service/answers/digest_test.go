package answers

import (
	"encoding/json"
	"strings"
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/service/operation"
)

// search_docs kept the notes of the search from agents, so that one took an answer without a doc set for
// the whole.
func TestAnAgentIsToldWhatWasNotSearched(t *testing.T) {
	t.Parallel()
	const note = "Lantern@1 was not searched: its index is damaged"
	d := digestOf(contract.RerankOutput{SearchStats: &contract.SearchStats{Notes: []string{note}},
		Results: []contract.Result{{DocSet: "Harbour@1", FilePath: "pier.md", PageTitle: "The pier"}}})
	if got := d.ToolText(); !strings.Contains(got, "\nNote: "+note+".") {
		t.Errorf("an agent reads %q", got)
	}
}

// A page that hardly fits lost its title, so that an agent could not tell what the page is about.
func TestAPageKeepsTheBeginningOfItsTitle(t *testing.T) {
	t.Parallel()
	const title = "How the keeper of a lighthouse trims the wick of each lamp before the evening, and what he burns in it"
	page := contract.RerankOutput{TotalHits: 7, NextCursor: "MS42NmU0MzJjNg", Results: []contract.Result{{DocSet: "Harbour@1",
		FilePath: "keepers/evening/wicks.md", PageTitle: title, URL: "https://docs.example.org/keepers/evening/wicks",
		Headings: []contract.Heading{{Text: "## Trimming", Section: [2]int{3, 9}, Snippet: "Trim it."}}}}}
	size := func(v any) int {
		d := v.(searchDigest)
		raw, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		return len(raw) + len(d.ToolText())
	}
	whole := size(digestOf(page))
	shortest := title
	for most := whole; most > 0; most -= 5 {
		got, err := shortenPage(digestOf(page), operation.Room{Most: most, Fits: func(v any) bool { return size(v) <= most }})
		if err != nil {
			if !strings.Contains(err.Error(), "not even one page fits") || most > whole*3/5 {
				t.Errorf("%d bytes of %d: %v", most, whole, err)
			}
			break
		}
		if shortest = got.Pages[0].Title; len(shortest) < leastTitle || !strings.HasPrefix(title, strings.TrimSuffix(shortest, "…")) {
			t.Errorf("%d bytes: the title is %q", most, shortest)
		}
		if text := got.ToolText(); !strings.Contains(text, "Harbour@1/keepers/evening/wicks.md") {
			t.Errorf("%d bytes: it says %q", most, text)
		}
	}
	if !strings.HasSuffix(shortest, "…") {
		t.Errorf("the title was never cut: %q", shortest)
	}
}
