package tui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"docent/tui/overlay"
	"docent/tui/pane/stepper"
	"docent/tui/style"
)

// The smallest screen that the app can be used on, and the widths from which
// the preview stands next to the hits and the phases stand in a column.
const (
	minW, minH = 40, 10
	sideW      = 100
	columnW    = 140
	stripH     = 30 // lines from which the strip stands above the answer
	stepsW     = 34
	foundW     = 36 // of the list next to the answer
	leastFound = 6  // lines of it
)

// geometry is the size of each part of the screen, in columns and lines inside its
// frame.
type geometry struct {
	column   bool // the phases stand in a column
	side     bool // the preview stands next to the hits
	stepsH   int
	foundW   int // 0: the list is not next to the answer
	foundH   int
	mainW    int
	mainH    int
	listW    int
	listH    int
	previewW int
	previewH int // 0: no room
}

// screen is the size of the screen, how many lines of it the tour takes, and whether the
// answer is on it.
type screen struct {
	w, h, tour int
	answer     bool
}

func (m *Model) screenSize() screen {
	return screen{m.w, m.h, m.tour.Height(m.w, m.h), m.run.Answer.Selected()}
}

func (s screen) isTooSmall() bool { return s.w < minW || s.h < minH }

func (s screen) geometry() geometry {
	g := geometry{column: s.w >= columnW && s.h >= 16, side: s.w >= sideW}
	g.mainW = s.w - 2
	g.mainH = s.h - s.tour - 4 - 2 // title, question, status, footer; the frame
	if g.column {
		g.mainW -= stepsW + 1
	} else {
		switch {
		case s.answer && s.h < stripH: // a small screen is the answer's
		case s.h < 15:
			g.stepsH = 1
		default:
			g.stepsH = stepper.StripHeight
		}
		g.mainH -= g.stepsH
	}
	g.mainH = max(1, g.mainH)
	switch steps := 2 * stepper.Count; {
	case !s.answer:
	case g.column && g.mainH-steps-1 >= leastFound:
		g.stepsH, g.foundW, g.foundH = steps, stepsW, g.mainH-steps-1
	case !g.column && g.side && g.mainH >= leastFound:
		g.foundW, g.foundH = foundW, g.mainH
		g.mainW -= foundW + 1
	}
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
func (s screen) overlaySize() (w, h int) { return s.w - 2, max(1, s.h-s.tour-6) }

// listWidth is the columns of an overlay's list at the left of the preview, 0 where the
// overlay has the whole width.
func (m *Model) listWidth() int {
	if p, ok := overlay.TopAs[overlay.Previewer](&m.over); !ok || !p.Previewing() || m.w < sideW {
		return 0
	}
	return min((m.w-3)/2, 96)
}

// layOutPanes gives every pane its size.
func (m *Model) layOutPanes() {
	scr := m.screenSize()
	if scr.isTooSmall() {
		return
	}
	g := scr.geometry()
	switch {
	case g.column && g.foundH > 0:
		m.run.Steps.SetSize(stepsW, g.stepsH)
	case g.column:
		m.run.Steps.SetSize(stepsW, g.mainH)
	default:
		m.run.Steps.SetSize(m.w, g.stepsH)
	}
	m.run.SetSize(g.mainW, g.mainH)
	m.run.Hits.SetSize(g.listW, g.listH)
	w, h := scr.overlaySize()
	m.ask.SetRows(h)
	m.browse.Start.SetSize(w, h)
	m.shelf.SetSize(w, h)
	for _, o := range m.over.All() {
		o.SetSize(w, h)
	}
	switch list := m.listWidth(); {
	case list > 0:
		m.over.Top().SetSize(list, h)
		m.read.Preview.SetSize(w-list-1, h)
	case g.previewH > 0:
		m.read.Preview.SetSize(g.previewW, g.previewH)
	}
	if m.focus == onPreview && (!m.run.OnHits() || g.previewH == 0) {
		m.focus = onPane
	}
}

// previewShown reports whether the preview is on the screen. Otherwise it is not
// rendered.
func (m *Model) previewShown() bool {
	return m.listWidth() > 0 || m.over.Empty() && m.run.OnHits() && m.screenSize().geometry().previewH > 0
}

// redrawPages renders pages again, for another width or other styles.
func (m *Model) redrawPages() tea.Cmd {
	return tea.Batch(m.followCursor(), m.over.SendToAll(overlay.Redraw{}))
}

// changeStyles changes the styles, which all panes share.
func (m *Model) changeStyles() tea.Cmd {
	*m.st = *style.StylesOf(m.theme, m.dark)
	m.run.Restyle()
	m.read.Restyle()
	return m.redrawPages()
}

// nextTheme goes through the themes.
func (m *Model) nextTheme() tea.Cmd {
	themes := style.Themes()
	m.theme = themes[(slices.Index(themes, m.theme)+1)%len(themes)]
	cmd := m.changeStyles()
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

func (p part) contains(x, y int) bool { return x >= p.x && x < p.x+p.w && y >= p.y && y < p.y+p.h }

// foundPart is the place of the list next to the answer.
func (s screen) foundPart() part {
	g := s.geometry()
	steps, list, _ := s.partsOfScreen(false)
	switch {
	case g.foundH == 0:
		return part{}
	case g.column:
		return part{steps.x, steps.y + steps.h + 1, g.foundW, g.foundH}
	}
	return part{list.x + list.w + 1, list.y, g.foundW, g.foundH}
}

// partsOfScreen are the places of the phases, of the pane and of the preview, as the painter
// draws them. The preview's is empty where it is not shown; onHits is set while the pane
// is that of the hits.
func (s screen) partsOfScreen(onHits bool) (steps, list, prev part) {
	g := s.geometry()
	top := 2 // behind the title and the question
	x := 1
	if g.column {
		steps = part{1, top + 1, stepsW, g.mainH}
		if g.foundH > 0 {
			steps.h = g.stepsH
		}
		x += stepsW + 1
	} else {
		steps = part{0, top, s.w, g.stepsH}
		top += g.stepsH
	}
	list = part{x, top + 1, g.mainW, g.mainH}
	if !onHits {
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
