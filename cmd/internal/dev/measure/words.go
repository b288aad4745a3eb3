package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"docent/cmd/internal/dev/measure/questionset"
	"docent/cmd/internal/dev/measure/wordvectors"
)

// learnWords learns vectors of words from stored mirrors of documentation, and writes them
// with their provenance (make words).
func learnWords(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("measure words", flag.ExitOnError)
	list := flags.String("sources", "testdata/eval/words/sources.tsv", "repositories to learn from")
	var place questionset.Workplace
	flags.StringVar(&place.Mirrors, "mirrors", "../.mirror", "folder of bare repositories, OWNER+NAME/repo each")
	flags.StringVar(&place.Dir, "work", "../words", "folder where their pages are laid out")
	out := flags.String("o", "../words/english.vec", "the file that is written")
	o := wordvectors.Options{Report: func(epoch, step, steps int, first float64) {
		fmt.Fprintf(os.Stderr, "pass %d, step %d of %d: %.3f first in their batch\n", epoch+1, step, steps, first)
	}}
	flags.IntVar(&o.Dims, "dims", 0, "dimensions (0: the default)")
	flags.IntVar(&o.Epochs, "epochs", 0, "passes over the pairs (0: the default)")
	flags.Float64Var(&o.Rate, "rate", 0, "step size (0: the default)")
	_ = flags.Parse(args) // it exits on an error
	text, err := os.ReadFile(*list)
	if err != nil {
		return err
	}
	sources, err := wordvectors.ParseSources(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", *list, err)
	}
	repositories := make([][]wordvectors.Section, len(sources))
	for i := range sources {
		if repositories[i], err = layOutWords(ctx, place, &sources[i]); err != nil {
			return err
		}
	}
	vectors, err := wordvectors.Learn(ctx, repositories, o)
	if err != nil {
		return err
	}
	raw, err := wordvectors.Encode(vectors, sources)
	if err != nil {
		return err
	}
	return os.WriteFile(*out, raw, 0o644)
}

// layOutWords lays a repository's pages out and reads their sections.
func layOutWords(ctx context.Context, place questionset.Workplace, s *wordvectors.Source) ([]wordvectors.Section, error) {
	set := questionset.Set{Name: strings.ReplaceAll(s.Repository, "/", "+"), Repository: s.Repository, Commit: s.Commit,
		Endings: []string{"md", "mdx", "markdown", "rst", "adoc", "asciidoc"}}
	if _, err := place.LayOut(ctx, set); err != nil {
		return nil, err
	}
	sections, err := wordvectors.ReadSections(ctx, filepath.Clean(place.SetDir(set)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Repository, err)
	}
	s.Sections = len(sections)
	fmt.Fprintf(os.Stderr, "%-44s %6d sections\n", s.Repository, len(sections))
	return sections, nil
}
