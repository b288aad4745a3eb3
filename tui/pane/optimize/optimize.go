// Package optimize is the pane of phase 0a: what the question is about, and the
// queries that it became, with the strategy and the reason of each.
//
// It refuses to change the queries.
package optimize

import (
	"strconv"
	"strings"

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

// SetResult shows a run's phase.
func (p *Pane) SetResult(res pipeline.Result) {
	w := &widget.Writer{St: p.st, Lead: 16}
	o := res.Phases.Optimize
	if o == nil {
		w.TextIn(p.st.Dim, "not run yet")
		p.SetRows(w.Rows)
		return
	}
	a := o.QueryAnalysis
	w.Head("What the question is about")
	sets := strings.Join(a.DocSet, ", ")
	if sets == "" {
		sets = "none named: all are searched"
	}
	w.Field("doc sets", sets)
	w.Field("domain nouns", strings.Join(a.DomainNouns, ", "))
	w.Field("verbs", strings.Join(a.PredicateVerbs, ", "))
	w.Field("language", a.Language)
	w.Head("Queries, best first")
	for _, q := range o.OptimizedQueries {
		w.Rows = append(w.Rows, widget.Row{Lead: widget.FitLeft(strconv.Itoa(q.Rank), 2) + "  ", LeadStyle: p.st.Accent,
			Body: widget.Line(q.Query), Style: p.st.Strong})
		why := q.Strategy
		if q.Reason != "" {
			why += ": " + q.Reason
		}
		w.Rows = append(w.Rows, widget.Row{Lead: "    ", Body: widget.Line(why), Style: p.st.Dim})
	}
	p.SetRows(w.Rows)
}
