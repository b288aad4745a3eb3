package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline/text/sanitize"
	"docent/tui/keymap"
	shelfpane "docent/tui/pane/shelf"
	"docent/tui/style"
	"docent/tui/widget"
)

// status is the status line: what a key did, or why it did nothing.
type status struct {
	text string
	mark string
	look func(*style.Styles) style.Style
	// lasting: an error stays until the next run.
	lasting bool
}

// Say shows a text.
func (s *status) Say(text string) { s.set("", text, nil) }

// Good shows that something succeeded.
func (s *status) Good(text string) {
	s.set("✓ ", text, func(st *style.Styles) style.Style { return st.Good })
}

// Warn shows a warning.
func (s *status) Warn(text string) {
	s.set("! ", text, func(st *style.Styles) style.Style { return st.Warn })
}

// Fail shows an error, which stays until Clear.
func (s *status) Fail(text string) {
	s.set("✗ ", text, func(st *style.Styles) style.Style { return st.Bad })
	s.lasting = true
}

// Clear empties the line.
func (s *status) Clear() { *s = status{} }

// Lasting says whether the line shows an error that stays.
func (s *status) Lasting() bool { return s.lasting }

func (s *status) set(mark, text string, look func(*style.Styles) style.Style) {
	*s = status{text: sanitize.Line(text), mark: mark, look: look}
}

// View is one frame: exactly as many lines and columns as the screen has.
func (m *Model) View() tea.View {
	v := tea.View{AltScreen: true, ReportFocus: true, WindowTitle: m.windowTitle()}
	if m.small() {
		v.Content = strings.Join(m.tooSmall(), "\n")
		return v
	}
	lines := []string{m.titleLine()}
	question, cursor := m.ask.View(m.w)
	lines = append(lines, question)
	switch m.mode() {
	case keymap.InQuestion:
		v.Cursor = tea.NewCursor(cursor, 1)
	case keymap.InEntry:
		if x, y, ok := m.shelf.Library.Cursor(); ok {
			v.Cursor = tea.NewCursor(1+x, 3+y)
		}
	}
	if x, y, ok := m.read.Reader.Cursor(); ok && m.over == readerOverlay {
		v.Cursor = tea.NewCursor(1+x, 3+y)
	}
	switch m.over {
	case readerOverlay:
		lines = append(lines, m.framed(m.read.Reader.Title(), m.read.Reader.Info(), m.read.Reader)...)
	case setsOverlay:
		lines = append(lines, m.framed("Doc sets", shelfpane.Counted(len(m.shelf.Sets.Sets()), m.shelf.Manual() != ""), m.shelf.Sets)...)
	case pickerOverlay:
		lines = append(lines, m.framed(m.picker.Title(), "", m.picker)...)
		if m.prompt == nil {
			v.Cursor = tea.NewCursor(1+m.picker.Cursor(), 3)
		}
	case libraryOverlay:
		lines = append(lines, m.overlayPanels(m.shelf.Library.Title(), m.shelf.Library.Info(), m.shelf.Library)...)
	case versionsOverlay:
		lines = append(lines, m.framed(m.diff.Pane.Title(), "", m.diff.Pane)...)
	case launcherOverlay:
		lines = append(lines, m.overlayPanels(m.browse.Launcher.Title(), m.browse.Launcher.Info(), m.browse.Launcher)...)
		v.Cursor = tea.NewCursor(1+m.browse.Launcher.Cursor(), 3)
	case helpOverlay:
		lines = append(lines, m.framed("Help", m.help.Share(), m.help)...)
		if x, ok := m.help.Cursor(); ok {
			v.Cursor = tea.NewCursor(1+x, 3)
		}
	default:
		if m.shelf.FirstRun() {
			lines = append(lines, m.framed("Welcome", "", m.shelf.First)...)
			break
		}
		if m.ask.Suggesting() {
			w, h := m.overlaySize()
			lines = append(lines, widget.Stack(m.st, widget.Panel{Title: "As you type", Info: m.ask.SuggestionsInfo(w), View: m.ask.Suggestions(w, h), W: w, H: h})...)
			break
		}
		if m.starting() {
			w, h := m.overlaySize()
			lines = append(lines, widget.Stack(m.st, widget.Panel{Title: "Start", Info: m.startInfo(), View: m.browse.Start.View(), W: w, H: h, Focused: m.focus == onPane})...)
			break
		}
		lines = append(lines, m.main()...)
	}
	lines = append(lines, m.tourBox()...)
	if m.prompt != nil {
		line, cursor := m.promptLine()
		lines = append(lines, line, m.footer())
		v.Cursor = tea.NewCursor(cursor, m.h-2)
	} else {
		lines = append(lines, m.statusLine(), m.footer())
	}
	if !m.mouseOff {
		v.MouseMode = tea.MouseModeCellMotion
	}
	v.Content = strings.Join(widget.Exact(lines, m.w, m.h), "\n")
	return v
}

// framed is an overlay over the main area.
func (m *Model) framed(title, info string, p interface{ View() string }) []string {
	w, h := m.overlaySize()
	return widget.Stack(m.st, widget.Panel{Title: title, Info: info, View: p.View(), W: w, H: h, Focused: true})
}

func (m *Model) tooSmall() []string {
	lines := make([]string, 0, m.h)
	lines = append(lines, fmt.Sprintf("docent needs %dx%d;", minW, minH), fmt.Sprintf("this is %dx%d.", m.w, m.h),
		"Nothing is lost.")
	return widget.Exact(lines, max(0, m.w), max(0, m.h))
}

func (m *Model) windowTitle() string {
	if t, ok := m.read.Reader.Target(); ok && m.over == readerOverlay {
		return "docent: " + widget.Cut(sanitize.Line(t.Title+", "+t.DocSet), 60)
	}
	if m.run.Asked() == "" {
		return "docent"
	}
	return "docent: " + widget.Cut(sanitize.Line(m.run.Asked()), 60)
}

func (m *Model) titleLine() string {
	left := " " + m.st.Title.Render("docent")
	if room := m.w - widget.Width(left) - 3; m.where(room) != "" {
		return left + "  " + m.st.Dim.Render(widget.FitLeft(m.where(room), room)) + " "
	}
	version, corpus := " "+sanitize.Line(m.opt.Version), m.corpus()
	room := m.w - widget.Width(left) - 2
	if m.opt.Version != "" && widget.Width(version+corpus) <= room {
		left += m.st.Dim.Render(version)
	}
	if _, rest, several := strings.Cut(corpus, " · "); several && widget.Width(corpus) > room {
		corpus = rest // how many doc sets matters least
	}
	return widget.Sides(left, m.st.Dim.Render(corpus)+" ", m.w)
}

// corpus is what is searched, or how far its opening is.
func (m *Model) corpus() string {
	if opening := m.shelf.Opening(m.w / 2); opening != "" {
		return opening
	}
	if names := m.run.Request().DocSets; len(names) > 0 {
		return widget.Cut("in "+sanitize.Line(strings.Join(names, ", ")), m.w/2)
	}
	text := m.shelf.Size()
	if task := m.shelf.Background(); task != "" && widget.Width(text+task) < m.w-20 {
		return text + " · " + task
	}
	if by := " · " + m.run.AnsweredBy(); by != " · " && widget.Width(text+by) <= m.w/2 {
		text += by
	}
	return text
}

// main is the phases and the pane of the selected one.
func (m *Model) main() []string {
	g := m.geometry()
	m.run.Hits.SetFocused(m.focus == onPane)
	m.run.Steps.SetNote(m.run.Note())
	p, live := m.run.Panel(g.mainW, g.mainH)
	p.W, p.H, p.Focused = g.mainW, g.mainH, m.focus == onPane
	panels := []widget.Panel{p}
	if m.run.OnHits() && !live { // a live answer has the room of the hits and of the preview
		panels[0].W, panels[0].H = g.listW, g.listH
		if preview := m.read.Preview; g.previewH > 0 {
			panels = append(panels, widget.Panel{Title: preview.Title(), Info: preview.Info(), View: preview.View(),
				W: g.previewW, H: g.previewH, Focused: m.focus == onPreview})
		}
	}
	if g.column {
		steps := widget.Panel{Title: "Steps", Info: m.run.Total(), View: m.run.Steps.View(), W: stepsW, H: g.mainH}
		return widget.Side(m.st, append([]widget.Panel{steps}, panels...)...)
	}
	strip := strings.Split(m.run.Steps.View(), "\n")
	if g.side {
		return append(strip, widget.Side(m.st, panels...)...)
	}
	return append(strip, widget.Stack(m.st, panels...)...)
}

// statusLine is the status, and at its right end the settings of the request or
// the work that goes on.
func (m *Model) statusLine() string {
	left := " "
	doing := m.run.Doing()
	switch {
	case m.status.text != "" && (doing == "" || m.status.lasting):
		look := m.st.Plain
		if m.status.look != nil {
			look = m.status.look(m.st)
		}
		room := m.w - 3 - widget.Width(m.status.mark)
		text := widget.Cut(m.status.text, room)
		if m.status.lasting || m.w >= crowdedW { // the cause of an error is its end
			text = widget.CutMiddle(m.status.text, room)
		}
		left += look.Render(m.status.mark + text)
	case m.run.Active():
		if doing == "" {
			doing = "running"
		}
		left += m.st.Accent.Render("● "+widget.Cut(doing, m.w-20)) + m.st.Dim.Render(", esc cancels")
	}
	if work := m.shelf.Chip(); work != "" && m.over != libraryOverlay && !m.shelf.FirstRun() {
		return widget.Sides(left, m.st.Accent.Render("● "+work)+" ", m.w)
	}
	return widget.Sides(left, m.st.Accent.Render(m.settings(min(m.w-widget.Width(left), m.w*2/3)-2))+" ", m.w)
}

// settings are those of the request, and how much a key copies of which extent: as
// much of it as there is room for. The rest is shown again after the next key.
func (m *Model) settings(room int) string {
	var notes []string
	if this, other := m.run.Sizes(); this.Lines > 0 && m.over == noOverlay {
		copies, extent := m.keyOf(keymap.CopyFinal), m.keyOf(keymap.Extent)
		if copies != "" {
			copies += " copies "
		}
		short, switched, briefly := copies+widget.Count(this.Lines, "line"), "", ""
		if other.Lines > 0 && extent != "" {
			switched = fmt.Sprintf(" · %s: %s", extent, other)
			briefly = fmt.Sprintf(" · %s: %s", extent, widget.Count(other.Lines, "line"))
		}
		notes = []string{copies + this.String() + switched, copies + this.String() + briefly, short + briefly, short}
	}
	chips := m.run.Chips()
	for _, text := range append(notes, "") {
		if chips != "" {
			text = strings.TrimSuffix(chips+" · "+text, " · ")
		}
		if widget.Width(text) <= room {
			return text
		}
	}
	return ""
}

// keyOf is the first key of an action in the phases.
func (m *Model) keyOf(a keymap.Action) string {
	for _, b := range m.keys.In(keymap.InPane) {
		if b.Action == a {
			return first(b.Label)
		}
	}
	return ""
}

// crowdedW is the width below which the footer of an overlay does without quitting.
const crowdedW = 60

// footer is the keys of the mode that work now, as many as there is room for.
// Back, help and quit stand at its end on any screen.
func (m *Model) footer() string {
	have := m.have()
	var pinned, rest []keymap.Binding
	room := m.w - 1
	width := func(k keymap.Binding) int { return widget.Width(first(k.Label)) + 1 + widget.Width(k.Short) + 2 }
	for _, k := range enterFirst(m.keys.Footer(m.modes())) {
		if k.Action == keymap.Extent {
			k.Short = m.run.Other() // what it leads to
		}
		if k.Action == keymap.Ask && m.resuming() {
			k.Short = "go on"
		}
		if k.Action == keymap.TakeItem && m.over == launcherOverlay && m.browse.Launcher.Asks() {
			k.Short = "ask"
		}
		if k.Action == keymap.TakeItem && m.over == pickerOverlay {
			k.Short = m.takes()
		}
		if k.Action == keymap.NthFolder {
			k.Label = m.shelf.First.Keys()
		}
		if k.Action == keymap.Accept && !m.shelf.Library.Adding() {
			k.Short = "open" // what was found
		}
		switch {
		case k.Action == keymap.Complete && !m.shelf.Library.Adding(): // nothing is completed there
		case k.Action == keymap.RemoveItem && !m.removes():
		case k.Action == keymap.TakeItem && m.over == pickerOverlay && !m.picks(): // the list is empty
		case (k.Action == keymap.NthPhase || k.Action == keymap.NextFocus) && m.starting(): // there are none yet, and no answer
		case m.over == readerOverlay && k.Group == keymap.Change: // of the answer, not of the page
		case m.over == readerOverlay && m.read.Reader.Failed() && !k.Pinned():
		case k.Disabled(have) != "", k.Action == keymap.Help && m.over == helpOverlay:
		case k.Action == keymap.Back && m.atTop():
		case k.Action == keymap.Quit && m.over != noOverlay && m.w < crowdedW: // esc leads to where it is shown
		case k.Pinned():
			pinned = append(pinned, k)
			room -= width(k)
		default:
			rest = append(rest, k)
		}
	}
	var b strings.Builder
	b.WriteString(" ")
	write := func(k keymap.Binding) {
		b.WriteString(m.st.Key.Render(first(k.Label)) + " " + m.st.Dim.Render(k.Short) + "  ")
	}
	for _, k := range rest {
		if w := width(k); w <= room {
			room -= w
			write(k)
		}
	}
	for _, k := range pinned {
		write(k)
	}
	return b.String()
}

// enterFirst puts the key that acts on what is under the cursor before all others.
func enterFirst(keys []keymap.Binding) []keymap.Binding {
	slices.SortStableFunc(keys, func(a, b keymap.Binding) int {
		switch a, b := acts(a), acts(b); {
		case a && !b:
			return -1
		case b && !a:
			return 1
		}
		return 0
	})
	return keys
}

// acts says whether a key acts on what is under the cursor.
func acts(k keymap.Binding) bool { return k.Keys[0] == "enter" && k.Action != keymap.Apply }

// atTop says whether esc leads nowhere.
func (m *Model) atTop() bool {
	return m.over == noOverlay && m.prompt == nil && !m.shelf.FirstRun() && !m.run.Active() && !m.tour.On() &&
		(m.focus == onPane || m.focus == onQuestion && !m.run.Ran())
}

func first(label string) string {
	key, _, _ := strings.Cut(label, " ")
	return key
}
