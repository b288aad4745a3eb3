// Package rerank is the pane of phase 1.5: the rank of each heading before and after
// reranking, its similarity to the question, the threshold as a line between kept
// and dropped headings, and the reasons for the score of the heading under the
// cursor.
//
// It refuses to compute scores. The phase's result has none for dropped headings;
// the controller computes all scores without a threshold, and SetAll takes them.
package rerank

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/sanitize"
	"docent/tui/keymap"
	"docent/tui/style"
	"docent/tui/widget"
)

// entry is one heading.
type entry struct {
	page    contract.Result
	heading contract.Heading
	was     int // place by phase 1, from 1
	now     int // place by this phase, from 1; 0: not known
	kept    bool
	out     bool // left out by a person
}

func (e entry) id() string { return place(e.page, e.heading) }

func place(r contract.Result, h contract.Heading) string {
	return fmt.Sprintf("%s\x00%s\x00%s\x00%v", r.DocSet, r.FilePath, h.Text, h.Section)
}

// Pane is the pane: the list, and below it the reasons.
type Pane struct {
	list      widget.Sheet
	st        *style.Styles
	w, h      int
	res       pipeline.Result
	exclude   []pipeline.Hit
	all       []contract.Result // every heading's score; nil: not there yet
	why       bool              // all has explanations
	entries   []entry
	threshold float64
	on        bool // something was reranked
	follow    bool // the threshold was moved: scroll to its line
}

// lineID names the threshold's row.
const lineID = "threshold"

// FollowLine makes the view follow the threshold's line when it moves.
func (p *Pane) FollowLine() { p.follow = true }

// New is an empty pane.
func New(st *style.Styles) *Pane {
	p := &Pane{st: st}
	p.list.SetStyles(st)
	return p
}

// SetResult shows the result of a run, without the scores of an earlier SetAll, and
// strikes out what a person left out.
func (p *Pane) SetResult(res pipeline.Result, exclude []pipeline.Hit) {
	p.res, p.exclude, p.all, p.why = res, exclude, nil, false
	p.fill()
}

// SetAll sets the scores of all headings; with the reasons when explained is set.
func (p *Pane) SetAll(results []contract.Result, explained bool) {
	p.all, p.why = results, explained
	p.fill()
}

// NeedsAll says whether scores or reasons are missing that SetAll could show.
func (p *Pane) NeedsAll() bool { return p.on && !p.why }

// fill makes the entries and the rows.
func (p *Pane) fill() {
	w := &widget.Writer{St: p.st, Lead: 16}
	out, in := p.res.Phases.Rerank, p.res.Phases.Search
	p.entries, p.on = nil, false
	if out == nil || in == nil {
		w.TextIn(p.st.Dim, "not run yet")
		p.list.SetRows(w.Rows)
		return
	}
	p.on = !out.FallbackApplied && len(in.Results) > 0
	p.threshold = out.RerankStats.Threshold
	p.gather(in.Results, out.Results)
	st := p.st
	switch {
	case out.FallbackApplied:
		w.TextIn(st.Warn, "not reranked: the pages stand as phase 1 ordered them")
	default:
		w.Text(fmt.Sprintf("%d headings reranked, %d dropped under the threshold %.2f", out.RerankedCount, out.Dropped, p.threshold))
	}
	if out.Unanswered {
		w.TextIn(st.Warn, "this is probably not in your documentation: these are the nearest headings")
	}
	if out.BelowThreshold {
		w.TextIn(st.Warn, "nothing reached the threshold: the best page is kept and marked !")
	}
	w.Gap()
	w.Draw(func(width int) []string {
		return []string{st.Dim.Render(widget.Cut(" now  was  move  sim   page › heading", width))}
	})
	line := false
	for _, e := range p.entries {
		if under := !e.kept && p.on; under && !line {
			line = true
			threshold := p.threshold
			w.Rows = append(w.Rows, widget.Row{ID: lineID, Draw: func(width int) []string {
				text := fmt.Sprintf("── threshold %.2f ", threshold)
				return []string{st.Warn.Render(text + strings.Repeat("─", max(0, width-widget.Width(text))))}
			}})
		}
		w.Rows = append(w.Rows, widget.Row{Pick: true, ID: e.id(), Draw: row(st, e)})
	}
	if len(p.entries) == 0 {
		w.TextIn(st.Dim, "no heading was found")
	}
	p.list.SetRows(w.Rows)
	p.layout()
	if p.follow {
		p.list.Show(lineID)
		p.follow = p.all == nil // the scores of dropped headings come later
	}
}

// gather joins the headings of phase 1 with the scores of this phase.
func (p *Pane) gather(before, after []contract.Result) {
	was, sims := map[string]int{}, map[string]contract.Heading{}
	type one struct {
		id    string
		score float64
	}
	var order []one
	var list []entry
	for _, r := range before {
		for _, h := range r.Headings {
			if id := place(r, h); sims[id].Text == "" {
				order = append(order, one{id, h.Score})
				sims[id] = h
				list = append(list, entry{page: r, heading: h})
			}
		}
	}
	slices.SortStableFunc(order, func(a, b one) int { return cmp.Compare(b.score, a.score) })
	for i, o := range order {
		was[o.id] = i + 1
	}
	kept := map[string]bool{}
	marked := map[string]contract.Result{}
	take := func(rs []contract.Result) {
		for _, r := range rs {
			for _, h := range r.Headings {
				sims[place(r, h)] = h
			}
		}
	}
	take(p.all)
	for _, r := range after {
		for _, h := range r.Headings {
			id := place(r, h)
			kept[id], marked[id] = !r.Listed, r
			if sims[id].Explain == nil {
				sims[id] = h
			}
		}
	}
	for i := range list {
		e := &list[i]
		id := e.id()
		e.was, e.kept, e.heading = was[id], kept[id], sims[id]
		if r, ok := marked[id]; ok {
			e.page = r
		}
		e.out = pipeline.Request{Exclude: p.exclude}.Excludes(pipeline.SectionOf(e.page, e.heading))
	}
	sim := func(e entry) float64 {
		if e.heading.RerankSim == nil {
			return -1
		}
		return *e.heading.RerankSim
	}
	slices.SortStableFunc(list, func(a, b entry) int {
		if a.kept != b.kept { // a page that is kept below the threshold stands first
			if a.kept {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(sim(b), sim(a)), cmp.Compare(a.was, b.was))
	})
	for i := range list {
		if list[i].heading.RerankSim != nil {
			list[i].now = i + 1
		}
	}
	p.entries = list
}

// Threshold is the threshold just past the next heading: above it for a d below
// 0, which drops that heading, or under it, which keeps it. False where there is
// no such heading.
func (p *Pane) Threshold(d int) (float64, bool) {
	best, found := 0.0, false
	for _, e := range p.entries {
		s := e.heading.RerankSim
		if s == nil {
			continue
		}
		if d > 0 && *s < p.threshold && (!found || *s > best) || d < 0 && *s >= p.threshold && (!found || *s < best) {
			best, found = *s, true
		}
	}
	if !found {
		return 0, false
	}
	to := math.Floor(best*100) / 100
	if d < 0 {
		to = math.Floor(best*100+1) / 100
	}
	return min(1, max(0, to)), true
}

// Selected is the heading under the cursor.
func (p *Pane) Selected() (contract.Result, contract.Heading, bool) {
	e, ok := p.selected()
	return e.page, e.heading, ok
}

// Kept says whether the heading under the cursor is above the threshold.
func (p *Pane) Kept() bool {
	e, _ := p.selected()
	return e.kept
}

func (p *Pane) selected() (entry, bool) {
	id, ok := p.list.Picked()
	i := slices.IndexFunc(p.entries, func(e entry) bool { return e.id() == id })
	if !ok || i < 0 {
		return entry{}, false
	}
	return p.entries[i], true
}

// SetSize sets the columns and lines of the view.
func (p *Pane) SetSize(w, h int) {
	p.w, p.h = w, h
	p.layout()
}

// whyLines is the number of lines of the reasons: none on a low screen.
func (p *Pane) whyLines() int {
	if p.h < 14 || len(p.entries) == 0 || !p.on {
		return 0
	}
	return min(12, p.h*2/5)
}

func (p *Pane) layout() { p.list.SetSize(p.w, max(1, p.h-p.whyLines())) }

// Update moves the cursor.
func (p *Pane) Update(msg tea.Msg) tea.Cmd { return p.list.Update(msg) }

// Click puts the cursor on the heading of a line.
func (p *Pane) Click(y int) bool { return y < p.h-p.whyLines() && p.list.Click(y) }

// Rewind goes back to the top.
func (p *Pane) Rewind() { p.list.Rewind() }

// Share is where the view is in the list.
func (p *Pane) Share() string { return p.list.Share() }

// Bindings are the keys that the pane knows.
func (p *Pane) Bindings() []keymap.Binding {
	return append(keymap.Scrolling(), keymap.Of(keymap.ThresholdAbove, keymap.ThresholdBelow, keymap.OpenSource, keymap.Toggle, keymap.TogglePage)...)
}

// View is the list and the reasons.
func (p *Pane) View() string {
	n := p.whyLines()
	if n == 0 {
		return p.list.View()
	}
	lines := widget.Exact(strings.Split(p.list.View(), "\n"), p.w, p.h-n)
	return strings.Join(append(lines, widget.CutLines(p.reasons(n), p.w)...), "\n")
}

// reasons are the parts of the score of the heading under the cursor: each feature
// times its weight, the heaviest first.
func (p *Pane) reasons(n int) []string {
	st := p.st
	_, h, ok := p.Selected()
	title := "why"
	if ok {
		title = "why " + sanitize.Line(strings.TrimLeft(h.Text, "# "))
	}
	head := st.Frame.Render("─ ") + st.Strong.Render(widget.Cut(title, max(1, p.w-4))) + " "
	out := []string{head + st.Frame.Render(strings.Repeat("─", max(0, p.w-widget.Width(head))))}
	switch {
	case !ok:
		return out
	case h.Explain == nil || len(h.Explain.Rerank) == 0:
		text := "the reasons are being computed …"
		if p.why {
			text = "there are no reasons: this heading was not reranked"
		}
		return append(out, " "+st.Dim.Render(widget.Cut(text, max(1, p.w-2))))
	}
	parts, bias, sum := joined(h.Explain.Rerank)
	most := 0.0
	for _, x := range parts {
		most = max(most, math.Abs(x.Value))
	}
	sim := 1 / (1 + math.Exp(-sum))
	out = append(out, " "+widget.Cut(fmt.Sprintf("sim %.2f, from %.2f: %.2f to begin with, and each feature × its weight", sim, sum, bias), max(1, p.w-2)))
	rows := n - len(out)
	cols := max(1, p.w/58)
	width := p.w / cols
	var cells []string
	for i, x := range parts {
		if i == rows*cols-1 && len(parts) > rows*cols {
			cells = append(cells, st.Dim.Render(fmt.Sprintf("… %d more", len(parts)-i)))
			break
		}
		vs, sign := st.Good, "+"
		if x.Value < 0 {
			vs, sign = st.Bad, "−"
		}
		bar := ""
		if width >= 52 {
			bar = " " + st.Accent.Render(widget.Bar(math.Abs(x.Value)/max(most, 1e-9), 6))
		}
		cells = append(cells, vs.Render(fmt.Sprintf("%s%.2f", sign, math.Abs(x.Value)))+bar+" "+sanitize.Line(x.Name)+
			st.Dim.Render(fmt.Sprintf("  %.2f × %.2f", x.Input, x.Weight)))
	}
	for r := range rows {
		var b strings.Builder
		b.WriteByte(' ')
		for c := range cols {
			if i := c*rows + r; i < len(cells) {
				b.WriteString(widget.Fit(widget.Cut(cells[i], width-2), width-1))
			}
		}
		out = append(out, b.String())
	}
	return out
}

// joined are the features, the heaviest first. A feature may be there twice: once
// as it is, and once times the length of the question. The two are joined to one
// with the weight at this length.
func joined(all []contract.ExplainPart) (parts []contract.ExplainPart, bias, sum float64) {
	const long = "_if_long"
	for _, x := range all {
		sum += x.Value
		if x.Name == "bias" {
			bias = x.Value
			continue
		}
		name := strings.TrimSuffix(x.Name, long)
		i := slices.IndexFunc(parts, func(o contract.ExplainPart) bool { return o.Name == name })
		if i < 0 {
			i = len(parts)
			parts = append(parts, contract.ExplainPart{Name: name})
		}
		parts[i].Value += x.Value
		if name == x.Name {
			parts[i].Input = x.Input
		}
	}
	for i := range parts {
		if parts[i].Input != 0 {
			parts[i].Weight = parts[i].Value / parts[i].Input
		}
	}
	slices.SortStableFunc(parts, func(a, b contract.ExplainPart) int {
		return cmp.Compare(math.Abs(b.Value), math.Abs(a.Value))
	})
	return parts, bias, sum
}

// row is one heading.
func row(st *style.Styles, e entry) func(int) []string {
	return func(width int) []string {
		num := func(n int) string {
			if n == 0 {
				return "–"
			}
			return strconv.Itoa(n)
		}
		move, ms := "=", st.Dim
		switch {
		case e.now == 0 && !e.kept:
			move, ms = "out", st.Bad
		case e.now == 0:
		case e.was > e.now:
			move, ms = "▲"+strconv.Itoa(e.was-e.now), st.Good
		case e.was < e.now:
			move, ms = "▼"+strconv.Itoa(e.now-e.was), st.Warn
		}
		sim, bar := "   –", widget.Spaces(6)
		if s := e.heading.RerankSim; s != nil {
			sim, bar = fmt.Sprintf("%.2f", *s), widget.Bar(*s, 6)
		}
		text := sanitize.Line(e.page.PageTitle)
		if h := strings.TrimSpace(strings.TrimLeft(e.heading.Text, "#")); h != e.page.PageTitle {
			text += " › " + sanitize.Line(h)
		}
		if e.page.BelowThreshold {
			text = "! " + text
		}
		head := st.Strong.Render(widget.FitLeft(num(e.now), 4)) + st.Dim.Render(widget.FitLeft(num(e.was), 5)) + "  " +
			ms.Render(widget.Fit(move, 4)) + "  " + sim + "  "
		room := width - widget.Width(head)
		if room > 40 {
			head += st.Accent.Render(bar) + "  "
			room -= 8
		}
		if e.out {
			text = "✗ " + text
		}
		body := widget.Cut(text, max(0, room))
		switch {
		case e.out:
			body = st.Struck.Render(body)
		case !e.kept:
			body = st.Dim.Render(body)
		}
		return []string{head + body}
	}
}
