// Command latency measures the latency of questions in a running process: phases 0a
// to 1.5, over one or several doc sets. It prints percentiles for each phase and
// for the total.
//
// It refuses to judge the figures. On a shared machine only figures of the same run
// are comparable.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"docent/cmd/internal/app"
	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/eval"
	"docent/pipeline/ingest"
	"docent/pipeline/service/home"
	"docent/store"
)

func main() {
	var b bench
	flag.StringVar(&b.data, "data", "../shared/data", "folder of development data: corpora, queries")
	flag.StringVar(&b.home, "home", "", "the home to index into, which is kept and used again; none: a temporary one")
	flag.IntVar(&b.copies, "copies", 1, "how often each corpus is a doc set")
	flag.StringVar(&b.corpora, "corpora", "k8s-docs-v1.31", "corpora, parted by commas; or all")
	flag.StringVar(&b.queries, "queries", "k8s-*", "query files, a pattern")
	flag.StringVar(&b.profile, "cpuprofile", "", "write a profile of the questions to this file")
	flag.BoolVar(&b.cold, "cold", false, "open the home anew for each question")
	flag.StringVar(&b.match, "match", "", "only the questions that have this in them")
	flag.IntVar(&b.rounds, "rounds", 1, "how often they are asked")
	flag.IntVar(&b.slowest, "slowest", 0, "so many of the slowest questions are named")
	flag.Parse()
	if err := b.run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "latency:", err)
		os.Exit(1)
	}
}

// bench holds the flags.
type bench struct {
	data, home, corpora, queries, match, profile string
	copies, rounds, slowest                      int
	cold                                         bool
}

// run indexes the corpora, if the home is empty, and asks the questions.
func (b *bench) run(ctx context.Context) (err error) {
	if _, err := os.Stat(b.data); err != nil {
		fmt.Printf("no data at %s: skipped\n", b.data)
		return nil
	}
	if b.home == "" {
		if b.home, err = os.MkdirTemp("", "docent-latency"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(b.home)) }()
	}
	a, err := app.Open(ctx, app.Options{Home: b.home})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	sets, err := a.Corpus.Sets(ctx)
	if err != nil {
		return err
	}
	if len(sets) == 0 {
		if err := b.index(ctx, a); err != nil {
			return err
		}
	}
	questions, err := b.questions()
	if err != nil {
		return err
	}
	return b.ask(ctx, a, questions)
}

// index adds the corpora as doc sets.
func (b *bench) index(ctx context.Context, a *app.App) error {
	dirs := strings.Split(b.corpora, ",")
	if b.corpora == "all" {
		dirs = nil
		list, err := os.ReadDir(filepath.Join(b.data, "corpora"))
		if err != nil {
			return err
		}
		for _, d := range list {
			dirs = append(dirs, d.Name())
		}
	}
	return a.Write(ctx, "measure", func(w *home.Writer) error {
		for _, dir := range dirs {
			root := filepath.Join(b.data, "corpora", dir)
			for i := range b.copies {
				found, err := ingest.Discover(root)
				if err != nil {
					fmt.Fprintf(os.Stderr, "%s is left out: %v\n", dir, err)
					break
				}
				f := found[0]
				if i > 0 {
					f.Ref.Name += fmt.Sprint("_", i+1)
				}
				sets, err := w.Add(ctx, []store.Set{{Ref: f.Ref, Root: f.Root, Layout: f.Layout, Domain: "tech_docs"}})
				if err != nil {
					return err
				}
				if _, err := w.Update(ctx, sets[0], true); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// questions reads the questions of all matching query files.
func (b *bench) questions() ([]string, error) {
	files, err := filepath.Glob(filepath.Join(b.data, "queries", b.queries+".jsonl"))
	if err != nil {
		return nil, err
	}
	var out []string
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		list, err := eval.ReadQueries(f, file)
		if err := errors.Join(err, f.Close()); err != nil {
			return nil, err
		}
		for _, q := range list {
			if strings.Contains(q.Text, b.match) {
				out = append(out, q.Text)
			}
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no questions in %s/queries/%s.jsonl", b.data, b.queries)
	}
	return slices.Repeat(out, b.rounds), nil
}

// ask asks up to 100 questions to warm up, and then measures all of them.
func (b *bench) ask(ctx context.Context, a *app.App, questions []string) error {
	sets, err := a.Corpus.Sets(ctx)
	if err != nil {
		return err
	}
	passages, names := 0, make([]string, len(sets))
	for i, s := range sets {
		names[i] = s.Ref.String()
		x, release, err := a.Corpus.Index(ctx, s)
		if err != nil {
			return err
		}
		passages += x.Statistics().Passages
		release()
	}
	askOne := func(q string) (timings map[string]float64, took time.Duration, err error) {
		start, a := time.Now(), a
		if b.cold {
			if a, err = app.Open(ctx, app.Options{Home: b.home}); err != nil {
				return nil, 0, err
			}
			defer func() { err = errors.Join(err, a.Close()); took = time.Since(start) }()
		}
		s := a.Pipelines.Ask.NewSession(pipeline.Request{Question: q, DocSets: names})
		res, err := s.RunTo(ctx, contract.PhaseRerank, nil)
		return res.TimingsMS, time.Since(start), err
	}
	for _, q := range questions[:min(len(questions), 100)] {
		if _, _, err := askOne(q); err != nil {
			return fmt.Errorf("%q: %w", q, err)
		}
	}
	if b.profile != "" {
		f, err := os.Create(b.profile)
		if err != nil {
			return err
		}
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer func() {
			pprof.StopCPUProfile()
			if err := f.Close(); err != nil {
				fmt.Fprintln(os.Stderr, "latency:", err)
			}
		}()
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	times := map[string][]float64{}
	type measurement struct {
		question string
		ms       float64
	}
	var all []measurement
	for _, q := range questions {
		phases, d, err := askOne(q)
		if err != nil {
			return fmt.Errorf("%q: %w", q, err)
		}
		for p, ms := range phases {
			times[p] = append(times[p], ms)
		}
		all = append(all, measurement{q, d.Seconds() * 1000})
		times["all"] = append(times["all"], d.Seconds()*1000)
	}
	runtime.ReadMemStats(&after)
	n := len(questions)
	fmt.Printf("%d questions over %d doc sets, %d passages; %.1f MB and %d objects allocated a question\n", n, len(sets), passages,
		float64(after.TotalAlloc-before.TotalAlloc)/float64(n)/(1<<20), (after.Mallocs-before.Mallocs)/uint64(n))
	for _, p := range []string{"0a", "0b", "merge", "1", "1.5", "all"} {
		list := times[p]
		if len(list) == 0 {
			continue
		}
		slices.Sort(list)
		at := func(q float64) float64 { return list[min(len(list)-1, int(q*float64(len(list))))] }
		fmt.Printf("%-6s p50 %7.2f ms  p95 %7.2f  p99 %7.2f  max %7.2f\n", p, at(.5), at(.95), at(.99), list[len(list)-1])
	}
	slices.SortFunc(all, func(x, y measurement) int { return cmp.Compare(y.ms, x.ms) })
	for _, q := range all[:min(b.slowest, len(all))] {
		fmt.Printf("%7.2f ms  %q\n", q.ms, q.question)
	}
	return nil
}
