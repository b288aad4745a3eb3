package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline/text/sanitize"
	"docent/tui/keymap"
	"docent/tui/overlay"
	"docent/tui/widget"
)

// painter draws the screen.
type painter struct{ m *Model }

// view is one frame: exactly as many lines and columns as the screen has.
func (p painter) view() tea.View {
	m := p.m
	v := tea.View{AltScreen: true, ReportFocus: true, WindowTitle: p.windowTitle()}
	if m.screen().small() {
		v.Content = strings.Join(p.tooSmall(), "\n")
		return v
	}
	question, cursor := m.ask.View(m.w)
	if m.mode() == keymap.InQuestion {
		v.Cursor = tea.NewCursor(cursor, 1)
	}
	if t, ok := overlay.TopAs[overlay.Typist](&m.over); ok {
		if x, y, ok := t.Cursor(); ok {
			v.Cursor = tea.NewCursor(1+x, 3+y)
		}
	}
	lines := append([]string{p.titleLine(), question}, p.mainArea()...)
	lines = append(lines, m.tour.Box(m.w, m.h)...)
	if m.prompt != nil {
		line, cursor := m.prompt.view(m.st, m.w)
		lines = append(lines, line, p.footer())
		v.Cursor = tea.NewCursor(cursor, m.h-2)
	} else {
		lines = append(lines, p.statusLine(), p.footer())
	}
	if !m.mouseOff {
		v.MouseMode = tea.MouseModeCellMotion
	}
	v.Content = strings.Join(widget.Exact(lines, m.w, m.h), "\n")
	return v
}

// mainArea is the topmost overlay, or else the first-run screen, the suggestions, the
// start screen or the phases.
func (p painter) mainArea() []string {
	m := p.m
	w, h := m.screen().overlay()
	framed := func(panel widget.Panel) []string {
		panel.W, panel.H = w, h
		return widget.Stack(m.st, panel)
	}
	switch {
	case !m.over.Empty():
		return p.overlay(m.over.Top())
	case m.shelf.FirstRun():
		return framed(widget.Panel{Title: "Welcome", View: m.shelf.First.View(), Focused: true})
	case m.ask.Suggesting():
		return framed(widget.Panel{Title: "As you type", Info: m.ask.SuggestionsInfo(w), View: m.ask.Suggestions(w, h)})
	case m.starting():
		return framed(widget.Panel{Title: "Start", Info: m.keyOf(keymap.GoTo) + " finds any page", View: m.browse.Start.View(),
			Focused: m.focus == onPane})
	}
	return p.phases()
}

// overlay draws an overlay in its frame, with the preview next to it where there is room.
func (p painter) overlay(o overlay.Overlay) []string {
	m := p.m
	w, h := m.screen().overlay()
	panel := widget.Panel{Title: o.Title(), View: o.View(), W: w, H: h, Focused: true}
	if i, ok := o.(overlay.Informer); ok {
		panel.Info = i.Info()
	}
	list := m.listWidth()
	if list == 0 {
		return widget.Stack(m.st, panel)
	}
	panel.W = list
	preview := m.read.Preview
	return widget.Side(m.st, panel, widget.Panel{Title: preview.Title(), Info: preview.Info(), View: preview.View(), W: w - list - 1, H: h})
}

func (p painter) tooSmall() []string {
	m := p.m
	lines := make([]string, 0, m.h)
	lines = append(lines, fmt.Sprintf("docent needs %dx%d;", minW, minH), fmt.Sprintf("this is %dx%d.", m.w, m.h),
		"Nothing is lost.")
	return widget.Exact(lines, max(0, m.w), max(0, m.h))
}

func (p painter) windowTitle() string {
	m := p.m
	if t, ok := overlay.TopAs[overlay.WindowTitler](&m.over); ok && t.WindowTitle() != "" {
		return "docent: " + widget.Cut(t.WindowTitle(), 60)
	}
	if m.run.Asked() == "" {
		return "docent"
	}
	return "docent: " + widget.Cut(sanitize.Line(m.run.Asked()), 60)
}

func (p painter) titleLine() string {
	m := p.m
	left := " " + m.st.Title.Render("docent")
	room := m.w - widget.Width(left) - 3
	if path := p.pagePath(room); path != "" {
		return left + "  " + m.st.Dim.Render(widget.FitLeft(path, room)) + " "
	}
	version, corpus := " "+sanitize.Line(m.opt.Version), p.corpus()
	room++
	if m.opt.Version != "" && widget.Width(version+corpus) <= room {
		left += m.st.Dim.Render(version)
	}
	if _, rest, several := strings.Cut(corpus, " · "); several && widget.Width(corpus) > room {
		corpus = rest // how many doc sets matters least
	}
	return widget.Sides(left, m.st.Dim.Render(corpus)+" ", m.w)
}

// corpus names the searched doc sets, or how far their opening is.
func (p painter) corpus() string {
	m := p.m
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
	if by := " · " + m.run.Summary().AnsweredBy(); by != " · " && widget.Width(text+by) <= m.w/2 {
		text += by
	}
	return text
}

// phases is the phases and the pane of the selected one.
func (p painter) phases() []string {
	m := p.m
	g := m.screen().geometry()
	m.run.Hits.SetFocused(m.focus == onPane)
	m.run.Steps.SetNote(m.run.Summary().Note())
	phase, live := m.run.Panel(g.mainW, g.mainH)
	phase.W, phase.H, phase.Focused = g.mainW, g.mainH, m.focus == onPane
	panels := []widget.Panel{phase}
	if m.run.OnHits() && !live { // a live answer has the room of the hits and of the preview
		panels[0].W, panels[0].H = g.listW, g.listH
		if preview := m.read.Preview; g.previewH > 0 {
			panels = append(panels, widget.Panel{Title: preview.Title(), Info: preview.Info(), View: preview.View(),
				W: g.previewW, H: g.previewH, Focused: m.focus == onPreview})
		}
	}
	if g.column {
		steps := widget.Panel{Title: "Steps", Info: m.run.Summary().Total(), View: m.run.Steps.View(), W: stepsW, H: g.mainH}
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
func (p painter) statusLine() string {
	m := p.m
	left := " "
	doing := m.run.Summary().Doing()
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
	if work := m.shelf.Chip(); work != "" {
		return widget.Sides(left, m.st.Accent.Render("● "+work)+" ", m.w)
	}
	return widget.Sides(left, m.st.Accent.Render(p.settings(min(m.w-widget.Width(left), m.w*2/3)-2))+" ", m.w)
}

// settings are those of the request, and how much a key copies of which extent: as
// much of it as there is room for. The rest is shown again after the next key.
func (p painter) settings(room int) string {
	m := p.m
	var notes []string
	if this, other := m.run.Sizes(); this.Lines > 0 && m.over.Empty() {
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
	chips := m.run.Summary().Chips()
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
func (p painter) footer() string {
	m := p.m
	have := m.needs()
	overlaid, hasFooter := overlay.TopAs[overlay.Footer](&m.over)
	var pinned, rest []keymap.Binding
	room := m.w - 1
	width := func(k keymap.Binding) int { return widget.Width(first(k.Label)) + 1 + widget.Width(k.Short) + 2 }
	for _, k := range enterFirst(m.keys.Footer(m.modes())) {
		if k.Action == keymap.Extent {
			k.Short = m.run.Other() // what it leads to
		}
		if k.Action == keymap.Ask && (browsingHost{m}).resuming() {
			k.Short = "go on"
		}
		if k.Action == keymap.NthFolder {
			k.Label = m.shelf.First.Keys()
		}
		shown := true
		if hasFooter && m.prompt == nil {
			k, shown = overlaid.Footer(k)
		}
		switch {
		case !shown:
		case (k.Action == keymap.NthPhase || k.Action == keymap.NextFocus) && m.starting(): // before the first question
		case k.Disabled(have) != "":
		case k.Action == keymap.Back && p.atTop():
		case k.Action == keymap.Quit && !m.over.Empty() && m.w < crowdedW: // esc leads to where it is shown
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

// enterFirst puts the key that acts on the row under the cursor before all others.
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

// acts reports whether a key acts on the row under the cursor.
func acts(k keymap.Binding) bool { return k.Keys[0] == "enter" && k.Action != keymap.Apply }

// pagePath is the doc set and the path of the page that is shown or under the cursor of
// an overlay, in w columns; "" if none.
func (p painter) pagePath(w int) string {
	t, ok := p.m.pointed()
	if !ok {
		return ""
	}
	return widget.Path(sanitize.Line(t.DocSet), sanitize.Line(t.FilePath), w)
}

// atTop reports whether esc leads nowhere.
func (p painter) atTop() bool {
	m := p.m
	return m.over.Empty() && m.prompt == nil && !m.shelf.FirstRun() && !m.run.Active() && !m.tour.Running() &&
		(m.focus == onPane || m.focus == onQuestion && !m.run.Ran())
}

func first(label string) string {
	key, _, _ := strings.Cut(label, " ")
	return key
}
