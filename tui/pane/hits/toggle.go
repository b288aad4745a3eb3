package hits

import tea "charm.land/bubbletea/v2"

// TogglePage is the intent to leave a page out of the answer or to include it again; nil where it was not found.
func (p *Pane) TogglePage(docSet, filePath string) tea.Cmd {
	var of *Row
	for i := range p.rows {
		if r := &p.rows[i]; r.Page.DocSet == docSet && r.Page.FilePath == filePath && (of == nil || of.Dropped && !of.Out) {
			of = r // one that is under the threshold is left out already
		}
	}
	if of == nil {
		return nil
	}
	row := *of
	return func() tea.Msg { return Toggled{Row: row, Page: true} }
}
