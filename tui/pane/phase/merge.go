package phase

import (
	"fmt"
	"strconv"
	"strings"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/tui/style"
	"docent/tui/widget"
)

// NewMerge returns the pane of the scope: which doc sets are searched, and how, by the
// queries and the kind of the question.
func NewMerge(st *style.Styles) *Pane {
	p := newPane(st, writeMerge)
	return &p
}

func writeMerge(w *widget.Writer, res pipeline.Result, _ pipeline.Request) bool {
	m := res.Phases.Merge
	if m == nil {
		return false
	}
	w.WriteHead("Where is searched, and how")
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
	w.WriteHead("Queries")
	for i, q := range m.Query {
		w.WriteItem(widget.FitLeft(strconv.Itoa(i+1), 2)+" ", q)
	}
	return true
}
