package eval

import (
	"fmt"
	"slices"
	"strings"
)

// AnswerMetrics are over the questions that the documentation answers. Shares are
// of the questions, unless they say otherwise.
type AnswerMetrics struct {
	Questions   int     `json:"questions"`
	Answered    float64 `json:"answered"` // every nugget stands in the block
	Answered60  float64 `json:"answered@60"`
	Answered100 float64 `json:"answered@100"` // within the first 100 content lines
	Answered300 float64 `json:"answered@300"`
	Recall      float64 `json:"nugget_recall"`
	GoldFirst   float64 `json:"gold_first"`    // the first heading of phase 1.5 is on a page that answers
	GoldCited   float64 `json:"gold_cited"`    // the block cites a page that answers
	Useful      float64 `json:"cited_useful"`  // of the cited sections (documents): with a nugget in their lines
	Cited       float64 `json:"cited_mean"`    // sections (documents) that a block cites
	FalseAlarms float64 `json:"false_alarms"`  // said to be missing
	Lines       int     `json:"lines_median"`  // content lines of a block
	LinesP90    int     `json:"lines_p90"`     //
	Tokens      int     `json:"tokens_median"` // of a whole block, as the program estimates them
	TokensP90   int     `json:"tokens_p90"`    //
	Failed      int     `json:"failed"`        // questions without a block because of an error
	Lost        Losses  `json:"lost,omitzero"` // questions by the first phase that lost a nugget
}

// Losses count unanswered questions by the phase that lost the answer.
type Losses struct {
	Search  int `json:"1"`
	Rerank  int `json:"1.5"`
	Extract int `json:"2"`
	Process int `json:"3"`
	Nowhere int `json:"nowhere"`
}

// MissingMetrics are over questions that the documentation does not answer.
type MissingMetrics struct {
	Questions int     `json:"questions"`
	Said      float64 `json:"said"` // the share that is said to be missing
	Lines     int     `json:"lines_median"`
}

// firstLost is the earliest phase that lost a nugget of the question, "" if none
// did.
func (o AnswerOutcome) firstLost() string {
	for _, phase := range []string{LostNowhere, LostSearch, LostRerank, LostExtract, LostProcess} {
		if slices.ContainsFunc(o.Lost, func(l Loss) bool { return l.Phase == phase }) {
			return phase
		}
	}
	return ""
}

// String lists the phases that lost answers, or "".
func (l Losses) String() string {
	var parts []string
	for _, c := range []struct {
		phase string
		n     int
	}{{"phase " + LostSearch, l.Search}, {LostRerank, l.Rerank}, {LostExtract, l.Extract}, {LostProcess, l.Process}} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d by %s", c.n, c.phase))
		}
	}
	if l.Nowhere > 0 {
		parts = append(parts, fmt.Sprintf("%d not in the documentation", l.Nowhere))
	}
	return strings.Join(parts, ", ")
}

func (l *Losses) addLoss(phase string) {
	switch phase {
	case LostSearch:
		l.Search++
	case LostRerank:
		l.Rerank++
	case LostExtract:
		l.Extract++
	case LostProcess:
		l.Process++
	case LostNowhere:
		l.Nowhere++
	}
}

// separation is the area under the ROC curve of the scores, by comparison of all
// pairs (Mann and Whitney); equal scores count half. A question without a score has
// 0: nothing was found.
func separation(outcomes []AnswerOutcome) *float64 {
	var yes, no []float64
	for _, o := range outcomes {
		score := 0.0
		if o.Score != nil {
			score = *o.Score
		}
		if o.question.Answerable() {
			yes = append(yes, score)
		} else {
			no = append(no, score)
		}
	}
	if len(yes) == 0 || len(no) == 0 {
		return nil
	}
	sum := 0.0
	for _, y := range yes {
		for _, n := range no {
			switch {
			case y > n:
				sum++
			case y == n:
				sum += 0.5
			}
		}
	}
	area := roundToFourPlaces(sum / float64(len(yes)) / float64(len(no)))
	return &area
}

// summarize computes the arm's metrics from its outcomes.
func (r *ArmReport) summarize() {
	var all []AnswerOutcome
	kinds, languages := map[string][]AnswerOutcome{}, map[string][]AnswerOutcome{}
	missing := map[string][]AnswerOutcome{}
	for _, o := range r.Outcomes {
		if !o.question.Answerable() {
			missing[o.Kind] = append(missing[o.Kind], o)
			continue
		}
		all = append(all, o)
		kinds[o.Kind] = append(kinds[o.Kind], o)
		languages[o.Language] = append(languages[o.Language], o)
	}
	r.AnswerMetrics, r.AUC = answerMetrics(all), separation(r.Outcomes)
	r.ByKind = map[string]AnswerMetrics{}
	for kind, of := range kinds {
		r.ByKind[kind] = answerMetrics(of)
	}
	if len(languages) > 1 {
		r.ByLanguage = map[string]AnswerMetrics{}
		for l, of := range languages {
			r.ByLanguage[l] = answerMetrics(of)
		}
	}
	for kind, of := range missing {
		if r.Unanswerable == nil {
			r.Unanswerable = map[string]MissingMetrics{}
		}
		r.Unanswerable[kind] = MissingMetrics{Questions: len(of),
			Said:  shareOf(of, func(o AnswerOutcome) bool { return o.Said }),
			Lines: medianOutcome(of, func(o AnswerOutcome) int { return o.Lines })}
	}
}

func answerMetrics(of []AnswerOutcome) AnswerMetrics {
	m := AnswerMetrics{Questions: len(of)}
	if len(of) == 0 {
		return m
	}
	within := func(lines int) float64 {
		return shareOf(of, func(o AnswerOutcome) bool { return o.Answered && o.Last <= lines })
	}
	m.Answered = shareOf(of, func(o AnswerOutcome) bool { return o.Answered })
	m.Answered60, m.Answered100, m.Answered300 = within(60), within(100), within(300)
	m.GoldFirst = shareOf(of, func(o AnswerOutcome) bool { return o.GoldFirst })
	m.GoldCited = shareOf(of, func(o AnswerOutcome) bool { return o.GoldCited })
	m.FalseAlarms = shareOf(of, func(o AnswerOutcome) bool { return o.Said })
	lines := func(o AnswerOutcome) int { return o.Lines }
	tokens := func(o AnswerOutcome) int { return o.Tokens }
	m.Lines, m.LinesP90 = medianOutcome(of, lines), ninetieth(of, lines)
	m.Tokens, m.TokensP90 = medianOutcome(of, tokens), ninetieth(of, tokens)
	recall, cited, useful := 0.0, 0, 0
	for _, o := range of {
		recall += o.Recall
		cited += o.cited
		useful += o.citedUseful
		if o.Err != "" {
			m.Failed++
		}
		m.Lost.addLoss(o.firstLost())
	}
	m.Recall = roundToFourPlaces(recall / float64(len(of)))
	m.Cited = roundToFourPlaces(float64(cited) / float64(len(of)))
	if cited > 0 {
		m.Useful = roundToFourPlaces(float64(useful) / float64(cited))
	}
	return m
}

func shareOf(of []AnswerOutcome, is func(AnswerOutcome) bool) float64 {
	n := 0
	for _, o := range of {
		if is(o) {
			n++
		}
	}
	return roundToFourPlaces(float64(n) / float64(len(of)))
}

func sortedOutcomes(of []AnswerOutcome, value func(AnswerOutcome) int) []int {
	out := make([]int, len(of))
	for i, o := range of {
		out[i] = value(o)
	}
	slices.Sort(out)
	return out
}

// medianOutcome of an even number of values is the mean of the middle two, rounded down.
func medianOutcome(of []AnswerOutcome, value func(AnswerOutcome) int) int {
	v := sortedOutcomes(of, value)
	n := len(v)
	return (v[(n-1)/2] + v[n/2]) / 2
}

// ninetieth is the value below which nine tenths of the values lie.
func ninetieth(of []AnswerOutcome, value func(AnswerOutcome) int) int {
	v := sortedOutcomes(of, value)
	return v[min(len(v)-1, len(v)*9/10)]
}
