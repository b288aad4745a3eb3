package measuring

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/arguments"
	"docent/cmd/internal/cli/completing"
	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/cli/invocation"
	"docent/cmd/internal/cli/progress"
	"docent/cmd/internal/sessions"
	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/eval"
	"docent/pipeline/service/home"
	"docent/pipeline/service/measure"
	"docent/pipeline/text/plural"
)

type evalFlags struct {
	by, compare, run, out string
	stages                bool
	extents               []string
	maxTokens             []int
	// rankingOnly and answersOnly are the given flags that belong to one kind of
	// test set.
	rankingOnly, answersOnly []string
}

func evalCmd(c *invocation.Call) *cobra.Command {
	var f evalFlags
	cmd := &cobra.Command{
		Use:   "eval QUERIES...",
		Short: "how good the rankings and the answers of this configuration are",
		Long: `Measures this configuration with questions whose answers are known. QUERIES is a
file with an object a line ("-": standard input), or a judged collection:

  {"query", "doc", "section"?, "grade"?}  how high the answers rank; needs --set
  {"query", "nuggets", "docs"?, "kind"?}  whether the final block has the answers
  corpus.jsonl, queries.jsonl, qrels.tsv  in a folder: rankings, in a temporary home`,
		Example: `  echo '{"query": "prove a block", "doc": "verify.md"}' | docent eval --set Docent_Manual --stages -`,
		Args:    arguments.MinArgs(1, "a file of queries, or the folder of a judged collection"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.rankingOnly = changed(cmd, "by", "stages", "run")
			f.answersOnly = changed(cmd, "extent", "max-tokens")
			return evaluate(cmd.Context(), c, args, f)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&f.by, "by", "page", "what is ranked: `page` or section")
	fl.BoolVar(&f.stages, "stages", false, "one row a stage, so that a stage that harms is seen")
	fl.StringVar(&f.compare, "compare", "", "set the `FILE` of an earlier run (--json or --out) beside it")
	fl.StringVar(&f.run, "run", "", "write the rankings to `FILE` as a TREC run")
	fl.StringVar(&f.out, "out", "", "write the artifact to `FILE`, such as tech_docs_eval.json")
	fl.StringSliceVar(&f.extents, "extent", nil, "of answers: blocks of `documents`, sections or both")
	fl.IntSliceVar(&f.maxTokens, "max-tokens", nil, "of answers: blocks with budgets of `N`,N… tokens; 0 is none")
	completing.Flag(cmd, "by", completing.Words("page", "section"))
	completing.Flag(cmd, "extent", completing.Words(contract.ExtentDocuments, contract.ExtentSections))
	return cmd
}

// changed are the given ones of some flags.
func changed(cmd *cobra.Command, names ...string) []string {
	return slices.DeleteFunc(names, func(n string) bool { return !cmd.Flags().Changed(n) })
}

// artifact is the form of --out.
type artifact struct {
	Program string        `json:"program"`
	Version string        `json:"version"`
	Runs    []eval.Report `json:"runs"`
	// Answers are the runs over questions with nuggets.
	Answers []eval.AnswerReport `json:"answers,omitempty"`
}

// measured is the result of one file or collection: one of the two.
type measured struct {
	ranking *eval.Report
	answers *eval.AnswerReport
}

func evaluate(ctx context.Context, c *invocation.Call, args []string, f evalFlags) error {
	switch {
	case f.by != "page" && f.by != "section":
		return contract.Invalid("by", "--by is %q, it can be page or section", f.by)
	case f.run != "" && len(args) > 1:
		return failure.UsageError("--run writes one run; give one file of queries")
	}
	arms, err := f.combinations()
	if err != nil {
		return err
	}
	var before artifact
	if f.compare != "" {
		if before, err = readReports(f.compare); err != nil {
			return err
		}
	}
	out := artifact{Program: "docent", Version: home.Version, Runs: []eval.Report{}}
	for _, arg := range args {
		m, err := evalOne(ctx, c, arg, f, arms)
		if err != nil {
			return err
		}
		if m.answers != nil {
			out.Answers = append(out.Answers, *m.answers)
			err = showAnswers(c, *m.answers, f, before.Answers)
		} else {
			out.Runs = append(out.Runs, *m.ranking)
			err = showRanking(c, *m.ranking, f, before.Runs)
		}
		if err != nil {
			return err
		}
	}
	if f.out == "" {
		return nil
	}
	return writeFile(f.out, func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetIndent("", " ")
		return enc.Encode(out)
	})
}

// showRanking prints the measures of rankings.
func showRanking(c *invocation.Call, rep eval.Report, f evalFlags, before []eval.Report) error {
	if f.run != "" {
		if err := writeFile(f.run, func(w io.Writer) error { return rep.WriteRun(w, "docent") }); err != nil {
			return err
		}
	}
	shown := rep
	if !f.stages {
		shown.Stages = nil
	}
	if c.JSON {
		if err := c.PrintJSON(shown); err != nil {
			return err
		}
	} else {
		printEval(c, shown)
	}
	if f.compare != "" {
		printComparison(c, before, rep)
	}
	return nil
}

func writeFile(path string, do func(io.Writer) error) error {
	var b bytes.Buffer
	if err := do(&b); err != nil {
		return err
	}
	if err := sessions.Replace(path, b.Bytes()); err != nil {
		return failure.Unwritten("the file was not written", err)
	}
	return nil
}

// evalOne measures one file or collection.
func evalOne(ctx context.Context, c *invocation.Call, arg string, f evalFlags, arms []eval.Arm) (measured, error) {
	in := io.NopCloser(c.StandardInput(ctx))
	if arg != "-" {
		file, err := os.Open(arg)
		if err != nil {
			return measured{}, failure.UsageError("eval %s: %v", arg, errors.Unwrap(err))
		}
		in = file
		st, err := file.Stat()
		if err != nil {
			return measured{}, errors.Join(err, file.Close())
		}
		if st.IsDir() {
			_ = file.Close()
			return evalCollection(ctx, c, arg, f)
		}
	}
	defer in.Close()
	queries, questions, err := eval.Read(in, arg)
	if err != nil {
		return measured{}, failure.UsageError("eval %v", err)
	}
	if questions != nil {
		return evalAnswers(ctx, c, arg, questions, f, arms)
	}
	return evalQueries(ctx, c, arg, queries, f)
}

// evalName is the name of a file or a collection in reports.
func evalName(arg string) string {
	return strings.TrimSuffix(filepath.Base(filepath.Clean(arg)), ".jsonl")
}

// evalError names the file in an error about it.
func evalError(arg string, err error) error {
	if err == nil {
		return nil
	}
	if class, invalid := home.Classify(err); class == home.Usage {
		return failure.UsageError("eval %s: %v", arg, invalid)
	}
	return err
}

// rankQueries measures the rankings of one file or collection.
func rankQueries(ctx context.Context, c *invocation.Call, arg string, e *measure.Evaluation, queries []eval.Query,
	f evalFlags) (measured, error) {
	rep, err := e.Run(ctx, queries, eval.Options{BySection: f.by == "section", Progress: evalProgress(c, arg)})
	rep.Name = evalName(arg)
	return measured{ranking: &rep}, evalError(arg, err)
}

// evalCollection measures a judged collection.
func evalCollection(ctx context.Context, c *invocation.Call, arg string, f evalFlags) (measured, error) {
	if len(c.Sets) > 0 {
		return measured{}, failure.UsageError("eval %s: a judged collection brings its own documents; leave --set out", arg)
	}
	if f.by == "section" {
		return measured{}, failure.UsageError("eval %s: a judged collection knows no sections", arg)
	}
	if len(f.answersOnly) > 0 {
		return measured{}, failure.UsageError("eval %s: a judged collection has no answers; leave --%s out", arg, f.answersOnly[0])
	}
	coll := eval.Collection{Dir: arg}
	queries, err := readCollection(coll)
	if err != nil {
		return measured{}, failure.UsageError("eval %s: %v", arg, err)
	}
	e, closeHome, err := app.OpenCollection(ctx, coll, c.Options())
	if err != nil {
		return measured{}, err
	}
	m, err := rankQueries(ctx, c, arg, e, queries, f)
	return m, errors.Join(err, closeHome())
}

// evalQueries measures a file of known items.
func evalQueries(ctx context.Context, c *invocation.Call, arg string, queries []eval.Query, f evalFlags) (measured, error) {
	switch {
	case len(f.answersOnly) > 0:
		return measured{}, failure.UsageError("eval %s: its queries have no \"nuggets\", so there are no answers to measure; leave "+
			"--%s out", arg,
			f.answersOnly[0])
	case len(c.Sets) == 0:
		return measured{}, failure.UsageError("eval %s: name the doc set that the queries are about with --set", arg)
	case len(c.Sets) > 1:
		return measured{}, failure.UsageError("--set names %d doc sets; queries belong to one", len(c.Sets))
	}
	var m measured
	err := c.WithHome(ctx, func(a *app.App) error {
		e, err := a.Measure.Evaluate(ctx, c.Sets[0])
		if err != nil {
			return err
		}
		m, err = rankQueries(ctx, c, arg, e, queries, f)
		return err
	})
	return m, err
}

// readCollection returns a collection's queries and finds the faults of its files before
// they are indexed, which may take minutes.
func readCollection(c eval.Collection) ([]eval.Query, error) {
	have := map[string]bool{}
	err := c.Documents(func(d eval.Document) error {
		have[d.ID] = true
		return nil
	})
	if err != nil {
		return nil, err
	}
	return c.Queries("", func(id string) bool { return have[id] })
}

// evalProgress draws the questions asked on a terminal's standard error.
func evalProgress(c *invocation.Call, arg string) func(done, total int) {
	sink := c.ProgressBar()
	return func(done, total int) {
		kind := pipeline.PhaseProgress
		if done == total {
			kind = pipeline.PhaseDone
		}
		sink(pipeline.Event{Phase: progress.EvalPhase, Kind: kind, Done: done, Total: total, Text: filepath.Base(arg)})
	}
}

func printEval(c *invocation.Call, r eval.Report) {
	w := c.IO.Out
	fmt.Fprintf(w, "%s: %s by %s\n", console.Clean(r.Name), plural.Count(r.Queries, "query", "queries"), r.By)
	fmt.Fprintf(w, "  %-22s %8s %9s %10s %8s %6s %6s\n", "", "nDCG@10", "MRR@10", "Recall@10", "R@100", "zero", "n")
	row := func(name string, m eval.Metrics) {
		fmt.Fprintf(w, "  %-22s %8.4f %9.4f %10.4f %8.4f %6d %6d\n", console.Clean(name), m.NDCG10, m.MRR10, m.Recall10, m.Recall100,
			m.ZeroHits, m.Queries)
	}
	if len(r.Stages) == 0 {
		row("all", r.Metrics)
	}
	for _, s := range r.Stages {
		row(s.Stage, s.Metrics)
	}
	if len(r.ByKind) > 1 {
		kinds := make([]string, 0, len(r.ByKind))
		for k := range r.ByKind {
			kinds = append(kinds, k)
		}
		slices.Sort(kinds)
		for _, k := range kinds {
			row("· "+k, r.ByKind[k])
		}
	}
	fmt.Fprintf(w, "  latency p50 %.1f ms, p95 %.1f ms\n", r.Latency.P50, r.Latency.P95)
}

// movedShown bounds the list of queries that moved.
const movedShown = 20

func printComparison(c *invocation.Call, before []eval.Report, after eval.Report) {
	i := slices.IndexFunc(before, func(r eval.Report) bool { return r.Name == after.Name && r.By == after.By })
	if i < 0 {
		c.Note("the earlier run has nothing on %s by %s", after.Name, after.By)
		return
	}
	cmp := eval.Compare(before[i], after)
	if cmp.Common == 0 {
		c.Note("the earlier run of %s has none of these queries", after.Name)
		return
	}
	if n, m := before[i].Queries, after.Queries; cmp.Common < n || cmp.Common < m {
		c.Note("the earlier run of %s had %s, this one has %d; %d are in both", after.Name, plural.Count(n, "query", "queries"), m,
			cmp.Common)
	}
	if c.JSON {
		_ = c.PrintJSON(struct {
			Name       string          `json:"name"`
			Comparison eval.Comparison `json:"comparison"`
		}{after.Name, cmp})
		return
	}
	w := c.IO.Out
	fmt.Fprintf(w, "  against the earlier run: nDCG@10 %+.4f (%.4f), MRR@10 %+.4f, Recall@10 %+.4f; %d better, %d worse, p = %.3f\n",
		cmp.After.NDCG10-cmp.Before.NDCG10, cmp.Before.NDCG10, cmp.After.MRR10-cmp.Before.MRR10, cmp.After.Recall10-cmp.Before.Recall10,
		cmp.Better, cmp.Worse, cmp.P)
	shown := cmp.Moved
	if len(shown) > movedShown {
		shown = slices.Concat(shown[:movedShown/2], shown[len(shown)-movedShown/2:])
	}
	place := func(r int) string {
		if r == 0 {
			return "-"
		}
		return fmt.Sprint(r)
	}
	for _, m := range shown {
		fmt.Fprintf(w, "    %+.3f  %s → %s  %s\n", m.After-m.Before, place(m.Ranks[0]), place(m.Ranks[1]), console.Clean(m.Text))
	}
	if n := len(cmp.Moved) - len(shown); n > 0 {
		fmt.Fprintf(w, "    and %d more between them\n", n)
	}
}

// readReports reads what --json or --out wrote.
func readReports(path string) (artifact, error) {
	var out artifact
	raw, err := os.ReadFile(path)
	if err != nil {
		return out, failure.UsageError("--compare %v", err)
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	for {
		var one json.RawMessage
		err := dec.Decode(&one)
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = out.addReports(one)
		}
		if err != nil {
			return out, failure.UsageError("--compare %s: %v; it must be what --json or --out wrote", path, err)
		}
	}
	if len(out.Runs)+len(out.Answers) == 0 {
		return out, failure.UsageError("--compare %s: there is no run in it", path)
	}
	return out, nil
}

// addReports adds the reports of one JSON value: an artifact or a single report.
func (a *artifact) addReports(raw []byte) error {
	var all artifact
	if err := json.Unmarshal(raw, &all); err == nil {
		a.Runs, a.Answers = append(a.Runs, all.Runs...), append(a.Answers, all.Answers...)
	}
	var answers eval.AnswerReport
	if err := json.Unmarshal(raw, &answers); err == nil && len(answers.Arms) > 0 {
		a.Answers = append(a.Answers, answers)
		return nil
	}
	var ranking eval.Report
	if err := json.Unmarshal(raw, &ranking); err != nil {
		return err
	}
	if ranking.Queries > 0 {
		a.Runs = append(a.Runs, ranking)
	}
	return nil
}
