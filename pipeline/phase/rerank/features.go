package rerank

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"docent/pipeline/contract"
	"docent/store/analysis"
)

// feature is one input of the model, in [0,1] or thereabouts. Where the question
// is asked in several ways, each feature is the best over them.
type feature int

const (
	headingCover  feature = iota // share of the question's idf in title and heading path
	textCover                    // in the passage's text
	anyCover                     // in either
	titleCover                   // in the page's title
	ownCover                     // in the heading's own words
	pageCover                    // in all that was found of the page
	rarest                       // the rarest term of the question stands in either
	nounTitle                    // share of the domain nouns' idf in the page's title
	headingFit                   // share of the heading's own words that the question has
	titleFit                     // share of the page title's words that the question has
	exactHeading                 // heading_fit × own_cover: 1 where the heading is the question
	exactTitle                   // title_fit × title_cover
	phraseHeading                // share of neighbouring word pairs that are neighbours in title or headings
	phraseText                   // the same, in the text
	near                         // share of the pairs that stand within 8 words in the text
	window                       // best share of the question's idf within 30 words of the text
	longestRun                   // longest run of the question's words in the text, over their number
	identifier                   // an identifier of the question stands in the text as written
	identHead                    // the same, in title or headings
	relative                     // first-stage score, relative to the best candidate's
	absolute                     // first-stage score, relative to the most that the question could get
	firstRank                    // 1 / (place in the first stage's order + 3)
	pageBest                     // the page's best first-stage score, relative to the best page's
	pageSupport                  // share of 8 headings that were found in the page
	lexicalTop                   // what the question's own words scored, relative to the best candidate's
	feedback                     // the score of the terms that the best passages share, relative too
	expanded                     // both together, the second counted three times, relative too
	semantic                     // cosine with the question
	semanticTop                  // the same, relative to the best candidate's
	shallow                      // 1 for a page's top, less the deeper the heading lies
	length                       // logarithm of the passage's words, 1 at about 400
	likeHeading                  // the heading is written like the question, small words too: 1 where it is the question
	likeTitle                    // the same, to the page's title
	isHeading                    // 1 where the heading is the question, word for word
	steps                        // a list or code in the passage, where the question asks how
	absent                       // share of the question's idf whose terms no page has: the same for all candidates, evidence alone
	gramsTop                     // BM25 of the text over runs of four letters, see likeness, relative to the best candidate's
	wordsTop                     // the same, over words as they are written
	headingGain                  // what other wordings of the question's words add to heading_cover
	ownGain                      // to own_cover
	textGain                     // to text_cover
	anyGain                      // to any_cover
	windowGain                   // to window
	pageGain                     // to page_cover
	tiny                         // 1 where the passage has fewer than eight words
	docSetFit                    // how well the doc set's words fit the question, 0 for the best one
	numBase
)

// numFeatures counts each feature three times: as it is, times the question's length, and as
// the most that a candidate of the page has of it, see setOfPage. A short question (a name, a
// title) asks to be weighed otherwise than a long one; held out, that is worth .010 nDCG@10 on
// documentation and .002 on the judged collections.
const numFeatures = 3 * numBase

// longQuestion is the number of terms at which a question's length counts 1.
const longQuestion = 12

func featureNames() [numFeatures]string {
	base := [numBase]string{"heading_cover", "text_cover", "any_cover", "title_cover", "own_cover", "page_cover", "rarest", "noun_title",
		"heading_fit", "title_fit", "exact_heading", "exact_title", "phrase_heading", "phrase_text", "near", "window", "longest_run",
		"identifier", "identifier_heading", "relative_score", "absolute_score", "first_rank", "page_best", "page_support",
		"lexical_top", "feedback", "expanded", "semantic", "semantic_top", "shallow", "length", "like_heading", "like_title", "is_heading",
		"steps", "absent", "grams_top", "words_top", "heading_gain", "own_gain", "text_gain", "any_gain",
		"window_gain", "page_gain", "tiny", "doc_set_fit"}
	var names [numFeatures]string
	for i, n := range base {
		names[i], names[int(numBase)+i], names[2*int(numBase)+i] = n, n+"_if_long", n+"_of_page"
	}
	return names
}

// vector is one candidate's features.
type vector [numFeatures]float64

// variant is one way to ask: the question itself, or its best rewriting (a
// question in another language than the text shares no words with it).
type variant struct {
	terms   []int // distinct, without stop words; indexes into query.ids
	words   []int // in order, without identifiers
	idents  []int
	written []string // idents, as texts write them
	pairs   [][2]int
	weight  []float64 // of each pair: less where a word is not what the question is about
	total   float64   // of the terms' idf
	rarest  int       // the term of the highest idf, or -1
}

// lens is one way to number terms: each by itself, or all the renderings of a
// translated word as one.
type lens struct {
	ids      map[string]int
	wanted   *analysis.Wanted // ids, when all are known
	idf      []float64
	bare     []float64 // idf before domain nouns were preferred
	missing  []bool    // by term: no page has it
	variants []variant
	aliases  []alias
}

// alias is a run of words that a text may have in the place of the question's: an
// abbreviation or what it stands for.
type alias struct{ from, to []int }

// query is all that is asked.
type query struct {
	lenses   []*lens
	about    variant // the domain nouns, by the first lens
	how      bool    // the question asks how something is done
	weights  map[string]float64
	length   int         // terms of the question
	pairs    []wordPairs // of each way to ask, small words too
	names    []string    // of each way to ask, as the term of a heading
	like     *likeness
	wordings *wordings          // of the question's words; nil: no others are known
	absent   float64            // share of the question's idf whose terms no page has, at least
	docSets  map[string]float64 // how well each one's words fit the question, see compareDocSets
}

// maxTerms bounds the work for a question of thousands of words.
const maxTerms = 64

// readText takes a text apart, its terms numbered.
func (l *lens) readText(a *analysis.Analyzer, text string) variant {
	v := variant{rarest: -1}
	prev := -1
	for _, t := range a.Tokens(text) {
		if t.Kind == analysis.Stop {
			continue
		}
		id, ok := l.ids[t.Term]
		if !ok {
			id = len(l.ids)
			l.ids[t.Term] = id
		}
		if !slices.Contains(v.terms, id) {
			if len(v.terms) == maxTerms {
				break
			}
			v.terms = append(v.terms, id)
		}
		if t.Kind == analysis.Identifier {
			v.idents = append(v.idents, id)
			v.written = append(v.written, analysis.Written(t))
			continue
		}
		v.words = append(v.words, id)
		if prev >= 0 && prev != id {
			v.pairs = append(v.pairs, [2]int{prev, id})
		}
		prev = id
	}
	return v
}

// weighTerms sets what follows from the terms' idf.
func (v *variant) weighTerms(idf []float64) {
	for _, t := range v.terms {
		v.total += idf[t]
		if v.rarest < 0 || idf[t] > idf[v.rarest] {
			v.rarest = t
		}
	}
}

// focus is the size in bytes of the part of a long passage (a table of a
// thousand rows) that is looked at.
const focus = 1600

// mostText is the longest passage, in bytes, that is looked at whole. The tables of known
// documentation, which are passages however long they are, have up to half a megabyte.
const mostText = 2 << 20

// stage is what the first stage found, as far as features compare with it.
type stage struct {
	best, bestLexical, bestFeedback, bestExpanded, bestSemantic float64
	rank                                                        map[candidate]int // from 0
}

// fewWords is the number of words below which a passage is tiny.
const fewWords = 8

// pageFeatures makes the features of a page's candidates but for those that compare them
// with others, see compareTexts; texts are their passages.
func (q *query) pageFeatures(a *analysis.Analyzer, r *contract.Result, cands []candidate, texts []string, st stage) []vector {
	out := make([]vector, len(cands))
	pageTop := 0.0
	for _, h := range r.Headings {
		pageTop = max(pageTop, h.Score)
	}
	var words []int // of each text
	for k, l := range q.lenses {
		title := l.textOfString(a, r.PageTitle)
		type found struct{ own, head, body text }
		all := make([]found, len(cands))
		var parts []text
		for i, c := range cands {
			h := &r.Headings[c.heading]
			bare := strings.TrimLeft(h.Text, "# ")
			path := strings.Join(h.Path, "\n")
			if path == "" { // spec 1's bare form has the heading alone
				path = bare
			}
			all[i] = found{own: l.textOfString(a, bare), head: l.textOfString(a, r.PageTitle+"\n"+path),
				body: l.textOfString(a, analysis.FocusWindow(texts[i], q.weights, focus))}
			parts = append(parts, all[i].head, all[i].body)
			if k == 0 {
				words = append(words, len(all[i].body.words))
			}
		}
		for i, c := range cands {
			h := &r.Headings[c.heading]
			t := &all[i]
			f := &out[i]
			up := func(k feature, x float64) { f[k] = max(f[k], x) }
			for _, v := range l.variants {
				up(headingCover, l.coverageOfVariant(v, t.head))
				up(textCover, l.coverageOfVariant(v, t.body))
				up(anyCover, l.coverageOfVariant(v, t.head, t.body))
				up(titleCover, l.coverageOfVariant(v, title))
				own, ownFit, titleIs := l.coverageOfVariant(v, t.own), t.own.fitOfVariant(v), title.fitOfVariant(v)
				up(ownCover, own)
				up(pageCover, l.coverageOfVariant(v, parts...))
				if v.rarest >= 0 && (t.head.has[v.rarest] || t.body.has[v.rarest]) {
					f[rarest] = 1
				}
				up(headingFit, ownFit)
				up(titleFit, titleIs)
				up(exactHeading, ownFit*own)
				up(exactTitle, titleIs*l.coverageOfVariant(v, title))
				up(phraseHeading, t.head.neighbours(v, 1))
				up(phraseText, t.body.neighbours(v, 1))
				up(near, t.body.neighbours(v, 8))
				up(window, l.densestWindow(v, t.body))
				up(longestRun, t.body.longestRun(v))
				up(identifier, t.body.shareOfTerms(v.idents))
				up(identHead, t.head.shareOfTerms(v.idents))
				up(absolute, min(1, h.Score/(4*v.total)))
			}
			if k == 0 {
				q.wordings.addGains(f, t.own, t.head, t.body, parts)
				f[nounTitle] = l.coverageOfVariant(q.about, title)
			}
		}
	}
	titlePairs := pairsOf(r.PageTitle)
	for i, c := range cands {
		h := &r.Headings[c.heading]
		f := &out[i]
		bare := strings.TrimLeft(h.Text, "# ")
		if name := analysis.NameTerm(bare); name != "" && slices.Contains(q.names, name) {
			f[isHeading] = 1
		}
		own := pairsOf(bare)
		for _, p := range q.pairs {
			f[likeHeading] = max(f[likeHeading], p.diceSimilarity(own))
			f[likeTitle] = max(f[likeTitle], p.diceSimilarity(titlePairs))
		}
		if st.best > 0 {
			f[relative] = h.Score / st.best
			f[pageBest] = pageTop / st.best
		}
		f[firstRank] = 1 / float64(st.rank[c]+3)
		f[pageSupport] = min(1, float64(len(r.Headings))/8)
		f[lexicalTop] = relativeTo(h.Signals.Lexical, st.bestLexical)
		f[feedback] = relativeTo(h.Signals.Feedback, st.bestFeedback)
		f[expanded] = relativeTo(expandedScore(*h), st.bestExpanded)
		f[semantic] = h.Signals.Semantic
		if st.bestSemantic > 0 {
			f[semanticTop] = h.Signals.Semantic / st.bestSemantic
		}
		f[shallow] = 1 / float64(max(1, h.Level))
		f[length] = math.Log(1+float64(words[i])) / 6
		if q.how && hasSteps(texts[i]) {
			f[steps] = 1
		}
		f[absent] = q.absent
		f[docSetFit] = q.docSets[r.DocSet]
		if words[i] < fewWords {
			f[tiny] = 1
		}
	}
	return out
}

// compareTexts sets the features that compare the candidates' texts, those that count by the
// question's length, and those of their pages. texts and all are of the same candidates, byPage
// has the places of each page's.
func (q *query) compareTexts(texts []spelling, all []vector, byPage map[int][]int) {
	q.like.compare(texts, all)
	long := min(1, float64(q.length)/longQuestion)
	for i := range all {
		f := &all[i]
		for k := range numBase {
			f[numBase+k] = f[k] * long
		}
	}
	for _, of := range byPage {
		setOfPage(all, of)
	}
}

// setOfPage sets what the page's candidates have at most of the features that differ among
// them, so that the page and its section are weighed apart: a page can be the right one by what
// several sections say together. page has the places of its candidates.
func setOfPage(all []vector, page []int) {
	for k := range numBase {
		if !variesOnPage(k) {
			continue
		}
		most := 0.0
		for _, i := range page {
			most = max(most, all[i][k])
		}
		for _, i := range page {
			all[i][2*numBase+k] = most
		}
	}
}

// variesOnPage reports whether a feature says how well a heading fits and may differ among the
// headings of a page. The most of the others says nothing.
func variesOnPage(k feature) bool {
	switch k {
	case titleCover, pageCover, nounTitle, titleFit, exactTitle, likeTitle, pageBest, pageSupport, absent, tiny, length, shallow,
		firstRank, steps, docSetFit:
		return false
	}
	return true
}

// expandedScore weighs what feedback found as RM3 does when it orders by itself.
func expandedScore(h contract.Heading) float64 { return h.Signals.Lexical + 3*h.Signals.Feedback }

func relativeTo(x, best float64) float64 {
	if best > 0 {
		return x / best
	}
	return 0
}

// hasSteps reports whether a passage shows how: a numbered list or code.
func hasSteps(s string) bool {
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
			return true
		}
		if n := strings.IndexFunc(line, func(r rune) bool { return !unicode.IsDigit(r) }); n > 0 && n < 3 &&
			strings.HasPrefix(line[n:], ". ") {
			return true
		}
	}
	return false
}
