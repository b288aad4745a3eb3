// Package help is the screen of all keys, made from the table in tui/keymap.
//
// It refuses to list a key that the table does not have.
package help

import (
	"docent/tui/keymap"
	"docent/tui/style"
	"docent/tui/widget"
)

// Pane is the pane.
type Pane struct {
	widget.Sheet
	st *style.Styles
}

// New is an empty pane.
func New(st *style.Styles) *Pane { return &Pane{st: st} }

// legend explains the marks of states.
var legend = []struct{ mark, text string }{
	{"· ● ✓", "a phase waits, runs, is done"},
	{"~ – ✗", "a phase is stale, was skipped, failed; at a hit: ~ the file changed since it was indexed, ✗ left out by you"},
	{"!", "a phase was answered by less than was wanted; at a hit: kept although it is below the threshold"},
	{"·", "at a hit: kept, but not in the block, which is full (max_docs, lines)"},
	{"↓", "a hit under the threshold: lower it to take the page in"},
	{"lvl", "where a hit was found: 1 a title or heading, 2 a page's contents list, 3.1 that of another doc set, 3.2 the text"},
}

// Show lists the keys. A key that does not work with have is listed with the
// reason.
func (p *Pane) Show(keys *keymap.Map, have keymap.Need) {
	w := &widget.Writer{St: p.st}
	const lead = 16
	for _, g := range keymap.Groups() {
		w.Head(string(g))
		for _, b := range keys.Table() {
			if b.Group != g {
				continue
			}
			row := widget.Row{Lead: widget.Fit("  "+b.Label, lead), LeadStyle: p.st.Key, Body: b.Help}
			if why := b.Disabled(have); why != "" {
				row.Body += "  (not now: " + why + ")"
				row.Style = p.st.Dim
			}
			w.Rows = append(w.Rows, row)
		}
		if g == keymap.Manuals {
			w.Rows = append(w.Rows, widget.Row{Lead: widget.Fit("  docent help", lead), LeadStyle: p.st.Key,
				Body: "in a shell: lists its pages; docent help PAGE shows one"})
		}
	}
	w.Head("Marks")
	for _, l := range legend {
		w.Rows = append(w.Rows, widget.Row{Lead: widget.Fit("  "+l.mark, lead), LeadStyle: p.st.Accent, Body: l.text})
	}
	p.SetRows(w.Rows)
}
