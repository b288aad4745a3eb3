package reader

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline/contract"
	"docent/tui/keymap"
	"docent/tui/page"
	"docent/tui/style"
	"docent/tui/widget"
)

// Source is where a line of an answer stands in its page; the zero Source: nowhere.
type Source struct {
	DocSet, FilePath, Title string
	Line                    int
	Section                 string // contract.PathName of the quoted section; "" in a block of whole documents
}

// Target is the line in its page.
func (s Source) Target() page.Target {
	return page.Target{DocSet: s.DocSet, FilePath: s.FilePath, Title: s.Title, Heading: contract.Heading{Lines: [2]int{s.Line, s.Line}}}
}

// LinkWanted asks for the target of a link, as it stands on the page From.
type LinkWanted struct {
	From page.Target
	Link string
}

func (LinkWanted) intent() {}

// Answer is the reader on the parts of several pages that answer a question.
type Answer struct {
	*Pane
	id string
}

// NewAnswer is an empty answer.
func NewAnswer(st *style.Styles) *Answer {
	a := &Answer{Pane: newPane(st, "answer")}
	a.places = []Source{}
	return a
}

// SetParts shows an answer; places are those of its lines in their pages. One of the same
// id stays at the section that it was scrolled to, or goes to its top where it has that no
// longer, and what is searched for in it is found anew.
func (a *Answer) SetParts(id string, pg *page.Prepared, places []Source) tea.Cmd {
	piece, line := a.win.At()
	same := a.has && a.id == id
	seen := 1
	if same && a.win.Page() != nil {
		seen, _ = a.win.SeenLines()
	}
	to := sameLine(a.places, places, seen)
	a.id, a.has, a.places = id, true, places
	a.win.SetPage("answer", pg)
	a.textArea().layOutWindow()
	if same {
		switch to {
		case seen:
			a.win.Seek(min(piece, max(0, pg.PieceCount()-1)), line)
		case 0:
			a.win.Seek(0, 0)
		default:
			a.win.SeekLine(to)
		}
		a.mark, a.links, a.find.matches, a.find.at, a.find.spots = -1, links{p: a.Pane}, nil, -1, nil
		if a.outline.on {
			a.outline.filterHeadings()
		}
		return a.find.searchAgain()
	}
	a.closeLines()
	a.find = finder{p: a.Pane, at: -1, id: a.find.id + 1}
	a.x, a.mark = 0, -1
	a.win.Seek(0, 0)
	return nil
}

// sameLine is the line of a changed answer that says what a line of the answer before said: that
// of the same place, or the first of the same section. Lines are counted from 1; 0: none does.
func sameLine(before, after []Source, line int) int {
	if line <= 1 {
		return line
	}
	var was Source
	at := line
	for ; at <= len(before) && was.Line == 0; at++ {
		was = before[at-1]
	}
	if was.Line == 0 { // behind the last section: its sources
		return line
	}
	if at--; at <= len(after) && after[at-1] == was {
		return line
	}
	above := at - line // the name of the section, and what else stands in no page
	begin := func(to int) int {
		for n := above; n > 0 && to > 1 && after[to-2].Line == 0; n-- {
			to--
		}
		return to
	}
	section := 0
	for i, s := range after {
		switch {
		case s.DocSet != was.DocSet || s.FilePath != was.FilePath || s.Line == 0:
		case s.Line == was.Line:
			return begin(i + 1)
		case section == 0 && s.Section == was.Section && s.Section != "":
			section = begin(i + 1)
		}
	}
	return section
}

// searchAgain is the command that finds the matches in another page, nil where nothing is
// searched for.
func (f *finder) searchAgain() tea.Cmd {
	if f.query == "" {
		return nil
	}
	return f.searchCommand(false)
}

// Clear shows nothing.
func (a *Answer) Clear() {
	a.has, a.id, a.places = false, "", []Source{}
	a.closeLines()
	a.find.stopSearch()
	a.win.Clear()
}

// Shown reports whether there is an answer.
func (a *Answer) Shown() bool { return a.has && a.win.Page() != nil }

// Place is where the section that is read stands, or the line that is searched for.
func (a *Answer) Place() (Source, bool) {
	if !a.Shown() || a.win.Page().PieceCount() == 0 {
		return Source{}, false
	}
	return a.links.placeOfLine(a.sections().currentLine())
}

// placeOfLine is the place of a line, or of the next one that has any.
func (l *links) placeOfLine(line int) (Source, bool) {
	p := l.p
	for i := max(1, line); i <= len(p.places); i++ {
		if s := p.places[i-1]; s.Line > 0 {
			return s, true
		}
	}
	return Source{}, false
}

// followElsewhere asks for the target of a link that stands in a line of the answer.
func (l *links) followElsewhere(link string, line int) tea.Cmd {
	s, ok := l.placeOfLine(line)
	if !ok {
		return sayMessage("the page of this link is not known")
	}
	return sendIntent(LinkWanted{From: s.Target(), Link: link})
}

// OpenLink opens the target of a link on a page; back leads to that page.
func OpenLink(p *Pane, from page.Target, link string) tea.Cmd {
	p.travel().beginHistory()
	return p.travel().visitTarget(from, goal{link: link})
}

// Update does an action. The keys that go from section to section go from match to match
// while something is searched for.
func (a *Answer) Update(msg tea.Msg) tea.Cmd {
	if !a.Shown() {
		return nil
	}
	switch msg {
	case keymap.NextSection:
		if a.find.query != "" {
			msg = keymap.FindNext
		}
	case keymap.PrevSection:
		if a.find.query != "" {
			msg = keymap.FindPrev
		}
	}
	return a.Pane.Update(msg)
}

// Escape leaves the search line, the headings or the numbered links, then the search.
func (a *Answer) Escape() bool {
	if a.Pane.Escape() {
		return true
	}
	if a.find.query == "" {
		return false
	}
	a.find.stopSearch()
	return true
}

// HasToLeave reports whether Escape leaves something.
func (a *Answer) HasToLeave() bool {
	return a.find.typing || a.outline.on || a.references.on || a.links.on || a.find.query != ""
}

// Bindings are the keys that the answer knows.
func (a *Answer) Bindings() []keymap.Binding {
	return append(keymap.Scrolling(), keymap.BindingsOf(keymap.NextSection, keymap.PrevSection, keymap.Search, keymap.Outline, keymap.Links,
		keymap.OpenSource, keymap.Toggle, keymap.TogglePage, keymap.ShowBlock, keymap.Rightward, keymap.Leftward)...)
}

// IsWide reports whether a visible line is wider than the pane, so that scrolling sideways shows more
// of it.
func (a *Answer) IsWide() bool {
	if a.win.Page() == nil {
		return false
	}
	room := a.textArea().textWidth()
	return slices.ContainsFunc(a.win.Rows(), func(r page.Row) bool { return r.Wide && widget.Width(r.Text) > room })
}

// Share is how much of the answer was seen down to the view's end, "" where all of it is. The
// word keeps it from being read as how sure the answer is, which stands before it.
func (a *Answer) Share() string {
	pg := a.win.Page()
	if pg == nil || pg.PieceCount() == 0 {
		return ""
	}
	from, to := a.win.SeenLines()
	if from <= 1 && to >= pg.Lines() {
		return ""
	}
	return fmt.Sprintf("%d%% seen", min(100, to*100/max(1, pg.Lines())))
}

// Matches are the number of the current match and of all, "" where nothing is searched for.
func (a *Answer) Matches() string { return a.find.matchCount() }

// drawNote draws a line that stands for no text of a page: the name of a section with its
// doc set, a mark for lines that are left out, a remark.
func (a textArea) drawNote(r page.Row, width int) string {
	p := a.p
	pg := p.win.Page()
	if r.Text == "" {
		return ""
	}
	if name, where, named := pg.Name(r.Piece); named {
		return a.drawName(name, where, width)
	}
	switch says, warns := pg.IsByProgram(r.Piece); {
	case warns:
		return p.st.Warn.Render(r.Text)
	case says:
		return p.st.Dim.Render(r.Text)
	}
	return p.find.highlight(r)
}

// drawName draws the name of a part, page › section, with its doc set: the page is cut
// first, then the section.
func (a textArea) drawName(name, where string, width int) string {
	st := a.p.st
	where = widget.Cut(where, max(1, width/2))
	room := max(1, width-widget.Width(where)-2)
	if title, section, ok := strings.Cut(name, " › "); ok && widget.Width(name) > room {
		name = widget.TitleBeside(title, section, room-3) + " › " + section
	}
	return widget.Sides(st.Title.Render(widget.Cut(name, room)), st.Dim.Render(where), width)
}

// lastSection is what a key says that goes behind the last section.
func (sec sections) lastSection() string {
	if sec.p.places != nil {
		return "this is the last section of the answer"
	}
	return "this is the last section; ) goes to the next page"
}

// firstSection is what a key says that goes before the first section.
func (sec sections) firstSection() string {
	if sec.p.places != nil {
		return "this is the first section of the answer"
	}
	return "this is the first section; ( goes to the page before"
}
