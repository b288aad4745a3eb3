package answers

import (
	"strings"
	"testing"

	"docent/pipeline/contract"
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
