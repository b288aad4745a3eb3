//go:build unix

// Command bench measures the program on a real documentation:
//
//	bench [flags] processes  whole processes: start-up, search, indexing, updates, the first frame of the app
//	bench [flags] formats    adding a folder of each format
//	bench [flags] sources    adding a repository, its folder, git alone, and a package of the folder
//	bench [flags] site       adding a web site of 500 pages and a folder with its files, and updating the site
//	bench [flags] questions  a question in a running process, phase by phase
//	bench [flags] app        keys, opening pages and memory of the terminal app
//	bench [flags] sizes      doc sets of several sizes: adding, updates, search, disk
//	bench [flags] sizing     doc sets whose vocabulary grows: adding, disk, memory, updates, questions to docent serve
//	bench [flags] load       requests a second, latencies and memory of docent serve
//
// Several of them may be given. On a shared machine only figures of the same run are
// comparable: -vs BIN runs another build in turn with the first, in a home of its own,
// and prints the ratio of the medians.
//
// It refuses to judge the figures, except for the aims of the app.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"docent/pipeline/eval"
	"docent/store"
)

// bench holds the flags.
type bench struct {
	bin, vs, data, home, corpora, queries string
	index                                 string
	runs, copies                          int

	processes processes
	formats   formats
	asking    asking
	app       appKeys
	load      load
	sizes     sizes
	sizing    sizing
}

// measurement is what one argument measures.
type measurement func(*bench, context.Context) error

// measurements are the measurements by their argument.
var measurements = map[string]measurement{
	"processes": (*bench).measureProcesses,
	"formats":   (*bench).measureFormats,
	"sources":   (*bench).measureSources,
	"site":      (*bench).measureSite,
	"questions": (*bench).measureQuestions,
	"app":       (*bench).measureApp,
	"load":      (*bench).measureLoad,
	"sizes":     (*bench).measureSizes,
	"sizing":    (*bench).measureSizing,
}

func main() {
	b := &bench{}
	flag.StringVar(&b.bin, "bin", "bin/docent", "the program")
	flag.StringVar(&b.vs, "vs", "", "processes, formats, sizes: another build, run in turn with the first")
	flag.StringVar(&b.data, "data", "../shared/data", "the folder of the development data: corpora, queries")
	flag.StringVar(&b.home, "home", "", "questions, app, load: the home to index into, which is kept and used again; default: a "+
		"temporary one")
	flag.StringVar(&b.corpora, "corpora", "k8s-docs-v1.31", "folders of corpora, separated by commas, or all")
	flag.StringVar(&b.queries, "queries", "k8s-*", "questions, app: a pattern of query files")
	flag.IntVar(&b.runs, "runs", 25, "processes, formats, sources, site, sizes: runs of each command")
	flag.IntVar(&b.copies, "copies", 1, "questions, app, load: how many doc sets are made of each corpus")
	flag.StringVar(&b.index, "index", "", "sizes, questions, app, load: the address of a Weaviate, in which new homes have their indexes")
	b.processes.flags()
	b.formats.flags()
	b.asking.flags()
	b.app.flags()
	b.load.flags()
	b.sizes.flags()
	b.sizing.flags()
	flag.Parse()
	if err := b.run(context.Background(), flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run runs the named measurements in order.
func (b *bench) run(ctx context.Context, names []string) (err error) {
	if len(names) == 0 {
		return fmt.Errorf("what to measure? %s", strings.Join(slices.Sorted(maps.Keys(measurements)), ", "))
	}
	for _, path := range []*string{&b.bin, &b.vs, &b.home} {
		if *path != "" {
			if *path, err = filepath.Abs(*path); err != nil {
				return err
			}
		}
	}
	if _, err := os.Stat(b.data); err != nil {
		fmt.Printf("no data at %s: skipped\n", b.data)
		return nil
	}
	for _, name := range names {
		measure, ok := measurements[name]
		if !ok {
			return fmt.Errorf("%q is no measurement: %s", name, strings.Join(slices.Sorted(maps.Keys(measurements)), ", "))
		}
		if err := measure(b, ctx); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// folders returns the folders of the corpora.
func (b *bench) folders() ([]string, error) {
	if b.corpora == "all" {
		return filepath.Glob(filepath.Join(b.data, "corpora", "*"))
	}
	var out []string
	for name := range strings.SplitSeq(b.corpora, ",") {
		out = append(out, filepath.Join(b.data, "corpora", name))
	}
	return out, nil
}

// openHome indexes the corpora into the home, unless it has a catalog. The returned
// function removes a temporary home.
func (b *bench) openHome(ctx context.Context) (home string, remove func() error, err error) {
	home, remove = b.home, func() error { return nil }
	if home == "" {
		if home, err = os.MkdirTemp("", "docent-bench"); err != nil {
			return "", nil, err
		}
		remove = func() error { return os.RemoveAll(home) }
	}
	if _, err := os.Stat(filepath.Join(home, "catalog.db")); err == nil {
		return home, remove, nil
	}
	folders, err := b.folders()
	err = errors.Join(err, configureIndex(home, b.index))
	for _, dir := range folders {
		name := strings.Map(func(r rune) rune {
			if r == '.' || r == '-' {
				return '_'
			}
			return r
		}, filepath.Base(dir))
		for i := range b.copies {
			add := exec.CommandContext(ctx, b.bin, "--home", home, "-q", "add", dir, "--name", fmt.Sprintf("%s_%d", name, i+1),
				"--version", "1")
			if out, failed := add.CombinedOutput(); failed != nil {
				err = errors.Join(err, fmt.Errorf("docent add %s: %w: %s", dir, failed, out))
			}
		}
	}
	if err != nil {
		return "", nil, errors.Join(err, remove())
	}
	return home, remove, nil
}

// configureIndex has a new home keep its indexes at an address; "": in its folder. The collections are
// called like the home's folder.
func configureIndex(home, index string) error {
	if index == "" {
		return nil
	}
	name := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, filepath.Base(filepath.Dir(home))+filepath.Base(home))
	if err := os.MkdirAll(home, 0o700); err != nil {
		return err
	}
	address, settings, _ := strings.Cut(index, "?")
	if settings != "" {
		settings = "?" + settings
	}
	return os.WriteFile(filepath.Join(home, "docent.toml"), fmt.Appendf(nil, "[store]\nindex = %q\n", address+"/"+name+settings), 0o600)
}

// outsideHome returns the doc sets whose folder is not in the home: without the manual
// and the uploads.
func outsideHome(home string, sets []store.Set) []store.Set {
	return slices.DeleteFunc(slices.Clone(sets), func(s store.Set) bool {
		return strings.HasPrefix(s.Root, home+string(filepath.Separator))
	})
}

// readQuestions reads the questions of all query files that match a pattern.
func (b *bench) readQuestions(pattern string) (out []string, err error) {
	files, err := filepath.Glob(filepath.Join(b.data, "queries", pattern+".jsonl"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		list, err := eval.ReadQueries(bytes.NewReader(raw), file)
		if err != nil {
			return nil, err
		}
		for _, q := range list {
			out = append(out, q.Text)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no questions in %s/queries/%s.jsonl", b.data, pattern)
	}
	return out, nil
}

// markdownFiles returns the Markdown files below a folder and their size in bytes.
func markdownFiles(root string) (files []string, size int64, err error) {
	err = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(p) != ".md" {
			return err
		}
		st, err := d.Info()
		if err != nil {
			return err
		}
		files, size = append(files, p), size+st.Size()
		return nil
	})
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s has no Markdown files", root)
	}
	return files, size, err
}

// durations are the times of one operation.
type durations []time.Duration

// ms returns a quantile in milliseconds, with the times in ascending order: 0 is the
// minimum, 1 the maximum.
func (d durations) ms(q float64) float64 {
	return float64(d[min(len(d)-1, int(q*float64(len(d))))].Microseconds()) / 1000
}

// report sorts the times of one operation and prints them.
func (d durations) report(name, note string) {
	slices.Sort(d)
	fmt.Printf("%-46s p50 %8.2f ms  p95 %8.2f  p99 %8.2f  min %8.2f  max %8.2f  (%d)%s\n",
		name, d.ms(.5), d.ms(.95), d.ms(.99), d.ms(0), d.ms(1), len(d), note)
}
