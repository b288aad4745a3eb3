// Command gates runs the gates of the domain specification that need no tests of
// packages:
//
//	1  config lint          a configuration with every key of domains and routes has no fault
//	2  extractor smoke      samples of Markdown, RST and DITA give passages, the same each time
//	3  enrichment schema    enrichments of the samples are valid, and bad answers of models are refused
//	4  index connectivity   vectors that are written are found again
//
// The first gate that fails ends the run with the exit code 1 and writes what failed to
// indexer_diagnostics.json.
//
// It refuses to read the user's own home.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"docent/store"
	"docent/store/embedded"
)

func main() {
	bin := flag.String("bin", "bin/docent", "the program")
	data := flag.String("data", "testdata/gates", "the configuration and the samples")
	out := flag.String("out", "bin/indexer_diagnostics.json", "where to write what failed")
	flag.Parse()
	if err := run(context.Background(), os.Stdout, *bin, *data, *out); err != nil {
		fmt.Fprintln(os.Stderr, "gates:", err)
		os.Exit(1)
	}
}

// gate is one of the checks; it returns what it saw, for a person.
type gate struct {
	number int
	name   string
	check  func(ctx context.Context, bin, data, dir string) (string, error)
}

func gates() []gate {
	return []gate{
		{1, "config lint", configLint},
		{2, "extractor smoke", extractorSmoke},
		{3, "enrichment schema", enrichmentSchema},
		{4, "index connectivity", indexConnectivity},
	}
}

// failure is an entry of indexer_diagnostics.json.
type failure struct {
	Gate  int    `json:"gate"`
	Name  string `json:"name"`
	Error string `json:"error"`
}

// run runs the gates up to the first that fails, each in a folder of its own.
func run(ctx context.Context, w io.Writer, bin, data, out string) error {
	if err := os.Remove(out); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for _, g := range gates() {
		dir, err := os.MkdirTemp("", "docent-gate")
		if err != nil {
			return err
		}
		saw, failed := g.check(ctx, bin, data, dir)
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
		if failed != nil {
			raw, err := json.MarshalIndent(failure{g.number, g.name, failed.Error()}, "", "  ")
			if err == nil {
				err = errors.Join(os.MkdirAll(filepath.Dir(out), 0o755), os.WriteFile(out, append(raw, '\n'), 0o644))
			}
			return errors.Join(fmt.Errorf("gate %d, %s: %w", g.number, g.name, failed), err)
		}
		fmt.Fprintf(w, "gate %d  %-18s  %s\n", g.number, g.name, saw)
	}
	return nil
}

// docent runs the program with a home of its own and gives its standard error.
func docent(ctx context.Context, bin, home string, args ...string) (stderr string, err error) {
	cmd := exec.CommandContext(ctx, bin, append([]string{"--home", home, "--engine", "builtin"}, args...)...)
	var out, said strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("docent %s: %w\n%s%s", strings.Join(args, " "), err, out.String(), said.String())
	}
	return said.String(), nil
}

// configLint lints the home's configuration and a doc set's own.
func configLint(ctx context.Context, bin, data, dir string) (string, error) {
	file := filepath.Join(data, "docent.toml")
	if _, err := docent(ctx, bin, dir, "--config", file, "config", "lint"); err != nil {
		return "", err
	}
	docs := filepath.Join(data, "docs")
	if _, err := docent(ctx, bin, dir, "config", "lint", docs); err != nil {
		return "", err
	}
	return file + " and " + filepath.Join(docs, "docent.toml") + " have no faults", nil
}

// indexed is the line that the indexer prints of a page.
var indexed = regexp.MustCompile(`(?m)^INFO indexer: file=(\S+) (domain=.* index="[^"]+" extractor="[^"]+" chunks=(\d+)) ms=\d+$`)

// extractorSmoke indexes the samples twice, in two homes.
func extractorSmoke(ctx context.Context, bin, data, dir string) (string, error) {
	docs := filepath.Join(data, "docs")
	var first []string
	for i, home := range []string{"a", "b"} {
		said, err := docent(ctx, bin, filepath.Join(dir, home), "add", docs, "-v", "--name", "Samples")
		if err != nil {
			return "", err
		}
		var lines []string
		for _, m := range indexed.FindAllStringSubmatch(said, -1) {
			if m[3] == "0" {
				return "", fmt.Errorf("%s has no passages", m[1])
			}
			lines = append(lines, m[1]+" "+m[2])
		}
		if i == 0 {
			first = lines
		}
		if !slices.Equal(first, lines) {
			return "", fmt.Errorf("a second time the samples give other passages:\n%s\n%s", strings.Join(first, "\n"),
				strings.Join(lines, "\n"))
		}
	}
	for _, ending := range []string{".md", ".rst", ".dita"} {
		if !slices.ContainsFunc(first, func(l string) bool { name, _, _ := strings.Cut(l, " "); return strings.HasSuffix(name, ending) }) {
			return "", fmt.Errorf("no sample %s was indexed", ending)
		}
	}
	return strconv.Itoa(len(first)) + " samples have passages, the same in two homes", nil
}

// indexConnectivity writes vectors, and searches them from a new reader.
func indexConnectivity(ctx context.Context, _, _, dir string) (string, error) {
	indexes := embedded.Indexes{Dir: func(id int64) string { return filepath.Join(dir, strconv.FormatInt(id, 10)) }}
	const set, dims = 1, 4
	up, err := indexes.UpdateVectors(ctx, set, store.ModelVectors, "gate", dims, true)
	if err != nil {
		return "", fmt.Errorf("begin: %w", err)
	}
	for id := range int64(dims) {
		vector := make([]float32, dims)
		vector[id] = 1
		if err := up.Add(id+1, []store.Entry{{Vector: vector}}); err != nil {
			return "", errors.Join(fmt.Errorf("write: %w", err), up.Abort())
		}
	}
	if err := up.Prepare(ctx); err != nil {
		return "", errors.Join(fmt.Errorf("write: %w", err), up.Abort())
	}
	if err := up.Commit(); err != nil {
		return "", fmt.Errorf("publish: %w", err)
	}
	if err := indexes.VerifyVectors(ctx, set, store.ModelVectors); err != nil {
		return "", fmt.Errorf("verify: %w", err)
	}
	x, err := indexes.OpenVectors(ctx, set, store.ModelVectors)
	if err != nil {
		return "", fmt.Errorf("open: %w", err)
	}
	found, err := x.Search(ctx, []float32{.1, .9, 0, 0}, 1)
	if err := errors.Join(err, x.Close()); err != nil {
		return "", fmt.Errorf("search: %w", err)
	}
	if len(found) != 1 || found[0].Doc != 2 {
		return "", fmt.Errorf("the nearest of %d vectors is %+v, and not that of document 2", dims, found)
	}
	return fmt.Sprintf("%d vectors were written, verified and found", dims), nil
}
