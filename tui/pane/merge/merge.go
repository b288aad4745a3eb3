// Package merge is the pane of the scope: where is searched, and how, by the queries
// and the kind of the question.
//
// It refuses to change that input.
package merge

import (
	"fmt"
	"strconv"
	"strings"

	"docent/pipeline"
	"docent/pipeline/contract"
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
		w.TextIn(p.st.Dim, "nothing here yet")
		p.SetRows(w.Rows)
		return
	}
	w.Head("Where is searched, and how")
	sets := strings.ReplaceAll(m.DocSets, ",", ", ")
	if sets == "" {
		sets = "all"
	} else if m.Context != nil && m.Context.DocSetsExplicit {
		sets += "  (and nowhere else)"
	}
	w.Field("doc sets", sets)
	w.Field("subject", strings.Join(m.DomainNouns, ", "))
	w.Field("what to do", strings.Join(m.PredicateVerbs, ", "))
	w.Field("kind", contract.SceneName(m.Scene))
	w.Field("threshold", fmt.Sprintf("%.2f", m.RerankerThreshold))
	if m.Reranker != nil && !*m.Reranker {
		w.Field("ranking", "off")
	}
	w.Head("Queries")
	for i, q := range m.Query {
		w.Item(widget.FitLeft(strconv.Itoa(i+1), 2)+" ", q)
	}
	p.SetRows(w.Rows)
}
