package rerank

import (
	"slices"

	"docent/pipeline/contract"
	"docent/pipeline/question/thesaurus"
	"docent/store/analysis"
)

// wordings are the words and phrases of the question with what documentation may have in
// their place.
type wordings struct {
	all   []worded
	needs []need
	total float64 // of the weights of all
}

// worded is a word or a phrase of the question.
type worded struct {
	own    []int // terms of the question
	others []otherWording
	weight float64 // the idf of own, or of the commonest of the others where it has stop words alone
}

// need is what some of the question's words say together.
type need struct {
	of     []int // places in all
	others []otherWording
	weight float64 // of its words together
}

type otherWording struct {
	terms  []int
	worth  float64 // relative to the question's own words
	weight float64
}

// stopWorth is what words such as "how often" weigh, relative to the commonest of their
// other wordings.
const stopWorth = 0.5

// readWordings looks the question's words up. The terms are numbered as the lens's.
func readWordings(a *analysis.Analyzer, l *lens, in *contract.Context) *wordings {
	text := thesaurus.Asked(in.Question, in.Language, in.Queries)
	concepts, needs := thesaurus.Concepts(a, text), thesaurus.Needs(a, text)
	if len(concepts)+len(needs) == 0 {
		return nil
	}
	w := &wordings{}
	taken := map[int]bool{}
	for _, c := range concepts {
		x := worded{own: l.numbersOf(c.Terms), others: l.othersOf(c)}
		for _, id := range x.own {
			taken[id] = true
		}
		w.all = append(w.all, x)
	}
	for _, id := range l.readText(a, text).terms {
		if !taken[id] {
			w.all = append(w.all, worded{own: []int{id}})
		}
	}
	for _, c := range needs {
		n := need{others: l.othersOf(c)}
		terms := l.numbersOf(c.Terms)
		for i, x := range w.all {
			if slices.ContainsFunc(x.own, func(id int) bool { return slices.Contains(terms, id) }) {
				n.of = append(n.of, i)
			}
		}
		w.needs = append(w.needs, n)
	}
	return w
}

func (l *lens) othersOf(c thesaurus.Concept) []otherWording {
	out := make([]otherWording, len(c.Alternatives))
	for i, alt := range c.Alternatives {
		out[i] = otherWording{terms: l.numbersOf(alt.Terms), worth: alt.Worth}
	}
	return out
}

// numbersOf returns the numbers of terms, new ones where they have none.
func (l *lens) numbersOf(terms []string) []int {
	out := make([]int, len(terms))
	for i, t := range terms {
		id, ok := l.ids[t]
		if !ok {
			id = len(l.ids)
			l.ids[t] = id
		}
		out[i] = id
	}
	return out
}

// weigh sets what follows from the terms' idf.
func (w *wordings) weigh(l *lens) {
	if w == nil {
		return
	}
	for i := range w.all {
		x := &w.all[i]
		for _, id := range x.own {
			x.weight += l.idf[id]
		}
		if len(x.own) == 0 {
			for k, o := range x.others {
				sum := 0.0
				for _, id := range o.terms {
					sum += l.idf[id]
				}
				if k == 0 || sum < x.weight {
					x.weight = sum
				}
			}
			x.weight *= stopWorth
		}
		w.total += x.weight
		l.weighOthers(x.others, x.weight)
	}
	for i := range w.needs {
		n := &w.needs[i]
		for _, k := range n.of {
			n.weight += w.all[k].weight
		}
		l.weighOthers(n.others, n.weight)
	}
}

// weighOthers sets the weights of other wordings. One weighs no more than the rarest of its own
// terms: that a page has "list" says little, whatever it stands for.
func (l *lens) weighOthers(others []otherWording, most float64) {
	for i := range others {
		o := &others[i]
		rarest := 0.0
		for _, id := range o.terms {
			rarest = max(rarest, l.bare[id])
		}
		o.weight = o.worth * min(most, rarest)
	}
}

// cover is the share of the weights that a text has, by the best wording of each.
func (w *wordings) cover(has func(id int) bool) float64 {
	if w.total == 0 {
		return 0
	}
	got, found := 0.0, make([]float64, len(w.all))
	for i := range w.all {
		x := &w.all[i]
		own := 0.0
		for _, id := range x.own {
			if has(id) {
				own += x.weight / float64(len(x.own))
			}
		}
		found[i] = bestOf(x.others, own, has)
		got += found[i]
	}
	for i := range w.needs {
		n := &w.needs[i]
		alone := 0.0
		for _, k := range n.of {
			alone += found[k]
		}
		// What the need adds to its words, each of them has for other needs too.
		if more := bestOf(n.others, alone, has) - alone; more > 0 {
			got += more
			for _, k := range n.of {
				found[k] += more * w.all[k].weight / n.weight
			}
		}
	}
	return min(1, got/w.total)
}

// bestOf is the weight of the best of some wordings that a text has, at least a weight.
func bestOf(others []otherWording, least float64, has func(id int) bool) float64 {
next:
	for _, o := range others {
		if o.weight <= least {
			continue
		}
		for _, id := range o.terms {
			if !has(id) {
				continue next
			}
		}
		least = o.weight
	}
	return least
}

// densest is the best share within windowWords words of a text, looked at in steps of a
// third of these.
func (w *wordings) densest(t text) float64 {
	const step = windowWords / 3
	best := 0.0
	count := make([]int, len(t.has))
	for from := 0; from == 0 || from+windowWords-step < len(t.words); from += step {
		clear(count)
		for _, id := range t.words[from:min(len(t.words), from+windowWords)] {
			if id >= 0 {
				count[id]++
			}
		}
		best = max(best, w.cover(func(id int) bool { return count[id] > 0 }))
	}
	return best
}

// addGains sets the features of other wordings: what they add to those of the question's
// own words, which are set. parts are all texts that were found of the page.
func (w *wordings) addGains(f *vector, own, head, body text, parts []text) {
	if w == nil {
		return
	}
	in := func(texts ...text) float64 {
		return w.cover(func(id int) bool {
			for _, t := range texts {
				if t.has[id] {
					return true
				}
			}
			return false
		})
	}
	f[headingGain] = max(0, in(head)-f[headingCover])
	f[ownGain] = max(0, in(own)-f[ownCover])
	f[textGain] = max(0, in(body)-f[textCover])
	f[anyGain] = max(0, in(head, body)-f[anyCover])
	f[pageGain] = max(0, in(parts...)-f[pageCover])
	f[windowGain] = max(0, w.densest(body)-f[window])
}
