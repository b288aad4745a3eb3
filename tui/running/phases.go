package running

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/text/sanitize"
	"docent/tui/keymap"
	"docent/tui/page"
	"docent/tui/pane/stepper"
	"docent/tui/widget"
)

// Pane is what the app needs of a phase's pane.
type Pane interface {
	Update(tea.Msg) tea.Cmd
	SetSize(w, h int)
	View() string
	Bindings() []keymap.Binding
}

// phaseRow is a row of the table of phases: which pane shows the phase, and what
// the app asks of that pane.
type phaseRow struct {
	name   string
	pane   Pane
	keys   keymap.Mode                // the mode of the pane's own keys, 0 if none
	feed   func(keep bool)            // gives the pane the result; nil: another row does
	info   func() string              // the right end of the frame's title
	source func() (page.Target, bool) // the line of a page under the cursor; nil: none
	// part is the section or page under the cursor that can be left out; nil: none.
	part func() (hit pipeline.Hit, title, heading string, ok bool)
}

// panes are the panes of the phases, and what the app asks of them.
type panes struct{ c *Controller }

func (c *Controller) asPanes() panes { return panes{c} }

// phaseTable is the table, in the order in which the phases run.
func (ps panes) phaseTable() []phaseRow {
	c := ps.c
	return []phaseRow{
		{name: contract.PhaseOptimize, pane: c.optimize, keys: keymap.InQueries, info: c.optimize.Share,
			feed: c.asPanes().resultOf(c.optimize)},
		{name: contract.PhaseRoute, pane: c.route, keys: keymap.InRoute, info: c.route.Share,
			feed: c.asPanes().resultOf(c.route)},
		{name: contract.PhaseMerge, pane: c.merge, info: c.merge.Share,
			feed: c.asPanes().resultOf(c.merge)},
		{name: contract.PhaseSearch, pane: c.Hits, keys: keymap.InHits, info: c.Hits.Info,
			feed: func(keep bool) { c.Hits.SetResult(c.res, c.req.Exclude, keep) }},
		{name: contract.PhaseRerank, pane: c.rerank, keys: keymap.InRerank, info: c.rerank.Share,
			feed: feedRewound(c.rerank, func() {
				c.rerank.SetResult(c.res,
					c.req.Exclude)
			}), source: c.asPanes().rerankSource, part: c.asPanes().rerankPart},
		{name: contract.PhaseExtract, pane: c.extract, keys: keymap.InExtract, info: c.extract.Share,
			feed: c.asPanes().resultOf(c.extract), source: c.asPanes().extractSource, part: c.asPanes().extractPart},
		{name: contract.PhaseCheck, pane: c.check, info: c.check.Share,
			feed: c.asPanes().resultOf(c.check)},
		{name: contract.PhaseCite, pane: &c.Answer, keys: keymap.InFinal, info: c.Answer.infoText,
			feed: c.Answer.feed, source: c.asPanes().finalSource, part: c.asPanes().finalPart},
	}
}

// resultOf gives the result and the request to a pane.
func (ps panes) resultOf(p interface {
	Rewind()
	SetResult(res pipeline.Result, req pipeline.Request)
}) func(keep bool) {
	c := ps.c
	return feedRewound(p, func() { p.SetResult(c.res, c.req) })
}

// feedRewound gives a pane its result and scrolls it to the top unless keep is set.
func feedRewound(p interface{ Rewind() }, set func()) func(keep bool) {
	return func(keep bool) {
		set()
		if !keep {
			p.Rewind()
		}
	}
}

// selectedRow is the row of the selected phase.
func (c *Controller) selectedRow() phaseRow {
	i := slices.IndexFunc(c.table, func(p phaseRow) bool { return p.name == c.Steps.Selected() })
	return c.table[max(0, i)]
}

// showResult gives the result to all panes; keep leaves cursors where they are.
func (c *Controller) showResult(keep bool) {
	for _, p := range c.table {
		if p.feed != nil {
			p.feed(keep)
		}
	}
}

// Restyle draws the panes anew in the styles that there are now.
func (c *Controller) Restyle() {
	asides := c.Answer.asides
	c.showResult(true)
	c.Answer.setAsides(asides)
	c.Answer.reads.Restyle()
	c.aftermath().showScores()
}

// Pane is the pane of the selected phase.
func (c *Controller) Pane() Pane { return c.selectedRow().pane }

// OnHits reports whether the hits are selected.
func (c *Controller) OnHits() bool { return c.Steps.Selected() == contract.PhaseSearch }

// Mode is the mode of the selected pane's own keys, 0 where it has none.
func (c *Controller) Mode() keymap.Mode { return c.selectedRow().keys }

// SetSize sets the columns and lines of the panes, except the hits, which share
// theirs with the preview.
func (c *Controller) SetSize(w, h int) {
	for _, p := range c.table {
		if p.pane != Pane(c.Hits) {
			p.pane.SetSize(w, h)
		}
	}
}

// PhasePanel is the frame of the selected phase: its pane, or the answer that a model
// is just writing, which is shown at w columns and h lines. live says which.
func (c *Controller) PhasePanel(w, h int) (p widget.Panel, live bool) {
	if p, ok := c.asPanes().liveAnswer(w-4, h-2); ok {
		return p, true
	}
	row := c.selectedRow()
	return widget.Panel{Title: c.asPanes().titleOfPhase(row.name), Info: row.info(), View: row.pane.View()}, false
}

// liveAnswer is the answer that a model is writing, in place of the pane of a phase
// that has no result yet, or whose answer it is.
func (ps panes) liveAnswer(w, h int) (widget.Panel, bool) {
	c := ps.c
	s, ok := c.Steps.Running()
	selected := c.Steps.Step(c.Steps.Selected())
	if !ok || !c.active || s.Live == "" || stepper.PhaseName(selected.Phase) != stepper.PhaseName(s.Phase) &&
		selected.State != stepper.Waiting {
		return widget.Panel{}, false
	}
	w, h = max(1, w), max(1, h)
	var lines []string
	for line := range strings.SplitSeq(sanitize.Text(s.Live), "\n") {
		lines = append(lines, widget.Wrap(line, w)...)
	}
	return widget.Panel{Title: stepper.PhaseTitle(s.Phase), Info: s.Engine, View: strings.Join(lines[max(0, len(lines)-h):], "\n")}, true
}

// Source is the line of a page under the cursor of the selected pane.
func (c *Controller) Source() (page.Target, bool) {
	if source := c.selectedRow().source; source != nil {
		return source()
	}
	return page.Target{}, false
}

func targetAtLine(docSet, filePath, title string, line int) page.Target {
	return page.Target{DocSet: docSet, FilePath: filePath, Title: title, Heading: contract.Heading{Lines: [2]int{line, line}}}
}

func (ps panes) rerankSource() (page.Target, bool) {
	c := ps.c
	r, h, ok := c.rerank.Selected()
	if !ok {
		return page.Target{}, false
	}
	return targetAtLine(r.DocSet, r.FilePath, r.PageTitle, h.Lines[0]), true
}

func (ps panes) extractSource() (page.Target, bool) {
	c := ps.c
	d, ok := c.extract.Selected()
	if !ok {
		return page.Target{}, false
	}
	_, _, line, _ := c.extract.Section()
	return targetAtLine(d.DocSet, d.FilePath, d.Title, max(1, line)), true
}

func (ps panes) finalSource() (page.Target, bool) {
	c := ps.c
	s, ok := c.Answer.source()
	return s.Target(), ok
}

// Summary says in a few words how the run stands.
type Summary struct{ c *Controller }

// Summary says how the run stands.
func (c *Controller) Summary() Summary { return Summary{c} }

// AnsweredBy is the models that answered phases of the result, "" if none.
func (sum Summary) AnsweredBy() string {
	c := sum.c
	var out []string
	for _, ph := range contract.Phases() {
		e := c.res.Engine[ph]
		if strings.Contains(e, ":") && !slices.Contains(out, e) {
			out = append(out, e)
		}
	}
	return sanitize.Line(strings.Join(out, ", "))
}

// DoingText is what a model is asked just now, "" for nothing.
func (sum Summary) DoingText() string {
	c := sum.c
	s, ok := c.Steps.Running()
	if !ok || !c.active || c.stopping || s.Doing == "" {
		return ""
	}
	text := stepper.PhaseName(s.Phase) + ": " + s.Doing
	if s.Total > 0 {
		text += fmt.Sprintf(" %d of %d", s.Done, s.Total)
	}
	return text
}

// TotalTime is the time of all phases together, for the frame of the phases.
func (s Summary) TotalTime() string {
	c := s.c
	if c.active {
		return "running"
	}
	sum := 0.0
	for _, ph := range contract.Phases() {
		if step := c.Steps.Step(ph); step.State == stepper.Done {
			sum += step.MS
		}
	}
	if sum == 0 {
		return ""
	}
	return stepper.ElapsedText(stepper.Step{State: stepper.Done, MS: sum})
}

// SettingsText are the settings of the request that differ from what the phases would
// choose.
func (sum Summary) SettingsText() string {
	c := sum.c
	var out []string
	if c.req.Scene != "" {
		out = append(out, contract.SceneName(c.req.Scene))
	}
	if c.req.Threshold != nil {
		out = append(out, fmt.Sprintf("≥ %.2f", *c.req.Threshold))
	}
	if c.req.Reranker != nil && !*c.req.Reranker {
		out = append(out, "not ranked")
	}
	if c.req.Preferences.Full {
		out = append(out, "however long")
	}
	switch {
	case c.req.Preferences.Summarize:
		out = append(out, "summed up")
	case c.req.Preferences.Compress:
		out = append(out, "shortened")
	}
	if n := len(c.req.Exclude); n > 0 {
		out = append(out, fmt.Sprintf("%d left out", n))
	}
	return sanitize.Line(strings.Join(out, " · "))
}

// Needs are the needs of keys that the run meets.
func (c *Controller) Needs() keymap.Need {
	var n keymap.Need
	if c.ran {
		n |= keymap.NeedResult
	}
	// While another question runs, the block on the screen answers the old one.
	if c.res.Final != "" && c.res.Query == c.req.Question {
		n |= keymap.NeedFinal
	}
	if len(c.changes.past) > 0 {
		n |= keymap.NeedUndo
	}
	if len(c.changes.future) > 0 {
		n |= keymap.NeedRedo
	}
	if _, ok := c.Source(); ok {
		n |= keymap.NeedSource
	}
	if reads := c.Answer.Read(); reads != nil && reads.IsWide() {
		n |= keymap.NeedWide
	}
	return n
}
