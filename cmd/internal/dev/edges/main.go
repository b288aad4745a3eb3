// Command edges draws edges of the reference graph at random, for a person to judge: how
// many of a type are right is the precision that the manual gives.
//
//	go run ./cmd/internal/dev/edges -home DIR -sets a,b -type REQUIRES -n 50 -seed 1
//
// The same graph, type, number and seed give the same sample. It refuses to judge.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"docent/cmd/internal/app"
	"docent/pipeline/knowledge/references"
	"docent/pipeline/text/sanitize"
)

func main() {
	home := flag.String("home", "", "the home with the doc sets")
	sets := flag.String("sets", "", "doc sets, with commas between them")
	typ := flag.String("type", string(references.References), "type of the edges")
	n := flag.Int("n", 50, "edges that are drawn")
	seed := flag.Uint64("seed", 1, "of the random numbers")
	threshold := flag.Float64("threshold", references.DefaultThreshold, "score from which edges are drawn")
	pattern := flag.String("pattern", "", "edges of this pattern alone")
	flag.Parse()
	if err := run(context.Background(), os.Stdout, *home, strings.Split(*sets, ","), sample{references.Type(*typ), *n, *seed, *threshold, *pattern}); err != nil {
		fmt.Fprintln(os.Stderr, "edges:", err)
		os.Exit(1)
	}
}

type sample struct {
	typ       references.Type
	n         int
	seed      uint64
	threshold float64
	pattern   string
}

// run prints a sample of the edges of doc sets.
func run(ctx context.Context, w io.Writer, home string, sets []string, s sample) (err error) {
	a, err := app.Open(ctx, app.Options{Home: home, Engine: "builtin", Env: func(string) string { return "" }})
	if err != nil {
		return err
	}
	defer func() {
		if cerr := a.Close(); err == nil {
			err = cerr
		}
	}()
	var lines []string
	counts := map[string]int{}
	err = a.Graph.EachEdge(ctx, sets, func(e references.Edge, source references.Node, target *references.Node) bool {
		if e.Type == s.typ && e.Score >= s.threshold && (s.pattern == "" || e.Pattern == s.pattern) {
			lines = append(lines, line(e, source, target))
			counts[e.Pattern]++
		}
		return true
	})
	if err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(s.seed, uint64(len(lines))))
	random.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	fmt.Fprintf(w, "%d edges of type %s; by pattern:", len(lines), s.typ)
	var patterns []string
	for p, n := range counts {
		patterns = append(patterns, fmt.Sprintf(" %s %d", p, n))
	}
	slices.Sort(patterns)
	fmt.Fprintln(w, strings.Join(patterns, ","))
	for i, l := range lines[:min(s.n, len(lines))] {
		fmt.Fprintf(w, "%3d %s\n", i+1, l)
	}
	return nil
}

func line(e references.Edge, source references.Node, target *references.Node) string {
	to := "[" + e.Target + "]"
	switch {
	case target != nil && target.Kind == references.Warning:
		to = target.Severity
	case target != nil:
		to = name(*target)
	}
	return sanitize.Line(fmt.Sprintf("%s:%d → %s  (%s %.2f)  %s", name(source), e.Line, to, e.Pattern, e.Score, e.Match))
}

func name(n references.Node) string {
	if n.Kind == references.Parameter {
		return n.Name + "@" + n.Path
	}
	if n.SectionPath == "" {
		return n.Path
	}
	return n.Path + "#" + n.SectionPath
}
