package rerank

import (
	"context"
	"fmt"

	"docent/pipeline/contract"
)

// findHeadings looks up, in their pages, the headings that come without lines (spec 1's bare
// form), so that they are reranked by their texts. It says which are not there: these
// are reranked by their words alone.
func (b *Builtin) findHeadings(ctx context.Context, results []contract.Result, cands []candidate) []contract.Degraded {
	pages := map[int][]int{} // candidates without lines, by page
	var order []int
	for i, c := range cands {
		if results[c.page].Headings[c.heading].Lines != [2]int{} {
			continue
		}
		if pages[c.page] == nil {
			order = append(order, c.page)
		}
		pages[c.page] = append(pages[c.page], i)
	}
	var out []contract.Degraded
	missing := func(reason string) {
		out = append(out, contract.Degraded{Phase: contract.PhaseRerank, Wanted: contract.EngineBuiltin, Used: "headings without text",
			Reason: reason})
	}
	for _, p := range order {
		r := &results[p]
		texts := make([]string, len(pages[p]))
		for k, i := range pages[p] {
			texts[k] = r.Headings[cands[i].heading].Text
		}
		lines, err := b.Texts.Headings(ctx, r.DocSet, r.FilePath, texts)
		if err != nil {
			continue // reading its passages fails too, and that is said
		}
		for k, i := range pages[p] {
			h := &r.Headings[cands[i].heading]
			if h.Lines = lines[k]; h.Lines == [2]int{} {
				missing(fmt.Sprintf("%s of %s has no heading %q", r.FilePath, r.DocSet, h.Text))
			}
		}
	}
	return out
}
