// Command campaign tries to break a home of the program, and counts the losses. It kills
// processes that write, at random moments; it flips bytes of every file; it runs the
// program on disks that are too small; it has calls of the system fail; it adds folders
// of hostile files. After each try the program must answer as before, or name the missing
// part, and repair it.
//
// Everything lies in a folder of its own, which is removed. The same seed tries the
// same, but for the moments of the kills.
//
// It refuses to look into the program: it runs it as a person does, and reads what it
// prints.
//
// Terms: lost is a doc set, a page or a session that is gone; silent, another answer
// without a word; broken, a crash, a process that does not end, or damage that two
// more starts and an update do not mend.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"text/tabwriter"
)

// options say how much is tried.
type options struct {
	bin   string
	seed  uint64
	pages int // of the doc set
	// Tries of each kind.
	kills, flips, disks, trees, faultTries int
	only                                   string // a regular expression for the names of hostile folders
	verbose                                bool
}

func main() {
	var o options
	flag.StringVar(&o.bin, "bin", "bin/docent", "the program")
	flag.Uint64Var(&o.seed, "seed", 1, "of what is tried")
	flag.IntVar(&o.pages, "pages", 300, "of the doc set")
	flag.IntVar(&o.kills, "kills", 40, "kills of each kind of work")
	flag.IntVar(&o.flips, "flips", 60, "flipped bytes in each kind of file")
	flag.IntVar(&o.disks, "disks", 20, "sizes of disks")
	flag.IntVar(&o.trees, "trees", 3, "percent of the full size of hostile folders, with closer limits from 100 on; 0: all in one, a "+
		"thousandth of each")
	flag.StringVar(&o.only, "only", "", "a regular expression for the names of hostile folders")
	flag.IntVar(&o.faultTries, "faults", 30, "failing calls of the system in each kind of work")
	flag.BoolVar(&o.verbose, "v", false, "say what is tried")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	c, err := run(ctx, o, os.Stderr)
	if c != nil {
		c.print(os.Stdout)
	}
	if err == nil && c.faults() > 0 {
		err = fmt.Errorf("%d faults", c.faults())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "campaign:", err)
		os.Exit(1)
	}
}

// campaign is one run.
type campaign struct {
	options
	ctx  context.Context
	dir  string
	rnd  *rand.Rand
	log  io.Writer
	rows []*row
}

// row is one kind of try.
type row struct {
	name                 string
	tries                int
	said, mended         int // tries in which it was said, and in which it was mended
	lost, silent, broken int
	skipped              string // why nothing was tried
}

// run runs everything. The error is for what keeps it from trying.
func run(ctx context.Context, o options, log io.Writer) (c *campaign, err error) {
	dir, err := os.MkdirTemp("", "docent-campaign")
	if err != nil {
		return nil, err
	}
	if o.bin, err = filepath.Abs(o.bin); err != nil {
		return nil, err
	}
	c = &campaign{options: o, ctx: ctx, dir: dir, log: log}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	return c, c.runParts([]func(*campaign) error{(*campaign).killUpdates, (*campaign).killAdds, (*campaign).killRemovals,
		(*campaign).killStarts, (*campaign).killRestores, (*campaign).killSaves, (*campaign).killSources, (*campaign).killPackages,
		(*campaign).flipBytes, (*campaign).losePages, (*campaign).fillDisks, (*campaign).injectFaults, (*campaign).swapPages,
		(*campaign).addTrees})
}

// partsAtOnce is how many parts run at the same time. Each waits for one process at a time, and no part
// uses the home of another.
const partsAtOnce = 3

// runParts runs the parts, each with random numbers of its own, so that a part tries the same whatever the
// others do. The rows and the log have the order of the parts.
func (c *campaign) runParts(parts []func(*campaign) error) error {
	ctx, stop := context.WithCancel(c.ctx)
	defer stop()
	var running sync.WaitGroup
	turns := make(chan struct{}, partsAtOnce)
	runs, logs, errs := make([]campaign, len(parts)), make([]bytes.Buffer, len(parts)), make([]error, len(parts))
	for i, part := range parts {
		runs[i] = campaign{options: c.options, ctx: ctx, dir: c.dir, rnd: rand.New(rand.NewPCG(c.seed, uint64(i))), log: &logs[i]}
		turns <- struct{}{}
		running.Go(func() {
			defer func() { <-turns }()
			if errs[i] = ctx.Err(); errs[i] == nil {
				errs[i] = part(&runs[i])
			}
			if errs[i] != nil {
				stop() // the others too
			}
		})
	}
	running.Wait()
	for i := range runs {
		c.rows = append(c.rows, runs[i].rows...)
		_, err := logs[i].WriteTo(c.log)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// row begins a kind of try.
func (c *campaign) row(name string) *row {
	r := &row{name: name}
	c.rows = append(c.rows, r)
	return r
}

// fault counts and tells a fault.
func (c *campaign) fault(count *int, r *row, format string, args ...any) {
	if c.ctx.Err() != nil {
		return // the signal that ended the campaign ended the program too
	}
	*count++
	fmt.Fprintf(c.log, "%s, try %d: %s\n", r.name, r.tries, fmt.Sprintf(format, args...))
}

func (c *campaign) faults() (n int) {
	for _, r := range c.rows {
		n += r.lost + r.silent + r.broken
	}
	return n
}

// print prints the table, as Markdown.
func (c *campaign) print(w io.Writer) {
	var total row
	t := tabwriter.NewWriter(w, 0, 0, 1, ' ', 0)
	fmt.Fprintln(t, "| what\t| tries\t| said\t| mended\t| lost\t| silent\t| broken\t|")
	fmt.Fprintln(t, "| ---\t| ---\t| ---\t| ---\t| ---\t| ---\t| ---\t|")
	for _, r := range c.rows {
		if r.skipped != "" {
			fmt.Fprintf(t, "| %s\t| skipped: %s\t|\t|\t|\t|\t|\t|\n", r.name, r.skipped)
			continue
		}
		if r.tries == 0 {
			continue
		}
		// One try may be looked at several times.
		r.said, r.mended = min(r.said, r.tries), min(r.mended, r.tries)
		fmt.Fprintf(t, "| %s\t| %d\t| %d\t| %d\t| %d\t| %d\t| %d\t|\n", r.name, r.tries, r.said, r.mended, r.lost, r.silent, r.broken)
		total.tries, total.said, total.mended = total.tries+r.tries, total.said+r.said, total.mended+r.mended
		total.lost, total.silent, total.broken = total.lost+r.lost, total.silent+r.silent, total.broken+r.broken
	}
	fmt.Fprintf(t, "| all\t| %d\t| %d\t| %d\t| %d\t| %d\t| %d\t|\n", total.tries, total.said, total.mended, total.lost, total.silent,
		total.broken)
	if err := t.Flush(); err != nil {
		fmt.Fprintln(c.log, err)
	}
}

// folder gives a new folder.
func (c *campaign) folder(name string) string {
	dir, err := os.MkdirTemp(c.dir, strings.ReplaceAll(name, " ", "-"))
	if err != nil {
		panic(err) // the temporary folder is gone
	}
	return dir
}
