package hits

import (
	"fmt"
	"slices"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/question/why"
)

// SetAllMatches takes the matches of all sections, those under the threshold too, and why
// each was found.
func (p *Pane) SetAllMatches(results []contract.Result) {
	old, had := p.Selected()
	all := map[string]contract.Heading{}
	for _, r := range results {
		for _, h := range r.Headings {
			all[placeText(r, h)] = h
		}
	}
	for i := range p.rows {
		r := &p.rows[i]
		h, ok := all[placeText(r.Page, r.Heading)]
		if !ok {
			continue
		}
		if r.Heading.RerankSim == nil {
			r.Heading.RerankSim = h.RerankSim
		}
		r.why = why.Sentence(r.Page, h)
	}
	p.rankRows()
	p.sortRows()
	p.labelRows()
	if i := slices.IndexFunc(p.rows, old.isSameRow); had && i >= 0 {
		p.cursor = i
	}
	p.moveCursor(0)
}

func placeText(r contract.Result, h contract.Heading) string {
	return fmt.Sprintf("%s\x00%s\x00%s\x00%v", r.DocSet, r.FilePath, h.Text, h.Section)
}

// ReasonText says why the hit under the cursor was found, "" where that is not known.
func (p *Pane) ReasonText() string {
	r, _ := p.Selected()
	return r.why
}

// isInBlock reports whether a row's section stands in the block, or its page in one of
// whole documents; true before there is a block.
func isInBlock(res pipeline.Result, r Row) bool {
	if res.Phases.Extract == nil {
		return true
	}
	docs := res.Phases.Extract.Documents
	sections := res.Size().Sections > 0
	if sections {
		docs = res.Phases.Process.Documents
	}
	return slices.ContainsFunc(docs, func(d contract.Extracted) bool {
		return d.DocSet == r.Page.DocSet && d.FilePath == r.Page.FilePath &&
			(!sections || slices.ContainsFunc(d.Quoted, func(q contract.Quote) bool { return slices.Equal(q.Path, r.Heading.Path) }))
	})
}
