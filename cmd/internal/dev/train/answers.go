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

	"docent/cmd/internal/dev/devsets"
	"docent/pipeline/contract"
	"docent/pipeline/eval"
	"docent/pipeline/rerank"
	"docent/pipeline/rerank/train"
)

// falseAlarms is the share of answered questions, per documentation, that may be
// called unanswered.
const falseAlarms = 0.05

// answerExample is an example for the classifier that decides whether a question
// is answered at all.
type answerExample struct {
	group    string // the group of its set
	evidence []float64
	answered bool
	foreign  bool // a question about something else
}

// foreignPerSet is the number of questions of each foreign set that a documentation is
// asked.
const foreignPerSet = 12

// foreign names the examples of questions about something else than a group's
// documentation.
func foreign(group string) string { return "foreign:" + group }

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
			t.examples[foreign(group)] = append(t.examples[foreign(group)], grade(s.Name, q, cands, 1))
		}
	}
	fmt.Fprintf(os.Stderr, "%-20s %d foreign questions\n", group, len(t.examples[foreign(group)]))
	return nil
}

// product is what a group's documentation is about: two about neighbouring products
// answer each other's questions.
func product(group string) string {
	name, _, _ := strings.Cut(group, "-")
	if name == "opencode" || name == devsets.Manual {
		return "claude"
	}
	return name
}

// answers learns to decide whether a question is answered at all. The examples are
// the questions about documentation, with their relevant pages and without them.
// It prints the quality on held-out groups, and returns the classifier and the
// probability below which a question counts as unanswered.
func (t *trainer) answers(m train.Linear) (train.Linear, float64, error) {
	examples, groups := t.answerExamples(m)
	fmt.Printf("\n%-20s %9s %9s %9s %9s %9s   (questions about something else; with their pages, and without; held out)\n", "is it answered?", "questions", "AUC", "foreign", "removed", "false")
	for _, g := range groups {
		l, err := learnAnswers(examples, g)
		if err != nil {
			return train.Linear{}, 0, err
		}
		printAnswers(examples, g, l, answerCut(examples, g, l))
	}
	l, err := learnAnswers(examples, "")
	if err != nil {
		return train.Linear{}, 0, err
	}
	return l, answerCut(examples, "", l), nil
}

// answerExamples makes two examples of each question about documentation: one with
// all its candidates, and one without those of relevant pages.
func (t *trainer) answerExamples(m train.Linear) (examples []answerExample, groups []string) {
	asked := map[string]bool{}
	for _, s := range t.sets {
		if !documentation(s) {
			continue
		}
		if !slices.Contains(groups, s.Group) {
			groups = append(groups, s.Group)
		}
		if !asked[s.Group] {
			asked[s.Group] = true
			for _, g := range t.examples[foreign(s.Group)] {
				examples = append(examples, answerExample{s.Group, rerank.Evidence(g.X, m.Score), false, true})
			}
		}
		for _, g := range t.examples[s.Name] {
			var rest [][]float64
			for i, x := range g.X {
				if g.DocGrade[g.Doc[i]] == 0 {
					rest = append(rest, x)
				}
			}
			if len(rest) == len(g.X) || len(rest) == 0 {
				continue // no candidate is relevant, or all are
			}
			examples = append(examples, answerExample{s.Group, rerank.Evidence(g.X, m.Score), true, false},
				answerExample{s.Group, rerank.Evidence(rest, m.Score), false, false})
		}
	}
	return examples, groups
}

// learnAnswers trains the classifier without the examples of a group.
func learnAnswers(examples []answerExample, without string) (train.Linear, error) {
	var x [][]float64
	var y []bool
	for _, e := range examples {
		if e.group != without {
			x, y = append(x, e.evidence), append(y, e.answered)
		}
	}
	return train.Logistic(x, y)
}

// probability is the probability that a question is answered.
func probability(l train.Linear, evidence []float64) float64 {
	return 1 / (1 + math.Exp(-l.Score(evidence)))
}

// answerCut is the probability below which a question counts as unanswered. In each
// documentation at most falseAlarms of the answered questions are below it. The
// examples of one group are ignored.
func answerCut(examples []answerExample, without string, l train.Linear) float64 {
	answered := map[string][]float64{}
	for _, e := range examples {
		if e.answered && e.group != without {
			answered[e.group] = append(answered[e.group], probability(l, e.evidence))
		}
	}
	below := 1.0
	for _, ps := range answered {
		slices.Sort(ps)
		below = min(below, ps[int(falseAlarms*float64(len(ps)))])
	}
	return below
}

// printAnswers prints the quality of the classifier on a held-out group: the area
// under the ROC curve, and the shares of unanswered and of answered questions that
// are called unanswered.
func printAnswers(examples []answerExample, group string, l train.Linear, below float64) {
	var yes, no []float64
	var auc, alarms, wrong, far, strange float64
	for _, e := range examples {
		if e.group != group {
			continue
		}
		p := probability(l, e.evidence)
		alarm := p < below && !rerank.Reaches(e.evidence)
		switch {
		case e.answered:
			yes = append(yes, p)
			if alarm {
				wrong++
			}
		case e.foreign:
			strange++
			if alarm {
				far++
			}
		default:
			no = append(no, p)
			if alarm {
				alarms++
			}
		}
	}
	for _, n := range no {
		for _, y := range yes {
			if y > n {
				auc++
			} else if y == n {
				auc += .5
			}
		}
	}
	k := float64(len(yes))
	fmt.Printf("%-20s %9d %9.3f %9.3f %9.3f %9.3f\n", group, len(yes), auc/(k*k), far/max(1, strange), alarms/k, wrong/k)
}
