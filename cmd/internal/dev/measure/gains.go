package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"

	"docent/cmd/internal/dev/measure/lambdarank"
	"docent/cmd/internal/dev/measure/questionset"
	"docent/pipeline/phase/process/gain"
)

// learnGains learns the weights by which phase 3 fills a block of sections, from the
// questions over documentation of others, and writes them with their provenance (make gains).
func learnGains(ctx context.Context, args []string) error {
	var place questionset.Workplace
	flags := flag.NewFlagSet("measure gains", flag.ExitOnError)
	dir := flags.String("questions", "testdata/eval/questions", "folder with sets.tsv and the questions")
	flags.StringVar(&place.Mirrors, "mirrors", "../.mirror", "folder of bare repositories, OWNER+NAME/repo each")
	flags.StringVar(&place.Dir, "work", "../questions", "folder where doc sets are laid out and indexed")
	out := flags.String("o", "pipeline/phase/process/gain/weights.json", "the weights file")
	only := flags.String("split", "", "learn from the doc sets of this split alone, to try the weights on the others")
	_ = flags.Parse(args) // it exits on an error
	sets, err := questionset.ReadSets(*dir + "/sets.tsv")
	if err != nil {
		return err
	}
	var x [][]float64
	var y []bool
	var names []string
	questions := 0
	for _, s := range sets {
		if s.Split == questionset.SplitUntouched || *only != "" && s.Split != *only {
			continue
		}
		units, err := unitsOf(ctx, place, *dir, s)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		names = append(names, s.Name)
		questions += len(units)
		for _, u := range slices.Concat(units...) {
			x, y = append(x, u.Features), append(y, u.Answers)
		}
		fmt.Fprintf(os.Stderr, "%s ", s.Name)
	}
	fmt.Fprintln(os.Stderr)
	l, err := lambdarank.Logistic(x, y, nil)
	if err != nil {
		return err
	}
	weights := map[string]float64{}
	for i, name := range gain.Names() {
		weights[name] = inFourDigits(l.Weights[i])
		fmt.Printf("%-12s %8.4f\n", name, weights[name])
	}
	provenance, err := json.Marshal(map[string]any{"learned_from": names, "questions": questions, "units": len(x)})
	if err != nil {
		return err
	}
	raw, err := json.MarshalIndent(gain.Model{Version: gain.Version, Bias: inFourDigits(l.Bias), Weights: weights,
		Provenance: provenance}, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(*out, append(raw, '\n'), 0o644)
}

// unitsOf lays a doc set out and gives what phase 3 chooses from for its questions.
func unitsOf(ctx context.Context, place questionset.Workplace, dir string, s questionset.Set) (units [][]questionset.Unit, err error) {
	asked, err := questionset.ReadQuestions(dir, s.Name)
	if err != nil {
		return nil, err
	}
	if _, err := place.LayOut(ctx, s); err != nil {
		return nil, err
	}
	l, err := place.Open(ctx, s.Name, []questionset.Set{s})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	return l.Units(ctx, s, asked)
}

func inFourDigits(v float64) float64 { return math.Round(v*1e4) / 1e4 }
