package main

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
)

func main() {
	var o options
	flag.StringVar(&o.root, "root", ".", "the tree to read")
	flag.StringVar(&o.baseline, "baseline", "", "the file of figures to compare with")
	flag.BoolVar(&o.lower, "lower", false, "write lower figures into the file of figures")
	flag.StringVar(&o.list, "list", "", "list the marked turns of this package or page; \"all\" lists every turn")
	flag.BoolVar(&o.whole, "whole", false, "fail if the whole tree has more turns per 100 lines than the limit")
	flag.BoolVar(&o.names, "names", false, "print the lengths of function names, per package")
	flag.BoolVar(&o.table, "table", false, "print the figures of every package and page")
	flag.Parse()
	faults, err := run(os.Stdout, o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "prose:", err)
		os.Exit(1)
	}
	for _, fault := range faults {
		fmt.Fprintln(os.Stderr, fault)
	}
	if len(faults) > 0 {
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	root, baseline, list string
	lower, names, table  bool
	whole                bool
}

// run counts the tree, prints what the options ask for, and returns the broken limits.
func run(out io.Writer, o options) ([]string, error) {
	figures, err := scan(o.root)
	if err != nil {
		return nil, err
	}
	keys := slices.Sorted(maps.Keys(figures))
	total := sum(figures)
	for _, key := range keys {
		f := figures[key]
		if o.list == key || o.list == "all" {
			for _, line := range f.found {
				fmt.Fprintln(out, line)
			}
		}
		if o.table && f.lines > 0 {
			fmt.Fprintf(out, "%6.1f per 100 %5d turns %6d lines  %s\n", f.per100(), f.marks, f.lines, key)
		}
		if o.names && f.names > 0 {
			fmt.Fprintf(out, "%5.1f letters a function name, %3.0f %% short, %4d functions  %s\n",
				ratio(f.letters, f.names), 100*ratio(f.short, f.names), f.names, key)
		}
	}
	fmt.Fprintf(out, "prose: %d marked turns in %d lines, %.1f per 100; %.1f letters a function name, %.0f %% with at most %d\n",
		total.marks, total.lines, total.per100(), ratio(total.letters, total.names), 100*ratio(total.short, total.names), shortName)
	if o.baseline == "" {
		return nil, nil
	}
	known, err := readFigures(o.baseline)
	if err != nil {
		return nil, err
	}
	if o.lower {
		lowered, err := lower(known, figures)
		if err != nil {
			return nil, err
		}
		if err := writeFigures(o.baseline, lowered); err != nil {
			return nil, err
		}
		known = lowered
	}
	faults := compare(known, figures)
	if o.whole && over(total) {
		faults = append(faults, fmt.Sprintf("the tree has %.1f marked turns per 100 lines, %d are allowed", total.per100(), limit))
	}
	return faults, nil
}

// sum adds all figures.
func sum(figures map[string]*figure) *figure {
	total := &figure{}
	for _, f := range figures {
		total.marks += f.marks
		total.lines += f.lines
		total.names += f.names
		total.letters += f.letters
		total.short += f.short
	}
	return total
}

// ratio divides, and is 0 for a divisor of 0.
func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
