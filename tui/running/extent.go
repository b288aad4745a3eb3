package running

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/text/sanitize"
	"docent/tui/pane/hits"
	"docent/tui/pane/stepper"
)

// sizedMsg is the size of the block that the other extent would give.
type sizedMsg struct {
	run  int
	size pipeline.Size
}

func (sizedMsg) running() {}

// measureOther computes the block of the other extent: the phases after the search
// run again on the hits.
func (a aftermath) measureOther() tea.Cmd {
	c := a.c
	run, ctx, other := c.number, c.ctx, c.req.OtherExtent()
	return func() tea.Msg {
		res, err := c.runner.changedResult(ctx, run, pipeline.WithExtent(other))
		if err != nil {
			return nil // the size is left out
		}
		return sizedMsg{run: run, size: res.Size()}
	}
}

func (a aftermath) takeSize(msg sizedMsg) {
	c := a.c
	if msg.run == c.number && !c.active {
		c.other = msg.size
	}
}

// switchExtent changes between sections and whole documents.
func (e editor) switchExtent() tea.Cmd {
	c := e.c
	to := c.req.OtherExtent()
	pipeline.WithExtent(to)(&c.req)
	return c.asRuns().runStalePhases("the answer: " + extentName(to))
}

// OtherExtent is the extent that the switch leads to.
func (c *Controller) OtherExtent() string {
	if c.req.OtherExtent() == contract.ExtentSections {
		return "sections"
	}
	return "pages"
}

func extentName(extent string) string {
	if extent == contract.ExtentSections {
		return "the sections that fit"
	}
	return "whole pages"
}

// extentText is that of the block on the screen, "" if none.
func (a aftermath) extentText() string {
	c := a.c
	check := c.res.Phases.Check
	switch {
	case check == nil || c.res.Final == "":
		return ""
	case check.Extent == contract.ExtentSections:
		return contract.ExtentSections
	}
	return contract.ExtentDocuments
}

// BlockSizes are the sizes of the block on the screen and of the other extent's. They are
// zero where they are not known, and while a run goes on.
func (c *Controller) BlockSizes() (this, other pipeline.Size) {
	if c.active {
		return pipeline.Size{}, pipeline.Size{}
	}
	return c.res.Size(), c.other
}

const droppedAlready = "this section is under the threshold already; - lowers it"

// toggleRow leaves a row's section or page out, or takes it in again.
func (e editor) toggleRow(msg hits.Toggled) tea.Cmd {
	c := e.c
	if msg.Row.Dropped && !msg.Row.Out {
		c.status.Say(droppedAlready)
		return nil
	}
	if msg.Page {
		return c.asEditor().leaveOut(msg.Row.Hit(), msg.Row.Page.PageTitle, "")
	}
	return c.asEditor().leaveOut(msg.Row.Section(), msg.Row.Page.PageTitle, hits.HeadingName(msg.Row.Heading))
}

// ToggleSource leaves the section or the page under the cursor of the selected pane
// out, or takes it in again; the page where page is set.
func (c *Controller) ToggleSource(page bool) tea.Cmd {
	of := c.selectedRow().part
	if of == nil {
		return nil
	}
	if c.Steps.Selected() == contract.PhaseRerank && !c.rerank.KeepsSelected() {
		c.status.Say(droppedAlready)
		return nil
	}
	hit, title, heading, ok := of()
	if !ok {
		return nil
	}
	if page {
		hit = hit.Page()
	}
	return c.asEditor().leaveOut(hit, title, heading)
}

// leaveOut leaves a part out or takes it in again. A block of whole documents has
// no sections that could be left out, so there it is the page.
func (e editor) leaveOut(hit pipeline.Hit, title, heading string) tea.Cmd {
	c := e.c
	if c.req.OtherExtent() == contract.ExtentSections {
		hit = hit.Page()
	}
	name := title
	switch {
	case hit.Section == "":
	case heading == "" || heading == title || heading == contract.PathName(nil):
		name += " (beginning)" // not the page
	default:
		name += " › " + heading
	}
	what := "included again: "
	if c.req.Toggle(hit) {
		what = "left out: "
	}
	c.Hits.SetResult(c.res, c.req.Exclude, true)
	c.aftermath().showScores()
	return c.asRuns().runStalePhases(what + sanitize.Line(name))
}

// The parts of a block under the cursors of the panes: the hit, the page's title and
// the heading.

func (ps panes) rerankPart() (hit pipeline.Hit, title, heading string, ok bool) {
	c := ps.c
	r, h, ok := c.rerank.Selected()
	return pipeline.SectionOf(r, h), r.PageTitle, hits.HeadingName(h), ok
}

func (ps panes) extractPart() (hit pipeline.Hit, title, heading string, ok bool) {
	c := ps.c
	d, ok := c.extract.Selected()
	name, heading, _, _ := c.extract.Section()
	return pipeline.Hit{DocSet: d.DocSet, FilePath: d.FilePath, Section: name}, d.Title, heading, ok
}

func (ps panes) finalPart() (hit pipeline.Hit, title, heading string, ok bool) {
	c := ps.c
	s, ok := c.Answer.source()
	names := strings.Split(s.Section, contract.SectionPath)
	return pipeline.Hit{DocSet: s.DocSet, FilePath: s.FilePath, Section: s.Section}, s.Title, names[len(names)-1], ok
}

// titleOfPhase is the title of a phase's frame.
func (ps panes) titleOfPhase(phase string) string {
	c := ps.c
	title := stepper.PhaseTitle(phase)
	if phase == contract.PhaseExtract || phase == contract.PhaseCite {
		switch c.aftermath().extentText() {
		case contract.ExtentSections:
			title += ": sections"
		case contract.ExtentDocuments:
			title += ": whole pages"
		}
	}
	if c.Steps.Step(phase).State == stepper.Stale {
		title += " (out of date)"
	}
	return title
}
