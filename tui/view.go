package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline/text/plural"
	"docent/pipeline/text/sanitize"
	"docent/tui/keymap"
	"docent/tui/overlay"
	"docent/tui/widget"
)

// painter draws the screen.
type painter struct{ m *Model }

// drawFrame is one frame: exactly as many lines and columns as the screen has.
func (p painter) drawFrame() tea.View {
	m := p.m
	v := tea.View{AltScreen: true, ReportFocus: true, WindowTitle: p.windowTitle()}
	if m.screenSize().isTooSmall() {
		v.Content = strings.Join(p.tooSmallText(), "\n")
		return v
	}
	question, cursor := m.ask.View(m.w)
	if m.keyboardMode() == keymap.InQuestion {
		v.Cursor = tea.NewCursor(cursor, 1)
	}
	if a := (keyboard{m}).answerRead(); a != nil {
		if x, y, ok := a.Cursor(); ok {
			_, pane, _ := m.screenSize().partsOfScreen(false)
			v.Cursor = tea.NewCursor(pane.x+x, pane.y+y)
		}
	}
	if t, ok := overlay.TopAs[overlay.Typist](&m.over); ok {
		if x, y, ok := t.Cursor(); ok {
			v.Cursor = tea.NewCursor(1+x, 3+y)
		}
	}
	lines := append([]string{p.titleLine(), question}, p.drawMainArea()...)
	lines = append(lines, m.tour.DrawBox(m.w, m.h)...)
	if m.prompt != nil {
		line, cursor := m.prompt.drawLine(m.st, m.w)
		lines = append(lines, line, p.footerLine())
		v.Cursor = tea.NewCursor(cursor, m.h-2)
	} else {
		lines = append(lines, p.statusLine(), p.footerLine())
	}
	if !m.mouseOff {
		v.MouseMode = tea.MouseModeCellMotion
	}
	v.Content = strings.Join(widget.Exact(lines, m.w, m.h), "\n")
	return v
}

// drawMainArea is the topmost overlay, or else the first-run screen, the suggestions, the
// start screen or the phases.
func (p painter) drawMainArea() []string {
	m := p.m
	w, h := m.screenSize().overlaySize()
	framed := func(panel widget.Panel) []string {
		panel.W, panel.H = w, h
		return widget.Stack(m.st, panel)
	}
	switch {
	case !m.over.Empty():
		return p.drawOverlay(m.over.Top())
	case m.shelf.OnFirstRun():
		return framed(widget.Panel{Title: "Welcome", View: m.shelf.First.View(), Focused: true})
	case m.ask.Suggesting():
		return framed(widget.Panel{Title: "As you type", Info: m.ask.SuggestionsInfo(w), View: m.ask.Suggestions(w, h)})
	case m.onStartScreen():
		return framed(widget.Panel{Title: "Start", Info: m.firstKeyOf(keymap.GoTo) + " finds any page", View: m.browse.Start.View(),
			Focused: m.focus == onPane})
	}
	return p.drawPhases()
}

// drawOverlay draws an overlay in its frame, with the preview next to it where there is room.
func (p painter) drawOverlay(o overlay.Overlay) []string {
	m := p.m
	w, h := m.screenSize().overlaySize()
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
	seen := widget.Panel{Title: preview.Title(), Info: preview.Info(), View: preview.View(), W: w - list - 1, H: h}
	return widget.SideBySide(m.st, panel, seen)
}

func (p painter) tooSmallText() []string {
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
	if m.run.AskedQuestion() == "" {
		return "docent"
	}
	return "docent: " + widget.Cut(sanitize.Line(m.run.AskedQuestion()), 60)
}

func (p painter) titleLine() string {
	m := p.m
	left := " " + m.st.Title.Render("docent")
	room := m.w - widget.Width(left) - 3
	if path := p.pagePathText(room); path != "" {
		return left + "  " + m.st.Dim.Render(widget.FitLeft(path, room)) + " "
	}
	version, corpus := " "+sanitize.Line(m.opt.Version), p.corpusText()
	room++
	if m.opt.Version != "" && widget.Width(version+corpus) <= room {
		left += m.st.Dim.Render(version)
	}
	if _, rest, several := strings.Cut(corpus, " · "); several && widget.Width(corpus) > room {
		corpus = rest // how many doc sets matters least
	}
	return widget.Sides(left, m.st.Dim.Render(corpus)+" ", m.w)
}

// corpusText names the searched doc sets, or how far their opening is.
func (p painter) corpusText() string {
	m := p.m
	if opening := m.shelf.OpeningText(m.w / 2); opening != "" {
		return opening
	}
	names := m.run.Request().DocSets
	if len(names) > 0 && slices.Equal(names, m.project.DocSets) {
		return widget.Cut("in "+plural.Count(len(names), "doc set", "doc sets")+" of "+sanitize.Line(m.project.Name), m.w/2)
	}
	if len(names) > 0 {
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

// drawPhases is the phases and the pane of the selected one.
func (p painter) drawPhases() []string {
	m := p.m
	g := m.screenSize().geometry()
	m.run.Hits.SetFocused(m.focus == onPane)
	m.run.Steps.SetNote(m.run.Summary().HitNote())
	phase, live := m.run.PhasePanel(g.mainW, g.mainH)
	phase.W, phase.H, phase.Focused = g.mainW, g.mainH, m.focus == onPane
	panels := []widget.Panel{phase}
	if m.run.OnHits() && !live { // a live answer has the room of the hits and of the preview
		panels[0].W, panels[0].H = g.listW, g.listH
		if preview := m.read.Preview; g.previewH > 0 {
			panels = append(panels, widget.Panel{Title: preview.Title(), Info: preview.Info(), View: preview.View(),
				W: g.previewW, H: g.previewH, Focused: m.focus == onPreview})
		}
	}
	if g.foundH > 0 && !g.column {
		panels = append(panels, widget.Panel{Title: "Found", Info: m.run.Hits.SetName(), View: m.run.Hits.Brief(g.foundW, g.foundH),
			W: g.foundW, H: g.foundH})
	}
	if g.column {
		steps := widget.Panel{Title: "Steps", Info: m.run.Summary().TotalTime(), View: m.run.Steps.View(), W: stepsW, H: g.mainH}
		if g.foundH > 0 {
			steps.View += "\n" + widget.TopEdge(m.st, widget.Panel{Title: "Found", Info: m.run.Hits.SetName(), W: stepsW}) + "\n" +
				m.run.Hits.Brief(g.foundW, g.foundH)
		}
		return widget.SideBySide(m.st, append([]widget.Panel{steps}, panels...)...)
	}
	var strip []string
	if g.stepsH > 0 {
		strip = strings.Split(m.run.Steps.View(), "\n")
	}
	if g.side {
		return append(strip, widget.SideBySide(m.st, panels...)...)
	}
	return append(strip, widget.Stack(m.st, panels...)...)
}

// statusLine is the status, and at its right end the settings of the request or
// the work that goes on.
func (p painter) statusLine() string {
	m := p.m
	left := " "
	doing := m.run.Summary().DoingText()
	switch {
	case m.status.text != "" && (doing == "" || m.status.lasting):
		look := m.st.Plain
		if m.status.look != nil {
			look = m.status.look(m.st)
		}
		room := m.w - 3 - widget.Width(m.status.mark)
		text := widget.Cut(m.status.text, room)
		if m.status.warns() { // so is that of a warning, and what to do
			text = widget.EndOfMessage(m.status.text, room)
		} else if m.status.lasting { // the cause of an error is its end
			text = widget.CutMiddle(m.status.text, room)
		} else if m.w >= crowdedW {
			text = widget.FirstParts(m.status.text, room)
		}
		left += look.Render(m.status.mark + text)
	case m.run.Active():
		if doing == "" {
			doing = "running"
		}
		left += m.st.Accent.Render("● "+widget.Cut(doing, m.w-20)) + m.st.Dim.Render(", esc cancels")
	}
	if work := m.shelf.WorkText(); work != "" {
		return widget.Sides(left, m.st.Accent.Render("● "+work)+" ", m.w)
	}
	return widget.Sides(left, m.st.Accent.Render(p.settingsText(min(m.w-widget.Width(left)-settingsGap, m.w*2/3)-2))+" ", m.w)
}

// settingsGap is the least space between the status and the settings: with none both read as one
// sentence.
const settingsGap = 2

// settingsText are those of the request, and how much a key copies of which extent: as
// much of it as there is room for. The rest is shown again after the next key.
func (p painter) settingsText(room int) string {
	m := p.m
	var notes []string
	if this, other := m.run.BlockSizes(); this.Lines > 0 && m.over.Empty() {
		copies, extent := m.firstKeyOf(keymap.CopyFinal), m.firstKeyOf(keymap.Extent)
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
	chips := m.run.Summary().SettingsText()
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

// firstKeyOf is the first key of an action in the phases.
func (m *Model) firstKeyOf(a keymap.Action) string {
	for _, b := range m.keys.In(keymap.InPane) {
		if b.Action == a {
			return firstWord(b.Label)
		}
	}
	return ""
}

// crowdedW is the width below which the footer of an overlay does without quitting.
const crowdedW = 60

// footerLine is the keys of the mode that work now, as many as there is room for.
// Back, help and quit stand at its end on any screen.
func (p painter) footerLine() string {
	m := p.m
	have := m.needsMet()
	overlaid, hasFooter := overlay.TopAs[overlay.Footer](&m.over)
	var pinned, rest []keymap.Binding
	room := m.w - 1
	width := func(k keymap.Binding) int { return widget.Width(firstWord(k.Label)) + 1 + widget.Width(k.Short) + 2 }
	for _, k := range enterFirst(m.keys.Footer(m.keyboardModes())) {
		if k.Action == keymap.Extent {
			k.Short = m.run.OtherExtent() // what it leads to
		}
		if k.Action == keymap.Ask && (browsingHost{m}).resumesByEnter() {
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
		case (k.Action == keymap.NthPhase || k.Action == keymap.NextFocus) && m.onStartScreen(): // before the first question
		case k.Disabled(have) != "":
		case k.Action == keymap.Back && p.escapeIsIdle():
		case k.Action == keymap.Quit && !m.over.Empty() && m.w < crowdedW: // esc leads to where it is shown
		case k.AlwaysShown():
			pinned = append(pinned, k)
			room -= width(k)
		default:
			rest = append(rest, k)
		}
	}
	var b strings.Builder
	b.WriteString(" ")
	write := func(k keymap.Binding) {
		b.WriteString(m.st.Key.Render(firstWord(k.Label)) + " " + m.st.Dim.Render(k.Short) + "  ")
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
		switch a, b := actsOnCursor(a), actsOnCursor(b); {
		case a && !b:
			return -1
		case b && !a:
			return 1
		}
		return 0
	})
	return keys
}

// actsOnCursor reports whether a key acts on the row under the cursor.
func actsOnCursor(k keymap.Binding) bool { return k.Keys[0] == "enter" && k.Action != keymap.Apply }

// pagePathText is the doc set and the path of the page that is shown or under the cursor of
// an overlay, in w columns; "" if none.
func (p painter) pagePathText(w int) string {
	t, ok := p.m.targetOfOverlay()
	if !ok {
		return ""
	}
	return widget.Path(sanitize.Line(t.DocSet), sanitize.Line(t.FilePath), w)
}

// escapeIsIdle reports whether esc leads nowhere.
func (p painter) escapeIsIdle() bool {
	m := p.m
	if a := (keyboard{m}).answerRead(); a != nil && a.HasToLeave() {
		return false
	}
	return m.over.Empty() && m.prompt == nil && !m.shelf.OnFirstRun() && !m.run.Active() && !m.tour.Running() &&
		(m.focus == onPane || m.focus == onQuestion && !m.run.HasRun())
}

func firstWord(label string) string {
	key, _, _ := strings.Cut(label, " ")
	return key
}
