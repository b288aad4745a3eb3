package answers

import (
	"strings"
	"testing"

	"docent/pipeline/contract"
)

// An agent whose search left a doc set out was told of it nowhere, and took the rest for all there is.
func TestAnAgentIsToldWhatWasNotSearched(t *testing.T) {
	t.Parallel()
	const note = "Lantern@1 was not searched: its index is damaged"
	d := digestOf(contract.RerankOutput{SearchStats: &contract.SearchStats{Notes: []string{note}},
		Results: []contract.Result{{DocSet: "Harbour@1", FilePath: "pier.md", PageTitle: "The pier"}}})
	if got := d.ToolText(); !strings.Contains(got, "\nNote: "+note+".") {
		t.Errorf("an agent reads %q", got)
	}
}
