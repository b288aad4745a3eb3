// Package firstrun is the screen of the first run: what the program is, and three
// ways to begin (add a folder, try the manual, take the tour).
//
// It refuses to look for folders and to add them: the found folders are passed in,
// and a choice is sent as an intent.
package firstrun

import (
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline/text/sanitize"
	"docent/tui/keymap"
	"docent/tui/style"
	"docent/tui/widget"
)

// Folder is a folder that looks like documentation.
type Folder struct {
	Path  string // as it is shown and added
	Pages int
	More  bool // there are more pages; counting them took too long
}

// Chosen is the intent to begin in one way: NthFolder with a path, AddSet, Sample or
// Tour.
type Chosen struct {
	Action keymap.Action
	Path   string
}

// maxFolders is the number of folders that are listed, each with a key.
const maxFolders = 4

// Pane is the pane.
type Pane struct {
	st      *style.Styles
	w, h    int
	folders []Folder
	looked  bool // folders were looked for
	sample  string
	manual  bool
	cursor  int
	moved   bool // the cursor was moved by a person
	foot    []string
}

// New is the pane before folders are found. sample is the question with which the
// manual is tried.
func New(st *style.Styles, sample string) *Pane { return &Pane{st: st, sample: sample} }

// SetFolders gives the folders that were found.
func (p *Pane) SetFolders(folders []Folder) {
	before := len(p.folders)
	p.folders, p.looked = folders[:min(len(folders), maxFolders)], true
	if p.moved {
		p.cursor += len(p.folders) - before // stays on its choice
	}
	p.moveCursor(0)
}

// SetManual reports whether the manual can be asked.
func (p *Pane) SetManual(has bool) { p.manual = has }

// SetFoot sets the lines at the foot: the work that goes on.
func (p *Pane) SetFoot(lines []string) { p.foot = lines }

// NthFolder is the n-th folder, counted from 1.
func (p *Pane) NthFolder(n int) (Folder, bool) {
	if n < 1 || n > len(p.folders) {
		return Folder{}, false
	}
	return p.folders[n-1], true
}

// Keys are the keys of the folders, as they are shown.
func (p *Pane) Keys() string {
	if n := len(p.folders); n > 1 {
		return fmt.Sprintf("1–%d", n)
	}
	return "1"
}

// SetSize sets the columns and lines of the view.
func (p *Pane) SetSize(w, h int) { p.w, p.h = w, h }

// Bindings are the keys that the pane knows.
func (p *Pane) Bindings() []keymap.Binding {
	return keymap.BindingsOf(keymap.Up, keymap.Down, keymap.Choose, keymap.NthFolder, keymap.AddSet, keymap.Sample, keymap.Tour)
}

// choice is one line that can be chosen.
type choice struct {
	key, text, note string
	Chosen
}

func (p *Pane) choiceLines() []choice {
	var out []choice
	for i, f := range p.folders {
		pages := fmt.Sprintf("%d pages", f.Pages)
		switch {
		case f.More:
			pages = fmt.Sprintf("more than %d pages", f.Pages)
		case f.Pages == 1:
			pages = "1 page"
		}
		out = append(out, choice{strconv.Itoa(i + 1), f.Path, pages, Chosen{keymap.NthFolder, f.Path}})
	}
	other := "a folder of Markdown …"
	if len(p.folders) > 0 {
		other = "another folder …"
	}
	out = append(out, choice{"a", other, "", Chosen{Action: keymap.AddSet}})
	if p.manual {
		out = append(out, choice{"m", "try the built-in manual: " + p.sample, "", Chosen{Action: keymap.Sample}},
			choice{"t", "take the tour: five steps, two minutes", "", Chosen{Action: keymap.Tour}})
	}
	return out
}

func (p *Pane) moveCursor(d int) { p.cursor = min(max(0, p.cursor+d), len(p.choiceLines())-1) }

// Update moves and chooses.
func (p *Pane) Update(msg tea.Msg) tea.Cmd {
	a, ok := msg.(keymap.Action)
	if !ok {
		return nil
	}
	switch a {
	case keymap.Down, keymap.PageDown, keymap.HalfDown:
		p.moveCursor(1)
		p.moved = true
	case keymap.Up, keymap.PageUp, keymap.HalfUp:
		p.moveCursor(-1)
		p.moved = true
	case keymap.Top:
		p.moveCursor(-len(p.choiceLines()))
	case keymap.Bottom:
		p.moveCursor(len(p.choiceLines()))
	case keymap.Choose:
		c := p.choiceLines()[p.cursor].Chosen
		return func() tea.Msg { return c }
	}
	return nil
}

// what are the lines that describe the program.
var what = []string{
	"docent finds the pages of your documentation that answer a question.",
	"It gives you their text word for word, with sources; no model, no network.",
}

// View is the screen.
func (p *Pane) View() string {
	st := p.st
	var lines []string
	for _, text := range what {
		for _, l := range widget.Wrap(text, max(1, p.w-4)) {
			lines = append(lines, "  "+l)
		}
	}
	head := func(text string) {
		lines = append(lines, "", "  "+st.Strong.Render(widget.Cut(text, p.w-4)))
	}
	head("Add your documentation; the files stay where they are")
	first, at := len(lines), 0
	choices := p.choiceLines()
	if !p.looked {
		lines = append(lines, "      "+st.Dim.Render(widget.Cut("looking for folders …", p.w-8)))
	}
	for i, c := range choices {
		if c.Action == keymap.Sample {
			head("Or look around first")
		}
		mark := "  ▸ "
		if i != p.cursor {
			mark = "    "
		}
		if i == p.cursor {
			at = len(lines)
			lines = append(lines, st.Selected.Render(widget.Fit(mark+c.key+"  "+widget.Fit(sanitize.Line(c.text),
				max(8, min(48, p.w-26)))+" "+c.note, p.w)))
			continue
		}
		text := sanitize.Line(c.text)
		if c.note != "" {
			text = widget.Fit(text, max(8, min(48, p.w-26)))
		}
		lines = append(lines, widget.Cut(mark+st.Key.Render(c.key)+"  "+text+" "+st.Dim.Render(c.note), p.w))
	}
	lines = append(lines, "", "  "+st.Dim.Render(widget.Cut("/ leads to the question line, esc leaves this screen", p.w-4)))
	room := p.h - len(p.foot)
	if len(lines) > room { // the choices matter more than the rest
		lines = lines[min(max(first-1, at-room+1), len(lines)-room):]
		lines = lines[:max(0, min(len(lines), room))]
	}
	if len(p.foot) > 0 {
		for len(lines) < room {
			lines = append(lines, "")
		}
		lines = append(lines, p.foot[:min(len(p.foot), max(0, p.h))]...)
	}
	return strings.Join(lines[:min(len(lines), max(1, p.h))], "\n")
}
