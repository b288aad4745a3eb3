package home

import (
	"context"
	"fmt"

	"docent/pipeline/contract"
)

// mostInFolder is how many sections indexes in the home's folder search quickly: with more, one question
// of twenty takes longer than 150 ms. The manual's page on sizes has the measurements.
const mostInFolder = 300_000

// Server is an index that lies on a server.
type Server interface {
	// AllowChanges has it take changes again after it took none.
	AllowChanges(ctx context.Context) error
}

// Outgrown is a message where the doc sets of a home have more sections than the indexes in its folder search quickly,
// and "" where they have fewer.
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

// SizeHelp is the page of the manual about doc sets that are too large for the home's folder.
func SizeHelp() *contract.Remedy {
	return contract.RunDocent("help", "sizing").To("tells what bears more")
}
