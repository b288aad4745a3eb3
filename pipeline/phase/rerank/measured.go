package rerank

import (
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/question/measure"
	"docent/pipeline/question/reading"
	"docent/store/analysis"
)

// A question for a measure (how much at most, what by default, how long) is answered by a
// sentence that states that measure of the subject, in any words.

// mostStated bounds the work for a passage of thousands of rows.
const mostStated = 64

// word is a word of the question as an answer may have it: by its term, or by one of
// those of its translations.
type word struct {
	terms  []string
	weight float64
}

// measured are the measures that a question asks for, with its other words.
type measured struct {
	asked []measure.Measure
	words []word
	total float64
}

// newMeasured reads a question; weights are those of its terms.
func newMeasured(a *analysis.Analyzer, in *contract.Context, weights map[string]float64) measured {
	m := measured{asked: reading.OfContext(in).Measures}
	if len(m.asked) == 0 {
		return m
	}
	seen := map[string]bool{}
	content := measure.Content(in.Question)
	add := func(terms []string) {
		w := word{}
		for _, t := range terms {
			if !content(t) {
				return
			}
			if !seen[t] && weights[t] > 0 {
				seen[t] = true
				w.terms, w.weight = append(w.terms, t), max(w.weight, weights[t])
			}
		}
		if len(w.terms) > 0 {
			m.words, m.total = append(m.words, w), m.total+w.weight
		}
	}
	for _, tr := range in.Translations {
		var terms []string
		for _, r := range tr.Terms {
			terms = append(terms, a.Terms(r.Text)...)
		}
		add(terms)
	}
	for _, t := range a.Terms(in.Question) {
		add([]string{t})
	}
	return m
}

// shareIn is the share of the question's other words that the terms have.
func (m *measured) shareIn(have map[string]bool) float64 {
	if m.total == 0 {
		return 0
	}
	sum := 0.0
	for _, w := range m.words {
		for _, t := range w.terms {
			if have[t] {
				sum += w.weight
				break
			}
		}
	}
	return sum / m.total
}

// statedShare says how much of the question the best sentence with one of the measures
// answers: half by its own words and those of the sentence before it, half with the
// headings.
func (m *measured) statedShare(a *analysis.Analyzer, r *contract.Result, h *contract.Heading, text string) float64 {
	if len(m.asked) == 0 || m.total == 0 {
		return 0
	}
	var above map[string]bool
	headed, best, n, before := 0.0, 0.0, 0, ""
	for _, s := range measure.Sentences(text) {
		lead := before
		before = s
		if !measure.States(s, m.asked) {
			continue
		}
		if above == nil {
			above = termSet(a, r.PageTitle+"\n"+strings.Join(h.Path, "\n")+"\n"+h.Text)
			headed = m.shareIn(above)
		}
		best = max(best, headed/2)
		if !m.mayMeasure(lead) && !m.mayMeasure(s) || n == mostStated {
			continue
		}
		n++
		have := termSet(a, lead+"\n"+s)
		own := m.shareIn(have)
		for t := range above {
			have[t] = true
		}
		best = max(best, (own+m.shareIn(have))/2)
	}
	return best
}

// mayMeasure reports whether a sentence may have a word of the question: one that begins like
// it. It is cheaper than finding the sentence's terms.
func (m *measured) mayMeasure(sentence string) bool {
	const ending = 2 // letters that another form of the word may have in their place
	lower := strings.ToLower(sentence)
	for _, w := range m.words {
		for _, t := range w.terms {
			if t[0] < 0x80 && len(t) > 2*ending {
				t = t[:len(t)-ending]
			}
			if strings.Contains(lower, t) {
				return true
			}
		}
	}
	return false
}

func termSet(a *analysis.Analyzer, text string) map[string]bool {
	out := map[string]bool{}
	for _, t := range a.Terms(text) {
		out[t] = true
	}
	return out
}
