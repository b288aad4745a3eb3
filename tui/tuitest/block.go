package tuitest

import (
	"context"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/phase/cite"
	"docent/store/doc"
)

func (f phases) Check(e contract.Extraction, w contract.Preferences) (contract.Check, error) {
	c := contract.Check{Action: contract.ActionSkip, Reason: "the text is short enough", TotalLineCount: e.TotalLineCount, Extraction: e,
		FullRequested: w.Full, CompressionRequested: w.Compress}
	switch {
	case w.Extent == contract.ExtentSections && !w.Full:
		c.Action, c.Reason, c.Extent, c.Lines = contract.ActionProcess, "the sections that answer were asked for", w.Extent, w.Lines
	case e.RequiresProcessing || w.Compress:
		c.Action, c.Reason = contract.ActionProcess, "compression was asked for"
	}
	return c, nil
}

// Process keeps the first four lines of each document, or the sections that were
// kept by phase 1.5.
func (f phases) Process(_ context.Context, c contract.Check) (contract.Processed, contract.Trace, error) {
	out := contract.Processed{Action: contract.ActionCompressed, Contents: map[string]string{}}
	for _, d := range c.Extraction.Documents {
		source := c.Extraction.Contents[d.ContentKey()]
		lines := strings.SplitAfter(source, "\n")
		n := doc.CountLines([]byte(source))
		keep := make([]bool, n+1)
		if c.Extent == contract.ExtentSections {
			for _, h := range d.Headings {
				d.Quoted = append(d.Quoted, contract.Quote{Path: h.Path, Anchor: h.Anchor, Lines: h.Section, Whole: true})
				for line := h.Section[0]; line <= h.Section[1]; line++ {
					keep[line] = true
				}
			}
			slices.SortFunc(d.Quoted, func(a, b contract.Quote) int { return a.Lines[0] - b.Lines[0] })
		} else {
			for line := 1; line <= min(4, n); line++ {
				keep[line] = true
			}
		}
		var b strings.Builder
		for line := 1; line <= n; line++ {
			from := line
			for line < n && !keep[from] && !keep[line+1] {
				line++
			}
			if keep[from] {
				b.WriteString(lines[line-1])
				continue
			}
			b.WriteString(contract.OmissionLine(from, line) + "\n")
			out.Omitted = append(out.Omitted, contract.Omission{Title: d.Title, Lines: [2]int{from, line}})
		}
		out.Contents[d.ContentKey()] = b.String()
		out.LineCount += doc.CountLines([]byte(b.String()))
		out.Documents = append(out.Documents, d)
	}
	return out, contract.Trace{}, nil
}

func (f phases) Cite(contents map[string]string, docs []contract.Extracted) (string, []contract.Citation, error) {
	return cite.Builtin{}.Cite(contents, docs)
}
