package cite

import (
	"context"
	"fmt"
	"slices"

	"docent/pipeline/contract"
)

// cut is a summary in a body, from its first mark to its last.
type cut struct {
	begin, end  int // lines in the text
	first, last int // lines of the page that it replaces
}

// withoutSummaries is the block with each summary replaced by an omission line. A
// summary ends at the first end mark with the same lines. Marks at the lines in text
// are the page's own and stay.
func (b Block) withoutSummaries(text map[int]bool) (Block, []cut) {
	out := b
	out.body, out.lines, out.citations = nil, nil, nil
	var cuts []cut
	ends := map[[2]int][]int{} // ends of summaries, by the lines that they replace
	for i, l := range b.body {
		if first, last, ok := contract.ParseSummaryEnd(l); ok {
			ends[[2]int{first, last}] = append(ends[[2]int{first, last}], i)
		}
	}
	for i := 0; i < len(b.body); i++ {
		line := b.body[i]
		if first, last, ok := contract.ParseSummary(line); ok && !text[b.placeOfLine(i)] {
			at := ends[[2]int{first, last}]
			k, _ := slices.BinarySearch(at, i)
			if k < len(at) {
				cuts = append(cuts, cut{b.placeOfLine(i), b.placeOfLine(at[k]), first, last})
				out.body, out.lines = append(out.body, contract.OmissionLine(first, last)), append(out.lines, b.placeOfLine(i))
				i = at[k]
				continue
			}
		}
		out.body, out.lines = append(out.body, line), append(out.lines, b.placeOfLine(i))
	}
	if len(cuts) > 0 {
		out.findCitations()
	}
	return out, cuts
}

// verifySummaries verifies a block with summaries. It returns nil if there are none.
func verifySummaries(ctx context.Context, b Block, src Source) (*Report, error) {
	judge := func(text map[int]bool) (*Report, error) {
		short, cuts := b.withoutSummaries(text)
		if len(cuts) == 0 {
			return nil, nil
		}
		rep, err := verifyBlock(ctx, short, src)
		if err != nil {
			return nil, err
		}
		rep.putBack(b, cuts)
		return &rep, nil
	}
	rep, err := judge(nil)
	if rep == nil || err != nil {
		return nil, err
	}
	// A summary whose range is wrong may be the page's own text about summaries: then
	// fewer lines are altered if its marks are read as text.
	altered, text := map[int]bool{}, map[int]bool{}
	for _, d := range rep.Documents {
		for _, l := range d.Lines {
			altered[l.Line] = l.Verdict == Altered
		}
	}
	for _, f := range rep.Findings {
		if f.Kind == FindingSummary && altered[f.Line] {
			text[f.Line] = true
		}
	}
	if len(text) > 0 {
		if other, err := judge(text); err != nil || other != nil && other.Altered < rep.Altered {
			return other, err
		}
	}
	return rep, nil
}

// putBack adds the lines of summaries to the report and computes the counts and the
// state of the block again.
func (r *Report) putBack(b Block, cuts []cut) {
	r.Findings = slices.DeleteFunc(r.Findings, func(f Finding) bool { return f.Kind == FindingLineCount || f.Kind == FindingHeader })
	r.Lines, r.Verbatim, r.Omissions, r.Unverified, r.Altered = 0, 0, 0, 0, 0
	for i := range r.Documents {
		d := &r.Documents[i]
		var lines []Line
		for _, l := range d.Lines {
			lines = append(lines, l)
			k, ok := slices.BinarySearchFunc(cuts, l.Line, func(c cut, line int) int { return c.begin - line })
			if !ok {
				continue
			}
			c := cuts[k]
			for n := c.begin + 1; n < c.end; n++ {
				lines = append(lines, Line{Line: n, Verdict: Unverified})
			}
			lines = append(lines, Line{Line: c.end, Verdict: l.Verdict, SourceLine: l.SourceLine, SourceLast: l.SourceLast})
			if d.State == StateVerified {
				d.State = StateUnverified
			}
			r.Findings = append(r.Findings, Finding{Kind: FindingSummary, Line: c.begin, LastLine: c.end,
				SourceLines: [2]int{c.first, c.last},
				Message:     fmt.Sprintf("a model wrote this in place of lines %s; it cannot be verified", spanText(c.first, c.last))})
		}
		d.Lines = lines
	}
	r.finishReport(b)
}
