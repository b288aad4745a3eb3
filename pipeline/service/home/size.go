package home

import (
	"context"
	"fmt"

	"docent/pipeline/contract"
)

// mostInFolder is how many sections indexes in the home's folder bear: with more, one question of twenty
// takes longer than 150 ms. The manual's page on sizes has the measurements.
const mostInFolder = 300_000

// Server is what indexes on a server can be told.
type Server interface {
	// AllowChanges has it take changes again after it took none.
	AllowChanges(ctx context.Context) error
}

// Outgrown says that the doc sets of a home have more sections than the home's folder bears, "" where they do not.
func Outgrown(ctx context.Context, h *Home) (string, error) {
	sets, err := h.Corpus.Sets(ctx)
	if err != nil {
		return "", err
	}
	sections := 0
	for _, s := range sets {
		sections += s.Sections
	}
	_, onServer := h.Indexes.(Server)
	return outgrown(sections, onServer), nil
}

func outgrown(sections int, onServer bool) string {
	if onServer || sections <= mostInFolder {
		return ""
	}
	return fmt.Sprintf("the doc sets have %d sections; above %d in the home's folder, questions become slow and take much memory", sections,
		mostInFolder)
}

// SizeHelp is where the manual tells what bears more.
func SizeHelp() *contract.Remedy {
	return contract.RunDocent("help", "sizing").To("tells what bears more")
}
