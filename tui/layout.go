package tui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"docent/tui/pane/stepper"
	"docent/tui/style"
)

// The smallest screen that the app can be used on, and the widths from which
// the preview stands beside the hits and the phases stand in a column.
const (
	minW, minH = 40, 10
	sideW      = 100
	columnW    = 140
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
	m.shelf.SetSize(w, h)
	m.help.SetSize(w, h)
	m.picker.SetSize(w, h)
	m.read.Reader.SetSize(w, h)
	if g.previewH > 0 {
		m.read.Preview.SetSize(g.previewW, g.previewH)
	}
	if m.focus == onPreview && (!m.run.OnHits() || g.previewH == 0) {
		m.focus = onPane
	}
}

// previewSeen says whether the preview is on the screen. A preview that nobody
// sees is not rendered.
func (m *Model) previewSeen() bool {
	return m.over == noOverlay && m.run.OnHits() && m.geometry().previewH > 0
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
		say += fmt.Sprintf("; the next start has those of docent.toml: theme = %q keeps these", m.theme)
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
