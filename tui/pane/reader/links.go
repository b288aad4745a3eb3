package reader

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline/knowledge/graph"
	"docent/pipeline/text/sanitize"
)

// links are the numbers of the visible links.
type links struct {
	p     *Pane
	on    bool
	seen  []numbered
	typed string
	offer string // a URL outside of the doc set that waits for confirmation
}

// numbered is a link on the screen.
type numbered struct {
	row, col int // of the view; the column is that of the whole line
	number   int
	target   string
	from     int // the line of the source that it stands in
}

func (l *links) beginNumbering() tea.Cmd {
	p := l.p
	p.closeLines()
	p.links.on = true
	p.links.numberVisible()
	if len(p.links.seen) == 0 {
		p.links = links{p: p}
		return sayMessage("no link is seen here")
	}
	return nil
}

// numberVisible numbers the visible links.
func (l *links) numberVisible() {
	p := l.p
	if !p.links.on || p.links.offer != "" || p.win.Page() == nil {
		return
	}
	p.links.seen = nil
	rows := p.win.Rows()
	x := p.textArea().sidewaysShift(rows)
	for i, r := range rows {
		from := 0
		if r.Wide {
			from = x
		}
		for _, l := range p.win.Links(r.Piece) {
			if l.Line == r.Line && l.Col >= from && l.Col < from+p.textArea().textWidth() {
				p.links.seen = append(p.links.seen, numbered{row: i, col: l.Col, number: len(p.links.seen) + 1, target: l.Target,
					from: p.win.Page().SourceLine(r.Piece, r.Line, p.win.Lines(r.Piece))})
			}
		}
	}
}

// TypeDigit types a digit of a link's number. The link is followed as soon as no longer
// number begins with these digits.
func (p *Pane) TypeDigit(d string) tea.Cmd {
	if !p.links.on || p.links.offer != "" {
		return nil
	}
	typed := p.links.typed + d
	n, err := strconv.Atoi(typed)
	if err != nil || n < 1 || n > len(p.links.seen) {
		p.links.typed = ""
		return sayMessage("there is no link %s", typed)
	}
	p.links.typed = typed
	if n*10 > len(p.links.seen) {
		return p.links.followTyped()
	}
	return sayMessage("%s …, or enter for link %d", typed, n)
}

// followTyped follows the link whose number was typed, or the offer.
func (l *links) followTyped() tea.Cmd {
	p := l.p
	if url := p.links.offer; url != "" {
		p.closeLines()
		return sendIntent(BrowseWanted{url})
	}
	n, err := strconv.Atoi(p.links.typed)
	switch {
	case len(p.links.seen) == 1 && p.links.typed == "":
		n = 1
	case err != nil || n < 1 || n > len(p.links.seen):
		return sayMessage("type the number of a link; esc leaves them")
	}
	target, from := p.links.seen[n-1].target, p.links.seen[n-1].from
	p.closeLines()
	if p.places != nil {
		return p.links.followElsewhere(target, from)
	}
	return p.links.followTarget(target)
}

// followTarget goes to the target of a link.
func (l *links) followTarget(target string) tea.Cmd {
	p := l.p
	if anchor, ok := strings.CutPrefix(target, "#"); ok {
		p.travel().rememberPlace()
		return p.travel().visitTarget(p.now, goal{anchor: graph.Unescape(anchor)})
	}
	from := p.now
	return p.travel().withPageList(func(l *List) tea.Cmd {
		if p.now.ID() != from.ID() {
			return nil // another page was opened before that
		}
		to := l.Resolve(p.now.FilePath, p.URL(), target)
		switch {
		case to.Found:
			t := p.travel().targetOfRef(to.Ref)
			p.travel().rememberPlace()
			return p.travel().visitTarget(t, goal{anchor: to.Anchor})
		case to.URL != "":
			p.links = links{p: p, on: true, offer: to.URL}
			p.textArea().layOutWindow()
			return nil
		}
		return sayMessage("%s leads to no page of %s", quotedText(target), sanitize.Line(p.now.DocSet))
	})
}
