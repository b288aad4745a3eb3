package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"docent/cmd/internal/dev/measure/devsets"
	"docent/pipeline/eval"
	"docent/pipeline/service/home"
	"docent/pipeline/service/measure"
)

// fast is the subset that CI measures. Each set takes seconds.
var fast = []string{"manual", "manual-answers", "scenes-tuned", "scenes-held", "claude-links", "claude-params", "opencode-links",
	"rust-book-links", "ollama-faq", "opencode-zh-en", "med", "cranfield"}

// tolerance is the drop of a set's nDCG@10 that the check accepts. The metrics are
// the same on every machine, so every drop comes from a change of the program. A
// smaller drop is about one or two queries.
const tolerance = 0.005

// row has the metrics of one set in the baseline file.
type row struct {
	Name string `json:"name"`
	By   string `json:"by"`
	eval.Metrics
	Stages map[string]float64 `json:"stages_ndcg@10"`
}

type baseline struct {
	Version string `json:"version"`
	Rows    []row  `json:"rows"`
	// Answers are the sets of questions with nuggets.
	Answers []answersRow `json:"answers"`
	// Definitions are the definitions whose first heading is on a page that defines
	// the term, Scenes the questions that have the right scene.
	Definitions []count `json:"definitions"`
	Scenes      []count `json:"scenes"`
}

// bench is one run over the sets and its results.
type bench struct {
	data    devsets.Data
	only    []string // names of the sets to measure; empty: all
	rows    []row
	missing []string // names of the sets without data
	reports []eval.Report

	answers       []answersRow
	definitions   []count
	scenes        []count
	scenesGlob    string
	answerReports []eval.AnswerReport
}

// evaluateSets measures retrieval quality on all development sets and writes the metrics
// to a baseline file (make eval). With -check it compares them with the baseline and
// fails on a drop (make eval-fast).
//
// The golden set and the questions with nuggets over the manual are part of this
// repository. With -data it also measures the known-item queries, the judged collections
// and the questions with nuggets of that folder. Missing sets are listed and left out of
// all means.
func evaluateSets(ctx context.Context, args []string) error {
	var b bench
	flags := flag.NewFlagSet("measure eval", flag.ExitOnError)
	b.data.AddFlags(flags)
	file := flags.String("baseline", "testdata/eval/baseline.json", "the figures to write or to compare with")
	out := flags.String("out", "", "write the whole reports to this file, for docent eval --compare")
	artifact := flags.String("artifact", "", "write this run's figures to this file, in the form of the baseline "+
		"(tech_docs_eval.json of CI)")
	check := flags.Bool("check", false, "compare with the baseline and fail on a drop")
	flags.StringVar(&b.scenesGlob, "scenes", "pipeline/phase/route/testdata/scenes-*.jsonl", "the questions with their scenes")
	quick := flags.Bool("fast", false, "the fast subset only")
	engine := flags.String("engine", "", "ask models, with the environment's servers: auto, ollama or openai; writes no baseline")
	flags.StringVar(&b.data.Options.ConfigPath, "config", "", "configuration, such as which phases a model answers")
	flags.StringVar(&b.data.Options.EmbedModel, "embed-model", "", "the model for vectors")
	flags.StringVar(&b.data.Options.ChatModel, "chat-model", "", "the model for text")
	only := flags.String("only", "", "these sets only, separated by commas; writes no baseline but with -write")
	keep := flags.Bool("write", false, "with -only: write these sets to the baseline")
	_ = flags.Parse(args) // it exits on an error
	if *engine != "" {
		b.data.Options.Engine, b.data.Options.Env = *engine, os.Getenv
	}
	switch {
	case *only != "":
		b.only = strings.Split(*only, ",")
	case *quick:
		b.only = fast
	}
	err := b.run(ctx)
	if err == nil && *out != "" {
		err = write(*out, map[string]any{"program": "docent", "version": home.Version, "runs": b.reports, "answers": b.answerReports})
	}
	if err == nil && *artifact != "" { // before the check: it is most wanted when that fails
		err = write(*artifact, b.figures(baseline{}))
	}
	if err != nil {
		return err
	}
	b.print()
	switch {
	case *check:
		return b.check(*file)
	case (*only == "" || *keep) && !*quick && *engine == "":
		return b.writeBaseline(*file)
	}
	return nil
}

// wants reports whether a set is to be measured.
func (b *bench) wants(name string) bool { return len(b.only) == 0 || slices.Contains(b.only, name) }

// run measures all wanted sets.
func (b *bench) run(ctx context.Context) error {
	groups := devsets.Groups(func(s devsets.Set) bool {
		return !s.Train && b.wants(s.Name) && (b.data.Dir != "" || s.Name == devsets.Manual)
	})
	for _, sets := range groups {
		if err := b.measureGroup(ctx, sets); err != nil {
			return err
		}
	}
	if err := b.measureScenes(ctx); err != nil {
		return err
	}
	return b.measureAnswers(ctx)
}

// measureGroup measures sets that share documents.
func (b *bench) measureGroup(ctx context.Context, sets []devsets.Set) (err error) {
	o, err := b.data.Open(ctx, sets)
	if errors.Is(err, fs.ErrNotExist) {
		for _, s := range sets {
			b.missing = append(b.missing, s.Name)
		}
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.Close()) }()
	for _, s := range sets {
		queries := o.Queries[s.Name]
		if err := b.measure(ctx, s.Name, queries, o.Evaluation, false); err != nil {
			return err
		}
		if slices.ContainsFunc(queries, func(q eval.Query) bool { return len(q.Sections) > 0 }) {
			if err := b.measure(ctx, s.Name, queries, o.Evaluation, true); err != nil {
				return err
			}
		}
	}
	return nil
}

// measure measures one set, by page or by section.
func (b *bench) measure(ctx context.Context, name string, queries []eval.Query, e *measure.Evaluation, bySection bool) error {
	rep, err := eval.RunQueries(ctx, queries, e, eval.Options{BySection: bySection})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	rep.Name = name
	r := row{Name: name, By: rep.By, Metrics: rep.Metrics, Stages: map[string]float64{}}
	for _, s := range rep.Stages {
		r.Stages[s.Stage] = s.NDCG10
	}
	b.rows, b.reports = append(b.rows, r), append(b.reports, rep)
	fmt.Fprintf(os.Stderr, "%-20s %-8s nDCG@10 %.4f\n", name, rep.By, rep.NDCG10)
	return nil
}

// means are the mean metrics over kinds of sets. They are the main figures.
var means = []struct {
	name, by string
	sets     []string
	metric   func(eval.Metrics) float64
}{
	{"judged, English: nDCG@10", "page", []string{"cranfield", "cisi", "med", "cacm", "scifact", "cosqa-dev", "conala-pydocs-dev",
		"nl2bash-tldr-dev"}, ndcg},
	{"documentation, English: page nDCG@10", "page", docsEnglish, ndcg},
	{"documentation, English: section MRR@10", "section", docsEnglish, mrr},
	{"parameters: page Recall@10", "page", []string{"claude-params", "k8s-flags"}, func(m eval.Metrics) float64 { return m.Recall10 }},
	{"Chinese on English: nDCG@10", "page", []string{"xquad-zh-en", "k8s-zh-en-titles", "k8s-zh-en-links", "opencode-zh-en"}, ndcg},
}

var docsEnglish = []string{"claude-glossary", "claude-links", "claude-params", "k8s-flags", "k8s-glossary", "k8s-links", "opencode-links",
	"rust-book-links"}

func ndcg(m eval.Metrics) float64 { return m.NDCG10 }
func mrr(m eval.Metrics) float64  { return m.MRR10 }

// print prints the metrics of each set and the means.
func (b *bench) print() {
	b.printRankings()
	b.printAnswers()
	if len(b.missing) > 0 {
		fmt.Printf("not there: %s\n", strings.Join(b.missing, ", "))
	}
}

func (b *bench) printRankings() {
	if len(b.rows) == 0 {
		return
	}
	stages := []string{}
	for _, r := range b.reports {
		for _, s := range r.Stages {
			if !slices.Contains(stages, s.Stage) {
				stages = append(stages, s.Stage)
			}
		}
	}
	fmt.Printf("%-20s %-8s %8s %8s %9s %8s %5s %5s ", "set", "by", "nDCG@10", "MRR@10", "Recall@10", "R@100", "zero", "n")
	for _, s := range stages {
		fmt.Printf(" %9s", s)
	}
	fmt.Println()
	zero := 0
	for _, r := range b.rows {
		fmt.Printf("%-20s %-8s %8.4f %8.4f %9.4f %8.4f %5d %5d ", r.Name, r.By, r.NDCG10, r.MRR10, r.Recall10, r.Recall100, r.ZeroHits,
			r.Queries)
		for _, s := range stages {
			fmt.Printf(" %9.4f", r.Stages[s])
		}
		fmt.Println()
		zero += r.ZeroHits
	}
	for _, m := range means {
		sum, n, of := 0.0, 0, 0
		for _, name := range m.sets {
			if slices.Contains(b.missing, name) {
				continue
			}
			for _, r := range b.rows {
				if r.Name == name && r.By == m.by {
					sum += m.metric(r.Metrics)
					n++
				}
			}
			of++
		}
		if n > 0 {
			fmt.Printf("%-44s %.4f  (mean of %d of %d sets)\n", m.name, sum/float64(n), n, of)
		}
	}
	fmt.Printf("questions without any hit: %d\n", zero)
}

// writeBaseline writes the baseline file. It keeps the rows of sets that this run
// did not measure.
func (b *bench) writeBaseline(file string) error {
	old, err := read(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return write(file, b.figures(old))
}

// figures are those of this run, and the old ones of sets that it did not measure.
func (b *bench) figures(old baseline) baseline {
	return baseline{
		Version:     home.Version,
		Rows:        merged(b.rows, old.Rows, func(r row) string { return r.Name + r.By }),
		Answers:     merged(b.answers, old.Answers, func(r answersRow) string { return r.Name + r.Arm }),
		Definitions: merged(b.definitions, old.Definitions, func(c count) string { return c.Name }),
		Scenes:      merged(b.scenes, old.Scenes, func(c count) string { return c.Name }),
	}
}

// merged are the new rows and the old ones that have no new one, in the order of
// their keys.
func merged[R any](rows, old []R, key func(R) string) []R {
	out := slices.Clone(rows)
	for _, r := range old {
		if !slices.ContainsFunc(rows, func(x R) bool { return key(x) == key(r) }) {
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(a, c R) int { return strings.Compare(key(a), key(c)) })
	return out
}

// check fails if a set is worse than in the baseline.
func (b *bench) check(file string) error {
	old, err := read(file)
	if err != nil {
		return err
	}
	var worse []string
	n := 0
	for _, r := range b.rows {
		i := slices.IndexFunc(old.Rows, func(x row) bool { return x.Name == r.Name && x.By == r.By })
		if i < 0 {
			continue
		}
		n++
		if o := old.Rows[i]; r.NDCG10 < o.NDCG10-tolerance || r.ZeroHits > o.ZeroHits {
			worse = append(worse, fmt.Sprintf("%s by %s: nDCG@10 %.4f, it was %.4f; without a hit %d, it was %d", r.Name, r.By, r.NDCG10,
				o.NDCG10, r.ZeroHits, o.ZeroHits))
		}
	}
	worseAnswers, compared := b.worseAnswers(old)
	worse, n = append(worse, worseAnswers...), n+compared
	if len(worse) > 0 {
		return fmt.Errorf("worse than %s:\n  %s\nwhere that is meant, write it again with: make eval", file, strings.Join(worse, "\n  "))
	}
	if n == 0 {
		return fmt.Errorf("%s has none of the sets that were measured", file)
	}
	fmt.Printf("%d figures are as good as %s\n", n, file)
	return nil
}

func read(file string) (b baseline, err error) {
	raw, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(raw, &b)
	}
	return b, err
}

func write(file string, v any) error {
	raw, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, append(raw, '\n'), 0o644)
}
