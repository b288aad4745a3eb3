package tui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"docent/tui/keymap"
	"docent/tui/pane/stepper"
	"docent/tui/style"
)

// The smallest screen that the app can be used on, and the widths from which
// the preview stands beside the hits and the phases stand in a column.
const (
	minW, minH = 40, 10
	sideW      = 100
	columnW    = 140
	timesH     = 30 // lines from which the strip shows the steps' times
	stepsW     = 34
)

// geometry is the size of each part of the screen, in columns and lines inside its
// frame.
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
		switch { // on a small screen the hits need the lines more than the times do
		case m.h < 15:
			g.stepsH = 1
		case m.h < timesH:
			g.stepsH = stepper.StripHeight - 1
		default:
			g.stepsH = stepper.StripHeight
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
		g.listH = max(4, g.mainH*9/20)
		g.previewW, g.previewH = g.mainW, g.mainH-g.listH-1
	}
	return g
}

// overlaySize is the columns and lines inside the frame of an overlay.
func (m *Model) overlaySize() (w, h int) { return m.w - 2, max(1, m.h-m.tourH()-6) }

// layout gives every pane its size.
func (m *Model) layout() {
	if m.small() {
		return
	}
	g := m.geometry()
	if g.column {
		m.run.Steps.SetSize(stepsW, g.mainH)
	} else {
		m.run.Steps.SetSize(m.w, g.stepsH)
	}
	m.run.SetSize(g.mainW, g.mainH)
	m.run.Hits.SetSize(g.listW, g.listH)
	w, h := m.overlaySize()
	m.ask.SetRows(h)
	m.browse.Start.SetSize(w, h)
	listW := w
	if list := m.besideW(); list > 0 {
		listW = list
	}
	m.browse.Launcher.SetSize(listW, h)
	m.shelf.SetSize(w, h)
	m.shelf.Library.SetSize(listW, h)
	m.help.SetSize(w, h)
	m.picker.SetSize(w, h)
	m.diff.Pane.SetSize(w, h)
	m.read.Reader.SetSize(w, h)
	switch {
	case listW < w:
		m.read.Preview.SetSize(w-listW-1, h)
	case g.previewH > 0:
		m.read.Preview.SetSize(g.previewW, g.previewH)
	}
	if m.focus == onPreview && (!m.run.OnHits() || g.previewH == 0) {
		m.focus = onPane
	}
}

// previewSeen says whether the preview is on the screen. A preview that nobody
// sees is not rendered.
func (m *Model) previewSeen() bool {
	return m.besideW() > 0 || m.over == noOverlay && m.run.OnHits() && m.geometry().previewH > 0
}

// redraw renders pages anew for another width or other styles.
func (m *Model) redraw() tea.Cmd {
	if slices.Contains(append(m.under, m.over), readerOverlay) {
		return tea.Batch(m.followCursor(), m.read.Reader.Render())
	}
	return m.followCursor()
}

// restyle changes the styles, which all panes share.
func (m *Model) restyle() tea.Cmd {
	*m.st = *style.Of(m.theme, m.dark)
	m.run.Restyle()
	m.read.Restyle()
	return m.redraw()
}

// nextTheme goes through the themes.
func (m *Model) nextTheme() tea.Cmd {
	themes := style.Themes()
	m.theme = themes[(slices.Index(themes, m.theme)+1)%len(themes)]
	cmd := m.restyle()
	say := "colours: " + m.theme.About()
	switch {
	case m.themeSet:
		say += fmt.Sprintf("; theme = %q in docent.toml keeps them", m.theme)
	case m.opt.KeepState != nil:
		say += ", kept for the next start"
	}
	m.status.Say(say)
	if m.themeSet || m.opt.KeepState == nil {
		return cmd
	}
	m.kept.Theme = string(m.theme)
	m.opt.Kept = m.kept
	ctx, keep, state := m.ctx, m.opt.KeepState, m.kept
	return tea.Batch(cmd, func() tea.Msg {
		if err := keep(ctx, state); err != nil && ctx.Err() == nil {
			return notKeptMsg{err}
		}
		return nil
	})
}

// part is a rectangle of the screen, inside its frame.
type part struct{ x, y, w, h int }

func (p part) has(x, y int) bool { return x >= p.x && x < p.x+p.w && y >= p.y && y < p.y+p.h }

// parts are the places of the phases, of the pane and of the preview, as View and
// main draw them. The preview's is empty where it is not shown.
func (m *Model) parts() (steps, list, prev part) {
	g := m.geometry()
	top := 2 // behind the title and the question
	x := 1
	if g.column {
		steps = part{1, top + 1, stepsW, g.mainH}
		x += stepsW + 1
	} else {
		steps = part{0, top, m.w, g.stepsH}
		top += g.stepsH
	}
	list = part{x, top + 1, g.mainW, g.mainH}
	if !m.run.OnHits() {
		return steps, list, prev
	}
	list.w, list.h = g.listW, g.listH
	switch {
	case g.previewH == 0:
	case g.side:
		prev = part{x + g.listW + 1, top + 1, g.previewW, g.previewH}
	default:
		prev = part{x, top + 1 + g.listH + 1, g.previewW, g.previewH}
	}
	return steps, list, prev
}

// wheelLines is how far a notch of the wheel scrolls.
const wheelLines = 3

// mouse handles clicks and the wheel. Each of them has a key, too.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	if m.small() || m.mouseOff {
		return nil
	}
	at := msg.Mouse()
	switch msg.(type) {
	case tea.MouseWheelMsg:
		a := keymap.Down
		switch at.Button {
		case tea.MouseWheelUp:
			a = keymap.Up
		case tea.MouseWheelDown:
		default:
			return nil
		}
		return m.wheel(a, at.X, at.Y)
	case tea.MouseClickMsg:
		if at.Button == tea.MouseLeft {
			return m.click(at.X, at.Y)
		}
	}
	return nil
}

func (m *Model) wheel(a keymap.Action, x, y int) tea.Cmd {
	var cmds []tea.Cmd
	times := func(f func() tea.Cmd) tea.Cmd {
		for range wheelLines {
			cmds = append(cmds, f())
		}
		return tea.Batch(cmds...)
	}
	if m.prompt != nil {
		return nil
	}
	if m.over != noOverlay {
		return times(func() tea.Cmd { return m.scroll(a, m.mode()) })
	}
	_, list, prev := m.parts()
	switch {
	case prev.has(x, y):
		return times(func() tea.Cmd { return m.read.Preview.Update(a) })
	case list.has(x, y):
		return times(func() tea.Cmd { return m.scroll(a, keymap.InPane) })
	}
	return nil
}

// click puts the cursor where it was clicked; a second click on the same hit
// opens it.
func (m *Model) click(x, y int) tea.Cmd {
	if m.prompt != nil {
		return nil
	}
	if m.over != noOverlay {
		inside := part{1, 3, m.w - 2, m.h - 6}
		if m.over == pickerOverlay && inside.has(x, y) && m.picker.Click(y-inside.y) {
			return m.picker.Update(keymap.TakeItem)
		}
		if m.over == readerOverlay && inside.has(x, y) {
			return m.read.Reader.Click(x-inside.x, y-inside.y)
		}
		if m.over == setsOverlay && inside.has(x, y) && m.shelf.Sets.Click(y-inside.y) {
			return m.shelf.Sets.Update(keymap.Pick)
		}
		if m.over == versionsOverlay && inside.has(x, y) && m.diff.Pane.Click(y-inside.y) {
			return m.now(m.diff.Pane.Update(keymap.Open))
		}
		if list := m.besideW(); list > 0 {
			inside.w = list
		}
		if m.over == launcherOverlay && inside.has(x, y) && m.browse.Launcher.Click(y-inside.y) {
			return m.browse.Launcher.Update(keymap.TakeItem)
		}
		if m.over == libraryOverlay && inside.has(x, y) && m.mode() != keymap.InConfirm {
			return tea.Batch(m.shelf.Library.Click(y-inside.y), m.followCursor())
		}
		return nil
	}
	if y == 1 {
		return m.do(keymap.EditQuestion, "", keymap.InPane)
	}
	if m.ask.Suggesting() {
		return m.ask.Click(y - 3)
	}
	if m.starting() {
		if m.browse.Start.Click(y - 3) {
			return m.browse.Start.Update(keymap.GoOn)
		}
		return nil
	}
	steps, list, prev := m.parts()
	switch {
	case steps.has(x, y):
		if m.run.Steps.Click(x-steps.x, y-steps.y) {
			m.focus = onPane
			return m.phaseChanged()
		}
	case prev.has(x, y):
		m.focus = onPreview
	case list.has(x, y):
		return m.clickPane(y - list.y)
	}
	return nil
}

func (m *Model) clickPane(y int) tea.Cmd {
	was := m.focus
	m.focus = onPane
	if m.run.OnHits() {
		before, _ := m.run.Hits.Selected()
		if !m.run.Hits.Click(y) {
			return nil
		}
		if now, _ := m.run.Hits.Selected(); was == onPane && now.Hit() == before.Hit() && now.Heading.Section == before.Heading.Section {
			return m.run.Hits.Update(keymap.Open)
		}
		return m.followCursor()
	}
	if p, ok := m.run.Pane().(interface{ Click(y int) bool }); ok {
		p.Click(y)
	}
	return nil
}
