package phase

import (
	"cmp"
	"fmt"
	"strings"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/text/sanitize"
	"docent/tui/style"
	"docent/tui/widget"
)

// NewCheck returns the pane of the cuts: how many lines of the pages the answer has, why
// not more, and which were left out.
func NewCheck(st *style.Styles) *Pane {
	p := newPane(st, writeCheck)
	return &p
}

func writeCheck(w *widget.Writer, res pipeline.Result, req pipeline.Request) bool {
	c := res.Phases.Check
	if c == nil {
		return false
	}
	pr := res.Phases.Process
	w.WriteHead("How much of the pages stands in the answer")
	lines := widget.Count(c.TotalLineCount, "line")
	if pr != nil {
		kept := pr.Kept(c.TotalLineCount)
		lines = fmt.Sprintf("%d of %s", kept, lines)
		if more := pr.LineCount - kept; more > 0 { // y copies them too
			lines += fmt.Sprintf(", and %s for what is left out", widget.Count(more, "line"))
		}
	}
	w.WriteFieldIn(w.St.Strong, "answer", lines)
	w.Field("because", c.Reason)
	extent := "whole pages"
	if c.Extent == contract.ExtentSections {
		extent = fmt.Sprintf("sections, at most %s", widget.Count(cmp.Or(c.Lines, contract.DefaultLines), "line"))
	}
	w.Field("made of", extent)
	if how := preferenceText(c, req); how != "" {
		w.Field("wanted", how)
	}
	if c.MaxTokens > 0 {
		w.Field("at most", widget.Count(c.MaxTokens, "token"))
	}
	if pr == nil {
		w.WriteHead("Left out")
		w.WriteTextIn(w.St.Dim, "nothing: the pages stand in the answer as they are")
		return true
	}
	if left := pr.LeftOut(); left == 0 {
		w.WriteHead("Left out")
		w.WriteTextIn(w.St.Dim, "nothing")
	} else {
		w.WriteHead("Left out (" + widget.Count(left, "line") + ")")
	}
	for i := 0; i < len(pr.Omitted); {
		var lines []string
		first := pr.Omitted[i]
		for ; i < len(pr.Omitted) && pr.Omitted[i].Title == first.Title; i++ {
			lines = append(lines, widget.LineSpan(pr.Omitted[i].Lines))
		}
		w.Rows = append(w.Rows, widget.Row{Lead: "  ", Body: sanitize.Line(first.Title)},
			widget.Row{Lead: "    lines ", LeadStyle: w.St.Dim, Body: strings.Join(lines, ", "), Style: w.St.Warn})
	}
	return true
}

// preferenceText names the preference for the full text or a shorter one, and its source.
func preferenceText(c *contract.Check, req pipeline.Request) string {
	by := func(set bool) string {
		if set {
			return ", by you"
		}
		return ", in the question"
	}
	switch {
	case c.FullRequested:
		return "whole pages, however long" + by(req.Preferences.Full)
	case c.Summarize:
		return "long sections summed up by a model" + by(req.Preferences.Summarize)
	case c.CompressionRequested:
		return "a shorter answer" + by(req.Preferences.Compress)
	}
	return ""
}
