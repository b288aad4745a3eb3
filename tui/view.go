package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline/contract"
	"docent/pipeline/sanitize"
	"docent/tui/keymap"
	"docent/tui/pane/stepper"
	"docent/tui/style"
	"docent/tui/widget"
)

// The smallest screen that the app can be used on, and the widths from which
// the preview stands beside the hits and the phases stand in a column.
const (
	minW, minH = 40, 10
	sideW      = 100
	columnW    = 140
	stepsW     = 34
)

// status is the line that says what a key did or why it did not.
type status struct {
	text string
	mark string
	look func(*style.Styles) style.Style
	// lasting: an error stays until the next run.
	lasting bool
}

func (m *Model) say(text string) { m.setStatus("", text, nil) }
func (m *Model) good(text string) {
	m.setStatus("✓ ", text, func(s *style.Styles) style.Style { return s.Good })
}
func (m *Model) warn(text string) {
	m.setStatus("! ", text, func(s *style.Styles) style.Style { return s.Warn })
}
func (m *Model) fail(text string) {
	m.setStatus("✗ ", text, func(s *style.Styles) style.Style { return s.Bad })
	m.status.lasting = true
}
func (m *Model) clearStatus() { m.status = status{} }

func (m *Model) setStatus(mark, text string, look func(*style.Styles) style.Style) {
	m.status = status{text: sanitize.Line(text), mark: mark, look: look}
}

// geometry is where things are, all in columns and lines inside their frames.
type geometry struct {
	column   bool // the phases stand in a column
	side     bool // the preview stands beside the hits
	stepsH   int
	mainW    int
	mainH    int
	listW    int
	listH    int
	previewW int
	previewH int // 0: no room
}

func (m *Model) small() bool { return m.w < minW || m.h < minH }

func (m *Model) geometry() geometry {
	g := geometry{column: m.w >= columnW && m.h >= 16, side: m.w >= sideW}
	g.mainW = m.w - 2
	g.mainH = m.h - m.tourH() - 4 - 2 // title, question, status, footer; the frame
	if g.column {
		g.mainW -= stepsW + 1
	} else {
		g.stepsH = stepper.StripHeight
		if m.h < 15 {
			g.stepsH = 1 // the hits need the lines more than the times do
		}
		g.mainH -= g.stepsH
	}
	g.mainH = max(1, g.mainH)
	g.listW, g.listH = g.mainW, g.mainH
	switch {
	case g.side:
		g.listW = min(g.mainW/2, 96)
		g.previewW, g.previewH = g.mainW-g.listW-1, g.mainH
	case g.mainH >= 11:
		g.listH = max(4, g.mainH*2/5)
		g.previewW, g.previewH = g.mainW, g.mainH-g.listH-1
	}
	return g
}

// layout gives every pane its size.
func (m *Model) layout() {
	if m.small() {
		return
	}
	g := m.geometry()
	if g.column {
		m.steps.SetSize(stepsW, g.mainH)
	} else {
		m.steps.SetSize(m.w, g.stepsH)
	}
	for _, p := range []pane{m.optimize, m.route, m.merge, m.rerank, m.extract, m.check, m.final} {
		p.SetSize(g.mainW, g.mainH)
	}
	m.hits.SetSize(g.listW, g.listH)
	overW, overH := m.w-2, max(1, m.h-m.tourH()-6)
	m.library.SetSize(overW, overH)
	m.first.SetSize(overW, overH)
	m.sets.SetSize(overW, overH)
	m.help.SetSize(overW, overH)
	m.picker.SetSize(overW, overH)
	m.reader.SetSize(overW, overH)
	if g.previewH > 0 {
		m.preview.SetSize(g.previewW, g.previewH)
	}
	if m.focus == onPreview && (!m.onHits() || g.previewH == 0) {
		m.focus = onPane
	}
}

// View is one frame: exactly as many lines and columns as the screen has.
func (m *Model) View() tea.View {
	v := tea.View{AltScreen: true, WindowTitle: m.windowTitle()}
	if m.small() {
		v.Content = strings.Join(m.tooSmall(), "\n")
		return v
	}
	lines := []string{m.titleLine()}
	question, cursor := m.questionLine()
	lines = append(lines, question)
	switch m.mode() {
	case keymap.InQuestion:
		v.Cursor = tea.NewCursor(cursor, 1)
	case keymap.InEntry:
		if x, y, ok := m.library.Cursor(); ok {
			v.Cursor = tea.NewCursor(1+x, 3+y)
		}
	}
	if x, y, ok := m.reader.Cursor(); ok && m.over == readerOverlay {
		v.Cursor = tea.NewCursor(1+x, 3+y)
	}
	switch m.over {
	case readerOverlay:
		lines = append(lines, m.framed(m.reader.Title(), m.reader.Info(), m.reader)...)
	case setsOverlay:
		lines = append(lines, m.framed("Doc sets", fmt.Sprintf("%d", len(m.sets.Sets())), m.sets)...)
	case pickerOverlay:
		lines = append(lines, m.framed(m.picker.Title(), "", m.picker)...)
		if m.prompt == nil {
			v.Cursor = tea.NewCursor(1+m.picker.Cursor(), 3)
		}
	case libraryOverlay:
		lines = append(lines, m.framed(m.library.Title(), m.library.Info(), m.library)...)
	case helpOverlay:
		lines = append(lines, m.framed("Help", m.help.Share(), m.help)...)
	default:
		if m.inFirst {
			lines = append(lines, m.framed("Welcome", "", m.first)...)
			break
		}
		if m.suggesting() {
			lines = append(lines, m.suggestionFrame()...)
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
func (m *Model) framed(title, info string, p pane) []string {
	return widget.Stack(m.st, widget.Panel{Title: title, Info: info, View: p.View(), W: m.w - 2, H: max(1, m.h-m.tourH()-6), Focused: true})
}

func (m *Model) tooSmall() []string {
	lines := make([]string, 0, m.h)
	lines = append(lines, fmt.Sprintf("docent needs %dx%d;", minW, minH), fmt.Sprintf("this is %dx%d.", m.w, m.h),
		"Nothing is lost.")
	return widget.Exact(lines, max(0, m.w), max(0, m.h))
}

func (m *Model) windowTitle() string {
	if m.req.Question == "" {
		return "docent"
	}
	return "docent: " + widget.Cut(sanitize.Line(m.req.Question), 60)
}

func (m *Model) titleLine() string {
	left := " " + m.st.Title.Render("docent")
	if m.opt.Version != "" {
		left += " " + m.st.Dim.Render(sanitize.Line(m.opt.Version))
	}
	return widget.Sides(left, m.st.Dim.Render(m.corpus())+" ", m.w)
}

// corpus is what is searched, or how far its opening is.
func (m *Model) corpus() string {
	if !m.ready {
		if !m.opening {
			return "not open"
		}
		text := "opening the doc sets …"
		if at := m.openAt; at.total > 0 {
			text = fmt.Sprintf("%s %s %d/%d", sanitize.Line(at.text), widget.Bar(float64(at.done)/float64(at.total), 10), at.done, at.total)
		} else if at.text != "" {
			text = sanitize.Line(at.text)
		}
		return widget.Cut(text, m.w/2)
	}
	if n := len(m.req.DocSets); n > 0 {
		return widget.Cut("in "+sanitize.Line(strings.Join(m.req.DocSets, ", ")), m.w/2)
	}
	all, manual := m.sets.Sets(), m.manual()
	sets, pages := 0, 0
	for _, s := range all {
		if s.Name != manual || len(all) == 1 { // beside others it is searched when asked for
			sets, pages = sets+1, pages+s.Pages
		}
	}
	text := fmt.Sprintf("%s · %s", count(sets, "doc set"), count(pages, "page"))
	if m.besideText != "" && widget.Width(text+m.besideText) < m.w-20 {
		return text + " · " + m.besideText
	}
	if by := " · " + m.answeredBy(); by != " · " && widget.Width(text+by) <= m.w/2 {
		text += by
	}
	return text
}

// hint is what the pane of the hits says before a question has been run.
func (m *Model) hint() string {
	lines := []string{"Type a question and press enter. The answer is your documentation, word for word, with its sources.", ""}
	sets := m.sets.Sets()
	switch {
	case !m.ready:
	case len(sets) == 0:
		lines = append(lines, "There is nothing to search yet. Add your docs: ctrl+l opens the library, a adds a folder.")
	case len(sets) == 1 && m.manual() != "":
		lines = append(lines, "Only docent's own manual is here; try:  how do I add a doc set",
			"Add your docs: ctrl+l opens the library, a adds a folder.")
	case m.manual() != "":
		lines = append(lines, "To ask docent's own manual: f1, then m.")
	}
	return strings.Join(append(lines, "f1 lists the keys."), "\n")
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// questionLine is the line and the cursor's column in it.
func (m *Model) questionLine() (string, int) {
	prompt := m.st.Dim.Render(" ❯ ")
	if m.mode() == keymap.InQuestion {
		prompt = m.st.Title.Render(" ❯ ")
	}
	text, cursor := m.input.View(m.w - 5)
	if text == "" {
		hint := "ask the documentation"
		if m.req.Question != "" {
			hint = sanitize.Line(m.req.Question) // what is on the screen answers it
		}
		text = m.st.Dim.Render(widget.Cut(hint, m.w-5))
	} else if m.mode() == keymap.InQuestion {
		text = m.st.Strong.Render(text)
	}
	return widget.Fit(prompt+text, m.w), 3 + cursor
}

// main is the phases and the pane of the selected one.
func (m *Model) main() []string {
	g := m.geometry()
	onPaneNow, onPreviewNow := m.focus == onPane, m.focus == onPreview
	m.hits.SetFocused(onPaneNow)
	phase := m.steps.Selected()
	title := phase + " " + stepper.Name(phase)
	if phase == contract.PhaseMerge || phase == contract.PhaseCite {
		title = stepper.Name(phase)
	}
	if s := m.steps.Step(phase); s.State == stepper.Stale {
		title += " (stale)"
	}
	p := widget.Panel{Title: title, Info: m.info(), View: m.current().View(), W: g.mainW, H: g.mainH, Focused: onPaneNow}
	live, isLive := m.live()
	if isLive {
		p = live // it has the room of the hits and of the preview
		p.W, p.H, p.Focused = g.mainW, g.mainH, onPaneNow
	}
	panels := []widget.Panel{p}
	if m.onHits() && !isLive {
		panels[0].W, panels[0].H = g.listW, g.listH
		if g.previewH > 0 {
			panels = append(panels, widget.Panel{Title: m.preview.Title(), Info: m.preview.Info(), View: m.preview.View(),
				W: g.previewW, H: g.previewH, Focused: onPreviewNow})
		}
	}
	if g.column {
		steps := widget.Panel{Title: "Phases", Info: m.total(), View: m.steps.View(), W: stepsW, H: g.mainH}
		return widget.Side(m.st, append([]widget.Panel{steps}, panels...)...)
	}
	strip := strings.Split(m.steps.View(), "\n")
	if g.side {
		return append(strip, widget.Side(m.st, panels...)...)
	}
	return append(strip, widget.Stack(m.st, panels...)...)
}

// info is what the frame of the main pane says at its right end.
func (m *Model) info() string {
	if m.onHits() {
		return m.hits.Info()
	}
	if m.current() == pane(m.final) && m.final.Lines() > 0 {
		return strings.TrimSuffix(fmt.Sprintf("%s, %s · %s", count(m.final.Lines(), "line"), count(len(m.res.Citations), "citation"), m.final.Share()), " · ")
	}
	if s, ok := m.current().(interface{ Share() string }); ok {
		return s.Share()
	}
	return ""
}

// total is the time of all phases together.
func (m *Model) total() string {
	if m.running {
		return "running"
	}
	sum := 0.0
	for _, ph := range contract.Phases() {
		if s := m.steps.Step(ph); s.State == stepper.Done {
			sum += s.MS
		}
	}
	if sum == 0 {
		return ""
	}
	return stepper.Elapsed(stepper.Step{State: stepper.Done, MS: sum})
}

// statusLine is what was just said, and at its right end what a person has set.
func (m *Model) statusLine() string {
	left := " "
	doing := m.doing()
	switch {
	case m.status.text != "" && (doing == "" || m.status.lasting):
		look := m.st.Plain
		if m.status.look != nil {
			look = m.status.look(m.st)
		}
		text := m.status.text
		if m.status.lasting {
			text = keepEnds(text, m.w-3-widget.Width(m.status.mark))
		}
		left += look.Render(m.status.mark + text)
	case m.running:
		if doing == "" {
			doing = "running"
		}
		left += m.st.Accent.Render("● "+widget.Cut(doing, m.w-20)) + m.st.Dim.Render(", esc cancels")
	}
	chips := m.st.Accent.Render(m.chips()) + " "
	if m.shelf.on && m.over != libraryOverlay && !m.inFirst {
		return widget.Sides(left, m.st.Accent.Render("● "+m.shelf.work.Chip())+" ", m.w)
	}
	if m.status.text != "" && widget.Width(left)+widget.Width(chips) > m.w {
		chips = "" // what was just said goes first; the settings come back with the next key
	}
	return widget.Sides(left, chips, m.w)
}

// keepEnds shortens a message in its middle: what failed stands at its beginning
// and why at its end.
func keepEnds(text string, w int) string {
	if widget.Width(text) <= w || w < 20 {
		return text
	}
	head := widget.CutTail(text, w/3, "")
	return head + " " + widget.CutStart(text, w-widget.Width(head)-1)
}

// chips are the settings that differ from what the phases would choose.
func (m *Model) chips() string {
	var out []string
	if m.req.Scene != "" {
		out = append(out, m.req.Scene)
	}
	if m.req.Threshold != nil {
		out = append(out, fmt.Sprintf("≥ %.2f", *m.req.Threshold))
	}
	if m.req.Reranker != nil && !*m.req.Reranker {
		out = append(out, "no rerank")
	}
	if m.req.Preferences.Full {
		out = append(out, "full")
	}
	switch {
	case m.req.Preferences.Summarize:
		out = append(out, "summarize")
	case m.req.Preferences.Compress:
		out = append(out, "compress")
	}
	if n := len(m.req.Exclude); n > 0 {
		out = append(out, fmt.Sprintf("%d left out", n))
	}
	return sanitize.Line(strings.Join(out, " · "))
}

// footer is the keys of the mode, as many as there is room for; those that do
// not work now are not shown. Back, help and quit stand at its end on any
// screen.
func (m *Model) footer() string {
	have := m.have()
	var pinned, rest []keymap.Binding
	room := m.w - 1
	width := func(k keymap.Binding) int { return widget.Width(first(k.Label)) + 1 + widget.Width(k.Short) + 2 }
	for _, k := range m.keys.Footer(m.modes()) {
		switch {
		case k.Disabled(have) != "", k.Action == keymap.Help && m.over == helpOverlay:
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

func first(label string) string {
	key, _, _ := strings.Cut(label, " ")
	return key
}
