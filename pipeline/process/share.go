package process

import (
	"cmp"
	"context"
	"slices"
)

// compressAll compresses all pages to a budget that they share.
func compressAll(ctx context.Context, pages []*page, limit budget, asked bool) error {
	order := byScore(len(pages), func(i int) int { return pages[i].relevance })
	sorted := make([]*page, len(pages))
	why := aim{asked: asked, blind: true}
	var total budget
	for i, at := range order {
		sorted[i] = pages[at]
		why.blind = why.blind && sorted[i].relevance == 0
		for _, s := range sorted[i].sections {
			why.best = max(why.best, s.score)
		}
		total = total.plus(sorted[i].cost(1, sorted[i].count()))
	}
	floors := make([]budget, len(sorted))
	for i, p := range sorted {
		floors[i] = p.used // at least an omission line
		if r := p.ranked(); len(r) > 0 {
			floors[i] = p.price(append(p.prologue(), p.whole(r[0])...))
		}
	}
	if asked && len(sorted) > 0 {
		limit.lines = min(limit.lines, max(total.lines/2, floors[0].lines))
	}
	lines := share(limit.lines, sorted, floors, func(b budget) int { return b.lines })
	quarters := tight(limit.quarters, sorted, order, floors)
	if quarters == nil {
		quarters = share(limit.quarters, sorted, floors, func(b budget) int { return b.quarters })
	}

	left := limit
	for _, p := range sorted {
		left = left.minus(p.used)
	}
	// The unused part of a page's share goes to the next page. The second round gives
	// the rest to pages that are cut short, the most relevant first.
	var carry budget
	for i, p := range sorted {
		if err := ctx.Err(); err != nil {
			return err
		}
		grant := budget{lines[i] + carry.lines, quarters[i] + carry.quarters}
		carry = grant.minus(p.enlarge(grant, &left, why))
	}
	for _, p := range sorted {
		if err := ctx.Err(); err != nil {
			return err
		}
		p.enlarge(p.used.plus(left), &left, why)
	}
	return nil
}

// enlarge grows a page within its share and the rest of the budget, and returns its
// size.
func (p *page) enlarge(grant budget, left *budget, why aim) budget {
	before := p.used
	most := before.plus(*left)
	p.grow(budget{min(grant.lines, most.lines), min(grant.quarters, most.quarters)}, why)
	*left = left.minus(p.used.minus(before))
	return p.used
}

// share divides a total among pages by relevance; the most relevant page is the
// first. No page gets more than its whole size. Each gets at least its floor, if the
// floors of all but the first fit an equal part of half the total.
func share(total int, pages []*page, floors []budget, of func(budget) int) []int {
	n := len(pages)
	need, floor, weight := make([]int, n), make([]int, n), make([]int, n)
	sum := 0
	for i, p := range pages {
		need[i] = of(p.cost(1, p.count()))
		sum += need[i]
		bound := total / 2
		if i > 0 {
			bound = total / 2 / (n - 1)
		}
		floor[i] = min(need[i], max(of(p.used), min(of(floors[i]), bound)))
		// Weights run from 100 to 1000: a page that phase 2 chose always gets a share.
		weight[i] = 1000
		if top := pages[0].relevance; top > 0 {
			weight[i] = 100 + 900*p.relevance/top
		}
	}
	if sum <= total {
		return need
	}
	grant := func(level int) ([]int, int) {
		out, sum := make([]int, n), 0
		for i := range out {
			out[i] = min(need[i], max(floor[i], level*weight[i]/1000))
			sum += out[i]
		}
		return out, sum
	}
	// The highest level that the total is enough for, at most ten times the total.
	low, high := 0, 10*min(total, sum)
	for low < high {
		mid := (low + high + 1) / 2
		if _, s := grant(mid); s <= total {
			low = mid
		} else {
			high = mid - 1
		}
	}
	out, _ := grant(low)
	return out
}

// tight divides a budget of tokens that is too small for every page's best section.
// Pages get their best section in the order of phase 2 (the reranker's) while the
// budget lasts; the others get one omission line. A few lines of each page would
// answer nothing. nil: the budget is enough for all.
func tight(total int, pages []*page, found []int, floors []budget) []int {
	out := make([]int, len(pages))
	floor := func(i int) int {
		return min(pages[i].cost(1, pages[i].count()).quarters, floors[i].quarters)
	}
	left, wanted := total, 0
	for i, p := range pages {
		out[i] = p.used.quarters
		left -= out[i]
		wanted += max(out[i], floor(i))
	}
	if wanted <= total || left <= 0 {
		return nil
	}
	byFound := make([]int, len(pages))
	for i := range pages {
		byFound[i] = i
	}
	slices.SortFunc(byFound, func(a, b int) int { return cmp.Compare(found[a], found[b]) })
	for k, i := range byFound {
		more := max(0, floor(i)-out[i])
		if more > left {
			if k > 0 {
				continue
			}
			more = left // its best section is longer than the rest of the budget
		}
		out[i] += more
		left -= more
	}
	// A rest that is too small for another section goes to the first page.
	out[byFound[0]] += left
	return out
}
