package measuring

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/cli/invocation"
	"docent/pipeline/contract"
	"docent/pipeline/eval"
	"docent/pipeline/text/plural"
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
func evalAnswers(ctx context.Context, c *invocation.Call, arg string, questions []eval.Question, f evalFlags, arms []eval.Arm) (measured,
	error) {
	if len(f.rankingOnly) > 0 {
		return measured{}, failure.UsageError("eval %s: its questions have \"nuggets\", so the final block is measured and no "+
			"ranking; leave "+
			"--%s out", arg, f.rankingOnly[0])
	}
	var rep eval.AnswerReport
	err := c.WithHome(ctx, func(a *app.App) error {
		answers, err := a.Measure.EvaluateAnswers(ctx, c.Sets)
		if err != nil {
			return err
		}
		rep, err = answers.Run(ctx, questions, arms, evalProgress(c, arg))
		rep.Name = evalName(arg)
		return evalError(arg, err)
	})
	return measured{answers: &rep}, err
}

// showAnswers prints the measures of answers.
func showAnswers(c *invocation.Call, rep eval.AnswerReport, f evalFlags, before []eval.AnswerReport) error {
	if c.JSON {
		if err := c.PrintJSON(rep); err != nil {
			return err
		}
	} else {
		printAnswers(c, rep)
	}
	const most = 5
	if n := len(rep.Unknown); n > 0 {
		c.Note("%s of \"docs\" %s not there: %s", plural.Count(n, "page", "pages"), isOrAre(n),
			console.Clean(strings.Join(rep.Unknown[:min(most, n)], ", ")))
	}
	for _, n := range rep.Nowhere[:min(most, len(rep.Nowhere))] {
		c.Note("question %s (%s): the doc sets have no line with %s", n.ID, console.Clean(n.Text), quotedList(n.Nuggets))
	}
	if n := len(rep.Nowhere) - most; n > 0 {
		c.Note("%s more that the doc sets do not have", plural.Count(n, "nugget", "nuggets"))
	}
	if f.compare == "" {
		return nil
	}
	return compareAnswers(c, before, rep)
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
func printAnswers(c *invocation.Call, r eval.AnswerReport) {
	w := c.IO.Out
	fmt.Fprintf(w, "%s: %s\n", console.Clean(r.Name), plural.Count(r.Questions, "question", "questions"))
	if r.Arms[0].Questions > 0 {
		fmt.Fprintf(w, "  %-24s %8s %6s %6s %6s %6s %6s %6s %6s %6s %6s %6s %6s %6s %5s\n", "", "answered", "@60", "@100", "@300",
			"recall", "first", "cited", "useful", "alarm", "lines", "p90", "tokens", "p90", "n")
		for _, a := range r.Arms {
			answersRow(c, a.Arm.String(), a.AnswerMetrics)
		}
	}
	if only := r.Arms[0]; len(r.Arms) == 1 {
		if len(only.ByKind) > 1 {
			for _, k := range slices.Sorted(maps.Keys(only.ByKind)) {
				answersRow(c, "· "+k, only.ByKind[k])
			}
		}
		for _, l := range slices.Sorted(maps.Keys(only.ByLanguage)) {
			answersRow(c, "· in "+l, only.ByLanguage[l])
		}
	} else {
		printKinds(c, r)
	}
	for _, k := range slices.Sorted(maps.Keys(r.Arms[0].Unanswerable)) {
		for _, a := range r.Arms {
			m := a.Unanswerable[k]
			fmt.Fprintf(w, "  not in the documentation, %s, %s: said of %.0f of %d; %d lines in the median block\n",
				console.Clean(k), a.Arm, m.Said*float64(m.Questions), m.Questions, m.Lines)
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
	printMisses(c, r)
}

func answersRow(c *invocation.Call, name string, m eval.AnswerMetrics) {
	fmt.Fprintf(c.IO.Out, "  %-24s %8.4f %6.3f %6.3f %6.3f %6.3f %6.3f %6.3f %6.3f %6.3f %6d %6d %6d %6d %5d\n", console.Clean(name),
		m.Answered,
		m.Answered60, m.Answered100, m.Answered300, m.Recall, m.GoldFirst, m.GoldCited, m.Useful, m.FalseAlarms, m.Lines, m.LinesP90,
		m.Tokens, m.TokensP90, m.Questions)
}

// printKinds sets the arms' answered questions side by side, a kind a row.
func printKinds(c *invocation.Call, r eval.AnswerReport) {
	kinds := slices.Sorted(maps.Keys(r.Arms[0].ByKind))
	if len(kinds) < 2 {
		return
	}
	w := c.IO.Out
	fmt.Fprintf(w, "  %-16s %5s", "answered", "n")
	for _, a := range r.Arms {
		fmt.Fprintf(w, "  %22s", a.Arm)
	}
	fmt.Fprintln(w)
	for _, k := range kinds {
		fmt.Fprintf(w, "  · %-14s %5d", console.Clean(k), r.Arms[0].ByKind[k].Questions)
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
func printMisses(c *invocation.Call, r eval.AnswerReport) {
	w := c.IO.Out
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
		if shown == missesShown && c.Verbose == 0 {
			continue
		}
		shown++
		kind := o.Kind
		if kind == "" {
			kind = "question"
		}
		fmt.Fprintf(w, "    %s %s: %s\n", console.Clean(kind), console.Clean(o.ID), console.Clean(o.Text))
		for k, line := range lines {
			if len(r.Arms) > 1 {
				line = names[k] + ": " + line
			}
			fmt.Fprintf(w, "      %s\n", console.Clean(line))
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
func compareAnswers(c *invocation.Call, before []eval.AnswerReport, after eval.AnswerReport) error {
	i := slices.IndexFunc(before, func(r eval.AnswerReport) bool { return r.Name == after.Name })
	if i < 0 {
		c.Note("the earlier run has no answers to %s", after.Name)
		return nil
	}
	arms := eval.CompareArms(before[i], after)
	if len(arms) == 0 {
		c.Note("the earlier run of %s had other extents and budgets", after.Name)
	}
	if c.JSON {
		return c.PrintJSON(struct {
			Name       string                  `json:"name"`
			Comparison []eval.AnswerComparison `json:"comparison"`
		}{after.Name, arms})
	}
	w := c.IO.Out
	for _, a := range arms {
		if a.Common == 0 {
			c.Note("the earlier run of %s has none of these questions", after.Name)
			continue
		}
		fmt.Fprintf(w, "  against the earlier run, %s: answered %+.4f (%.4f), @100 %+.4f, lines %+d, tokens %+d; %d gained, %d lost of "+
			"%d, p = %.3f\n", a.Arm,
			a.After.Answered-a.Before.Answered, a.Before.Answered, a.After.Answered100-a.Before.Answered100,
			a.After.Lines-a.Before.Lines, a.After.Tokens-a.Before.Tokens, len(a.Gained), len(a.Lost), a.Common, a.P)
		for _, q := range a.Lost {
			fmt.Fprintf(w, "    lost    %s\n", console.Clean(q))
		}
		for _, q := range a.Gained {
			fmt.Fprintf(w, "    gained  %s\n", console.Clean(q))
		}
	}
	return nil
}
