// Package rerank is the pane of the ranking: how well each section that was found
// matches the question, its place before and after, the threshold as a line between
// kept and dropped sections, and why the section under the cursor has its match: in
// a sentence and, by a key, in figures.
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
	"docent/pipeline/text/sanitize"
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

func (e entry) entryKey() string { return placeText(e.page, e.heading) }

func placeText(r contract.Result, h contract.Heading) string {
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
	figures   bool // the figures of the section under the cursor are shown
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
	p.fillRows()
}

// SetAllScores sets the scores of all sections, with the reasons.
func (p *Pane) SetAllScores(results []contract.Result) {
	p.all, p.why = results, true
	p.fillRows()
}

// NeedsAll reports whether scores or reasons are missing that SetAll could show.
func (p *Pane) NeedsAll() bool { return p.on && !p.why }

// fillRows makes the entries and the rows.
func (p *Pane) fillRows() {
	w := &widget.Writer{St: p.st, Lead: 16}
	out, in := p.res.Phases.Rerank, p.res.Phases.Search
	p.entries, p.on = nil, false
	if out == nil || in == nil {
		w.WriteTextIn(p.st.Dim, "nothing here yet")
		p.list.SetRows(w.Rows)
		return
	}
	p.on = !out.FallbackApplied && len(in.Results) > 0
	p.threshold = out.RerankStats.Threshold
	p.gatherHeadings(in.Results, out.Results)
	st := p.st
	switch {
	case out.FallbackApplied:
		w.WriteTextIn(st.Warn, "not ranked: the pages stand as the search found them; r ranks them")
	case out.BelowThreshold && !out.Unanswered:
		w.WriteTextIn(st.Warn, fmt.Sprintf("none of %s matches by %.2f or more: the best page is kept, marked !",
			widget.Count(len(p.entries), "section"), p.threshold))
	case out.BelowThreshold || out.Unanswered:
	default:
		w.Text(fmt.Sprintf("%d of %s kept: those that match by %.2f or more", p.countKept(), widget.Count(len(p.entries), "section"),
			p.threshold))
	}
	if out.Unanswered {
		w.WriteTextIn(st.Warn, "this is probably not in your documentation: these are the nearest sections")
	}
	w.WriteGap()
	w.Draw(func(width int) []string {
		head := " now  was  move  match "
		if width < narrowW {
			head = " now  match "
		}
		if width-headW > barRoom {
			head += widget.Spaces(barW + 2)
		}
		return []string{st.Dim.Render(widget.Cut(head+"page › section", width))}
	})
	line := false
	for _, e := range p.entries {
		if under := !e.kept && p.on; under && !line {
			line = true
			threshold := p.threshold
			w.Rows = append(w.Rows, widget.Row{ID: lineID, Draw: func(width int) []string {
				text := fmt.Sprintf("── threshold %.2f: what is below it only fills the room that is left ", threshold)
				if widget.Width(text) > width {
					text = fmt.Sprintf("── threshold %.2f ", threshold)
				}
				return []string{st.Warn.Render(text + strings.Repeat("─", max(0, width-widget.Width(text))))}
			}})
		}
		w.Rows = append(w.Rows, widget.Row{Pick: true, ID: e.entryKey(), Draw: headingRow(st, e)})
	}
	if len(p.entries) == 0 {
		w.WriteTextIn(st.Dim, "nothing was found")
	}
	p.list.SetRows(w.Rows)
	p.layOutRows()
	if p.follow {
		p.list.Show(lineID)
		p.follow = p.all == nil // the scores of dropped headings come later
	}
}

// countKept is how many sections are kept.
func (p *Pane) countKept() int {
	n := 0
	for _, e := range p.entries {
		if e.kept && !e.out {
			n++
		}
	}
	return n
}

// gatherHeadings joins the headings of phase 1 with the scores of this phase.
func (p *Pane) gatherHeadings(before, after []contract.Result) {
	was, sims := map[string]int{}, map[string]contract.Heading{}
	type one struct {
		id    string
		score float64
	}
	var order []one
	var list []entry
	for _, r := range before {
		for _, h := range r.Headings {
			if id := placeText(r, h); sims[id].Text == "" {
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
				sims[placeText(r, h)] = h
			}
		}
	}
	take(p.all)
	for _, r := range after {
		for _, h := range r.Headings {
			id := placeText(r, h)
			kept[id], marked[id] = !r.Listed, r
			if sims[id].Explain == nil {
				sims[id] = h
			}
		}
	}
	for i := range list {
		e := &list[i]
		id := e.entryKey()
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
	e, ok := p.selectedEntry()
	return e.page, e.heading, ok
}

// KeepsSelected reports whether the heading under the cursor is above the threshold.
func (p *Pane) KeepsSelected() bool {
	e, _ := p.selectedEntry()
	return e.kept
}

func (p *Pane) selectedEntry() (entry, bool) {
	id, ok := p.list.Picked()
	i := slices.IndexFunc(p.entries, func(e entry) bool { return e.entryKey() == id })
	if !ok || i < 0 {
		return entry{}, false
	}
	return p.entries[i], true
}

// SetSize sets the columns and lines of the view.
func (p *Pane) SetSize(w, h int) {
	p.w, p.h = w, h
	p.layOutRows()
}

func (p *Pane) layOutRows() { p.list.SetSize(p.w, max(1, p.h-p.reasonHeight())) }

// Update moves the cursor, or shows or hides the figures.
func (p *Pane) Update(msg tea.Msg) tea.Cmd {
	if msg == tea.Msg(keymap.Figures) {
		p.ShowFigures(!p.figures)
		return nil
	}
	return p.list.Update(msg)
}

// ShowFigures shows the figures of the section under the cursor, or hides them.
func (p *Pane) ShowFigures(on bool) {
	p.figures = on
	p.layOutRows()
}

// Go puts the cursor on a section.
func (p *Pane) Go(r contract.Result, h contract.Heading) { p.list.Pick(placeText(r, h)) }

// Click puts the cursor on the heading of a line.
func (p *Pane) Click(y int) bool { return y < p.h-p.reasonHeight() && p.list.Click(y) }

// Rewind goes back to the top.
func (p *Pane) Rewind() { p.list.Rewind() }

// Share is where the view is in the list.
func (p *Pane) Share() string { return p.list.Share() }

// Bindings are the keys that the pane knows.
func (p *Pane) Bindings() []keymap.Binding {
	return append(keymap.Scrolling(), keymap.BindingsOf(keymap.Figures, keymap.ThresholdAbove, keymap.ThresholdBelow, keymap.OpenSource,
		keymap.Toggle, keymap.TogglePage)...)
}

// View is the list and the reasons.
func (p *Pane) View() string {
	n := p.reasonHeight()
	if n == 0 {
		return p.list.View()
	}
	lines := widget.Exact(strings.Split(p.list.View(), "\n"), p.w, p.h-n)
	return strings.Join(append(lines, widget.CutLines(p.reasonLines(n), p.w)...), "\n")
}

// titleInWidth is the page and the section in w columns. The page gives way to the section.
func (e entry) titleInWidth(w int) string {
	page, section := sanitize.Line(e.page.PageTitle), strings.TrimSpace(strings.TrimLeft(sanitize.Line(e.heading.Text), "#"))
	if section == page {
		return widget.Cut(page, w)
	}
	room := w - widget.Width(" › "+section)
	return widget.Cut(widget.Cut(page, max(room, w/3))+" › "+section, w)
}

// The columns of a row: its numbers, and its bar where the names have more than
// barRoom columns.
const (
	headW   = 23
	barW    = 6
	barRoom = 40
	narrowW = 50 // below it a row does without the place before the ranking
)

// headingRow is one heading.
func headingRow(st *style.Styles, e entry) func(int) []string {
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
		sim, bar := "   –", widget.Spaces(barW)
		if s := e.heading.RerankSim; s != nil {
			sim, bar = fmt.Sprintf("%.2f", *s), widget.ScoreBar(*s, barW)
		}
		head := st.Strong.Render(widget.FitLeft(num(e.now), 4)) + st.Dim.Render(widget.FitLeft(num(e.was), 5)) + "  " +
			ms.Render(widget.Fit(move, 4)) + "  " + sim + "  "
		if width < narrowW {
			head = st.Strong.Render(widget.FitLeft(num(e.now), 4)) + "   " + sim + " "
		}
		room := width - widget.Width(head)
		if room > barRoom {
			head += st.Accent.Render(bar) + "  "
			room -= barW + 2
		}
		mark := ""
		switch {
		case e.out:
			mark = "✗ "
		case e.page.BelowThreshold && e.kept:
			mark = "! "
		}
		body := mark + e.titleInWidth(max(0, room-widget.Width(mark)))
		switch {
		case e.out:
			body = st.Struck.Render(body)
		case !e.kept:
			body = st.Dim.Render(body)
		}
		return []string{head + body}
	}
}
