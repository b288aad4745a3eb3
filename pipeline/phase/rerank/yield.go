package rerank

import (
	"slices"
	"strings"

	"docent/pipeline/contract"
)

// keepAnswers sets the pages that reach the threshold, and notes the others. It gives the
// pages of the doc sets that answer.
func keepAnswers(out *contract.RerankOutput, in contract.RerankInput, results []contract.Result, threshold float64) []contract.Result {
	results, others := yieldToAsked(results, in.Context, threshold)
	nearest := in.SearchStats != nil && in.SearchStats.Nearest
	out.Results, out.Dropped, out.BelowThreshold = cutBelow(results, threshold, nearest)
	if others > 0 {
		out.Dropped += others
		out.SearchStats = withNote(out.SearchStats,
			strings.Join(in.Context.DocSets, ", ")+" answers; what other doc sets have was left out")
	}
	if out.Which = competing(out.Results, in.Context); len(out.Which) > 0 {
		out.SearchStats = withNote(out.SearchStats, "which do you mean, "+strings.Join(out.Which, " or ")+
			"? A question that names one is answered from it alone")
	}
	return results
}

// yieldToAsked leaves out the pages of doc sets that the question does not imply, such as
// older versions and docent's own manual, where a page of one that it implies reaches the
// threshold. They were searched because none of the implied doc sets has the question in a
// title. headings counts those of the pages that it leaves out. The sides of a question stay.
func yieldToAsked(results []contract.Result, c *contract.Context, threshold float64) (asked []contract.Result, headings int) {
	if c == nil || c.DocSetsExplicit || !slices.ContainsFunc(results, func(r contract.Result) bool {
		return slices.Contains(c.DocSets, r.DocSet) && len(r.Headings) > 0 && similarityOf(r.Headings[0]) >= threshold
	}) {
		return results, 0
	}
	for _, r := range results {
		if r.Side || slices.Contains(c.DocSets, r.DocSet) {
			asked = append(asked, r)
		} else {
			headings += len(r.Headings)
		}
	}
	return asked, headings
}

// competing are the doc sets, best first, that answer a question equally well, of which the
// person hardly means more than one: two products may both tell how to install on Windows.
// It is empty where a doc set is named, and where the question has several sides.
func competing(kept []contract.Result, c *contract.Context) []string {
	var sets []string
	if c != nil && c.DocSetsExplicit {
		return nil
	}
	for _, r := range kept {
		switch {
		case r.Side:
			return nil
		case r.Listed || r.BelowThreshold || len(r.Headings) == 0,
			similarityOf(r.Headings[0]) < competes*similarityOf(kept[0].Headings[0]):
		case !slices.Contains(sets, r.DocSet):
			sets = append(sets, r.DocSet)
		}
	}
	if len(sets) < 2 {
		return nil
	}
	return sets[:min(len(sets), mostCompeting)]
}

// withNote adds a note to the figures of a search, which stay as they are elsewhere.
func withNote(st *contract.SearchStats, note string) *contract.SearchStats {
	var now contract.SearchStats
	if st != nil {
		now = *st
	}
	if !slices.Contains(now.Notes, note) { // it was reranked before
		now.Notes = append(slices.Clone(now.Notes), note)
	}
	return &now
}
