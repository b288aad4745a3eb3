package rerank

import (
	"math"
	"slices"
	"strings"

	"docent/pipeline/contract"
)

// Whether the documentation answers a question at all is another matter than
// which heading answers it best. It is judged by evidence that does not depend
// on the other candidates: the most that any of them has of each of these
// features, and the best logit. The weights are learned from questions whose
// pages were taken away (make train).
func evidenceOfAnswer() []feature {
	return []feature{headingCover, textCover, anyCover, titleCover, pageCover, rarest, headingFit, phraseHeading, phraseText,
		near, window, longestRun, absolute, semantic}
}

// leadingFeatures are the features that count with the value of the best candidate: words spread
// over several pages are no answer.
func leadingFeatures() []feature {
	return []feature{headingCover, textCover, anyCover, titleCover, rarest, headingFit, titleFit, near, window, longestRun, semantic,
		absent}
}

// leadingPrefix is before the names of the best candidate's evidence.
const leadingPrefix = "best_"

// The evidence that is no feature. A long question shares less of its words with the section
// that answers it than a short one does, so its length is looked at too.
const (
	topLogit       = "top_logit"
	questionLength = "question_length" // from 0 to 1, as features count it
)

// EvidenceNames names what Evidence gives, in its order.
func EvidenceNames() []string {
	names := featureNames()
	var out []string
	for _, f := range evidenceOfAnswer() {
		out = append(out, names[f])
	}
	for _, f := range leadingFeatures() {
		out = append(out, leadingPrefix+names[f])
	}
	return append(out, questionLength, topLogit)
}

// Evidence is what speaks for an answer among candidates, whose features stand
// in the order of FeatureNames; score is the model's. It is nil without
// candidates.
func Evidence(candidates [][]float64, score func(x []float64) float64) []float64 {
	if len(candidates) == 0 {
		return nil
	}
	list, first := evidenceOfAnswer(), leadingFeatures()
	out := make([]float64, len(list), len(list)+len(first)+1)
	top, best := math.Inf(-1), candidates[0]
	for _, x := range candidates {
		for i, f := range list {
			out[i] = max(out[i], x[f])
		}
		if s := score(x); s > top {
			top, best = s, x
		}
	}
	for _, f := range first {
		out = append(out, best[f])
	}
	return append(out, lengthOfQuestion(best), top)
}

// lengthOfQuestion is how long the question is by which a candidate's features count, from 0
// to 1.
func lengthOfQuestion(x []float64) float64 {
	for f := range numBase {
		if x[f] != 0 {
			return x[numBase+f] / x[f]
		}
	}
	return 0
}

// answer is the model's part that reports whether a question is answered.
type answer struct {
	Bias    float64            `json:"bias"`
	Weights map[string]float64 `json:"weights"` // by evidence
	Below   float64            `json:"below"`   // under this probability the question counts as unanswered
}

// probability that some candidate answers, by a logistic function of the
// evidence.
func (a *answer) probability(e []float64) float64 {
	sum := a.Bias
	for i, n := range EvidenceNames() {
		sum += a.Weights[n] * e[i]
	}
	return math.Round(1e4/(1+math.Exp(-sum))) / 1e4
}

// judgeAnswer reports whether the best candidates are likely an answer to a question.
func (m *Model) judgeAnswer(out *contract.RerankOutput, question string, vectors []vector) {
	if m.Answer == nil {
		return
	}
	e := Evidence(withCosines(vectors), m.ScoreOf)
	if e == nil {
		return
	}
	p := m.Answer.probability(e)
	out.RerankStats.Answerable = &p
	out.Unanswered = p < m.Answer.Below && !lookedUp(question, vectors)
}

// neutralCosine stands for the cosines of doc sets that have no vectors, because they have a few passages: as
// much as the best candidate of a question about something else has (.52 on average over 18 doc sets), so that it
// is no evidence of an answer, and its lack is none against one.
const neutralCosine = .5

// withCosines are the candidates' features, with the neutral cosine where no candidate has one.
func withCosines(vectors []vector) [][]float64 {
	rows := make([][]float64, len(vectors))
	lacking := !slices.ContainsFunc(vectors, func(v vector) bool { return v[semantic] != 0 })
	for i := range vectors {
		rows[i] = vectors[i][:]
		if !lacking {
			continue
		}
		rows[i] = slices.Clone(rows[i])
		long := lengthOfQuestion(rows[i])
		for f, x := range map[feature]float64{semantic: neutralCosine, semanticTop: 1} {
			rows[i][f], rows[i][numBase+f], rows[i][2*numBase+f] = x, x*long, x
		}
	}
	return rows
}

// lookedUp reports whether a question is one word that stands in a candidate. The
// question is where the word stands, so that the documentation answers it.
func lookedUp(question string, vectors []vector) bool {
	return len(strings.Fields(question)) == 1 &&
		slices.ContainsFunc(vectors, func(v vector) bool { return v[anyCover] >= 1 })
}

// Reaches reports whether the best candidate of some evidence reaches the default
// threshold: then it would be kept, and is not called no answer.
func Reaches(evidence []float64) bool {
	return 1/(1+math.Exp(-evidence[len(evidence)-1])) >= contract.DefaultThreshold
}
