//go:build unix

package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"docent/cmd/internal/app"
	"docent/pipeline"
	"docent/pipeline/contract"
)

// asking holds the flags of measuring questions in a running process.
type asking struct {
	match, profile  string
	rounds, slowest int
	cold            bool
}

func (a *asking) flags() {
	flag.StringVar(&a.profile, "cpuprofile", "", "questions: write a CPU profile to this file")
	flag.BoolVar(&a.cold, "cold", false, "questions: open the home again for each question")
	flag.StringVar(&a.match, "match", "", "questions: only those that contain this text")
	flag.IntVar(&a.rounds, "rounds", 1, "questions: how often they are asked")
	flag.IntVar(&a.slowest, "slowest", 0, "questions: how many of the slowest are listed")
}

// measureQuestions measures phases 0a to 1.5 over all doc sets of the home.
func (b *bench) measureQuestions(ctx context.Context) (err error) {
	home, remove, err := b.openHome(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	questions, err := b.readQuestions(b.queries)
	if err != nil {
		return err
	}
	questions = slices.DeleteFunc(questions, func(q string) bool { return !strings.Contains(q, b.asking.match) })
	questions = slices.Repeat(questions, b.asking.rounds)
	if len(questions) == 0 {
		return fmt.Errorf("no question contains %q", b.asking.match)
	}
	a, err := app.Open(ctx, app.Options{Home: home})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	sets, err := a.Home.Corpus.Sets(ctx)
	if err != nil {
		return err
	}
	sets = outsideHome(home, sets)
	passages, names := 0, make([]string, len(sets))
	for i, s := range sets {
		names[i] = s.Ref.String()
		x, release, err := a.Home.Corpus.Index(ctx, s)
		if err != nil {
			return err
		}
		passages += x.Statistics().Passages
		release()
	}
	ask := func(q string) (map[string]float64, error) {
		a := a
		if b.asking.cold {
			var err error
			if a, err = app.Open(ctx, app.Options{Home: home}); err != nil {
				return nil, err
			}
			defer a.Close()
		}
		res, err := a.Answers.Pipelines.Ask.NewSession(pipeline.Request{Question: q, DocSets: names}).RunTo(ctx, contract.PhaseRerank, nil)
		return res.TimingsMS, err
	}
	for _, q := range questions[:min(len(questions), 100)] { // to warm up
		if _, err := ask(q); err != nil {
			return fmt.Errorf("%q: %w", q, err)
		}
	}
	stop, err := b.asking.startProfile()
	if err != nil {
		return err
	}
	fmt.Printf("%d questions over %d doc sets, %d passages\n", len(questions), len(sets), passages)
	return errors.Join(b.asking.measure(questions, ask), stop())
}

// startProfile starts the CPU profile, if there is to be one.
func (a *asking) startProfile() (stop func() error, err error) {
	if a.profile == "" {
		return func() error { return nil }, nil
	}
	f, err := os.Create(a.profile)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() error {
		pprof.StopCPUProfile()
		return f.Close()
	}, nil
}

// measure asks all questions, which ask answers with the milliseconds of each phase, and
// prints the times.
func (a *asking) measure(questions []string, ask func(string) (map[string]float64, error)) error {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	times := map[string]durations{}
	type answered struct {
		question string
		took     time.Duration
	}
	var all []answered
	for _, q := range questions {
		start := time.Now()
		phases, err := ask(q)
		if err != nil {
			return fmt.Errorf("%q: %w", q, err)
		}
		took := time.Since(start)
		for p, ms := range phases {
			times[p] = append(times[p], time.Duration(ms*float64(time.Millisecond)))
		}
		all, times["all"] = append(all, answered{q, took}), append(times["all"], took)
	}
	runtime.ReadMemStats(&after)
	n := len(questions)
	fmt.Printf("%.1f MB and %d objects allocated a question\n",
		float64(after.TotalAlloc-before.TotalAlloc)/float64(n)/(1<<20), (after.Mallocs-before.Mallocs)/uint64(n))
	for _, p := range []string{"0a", "0b", "merge", "1", "1.5", "all"} {
		if len(times[p]) > 0 {
			times[p].report("question: "+p, "")
		}
	}
	slices.SortFunc(all, func(x, y answered) int { return cmp.Compare(y.took, x.took) })
	for _, q := range all[:min(a.slowest, n)] {
		fmt.Printf("%7.2f ms  %q\n", q.took.Seconds()*1000, q.question)
	}
	return nil
}
