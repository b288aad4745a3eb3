// Package help is the screen of the keys, made from the table in tui/keymap: those of
// the place that a person comes from first, then all others. It can be searched.
//
// It refuses to list a key that the table does not have.
package help

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/tui/keymap"
	"docent/tui/style"
	"docent/tui/widget"
)

// Pane is the pane.
type Pane struct {
	widget.Sheet
	st     *style.Styles
	keys   *keymap.Map
	have   keymap.Need
	from   keymap.Mode
	place  string
	find   widget.Input
	typing bool
	w, h   int
}

// New is an empty pane.
func New(st *style.Styles) *Pane { return &Pane{st: st} }

// legend explains the marks of states.
var legend = []struct{ mark, text string }{
	{"· ● ✓", "a step waits, runs, is done"},
	{"~ – ✗", "a step is out of date, was not needed, failed"},
	{"!", "at a step: the model did not answer, so docent did; at a hit: kept or copied although it is under the threshold"},
	{"● ○", "at a hit: copied; kept, and did not fit into the answer, which is full"},
	{"↓", "at a hit: under the threshold; a lower one takes it in"},
	{"~ ✗", "at a hit: its file changed since it was indexed; left out by you"},
	{"match", "how well a section answers, from 0 to 1"},
}

// ShowKeys lists the keys, those of the modes from first; place is what these are called.
// A key that does not work with have is listed with the reason.
func (p *Pane) ShowKeys(keys *keymap.Map, have keymap.Need, from keymap.Mode, place string) {
	p.keys, p.have, p.from, p.place = keys, have, from, place
	p.find.SetValue("")
	p.typing = false
	p.listBindings()
}

// Title is the title of the frame.
func (p *Pane) Title() string { return "Help" }

// Info is the right end of the frame's title: where the view is in the keys.
func (p *Pane) Info() string { return p.Share() }

// Footer leaves the key of the help out.
func (p *Pane) Footer(b keymap.Binding) (keymap.Binding, bool) { return b, b.Action != keymap.Help }

// Mode reports whether the search line has the keyboard.
func (p *Pane) Mode() keymap.Mode {
	if p.typing {
		return keymap.InHelpFind
	}
	return keymap.InHelp
}

// SetSize sets the columns and lines of the view.
func (p *Pane) SetSize(w, h int) {
	p.w, p.h = w, h
	p.resize()
}

func (p *Pane) searching() bool { return p.typing || p.find.Value() != "" }

func (p *Pane) resize() {
	h := p.h
	if p.searching() {
		h--
	}
	p.Sheet.SetSize(p.w, max(1, h))
}

// Key types a key into the search line.
func (p *Pane) Key(k tea.KeyPressMsg) { p.editSearch(func() { p.find.Key(k) }) }

// Paste puts a text into the search line.
func (p *Pane) Paste(text string) { p.editSearch(func() { p.find.Insert(text) }) }

func (p *Pane) editSearch(edit func()) {
	edit()
	p.listBindings()
	p.Rewind()
}

// Escape leaves the search, and reports whether there was one.
func (p *Pane) Escape() bool {
	if !p.searching() {
		return false
	}
	p.typing = false
	p.find.SetValue("")
	p.listBindings()
	p.Rewind()
	return true
}

// Bindings are the keys that the pane knows.
func (p *Pane) Bindings() []keymap.Binding {
	return append(keymap.Scrolling(), keymap.BindingsOf(keymap.SearchHelp, keymap.SearchDone)...)
}

// Update scrolls, or begins or ends typing in the search line.
func (p *Pane) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		p.Key(msg)
		return nil
	case tea.PasteMsg:
		p.Paste(msg.Content)
		return nil
	case keymap.Action:
		if msg == keymap.SearchHelp || msg == keymap.SearchDone {
			p.typing = msg == keymap.SearchHelp
			p.resize()
			return nil
		}
	}
	return p.Sheet.Update(msg)
}

// Cursor is the place of the text cursor, in the first line of the view; false where
// nothing is typed.
func (p *Pane) Cursor() (x, y int, ok bool) {
	_, c := p.find.View(max(1, p.w-4))
	return c + 3, 0, p.typing
}

// View is the search line, where there is one, and the keys.
func (p *Pane) View() string {
	if !p.searching() {
		return p.Sheet.View()
	}
	text, _ := p.find.View(max(1, p.w-4))
	return widget.Cut(" "+p.st.Accent.Render("/")+" "+text, p.w) + "\n" + p.Sheet.View()
}

const lead = 16

// listBindings makes the rows.
func (p *Pane) listBindings() {
	if p.keys == nil {
		return
	}
	w := &widget.Writer{St: p.st}
	words := strings.Fields(strings.ToLower(p.find.Value()))
	var listed []keymap.Binding
	part := func(title string, rows []keymap.Binding) {
		rows = slices.DeleteFunc(rows, func(b keymap.Binding) bool { return !matchesWords(words, b, title) })
		if len(rows) == 0 {
			return
		}
		w.WriteHead(title)
		for _, b := range rows {
			w.Rows = append(w.Rows, p.bindingRow(b))
		}
	}
	listed = p.bindingsHere()
	part("Here: "+p.place, slices.Clone(listed))
	for _, g := range keymap.GroupsInOrder() {
		var rows []keymap.Binding
		for _, b := range p.keys.Table() {
			if b.Group == g && !slices.ContainsFunc(slices.Concat(listed, rows), func(o keymap.Binding) bool {
				return o.Action == b.Action &&
					o.Help == b.Help && o.Label == b.Label
			}) {
				rows = append(rows, b)
			}
		}
		part(string(g), rows)
		if g == keymap.Manuals && len(words) == 0 {
			w.Rows = append(w.Rows, widget.Row{Lead: widget.Fit("  docent help", lead), LeadStyle: p.st.Key,
				Body: "in a shell: lists the manual's pages; docent help PAGE shows one"})
		}
	}
	if len(words) == 0 {
		w.WriteHead("Marks")
		for _, l := range legend {
			w.Rows = append(w.Rows, widget.Row{Lead: widget.Fit("  "+l.mark, lead), LeadStyle: p.st.Accent, Body: l.text})
		}
	} else if len(w.Rows) == 0 {
		w.WriteTextIn(p.st.Dim, "no key does that; esc shows all keys")
	}
	p.SetRows(w.Rows)
	p.resize()
}

// bindingsHere are the bindings of the place that a person comes from, each action once: what
// the footer shows, then what works only there, then the others, then what only moves.
func (p *Pane) bindingsHere() []keymap.Binding {
	all := p.keys.In(p.from)
	rank := func(b keymap.Binding) int {
		switch {
		case b.OnlyMoves():
			return 6
		case b.Disabled(p.have) != "":
			return 5
		case b.AlwaysShown():
			return 4
		case b.Group == keymap.Change && p.from&keymap.InReader != 0: // of the answer, not of the page
			return 3
		case b.Short == "" && b.In&^p.from != 0: // it works elsewhere, too
			return 2
		case b.Short == "" || b.Action == keymap.Palette:
			return 1
		}
		return 0
	}
	slices.SortStableFunc(all, func(a, b keymap.Binding) int { return rank(a) - rank(b) })
	return all
}

// matchesWords reports whether a binding has all words, in its keys, its name, its description
// or its heading.
func matchesWords(words []string, b keymap.Binding, title string) bool {
	text := strings.ToLower(b.Label + " " + strings.ReplaceAll(string(b.Action), "-", " ") + " " + b.Help + " " + title)
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

func (p *Pane) bindingRow(b keymap.Binding) widget.Row {
	label := b.Label
	if label == "" {
		label = "no key"
	}
	row := widget.Row{Lead: widget.Fit("  "+label, lead), LeadStyle: p.st.Key, Body: b.Help}
	if why := b.Disabled(p.have); why != "" {
		row.Body += "  (not now: " + why + ")"
		row.Style = p.st.Dim
	}
	return row
}
