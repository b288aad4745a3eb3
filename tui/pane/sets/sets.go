// Package sets is the chooser of doc sets: it lists them, and marks those that a
// question searches.
//
// It refuses to search and to index: a choice is an intent with names.
package sets

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline/service/library"
	"docent/pipeline/text/sanitize"
	"docent/tui/keymap"
	"docent/tui/overlay"
	"docent/tui/style"
	"docent/tui/widget"
)

// Applied is the intent to narrow to these doc sets; none means all.
type Applied struct{ Names []string }

// Pane is the pane.
type Pane struct {
	st     *style.Styles
	sets   []library.ListedSet
	picked map[string]bool
	manual string
	list   widget.Rows
	w, h   int
}

// New is an empty pane.
func New(st *style.Styles) *Pane { return &Pane{st: st, picked: map[string]bool{}} }

// SetSets sets the doc sets.
func (p *Pane) SetSets(sets []library.ListedSet) {
	p.sets = slices.Clone(sets)
	p.manualLast()
	p.list.SetCount(len(sets))
}

// SetManual names the doc set that is the program's manual; "" if none.
func (p *Pane) SetManual(name string) {
	p.manual = name
	p.manualLast()
}

// manualLast puts the manual behind a person's own doc sets, as every list does.
func (p *Pane) manualLast() {
	slices.SortStableFunc(p.sets, func(a, b library.ListedSet) int {
		switch manual := a.Ref.String() == p.manual; {
		case manual == (b.Ref.String() == p.manual):
			return 0
		case manual:
			return 1
		}
		return -1
	})
}

// Sets are the doc sets.
func (p *Pane) Sets() []library.ListedSet { return p.sets }

// SetPicked marks the doc sets that a question is narrowed to now.
func (p *Pane) SetPicked(names []string) {
	p.picked = map[string]bool{}
	for _, n := range names {
		p.picked[n] = true
	}
}

// SetSize sets the columns and lines of the view.
func (p *Pane) SetSize(w, h int) {
	p.w, p.h = w, h
	p.list.SetLines(h - head)
}

// Bindings are the keys that the pane knows.
func (p *Pane) Bindings() []keymap.Binding {
	return append(keymap.Scrolling(), keymap.BindingsOf(keymap.Pick, keymap.Apply)...)
}

const head = 2 // lines above the list

// Click puts the cursor on the doc set of a line; it reports whether there is one.
func (p *Pane) Click(y int) bool { return p.list.Click(y - head) }

// Title is the title of the frame.
func (p *Pane) Title() string { return "Doc sets" }

// Mode is the mode of its keys.
func (p *Pane) Mode() keymap.Mode { return keymap.InSets }

// Described is what the help calls the pane.
func (p *Pane) Described() string { return "the choice of doc sets" }

// Update moves the cursor, marks doc sets, or sends the intent with the marked
// ones.
func (p *Pane) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case overlay.Click:
		if p.Click(msg.Y) {
			return p.doAction(keymap.Pick)
		}
	case keymap.Action:
		return p.doAction(msg)
	}
	return nil
}

func (p *Pane) doAction(a keymap.Action) tea.Cmd {
	if p.list.Update(a) {
		return nil
	}
	switch a {
	case keymap.Pick:
		if i, ok := p.list.Cursor(); ok {
			n := p.sets[i].Ref.String()
			if p.picked[n] {
				delete(p.picked, n)
			} else {
				p.picked[n] = true
			}
		}
	case keymap.Apply:
		var names []string
		for _, s := range p.sets {
			if name := s.Ref.String(); p.picked[name] {
				names = append(names, name)
			}
		}
		return func() tea.Msg { return Applied{Names: names} }
	}
	return nil
}

// narrowW is the width below which pages are counted without the word.
const narrowW = 60

// View is the list.
func (p *Pane) View() string {
	what := "none picked: all are searched, in their newest version; space picks"
	if p.manual != "" && len(p.sets) > 1 {
		what = "none picked: all but the manual, in their newest version; space picks"
	}
	if n := len(p.picked); n > 0 {
		what = fmt.Sprintf("%d picked; enter narrows to them, esc leaves it as it was", n)
	}
	out := []string{" " + p.st.Dim.Render(widget.Cut(what, p.w-2)), ""}
	for i, to := p.list.VisibleRows(); i < to; i++ {
		s := p.sets[i]
		box, cursor := "[ ]", "  "
		if p.picked[s.Ref.String()] {
			box = "[x]"
		}
		if p.list.OnCursor(i) {
			cursor = "▸ "
		}
		fresh, fs := "✓ fresh", p.st.Dim
		switch s.Fresh {
		case library.Missing:
			fresh, fs = "✗ folder missing", p.st.Bad
		case library.Stale:
			fresh, fs = "~ changed on disk", p.st.Warn
		}
		unit, pagesW, freshW := " pages", 12, 22
		if s.Pages == 1 {
			unit = " page "
		}
		if p.w < narrowW { // the names matter more
			unit, pagesW, freshW = "", 5, 9
			fresh = strings.Replace(strings.TrimSuffix(fresh, " on disk"), " folder", "", 1)
		}
		pages := widget.FitLeft(strconv.Itoa(s.Pages)+unit, pagesW)
		name := widget.Fit(sanitize.Line(s.Ref.String()), max(8, min(48, p.w-6-pagesW-freshW-2)))
		if p.list.OnCursor(i) {
			out = append(out, p.st.Selected.Render(widget.Fit(cursor+box+" "+name+pages+"  "+fresh, p.w)))
			continue
		}
		out = append(out, widget.Cut(cursor+p.st.Accent.Render(box)+" "+name+p.st.Dim.Render(pages)+"  "+fs.Render(fresh), p.w))
	}
	if len(p.sets) == 0 {
		out = append(out, " "+p.st.Dim.Render(widget.Cut("no doc sets yet: add one with  docent add PATH", p.w-2)))
	}
	return strings.Join(out, "\n")
}
