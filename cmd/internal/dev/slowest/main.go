// Command slowest reads the events of go test -json and prints what go test
// prints without it, and then the tests that took longest:
//
//	go test -json ./... | go run ./cmd/internal/dev/slowest -n 10
//
// A test with subtests is listed with its own time, which includes theirs. What
// a test printed is shown where it failed. It exits with 1 where anything failed
// or the input is not what go test writes.
//
// It refuses to run tests.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
)

func main() {
	n := flag.Int("n", 10, "how many tests to list")
	flag.Parse()
	failed, err := run(os.Stdin, os.Stdout, *n)
	if err != nil {
		fmt.Fprintln(os.Stderr, "slowest:", err)
	}
	if failed || err != nil {
		os.Exit(1)
	}
}

// event is one line of go test -json (go doc test2json).
type event struct {
	Action  string
	Package string
	Test    string
	Output  string
	Elapsed float64 // seconds
	// ImportPath is the package whose build printed Output.
	ImportPath string
}

// timed is a test that ended.
type timed struct {
	name    string
	seconds float64
}

// maxLine is the longest line that is read: a test may print much.
const maxLine = 64 << 20

// run copies what is worth reading from in to out, and says whether a test or a
// build failed.
func run(in io.Reader, out io.Writer, n int) (failed bool, err error) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	printed := map[string][]string{} // by package and test, until it ends
	var tests []timed
	for lines.Scan() {
		var e event
		if len(lines.Bytes()) == 0 || lines.Bytes()[0] != '{' {
			fmt.Fprintf(out, "%s\n", lines.Bytes()) // of go itself
			continue
		}
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return failed, fmt.Errorf("read the events of go test: %w", err)
		}
		key := e.Package + "\x00" + e.Test
		switch {
		case e.Action == "build-output":
			fmt.Fprint(out, e.Output)
		case e.Action == "build-fail":
			failed = true
		case e.Action == "output" && e.Test == "":
			// The lines for a package: ok, FAIL, no test files, and its panics.
			if e.Output != "PASS\n" {
				fmt.Fprint(out, e.Output)
			}
		case e.Action == "output":
			printed[key] = append(printed[key], e.Output)
		case e.Action == "fail" || e.Action == "pass" || e.Action == "skip":
			if e.Action == "fail" {
				failed = true
				fmt.Fprint(out, strings.Join(printed[key], ""))
			}
			delete(printed, key)
			if e.Test != "" && e.Action != "skip" {
				tests = append(tests, timed{strings.TrimPrefix(e.Package, "docent/") + " " + e.Test, e.Elapsed})
			}
		}
	}
	if err := lines.Err(); err != nil {
		return failed, fmt.Errorf("read the events of go test: %w", err)
	}
	// A test that a panic ended has no end of its own.
	for _, key := range slices.Sorted(maps.Keys(printed)) {
		if failed {
			fmt.Fprint(out, strings.Join(printed[key], ""))
		}
	}
	slices.SortStableFunc(tests, func(a, b timed) int { return cmp.Compare(b.seconds, a.seconds) })
	if n = min(n, len(tests)); n > 0 {
		fmt.Fprintf(out, "\nthe slowest %d of %d tests:\n", n, len(tests))
		for _, t := range tests[:n] {
			fmt.Fprintf(out, "%8.1fs  %s\n", t.seconds, t.name)
		}
	}
	return failed, nil
}
