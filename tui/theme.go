package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"docent/tui/style"
)

// restyle puts another look on everything: the styles are shared by all panes.
func (m *Model) restyle() tea.Cmd {
	*m.st = *style.Of(m.theme, m.dark)
	m.show(true)
	m.preview.Restyle()
	m.reader.Restyle()
	return m.redraw()
}

// nextTheme goes through the themes; what the terminal said of its background is
// not forgotten.
func (m *Model) nextTheme() tea.Cmd {
	themes := style.Themes()
	for i, t := range themes {
		if t == m.theme {
			m.theme = themes[(i+1)%len(themes)]
			break
		}
	}
	cmd := m.restyle()
	m.say(fmt.Sprintf("theme: %s; theme = %q under [tui] in docent.toml keeps it", m.theme.About(), m.theme))
	return cmd
}
