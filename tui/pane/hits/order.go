package hits

import (
	"cmp"
	"slices"
	"strings"

	"docent/pipeline/text/sanitize"
)

// Order is an order of the rows.
type Order int

// The orders.
const (
	bestFirst Order = iota // by their match; dropped rows last
	asFound                // by the search's score
	byPage                 // by the page's title
	bySet                  // by doc set, the best first in each
	orders
)

func (o Order) String() string {
	return [orders]string{"best first", "as the search found them", "by page", "by doc set"}[o]
}

// NextOrder sorts the rows in the next order and gives it. The cursor stays on its
// hit.
func (p *Pane) NextOrder() Order {
	old, had := p.Selected()
	p.sort = (p.sort + 1) % orders
	p.sortRows()
	p.labelRows()
	if i := slices.IndexFunc(p.rows, old.isSameRow); had && i >= 0 {
		p.cursor = i
	}
	p.moveCursor(0)
	return p.sort
}

// rankRows numbers the rows in the order of bestFirst.
func (p *Pane) rankRows() {
	group := func(r Row) int {
		if r.Dropped && !r.Copied {
			return 1
		}
		return 0
	}
	match := func(r Row) float64 {
		if r.Heading.RerankSim == nil {
			return 0
		}
		return *r.Heading.RerankSim
	}
	slices.SortStableFunc(p.rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(group(a), group(b)), cmp.Compare(match(b), match(a)), cmp.Compare(a.n, b.n))
	})
	for i := range p.rows {
		p.rows[i].n = i
		p.rows[i].First = i == 0 || p.rows[i-1].Hit() != p.rows[i].Hit()
	}
}

// seenRows is how many rows are listed; the others are one line.
func (p *Pane) seenRows() int {
	if !p.folded || p.sort != bestFirst {
		return len(p.rows)
	}
	if i := slices.IndexFunc(p.rows, func(r Row) bool { return r.Dropped && !r.Copied }); i > 0 {
		return i
	}
	return len(p.rows)
}

// sortRows sorts the rows; those of bestFirst are numbered in their order.
func (p *Pane) sortRows() {
	if p.sort == bestFirst && slices.IsSortedFunc(p.rows, func(a, b Row) int { return cmp.Compare(a.n, b.n) }) {
		return
	}
	slices.SortStableFunc(p.rows, func(a, b Row) int {
		switch p.sort {
		case asFound:
			return cmp.Or(cmp.Compare(b.Heading.Score, a.Heading.Score), cmp.Compare(a.n, b.n))
		case byPage:
			return cmp.Or(strings.Compare(sanitize.Line(a.Page.PageTitle), sanitize.Line(b.Page.PageTitle)),
				strings.Compare(a.Page.DocSet+"/"+a.Page.FilePath, b.Page.DocSet+"/"+b.Page.FilePath), cmp.Compare(a.Heading.Section[0],
					b.Heading.Section[0]))
		case bySet:
			return cmp.Or(strings.Compare(a.Page.DocSet, b.Page.DocSet), cmp.Compare(a.n, b.n))
		}
		return cmp.Compare(a.n, b.n)
	})
	for i := range p.rows {
		p.rows[i].First = i == 0 || p.rows[i-1].Hit() != p.rows[i].Hit()
	}
}
