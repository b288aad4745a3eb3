// Package check is the pane of phases 2.5 and 3: whether the text was shortened,
// why, and which lines were omitted.
//
// It refuses to shorten anything itself.
package check

import (
	"cmp"
	"fmt"
	"strconv"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/sanitize"
	"docent/tui/style"
	"docent/tui/widget"
)

// Pane is the pane.
type Pane struct {
	widget.Sheet
	st *style.Styles
}

// New is an empty pane.
func New(st *style.Styles) *Pane { return &Pane{st: st} }

// SetResult shows the result of a run; req is the request with a person's
// settings.
func (p *Pane) SetResult(res pipeline.Result, req pipeline.Request) {
	w := &widget.Writer{St: p.st, Lead: 16}
	c := res.Phases.Check
	if c == nil {
		w.TextIn(p.st.Dim, "not run yet")
		p.SetRows(w.Rows)
		return
	}
	yes := func(asked, flag bool) string {
		switch {
		case flag:
			return "yes, by you (key)"
		case asked:
			return "yes, in the question"
		}
		return "no"
	}
	w.Head("2.5  Does the text have to be cut down?")
	w.FieldIn(p.st.Strong, "decision", c.Action)
	w.Field("reason", c.Reason)
	w.Field("lines", strconv.Itoa(c.TotalLineCount))
	extent := "whole documents"
	if c.Extent == contract.ExtentSections {
		extent = fmt.Sprintf("sections, at most %d lines", cmp.Or(c.Lines, contract.DefaultLines))
	}
	w.Field("extent", extent)
	w.Field("full text asked", yes(c.FullRequested, req.Preferences.Full))
	w.Field("compression", yes(c.CompressionRequested, req.Preferences.Compress))
	if c.MaxTokens > 0 {
		w.Field("token budget", strconv.Itoa(c.MaxTokens))
	}
	w.Head("3  What was done")
	pr := res.Phases.Process
	if pr == nil {
		w.TextIn(p.st.Dim, "nothing: the documents stand in the block as they are")
		p.SetRows(w.Rows)
		return
	}
	w.FieldIn(p.st.Strong, "action", pr.Action)
	w.Field("lines", fmt.Sprintf("%d of %d", pr.LineCount, c.TotalLineCount))
	w.Head(fmt.Sprintf("Left out (%d)", len(pr.Omitted)))
	if len(pr.Omitted) == 0 {
		w.TextIn(p.st.Dim, "nothing")
	}
	for _, o := range pr.Omitted {
		w.Rows = append(w.Rows, widget.Row{Lead: widget.Fit(fmt.Sprintf("  %d–%d", o.Lines[0], o.Lines[1]), 16), LeadStyle: p.st.Warn,
			Body: sanitize.Line(o.Title)})
	}
	p.SetRows(w.Rows)
}
