// Command apifuzz reads the description of a server, /openapi.json, and sends generated
// requests, good and bad ones, to each of its operations. Each answer must have a status
// that the description has, a body that fits the schema of that status, and must not be
// an internal error.
//
// It writes into the server's home (it hands files in and deletes them): give it one of
// its own, or with -bin a program that it starts with a new home. It refuses to look at
// what the answers say.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"docent/cmd/internal/dev/served"
)

func main() {
	var f fuzz
	bin := flag.String("bin", "", "docent, of which a server is started; without it -url")
	flag.StringVar(&f.url, "url", "http://127.0.0.1:7717", "the server")
	flag.StringVar(&f.token, "token", "", "a token for it")
	flag.StringVar(&f.secret, "secret", "", "its secret for callbacks")
	flag.IntVar(&f.each, "n", 500, "requests an operation")
	flag.Uint64Var(&f.seed, "seed", 1, "the same seed gives the same requests")
	flag.IntVar(&f.workers, "workers", 4, "requests at a time")
	flag.Parse()
	if err := start(context.Background(), &f, *bin); err != nil {
		fmt.Fprintln(os.Stderr, "apifuzz:", err)
		os.Exit(1)
	}
}

// start starts a server where one is wanted, and sends the requests.
func start(ctx context.Context, f *fuzz, bin string) (err error) {
	if bin == "" {
		return f.run(ctx, os.Stdout)
	}
	dir, err := os.MkdirTemp("", "apifuzz")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	f.secret = "a secret for callbacks"
	s, err := served.Start(ctx, bin, filepath.Join(dir, "home"), []string{"DOCENT_CALLBACK_SECRET=" + f.secret})
	if err != nil {
		return err
	}
	f.url = s.URL
	err = f.run(ctx, os.Stdout)
	if used := s.Used(); used.PeakRSS > 0 {
		fmt.Printf("the server's memory at its peak: %d MB\n", used.PeakRSS>>20)
	}
	return errors.Join(err, s.Stop())
}

// run sends the requests and prints the results.
func (f *fuzz) run(ctx context.Context, out io.Writer) error {
	began := time.Now()
	if err := f.read(ctx); err != nil {
		return err
	}
	f.sendAll(ctx)
	for _, op := range f.ops {
		fmt.Fprintf(out, "%-6s %-34s %s\n", op.method, op.path, op.counts())
	}
	for _, fault := range f.faults {
		fmt.Fprintln(out, fault)
	}
	fmt.Fprintf(out, "%d requests in %.0f s, %d faults\n", f.sent, time.Since(began).Seconds(), f.failed)
	if f.failed > 0 {
		return fmt.Errorf("%d answers are not as described", f.failed)
	}
	return nil
}
