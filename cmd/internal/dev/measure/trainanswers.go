package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"

	"docent/cmd/internal/dev/measure/devsets"
	"docent/cmd/internal/dev/measure/lambdarank"
	"docent/pipeline/contract"
	"docent/pipeline/eval"
	"docent/pipeline/phase/rerank"
)

// falseAlarms is the share of answered questions that may be called unanswered, on
// average over the doc sets whose questions are learned from. Held out by doc set, .06 notices
// .63 of the questions about the subject, .05 .60, .07 .64 and .10 .69; at least .60 are wanted.
// Where no heading reaches the threshold, the answer is called unsure whatever this says.
const falseAlarms = 0.06

// devWeight is what a question about the development documentation weighs relative to one
// of the question sets when it is learned whether a question is answered.
const devWeight = 0.3

// answerExample is an example for the classifier that decides whether a question
// is answered at all.
type answerExample struct {
	group    string // the documentation
	evidence []float64
	answered bool
	foreign  bool // a question about something else
	weight   float64
}

// Prefixes of the names under which examples are kept: with a group's name, questions
// about it as people ask them, those of these that it does not answer, and questions
// about something else.
const (
	answeredBy   = "answered:"
	unansweredBy = "unanswered:"
	strangeTo    = "strange:"

	// askedSet is one set to learn the ranking from, and askedShare what a question of
	// it weighs beside one of another set: with each documentation's as a set of its own,
	// cranfield loses .006 nDCG@10.
	askedSet   = "asked"
	askedShare = 0.4

	definitionsOf = "definitions of " // before the group's name
)

// askedGroups are the documentations that are asked as people ask.
func askedGroups() []string { return []string{"manual", "k8s", "docsets"} }

// product is what a group's documentation is about: two about neighbouring products
// answer each other's questions.
func product(group string) string {
	name, _, _ := strings.Cut(group, "-")
	switch name {
	case "opencode", "docsets", devsets.Manual:
		return "claude"
	}
	return name
}

// collectAsked asks every documentation the questions that people ask: its own, and
// those about other documentation.
func (t *trainer) collectAsked(ctx context.Context) error {
	all := map[string][]eval.Question{} // by product
	for _, set := range devsets.AllAnswers() {
		if err := t.askOwn(ctx, set, all); err != nil {
			return err
		}
	}
	return nil
}

// askOwn asks one documentation, and keeps its questions for the next ones.
func (t *trainer) askOwn(ctx context.Context, set devsets.Answers, all map[string][]eval.Question) (err error) {
	group := set.Name
	if i := strings.LastIndexByte(group, '-'); i > 0 {
		group = group[:i] // k8s-answers and k8s-definitions are about k8s
	}
	if set.Definitions {
		group = definitionsOf + group
	}
	if t.examples[answeredBy+group] != nil {
		return nil // from the cache
	}
	o, err := t.data.OpenAnswers(ctx, set)
	if errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintf(os.Stderr, "train: %s is not there\n", set.Name)
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.Close()) }()
	ask := func(key, text string, docs []string) error {
		cands, err := o.Candidates(ctx, text, contract.DefaultRerankPolicy().CandidateLimit)
		if err != nil || len(cands) == 0 {
			return err
		}
		q := eval.Query{Text: text, Documents: map[string]int{}}
		for i := range cands {
			cands[i].FilePath = cands[i].DocSet + "/" + cands[i].FilePath
		}
		for _, d := range docs {
			q.Documents[o.Page(d)] = 1
		}
		t.examples[key+group] = append(t.examples[key+group], grade(askedSet, q, cands, 1))
		return nil
	}
	for _, q := range o.Questions {
		key := answeredBy
		if !q.Answerable() {
			key = unansweredBy
		}
		if err := ask(key, q.Text, q.Docs); err != nil {
			return err
		}
	}
	if set.Definitions {
		return nil
	}
	for about, questions := range all {
		if about == product(group) {
			continue
		}
		for _, q := range questions {
			if err := ask(strangeTo, q.Text, nil); err != nil {
				return err
			}
		}
	}
	all[product(group)] = append(all[product(group)], o.Questions...)
	fmt.Fprintf(os.Stderr, "%-20s %d questions\n", set.Name, len(o.Questions))
	return nil
}

// answers learns to decide whether a question is answered at all, from questions as people
// ask them. It prints the quality on each documentation by what is learned without it, and
// returns the classifier and the probability below which a question counts as unanswered.
func (t *trainer) answers(m lambdarank.Linear) (lambdarank.Linear, float64, error) {
	examples, groups := t.answerExamples(m)
	fmt.Printf("\n%-24s %9s %9s %9s %9s %9s   (alarms: about something else, near, answered; held out)\n",
		"is it answered?", "questions", "AUC", "far", "near", "false")
	for _, g := range groups {
		l, err := learnAnswers(examples, product(g))
		if err != nil {
			return lambdarank.Linear{}, 0, err
		}
		printAnswers(examples, g, l, answerCut(examples, product(g), l))
	}
	l, err := learnAnswers(examples, "")
	if err != nil {
		return lambdarank.Linear{}, 0, err
	}
	return l, answerCut(examples, "", l), nil
}

// answerExamples makes the examples of the development documentation, and of the question
// sets, these by models that were learned without them.
func (t *trainer) answerExamples(m lambdarank.Linear) (examples []answerExample, groups []string) {
	add := func(group, key string, e answerExample) {
		score := t.heldOutModel(group, m).Score
		for _, g := range t.examples[key] {
			if len(g.X) > 0 {
				e.group, e.evidence = group, rerank.Evidence(g.X, score)
				examples = append(examples, e)
			}
		}
	}
	for _, g := range askedGroups() {
		groups = append(groups, g)
		add(g, answeredBy+g, answerExample{answered: true, weight: devWeight})
		add(g, answeredBy+definitionsOf+g, answerExample{answered: true, weight: devWeight})
		add(g, unansweredBy+g, answerExample{weight: devWeight})
		add(g, strangeTo+g, answerExample{foreign: true, weight: devWeight})
	}
	for _, s := range t.asked {
		g, weight := questionsOn+s.Name, 1.0
		groups = append(groups, g)
		add(g, g, answerExample{answered: true, weight: weight})
		add(g, nearTo+s.Name, answerExample{weight: weight})
		add(g, farFrom+s.Name, answerExample{foreign: true, weight: weight})
	}
	return examples, groups
}

// learnAnswers trains the classifier without the examples about a product.
func learnAnswers(examples []answerExample, without string) (lambdarank.Linear, error) {
	var x [][]float64
	var y []bool
	var weights []float64
	for _, e := range examples {
		if e.weight > 0 && product(e.group) != without {
			x, y, weights = append(x, e.evidence), append(y, e.answered), append(weights, e.weight)
		}
	}
	return lambdarank.Logistic(x, y, weights)
}

// probability is the probability that a question is answered.
func probability(l lambdarank.Linear, evidence []float64) float64 {
	return 1 / (1 + math.Exp(-l.Score(evidence)))
}

// answerCut is the probability below which a question counts as unanswered: falseAlarms of
// the answered questions of the sets that are learned from are below it, on average over
// their doc sets. The examples about one product are ignored.
func answerCut(examples []answerExample, without string, l lambdarank.Linear) float64 {
	counts := func(e answerExample) bool { return e.answered && e.weight == 1 && product(e.group) != without }
	count := map[string]float64{}
	for _, e := range examples {
		if counts(e) {
			count[e.group]++
		}
	}
	type one struct{ p, share float64 }
	var all []one
	for _, e := range examples {
		if counts(e) {
			all = append(all, one{probability(l, e.evidence), 1 / count[e.group] / float64(len(count))})
		}
	}
	slices.SortFunc(all, func(a, b one) int { return cmp.Compare(a.p, b.p) })
	sum := 0.0
	for _, o := range all {
		if sum += o.share; sum > falseAlarms {
			return o.p
		}
	}
	return 1
}

// printAnswers prints the quality of the classifier on a held-out group: the area under the
// ROC curve of its questions, and the shares of them, by what they are, that are called
// unanswered.
func printAnswers(examples []answerExample, group string, l lambdarank.Linear, below float64) {
	var yes, no []float64
	var near, alarmsNear, far, alarmsFar, wrong float64
	for _, e := range examples {
		if e.group != group {
			continue
		}
		p := probability(l, e.evidence)
		alarm := 0.0
		if p < below && !rerank.Reaches(e.evidence) {
			alarm = 1
		}
		switch {
		case e.answered:
			yes, wrong = append(yes, p), wrong+alarm
		case e.foreign:
			no, far, alarmsFar = append(no, p), far+1, alarmsFar+alarm
		default:
			no, near, alarmsNear = append(no, p), near+1, alarmsNear+alarm
		}
	}
	if len(yes) == 0 {
		return
	}
	auc := 0.0
	for _, n := range no {
		for _, y := range yes {
			switch {
			case y > n:
				auc++
			case y == n:
				auc += .5
			}
		}
	}
	y, n := float64(len(yes)), max(1, float64(len(no)))
	fmt.Printf("%-24s %9d %9.3f %9.3f %9.3f %9.3f\n", group, len(yes), auc/(y*n), alarmsFar/max(1, far), alarmsNear/max(1, near), wrong/y)
}

// firstSections is the number of best sections among which a person looks for the answer.
const firstSections = 2

// anchored moves a model's bias so that the default threshold says how sure an answer is:
// where the best section just reaches it, one of the first sections answers with that
// probability. It looks at the question sets, each by a model that was learned without it,
// by a logistic function of the best section's score.
func (t *trainer) anchored(m lambdarank.Linear) (lambdarank.Linear, error) {
	var x [][]float64
	var y []bool
	var count [2]float64
	for _, s := range t.asked {
		held := t.heldOutModel(questionsOn+s.Name, m)
		for _, g := range t.examples[questionsOn+s.Name] {
			if len(g.X) == 0 {
				continue
			}
			best, found := bestOf(g, held.Score)
			x, y = append(x, []float64{best}), append(y, found)
			if found {
				count[1]++
			} else {
				count[0]++
			}
		}
	}
	if len(x) == 0 {
		return m, nil
	}
	l, err := lambdarank.Logistic(x, y, nil)
	if err != nil || l.Weights[0] <= 0 {
		return m, err
	}
	// Logistic takes both outcomes to be equally frequent.
	logit := func(p float64) float64 { return math.Log(p / (1 - p)) }
	at := (logit(contract.DefaultThreshold) - math.Log(count[1]/count[0]) - l.Bias) / l.Weights[0]
	t.moved = logit(contract.DefaultThreshold) - at
	m.Bias += t.moved
	return m, nil
}

// heldOutModel is the model that was learned without a question set, with what anchored
// moved the bias by, or m if that set was not asked.
func (t *trainer) heldOutModel(set string, m lambdarank.Linear) lambdarank.Linear {
	held, ok := t.held[set]
	if !ok {
		return m
	}
	held.Bias += t.moved
	return held
}

// bestOf is the best score of a question's candidates, and whether one of the first
// sections answers it.
func bestOf(g lambdarank.Group, score func(x []float64) float64) (best float64, found bool) {
	type one struct{ score, grade float64 }
	all := make([]one, len(g.X))
	for i, x := range g.X {
		all[i] = one{score(x), g.Grade[i]}
	}
	slices.SortStableFunc(all, func(a, b one) int { return cmp.Compare(b.score, a.score) })
	found = slices.ContainsFunc(all[:min(len(all), firstSections)], func(o one) bool { return o.grade == 1 })
	return all[0].score, found
}
