package shelf

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline/text/sanitize"
	"docent/tui/keymap"
	"docent/tui/widget"
)

// Proposed is a doc set that a folder would be added as.
type Proposed struct {
	Name, Version string
	Pages         int
	// Source is what would be fetched, "" for a folder: its pages are not known before, and its
	// name and version may stay empty.
	Source string
	// Known says that the doc set is there already, "" if it is not.
	Known string
}

// form is the form for adding a folder. Its first step asks for the folder's path,
// its second for the name and the version of the doc set.
type form struct {
	path    widget.Input
	name    widget.Input
	version widget.Input
	field   int // of the second step: 0 the name, 1 the version
	busy    bool
	err     string
	folders []string // those that begin with the typed text
	tab     bool     // complete as soon as the folders are known
	sets    []Proposed
}

// showsProposal reports whether the form is at its second step.
func (f *form) showsProposal() bool { return len(f.sets) > 0 }

// currentField is the field that has the keyboard.
func (f *form) currentField() *widget.Input {
	switch {
	case !f.showsProposal():
		return &f.path
	case f.field == 0:
		return &f.name
	}
	return &f.version
}

// formView draws the form and does its keys.
type formView struct{ p *Pane }

func (p *Pane) addForm() formView { return formView{p} }

// Add opens the form.
func (p *Pane) Add() tea.Cmd {
	p.form, p.finding = &form{}, false
	return p.addForm().wantFolders(false)
}

// IsAdding reports whether the form is open.
func (p *Pane) IsAdding() bool { return p.form != nil }

func (v formView) wantFolders(tab bool) tea.Cmd {
	p := v.p
	p.seq++
	p.form.tab = tab
	return sendIntent(FoldersWanted{Seq: p.seq, Text: p.form.path.Value()})
}

// fieldChanged reacts to a change of a field.
func (v formView) fieldChanged() tea.Cmd {
	p := v.p
	f := p.form
	f.err = ""
	if f.showsProposal() {
		return nil
	}
	f.busy = false
	return p.addForm().wantFolders(false)
}

// SetFolders sets the folders that complete the typed path.
func (p *Pane) SetFolders(seq int, folders []string) {
	if p.form == nil || seq != p.seq || p.form.showsProposal() {
		return
	}
	p.form.folders = folders
	if p.form.tab {
		p.form.tab = false
		p.form.path.SetValue(commonBeginning(p.form.path.Value(), folders))
	}
}

// commonBeginning is the longest beginning that all folders share, or the typed text if that
// is longer.
func commonBeginning(typed string, folders []string) string {
	if len(folders) == 0 {
		return typed
	}
	out := folders[0]
	for _, f := range folders[1:] {
		for !strings.HasPrefix(f, out) {
			out = cutLastRune(out)
		}
	}
	if len(out) < len(typed) {
		return typed
	}
	return out
}

func cutLastRune(s string) string {
	r := []rune(s)
	return string(r[:max(0, len(r)-1)])
}

// SetProposal sets the doc sets that the folder would be added as, or why it cannot
// be added.
func (p *Pane) SetProposal(seq int, sets []Proposed, err error) {
	f := p.form
	if f == nil || seq != p.seq {
		return
	}
	f.busy = false
	if err != nil {
		f.err = sanitize.Line(widget.ErrorText(err))
		return
	}
	f.sets, f.field, f.err = sets, 0, ""
	if len(sets) == 1 {
		f.name.SetValue(sets[0].Name)
		f.version.SetValue(sets[0].Version)
	}
}

// AddFailed opens the form again as it was accepted, with the error.
func (p *Pane) AddFailed(reason string) {
	if p.last == nil || p.form != nil {
		return
	}
	p.form, p.last = p.last, nil
	p.form.err = sanitize.Line(reason)
	p.seq++
}

func (v formView) doAction(a keymap.Action) tea.Cmd {
	p := v.p
	f := p.form
	if !f.showsProposal() {
		switch a {
		case keymap.Complete:
			return p.addForm().wantFolders(true)
		case keymap.Accept:
			if strings.TrimSpace(f.path.Value()) == "" {
				f.err = "type the path of a folder, tab completes it, or the address of a repository"
				return nil
			}
			p.seq++
			f.busy, f.err = true, ""
			return sendIntent(ProposalWanted{Seq: p.seq, Path: f.path.Value()})
		}
		return nil
	}
	switch a {
	case keymap.Complete, keymap.FieldNext, keymap.FieldPrev:
		f.field = 1 - f.field
	case keymap.Accept:
		out := AddWanted{Path: f.path.Value()}
		if len(f.sets) == 1 {
			out.Name, out.Version = strings.TrimSpace(f.name.Value()), strings.TrimSpace(f.version.Value())
			if f.sets[0].Source == "" && (out.Name == "" || out.Version == "") {
				f.err = "a doc set needs a name and a version"
				return nil
			}
		}
		p.form, p.last = nil, p.form
		p.seq++
		return sendIntent(out)
	}
	return nil
}

// formLines are the lines of the form and the place of its cursor.
func (v formView) formLines(h int) (lines []string, x, y int) {
	p := v.p
	f, st := p.form, p.st
	const lead = 12
	field := func(label string, in *widget.Input, on bool) string {
		text, cursor := in.View(max(1, p.w-lead-2))
		mark := "  "
		if on {
			mark = "▸ "
			x, y = lead+cursor, len(lines)
			text = st.Strong.Render(text)
		}
		return mark + st.Dim.Render(widget.Fit(label, lead-2)) + text
	}
	about := widget.Cut("  a folder, which stays where it is, a name (react@19), or an address", max(0, p.w-20))
	lines = append(lines, " "+st.Strong.Render("Add documentation")+st.Dim.Render(about), "")
	lines = append(lines, field("from", &f.path, !f.showsProposal()))
	if !f.showsProposal() {
		lines = append(lines, "")
		switch {
		case f.busy:
			lines = append(lines, "   "+st.Dim.Render("looking at it …"))
		case f.err != "":
			lines = append(lines, p.addForm().errorLines(f.err)...)
		case len(f.folders) == 0:
			text := "no folder begins so; enter fetches a name (react@19) or an address"
			lines = append(lines, "   "+st.Dim.Render(widget.Cut(text, max(0, p.w-4))))
		default:
			lines = append(lines, "   "+st.Dim.Render("tab completes, enter goes on"))
			for i, name := range f.folders {
				if len(lines) >= h-1 && i < len(f.folders)-1 {
					lines = append(lines, "   "+st.Dim.Render(fmt.Sprintf("… and %d more", len(f.folders)-i)))
					break
				}
				lines = append(lines, "   "+widget.CutStart(sanitize.Line(name), p.w-4))
			}
		}
		return lines, x, y
	}
	if len(f.sets) == 1 {
		lines = append(lines, field("name", &f.name, f.field == 0))
		lines = append(lines, field("version", &f.version, f.field == 1), "")
		text := widget.Count(f.sets[0].Pages, "page") + "; enter adds it"
		if s := f.sets[0].Source; s != "" {
			text = "enter fetches " + sanitize.Line(s) + "; what is empty is found out"
		}
		if k := f.sets[0].Known; k != "" {
			text += "; " + sanitize.Line(k)
		}
		lines = append(lines, "   "+st.Dim.Render(widget.Cut(text, p.w-4)))
	} else {
		x, y = -1, -1
		lines = append(lines, "", "   "+st.Dim.Render(fmt.Sprintf("%d doc sets; enter adds them", len(f.sets))))
		for _, s := range f.sets {
			lines = append(lines, "   "+widget.Fit(sanitize.Line(s.Name+"@"+s.Version), max(8, p.w-20))+
				st.Dim.Render(" "+widget.Count(s.Pages,
					"page")))
		}
	}
	if f.err != "" {
		lines = append(lines, p.addForm().errorLines(f.err)...)
	}
	return lines, x, y
}

func (v formView) errorLines(text string) []string {
	p := v.p
	var out []string
	for i, l := range widget.Wrap(text, max(1, p.w-6)) {
		mark := "✗ "
		if i > 0 {
			mark = "  "
		}
		out = append(out, "   "+p.st.Bad.Render(mark+l))
	}
	return out
}
