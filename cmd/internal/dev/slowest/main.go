// Command slowest reads the output of go test -json. It prints the output that go
// test has without -json, and then the slowest tests:
//
//	go test -json ./... | go run ./cmd/internal/dev/slowest -n 10
//
// The time of a test includes its subtests. The output of a test is shown only if
// it failed. The exit code is 1 if anything failed, or if the input is malformed.
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

// result is a finished test with its duration.
type result struct {
	name    string
	seconds float64
}

// maxLine limits a line of the input, in bytes. Tests may print long lines.
const maxLine = 64 << 20

// run reads events from in and prints the output and the n slowest tests to out.
// It reports whether a test or a build failed.
func run(in io.Reader, out io.Writer, n int) (failed bool, err error) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	printed := map[string][]string{} // output of each unfinished test
	var tests []result
	for lines.Scan() {
		var e event
		if len(lines.Bytes()) == 0 || lines.Bytes()[0] != '{' {
			fmt.Fprintf(out, "%s\n", lines.Bytes()) // a message of the go command
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
				tests = append(tests, result{strings.TrimPrefix(e.Package, "docent/") + " " + e.Test, e.Elapsed})
			}
		}
	}
	if err := lines.Err(); err != nil {
		return failed, fmt.Errorf("read the events of go test: %w", err)
	}
	// A test that panicked has no end event.
	for _, key := range slices.Sorted(maps.Keys(printed)) {
		if failed {
			fmt.Fprint(out, strings.Join(printed[key], ""))
		}
	}
	slices.SortStableFunc(tests, func(a, b result) int { return cmp.Compare(b.seconds, a.seconds) })
	if n = min(n, len(tests)); n > 0 {
		fmt.Fprintf(out, "\nthe slowest %d of %d tests:\n", n, len(tests))
		for _, t := range tests[:n] {
			fmt.Fprintf(out, "%8.1fs  %s\n", t.seconds, t.name)
		}
	}
	return failed, nil
}
