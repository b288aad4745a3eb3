// Package rerank is the pane of phase 1.5: where each page stood before and
// after, how near it is to the question, and what fell under the threshold.
//
// It refuses to decide what is kept.
package rerank

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

// SetResult shows a run's phase.
func (p *Pane) SetResult(res pipeline.Result) {
	w := &widget.Writer{St: p.st, Lead: 16}
	out, in := res.Phases.Rerank, res.Phases.Search
	if out == nil || in == nil {
		w.TextIn(p.st.Dim, "not run yet")
		p.SetRows(w.Rows)
		return
	}
	st := p.st
	if out.FallbackApplied {
		w.TextIn(st.Warn, "not reranked: the pages stand as phase 1 ordered them")
	} else {
		w.Text(fmt.Sprintf("%d headings reranked, %d dropped under the threshold %.2f",
			out.RerankedCount, out.Dropped, out.RerankStats.Threshold))
	}
	if out.Unanswered {
		w.TextIn(st.Warn, "this is probably not in your documentation: these are the nearest headings")
	}
	if out.BelowThreshold {
		w.TextIn(st.Warn, "nothing reached the threshold: the best page is kept and marked !")
	}
	w.Gap()
	w.Draw(func(width int) []string {
		return []string{st.Dim.Render(widget.Cut(" now  was  move  sim   page › best heading", width))}
	})
	kept := map[pipeline.Hit]bool{}
	for i, r := range out.Results {
		kept[key(r)] = true
		w.Draw(row(st, i+1, place(in.Results, r), r))
	}
	if len(out.Results) == 0 {
		w.TextIn(st.Dim, "no page was kept")
	}
	first := true
	for i, r := range in.Results {
		if kept[key(r)] {
			continue
		}
		if first {
			w.Head("Dropped")
			first = false
		}
		w.Draw(row(st, 0, i+1, r))
	}
	p.SetRows(w.Rows)
}

func key(r contract.Result) pipeline.Hit {
	return pipeline.Hit{DocSet: r.DocSet, FilePath: r.FilePath}
}

// place is a page's position among results, from 1; 0 when it is not there.
func place(rs []contract.Result, r contract.Result) int {
	for i := range rs {
		if key(rs[i]) == key(r) {
			return i + 1
		}
	}
	return 0
}

// row is one page: now 0 means dropped, was 0 means new.
func row(st *style.Styles, now, was int, r contract.Result) func(int) []string {
	return func(width int) []string {
		num := func(n int) string {
			if n == 0 {
				return "–"
			}
			return strconv.Itoa(n)
		}
		move, ms := "=", st.Dim
		switch {
		case now == 0:
			move, ms = "out", st.Bad
		case was == 0:
			move, ms = "new", st.Good
		case was > now:
			move, ms = "▲"+strconv.Itoa(was-now), st.Good
		case was < now:
			move, ms = "▼"+strconv.Itoa(now-was), st.Warn
		}
		sim, bar, text := "   –", widget.Spaces(6), r.PageTitle
		if len(r.Headings) > 0 {
			h := r.Headings[0]
			text += " › " + strings.TrimSpace(strings.TrimLeft(h.Text, "#"))
			if h.RerankSim != nil {
				sim, bar = fmt.Sprintf("%.2f", *h.RerankSim), widget.Bar(*h.RerankSim, 6)
			}
		}
		if r.BelowThreshold {
			text = "! " + text
		}
		head := st.Strong.Render(widget.FitLeft(num(now), 4)) + st.Dim.Render(widget.FitLeft(num(was), 5)) + "  " +
			ms.Render(widget.Fit(move, 4)) + "  " + sim + "  "
		room := width - widget.Width(head)
		if room > 40 {
			head += st.Accent.Render(bar) + "  "
			room -= 8
		}
		body := widget.Cut(widget.Line(text), max(0, room))
		if now == 0 {
			body = st.Struck.Render(body)
		}
		return []string{head + body}
	}
}
