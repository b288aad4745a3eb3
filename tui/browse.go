package tui

import (
	"fmt"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/text/sanitize"
	"docent/tui/browsing"
	"docent/tui/keymap"
	"docent/tui/page"
	"docent/tui/pane/launcher"
	"docent/tui/pane/picker"
	shelfpane "docent/tui/pane/shelf"
	"docent/tui/pane/start"
	"docent/tui/titles"
	"docent/tui/widget"
)

type browsingHost struct{ m *Model }

func (h browsingHost) Questions() []string   { return h.m.ask.History() }
func (h browsingHost) Sets() []shelfpane.Set { return h.m.shelf.Library.Sets() }

// starting says whether the start screen is shown: before the first question.
func (m *Model) starting() bool {
	return m.over == noOverlay && !m.shelf.FirstRun() && !m.run.Ran() && m.run.OnHits() && !m.ask.Suggesting()
}

// resuming says whether enter in the question line goes on with a row of the start
// screen.
func (m *Model) resuming() bool {
	_, picked := m.browse.Start.Selected()
	return picked && m.shelf.Ready() && m.starting() && m.ask.Empty()
}

// reading says whether a page is in the reader, on the screen or under an overlay.
func (m *Model) reading() bool {
	if m.over == readerOverlay {
		return true
	}
	for _, o := range m.under {
		if o == readerOverlay && m.over != noOverlay {
			return true
		}
	}
	return false
}

// updateBrowsing passes a message of browsing on, and goes where a person chose to.
func (m *Model) updateBrowsing(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case start.Chosen:
		return m.goOn(msg)
	case launcher.Chosen:
		return m.goTo(msg.Item)
	case launcher.Asked:
		if m.over != launcherOverlay {
			return nil
		}
		m.editQuestion()
		m.ask.Set(msg.Text)
		return m.ask.Ask()
	case launcher.Moved:
		if m.over == launcherOverlay {
			return m.followCursor()
		}
		return nil
	}
	cmd := m.browse.Update(msg)
	return tea.Batch(cmd, m.ask.Look())
}

// goOn goes on with a row of the start screen.
func (m *Model) goOn(c start.Chosen) tea.Cmd {
	switch {
	case !m.starting() || !m.shelf.Ready():
		return nil // it was left meanwhile, or nothing can be read yet
	case c.Question != "":
		m.ask.Set(c.Question)
		return m.ask.Ask()
	case c.DocSet != "":
		return m.openSet(c.DocSet)
	}
	return m.openPlace(c.Place)
}

// goTo goes to an item of the launcher. From the reader it is a jump, which leads
// back.
func (m *Model) goTo(it launcher.Item) tea.Cmd {
	if m.over != launcherOverlay {
		return nil // it was left meanwhile
	}
	m.pop()
	switch {
	case it.Kind == titles.DocSet:
		return m.openSet(it.Place.DocSet)
	case m.over == readerOverlay:
		return m.read.Reader.Jump(it.Place)
	}
	return m.openPlace(it.Place)
}

// openPlace opens a place in the reader.
func (m *Model) openPlace(at pipeline.Place) tea.Cmd {
	m.push(readerOverlay)
	return m.read.Reader.OpenAt(at)
}

// openSet opens the library at a doc set.
func (m *Model) openSet(docSet string) tea.Cmd {
	var open tea.Cmd
	if m.over != libraryOverlay {
		open = m.openLibrary()
	}
	return tea.Batch(open, m.shelf.Library.Open(docSet))
}

// listMove moves in the list below the question line; where there is none, through
// the questions asked before.
func (m *Model) listMove(d int) {
	a := keymap.Down
	if d < 0 {
		a = keymap.Up
	}
	_, picked := m.ask.Picked()
	switch {
	case m.ask.Suggesting() && (d > 0 || picked):
		m.ask.Pick(d)
	case m.starting() && m.ask.Empty() && (d > 0 || !m.browse.Start.First()):
		m.browse.Start.Update(a)
	default:
		m.ask.Recall(d)
	}
}

// doBrowse does the actions of going to pages; ok is false for others.
func (m *Model) doBrowse(a keymap.Action, _ string, mode keymap.Mode) (cmd tea.Cmd, ok bool) {
	switch a {
	case keymap.HistoryPrev:
		m.listMove(-1)
	case keymap.HistoryNext:
		m.listMove(1)
	case keymap.Ask:
		if m.resuming() {
			return m.now(m.browse.Start.Update(keymap.GoOn)), true
		}
		return nil, false
	case keymap.GoOn:
		return m.now(m.browse.Start.Update(a)), true
	case keymap.GoTo:
		m.push(launcherOverlay)
		return m.browse.Begin(), true
	case keymap.Marks:
		m.showMarks()
	case keymap.Mark:
		return m.mark(mode), true
	case keymap.Versions:
		return m.compare(mode), true
	case keymap.Open:
		if mode != keymap.InLibrary && mode != keymap.InVersions {
			return nil, false
		}
		return m.scroll(a, mode), true
	default:
		return nil, false
	}
	return nil, true
}

// compare shows what differs between the doc set of the page that is read, or under the
// cursor of the library, and another version of it.
func (m *Model) compare(mode keymap.Mode) tea.Cmd {
	docSet, path := "", ""
	switch mode {
	case keymap.InVersions:
		return m.now(m.diff.Pane.Update(keymap.Versions))
	case keymap.InLibrary:
		t, page := m.shelf.Library.Target()
		if s, ok := m.shelf.Library.Selected(); ok {
			docSet = s.Ref()
		}
		if page {
			path = t.FilePath
		}
	default:
		at, ok := m.read.Reader.Place()
		if !ok {
			m.status.Say("no page is read")
			return nil
		}
		docSet, path = at.DocSet, at.FilePath
	}
	m.push(versionsOverlay)
	return m.diff.Begin(docSet, path)
}

// mark marks the section in the reader, or the page under the cursor of the library.
func (m *Model) mark(mode keymap.Mode) tea.Cmd {
	at, ok := m.read.Reader.Place()
	if mode == keymap.InLibrary {
		var t page.Target
		t, ok = m.shelf.Library.Target()
		at = pipeline.Place{DocSet: t.DocSet, FilePath: t.FilePath, Title: t.Title}
	}
	if !ok {
		m.status.Say("there is no page to mark here")
		return nil
	}
	return m.browse.Mark(at)
}

const listMarks = "marks"

// showMarks lists the marked places.
func (m *Model) showMarks() {
	m.showList(listMarks, "Marks", "nothing is marked yet: m marks the section that is read, ctrl+d takes a mark away", m.markItems())
}

func (m *Model) markItems() []picker.Item {
	var items []picker.Item
	for i, p := range m.browse.Marks() {
		items = append(items, picker.Item{ID: strconv.Itoa(i), Text: sanitize.Line(browsing.Name(p)), Detail: sanitize.Line(p.DocSet)})
	}
	return items
}

// markAt is the mark of an item of the list.
func (m *Model) markAt(id string) (pipeline.Place, bool) {
	i, err := strconv.Atoi(id)
	if marks := m.browse.Marks(); err == nil && i >= 0 && i < len(marks) {
		return marks[i], true
	}
	return pipeline.Place{}, false
}

// pickedMark goes to a mark. From the reader it is a jump.
func (m *Model) pickedMark(id string) tea.Cmd {
	at, ok := m.markAt(id)
	switch {
	case !ok:
		return nil
	case m.over == readerOverlay:
		return m.read.Reader.Jump(at)
	}
	return m.openPlace(at)
}

// beside is the page under the cursor of the list that the preview stands beside;
// false where there is none.
func (m *Model) beside() (page.Target, bool) {
	switch m.over {
	case libraryOverlay:
		return m.shelf.Library.Target()
	case launcherOverlay:
		it, ok := m.browse.Launcher.Selected()
		if !ok || it.Kind == titles.DocSet {
			return page.Target{}, false
		}
		t := page.Target{DocSet: it.Place.DocSet, FilePath: it.Place.FilePath, Title: it.Place.Title}
		if n := len(it.Place.Path); n > 0 {
			t.Heading = contract.Heading{Text: it.Place.Path[n-1], Anchor: it.Place.Anchor}
		}
		return t, true
	}
	return page.Target{}, false
}

// besideW is the columns of an overlay's list beside the preview, 0 where there is
// none.
func (m *Model) besideW() int {
	if m.w < sideW || m.over != launcherOverlay && (m.over != libraryOverlay || !m.shelf.Library.Browsing()) {
		return 0
	}
	return min((m.w-3)/2, 96)
}

// overlayPanels draws an overlay's list, with the preview beside it where there is
// room.
func (m *Model) overlayPanels(title, info string, p interface{ View() string }) []string {
	w, h := m.overlaySize()
	panel := widget.Panel{Title: title, Info: info, View: p.View(), W: w, H: h, Focused: true}
	list := m.besideW()
	if list == 0 {
		return widget.Stack(m.st, panel)
	}
	panel.W = list
	preview := m.read.Preview
	return widget.Side(m.st, panel, widget.Panel{Title: preview.Title(), Info: preview.Info(), View: preview.View(), W: w - list - 1, H: h})
}

// where is the doc set and the path of what is read, in w columns; "" where no page
// is read.
func (m *Model) where(w int) string {
	t, ok := m.beside()
	if m.over == readerOverlay {
		t, ok = m.read.Reader.Target()
	}
	if !ok {
		return ""
	}
	return widget.Path(sanitize.Line(t.DocSet), sanitize.Line(t.FilePath), w)
}

// quit leaves the app. Where a page is read, that is kept: by this command, or by
// Run, if the program ends before.
func (m *Model) quit() tea.Cmd {
	var keep tea.Cmd
	if at, ok := m.read.Reader.Place(); ok && m.reading() {
		keep = m.browse.Visit(at)
	}
	m.stop()
	return tea.Batch(keep, tea.Quit)
}

// startHint is what the start screen says above its list: to somebody who comes
// back, less.
func (m *Model) startHint() string {
	if !m.browse.Known() {
		return m.shelf.Hint()
	}
	return "Type a question, or go on with one of these: ↓ and enter."
}

// startInfo is the right end of the start screen's frame.
func (m *Model) startInfo() string {
	return fmt.Sprintf("%s finds any page", m.keyOf(keymap.GoTo))
}
