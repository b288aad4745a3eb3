package browsing

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/pipeline/service/library"
	"docent/pipeline/text/sanitize"
	"docent/tui/pane/launcher"
	shelfpane "docent/tui/pane/shelf"
	"docent/tui/pane/start"
	"docent/tui/titles"
	"docent/tui/widget"
)

// Visit remembers that a page is read, and where.
func (c *Controller) Visit(at pipeline.Place) tea.Cmd {
	at.At = c.now()
	c.places = c.places.Visit(at)
	c.read[placeKey(at)] = true
	return c.keepCommand(func(ctx context.Context) error { return c.keeper.Visit(ctx, at) })
}

// Mark marks a place, or takes its mark away.
func (c *Controller) Mark(at pipeline.Place) tea.Cmd {
	on := !c.places.IsMarked(at)
	at.At = c.now()
	c.places = c.places.Mark(at, on)
	c.countPlaces()
	name := "“" + widget.Cut(sanitize.Line(PlaceName(at)), 40) + "”"
	if on {
		c.status.Good("marked " + name + "; ' lists the marks")
	} else {
		c.status.Say("no longer marked: " + name)
	}
	return c.keepMark(at, on)
}

// IsMarked reports whether a place is marked.
func (c *Controller) IsMarked(at pipeline.Place) bool { return c.places.IsMarked(at) }

// MarkedPlaces are the marked places, the newest first.
func (c *Controller) MarkedPlaces() []pipeline.Place { return c.places.Marked }

// FamiliarPage says of a page whether it was read, and whether a section of it is marked.
func (c *Controller) FamiliarPage(docSet, filePath string) (read, marked bool) {
	name := placeKey(pipeline.Place{DocSet: docSet, FilePath: filePath})
	return c.read[name], c.marked[name]
}

func placeKey(p pipeline.Place) string { return p.DocSet + "/" + p.FilePath }

// countPlaces makes the sets of pages that were read and marked.
func (c *Controller) countPlaces() {
	c.read, c.marked = map[string]bool{}, map[string]bool{}
	for _, p := range c.places.Read {
		c.read[placeKey(p)] = true
	}
	for _, p := range c.places.Marked {
		c.marked[placeKey(p)] = true
	}
}

// PlaceName is a place in words: its page and its heading.
func PlaceName(p pipeline.Place) string {
	if n := len(p.Path); n > 0 && p.Path[n-1] != p.Title {
		return p.Title + " › " + p.Path[n-1]
	}
	return p.Title
}

// TimeAgo is how long ago something was, for a person.
func TimeAgo(now, at time.Time) string {
	d := now.Sub(at)
	switch {
	case at.IsZero():
		return ""
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", int(d.Minutes()))
	case d < 24*time.Hour:
		return fmt.Sprintf("%d h ago", int(d.Hours()))
	case d < 48*time.Hour:
		return "yesterday"
	case d < 30*24*time.Hour:
		return fmt.Sprintf("%d days ago", int(d.Hours()/24))
	}
	return at.Format("2006-01-02")
}

// familiarEntries is what the launcher lists before anything is typed: marks, pages read
// last, doc sets.
func (c *Controller) familiarEntries() []launcher.Item {
	const most = 50
	var out []launcher.Item
	for _, p := range c.places.Marked[:min(len(c.places.Marked), most)] {
		out = append(out, launcher.Item{Kind: kindOfPlace(p), Place: p, Note: "marked"})
	}
	for _, p := range c.places.Read[:min(len(c.places.Read), most)] {
		out = append(out, launcher.Item{Kind: titles.PageKind, Place: p, Note: TimeAgo(c.now(), p.At)})
	}
	for _, s := range c.host.Sets() {
		out = append(out, launcher.Item{Kind: titles.DocSet, Place: pipeline.Place{DocSet: s.Ref.String()},
			Note: widget.Count(s.Pages, "page")})
	}
	return out
}

func kindOfPlace(p pipeline.Place) titles.Kind {
	if n := len(p.Path); n > 0 && p.Path[n-1] != p.Title {
		return titles.HeadingKind
	}
	return titles.PageKind
}

// KnowsPlaces reports whether there is something to go on with: a page, a mark, a question.
func (c *Controller) KnowsPlaces() bool {
	return len(c.places.Read)+len(c.places.Marked)+len(c.host.Questions()) > 0
}

// RefreshStart gives the start screen its rows.
func (c *Controller) RefreshStart(hint string) {
	const most = 12
	var read, marks, asked, sets []start.Row
	for _, p := range c.places.Read[:min(len(c.places.Read), most)] {
		read = append(read, c.rowOfPlace(p, TimeAgo(c.now(), p.At)))
	}
	for _, p := range c.places.Marked[:min(len(c.places.Marked), most)] {
		marks = append(marks, c.rowOfPlace(p, ""))
	}
	questions := c.host.Questions()
	for i := len(questions) - 1; i >= max(0, len(questions)-most); i-- {
		asked = append(asked, start.Row{Name: sanitize.Line(questions[i]), Chosen: start.Chosen{Question: questions[i]}})
	}
	for _, s := range c.host.Sets() {
		r := start.Row{Name: sanitize.Line(s.Ref.String()), Detail: widget.Count(s.Pages, "page"), Right: "✓ fresh",
			Chosen: start.Chosen{DocSet: s.Ref.String()}}
		switch s.Fresh {
		case library.Stale:
			r.Right, r.Warn = "~ "+sanitize.Line(shelfpane.ChangesText(s)), true
		case library.Missing:
			r.Right, r.Warn = "✗ folder missing", true
		}
		if shelfpane.IsManual(s) {
			r.Detail += ", built in"
		}
		sets = append(sets, r)
	}
	c.Start.SetGroups(hint, []start.Group{{Name: "Read last", Rows: read}, {Name: "Marked", Rows: marks}, {Name: "Asked last", Rows: asked},
		{Name: "Doc sets", Rows: sets}})
}

func (c *Controller) rowOfPlace(p pipeline.Place, ago string) start.Row {
	return start.Row{Name: sanitize.Line(PlaceName(p)), Detail: sanitize.Line(p.DocSet), Right: ago, Chosen: start.Chosen{Place: p}}
}
