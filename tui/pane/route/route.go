// Package route is the pane of phase 0b: the scene, the intent, how sure the
// router is and why, and the threshold that follows.
//
// It refuses to change them; the root does, and says so.
package route

import (
	"fmt"

	"docent/pipeline"
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

// SetResult shows a run's phase; req says what a person has set.
func (p *Pane) SetResult(res pipeline.Result, req pipeline.Request) {
	w := &widget.Writer{St: p.st, Lead: 16}
	r := res.Phases.Route
	if r == nil {
		w.TextIn(p.st.Dim, "not run yet")
		p.SetRows(w.Rows)
		return
	}
	yours := func(set bool) string {
		if set {
			return "  (set by you)"
		}
		return ""
	}
	w.Head("Where the question goes")
	w.FieldIn(p.st.Strong, "scene", r.Scene+yours(req.Scene != ""))
	w.Field("intent", r.Intent)
	st := p.st
	w.Draw(func(width int) []string { return gauge(st, "confidence", r.Confidence, "", width) })
	w.Draw(func(width int) []string {
		return gauge(st, "threshold", r.RerankerThreshold, yours(req.Threshold != nil), width)
	})
	on := "on"
	if !r.RerankerEnabled {
		on = "off"
	}
	w.Field("reranking", on+yours(req.Reranker != nil))
	w.Head("Why")
	if len(r.Evidence) == 0 {
		w.TextIn(p.st.Dim, "no evidence was given")
	}
	for _, e := range r.Evidence {
		w.Item("•", e)
	}
	p.SetRows(w.Rows)
}

func gauge(st *style.Styles, label string, v float64, note string, width int) []string {
	bar := min(20, max(4, width-30))
	return []string{widget.Cut(st.Dim.Render(widget.Fit(label, 16))+st.Accent.Render(widget.Bar(v, bar))+
		fmt.Sprintf("  %.2f", v)+st.Dim.Render(note), width)}
}
