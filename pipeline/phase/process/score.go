package process

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/phase/process/terms"
	"docent/pipeline/question"
	"docent/pipeline/question/reading"
	"docent/store/doc"
)

// Weights of the score: BM25 (Robertson and Zaragoza, The Probabilistic Relevance
// Framework, 2009) with units in place of documents. b is lower than for documents,
// since a unit's length says little about how concise it is.
const (
	k1             = 1.2
	lengthPart     = 0.5
	headingWeight  = 1.5  // of a word's idf, for the unit's own heading
	ancestorWeight = 0.75 // for a heading above it
	queryWeight    = 0.6  // of a word of the queries that is not in the question
	// Of a word of a translation: less than the question's, since a word has several.
	translationWeight  = 0.9
	openingWeight      = 2.0  // of a word at the beginning of a unit, if there is no other
	codeWeight         = 0.7  // code repeats names without saying what they are; not for a question how something is done
	passageWeight      = 1.25 // units of the passage that phase 1.5 judged
	abbreviationWeight = 0.6  // of what an abbreviation of the question stands for
	parameterWeight    = 4.0  // of the row or item that documents the parameter which is asked for
	measureWeight      = 2.0  // of a unit that states the measure which is asked for
	maxQueryTerms      = 64
	scoreScale         = 1000 // scores are whole numbers, so that all machines agree
	// mostScored is the most bytes of all pages together whose words are compared; later
	// text is kept only where it was found. The pages of known documentation have up to
	// 0.6 MB each.
	mostScored = 4 << 20
)

// queryTerm is one word that units are scored for.
type queryTerm struct {
	term   string
	weight float64
}

// queryTerms are the words of the question and then the other words of the queries.
// Stop words are left out unless there are no others.
func (b *Builtin) queryTerms(c *contract.Context) []queryTerm {
	if c == nil {
		return nil
	}
	var out, stops []queryTerm
	seen := map[string]bool{}
	take := func(text string, weight float64) {
		if len(text) > contract.MaxQuestion {
			text = text[:contract.MaxQuestion]
		}
		for _, t := range b.o.Terms(text) {
			if seen[t] || t == "" {
				continue
			}
			seen[t] = true
			if q := (queryTerm{t, weight}); terms.IsStop(t) {
				stops = append(stops, q)
			} else {
				out = append(out, q)
			}
		}
	}
	take(c.Question, 1)
	for _, w := range c.Translations {
		for _, r := range w.Terms {
			take(r.Text, float64(translationWeight*r.Weight))
		}
	}
	for _, x := range c.Abbreviations {
		take(x.Also, abbreviationWeight)
	}
	for _, q := range c.Queries {
		take(q, queryWeight)
	}
	if len(out) == 0 {
		out = stops
	}
	return out[:min(len(out), maxQueryTerms)]
}

// sectionsNamed has blocks give the sections of a whole text, which has so many bytes, the
// anchors that they have in its source: the text does not say them.
func sectionsNamed(blocks func([]byte) (doc.Document, error), anchors []contract.LineAnchor, bytes int) func([]byte) (doc.Document, error) {
	if len(anchors) == 0 || blocks == nil {
		return blocks
	}
	byLine := make(map[int]string, len(anchors))
	for _, a := range anchors {
		byLine[a.Line] = a.Anchor
	}
	return func(text []byte) (doc.Document, error) {
		d, err := blocks(text)
		if err != nil || len(text) != bytes {
			return d, err
		}
		for i := range d.Sections {
			if a := byLine[d.Sections[i].Span.StartLine]; a != "" {
				d.Sections[i].Anchor = a
			}
		}
		return d, nil
	}
}

// readPages reads and scores all documents.
func (b *Builtin) readPages(ctx context.Context, ex contract.Extraction, docs []contract.Extracted, c *contract.Context,
	most budget) ([]*page, error) {
	pages := make([]*page, len(docs))
	for i, d := range docs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		key := d.ContentKey()
		found := make([][2]int, len(d.Headings))
		for k, h := range d.Headings {
			found[k] = h.Lines
		}
		pages[i] = newPage(key, ex.Contents[key], sectionsNamed(b.blockReader(ctx, d.Format), d.Anchors, len(ex.Contents[key])), most,
			found...)
		pages[i].title, pages[i].set = d.Title, d.SetRef().Name
		pages[i].markKept(d.Headings)
		if c != nil {
			markTabs(pages[i], c.Question)
		}
	}
	query := b.queryTerms(c)
	w := wanted{query: query, sides: b.sideTerms(sidesOfQuestion(c), c, query)}
	if c != nil {
		w.measures = reading.OfContext(c).Measures
		w.steps = c.Kind == contract.KindProcedure
	}
	for i, s := range sidesOfQuestion(c) {
		if parts := reading.OfContext(c).Parts; len(parts) > 1 {
			w.sideMeasures = append(w.sideMeasures, parts[i].Measures)
		} else {
			w.sideMeasures = append(w.sideMeasures, reading.OfPart(s).Measures)
		}
	}
	return pages, b.scorePages(ctx, pages, w)
}

// wanted is what units are scored for.
type wanted struct {
	query []queryTerm
	sides [][]bool // for each side of the question, which terms are its own
	// The measures that the question, and each side of it, asks for.
	measures     []contract.Measure
	sideMeasures [][]contract.Measure
	steps        bool // the question asks how something is done
}

// raiseStated raises the score of a unit that documents the parameter or states a measure
// which is asked for; what only stands under a heading with the question's words counts
// as it is.
func (w *wanted) raiseStated(p *page, u *unit, score, heading float64) float64 {
	if p.documents(u) {
		score *= parameterWeight
	}
	if len(w.measures) == 0 || score <= heading || !reading.States(p.linesText(u.first, u.last), w.measures) {
		return score
	}
	return measureWeight * score
}

// blockReader reads the blocks of texts of a format; nil without Options.Structure.
func (b *Builtin) blockReader(ctx context.Context, format doc.Format) func([]byte) (doc.Document, error) {
	if b.o.Structure == nil {
		return nil
	}
	format = cmp.Or(format, doc.FormatMarkdown)
	return func(text []byte) (doc.Document, error) { return b.o.Structure(ctx, text, format) }
}

// scorePages sets the scores of units, sections and pages.
func (b *Builtin) scorePages(ctx context.Context, pages []*page, w wanted) error {
	query, sides := w.query, w.sides
	if len(query) == 0 {
		return nil
	}
	index := make(map[string]int, len(query))
	for i, q := range query {
		index[q.term] = i
	}
	type bag struct {
		counts []uint16
		terms  int
	}
	count := func(text string) bag {
		bg := bag{counts: make([]uint16, len(query))}
		for _, t := range b.o.Terms(text) {
			bg.terms++
			if i, ok := index[t]; ok && bg.counts[i] < math.MaxUint16 {
				bg.counts[i]++
			}
		}
		return bg
	}
	in := make([]int, len(query)) // units that have the term
	bags := make([][]bag, len(pages))
	units, terms, scored := 0, 0, 0
	for pi, p := range pages {
		bags[pi] = make([]bag, len(p.units))
		for i, u := range p.units {
			if i%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if u.kind == doc.Meta || u.kind == doc.Rule || u.top {
				continue
			}
			text := p.linesText(u.first, u.last)
			if p.hasLongLine(u.first, u.last) {
				text = text[:longLine] // it is not kept
			}
			if scored > mostScored && !p.sections[u.section].isJudgedUnit(&u) {
				p.unread += len(text)
				continue
			}
			scored += len(text)
			bg := count(text)
			bags[pi][i] = bg
			units++
			terms += bg.terms
			for t, n := range bg.counts {
				if n > 0 {
					in[t]++
				}
			}
		}
	}
	idf := make([]float64, len(query))
	for t, n := range in {
		idf[t] = float64(query[t].weight * math.Log(1+(float64(units-n)+0.5)/(float64(n)+0.5)))
	}
	average := math.Max(1, float64(terms)/math.Max(1, float64(units)))
	for pi, p := range pages {
		heads := make([]float64, len(p.sections))
		own := make([][]uint16, len(p.sections))
		title, set := count(p.title).counts, count(p.title+" "+p.set).counts
		for k, s := range p.sections {
			own[k] = count(s.text).counts
			heads[k] = headingScore(p, k, own, title, idf)
			p.sections[k].sides = headingSides(sides, own[k], b.contentTerms(s.text))
		}
		for i := range p.units {
			u := &p.units[i]
			bg := bags[pi][i]
			if bg.counts == nil {
				continue
			}
			score := heads[u.section]
			if u.kind != doc.HeadingRow { // its words are counted already
				norm := float64(k1 * (1 - lengthPart + float64(lengthPart*float64(bg.terms)/average)))
				for t, n := range bg.counts {
					if n > 0 {
						score += float64(idf[t] * float64(n) * (k1 + 1) / (float64(n) + norm))
					}
				}
				score += opensWith(b.o.Terms(p.openingOfUnit(i)), index, idf)
				if u.kind == doc.Code && !w.steps {
					score *= codeWeight
				}
				if p.sections[u.section].isJudgedUnit(u) {
					score *= passageWeight
				}
				score = w.raiseStated(p, u, score, heads[u.section])
			}
			u.score = int(math.Round(float64(score * scoreScale)))
			u.sides = sideScores(sides, idf, bg.counts, own[u.section], set)
			w.statedBySide(p, u)
		}
		p.rank()
	}
	return nil
}

// sideScores are a unit's scores for each side: its words, those of its heading, and
// half of those that only its page's title has. idf is squared: the rarest words tell
// sides apart.
func sideScores(sides [][]bool, idf []float64, text, heading, title []uint16) []int {
	if len(sides) == 0 {
		return nil
	}
	out := make([]int, len(sides))
	for i, side := range sides {
		score := 0.0
		for t, mine := range side {
			if !mine {
				continue
			}
			times := 0.0
			if text[t] > 0 {
				times++
			}
			if heading[t] > 0 {
				times++
			}
			if times == 0 && title[t] > 0 {
				times = 0.5
			}
			score += float64(times * idf[t] * idf[t])
		}
		out[i] = int(math.Round(float64(score * scoreScale)))
	}
	return out
}

// headingSides says for each side whether a heading has its words and no others.
func headingSides(sides [][]bool, heading []uint16, terms int) []bool {
	out := make([]bool, len(sides))
	for i, side := range sides {
		mine, hits := 0, 0
		for t, is := range side {
			if is {
				mine++
				if heading[t] > 0 {
					hits++
				}
			}
		}
		out[i] = mine > 0 && hits == mine && terms <= mine
	}
	return out
}

// contentTerms counts the different words of a heading, small words aside.
func (b *Builtin) contentTerms(text string) int {
	seen := map[string]bool{}
	for _, t := range b.o.Terms(text) {
		if !terms.IsStop(t) {
			seen[t] = true
		}
	}
	return len(seen)
}

// opensWith is what a unit gets for the words of the query in its opening: the more
// the fewer others are there. What opens with a name documents it.
func opensWith(opening []string, index map[string]int, idf []float64) float64 {
	score, hits := 0.0, 0
	seen := map[string]bool{}
	for _, t := range opening {
		if i, ok := index[t]; ok {
			hits++
			if !seen[t] {
				seen[t] = true
				score += idf[i]
			}
		}
	}
	if hits == 0 {
		return 0
	}
	return float64(openingWeight * score * float64(hits) / float64(len(opening)))
}

// openingOfUnit is the beginning of a unit: its first cell, its term or its first line.
func (p *page) openingOfUnit(i int) string {
	const longest = 80
	text := p.linesText(p.units[i].first, p.units[i].first)
	text = strings.TrimLeft(text, "|-*+ \t")
	if at := strings.IndexAny(text, "|:"); at > 0 {
		text = text[:at]
	}
	return question.Shorten(text, longest)
}

// documenting is the unit of section k that documents the requested parameter, or -1.
func (p *page) documenting(k int) int {
	s := p.sections[k]
	if s.parameter == nil {
		return -1
	}
	for i := s.first; i < s.end; i++ {
		if p.documents(&p.units[i]) {
			return i
		}
	}
	return -1
}

// documents reports whether a unit is the row or item that documents the parameter which is
// asked for. A section that documents it as a whole has no better part. The page may have
// changed since its parameters were read: the unit must have the name.
func (p *page) documents(u *unit) bool {
	d := p.sections[u.section].parameter
	if d == nil || u.last < d.Lines[0] || u.first > d.Lines[1] || d.Lines[0] <= p.units[p.sections[u.section].first].first {
		return false
	}
	return strings.Contains(p.linesText(d.Lines[0], min(d.Lines[1], p.lineCount())), d.Name)
}

// isJudgedUnit reports whether a unit lies in the passage that phase 1.5 judged.
func (s section) isJudgedUnit(u *unit) bool {
	return s.sim > 0 && u.first <= s.passage[1] && u.last >= s.passage[0]
}

// headingScore is the score that a section's units get from its headings: each word
// counts once, for the nearest heading that has it. own holds the counts of the
// headings of sections 0 to k.
func headingScore(p *page, k int, own [][]uint16, title []uint16, idf []float64) float64 {
	score := 0.0
	for t := range idf {
		weight, found := headingWeight, false
		for at := k; at >= 0 && !found; at = p.sections[at].parent {
			if found = own[at][t] > 0; found {
				score += float64(weight * idf[t])
			}
			weight = ancestorWeight
		}
		if !found && title[t] > 0 { // pages may have their title outside of the text
			score += float64(ancestorWeight * idf[t])
		}
	}
	return score
}

// rank sets the scores of sections and of the page: the best score in them, half of
// the second and a quarter of the third.
func (p *page) rank() {
	var sections best3
	for k := range p.sections {
		var units best3
		for i := p.sections[k].first; i < p.sections[k].end; i++ {
			units.takeValue(p.units[i].score)
		}
		p.sections[k].score = units.sumOfBest()
		sections.takeValue(units.sumOfBest())
	}
	p.relevance = sections.sumOfBest()
}

type best3 [3]int

func (b *best3) takeValue(v int) {
	for i := range b {
		if v > b[i] {
			v, b[i] = b[i], v
		}
	}
}

func (b *best3) sumOfBest() int { return b[0] + b[1]/2 + b[2]/4 }

// orderByScore sorts the indices 0 to n-1 by score, highest first; the sort is stable.
func orderByScore(n int, score func(int) int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(score(b), score(a)) })
	return order
}
