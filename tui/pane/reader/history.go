package reader

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/text/sanitize"
	"docent/tui/page"
	"docent/tui/titles"
)

// place is a page and a line of it.
type place struct {
	target page.Target
	at     [2]int
	mark   int
}

// goal is where to go on a page that is still being read. The first field that is
// set decides.
type goal struct {
	heading *contract.Heading
	anchor  string
	at      *place
	place   *pipeline.Place
	words   []string // of the place: the line with the most of them
	line    int      // of the source
	link    string
	hit     int // 1: the first section that was found; -1: the last
}

// travel goes to places: on this page, on others, back and forward.
type travel struct{ p *Pane }

func (p *Pane) travel() travel { return travel{p} }

// maxBack bounds the places to which one can go back.
const maxBack = 200

// currentPlace is the current place.
func (tr travel) currentPlace() place {
	p := tr.p
	pl := place{target: p.now, mark: p.mark}
	pl.at[0], pl.at[1] = p.win.At()
	return pl
}

// rememberPlace remembers the place before a jump.
func (tr travel) rememberPlace() {
	p := tr.p
	if !p.has || p.win.Page() == nil {
		return
	}
	p.back = append(p.back, p.travel().currentPlace())
	if len(p.back) > maxBack {
		p.back = slices.Delete(p.back, 0, 1)
	}
	p.forward = nil
}

func (tr travel) goBackInHistory() tea.Cmd {
	p := tr.p
	n := len(p.back)
	if n == 0 {
		return sayMessage("there was no jump before: esc leads back to the hits")
	}
	to := p.back[n-1]
	p.back = p.back[:n-1]
	if p.win.Page() != nil {
		p.forward = append(p.forward, p.travel().currentPlace())
	}
	return p.travel().visitTarget(to.target, goal{at: &to})
}

func (tr travel) goForwardInHistory() tea.Cmd {
	p := tr.p
	n := len(p.forward)
	if n == 0 {
		return sayMessage("there is nothing to go forward to")
	}
	to := p.forward[n-1]
	p.forward = p.forward[:n-1]
	if p.win.Page() != nil {
		p.back = append(p.back, p.travel().currentPlace())
	}
	return p.travel().visitTarget(to.target, goal{at: &to})
}

// visitTarget goes to a place on a page. Another page is asked for first.
func (tr travel) visitTarget(t page.Target, g goal) tea.Cmd {
	p := tr.p
	p.x = 0
	if p.has && p.now.ID() == t.ID() && p.win.Page() != nil {
		p.now, p.goal, p.open = t, g, true
		return tea.Batch(p.travel().arriveAtGoal(), p.win.Render())
	}
	left := p.leavePage()
	p.now, p.has, p.goal, p.open = t, true, g, true
	p.err, p.mark = "", -1
	p.win.Clear()
	// The matches belong to the page that is left.
	p.find.id++
	p.find.busy, p.find.matches, p.find.at, p.find.pending = false, nil, -1, false
	return tea.Batch(left, sendIntent(PageWanted{t}))
}

// leavePage is the command that tells where the page is left; nil where none is read.
func (p *Pane) leavePage() tea.Cmd {
	at, ok := p.Place()
	if !ok || !p.open {
		return nil
	}
	return sendIntent(At{at})
}

// Close tells where the page is left, once; the page stays for the next time.
func (p *Pane) Close() tea.Cmd {
	left := p.leavePage()
	p.open = false
	return left
}

// Place is the place that is read; false while the page is not there.
func (p *Pane) Place() (pipeline.Place, bool) {
	pg := p.win.Page()
	if !p.has || pg == nil || pg.PieceCount() == 0 {
		return pipeline.Place{}, false
	}
	at := pipeline.Place{DocSet: p.now.DocSet, FilePath: p.now.FilePath, Title: p.now.Title, Line: p.sections().currentLine()}
	if i := p.sections().currentSection(); i >= 0 {
		at.Path, at.Anchor = pg.Sections()[i].Path, pg.Sections()[i].Anchor
	}
	return at, true
}

// OpenAt opens a page where it was left, or a section from its first line with the most words
// of find, and begins a new history.
func (p *Pane) OpenAt(at pipeline.Place, find string) tea.Cmd {
	p.travel().beginHistory()
	return p.travel().visitTarget(targetOfPlace(at), goal{place: &at, words: titles.WordsOf(find)})
}

// Jump goes to a place as a link does: GoBack leads back.
func (p *Pane) Jump(at pipeline.Place) tea.Cmd {
	p.closeLines()
	p.travel().rememberPlace()
	return p.travel().visitTarget(targetOfPlace(at), goal{place: &at})
}

func targetOfPlace(at pipeline.Place) page.Target {
	t := page.Target{DocSet: at.DocSet, FilePath: at.FilePath, Title: at.Title}
	if n := len(at.Path); n > 0 {
		t.Heading = contract.Heading{Text: at.Path[n-1], Anchor: at.Anchor, Path: at.Path}
	}
	return t
}

// goToPlace goes to a place: to its line where the page still has it in the section,
// else to the section. A place without a time was not read before: its section is
// marked.
func (tr travel) goToPlace(at pipeline.Place) {
	p := tr.p
	pg := p.win.Page()
	h := targetOfPlace(at).Heading
	if at.At.IsZero() {
		h.Section[0] = at.Line
		if h.Text == "" {
			p.win.Seek(0, 0)
			return
		}
		p.sections().goToSection(pg.Section(h))
		return
	}
	i := pg.Section(h)
	if all := pg.Sections(); at.Line > 0 && (i >= len(all) || all[i].Span.StartLine <= at.Line && at.Line <= all[i].Span.EndLine) {
		p.win.SeekLine(at.Line)
		if p.sections().currentSection() != i { // the page's end keeps it from the top
			p.sections().markSection(i)
		}
		return
	}
	p.sections().goToSection(i)
}

// goToWords goes to the first line with the most of some words in the section that is marked.
// Where its heading has as many, it stays.
func (tr travel) goToWords(words []string) {
	p := tr.p
	at, all := p.mark, p.win.Page().Sections()
	if at < 0 || at >= len(all) {
		return
	}
	line, best, most := all[at].Span.StartLine, -1, 0
	for text := range strings.Lines(strings.ToLower(p.win.Page().Text(at))) {
		n := 0
		for _, w := range words {
			if titles.BeginsWord(text, w) {
				n++
			}
		}
		if n > most {
			best, most = line, n
		}
		line++
	}
	if best > all[at].Span.StartLine {
		p.win.SeekLine(best)
		if p.sections().currentSection() != at { // the page's end keeps it from the top
			p.sections().markSection(at)
		}
	}
}

// arriveAtGoal goes to the goal, now that the page is there.
func (tr travel) arriveAtGoal() tea.Cmd {
	p := tr.p
	g, pg := p.goal, p.win.Page()
	p.goal = goal{}
	switch {
	case g.heading != nil:
		p.sections().goToSection(pg.Section(*g.heading))
	case g.anchor != "":
		i := pg.SectionByAnchor(g.anchor)
		if i < 0 {
			p.win.Seek(0, 0)
			return sayMessage("the page has no heading #%s", sanitize.Line(g.anchor))
		}
		p.sections().goToSection(i)
	case g.at != nil:
		p.win.Seek(g.at.at[0], g.at.at[1])
		if p.mark = g.at.mark; p.mark >= 0 {
			p.sections().markSection(p.mark)
		}
	case g.place != nil:
		p.travel().goToPlace(*g.place)
		p.travel().goToWords(g.words)
	case g.link != "":
		p.sections().goToSection(pg.Section(p.now.Heading))
		return p.links.followTarget(g.link)
	case g.line > 0:
		p.win.SeekLine(g.line)
	case g.hit != 0:
		if found := p.travel().foundSections(); len(found) > 0 {
			i := 0
			if g.hit < 0 {
				i = len(found) - 1
			}
			p.sections().goToSection(found[i])
		}
	default:
		p.win.Seek(0, 0)
	}
	return nil
}

// foundSections are the sections of this page that the question found, in order.
func (tr travel) foundSections() []int {
	p := tr.p
	pg := p.win.Page()
	var out []int
	for _, h := range p.hits {
		if h.Target.ID() == p.now.ID() && pg != nil {
			for _, heading := range h.Headings {
				out = append(out, pg.Section(heading))
			}
		}
	}
	slices.SortFunc(out, cmp.Compare[int])
	return slices.Compact(out)
}

// goToNextHit goes to the next section that the question found: on this page, then on
// the next page in the order of the hits.
func (tr travel) goToNextHit(d int) tea.Cmd {
	p := tr.p
	found, now := p.travel().foundSections(), p.sections().currentSection()
	if d < 0 {
		slices.Reverse(found)
	}
	for _, s := range found {
		if d > 0 && s > now || d < 0 && s < now {
			p.travel().rememberPlace()
			p.sections().goToSection(s)
			return nil
		}
	}
	i := slices.IndexFunc(p.hits, func(h HitPage) bool { return h.Target.ID() == p.now.ID() })
	next := i + d
	if i < 0 {
		next = 0
	}
	switch {
	case len(p.hits) == 0:
		return sayMessage("nothing was found that one could go to")
	case next < 0:
		return sayMessage("this is the first section that was found")
	case next >= len(p.hits):
		return sayMessage("this is the last section that was found")
	}
	p.travel().rememberPlace()
	return p.travel().visitTarget(p.hits[next].Target, goal{hit: d})
}

// toNeighbour goes to the next page of the doc set, or the one before.
func (tr travel) toNeighbour(d int) tea.Cmd {
	p := tr.p
	return p.travel().withPageList(func(l *List) tea.Cmd {
		i := l.Index(p.now.FilePath)
		switch next := i + d; {
		case i < 0:
			return sayMessage("this page is not in the doc set any more")
		case next < 0:
			return sayMessage("this is the doc set's first page")
		case next >= l.Len():
			return sayMessage("this is the doc set's last page")
		default:
			p.travel().rememberPlace()
			return p.travel().visitTarget(p.travel().targetOfRef(l.At(next)), goal{})
		}
	})
}

func (tr travel) targetOfRef(r Ref) page.Target {
	p := tr.p
	return page.Target{DocSet: p.now.DocSet, FilePath: r.Path, Title: r.Title}
}

// withPageList calls do with the list of this doc set's pages, at once or when the list
// has been read.
func (tr travel) withPageList(f func(*List) tea.Cmd) tea.Cmd {
	p := tr.p
	if l := p.lists[p.now.DocSet]; l != nil {
		return f(l)
	}
	p.wait = f
	return sendIntent(ListWanted{p.now.DocSet})
}

// SetList sets the list of a doc set's pages, or the reason why they cannot be listed.
func (p *Pane) SetList(docSet string, l *List, err error) tea.Cmd {
	wait := p.wait
	if docSet != p.now.DocSet {
		wait = nil
	} else {
		p.wait = nil
	}
	if err != nil {
		return sayMessage("the pages of %s cannot be listed: %s", sanitize.Line(docSet), sanitize.Line(err.Error()))
	}
	p.lists[docSet] = l
	if wait == nil {
		return nil
	}
	return tea.Batch(wait(l), p.win.Render())
}

// ForgetLists forgets the lists of all doc sets, which may have changed.
func (p *Pane) ForgetLists() { clear(p.lists) }
