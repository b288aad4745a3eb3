package tui

import (
	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/tui/keymap"
	"docent/tui/overlay"
	"docent/tui/page"
	"docent/tui/pane/launcher"
	shelfpane "docent/tui/pane/shelf"
	"docent/tui/pane/start"
	"docent/tui/titles"
)

// browsingHost is the app around the start screen and the launcher.
type browsingHost struct{ m *Model }

func (h browsingHost) Questions() []string   { return h.m.ask.History() }
func (h browsingHost) Sets() []shelfpane.Set { return h.m.shelf.Library.Sets() }

// takeMessage passes a message of browsing on, and goes to the place that a person chose.
func (h browsingHost) takeMessage(msg tea.Msg) tea.Cmd {
	m := h.m
	onTop := m.over.Shows(m.browse.LauncherOverlay())
	switch msg := msg.(type) {
	case start.Chosen:
		return h.resumeRow(msg)
	case launcher.Chosen:
		if onTop {
			return h.goToItem(msg.Item)
		}
		return nil
	case launcher.Asked:
		if !onTop {
			return nil
		}
		m.editQuestion()
		m.ask.Set(msg.Text)
		return m.ask.Ask()
	case launcher.Moved:
		if onTop {
			return m.followCursor()
		}
		return nil
	}
	cmd := m.browse.Update(msg)
	return tea.Batch(cmd, m.ask.LookUpNames())
}

// resumeRow goes on with a row of the start screen.
func (h browsingHost) resumeRow(c start.Chosen) tea.Cmd {
	m := h.m
	switch {
	case !m.onStartScreen():
		return nil // it was left before
	case !m.shelf.Ready():
		if m.shelf.IsOpening() {
			m.resume = &c
			m.status.Say("it goes on as soon as the doc sets are open; esc takes it back")
		}
		return nil
	case c.Question != "":
		m.ask.Set(c.Question)
		return m.ask.Ask()
	case c.DocSet != "":
		return h.openDocSet(c.DocSet)
	}
	return m.openPlace(c.Place, "")
}

// goToItem goes to an item of the launcher.
func (h browsingHost) goToItem(it launcher.Item) tea.Cmd {
	m := h.m
	m.removeTop()
	if it.Kind == titles.DocSet {
		return h.openDocSet(it.Place.DocSet)
	}
	return m.goToPlace(it.Place)
}

// resumeWaiting goes on with the row for which the doc sets had to be open, unless the start
// screen was left or a question is typed; nil where none waits.
func (h browsingHost) resumeWaiting() tea.Cmd {
	c := h.m.resume
	h.m.resume = nil
	if c == nil || !h.m.ask.Empty() || !h.m.onStartScreen() {
		return nil
	}
	return h.resumeRow(*c)
}

// openDocSet opens the library at a doc set.
func (h browsingHost) openDocSet(docSet string) tea.Cmd {
	m := h.m
	var open tea.Cmd
	if !m.over.Shows(m.shelf.Library) {
		open = opener{m}.openLibrary()
	}
	return tea.Batch(open, m.shelf.Library.Open(docSet))
}

// onStartScreen reports whether the start screen is shown: before the first question.
func (m *Model) onStartScreen() bool {
	return m.over.Empty() && !m.shelf.OnFirstRun() && !m.run.HasRun() && m.run.OnHits() && !m.ask.Suggesting()
}

// resumesByEnter reports whether enter in the question line goes on with a row of the start
// screen.
func (h browsingHost) resumesByEnter() bool {
	m := h.m
	_, picked := m.browse.Start.Selected()
	return picked && (m.shelf.Ready() || m.shelf.IsOpening()) && m.onStartScreen() && m.ask.Empty()
}

// openPlace opens a place in the reader.
func (m *Model) openPlace(at pipeline.Place, find string) tea.Cmd {
	m.pushOverlay(m.read.ReaderOverlay())
	return m.read.Reader.OpenAt(at, find)
}

// goToPlace goes to a place. While a page is read it is a jump, which leads back.
func (m *Model) goToPlace(at pipeline.Place) tea.Cmd {
	if r, ok := overlay.TopAs[overlay.PageReader](&m.over); ok {
		return r.Jump(at)
	}
	return m.openPlace(at, "")
}

// targetOfOverlay is the page that the topmost overlay shows or has under its cursor.
func (m *Model) targetOfOverlay() (page.Target, bool) {
	if p, ok := overlay.TopAs[overlay.Pointer](&m.over); ok {
		return p.Target()
	}
	return page.Target{}, false
}

// startHint is the text above the list of the start screen: a shorter one for a person
// who comes back.
func (h browsingHost) startHint() string {
	m := h.m
	if !m.browse.KnowsPlaces() || m.shelf.Failure.Text() != "" {
		return m.shelf.EmptyHint()
	}
	return "Type a question, or go on with one of these: ↓ and enter."
}

// doBrowsing does the actions of going to pages; ok is false for others.
func (k keyboard) doBrowsing(a keymap.Action, _ string, _ keymap.Mode) (cmd tea.Cmd, ok bool) {
	m := k.m
	switch a {
	case keymap.HistoryPrev:
		k.moveInList(-1)
	case keymap.HistoryNext:
		k.moveInList(1)
	case keymap.Ask:
		if (browsingHost{m}).resumesByEnter() {
			return m.carryOutIntent(m.browse.Start.Update(keymap.GoOn)), true
		}
		return nil, false
	case keymap.GoOn:
		return m.carryOutIntent(m.browse.Start.Update(a)), true
	case keymap.Mark:
		return k.markPlace(), true
	default:
		return nil, false
	}
	return nil, true
}

// moveInList moves in the list below the question line; where that has none, through
// the questions asked before.
func (k keyboard) moveInList(d int) {
	m := k.m
	a := keymap.Down
	if d < 0 {
		a = keymap.Up
	}
	_, picked := m.ask.ChosenSuggestion()
	switch {
	case m.ask.Suggesting() && (d > 0 || picked):
		m.ask.MoveChoice(d)
	case m.onStartScreen() && m.ask.Empty() && (d > 0 || !m.browse.Start.OnFirstRow()):
		m.browse.Start.Update(a)
	default:
		m.ask.RecallQuestion(d)
	}
}

// markPlace marks the section that is read, or the page under the cursor of an overlay.
func (k keyboard) markPlace() tea.Cmd {
	m := k.m
	at, ok := m.placeAtHand()
	if !ok {
		m.status.Say("there is no page to mark here")
		return nil
	}
	return m.browse.Mark(at)
}

// placeAtHand is the section that is read, or the page under the cursor of an overlay; false
// where there is no page.
func (m *Model) placeAtHand() (pipeline.Place, bool) {
	if r, reads := overlay.TopAs[overlay.PageReader](&m.over); reads {
		return r.Place()
	}
	t, ok := m.targetOfOverlay()
	return pipeline.Place{DocSet: t.DocSet, FilePath: t.FilePath, Title: t.Title}, ok
}

// opener lays overlays over the screen.
type opener struct{ m *Model }

// openersByKey is the overlay of each key that opens one. A new overlay is one line.
func (o opener) openersByKey() map[keymap.Action]func() tea.Cmd {
	m := o.m
	return map[keymap.Action]func() tea.Cmd{
		keymap.Library:  o.openLibrary,
		keymap.Sets:     o.openChooser,
		keymap.GoTo:     func() tea.Cmd { m.pushOverlay(m.browse.LauncherOverlay()); return m.browse.Begin() },
		keymap.Versions: o.versions,
		keymap.Help:     o.openHelp,
		keymap.Palette:  lists{m}.listActions,
		keymap.History:  lists{m}.listQuestions,
		keymap.Sessions: lists{m}.listSavedSessions,
		keymap.Marks:    lists{m}.listMarkedPlaces,
	}
}

// openLibrary lays the library over the screen.
func (o opener) openLibrary() tea.Cmd {
	m := o.m
	m.pushOverlay(m.shelf.Library)
	return tea.Batch(m.shelf.List(), m.shelf.ListLibrary())
}

// openChooser lays the choice of doc sets over the screen.
func (o opener) openChooser() tea.Cmd {
	m := o.m
	m.shelf.Sets.SetPicked(m.run.Request().DocSets)
	m.pushOverlay(m.shelf.ChooserOverlay())
	return nil
}

// openHelp lays the help over the screen, or takes it away.
func (o opener) openHelp() tea.Cmd {
	m := o.m
	if m.over.Shows(m.help) {
		m.removeTop()
		return nil
	}
	m.help.ShowKeys(m.keys, m.needsMet(), m.keyboardModes(), keyboard{m}.placeText())
	m.help.Rewind()
	m.pushOverlay(m.help)
	return nil
}

// versions compares the doc set of the page that is read, or of the one under the
// cursor of an overlay, with another version.
func (o opener) versions() tea.Cmd {
	m := o.m
	var docSet, path string
	var ok bool
	if s, versioned := overlay.TopAs[overlay.VersionSource](&m.over); versioned {
		docSet, path, ok = s.Versioned()
	} else if r, reads := overlay.TopAs[overlay.PageReader](&m.over); reads {
		var at pipeline.Place
		at, ok = r.Place()
		docSet, path = at.DocSet, at.FilePath
	}
	if !ok {
		m.status.Say("no page is read")
		return nil
	}
	m.pushOverlay(m.diff)
	return m.diff.Begin(docSet, path)
}
