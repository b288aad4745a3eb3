package main

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
)

// limit is the aim for every package and page: marked turns per 100 lines.
const limit = 2

// The file of figures (testdata/prose/figures) has one line for each package and page with
// marked turns, sorted: its path and its number of turns. One line each keeps merges simple.

// readFigures reads the file of figures.
func readFigures(file string) (map[string]int, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	known := map[string]int{}
	lines := bufio.NewScanner(strings.NewReader(string(raw)))
	for number := 1; lines.Scan(); number++ {
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 {
			continue
		}
		if len(fields) != 2 {
			return nil, fmt.Errorf("%s:%d: want a path and a number", file, number)
		}
		n, err := strconv.Atoi(fields[1])
		if err != nil || n < 0 {
			return nil, fmt.Errorf("%s:%d: %q is not a number of turns", file, number, fields[1])
		}
		known[fields[0]] = n
	}
	return known, nil
}

// writeFigures writes the file of figures.
func writeFigures(file string, known map[string]int) error {
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(known)) {
		if known[key] > 0 {
			fmt.Fprintf(&b, "%s %d\n", key, known[key])
		}
	}
	return os.WriteFile(file, []byte(b.String()), 0o644)
}

// compare returns the broken limits: a package or page with more turns than its figure,
// or without a figure and with more turns than the limit lets it have.
func compare(known map[string]int, figures map[string]*figure) []string {
	var faults []string
	for _, key := range slices.Sorted(maps.Keys(figures)) {
		f := figures[key]
		was, listed := known[key]
		switch {
		case listed && f.marks > was:
			faults = append(faults, fmt.Sprintf(
				"%s has %d marked turns, %d are allowed: list them by make prose LIST=%s and rewrite them", key, f.marks, was, key))
		case !listed && over(f):
			faults = append(faults, fmt.Sprintf(
				"%s has %d marked turns in %d lines, %d per 100 are allowed: list them by make prose LIST=%s and rewrite them",
				key, f.marks, f.lines, limit, key))
		}
	}
	return faults
}

// over reports whether a package or page has more turns than the limit.
func over(f *figure) bool { return f.marks*100 > limit*f.lines }

// lower returns the figures after a rewrite: never higher than before, without the
// packages that are gone. New packages get their own count, because files move between
// packages; so that no text gets worse by a move, the sum must not rise.
func lower(known map[string]int, figures map[string]*figure) (map[string]int, error) {
	lowered := map[string]int{}
	before, after := 0, 0
	for _, n := range known {
		before += n
	}
	for key, f := range figures {
		lowered[key] = f.marks
		if was, listed := known[key]; listed {
			lowered[key] = min(f.marks, was)
		}
		after += lowered[key]
	}
	if after > before && before > 0 {
		return nil, fmt.Errorf("the tree has %d marked turns, %d are allowed", after, before)
	}
	return lowered, nil
}
