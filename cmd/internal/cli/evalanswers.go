package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"docent/cmd/internal/app"
	"docent/pipeline/contract"
	"docent/pipeline/eval"
)

// combinations are all combinations of --extent and --max-tokens; one as configured where
// neither is given.
func (f evalFlags) combinations() ([]eval.Arm, error) {
	extents, budgets := f.extents, f.maxTokens
	if len(extents) == 0 {
		extents = []string{""}
	}
	if len(budgets) == 0 {
		budgets = []int{0}
	}
	var out []eval.Arm
	for _, extent := range extents {
		if len(f.extents) > 0 && !slices.Contains(contract.Extents(), extent) {
			return nil, contract.Invalid("extent", "--extent is %q, it can be %s", extent, strings.Join(contract.Extents(), " or ")).
				WithRemedy(contract.Change("extent", contract.Extents()...))
		}
		for _, n := range budgets {
			if n < 0 {
				return nil, contract.Invalid("max_tokens", "--max-tokens is %d, it must be at least 1, or 0 for no budget", n)
			}
			if arm := (eval.Arm{Extent: extent, MaxTokens: n}); !slices.Contains(out, arm) {
				out = append(out, arm)
			}
		}
	}
	return out, nil
}

// evalAnswers measures a file of questions with nuggets.
func (c *command) evalAnswers(ctx context.Context, arg string, questions []eval.Question, f evalFlags, arms []eval.Arm) (measured, error) {
	if len(f.rankingOnly) > 0 {
		return measured{}, usageError("eval %s: its questions have \"nuggets\", so the final block is measured and no ranking; leave "+
			"--%s out", arg, f.rankingOnly[0])
	}
	var rep eval.AnswerReport
	err := c.withHome(ctx, func(a *app.App) error {
		answers, err := a.Measure.EvaluateAnswers(ctx, c.sets)
		if err != nil {
			return err
		}
		rep, err = answers.Run(ctx, questions, arms, c.evalProgress(arg))
		rep.Name = evalName(arg)
		return evalError(arg, err)
	})
	return measured{answers: &rep}, err
}

// showAnswers prints the measures of answers.
func (c *command) showAnswers(rep eval.AnswerReport, f evalFlags, before []eval.AnswerReport) error {
	if c.json {
		if err := c.printJSON(rep); err != nil {
			return err
		}
	} else {
		c.printAnswers(rep)
	}
	const most = 5
	if n := len(rep.Unknown); n > 0 {
		c.note("%s of \"docs\" %s not there: %s", plural(n, "page", "pages"), isOrAre(n),
			cleanForTerminal(strings.Join(rep.Unknown[:min(most, n)], ", ")))
	}
	for _, n := range rep.Nowhere[:min(most, len(rep.Nowhere))] {
		c.note("question %s (%s): the doc sets have no line with %s", n.ID, cleanForTerminal(n.Text), quotedList(n.Nuggets))
	}
	if n := len(rep.Nowhere) - most; n > 0 {
		c.note("%s more that the doc sets do not have", plural(n, "nugget", "nuggets"))
	}
	if f.compare == "" {
		return nil
	}
	return c.compareAnswers(before, rep)
}

func isOrAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

func quotedList(texts []string) string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = fmt.Sprintf("%q", t)
	}
	return strings.Join(out, " or ")
}

// printAnswers prints a table of the arms, one of the kinds, and the misses.
func (c *command) printAnswers(r eval.AnswerReport) {
	w := c.io.Out
	fmt.Fprintf(w, "%s: %s\n", cleanForTerminal(r.Name), plural(r.Questions, "question", "questions"))
	if r.Arms[0].Questions > 0 {
		fmt.Fprintf(w, "  %-24s %8s %6s %6s %6s %6s %6s %6s %6s %6s %6s %6s %6s %6s %5s\n", "", "answered", "@60", "@100", "@300",
			"recall", "first", "cited", "useful", "alarm", "lines", "p90", "tokens", "p90", "n")
		for _, a := range r.Arms {
			c.answersRow(a.Arm.String(), a.AnswerMetrics)
		}
	}
	if only := r.Arms[0]; len(r.Arms) == 1 {
		if len(only.ByKind) > 1 {
			for _, k := range slices.Sorted(maps.Keys(only.ByKind)) {
				c.answersRow("· "+k, only.ByKind[k])
			}
		}
		for _, l := range slices.Sorted(maps.Keys(only.ByLanguage)) {
			c.answersRow("· in "+l, only.ByLanguage[l])
		}
	} else {
		c.printKinds(r)
	}
	for _, k := range slices.Sorted(maps.Keys(r.Arms[0].Unanswerable)) {
		for _, a := range r.Arms {
			m := a.Unanswerable[k]
			fmt.Fprintf(w, "  not in the documentation, %s, %s: said of %.0f of %d; %d lines in the median block\n",
				cleanForTerminal(k), a.Arm, m.Said*float64(m.Questions), m.Questions, m.Lines)
		}
	}
	if auc := r.Arms[0].AUC; auc != nil {
		fmt.Fprintf(w, "  answerable tells both kinds of questions apart with an AUC of %.3f\n", *auc)
	}
	fmt.Fprintf(w, "  latency p50 %.1f ms, p95 %.1f ms\n", r.Latency.P50, r.Latency.P95)
	for _, a := range r.Arms {
		if lost := a.Lost.String(); lost != "" {
			fmt.Fprintf(w, "  not answered, %s: %s\n", a.Arm, lost)
		}
	}
	c.printMisses(r)
}

func (c *command) answersRow(name string, m eval.AnswerMetrics) {
	fmt.Fprintf(c.io.Out, "  %-24s %8.4f %6.3f %6.3f %6.3f %6.3f %6.3f %6.3f %6.3f %6.3f %6d %6d %6d %6d %5d\n", cleanForTerminal(name),
		m.Answered,
		m.Answered60, m.Answered100, m.Answered300, m.Recall, m.GoldFirst, m.GoldCited, m.Useful, m.FalseAlarms, m.Lines, m.LinesP90,
		m.Tokens, m.TokensP90, m.Questions)
}

// printKinds sets the arms' answered questions side by side, a kind a row.
func (c *command) printKinds(r eval.AnswerReport) {
	kinds := slices.Sorted(maps.Keys(r.Arms[0].ByKind))
	if len(kinds) < 2 {
		return
	}
	w := c.io.Out
	fmt.Fprintf(w, "  %-16s %5s", "answered", "n")
	for _, a := range r.Arms {
		fmt.Fprintf(w, "  %22s", a.Arm)
	}
	fmt.Fprintln(w)
	for _, k := range kinds {
		fmt.Fprintf(w, "  · %-14s %5d", cleanForTerminal(k), r.Arms[0].ByKind[k].Questions)
		for _, a := range r.Arms {
			fmt.Fprintf(w, "  %22.4f", a.ByKind[k].Answered)
		}
		fmt.Fprintln(w)
	}
}

// missesShown bounds the list of unanswered questions without -v.
const missesShown = 20

// printMisses lists the questions that an arm did not answer, with the phase that
// lost the answer.
func (c *command) printMisses(r eval.AnswerReport) {
	w := c.io.Out
	shown, all := 0, 0
	for i, o := range r.Arms[0].Outcomes {
		var lines []string
		var names []string // of the arms whose lines are the same
		for _, a := range r.Arms {
			miss := missing(a.Outcomes[i])
			if miss == "" {
				continue
			}
			if n := len(lines); n > 0 && lines[n-1] == miss {
				names[n-1] += "; " + a.Arm.String()
				continue
			}
			lines, names = append(lines, miss), append(names, a.Arm.String())
		}
		if len(lines) == 0 {
			continue
		}
		all++
		if shown == missesShown && c.verbose == 0 {
			continue
		}
		shown++
		kind := o.Kind
		if kind == "" {
			kind = "question"
		}
		fmt.Fprintf(w, "    %s %s: %s\n", cleanForTerminal(kind), cleanForTerminal(o.ID), cleanForTerminal(o.Text))
		for k, line := range lines {
			if len(r.Arms) > 1 {
				line = names[k] + ": " + line
			}
			fmt.Fprintf(w, "      %s\n", cleanForTerminal(line))
		}
	}
	if n := all - shown; n > 0 {
		fmt.Fprintf(w, "    and %d more; -v lists all\n", n)
	}
}

// missing says why a question was not answered, "" if it was.
func missing(o eval.AnswerOutcome) string {
	var parts []string
	for _, l := range o.Lost {
		parts = append(parts, fmt.Sprintf("%s %q", lostBy(l), l.Nugget))
	}
	line := strings.Join(parts, "; ")
	if line != "" && o.Err != "" {
		line = o.Err + "; " + line
	}
	return line
}

func lostBy(l eval.Loss) string {
	switch l.Phase {
	case eval.LostSearch:
		return "not found by phase 1:"
	case eval.LostRerank:
		return "dropped by 1.5:"
	case eval.LostExtract:
		return "not extracted by 2:"
	case eval.LostProcess:
		switch l.Section {
		case eval.SectionKept:
			return "cut by 3, though 1.5 kept its section:"
		case eval.SectionDropped:
			return "cut by 3, its section dropped by 1.5:"
		}
		return "cut by 3, its section not found by 1:"
	}
	return "not in the doc sets:"
}

// compareAnswers compares with an earlier run.
func (c *command) compareAnswers(before []eval.AnswerReport, after eval.AnswerReport) error {
	i := slices.IndexFunc(before, func(r eval.AnswerReport) bool { return r.Name == after.Name })
	if i < 0 {
		c.note("the earlier run has no answers to %s", after.Name)
		return nil
	}
	arms := eval.CompareArms(before[i], after)
	if len(arms) == 0 {
		c.note("the earlier run of %s had other extents and budgets", after.Name)
	}
	if c.json {
		return c.printJSON(struct {
			Name       string                  `json:"name"`
			Comparison []eval.AnswerComparison `json:"comparison"`
		}{after.Name, arms})
	}
	w := c.io.Out
	for _, a := range arms {
		if a.Common == 0 {
			c.note("the earlier run of %s has none of these questions", after.Name)
			continue
		}
		fmt.Fprintf(w, "  against the earlier run, %s: answered %+.4f (%.4f), @100 %+.4f, lines %+d, tokens %+d; %d gained, %d lost of "+
			"%d, p = %.3f\n", a.Arm,
			a.After.Answered-a.Before.Answered, a.Before.Answered, a.After.Answered100-a.Before.Answered100,
			a.After.Lines-a.Before.Lines, a.After.Tokens-a.Before.Tokens, len(a.Gained), len(a.Lost), a.Common, a.P)
		for _, q := range a.Lost {
			fmt.Fprintf(w, "    lost    %s\n", cleanForTerminal(q))
		}
		for _, q := range a.Gained {
			fmt.Fprintf(w, "    gained  %s\n", cleanForTerminal(q))
		}
	}
	return nil
}
