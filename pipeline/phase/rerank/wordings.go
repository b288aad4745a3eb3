package rerank

import (
	"docent/pipeline/contract"
	"docent/pipeline/question/thesaurus"
	"docent/store/analysis"
)

// wordings are the words and phrases of the question with what documentation may have in
// their place.
type wordings struct {
	all   []worded
	total float64 // of the weights
}

// worded is a word or a phrase of the question.
type worded struct {
	own    []int // terms of the question
	others []otherWording
	weight float64 // the idf of own, or of the commonest of the others where it has stop words alone
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
	concepts := thesaurus.Concepts(a, text)
	if len(concepts) == 0 {
		return nil
	}
	w := &wordings{}
	taken := map[int]bool{}
	for _, c := range concepts {
		x := worded{own: l.numbersOf(c.Terms)}
		for _, id := range x.own {
			taken[id] = true
		}
		for _, alt := range c.Alternatives {
			x.others = append(x.others, otherWording{terms: l.numbersOf(alt.Terms), worth: alt.Worth})
		}
		w.all = append(w.all, x)
	}
	for _, id := range l.readText(a, text).terms {
		if !taken[id] {
			w.all = append(w.all, worded{own: []int{id}})
		}
	}
	return w
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

// weigh sets what follows from the terms' idf. A wording weighs no more than the rarest of
// its own terms: that a page has "list" says little, whatever it stands for.
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
		for k := range x.others {
			o := &x.others[k]
			rarest := 0.0
			for _, id := range o.terms {
				rarest = max(rarest, l.bare[id])
			}
			o.weight = o.worth * min(x.weight, rarest)
		}
	}
}

// cover is the share of the weights that a text has, by the best wording of each.
func (w *wordings) cover(has func(id int) bool) float64 {
	if w.total == 0 {
		return 0
	}
	got := 0.0
	for i := range w.all {
		got += w.all[i].found(has)
	}
	return got / w.total
}

// found is what a text has of a word or a phrase.
func (x *worded) found(has func(id int) bool) float64 {
	best := 0.0
	for _, id := range x.own {
		if has(id) {
			best += x.weight / float64(len(x.own))
		}
	}
next:
	for _, o := range x.others {
		if o.weight <= best {
			continue
		}
		for _, id := range o.terms {
			if !has(id) {
				continue next
			}
		}
		best = o.weight
	}
	return best
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
