package main

import (
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
// average over the documentations.
const falseAlarms = 0.03

// askedWeight is what a question as a person asks it weighs beside one that is made of
// a link's text or a parameter's name.
const askedWeight = 4

// foreignPerSet is the number of questions of each foreign set that a documentation is
// asked.
const foreignPerSet = 12

// answerExample is an example for the classifier that decides whether a question
// is answered at all.
type answerExample struct {
	group    string // the documentation
	evidence []float64
	answered bool
	foreign  bool // a question about something else
	asked    bool // as a person asks it
}

// Prefixes of the names under which examples are kept: with a group's name, questions
// about it as people ask them, those of these that it does not answer, and questions
// about something else.
const (
	answeredBy   = "answered:"
	unansweredBy = "unanswered:"
	foreignTo    = "foreign:"
	strangeTo    = "strange:" // as people ask them

	// askedSet is one set to learn the ranking from, and askedShare what a question of
	// it weighs beside one of another set: with each documentation's as a set of its own,
	// cranfield loses .006 nDCG@10.
	askedSet   = "asked"
	askedShare = 0.4

	definitionsOf = "definitions of " // before the group's name
)

// collectForeign asks a documentation the questions of the other groups: it has no
// answer to them.
func (t *trainer) collectForeign(ctx context.Context, o *devsets.Opened, group string) error {
	for _, s := range devsets.All() {
		if s.Group == group || s.Train || product(s.Group) == product(group) {
			continue
		}
		questions, err := t.data.Questions(s)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		n := min(foreignPerSet, len(questions))
		for i := range n {
			q := eval.Query{Text: questions[i*len(questions)/n]}
			cands, err := o.Candidates(ctx, q.Text, contract.DefaultRerankPolicy().CandidateLimit)
			if err != nil || len(cands) == 0 {
				continue // nothing was found, which is said anyway
			}
			t.examples[foreignTo+group] = append(t.examples[foreignTo+group], grade(s.Name, q, cands, 1))
		}
	}
	fmt.Fprintf(os.Stderr, "%-20s %d foreign questions\n", group, len(t.examples[foreignTo+group]))
	return nil
}

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

// answers learns to decide whether a question is answered at all. The examples are
// questions about documentation, with their relevant pages and without them, and
// questions about something else. It prints the quality on held-out groups, and
// returns the classifier and the probability below which a question counts as
// unanswered.
func (t *trainer) answers(m lambdarank.Linear) (lambdarank.Linear, float64, error) {
	examples, groups := t.answerExamples(m)
	fmt.Printf("\n%-20s %9s %9s %9s %9s %9s   (alarms: about something else, with their pages away, with their pages; held out)\n",
		"is it answered?", "questions", "AUC", "foreign", "removed", "false")
	for _, g := range groups {
		l, err := learnAnswers(examples, product(g))
		if err != nil {
			return lambdarank.Linear{}, 0, err
		}
		below := answerCut(examples, product(g), l)
		printAnswers(examples, g, l, below, false)
		printAnswers(examples, g, l, below, true)
	}
	l, err := learnAnswers(examples, "")
	if err != nil {
		return lambdarank.Linear{}, 0, err
	}
	return l, answerCut(examples, "", l), nil
}

// answerExamples makes the examples: of a question about documentation two, with
// all its candidates, and without those of relevant pages.
func (t *trainer) answerExamples(m lambdarank.Linear) (examples []answerExample, groups []string) {
	add := func(group, key string, e answerExample) {
		for _, g := range t.examples[key] {
			e.group, e.evidence = group, rerank.Evidence(g.X, m.Score)
			examples = append(examples, e)
			if !e.answered {
				continue
			}
			var rest [][]float64
			for i, x := range g.X {
				if g.DocGrade[g.Doc[i]] == 0 {
					rest = append(rest, x)
				}
			}
			if len(rest) == len(g.X) || len(rest) == 0 {
				continue // no candidate is relevant, or all are
			}
			examples = append(examples, answerExample{group: group, evidence: rerank.Evidence(rest, m.Score), asked: e.asked})
		}
	}
	for _, s := range t.sets {
		if !documentation(s) {
			continue
		}
		add(s.Group, s.Name, answerExample{answered: true})
		if !slices.Contains(groups, s.Group) {
			groups = append(groups, s.Group)
			add(s.Group, foreignTo+s.Group, answerExample{foreign: true})
		}
	}
	for _, g := range askedGroups() {
		if !slices.Contains(groups, g) {
			groups = append(groups, g)
		}
		add(g, answeredBy+g, answerExample{answered: true, asked: true})
		add(g, answeredBy+definitionsOf+g, answerExample{answered: true, asked: true})
		add(g, unansweredBy+g, answerExample{asked: true})
		add(g, strangeTo+g, answerExample{foreign: true, asked: true})
	}
	return examples, groups
}

// learnAnswers trains the classifier without the examples about a product.
func learnAnswers(examples []answerExample, without string) (lambdarank.Linear, error) {
	var x [][]float64
	var y []bool
	var weights []float64
	for _, e := range examples {
		if product(e.group) == without {
			continue
		}
		w := 1.0
		if e.asked {
			w = askedWeight
		}
		x, y, weights = append(x, e.evidence), append(y, e.answered), append(weights, w)
	}
	return lambdarank.Logistic(x, y, weights)
}

// probability is the probability that a question is answered.
func probability(l lambdarank.Linear, evidence []float64) float64 {
	return 1 / (1 + math.Exp(-l.Score(evidence)))
}

// answerCut is the probability below which a question counts as unanswered: falseAlarms
// of the questions that people ask and that are answered are below it, on average over
// the documentations. The examples about one product are ignored.
func answerCut(examples []answerExample, without string, l lambdarank.Linear) float64 {
	count := map[string]float64{}
	type one struct{ p, share float64 }
	var all []one
	for _, e := range examples {
		if e.answered && e.asked && product(e.group) != without {
			count[e.group]++
		}
	}
	for _, e := range examples {
		if e.answered && e.asked && product(e.group) != without {
			all = append(all, one{probability(l, e.evidence), 1 / count[e.group] / float64(len(count))})
		}
	}
	slices.SortFunc(all, func(a, b one) int {
		if a.p < b.p {
			return -1
		}
		return 1
	})
	sum := 0.0
	for _, o := range all {
		if sum += o.share; sum > falseAlarms {
			return o.p
		}
	}
	return 1
}

// printAnswers prints the quality of the classifier on a held-out group: the area
// under the ROC curve of its own questions, and the shares of its questions, by what
// they are, that are called unanswered. asked: only those that people ask, or only
// the others.
func printAnswers(examples []answerExample, group string, l lambdarank.Linear, below float64, asked bool) {
	var yes, no []float64
	var auc, alarms, wrong, far, strange float64
	for _, e := range examples {
		if e.group != group || e.asked != asked {
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
			strange, far = strange+1, far+alarm
		default:
			no, alarms = append(no, p), alarms+alarm
		}
	}
	if len(yes) == 0 {
		return
	}
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
	if asked {
		group += ", asked"
	}
	y, n := float64(len(yes)), max(1, float64(len(no)))
	fmt.Printf("%-20s %9d %9.3f %9.3f %9.3f %9.3f\n", group, len(yes), auc/(y*n), far/max(1, strange), alarms/n, wrong/y)
}
