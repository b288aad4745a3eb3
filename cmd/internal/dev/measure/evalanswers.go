package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"docent/cmd/internal/dev/measure/devsets"
	"docent/pipeline/contract"
	"docent/pipeline/eval"
)

// arms are the blocks that are measured of every question.
var arms = []eval.Arm{
	{Extent: contract.ExtentDocuments},
	{Extent: contract.ExtentSections},
	{Extent: contract.ExtentDocuments, MaxTokens: 2000},
	{Extent: contract.ExtentDocuments, MaxTokens: 800},
}

// answersRow has the metrics of one set of questions and one arm in the baseline
// file.
type answersRow struct {
	Name string `json:"name"`
	Arm  string `json:"arm"`
	eval.AnswerMetrics
	Unanswerable map[string]eval.MissingMetrics `json:"unanswerable,omitempty"`
}

// measureAnswers measures all wanted sets of questions with nuggets.
func (b *bench) measureAnswers(ctx context.Context) error {
	for _, s := range devsets.AllAnswers() {
		if !b.wants(s.Name) || b.data.Dir == "" && s.Name != devsets.ManualAnswers {
			continue
		}
		if err := b.measureAnswerSet(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	return nil
}

func (b *bench) measureAnswerSet(ctx context.Context, s devsets.Answers) (err error) {
	o, err := b.data.OpenAnswers(ctx, s)
	if errors.Is(err, fs.ErrNotExist) {
		b.missing = append(b.missing, s.Name)
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.Close()) }()
	wanted := arms
	if s.Definitions {
		wanted = arms[:1]
	}
	rep, err := o.Run(ctx, o.Questions, wanted, nil)
	if err != nil {
		return err
	}
	rep.Name = s.Name
	b.answerReports = append(b.answerReports, rep)
	d := count{Name: s.Name}
	for _, out := range rep.Arms[0].Outcomes {
		if out.Kind != contract.KindDefinition {
			continue
		}
		d.Questions++
		if out.GoldFirst {
			d.Right++
		}
	}
	b.definitions = append(b.definitions, d)
	if s.Definitions {
		fmt.Fprintf(os.Stderr, "%-20s %d of %d begin at a page that defines the term\n", s.Name, d.Right, d.Questions)
		return nil
	}
	for _, a := range rep.Arms {
		b.answers = append(b.answers, answersRow{Name: s.Name, Arm: a.Arm.String(), AnswerMetrics: a.AnswerMetrics,
			Unanswerable: a.Unanswerable})
		fmt.Fprintf(os.Stderr, "%-20s %-24s answered %.4f\n", s.Name, a.Arm, a.Answered)
	}
	return nil
}

// printAnswers prints the metrics of each set and arm, and the counts.
func (b *bench) printAnswers() {
	if len(b.answers) > 0 {
		b.printArms()
	}
	for _, d := range b.definitions {
		fmt.Printf("%s: %d of %d %s\n", d.Name, d.Right, d.Questions, startRight)
	}
	for _, s := range b.scenes {
		fmt.Printf("%s: %d of %d %s\n", s.Name, s.Right, s.Questions, sceneRight)
	}
}

// The correct part of a count.
const (
	startRight = "definitions begin at a page that defines the term"
	sceneRight = "questions have the right scene"
)

func (b *bench) printArms() {
	fmt.Printf("%-20s %-24s %8s %6s %6s %6s %6s %6s %6s %6s %6s %6s %6s %5s  %s\n", "set", "arm", "answered", "@60", "@100", "recall",
		"first", "useful", "alarm", "lines", "p90", "tokens", "p90", "n", "said to be missing; lost")
	for _, r := range b.answers {
		said := ""
		for _, k := range slices.Sorted(maps.Keys(r.Unanswerable)) {
			m := r.Unanswerable[k]
			said += fmt.Sprintf("%s %.0f of %d  ", k, m.Said*float64(m.Questions), m.Questions)
		}
		fmt.Printf("%-20s %-24s %8.4f %6.3f %6.3f %6.3f %6.3f %6.3f %6.3f %6d %6d %6d %6d %5d  %s\n", r.Name, r.Arm, r.Answered,
			r.Answered60, r.Answered100,
			r.Recall, r.GoldFirst, r.Useful, r.FalseAlarms, r.Lines, r.LinesP90, r.Tokens, r.TokensP90, r.Questions, said+r.Lost.String())
	}
}

// worseAnswers compares with the baseline: the answered questions, the false
// alarms, the unanswerable questions that are said to be missing, the definitions
// and the scenes.
func (b *bench) worseAnswers(old baseline) (worse []string, compared int) {
	for _, r := range b.answers {
		i := slices.IndexFunc(old.Answers, func(x answersRow) bool { return x.Name == r.Name && x.Arm == r.Arm })
		if i < 0 {
			continue
		}
		compared++
		o := old.Answers[i]
		var faults []string
		if r.Answered < o.Answered-tolerance {
			faults = append(faults, fmt.Sprintf("answered %.4f, it was %.4f", r.Answered, o.Answered))
		}
		if r.FalseAlarms > o.FalseAlarms+tolerance {
			faults = append(faults, fmt.Sprintf("said to be missing though answered %.4f, it was %.4f", r.FalseAlarms, o.FalseAlarms))
		}
		for _, k := range slices.Sorted(maps.Keys(r.Unanswerable)) {
			if now, was := r.Unanswerable[k], o.Unanswerable[k]; now.Questions == was.Questions && now.Said < was.Said-tolerance {
				faults = append(faults, fmt.Sprintf("%s: said to be missing %.4f, it was %.4f", k, now.Said, was.Said))
			}
		}
		if len(faults) > 0 {
			worse = append(worse, fmt.Sprintf("%s, %s: %s", r.Name, r.Arm, strings.Join(faults, "; ")))
		}
	}
	for _, counts := range []struct {
		now, old []count
		right    string
	}{{b.definitions, old.Definitions, startRight}, {b.scenes, old.Scenes, sceneRight}} {
		more, n := fewer(counts.now, counts.old, counts.right)
		worse, compared = append(worse, more...), compared+n
	}
	return worse, compared
}
