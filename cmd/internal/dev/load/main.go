// Command load asks docent serve over loopback, with so many connections at a time, on
// the Kubernetes documentation, and prints requests a second, latencies, the time of the
// processors a request, and the server's memory at its peak. It then asks while files are
// handed in, and with more clients than the server takes.
//
// Client and server share the processors: the time of the processors is what depends
// least on that. It refuses to judge the figures; an answer that is neither 200 nor 429
// is a fault.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"docent/cmd/internal/dev/served"
)

func main() {
	var l load
	flag.StringVar(&l.bin, "bin", "bin/docent", "docent")
	flag.StringVar(&l.data, "data", "../shared/data", "folder of development data: corpora, queries")
	flag.StringVar(&l.home, "home", "", "a home with doc sets, which is kept; none: a temporary one with the corpus")
	flag.StringVar(&l.corpus, "corpus", "k8s-docs-v1.31", "the corpus of a temporary home")
	flag.StringVar(&l.queries, "queries", "k8s-faq-dev", "the questions")
	flag.StringVar(&l.connections, "connections", "1,16,128", "connections at a time, parted by commas")
	flag.IntVar(&l.requests, "requests", 2000, "requests of each row")
	flag.IntVar(&l.uploaded, "uploaded", 200, "MB that are handed in while it is asked; 0: none")
	flag.IntVar(&l.beside, "beside", 10_000, "requests meanwhile")
	flag.IntVar(&l.clients, "clients", 0, "clients that connect at the same time and stay; 0: none")
	flag.Parse()
	if err := l.run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

// load holds the flags.
type load struct {
	bin, data, home, corpus, queries, connections string
	requests, uploaded, beside, clients           int

	questions []string
	faults    int
}

func (l *load) run(ctx context.Context) (err error) {
	if l.home == "" {
		if _, err := os.Stat(filepath.Join(l.data, "corpora", l.corpus)); err != nil {
			fmt.Printf("no corpus at %s: skipped\n", l.data)
			return nil
		}
		dir, err := os.MkdirTemp("", "load")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
		l.home = filepath.Join(dir, "home")
		if out, err := exec.CommandContext(ctx, l.bin, "--home", l.home, "-q", "add", filepath.Join(l.data, "corpora", l.corpus)).CombinedOutput(); err != nil {
			return fmt.Errorf("docent add: %w: %s", err, out)
		}
	}
	if l.questions, err = readQuestions(filepath.Join(l.data, "queries", l.queries+".jsonl")); err != nil {
		return err
	}
	var counts []int
	for text := range strings.SplitSeq(l.connections, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return fmt.Errorf("-connections %q", l.connections)
		}
		counts = append(counts, n)
	}
	for _, path := range []string{"/api/docs/search", "/api/ask"} {
		if err := l.path(ctx, path, counts); err != nil {
			return err
		}
	}
	if l.uploaded > 0 {
		if err := l.besideUploads(ctx); err != nil {
			return err
		}
	}
	if l.clients > 0 {
		if err := l.crowd(ctx); err != nil {
			return err
		}
	}
	if l.faults > 0 {
		return fmt.Errorf("%d answers were neither 200 nor 429", l.faults)
	}
	return nil
}

// path asks one operation of a fresh server with each number of connections in turn.
func (l *load) path(ctx context.Context, path string, counts []int) (err error) {
	began := time.Now()
	s, err := served.Start(ctx, l.bin, l.home, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Stop()) }()
	first := l.ask(ctx, s, path, 1, 1)
	fmt.Printf("%-18s from the start of the process to the first answer: %d ms\n", path, time.Since(began).Milliseconds())
	l.note(first)
	l.ask(ctx, s, path, 2, 20) // the first questions open the index
	for _, n := range counts {
		before := s.Used()
		r := l.ask(ctx, s, path, n, l.requests)
		fmt.Printf("%-18s %4d connections: %s; processors %.1f ms a request; memory at its peak %d MB\n", path, n, r,
			1000*(s.Used().CPU-before.CPU)/float64(max(1, r.answered)), s.Used().PeakRSS>>20)
		l.note(r)
	}
	return nil
}

// note counts the faults of a row.
func (l *load) note(r *result) {
	l.faults += r.faults
	if r.fault != "" {
		fmt.Println("  ", r.fault)
	}
}

// readQuestions reads a file of questions.
func readQuestions(file string) (out []string, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var q struct{ Query string }
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		out = append(out, q.Query)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s has no questions", file)
	}
	return out, lines.Err()
}
