package rerank

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"docent/pipeline/contract"
	"docent/store/lexical/analysis"
)

// feature is one input of the model, in [0,1] or thereabouts.
type feature int

const (
	headingCover  feature = iota // share of the question's weight in title and heading path
	textCover                    // share in the passage's text
	anyCover                     // share in either
	nounTitle                    // share of the domain nouns' weight in the page's title
	headingFit                   // share of the heading's own words that the question has
	titleFit                     // share of the page title's words that the question has
	phraseHeading                // share of neighbouring word pairs that are neighbours in title or headings
	phraseText                   // likewise in the text
	identifier                   // an identifier of the question stands in the text as written
	identHead                    // likewise in title or headings
	relative                     // first-stage score, relative to the best candidate's
	shallow                      // 1 for a page's top, less the deeper the heading lies
	numFeatures
)

var featureNames = [numFeatures]string{"heading_cover", "text_cover", "any_cover", "noun_title", "heading_fit", "title_fit",
	"phrase_heading", "phrase_text", "identifier", "identifier_heading", "relative_score", "shallow"}

// weights of the features and the bias, set by hand on the development
// questions; a learned model with a file of its own takes their place later.
var (
	weights = [numFeatures]float64{
		headingCover: 1.6, textCover: 0.4, anyCover: 2.2, nounTitle: 0.3, headingFit: 0.5, titleFit: 0.5,
		phraseHeading: 0.5, phraseText: 0.4, identifier: 0.5, identHead: 0.8, relative: 4.0, shallow: 0.2,
	}
	bias = -4.2
)

// variant is one way to ask: the question itself, or its best rewriting (a
// question in another language than the text shares no words with it).
type variant struct {
	terms  []string // distinct, without stop words
	idents []string
	pairs  [][2]string
	idf    map[string]float64
	total  float64
}

func newVariant(a *analysis.Analyzer, text string) variant {
	v := variant{idf: map[string]float64{}}
	seen := map[string]bool{}
	prev, prevPos := "", -2
	for _, t := range a.Tokens(text) {
		if t.Kind == analysis.Stop {
			continue
		}
		if t.Kind == analysis.Identifier {
			v.idents = append(v.idents, t.Term)
		} else {
			if prevPos >= 0 {
				v.pairs = append(v.pairs, [2]string{prev, t.Term})
			}
			prev, prevPos = t.Term, t.Pos
		}
		if !seen[t.Term] {
			seen[t.Term] = true
			v.terms = append(v.terms, t.Term)
		}
	}
	return v
}

// maxTerms bounds the work for a question of thousands of words.
const maxTerms = 64

// score sets rerank_sim on the candidates. It says which pages could not be
// read.
func (b *Builtin) score(ctx context.Context, question string, queries, nouns []string, results []contract.Result, cands []candidate) ([]string, error) {
	a := analysis.New()
	texts := []string{question}
	if len(queries) > 0 && queries[0] != question {
		texts = append(texts, queries[0])
	}
	var sets []string
	seen := map[string]bool{}
	for _, r := range results {
		if !seen[r.DocSet] {
			seen[r.DocSet] = true
			sets = append(sets, r.DocSet)
		}
	}
	var variants []variant
	for _, t := range texts {
		v := newVariant(a, t)
		v.terms = v.terms[:min(maxTerms, len(v.terms))]
		idf, err := b.Texts.IDF(ctx, sets, v.terms)
		if err != nil {
			return nil, err
		}
		for i, t := range v.terms {
			v.idf[t] = idf[i]
			v.total += idf[i]
		}
		if v.total > 0 {
			variants = append(variants, v)
		}
	}
	about := newVariant(a, strings.Join(nouns, " "))
	about.terms = about.terms[:min(maxTerms, len(about.terms))]
	rare, err := b.Texts.IDF(ctx, sets, about.terms)
	if err != nil {
		return nil, err
	}
	for i, t := range about.terms {
		about.idf[t] = rare[i]
		about.total += rare[i]
	}
	best := 0.0
	for _, r := range results {
		for _, h := range r.Headings {
			best = max(best, h.Score)
		}
	}
	byPage := map[int][]candidate{}
	var order []int
	for _, c := range cands {
		if byPage[c.page] == nil {
			order = append(order, c.page)
		}
		byPage[c.page] = append(byPage[c.page], c)
	}
	errs := make([]error, len(order))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(len(order), runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			a := analysis.New()
			for i := int(next.Add(1)) - 1; i < len(order); i = int(next.Add(1)) - 1 {
				p := order[i]
				errs[i] = b.scorePage(ctx, a, &results[p], byPage[p], variants, about, best)
			}
		})
	}
	wg.Wait()
	// A page that cannot be read is reranked by its headings alone; when none
	// can be read, reranking has failed.
	var warnings []string
	for _, err := range errs {
		if err != nil {
			warnings = append(warnings, err.Error())
		}
	}
	if len(warnings) > 0 && len(warnings) == len(errs) || ctx.Err() != nil {
		return nil, errors.Join(errs...)
	}
	return warnings, nil
}

// scorePage sets rerank_sim on the candidates of one page. Pages are scored some
// at a time; they share nothing that is written.
func (b *Builtin) scorePage(ctx context.Context, a *analysis.Analyzer, r *contract.Result, cands []candidate, variants []variant, about variant, best float64) error {
	lines := make([][2]int, len(cands))
	for i, c := range cands {
		lines[i] = r.Headings[c.heading].Lines
	}
	passages, err := b.Texts.Passages(ctx, r.DocSet, r.FilePath, lines)
	if err != nil {
		err = fmt.Errorf("%s of %s: %w: %w", r.FilePath, r.DocSet, ErrNoText, err)
		passages = make([]string, len(cands))
	}
	sims := make([]float64, len(cands))
	for i, c := range cands {
		h := &r.Headings[c.heading]
		logit, parts := logit(features(a, variants, about, *r, *h, passages[i], best))
		s := 1 / (1 + math.Exp(-logit))
		sims[i] = min(1, max(1e-6, math.Round(s*1e6)/1e6))
		if h.Explain != nil {
			e := *h.Explain
			e.Rerank = parts
			h.Explain = &e
		}
	}
	for i, c := range cands {
		r.Headings[c.heading].RerankSim = &sims[i]
	}
	return err
}

func logit(f [numFeatures]float64) (float64, []contract.ExplainPart) {
	sum := bias
	parts := []contract.ExplainPart{{Name: "bias", Weight: bias, Input: 1, Value: bias}}
	for i, x := range f {
		v := weights[i] * x
		sum += v
		parts = append(parts, contract.ExplainPart{Name: featureNames[i], Weight: weights[i], Input: x, Value: v})
	}
	return sum, parts
}

// bag is the terms of a text and its neighbouring pairs.
type bag struct {
	terms map[string]bool
	pairs map[[2]string]bool
	words []string
}

func newBag(a *analysis.Analyzer, text string) bag {
	b := bag{terms: map[string]bool{}, pairs: map[[2]string]bool{}}
	prev := ""
	for _, t := range a.Tokens(text) {
		if t.Kind == analysis.Stop {
			continue
		}
		b.terms[t.Term] = true
		if t.Kind == analysis.Identifier {
			continue
		}
		b.words = append(b.words, t.Term)
		if prev != "" {
			b.pairs[[2]string{prev, t.Term}] = true
		}
		prev = t.Term
	}
	return b
}

// focus is the size in bytes of the part of a long passage (a table of a
// thousand rows) that is looked at.
const focus = 1200

// features of one heading: for each the best over the ways to ask.
func features(a *analysis.Analyzer, variants []variant, about variant, r contract.Result, h contract.Heading, text string, best float64) [numFeatures]float64 {
	var f [numFeatures]float64
	own := newBag(a, strings.TrimLeft(h.Text, "# "))
	title := newBag(a, r.PageTitle)
	path := strings.Join(h.Path, "\n")
	if path == "" { // spec 1's bare form has the heading alone
		path = strings.TrimLeft(h.Text, "# ")
	}
	head := newBag(a, r.PageTitle+"\n"+path)
	weights := map[string]float64{}
	for _, v := range variants {
		for t, w := range v.idf {
			weights[t] = max(weights[t], w)
		}
	}
	body := newBag(a, analysis.Focus(text, weights, focus))
	for _, v := range variants {
		var inHead, inText, inAny float64
		has := map[string]bool{}
		for _, t := range v.terms {
			has[t] = true
			w := v.idf[t] / v.total
			if head.terms[t] {
				inHead += w
			}
			if body.terms[t] {
				inText += w
			}
			if head.terms[t] || body.terms[t] {
				inAny += w
			}
		}
		up := func(i feature, x float64) { f[i] = max(f[i], x) }
		up(headingCover, inHead)
		up(textCover, inText)
		up(anyCover, inAny)
		up(headingFit, fit(own, has))
		up(titleFit, fit(title, has))
		if len(v.pairs) > 0 {
			var ph, pt float64
			for _, p := range v.pairs {
				if head.pairs[p] {
					ph++
				}
				if body.pairs[p] {
					pt++
				}
			}
			up(phraseHeading, ph/float64(len(v.pairs)))
			up(phraseText, pt/float64(len(v.pairs)))
		}
		if len(v.idents) > 0 {
			var it, ih float64
			for _, id := range v.idents {
				if body.terms[id] {
					it++
				}
				if head.terms[id] {
					ih++
				}
			}
			up(identifier, it/float64(len(v.idents)))
			up(identHead, ih/float64(len(v.idents)))
		}
	}
	if about.total > 0 {
		for _, t := range about.terms {
			if title.terms[t] {
				f[nounTitle] += about.idf[t] / about.total
			}
		}
	}
	if best > 0 {
		f[relative] = h.Score / best
	}
	f[shallow] = 1 / float64(max(1, h.Level))
	return f
}

// fit is the share of a text's words that the question has.
func fit(b bag, question map[string]bool) float64 {
	if len(b.words) == 0 {
		return 0
	}
	n := 0
	for _, w := range b.words {
		if question[w] {
			n++
		}
	}
	return float64(n) / float64(len(b.words))
}
