package rerank

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/question/reading"
	"docent/pipeline/text/plural"
	"docent/store/analysis"
	"docent/store/parallel"
)

// scoreCandidates sets rerank_sim on the candidates, which stand in the first stage's
// order, and says in out whether they answer the question. It says which pages
// could not be read.
func (b *Builtin) scoreCandidates(ctx context.Context, m *Model, in *contract.Context, results []contract.Result, cands []candidate,
	out *contract.RerankOutput) ([]string, error) {
	vectors, traits, warnings, err := b.vectorsOfCandidates(ctx, in, results, cands)
	if err != nil {
		return nil, err
	}
	dense := newDense(in.DenseWeight, results, cands, func(i int) float64 {
		logit, _ := m.logitOf(vectors[i], nil, false)
		return logit
	})
	for i, c := range cands {
		h := &results[c.page].Headings[c.heading]
		logit, parts := m.logitOf(vectors[i], traits[i], h.Explain != nil)
		logit, parts = dense.fuseCosine(h.Signals.Model, logit, parts)
		s := 1 / (1 + math.Exp(-logit))
		s = min(1, max(1e-6, math.Round(s*1e6)/1e6))
		h.RerankSim = &s
		if h.Explain != nil {
			e := *h.Explain
			e.Rerank = parts
			h.Explain = &e
		}
	}
	m.judgeAnswer(out, in.Question, vectors)
	return warnings, nil
}

// vectorsOfCandidates makes the candidates' features, and the traits that their kind of question
// asks for.
func (b *Builtin) vectorsOfCandidates(ctx context.Context, in *contract.Context, results []contract.Result, cands []candidate) ([]vector,
	[][]trait,
	[]string, error) {
	q, err := b.readQuery(ctx, in, results)
	if err != nil {
		return nil, nil, nil, err
	}
	asking := newAsking(analysis.New(), in, results, q.weights)
	st := stage{rank: make(map[candidate]int, len(cands))}
	for i, c := range cands {
		h := results[c.page].Headings[c.heading]
		st.rank[c] = i
		st.bestLexical = max(st.bestLexical, h.Signals.Lexical)
		st.bestFeedback = max(st.bestFeedback, h.Signals.Feedback)
		st.bestExpanded = max(st.bestExpanded, expandedScore(h))
		st.bestSemantic = max(st.bestSemantic, h.Signals.Semantic)
	}
	for _, r := range results {
		for _, h := range r.Headings {
			st.best = max(st.best, h.Score)
		}
	}
	byPage := map[int][]int{}
	var order []int
	for i, c := range cands {
		if byPage[c.page] == nil {
			order = append(order, c.page)
		}
		byPage[c.page] = append(byPage[c.page], i)
	}
	out, traits := make([]vector, len(cands)), make([][]trait, len(cands))
	spellings, errs := make([]spelling, len(cands)), make([]error, len(order))
	parallel.Do(len(order), func(mine iter.Seq[int]) {
		a := b.analyzers.Get()
		defer b.analyzers.Put(a)
		for i := range mine {
			p := order[i]
			own := make([]candidate, len(byPage[p]))
			for j, k := range byPage[p] {
				own[j] = cands[k]
			}
			var texts []string
			texts, errs[i] = b.passagesOfPage(ctx, &results[p], own)
			for j := range texts { // of a passage as long as a book, the part around the words
				if len(texts[j]) > mostText {
					texts[j] = analysis.FocusWindow(texts[j], q.weights, analysis.LongLine)
				}
			}
			for j, v := range q.pageFeatures(a, &results[p], own, texts, st) {
				at := byPage[p][j]
				spellings[at] = q.like.spellingOf(texts[j])
				out[at] = v
				traits[at] = asking.traitsOfCandidate(a, &results[p], &results[p].Headings[own[j].heading], texts[j], &v)
			}
		}
	})
	q.compareTexts(spellings, out, byPage)
	// A page that cannot be read is reranked by its headings alone; when none
	// can be read, reranking has failed.
	var warnings []string
	for _, err := range errs {
		if err != nil {
			warnings = append(warnings, err.Error())
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, nil, errors.Join(append(errs, err)...)
	}
	if len(warnings) > 0 && len(warnings) == len(errs) {
		err := errs[0]
		if more := len(errs) - 1; more > 0 {
			err = fmt.Errorf("%w (and %s)", err, plural.Count(more, "other page", "other pages"))
		}
		return nil, nil, nil, err
	}
	return out, traits, warnings, nil
}

// passagesOfPage reads the candidates' texts of one page; they are empty where it
// cannot be read.
func (b *Builtin) passagesOfPage(ctx context.Context, r *contract.Result, cands []candidate) ([]string, error) {
	lines := make([][2]int, len(cands))
	for i, c := range cands {
		lines[i] = r.Headings[c.heading].Lines
	}
	texts, err := b.Texts.Passages(ctx, r.DocSet, r.FilePath, lines)
	if err != nil {
		return make([]string, len(cands)), fmt.Errorf("%s of %s: %w: %w", r.FilePath, r.DocSet, ErrNoText, err)
	}
	return texts, nil
}

// mostAbbreviations bounds the work for a context that was written by hand.
const mostAbbreviations = 16

// asideWeight is the weight of other terms, relative to domain nouns.
const asideWeight = 0.6

// nowhere is a term that no page has.
const nowhere = "\x00"

// readQuery reads the question, its best rewriting, the domain nouns, and the
// renderings of a question that was translated.
func (b *Builtin) readQuery(ctx context.Context, in *contract.Context, results []contract.Result) (*query, error) {
	q := &query{weights: map[string]float64{}, how: in.Scene == contract.SceneTutorial && reading.OfContext(in).How}
	l := &lens{ids: map[string]int{}}
	a := analysis.New()
	texts := []string{in.Question}
	if t := definedTerm(in); t != "" {
		texts[0] = t
		// A heading may be the whole question.
		q.pairs, q.names = append(q.pairs, pairsOf(in.Question)), append(q.names, analysis.NameTerm(in.Question))
	} else if len(in.Queries) > 0 && in.Queries[0] != in.Question {
		texts = append(texts, in.Queries[0])
	}
	var variants []variant
	for _, t := range texts {
		variants = append(variants, l.readText(a, t))
		q.pairs = append(q.pairs, pairsOf(t))
		if in.Kind == contract.KindDefinition { // the page on pods is called Pods
			q.pairs = append(q.pairs, pairsOf(otherNumber(t)))
		}
		q.names = append(q.names, analysis.NameTerm(t))
	}
	q.like = newLikeness(in.Question)
	if slices.ContainsFunc(variants, func(v variant) bool { return len(v.idents) > 0 }) {
		q.like = newLikeness("") // a name that is written out is found by itself, not by what is spelled like it
	}
	q.about = l.readText(a, strings.Join(in.DomainNouns, " "))
	for _, x := range in.Abbreviations[:min(len(in.Abbreviations), mostAbbreviations)] {
		to, from := l.readText(a, x.Words).words, l.readText(a, x.Also).words
		if len(from) > 0 && len(to) > 0 {
			l.aliases = append(l.aliases, alias{from, to})
		}
	}
	q.wordings = readWordings(a, l, in)
	tr := translated(a, in.Translations)
	own := len(l.ids)
	terms := make([]string, own, own+len(tr.ids))
	for t, id := range l.ids {
		terms[id] = t
	}
	renderings := slices.Sorted(maps.Keys(tr.ids))
	var sets []string
	for _, r := range results {
		if !slices.Contains(sets, r.DocSet) {
			sets = append(sets, r.DocSet)
		}
	}
	idf, err := b.Texts.IDF(ctx, sets, append(append(terms, renderings...), nowhere))
	if err != nil {
		return nil, err
	}
	most := idf[len(idf)-1]
	q.absent = 1
	l.idf = idf[:own]
	l.missing = make([]bool, own)
	for id, x := range l.idf {
		l.missing[id] = x >= most
	}
	weigh := q.preferSubject(terms)
	l.bare = slices.Clone(l.idf)
	for id := range l.idf {
		l.idf[id] = weigh(terms[id], l.idf[id])
	}
	for _, v := range variants {
		for _, p := range v.pairs {
			w := 1.0
			for _, id := range p {
				w *= weigh(terms[id], 1)
			}
			v.weight = append(v.weight, w)
		}
		if v.weighTerms(l.idf); v.total > 0 {
			l.variants = append(l.variants, v)
			q.absent = min(q.absent, l.absentShare(v))
			// The rewriting, where there is one: it is in the documents' language.
			q.length = len(v.terms)
		}
		for _, id := range v.terms {
			q.weights[terms[id]] = l.idf[id]
		}
		for i, id := range v.idents {
			q.weights[v.written[i]] = l.idf[id]
		}
	}
	q.about.weighTerms(l.idf)
	q.wordings.weigh(l)
	l.wanted = analysis.NewWanted(l.ids)
	q.lenses = append(q.lenses, l)
	q.translate(tr, renderings, idf[own:len(idf)-1], most, weigh)
	return q, b.compareDocSets(ctx, q, sets)
}

// preferSubject weighs a term's idf: the subject of a question weighs more than the
// requested action. A page on creating something else is no answer to "how do I create a
// hook".
func (q *query) preferSubject(terms []string) func(term string, idf float64) float64 {
	about := map[string]bool{}
	for _, id := range q.about.terms {
		about[terms[id]] = true
	}
	return func(term string, idf float64) float64 {
		if len(about) > 0 && !about[term] {
			return asideWeight * idf
		}
		return idf
	}
}

// translate adds the lens of a question's translation. idf are the renderings', most
// is that of a term that no page has.
func (q *query) translate(tr *lens, renderings []string, idf []float64, most float64, weigh func(term string, idf float64) float64) {
	if len(tr.ids) == 0 {
		return
	}
	// One of the renderings is found as often as the commonest of them.
	for i, t := range renderings {
		x, id := weigh(t, idf[i]), tr.ids[t]
		if tr.idf[id] == 0 || x < tr.idf[id] {
			tr.idf[id] = x
		}
	}
	for _, t := range renderings {
		q.weights[t] = max(q.weights[t], tr.idf[tr.ids[t]])
	}
	v := &tr.variants[0]
	v.weight = slices.Repeat([]float64{1}, len(v.pairs))
	v.weighTerms(tr.idf)
	q.length = len(v.terms)
	if v.total > 0 {
		tr.missing = make([]bool, len(tr.idf))
		for i := range tr.missing {
			tr.missing[i] = true
		}
		for i, t := range renderings {
			if idf[i] < most {
				tr.missing[tr.ids[t]] = false
			}
		}
		q.absent = min(q.absent, tr.absentShare(*v))
		tr.wanted = analysis.NewWanted(tr.ids)
		q.lenses = append(q.lenses, tr)
	}
}

// translated is the lens to which all the renderings of a word are one term.
func translated(a *analysis.Analyzer, words []contract.Translation) *lens {
	l := &lens{ids: map[string]int{}}
	v := variant{rarest: -1}
	for _, w := range words {
		id := len(l.idf)
		if id == maxTerms {
			break
		}
		for _, r := range w.Terms {
			for _, t := range a.Terms(r.Text) {
				if _, ok := l.ids[t]; !ok {
					l.ids[t] = id
				}
			}
		}
		l.idf = append(l.idf, 0)
		v.terms, v.words = append(v.terms, id), append(v.words, id)
		if id > 0 {
			v.pairs = append(v.pairs, [2]int{id - 1, id})
		}
	}
	l.variants = []variant{v}
	return l
}

// Candidate is one heading with its features, for training.
type Candidate struct {
	DocSet, FilePath, Heading, Anchor string
	Values                            []float64 // by FeatureNames
}

// FeatureNames names the features in their order.
func FeatureNames() []string {
	names := featureNames()
	return names[:]
}

// Monotone pairs each feature that speaks for a candidate, whatever the
// question, with the same feature times the question's length, and that of its page with
// itself. Where a heading lies, how long a passage is and how many were found may speak either
// way.
func Monotone() [][2]int {
	var out [][2]int
	for f := range numBase {
		switch f {
		case shallow, length, pageSupport, steps, absent, tiny:
		default:
			out = append(out, [2]int{int(f), int(numBase + f)}, [2]int{int(2*numBase + f), int(2*numBase + f)})
		}
	}
	return out
}

// Features gives the candidates of an input with their features, in the first
// stage's order: what training learns from.
func (b *Builtin) Features(ctx context.Context, in contract.RerankInput, limit int) ([]Candidate, error) {
	asked, results := askedContext(in), cloneResults(in.Results)
	cands := unrankedHeadings(results)
	cands = orderByScore(results, cands)[:min(limit, len(cands))]
	if len(cands) == 0 {
		return nil, nil
	}
	vectors, _, _, err := b.vectorsOfCandidates(ctx, &asked, results, cands)
	if err != nil {
		return nil, err
	}
	out := make([]Candidate, len(cands))
	for i, c := range cands {
		r := &results[c.page]
		h := &r.Headings[c.heading]
		out[i] = Candidate{DocSet: r.DocSet, FilePath: r.FilePath, Heading: strings.TrimLeft(h.Text, "# "), Anchor: h.Anchor,
			Values: vectors[i][:]}
	}
	return out, nil
}

// askedContext is the context with the question as it is searched for.
func askedContext(in contract.RerankInput) contract.Context {
	var c contract.Context
	if in.Context != nil {
		c = *in.Context
		r := *reading.OfContext(&c)
		r.Question, c.Question, c.Reading = r.Asked, r.Asked, &r
	}
	return c
}

// definedTerm is the term of a definition, "" for other questions: "what is", "good for" and
// "meaning" are not asked for.
func definedTerm(c *contract.Context) string {
	if c.Kind == contract.KindDefinition && len(c.Subjects) == 1 && len(c.Parts) < 2 {
		return c.Subjects[0]
	}
	return ""
}

// unrankedHeadings are the headings that have no rerank_sim yet.
func unrankedHeadings(results []contract.Result) []candidate {
	var cands []candidate
	for i, r := range results {
		for j, h := range r.Headings {
			if h.RerankSim == nil {
				cands = append(cands, candidate{page: i, heading: j})
			}
		}
	}
	return cands
}
