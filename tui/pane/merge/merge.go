// Package merge is the pane of the merge phase: the input of phase 1, merged from
// the queries and the route.
//
// It refuses to change that input.
package merge

import (
	"fmt"
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

// SetResult shows the result of a run.
func (p *Pane) SetResult(res pipeline.Result) {
	w := &widget.Writer{St: p.st, Lead: 16}
	m := res.Phases.Merge
	if m == nil {
		w.TextIn(p.st.Dim, "not run yet")
		p.SetRows(w.Rows)
		return
	}
	w.Head("What phase 1 is asked")
	sets := strings.ReplaceAll(m.DocSets, ",", ", ")
	if sets == "" {
		sets = "all"
	} else if m.Context != nil && m.Context.DocSetsExplicit {
		sets += "  (explicit: nothing else is searched)"
	}
	w.Field("doc sets", sets)
	w.Field("domain nouns", strings.Join(m.DomainNouns, ", "))
	w.Field("verbs", strings.Join(m.PredicateVerbs, ", "))
	w.Field("scene", m.Scene)
	w.Field("threshold", fmt.Sprintf("%.2f", m.RerankerThreshold))
	if m.Reranker != nil && !*m.Reranker {
		w.Field("reranking", "off")
	}
	w.Head("Queries")
	for i, q := range m.Query {
		w.Item(widget.FitLeft(strconv.Itoa(i+1), 2)+" ", q)
	}
	p.SetRows(w.Rows)
}
