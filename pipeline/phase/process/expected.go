package process

import (
	"cmp"
	"context"
	"math"
	"slices"

	"docent/pipeline/contract"
	"docent/store/doc"
)

// The constants were chosen on 18 doc sets of others, as those of sections.go were. Half or
// twice of each moves less than .01.
const (
	roomPart    = .5  // exponent of a unit's size in its price
	ofFirstHit  = 1.6 // the odds of a unit of the first hit count so many times as much,
	beforeFirst = .5  // and those of one that stands before it on its page so much:
	mostBefore  = 3   // it is read before the answer; and so many lines of them are kept at most,
	withNeeds   = 8   // or so many with the units that they require, such as a table
	floor       = 2.5 // a unit that is so much less worth than the best one, in logits, is left out
	sureHit     = .95 // rerank_sim of a first hit that answers by itself, if it is whole in the block:
	surplus     = 1.5 // units of other sections that are so much less worth than its best one are left out
)

// fillByGain keeps the best section of each side of the question, the row of the parameter
// that it asks for, and then the units that hold the answer with the best odds for the room
// that they take, the best one of the first hit before all others. order has the sections
// that may answer, the first hit first. The block ends at soft lines if nothing needs more.
func (f *filler) fillByGain(ctx context.Context, order []place, soft int) error {
	whole := f.limit.lines
	defer func() { f.limit.lines = whole }()
	taken := f.bestOfEachSide()
	documented := f.takeDocumented(order)
	taken = append(taken, documented...)
	if len(taken) > 0 {
		order = taken
	}
	if len(order) == 0 || f.why.sections && len(documented) > 0 {
		return nil
	}
	first := order[0]
	misses, enough := 0, math.MinInt
	quoted := said{f.pages, map[int]map[string][]int{}}
	for n, o := range f.offers(first) {
		if err := ctx.Err(); err != nil || misses == maxMisses {
			return err
		}
		if n > 0 {
			f.limit.lines = soft
		} else {
			enough = o.value - int(surplus*scoreScale)
		}
		at := o.at
		p := f.pages[at.page]
		opens := !p.quotesSection(at.section)
		belongs := at.page == first.page && p.isBelow(at.section, first.section) && !f.why.defines // a definition is whole without
		switch {
		case p.isKept(o.unit), quoted.stands(at.page, o.unit),
			opens && (f.why.sections && len(taken) >= maxQuoted || f.isLeftOutByPerson(at) || f.repeatsAnother(at, taken)),
			f.standsBefore(at, first) && p.newChooser().linesBefore(first.section)+p.units[o.unit].lines() > mostBefore,
			at != first && o.value < enough && !belongs && f.isAnswered(first):
			continue
		}
		if misses++; f.takeUnit(at, o.unit, first, n == 0) {
			misses = 0
			if opens {
				taken = append(taken, at)
				f.takeSteps(at, whole, first)
				takeRemedies(f, at)
			}
		}
	}
	return nil
}

// isAnswered reports whether the first hit answers by itself: phase 1.5 is sure of it, all of its
// text is kept, and the question asks for one thing.
func (f *filler) isAnswered(first place) bool {
	if !f.why.sections || len(f.sides) > 1 || f.similarity(first) < sureHit {
		return false
	}
	p := f.pages[first.page]
	for i := p.sections[first.section].first; i < p.sections[first.section].end; i++ {
		if u := p.units[i]; !p.isKept(i) && u.kind != doc.Meta && u.kind != doc.Rule && !u.top && !u.tab {
			return false
		}
	}
	return true
}

// isBelow reports whether section k is the first hit or one of its subsections: the text below a heading
// belongs to it. The beginning of a page introduces its subject, and the steps stand in its subsections.
func (p *page) isBelow(k, first int) bool {
	if k < first {
		return false
	}
	for above := k; above >= 0; above = p.sections[above].parent {
		if above == first {
			return true
		}
	}
	return beginsPage(p.sections, first)
}

// beginsPage reports whether section k is the text below a page's title, which may be a key of
// its front matter and the parent of no section.
func beginsPage(sections []section, k int) bool {
	if sections[k].level > 1 {
		return false
	}
	return !slices.ContainsFunc(sections[:k], func(s section) bool { return s.heading >= 0 })
}

// offers gives the units by their value, those that are worth little next to the best one left
// out, and the best one of the first hit before all others.
func (f *filler) offers(first place) []weighed {
	out := f.weighUnits()
	for i, u := range out {
		v := f.gains.Odds(u.x) - float64(roomPart*math.Log(max(1, f.pages[u.at.page].newChooser().sizeOfUnit(u.unit))))
		switch {
		case f.standsBefore(u.at, first):
			v += math.Log(beforeFirst)
		case u.at == first:
			v += math.Log(ofFirstHit)
		}
		out[i].value = int(math.Round(float64(v * scoreScale)))
	}
	if len(out) == 0 {
		return nil
	}
	slices.SortStableFunc(out, func(a, b weighed) int { return cmp.Compare(b.value, a.value) })
	lead := slices.IndexFunc(out, func(u weighed) bool { return u.at == first })
	if f.why.sections {
		for n := len(out) - 1; n > lead && out[n].value < out[0].value-int(floor*scoreScale); n-- {
			out = out[:n]
		}
	}
	if lead > 0 {
		best := out[lead]
		out = slices.Insert(slices.Delete(out, lead, lead+1), 0, best)
	}
	return out
}

// takeSteps keeps the procedures of a section that was opened, if the question asks how
// something is done, and of the first hit the code that is not long too. Of a question about
// something that goes wrong the procedures of the first hit are what helps.
func (f *filler) takeSteps(at place, whole int, first place) {
	if !f.why.steps && !(f.why.fails && at == first) || f.standsBefore(at, first) {
		return
	}
	f.limit.lines = max(f.limit.lines, int(float64(sidesPart*float64(whole))))
	f.tryChange(at.page, budget{}, func(limit budget) bool {
		p := f.pages[at.page]
		for i := p.sections[at.section].first; i < p.sections[at.section].end; i++ {
			if p.units[i].kind == doc.Procedure {
				p.newChooser().addUnit(i, limit)
			}
		}
		if at == first && f.why.steps {
			p.newChooser().keepCode(at.section, limit)
		}
		return true
	})
}

// linesBefore is how many lines are kept before section k on its page, headings aside.
func (p chooser) linesBefore(k int) int {
	n := 0
	for i := range p.sections[k].first {
		if p.isKept(i) && p.units[i].kind != doc.HeadingRow {
			n += p.units[i].lines()
		}
	}
	return n
}

// takeUnit keeps a unit with all that it needs; a best one may be kept without it. A
// function's signature comes with the sentence that says what it does. What a unit needs may
// be much longer than the unit: it is not kept if more than withNeeds lines would then be
// read before the first hit. (Measured: 3 in place of 8 answers .006 fewer.)
func (f *filler) takeUnit(at place, i int, first place, best bool) bool {
	return f.takeOf(at, func(p *page, limit budget, why aim) bool {
		c := p.newChooser()
		kept, used := p.keep, p.used
		if f.standsBefore(at, first) {
			kept = p.keep.Clone()
		}
		if !c.addUnit(i, limit) && !(best && c.addBest(i, limit, why)) {
			return false
		}
		if f.standsBefore(at, first) && c.linesBefore(first.section) > withNeeds {
			p.keep, p.used = kept, used
			return false
		}
		if next := i + 1; next < p.sections[at.section].end && p.units[i].lines() == 1 && c.isSignature(p.units[i].first) {
			c.addUnits(limit, next)
		}
		return true
	})
}

// Unit is a unit of a page that a block of sections may have.
type Unit struct {
	Document string // key of its page's content
	Lines    [2]int // of the page, from 1, both included
	Features []float64
}

// Units gives what phase 3 chooses from for a block of sections, to learn the weights from.
func (b *Builtin) Units(ctx context.Context, ck contract.Check) ([]Unit, error) {
	docs, err := documents(ck.Extraction)
	if err != nil || len(docs) == 0 {
		return nil, err
	}
	f := &filler{docs: docs, limit: b.budgetOfContents(ck, true), with: map[int]int{}, sides: sidesOfQuestion(ck.Context)}
	if f.pages, err = b.readPages(ctx, ck.Extraction, docs, ck.Context, f.largestWholeBlock(b.leastOverhead(docs))); err != nil {
		return nil, err
	}
	var out []Unit
	for _, u := range f.weighUnits() {
		p := f.pages[u.at.page]
		out = append(out, Unit{p.key, [2]int{p.units[u.unit].first, p.units[u.unit].last}, u.x[:]})
	}
	return out, nil
}
