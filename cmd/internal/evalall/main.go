// Command evalall measures retrieval on all the sets there are and keeps the
// figures: the golden set over the manual, which is in this repository, and,
// where a folder of development data is given, known-item queries over its
// corpora and its judged collections. It writes them to a baseline file, or
// with -check compares them with it and fails on a drop (make eval).
//
// It refuses to average over what it could not measure: a set that is missing
// from the data is named, and a baseline of other sets is not compared.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"docent/cmd/internal/app"
	"docent/pipeline/eval"
	"docent/pipeline/ingest"
	"docent/store/catalog"
)

// corpus is a folder of documentation with the queries on it.
type corpus struct {
	dir     string
	queries []string
}

// The development sets. Queries whose corpus has a format that is not read yet
// are left out.
var corpora = []corpus{
	{"claude-code-docs", []string{"claude-glossary", "claude-links", "claude-params"}},
	{"k8s-docs-v1.31", []string{"k8s-faq", "k8s-flags", "k8s-glossary", "k8s-links", "k8s-zh-en-links", "k8s-zh-en-titles"}},
	{"ollama-docs", []string{"ollama-faq"}},
	{"opencode-docs", []string{"opencode-links", "opencode-zh-en"}},
	{"rust-book", []string{"rust-book-links"}},
}

var collections = []string{"cranfield", "cisi", "med", "cacm", "scifact", "cosqa-dev", "conala-pydocs-dev", "nl2bash-tldr-dev",
	"xquad-en-en", "xquad-zh-en", "cmrc2018-dev"}

// fast is the subset that CI measures: seconds each.
var fast = []string{"manual", "claude-links", "claude-params", "opencode-links", "rust-book-links", "ollama-faq", "opencode-zh-en", "med", "cranfield"}

// drop is how much of nDCG@10 a set may lose before the check fails: figures
// are the same on every machine, so a drop is a change of the program, and one
// below this is a query or two.
const drop = 0.005

// row is the figures of one set, in the form of the baseline.
type row struct {
	Name string `json:"name"`
	By   string `json:"by"`
	eval.Metrics
	Stages map[string]float64 `json:"stages_ndcg@10"`
}

type baseline struct {
	Version string `json:"version"`
	Rows    []row  `json:"rows"`
}

type bench struct {
	data, manual, golden string
	only                 []string
	rows                 []row
	missing              []string
	full                 []eval.Report
}

func main() {
	var b bench
	data := flag.String("data", "", "folder of development data: corpora, queries, ir")
	flag.StringVar(&b.manual, "manual", "cmd/docent/manual", "the manual's pages")
	flag.StringVar(&b.golden, "golden", "testdata/eval/manual.jsonl", "the golden set over the manual")
	file := flag.String("baseline", "testdata/eval/baseline.json", "the figures to write or to compare with")
	out := flag.String("out", "", "write the whole reports to this file, for docent eval --compare")
	check := flag.Bool("check", false, "compare with the baseline and fail on a drop")
	quick := flag.Bool("fast", false, "the fast subset only")
	only := flag.String("only", "", "these sets only, parted by commas; writes no baseline")
	flag.Parse()
	b.data = *data
	switch {
	case *only != "":
		b.only = strings.Split(*only, ",")
	case *quick:
		b.only = fast
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := b.run(ctx)
	stop()
	if err == nil && *out != "" {
		err = write(*out, map[string]any{"program": "docent", "version": app.Version, "runs": b.full})
	}
	if err == nil {
		b.print()
		switch {
		case *check:
			err = b.check(*file)
		case *only == "" && !*quick:
			err = b.keep(*file)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "evalall:", err)
		os.Exit(1)
	}
}

func (b *bench) wants(name string) bool { return len(b.only) == 0 || slices.Contains(b.only, name) }

func (b *bench) run(ctx context.Context) error {
	if b.wants("manual") {
		if err := b.corpus(ctx, b.manual, map[string]string{"manual": b.golden}); err != nil {
			return err
		}
	}
	if b.data == "" {
		return nil
	}
	for _, c := range corpora {
		files := map[string]string{}
		for _, q := range c.queries {
			if b.wants(q) {
				files[q] = filepath.Join(b.data, "queries", q+"-dev.jsonl")
			}
		}
		if err := b.corpus(ctx, filepath.Join(b.data, "corpora", c.dir), files); err != nil {
			return err
		}
	}
	for _, name := range collections {
		if b.wants(name) {
			if err := b.collection(ctx, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// corpus measures files of queries, by their names, on one folder.
func (b *bench) corpus(ctx context.Context, dir string, files map[string]string) (err error) {
	for name, f := range files {
		if _, serr := os.Stat(f); serr != nil {
			b.missing = append(b.missing, name)
			delete(files, name)
		}
	}
	if len(files) == 0 {
		return nil
	}
	found, err := ingest.Discover(dir)
	if err != nil {
		return err
	}
	home, err := os.MkdirTemp("", "docent-evalall")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(home)) }()
	a, err := app.Open(ctx, app.Options{Home: home})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	err = a.Write(ctx, "evaluate", func(w *app.Writer) error {
		sets, err := w.Add(ctx, []catalog.Set{{Ref: found[0].Ref, Root: found[0].Root, Layout: found[0].Layout, Domain: "tech_docs"}})
		if err != nil {
			return err
		}
		_, err = w.Update(ctx, sets[0], true)
		return err
	})
	if err != nil {
		return err
	}
	e, err := a.Evaluate(ctx, found[0].Ref.String())
	if err != nil {
		return err
	}
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		f, err := os.Open(files[name])
		if err != nil {
			return err
		}
		queries, err := eval.ReadQueries(f, name)
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
		if err := b.measure(ctx, name, queries, e, false); err != nil {
			return err
		}
		if slices.ContainsFunc(queries, func(q eval.Query) bool { return len(q.Sections) > 0 }) {
			if err := b.measure(ctx, name, queries, e, true); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *bench) collection(ctx context.Context, name string) (err error) {
	c := eval.Collection{Dir: filepath.Join(b.data, "ir", name)}
	if !eval.IsCollection(c.Dir) {
		b.missing = append(b.missing, name)
		return nil
	}
	e, closeHome, err := app.OpenCollection(ctx, c, app.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeHome()) }()
	queries, err := c.Queries("", e.Has)
	if err != nil {
		return err
	}
	return b.measure(ctx, name, queries, e, false)
}

func (b *bench) measure(ctx context.Context, name string, queries []eval.Query, e *app.Evaluation, bySection bool) error {
	rep, err := eval.Run(ctx, queries, e, eval.Options{BySection: bySection})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	rep.Name = name
	r := row{Name: name, By: rep.By, Metrics: rep.Metrics, Stages: map[string]float64{}}
	for _, s := range rep.Stages {
		r.Stages[s.Stage] = s.NDCG10
	}
	b.rows, b.full = append(b.rows, r), append(b.full, rep)
	fmt.Fprintf(os.Stderr, "%-20s %-8s nDCG@10 %.4f\n", name, rep.By, rep.NDCG10)
	return nil
}

// groups are the means that the figures are judged by.
var groups = []struct {
	name, by string
	sets     []string
	figure   func(eval.Metrics) float64
}{
	{"judged, English: nDCG@10", "page", []string{"cranfield", "cisi", "med", "cacm", "scifact", "cosqa-dev", "conala-pydocs-dev", "nl2bash-tldr-dev"}, ndcg},
	{"documentation, English: page nDCG@10", "page", docsEnglish, ndcg},
	{"documentation, English: section MRR@10", "section", docsEnglish, mrr},
	{"parameters: page Recall@10", "page", []string{"claude-params", "k8s-flags"}, func(m eval.Metrics) float64 { return m.Recall10 }},
	{"Chinese on English: nDCG@10", "page", []string{"xquad-zh-en", "k8s-zh-en-titles", "k8s-zh-en-links", "opencode-zh-en"}, ndcg},
}

var docsEnglish = []string{"claude-glossary", "claude-links", "claude-params", "k8s-flags", "k8s-glossary", "k8s-links", "opencode-links", "rust-book-links"}

func ndcg(m eval.Metrics) float64 { return m.NDCG10 }
func mrr(m eval.Metrics) float64  { return m.MRR10 }

func (b *bench) print() {
	stages := []string{}
	for _, r := range b.full {
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
		fmt.Printf("%-20s %-8s %8.4f %8.4f %9.4f %8.4f %5d %5d ", r.Name, r.By, r.NDCG10, r.MRR10, r.Recall10, r.Recall100, r.ZeroHits, r.Queries)
		for _, s := range stages {
			fmt.Printf(" %9.4f", r.Stages[s])
		}
		fmt.Println()
		zero += r.ZeroHits
	}
	for _, g := range groups {
		sum, n, of := 0.0, 0, 0
		for _, name := range g.sets {
			if slices.ContainsFunc(b.missing, func(m string) bool { return m == name }) {
				continue
			}
			for _, r := range b.rows {
				if r.Name == name && r.By == g.by {
					sum += g.figure(r.Metrics)
					n++
				}
			}
			of++
		}
		if n > 0 {
			fmt.Printf("%-44s %.4f  (mean of %d of %d sets)\n", g.name, sum/float64(n), n, of)
		}
	}
	fmt.Printf("questions without any hit: %d\n", zero)
	if len(b.missing) > 0 {
		fmt.Printf("not there: %s\n", strings.Join(b.missing, ", "))
	}
}

// keep writes the baseline; rows of sets that were not measured stay.
func (b *bench) keep(file string) error {
	old, err := read(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	rows := slices.Clone(b.rows)
	for _, r := range old.Rows {
		if !slices.ContainsFunc(rows, func(x row) bool { return x.Name == r.Name && x.By == r.By }) {
			rows = append(rows, r)
		}
	}
	slices.SortStableFunc(rows, func(a, c row) int { return strings.Compare(a.Name+a.By, c.Name+c.By) })
	return write(file, baseline{app.Version, rows})
}

// check compares with the baseline.
func (b *bench) check(file string) error {
	old, err := read(file)
	if err != nil {
		return err
	}
	var lost []string
	n := 0
	for _, r := range b.rows {
		i := slices.IndexFunc(old.Rows, func(x row) bool { return x.Name == r.Name && x.By == r.By })
		if i < 0 {
			continue
		}
		n++
		if o := old.Rows[i]; r.NDCG10 < o.NDCG10-drop || r.ZeroHits > o.ZeroHits {
			lost = append(lost, fmt.Sprintf("%s by %s: nDCG@10 %.4f, it was %.4f; without a hit %d, it was %d", r.Name, r.By, r.NDCG10, o.NDCG10, r.ZeroHits, o.ZeroHits))
		}
	}
	if len(lost) > 0 {
		return fmt.Errorf("worse than %s:\n  %s\nwhere that is meant, write it again with: make eval", file, strings.Join(lost, "\n  "))
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
