// Package versions is the pane of what differs between two versions of a doc set: its
// pages, unfolded their sections, and unfolded their lines.
//
// It refuses to compare anything: it asks for the sections of a page when a person unfolds
// it, and the root for a place to be read.
package versions

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/pipeline/text/sanitize"
	"docent/tui/keymap"
	"docent/tui/overlay"
	"docent/tui/style"
	"docent/tui/widget"
)

// Comparison is what differs between two versions.
type Comparison struct {
	Before, After string // doc sets
	Summary       string // how many pages, and what became of them
	Pages         []Page
	Nothing       string // why there are no pages, "" where there are
	Of            any    // the backend's own
}

// Page is a page that differs.
type Page struct {
	Sign string // one of "+", "-", "~", ">"
	Name string
	Info string
	// Paths are what the page is called before and after, "" where it is not there.
	Paths    [2]string
	Sections []Section // nil: not read yet
}

// Section is a section that differs.
type Section struct {
	Sign  string
	Text  string
	Lines []Line
	Place pipeline.Place // where it is read
}

// Line is a line of a section, or the numbers of those that follow.
type Line struct {
	Sign  string // "+", "-", or "@" for numbers
	Text  string
	Place pipeline.Place
}

// LinesWanted is the intent to read the sections of a page.
type LinesWanted struct {
	Comparison Comparison
	Page       int
}

// Opened is the intent to read a place.
type Opened struct{ Place pipeline.Place }

// NextWanted is the intent to compare two other versions.
type NextWanted struct{}

// row is a line of the view: of a page, of one of its sections, or of one of its lines.
type row struct {
	page, section, line int // -1: none
	text                string
	first               bool // of a line that is wrapped
}

// Pane is the pane.
type Pane struct {
	st   *style.Styles
	c    Comparison
	err  string
	busy bool // a comparison is under way

	open  map[[2]int]bool // page and section (-1: the page) that are unfolded
	asked map[int]bool    // pages that are being read
	rows  []row
	list  widget.Rows
	w, h  int
}

// New is an empty pane.
func New(st *style.Styles) *Pane { return &Pane{st: st} }

// Begin empties the pane while two versions are compared.
func (p *Pane) Begin() {
	p.c, p.err, p.busy = Comparison{}, "", true
	p.open, p.asked, p.rows = map[[2]int]bool{}, map[int]bool{}, nil
	p.list.Reset(0)
}

// Set shows a comparison, and the page that is called path in one of the versions
// unfolded.
func (p *Pane) Set(c Comparison, path string, err error) tea.Cmd {
	p.Begin()
	p.busy, p.c = false, c
	if err != nil {
		p.err = widget.ErrorText(err)
		return nil
	}
	p.fillRows()
	for i, page := range c.Pages {
		if path != "" && (page.Paths[0] == path || page.Paths[1] == path) {
			p.list.Seek(i)
			return p.unfoldRow()
		}
	}
	return nil
}

// SetSections shows the sections of a page that was unfolded.
func (p *Pane) SetSections(i int, sections []Section, err error) {
	if i >= len(p.c.Pages) || !p.asked[i] {
		return
	}
	delete(p.asked, i)
	if err != nil {
		sections = []Section{{Sign: "!", Text: widget.ErrorText(err)}}
	}
	if sections == nil {
		sections = []Section{}
	}
	p.c.Pages[i].Sections = sections
	p.fillRows()
}

// Title is the title of the frame.
func (p *Pane) Title() string {
	if p.c.Before == "" {
		return "Versions"
	}
	return sanitize.Line(p.c.Before) + " → " + sanitize.Line(p.c.After)
}

// head is the lines above the list.
const head = 1

// SetSize sets the columns and lines of the view.
func (p *Pane) SetSize(w, h int) {
	again := w != p.w
	p.w, p.h = w, h
	p.list.SetLines(h - head)
	if again {
		p.fillRows()
	}
}

// Bindings are the keys that the pane knows.
func (p *Pane) Bindings() []keymap.Binding {
	return append(keymap.Scrolling(), keymap.BindingsOf(keymap.Open, keymap.Unfold, keymap.Fold, keymap.Versions)...)
}

// fillRows makes the visible rows.
func (p *Pane) fillRows() {
	at, had := p.selectedRow()
	p.rows = p.rows[:0]
	for i, page := range p.c.Pages {
		p.rows = append(p.rows, row{page: i, section: -1, line: -1, first: true})
		if !p.open[[2]int{i, -1}] {
			continue
		}
		if page.Sections == nil {
			p.rows = append(p.rows, row{page: i, section: -1, line: 0, text: "reading …"})
			continue
		}
		if len(page.Sections) == 0 {
			p.rows = append(p.rows, row{page: i, section: -1, line: 0, text: "its sections are the same"})
		}
		for j, s := range page.Sections {
			p.rows = append(p.rows, row{page: i, section: j, line: -1, first: true})
			if !p.open[[2]int{i, j}] {
				continue
			}
			for k, l := range s.Lines {
				for n, piece := range widget.Wrap(sanitize.Line(l.Text), max(10, p.w-lineLead-1)) {
					p.rows = append(p.rows, row{page: i, section: j, line: k, text: piece, first: n == 0})
				}
			}
		}
	}
	p.list.SetCount(len(p.rows))
	if had {
		p.seekRow(at)
	}
}

// seekRow puts the cursor on a row, or on the one above it that is still there.
func (p *Pane) seekRow(at row) {
	for i := len(p.rows) - 1; i >= 0; i-- {
		r := p.rows[i]
		if r.page == at.page && r.section == at.section && r.line == at.line && r.first {
			p.list.Seek(i)
			return
		}
	}
	for i, r := range p.rows {
		if r.page == at.page && r.section <= at.section && r.line < 0 {
			p.list.Seek(i)
		}
	}
}

func (p *Pane) selectedRow() (row, bool) {
	i, ok := p.list.Cursor()
	if !ok || i >= len(p.rows) {
		return row{}, false
	}
	return p.rows[i], true
}

// Click puts the cursor on the row of a line; it reports whether there is one.
func (p *Pane) Click(y int) bool { return p.list.Click(y - head) }

// Mode is the mode of its keys.
func (p *Pane) Mode() keymap.Mode { return keymap.InVersions }

// Described is what the help calls the pane.
func (p *Pane) Described() string { return "the comparison of versions" }

// Claims reports which actions mean something else here than in the rest of the app.
func (p *Pane) Claims(a keymap.Action) bool { return a == keymap.Open || a == keymap.Versions }

// Update moves the cursor, folds and unfolds, and sends intents.
func (p *Pane) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case overlay.Click:
		if p.Click(msg.Y) {
			return p.enterRow()
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
	case keymap.Versions:
		return func() tea.Msg { return NextWanted{} }
	case keymap.Unfold:
		return p.unfoldRow()
	case keymap.Fold:
		p.foldRow()
	case keymap.Open:
		return p.enterRow()
	}
	return nil
}

// enterRow unfolds or folds a page or section; a section that has no lines, and a line, are
// read.
func (p *Pane) enterRow() tea.Cmd {
	r, ok := p.selectedRow()
	if !ok {
		return nil
	}
	place := pipeline.Place{}
	switch {
	case r.section < 0 && r.line >= 0:
		return nil
	case r.line >= 0:
		place = p.c.Pages[r.page].Sections[r.section].Lines[r.line].Place
	case r.section >= 0 && len(p.c.Pages[r.page].Sections[r.section].Lines) == 0:
		place = p.c.Pages[r.page].Sections[r.section].Place
	case p.open[[2]int{r.page, r.section}]:
		p.foldRow()
		return nil
	default:
		return p.unfoldRow()
	}
	if place.FilePath == "" {
		return nil
	}
	return func() tea.Msg { return Opened{place} }
}

// unfoldRow unfolds the row under the cursor.
func (p *Pane) unfoldRow() tea.Cmd {
	r, ok := p.selectedRow()
	if !ok || r.line >= 0 {
		return nil
	}
	p.open[[2]int{r.page, r.section}] = true
	var cmd tea.Cmd
	if page := p.c.Pages[r.page]; r.section < 0 && page.Sections == nil && !p.asked[r.page] {
		p.asked[r.page] = true
		want := LinesWanted{p.c, r.page}
		cmd = func() tea.Msg { return want }
	}
	p.fillRows()
	return cmd
}

// foldRow folds the row under the cursor, or the one that it is in.
func (p *Pane) foldRow() {
	r, ok := p.selectedRow()
	if !ok {
		return
	}
	at := row{page: r.page, section: r.section, line: -1}
	if !p.open[[2]int{r.page, r.section}] {
		at.section = -1
	}
	delete(p.open, [2]int{at.page, at.section})
	p.seekRow(at)
	p.fillRows()
}

// lineLead is the columns before the text of a line.
const lineLead = 8

// View is the list.
func (p *Pane) View() string {
	switch {
	case p.busy:
		return " " + p.st.Dim.Render("comparing …")
	case p.err != "":
		return p.messageText(p.st.Bad, p.err)
	case len(p.rows) == 0:
		return p.messageText(p.st.Dim, p.c.Nothing)
	}
	out := []string{" " + p.st.Dim.Render(widget.Cut(sanitize.Line(p.c.Summary), p.w-2))}
	for i, to := p.list.VisibleRows(); i < to; i++ {
		out = append(out, p.drawRow(p.rows[i], p.list.OnCursor(i)))
	}
	return strings.Join(out, "\n")
}

// messageText is a text in the place of rows, as much of it as there is room for.
func (p *Pane) messageText(st style.Style, text string) string {
	lines := wrappedLines(st, text, p.w)
	return strings.Join(lines[:min(len(lines), max(1, p.h))], "\n")
}

func wrappedLines(st style.Style, text string, w int) []string {
	var out []string
	for _, l := range widget.Wrap(sanitize.Line(text), max(1, w-2)) {
		out = append(out, " "+st.Render(l))
	}
	return out
}

// styleOfSign is the style of a sign.
func (p *Pane) styleOfSign(sign string) style.Style {
	switch sign {
	case "+":
		return p.st.Good
	case "-":
		return p.st.Bad
	case "~", "!":
		return p.st.Warn
	case ">":
		return p.st.Accent
	}
	return p.st.Dim
}

// drawRow draws a row.
func (p *Pane) drawRow(r row, on bool) string {
	cursor := "  "
	if on {
		cursor = "▸ "
	}
	var lead, sign, text, info string
	page := p.c.Pages[r.page]
	switch {
	case r.line < 0 && r.section < 0:
		sign, text, info = page.Sign, sanitize.Line(page.Name), sanitize.Line(page.Info)
		lead = p.foldArrow(r)
	case r.line < 0:
		s := page.Sections[r.section]
		sign, text, lead = s.Sign, sanitize.Line(s.Text), "  "+p.foldArrow(r)
		if len(s.Lines) == 0 {
			lead = "    "
		}
	case r.section < 0:
		lead, text = "    ", r.text
	default:
		lead, text = "    ", r.text
		sign = page.Sections[r.section].Lines[r.line].Sign
	}
	if sign == "@" { // numbers of lines
		sign = " "
	}
	room := max(1, p.w-widget.Width(cursor+lead)-2)
	text = widget.Cut(text, room)
	if info != "" {
		info = widget.Cut("  "+info, room-widget.Width(text))
	}
	if on {
		return p.st.Selected.Render(widget.Fit(cursor+lead+sign+" "+text+info, p.w))
	}
	st, body := p.styleOfSign(sign), p.st.Plain
	if r.line >= 0 {
		body = st
	}
	if sign == "" {
		return cursor + lead + "  " + p.st.Dim.Render(text)
	}
	return widget.Cut(cursor+p.st.Dim.Render(lead)+st.Render(sign)+" "+body.Render(text)+p.st.Dim.Render(info), p.w)
}

// foldArrow reports whether a row is unfolded.
func (p *Pane) foldArrow(r row) string {
	if p.open[[2]int{r.page, r.section}] {
		return "▿ "
	}
	return "▹ "
}
