// Package reader is the pane that shows a page at full width, with an outline, a
// search in the page, numbered links, and a history of places.
//
// It refuses to read files and to open anything: it sends intents for pages, for
// the list of a doc set's pages, for an editor and for a browser. It refuses to
// render and to search in Update or View: both are commands, and a result that is
// out of date is dropped.
//
// Terms. A place is a page and a line of it. A jump goes to another place and can
// be undone; scrolling is no jump. The current section is the one at the top of
// the view, or the one that was just jumped to, if the page's end keeps it from
// the top. An offer is a link out of the doc set that waits for confirmation.
package reader

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/knowledge/graph"
	"docent/pipeline/text/sanitize"
	"docent/tui/keymap"
	"docent/tui/page"
	"docent/tui/style"
	"docent/tui/widget"
)

// Ref is a page of a doc set, List all of them.
type (
	Ref  = graph.Ref
	List = graph.List
)

// The intents of the pane.
type (
	// Intent is any of them.
	Intent interface{ intent() }
	// PageWanted asks for a page: SetPage or SetError answers.
	PageWanted struct{ Target page.Target }
	// ListWanted asks for the pages of a doc set: SetList answers.
	ListWanted struct{ DocSet string }
	// EditWanted asks for an editor on a page's file.
	EditWanted struct {
		Target page.Target
		Line   int
	}
	// BrowseWanted asks for a browser on a URL.
	BrowseWanted struct{ URL string }
	// At says where a page is read, when it is shown and when it is left.
	At struct{ Place pipeline.Place }
	// Said is a message for the status line.
	Said struct{ Text string }
)

func (PageWanted) intent()   {}
func (ListWanted) intent()   {}
func (EditWanted) intent()   {}
func (BrowseWanted) intent() {}
func (At) intent()           {}
func (Said) intent()         {}

func sendIntent(msg tea.Msg) tea.Cmd { return func() tea.Msg { return msg } }

func sayMessage(format string, args ...any) tea.Cmd {
	return sendIntent(Said{fmt.Sprintf(format, args...)})
}

// HitPage is a page that the question found, with the found headings.
type HitPage struct {
	Target   page.Target // without a heading
	Headings []contract.Heading
}

// sections knows the sections of the shown page and which of them is read.
type sections struct{ p *Pane }

func (p *Pane) sections() sections { return sections{p} }

// Pane is the pane.
type Pane struct {
	st    *style.Styles
	owner string
	w, h  int
	win   *page.Window
	now   page.Target
	has   bool
	open  bool // the page is being read
	err   string
	goal  goal // where to go when the page is there
	x     int  // columns of tables and code to the left of the view

	mark   int // the section that was jumped to, -1 if none
	markAt [2]int

	heads   []int // the sections of headsOf that have a heading
	headsOf *page.Prepared

	hits  []HitPage
	lists map[string]*List
	// marked reports whether a section is marked.
	marked func(pipeline.Place) bool
	// wait is what to do when the list of the doc set is there.
	wait func(*List) tea.Cmd

	places []Source // of the lines of an answer; nil in the reader of one page

	back, forward []place
	find          finder
	outline       outline
	references    references
	links         links
}

// New is an empty pane.
func New(st *style.Styles) *Pane { return newPane(st, "reader") }

// newPane is an empty pane; its owner's name tells its renderings and searches from those
// of other readers.
func newPane(st *style.Styles, owner string) *Pane {
	p := &Pane{st: st, owner: owner, win: page.NewWindow(st, owner, true), mark: -1, lists: map[string]*List{},
		marked: func(pipeline.Place) bool { return false }}
	p.find, p.outline, p.references, p.links = finder{p: p, at: -1}, outline{p: p}, references{p: p}, links{p: p}
	return p
}

const gutter = 2 // the bar next to the section that was jumped to, and the mark ‹

// SetSize sets the columns and lines of the view.
func (p *Pane) SetSize(w, h int) {
	p.w, p.h = w, h
	p.textArea().layOutWindow()
}

// layOutWindow sets the size of the window. The search line or an offer takes the last
// line.
func (a textArea) layOutWindow() {
	p := a.p
	h := p.h
	if p.find.typing || p.links.offer != "" {
		h--
	}
	p.win.SetSize(p.textArea().textWidth(), max(1, h))
	p.find.spots = nil
}

// Render is the command that renders the next piece, nil if none.
func (p *Pane) Render() tea.Cmd {
	if !p.has {
		return nil
	}
	return p.win.Render()
}

// Restyle draws the page in the styles that there are now.
func (p *Pane) Restyle() {
	p.win.Restyle()
	p.find.spots = nil
}

// Mode is the part of the reader that has the keyboard.
func (p *Pane) Mode() keymap.Mode {
	switch {
	case p.find.typing:
		return keymap.InFind
	case p.outline.on || p.references.on:
		return keymap.InOutline
	case p.links.on:
		return keymap.InLinks
	}
	return keymap.InReader
}

// Bindings are the keys that the pane knows.
func (p *Pane) Bindings() []keymap.Binding {
	return append(keymap.Scrolling(), keymap.BindingsOf(keymap.Search, keymap.FindNext, keymap.FindPrev, keymap.FindDone, keymap.Outline,
		keymap.References, keymap.OutlineGo,
		keymap.NextSection, keymap.PrevSection, keymap.NextHit, keymap.PrevHit, keymap.NextPage, keymap.PrevPage, keymap.Links,
		keymap.LinkDigit,
		keymap.LinkGo, keymap.GoBack, keymap.GoForward, keymap.Leftward, keymap.Rightward, keymap.EditSource, keymap.Browse)...)
}

// SetHits sets the pages that the question found, best first.
func (p *Pane) SetHits(hits []HitPage) { p.hits = hits }

// Open opens a section and begins a new history.
func (p *Pane) Open(t page.Target) tea.Cmd {
	p.travel().beginHistory()
	return p.travel().visitTarget(t, goal{heading: &t.Heading})
}

// beginHistory begins a new history.
func (tr travel) beginHistory() {
	p := tr.p
	p.back, p.forward = nil, nil
	p.closeLines()
	p.find = finder{p: p, at: -1}
}

// Escape leaves the search line, the outline, the references or the numbered links. It returns false
// when none of them is open.
func (p *Pane) Escape() bool {
	switch {
	case p.find.typing:
		p.find.cancelTyping()
	case p.outline.on || p.references.on || p.links.on:
		p.closeLines()
	default:
		return false
	}
	return true
}

// closeLines closes the search line, the outline, the references and the numbered links.
func (p *Pane) closeLines() {
	p.outline, p.references, p.links = outline{p: p}, references{p: p}, links{p: p}
	p.find.typing = false
	p.textArea().layOutWindow()
}

// Target is the shown page.
func (p *Pane) Target() (page.Target, bool) { return p.now, p.has }

// Loading reports whether the page is being read, and nothing of it is there.
func (p *Pane) Loading(bool) bool { return p.has && p.win.Page() == nil && p.err == "" }

// URL is where the page was taken from, "" if unknown.
func (p *Pane) URL() string {
	if pg := p.win.Page(); pg != nil {
		return graph.WebURL(pg.URL())
	}
	return ""
}

// SetPage shows a page, if it is the one that was asked for.
func (p *Pane) SetPage(id string, pg *page.Prepared) tea.Cmd {
	if !p.has || p.now.ID() != id || pg == nil || p.win.Page() == pg {
		return nil
	}
	p.err = ""
	p.win.SetPage(id, pg)
	p.textArea().layOutWindow() // the outline next to it may come or go
	told := p.travel().arriveAtGoal()
	return tea.Batch(told, p.leavePage(), p.find.searchCommand(false), p.win.Render())
}

// Failed reports whether the page could not be read: there is nothing to search or to copy.
func (p *Pane) Failed() bool { return p.err != "" }

// SetError says why a page cannot be shown.
func (p *Pane) SetError(id string, err error) {
	if p.has && p.now.ID() == id && p.win.Page() == nil {
		p.err = sanitize.Line(widget.ErrorText(err))
	}
}

// Reload asks for the page again and keeps the place.
func (p *Pane) Reload(id string) tea.Cmd {
	pg := p.win.Page()
	if !p.has || p.now.ID() != id || pg == nil {
		return nil
	}
	p.goal = goal{line: p.sections().currentLine()}
	p.win.Clear()
	return sendIntent(PageWanted{p.now})
}

// Update does an action, or takes in a rendering or the result of a search.
func (p *Pane) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case page.Rendered:
		marked := p.sections().viewAtMark()
		if !p.win.Update(msg) {
			return nil
		}
		if marked { // the page's end may be nearer now, or farther
			p.sections().goToSection(p.mark)
		}
		p.find.spots = nil
		p.find.retryScroll()
		p.links.numberVisible()
	case Found:
		if msg.owner != p.owner {
			return nil
		}
		p.find.takeResult(msg)
	case keymap.Action:
		return tea.Batch(doAction(p, msg), p.win.Render())
	}
	return p.win.Render()
}

func doAction(p *Pane, a keymap.Action) tea.Cmd {
	switch {
	case p.outline.on:
		return p.outline.doAction(a)
	case p.references.on:
		return p.references.doAction(a)
	}
	pg := p.win.Page()
	if pg == nil || pg.PieceCount() == 0 {
		switch a {
		case keymap.GoBack, keymap.GoForward:
		default:
			return nil
		}
	}
	switch a {
	case keymap.Search:
		return p.find.beginTyping()
	case keymap.FindDone:
		return p.find.endTyping()
	case keymap.FindNext:
		return p.find.nextMatch(1)
	case keymap.FindPrev:
		return p.find.nextMatch(-1)
	case keymap.Outline:
		return p.outline.openOutline()
	case keymap.References:
		return p.references.requestReferences()
	case keymap.Links:
		return p.links.beginNumbering()
	case keymap.LinkGo:
		return p.links.followTyped()
	case keymap.NextSection:
		return p.sections().next()
	case keymap.PrevSection:
		return p.sections().previousSection()
	case keymap.NextHit:
		return p.travel().goToNextHit(1)
	case keymap.PrevHit:
		return p.travel().goToNextHit(-1)
	case keymap.NextPage:
		return p.travel().toNeighbour(1)
	case keymap.PrevPage:
		return p.travel().toNeighbour(-1)
	case keymap.GoBack:
		return p.travel().goBackInHistory()
	case keymap.GoForward:
		return p.travel().goForwardInHistory()
	case keymap.Rightward:
		return p.textArea().scrollSideways(1)
	case keymap.Leftward:
		return p.textArea().scrollSideways(-1)
	case keymap.EditSource:
		return sendIntent(EditWanted{Target: p.now, Line: p.sections().currentLine()})
	case keymap.Browse:
		return sendIntent(BrowseWanted{p.URL()})
	default:
		p.win.Scroll(a)
	}
	return nil
}

// Type types a key into the line that has the keyboard.
func (p *Pane) Type(k tea.KeyPressMsg) tea.Cmd {
	return typeInto(p, func(in *widget.Input) { in.Key(k) })
}

// Paste puts text into the line that has the keyboard.
func (p *Pane) Paste(text string) tea.Cmd {
	return typeInto(p, func(in *widget.Input) { in.Insert(text) })
}

func typeInto(p *Pane, edit func(*widget.Input)) tea.Cmd {
	switch {
	case p.find.typing:
		before := p.find.input.Value()
		if edit(&p.find.input); p.find.input.Value() != before {
			p.find.query = p.find.input.Value()
			return p.find.searchCommand(true)
		}
	case p.outline.on:
		before := p.outline.input.Value()
		if edit(&p.outline.input); p.outline.input.Value() != before {
			p.outline.filterHeadings()
		}
	case p.references.on:
		before := p.references.input.Value()
		if edit(&p.references.input); p.references.input.Value() != before {
			p.references.filterReferences()
		}
	}
	return nil
}

// currentSection is the current section, -1 where the page has none.
func (sec sections) currentSection() int {
	p := sec.p
	pg := p.win.Page()
	if pg == nil || pg.PieceCount() == 0 || len(pg.Sections()) == 0 {
		return -1
	}
	if p.sections().viewAtMark() {
		return p.mark
	}
	piece, _ := p.win.At()
	return pg.SectionOf(piece)
}

// Section is the source text of the current section; false while the page is being
// read.
func (p *Pane) Section() (string, bool) {
	pg := p.win.Page()
	if pg == nil {
		return "", false
	}
	return pg.Text(p.sections().currentSection()), true
}

// Passage is the current section with its page; false while that is being read.
func (p *Pane) Passage() (page.Passage, bool) {
	text, ok := p.Section()
	if !ok || !p.has {
		return page.Passage{}, false
	}
	return page.Passage{Target: p.now, Section: p.win.Page().Quote(p.sections().currentSection()), Text: text}, true
}

// viewAtMark reports whether the view was not scrolled since the jump to a section.
func (sec sections) viewAtMark() bool {
	p := sec.p
	piece, line := p.win.At()
	pg := p.win.Page()
	return pg != nil && p.mark >= 0 && p.mark < len(pg.Sections()) && p.markAt == [2]int{piece, line}
}

// goToSection puts a section at the top and marks it.
func (sec sections) goToSection(i int) {
	p := sec.p
	pg := p.win.Page()
	if piece := pg.FirstPiece(i); piece >= 0 {
		p.win.Seek(piece, 0)
		p.sections().markSection(i)
	}
}

func (sec sections) markSection(i int) {
	p := sec.p
	p.mark = i
	p.markAt[0], p.markAt[1] = p.win.At()
}

func (sec sections) next() tea.Cmd {
	p := sec.p
	pg := p.win.Page()
	for i := p.sections().currentSection() + 1; i < len(pg.Sections()); i++ {
		if piece := pg.FirstPiece(i); piece >= 0 && pg.SectionOf(piece) == i {
			p.sections().goToSection(i)
			return nil
		}
	}
	return sayMessage("%s", p.sections().lastSection())
}

func (sec sections) previousSection() tea.Cmd {
	p := sec.p
	pg := p.win.Page()
	now := p.sections().currentSection()
	if now >= 0 {
		first := pg.FirstPiece(now)
		if piece, line := p.win.At(); piece > first || piece == first && line > 0 {
			p.sections().goToSection(now)
			return nil
		}
	}
	for i := now - 1; i >= 0; i-- {
		if piece := pg.FirstPiece(i); piece >= 0 && pg.SectionOf(piece) == i {
			p.sections().goToSection(i)
			return nil
		}
	}
	return sayMessage("%s", p.sections().firstSection())
}

// currentLine is the current line of the source: that of the current match, of the section
// that was jumped to, or of the top of the view.
func (sec sections) currentLine() int {
	p := sec.p
	pg := p.win.Page()
	piece, line := p.win.At()
	if m, s, ok := p.find.currentMatch(); ok {
		for _, r := range p.win.Rows() {
			if r.Piece == m.Piece && r.Line == s.Line {
				return pg.SourceLine(m.Piece, s.Line, p.win.Lines(m.Piece))
			}
		}
	}
	if p.sections().viewAtMark() {
		return max(1, pg.Sections()[p.mark].Span.StartLine)
	}
	return pg.SourceLine(piece, line, p.win.Lines(piece))
}
