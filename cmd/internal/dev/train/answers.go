package main

import (
	"fmt"
	"math"
	"slices"

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
}

// answers learns to decide whether a question is answered at all. The examples are
// the questions about documentation, with their relevant pages and without them.
// It prints the quality on held-out groups, and returns the classifier and the
// probability below which a question counts as unanswered.
func (t *trainer) answers(m train.Linear) (train.Linear, float64, error) {
	examples, groups := t.answerExamples(m)
	fmt.Printf("\n%-20s %9s %9s %9s %9s   (questions with their pages, and without; held out)\n", "is it answered?", "questions", "AUC", "alarms", "false")
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
	for _, s := range t.sets {
		if !documentation(s) {
			continue
		}
		if !slices.Contains(groups, s.Group) {
			groups = append(groups, s.Group)
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
			examples = append(examples, answerExample{s.Group, rerank.Evidence(g.X, m.Score), true},
				answerExample{s.Group, rerank.Evidence(rest, m.Score), false})
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
	var auc, alarms, wrong float64
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
	fmt.Printf("%-20s %9d %9.3f %9.3f %9.3f\n", group, len(yes), auc/(k*k), alarms/k, wrong/k)
}
