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
	typing  bool
	input   widget.Input
	query   string
	id      int // number of the newest search
	busy    bool
	cancel  context.CancelFunc
	matches []page.Match
	at      int    // the current match, -1 for none
	jump    bool   // the answer moves the view
	pending bool   // the view goes to the match again when its piece is rendered
	from    [2]int // where the search began
	before  string // the query before this one
	spots   map[int][]page.Spot
}

// Found is the result of a search. Pass it to Update.
type Found struct {
	id      int
	matches []page.Match
	err     error
}

func (p *Pane) beginFind() tea.Cmd {
	p.closeLines()
	p.find.typing, p.find.before = true, p.find.query
	p.find.input.SetValue("")
	p.find.from[0], p.find.from[1] = p.win.At()
	p.layout()
	pg := p.win.Page()
	return func() tea.Msg {
		pg.Warm()
		return nil
	}
}

// cancelFind goes back to the place and the query from before the search.
func (p *Pane) cancelFind() {
	p.find.typing = false
	p.layout()
	p.win.Seek(p.find.from[0], p.find.from[1])
	p.stopFind()
}

// stopFind ends the search.
func (p *Pane) stopFind() {
	f := &p.find
	if f.cancel != nil {
		f.cancel()
	}
	*f = finder{at: -1, id: f.id + 1, typing: f.typing, input: f.input, from: f.from, before: f.before}
}

func (p *Pane) endFind() tea.Cmd {
	p.find.typing = false
	p.layout()
	if p.find.query == "" && p.find.before != "" {
		p.find.query = p.find.before // / and enter: the same again
		return p.search(true)
	}
	p.retryMatch()
	return nil
}

// search is the command that finds the matches of the query. With jump the view
// goes to the first match behind the place where the search began.
func (p *Pane) search(jump bool) tea.Cmd {
	f := &p.find
	query, pg := f.query, p.win.Page()
	if query == "" || pg == nil {
		p.stopFind()
		return nil
	}
	if f.cancel != nil {
		f.cancel()
	}
	ctx, cancel := context.WithCancel(context.Background())
	f.id++
	f.cancel, f.busy, f.jump, f.spots, f.at, f.matches = cancel, true, jump, nil, -1, nil
	id := f.id
	return func() tea.Msg {
		defer cancel()
		matches, err := pg.Find(ctx, query)
		return Found{id: id, matches: matches, err: err}
	}
}

func (p *Pane) found(msg Found) {
	f := &p.find
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
	p.goMatch(p.firstFrom(f.from))
}

// firstFrom is the first match at or behind a place, or else the first of all.
func (p *Pane) firstFrom(from [2]int) int {
	f := &p.find
	i, _ := slices.BinarySearchFunc(f.matches, from[0], func(m page.Match, piece int) int { return m.Piece - piece })
	for ; i < len(f.matches) && f.matches[i].Piece == from[0]; i++ {
		if s, ok := p.spot(f.matches[i]); !ok || s.Line >= from[1] {
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
func (p *Pane) nextMatch(d int) tea.Cmd {
	f := &p.find
	n := len(f.matches)
	switch {
	case f.query == "":
		return say("no search yet: / begins one")
	case f.busy:
		return nil
	case n == 0:
		return say("%s is not on this page", quoted(f.query))
	case f.at >= 0:
		next := (f.at + d + n) % n
		p.goMatch(next)
		switch {
		case d > 0 && next == 0 && n > 1:
			return say("from the top again")
		case d < 0 && next == n-1 && n > 1:
			return say("from the end again")
		}
		return nil
	}
	piece, line := p.win.At()
	i := p.firstFrom([2]int{piece, line})
	if d < 0 {
		i = (i - 1 + n) % n
	}
	p.goMatch(i)
	return nil
}

func quoted(s string) string { return "“" + widget.Cut(sanitize.Line(s), 40) + "”" }

// shown are the places of the query in the rendered lines of a piece.
func (p *Pane) shown(piece int) []page.Spot {
	if s, ok := p.find.spots[piece]; ok {
		return s
	}
	s := page.Spots(p.win.Lines(piece), p.find.query)
	if p.find.spots == nil {
		p.find.spots = map[int][]page.Spot{}
	}
	p.find.spots[piece] = s
	return s
}

// spot is the place of a match in the rendered lines.
func (p *Pane) spot(m page.Match) (page.Spot, bool) {
	s := p.shown(m.Piece)
	if len(s) == 0 {
		return page.Spot{}, false
	}
	return s[min(m.Nth, len(s)-1)], true
}

// current is the current match and its place in the rendered lines.
func (p *Pane) current() (page.Match, page.Spot, bool) {
	f := &p.find
	if f.at < 0 || f.at >= len(f.matches) || p.win.Page() == nil {
		return page.Match{}, page.Spot{}, false
	}
	m := f.matches[f.at]
	s, ok := p.spot(m)
	return m, s, ok
}

// goMatch scrolls to a match. Where its piece is not rendered yet, the view scrolls
// again after that.
func (p *Pane) goMatch(i int) {
	p.find.at = i
	m := p.find.matches[i]
	p.find.pending = !p.win.Ready(m.Piece)
	s, _ := p.spot(m)
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
	if len(s.Ranges) > 0 && p.win.Wide(m.Piece, s.Line) {
		x := p.shift(p.win.Rows())
		if r := s.Ranges[0]; r.From < x || r.To > x+p.room() {
			p.x = max(0, r.To-p.room()*3/4)
		}
	}
}

// retryMatch scrolls to the match again when its piece has been rendered.
func (p *Pane) retryMatch() {
	f := &p.find
	if f.pending && f.at >= 0 && f.at < len(f.matches) && p.win.Page() != nil && p.win.Ready(f.matches[f.at].Piece) {
		p.goMatch(f.at)
	}
}

// highlight marks the matches in a line.
func (p *Pane) highlight(r page.Row) string {
	f := &p.find
	if f.query == "" || f.busy {
		return r.Text
	}
	var others, now []widget.Range
	m, at, ok := p.current()
	for _, s := range p.shown(r.Piece) {
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

// findInfo is the number of the current match and of all.
func (p *Pane) findInfo() string {
	f := &p.find
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
