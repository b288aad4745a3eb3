package reader

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline/text/sanitize"
	"docent/tui/page"
	"docent/tui/widget"
)

// finder is the search in the page.
type finder struct {
	p       *Pane
	typing  bool
	input   widget.Input
	query   string
	id      int // number of the newest search
	busy    bool
	cancel  context.CancelFunc
	matches []page.Match
	at      int    // the current match, -1 if none
	jump    bool   // the answer moves the view
	pending bool   // the view goes to the match again when its piece is rendered
	from    [2]int // where the search began
	before  string // the query before this one
	spots   map[int][]page.Spot
}

// Found is the result of a search. Pass it to Update.
type Found struct {
	owner   string
	id      int
	matches []page.Match
	err     error
}

func (f *finder) beginTyping() tea.Cmd {
	p := f.p
	p.closeLines()
	p.find.typing, p.find.before = true, p.find.query
	p.find.input.SetValue("")
	p.find.from[0], p.find.from[1] = p.win.At()
	p.textArea().layOutWindow()
	pg := p.win.Page()
	return func() tea.Msg {
		pg.PrepareSearch()
		return nil
	}
}

// cancelTyping goes back to the place and the query from before the search.
func (f *finder) cancelTyping() {
	p := f.p
	p.find.typing = false
	p.textArea().layOutWindow()
	p.win.Seek(p.find.from[0], p.find.from[1])
	p.find.stopSearch()
}

// stopSearch ends the search.
func (f *finder) stopSearch() {
	if f.cancel != nil {
		f.cancel()
	}
	*f = finder{p: f.p, at: -1, id: f.id + 1, typing: f.typing, input: f.input, from: f.from, before: f.before}
}

func (f *finder) endTyping() tea.Cmd {
	p := f.p
	p.find.typing = false
	p.textArea().layOutWindow()
	if p.find.query == "" && p.find.before != "" {
		p.find.query = p.find.before // / and enter: the same again
		return p.find.searchCommand(true)
	}
	p.find.retryScroll()
	return nil
}

// searchCommand is the command that finds the matches of the query. With jump the view
// goes to the first match behind the place where the search began.
func (f *finder) searchCommand(jump bool) tea.Cmd {
	p := f.p
	query, pg := f.query, p.win.Page()
	if query == "" || pg == nil {
		p.find.stopSearch()
		return nil
	}
	if f.cancel != nil {
		f.cancel()
	}
	ctx, cancel := context.WithCancel(context.Background())
	f.id++
	f.cancel, f.busy, f.jump, f.spots, f.at, f.matches = cancel, true, jump, nil, -1, nil
	owner, id := p.owner, f.id
	return func() tea.Msg {
		defer cancel()
		matches, err := pg.Find(ctx, query)
		return Found{owner: owner, id: id, matches: matches, err: err}
	}
}

func (f *finder) takeResult(msg Found) {
	p := f.p
	if msg.id != f.id {
		return
	}
	f.busy, f.matches, f.at, f.spots = false, msg.matches, -1, nil
	if !f.jump {
		return
	}
	if len(f.matches) == 0 {
		p.win.Seek(f.from[0], f.from[1])
		return
	}
	p.find.goToMatch(p.find.firstFrom(f.from))
}

// firstFrom is the first match at or behind a place, or else the first of all.
func (f *finder) firstFrom(from [2]int) int {
	p := f.p
	i, _ := slices.BinarySearchFunc(f.matches, from[0], func(m page.Match, piece int) int { return m.Piece - piece })
	for ; i < len(f.matches) && f.matches[i].Piece == from[0]; i++ {
		if s, ok := p.find.spotOfMatch(f.matches[i]); !ok || s.Line >= from[1] {
			break
		}
	}
	if i == len(f.matches) {
		return 0
	}
	return i
}

// nextMatch goes to the next match behind the current one, or else behind the top
// of the view.
func (f *finder) nextMatch(d int) tea.Cmd {
	p := f.p
	n := len(f.matches)
	switch {
	case f.query == "":
		return sayMessage("no search yet: / begins one")
	case f.busy:
		return nil
	case n == 0:
		return sayMessage("%s is not on this page", quotedText(f.query))
	case f.at >= 0:
		next := (f.at + d + n) % n
		p.find.goToMatch(next)
		switch {
		case d > 0 && next == 0 && n > 1:
			return sayMessage("from the top again")
		case d < 0 && next == n-1 && n > 1:
			return sayMessage("from the end again")
		}
		return nil
	}
	piece, line := p.win.At()
	i := p.find.firstFrom([2]int{piece, line})
	if d < 0 {
		i = (i - 1 + n) % n
	}
	p.find.goToMatch(i)
	return nil
}

func quotedText(s string) string { return "“" + widget.Cut(sanitize.Line(s), 40) + "”" }

// spotsInPiece are the places of the query in the rendered lines of a piece.
func (f *finder) spotsInPiece(piece int) []page.Spot {
	p := f.p
	if s, ok := p.find.spots[piece]; ok {
		return s
	}
	s := page.FindSpots(p.win.Lines(piece), p.find.query)
	if p.find.spots == nil {
		p.find.spots = map[int][]page.Spot{}
	}
	p.find.spots[piece] = s
	return s
}

// spotOfMatch is the place of a match in the rendered lines.
func (f *finder) spotOfMatch(m page.Match) (page.Spot, bool) {
	p := f.p
	s := p.find.spotsInPiece(m.Piece)
	if len(s) == 0 {
		return page.Spot{}, false
	}
	return s[min(m.Nth, len(s)-1)], true
}

// currentMatch is the current match and its place in the rendered lines.
func (f *finder) currentMatch() (page.Match, page.Spot, bool) {
	p := f.p
	if f.at < 0 || f.at >= len(f.matches) || p.win.Page() == nil {
		return page.Match{}, page.Spot{}, false
	}
	m := f.matches[f.at]
	s, ok := p.find.spotOfMatch(m)
	return m, s, ok
}

// goToMatch scrolls to a match. Where its piece is not rendered yet, the view scrolls
// again after that.
func (f *finder) goToMatch(i int) {
	p := f.p
	p.find.at = i
	m := p.find.matches[i]
	p.find.pending = !p.win.Ready(m.Piece)
	s, _ := p.find.spotOfMatch(m)
	seen := false
	for _, r := range p.win.Rows() {
		seen = seen || r.Piece == m.Piece && r.Line == s.Line
	}
	if !seen || p.find.pending {
		p.win.Seek(m.Piece, s.Line)
		if piece, line := p.win.At(); piece == m.Piece && line == s.Line { // the page's end did not keep it from the top
			p.win.Move(-p.h / 3)
		}
	}
	if len(s.Ranges) > 0 && p.win.IsWideLine(m.Piece, s.Line) {
		x := p.textArea().sidewaysShift(p.win.Rows())
		if r := s.Ranges[0]; r.From < x || r.To > x+p.textArea().textWidth() {
			p.x = max(0, r.To-p.textArea().textWidth()*3/4)
		}
	}
}

// retryScroll scrolls to the match again when its piece has been rendered.
func (f *finder) retryScroll() {
	p := f.p
	if f.pending && f.at >= 0 && f.at < len(f.matches) && p.win.Page() != nil && p.win.Ready(f.matches[f.at].Piece) {
		p.find.goToMatch(f.at)
	}
}

// highlight marks the matches in a line.
func (f *finder) highlight(r page.Row) string {
	p := f.p
	if f.query == "" || f.busy {
		return r.Text
	}
	var others, now []widget.Range
	m, at, ok := p.find.currentMatch()
	for _, s := range p.find.spotsInPiece(r.Piece) {
		k := r.Line - s.Line
		if k < 0 || k >= len(s.Ranges) || s.Ranges[k].From < 0 {
			continue
		}
		if ok && m.Piece == r.Piece && at.Line == s.Line && at.Ranges[0] == s.Ranges[0] {
			now = append(now, s.Ranges[k])
		} else {
			others = append(others, s.Ranges[k])
		}
	}
	return widget.Mark(widget.Mark(r.Text, lookMatch, others...), lookCurrent, now...)
}

// matchCount is the number of the current match and of all.
func (f *finder) matchCount() string {
	switch {
	case f.query == "":
		return ""
	case f.busy:
		return "searching"
	case len(f.matches) == 0:
		return "no match"
	case f.at < 0:
		return fmt.Sprintf("%d matches", len(f.matches))
	}
	return fmt.Sprintf("%d/%d", f.at+1, len(f.matches))
}
