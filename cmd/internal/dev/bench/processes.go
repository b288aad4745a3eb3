//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/creack/pty"
)

// checkedOut is how many files change at once when the watcher is measured, as when
// another branch is checked out.
const checkedOut = 1000

// processes holds the flags of measuring whole processes.
type processes struct{ many int }

func (p *processes) flags() {
	flag.IntVar(&p.many, "many", 10_000, "processes: pages of a second, generated doc set; 0: none")
}

// measureProcesses measures the commands with one or two builds.
func (b *bench) measureProcesses(context.Context) error {
	folders, err := b.folders()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "docent-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	many := b.processes.many
	var all builds
	for i, bin := range []string{b.bin, b.vs} {
		if bin == "" {
			continue
		}
		one, err := newBuild(bin, filepath.Join(dir, fmt.Sprint(i)), folders[0], many)
		if err != nil {
			return err
		}
		all = append(all, one)
	}
	if err := all.index(); err != nil {
		return err
	}
	const question = "configure liveness probe"
	for _, c := range []struct {
		name string
		once func(*build, int) (time.Duration, error)
	}{
		{"version", command("version")},
		{"search \"" + question + "\"", command("search", "--set", "Bench", question)},
		{"search in all doc sets", command("search", question)},
		{"ask", command("ask", "--set", "Bench", question)},
		{"update with nothing changed", command("update", "Bench")},
		{"update with one page changed", func(b *build, i int) (time.Duration, error) { return b.updateOnePage("Bench", b.corpus, i) }},
		{"first frame of the app", func(b *build, _ int) (time.Duration, error) { return b.firstFrame() }},
	} {
		if err := all.alternate(c.name, b.runs, c.once); err != nil {
			return err
		}
	}
	if many == 0 {
		return nil
	}
	return all.manyPages(many, b.runs)
}

// manyPages measures a doc set of many small pages.
func (r builds) manyPages(many, runs int) error {
	for k, b := range r {
		c, err := b.run("add", b.many, "--name", "Many")
		if err != nil {
			return err
		}
		fmt.Printf("%-46s %8.1f s (%.1f s of processor time, peak memory %d MB)%s\n", fmt.Sprintf("add of %d small files", many),
			c.wall.Seconds(), c.cpu.Seconds(), c.rss>>10, r.name(k))
	}
	if err := r.alternate(fmt.Sprintf("nothing changed of %d pages", many), runs, command("update", "Many")); err != nil {
		return err
	}
	err := r.alternate(fmt.Sprintf("one page changed of %d", many), runs, func(b *build, i int) (time.Duration, error) {
		return b.updateOnePage("Many", b.many, i)
	})
	if err != nil || many <= checkedOut {
		return err
	}
	name := fmt.Sprintf("watch, %d of %d pages checked out", checkedOut, many)
	return r.alternate(name, min(runs, 5), func(b *build, i int) (time.Duration, error) {
		return b.watchCheckout("Many", b.many, checkedOut, i)
	})
}

// builds are the builds of the program to compare.
type builds []*build

// index measures indexing from scratch, three times with each build.
func (r builds) index() error {
	_, size, err := markdownFiles(r[0].corpus)
	if err != nil {
		return err
	}
	took, peak := make([]durations, len(r)), make([]int64, len(r))
	for i := range 3 {
		for k, b := range r {
			args := []string{"add", b.corpus, "--name", "Bench"}
			if i > 0 {
				args = []string{"update", "--rebuild", "Bench"}
			}
			c, err := b.run(args...)
			if err != nil {
				return err
			}
			took[k], peak[k] = append(took[k], c.wall), max(peak[k], c.rss)
		}
	}
	for k := range r {
		slices.Sort(took[k])
		seconds, megabytes := took[k].ms(.5)/1000, float64(size)/(1<<20)
		fmt.Printf("%-46s %8.1f MB/s (%.1f MB in %.2f s, peak memory %d MB)%s\n",
			"index", megabytes/seconds, megabytes, seconds, peak[k]>>10, r.name(k))
	}
	return nil
}

// name is the path of a build, "" if there is only one.
func (r builds) name(k int) string {
	if len(r) == 1 {
		return ""
	}
	return "  " + r[k].bin
}

// alternate measures one operation with all builds in turn and prints its times.
func (r builds) alternate(name string, runs int, once func(b *build, run int) (time.Duration, error)) error {
	all := make([]durations, len(r))
	for i := range runs {
		for k, b := range r {
			d, err := once(b, i)
			if err != nil {
				return err
			}
			all[k] = append(all[k], d)
		}
	}
	for k := range r {
		slices.Sort(all[k])
		note := r.name(k)
		if k > 0 {
			note += fmt.Sprintf("  the first takes %.2f times as long", all[0].ms(.5)/all[k].ms(.5))
		}
		all[k].report(name, note)
	}
	return nil
}

// build is a build of the program with its own home and doc sets.
type build struct {
	bin    string
	corpus string // folder of a copy of the corpus, which may be modified
	many   string // folder of the generated pages; "": none
	env    []string
}

// newBuild makes the folders of the doc sets, and a home with the manual only.
func newBuild(bin, dir, corpus string, many int) (*build, error) {
	env := append(os.Environ(), "DOCENT_HOME="+filepath.Join(dir, "home"), "NO_COLOR=1")
	b := &build{bin: bin, corpus: filepath.Join(dir, "corpus"), env: env}
	if err := os.CopyFS(b.corpus, os.DirFS(corpus)); err != nil {
		return nil, err
	}
	if many > 0 {
		b.many = filepath.Join(dir, "many")
		if err := writeMany(b.many, many); err != nil {
			return nil, err
		}
	}
	_, err := b.run("status")
	return b, err
}

// costs are what a process took, with those that it started.
type costs struct {
	wall, cpu time.Duration
	rss       int64 // of the largest of them, in KB
	out       []byte
}

// run runs the program once.
func (b *build) run(args ...string) (costs, error) {
	cmd := exec.Command(b.bin, args...)
	cmd.Env = b.env
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	start := time.Now()
	err := cmd.Run()
	c := costs{wall: time.Since(start), out: out.Bytes()}
	if err != nil {
		return c, fmt.Errorf("docent %v: %w\n%s%s", args, err, &out, &errs)
	}
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		c.cpu, c.rss = cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime(), usage.Maxrss
	}
	return c, nil
}

// command measures one run of a command.
func command(args ...string) func(*build, int) (time.Duration, error) {
	return func(b *build, _ int) (time.Duration, error) {
		c, err := b.run(args...)
		return c.wall, err
	}
}

// updateOnePage changes a page of a doc set and measures the update.
func (b *build) updateOnePage(set, dir string, run int) (time.Duration, error) {
	c, err := b.changeOnePage(set, dir, run)
	return c.wall, err
}

// changeOnePage changes a page of a doc set, measures the update, and checks that a
// search finds the new text. The page is a new file: it may be linked from elsewhere.
func (b *build) changeOnePage(set, dir string, run int) (costs, error) {
	pages, _, err := markdownFiles(dir)
	if err != nil {
		return costs{}, err
	}
	word, page := fmt.Sprintf("zanzibar%dx", run), pages[run*7919%len(pages)]
	text, err := os.ReadFile(page)
	if err == nil {
		err = os.WriteFile(page+".new", fmt.Appendf(text, "\n## The %s\n\nIt is %s.\n", word, word), 0o600)
	}
	if err == nil {
		err = os.Rename(page+".new", page)
	}
	if err != nil {
		return costs{}, err
	}
	took, err := b.run("update", set)
	if err != nil {
		return took, err
	}
	if _, err := b.run("search", "--set", set, word); err != nil {
		return took, fmt.Errorf("the new text is not found: %w", err)
	}
	return took, nil
}

// firstFrame measures the time until the app has drawn its first frame.
func (b *build) firstFrame() (time.Duration, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, b.bin)
	cmd.Env = append(b.env, "TERM=xterm-256color")
	start := time.Now()
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		return 0, err
	}
	defer tty.Close()
	var seen []byte
	buf := make([]byte, 4096)
	for !bytes.Contains(seen, []byte("docent")) {
		n, err := tty.Read(buf)
		seen = append(seen, buf[:n]...)
		if err != nil {
			return 0, fmt.Errorf("the app ended before its first frame: %w\n%q", err, seen)
		}
	}
	d := time.Since(start)
	if err := cmd.Process.Kill(); err != nil {
		return d, err
	}
	_ = cmd.Wait() // it reports the kill
	return d, nil
}

// watchCheckout has docent watch follow a doc set, replaces many of its pages as git
// does, and measures the time from the last change until all of them can be found.
func (b *build) watchCheckout(set, dir string, n, run int) (lag time.Duration, err error) {
	pages, _, err := markdownFiles(dir)
	if err != nil || len(pages) <= n {
		return 0, errors.Join(err, fmt.Errorf("%s has %d pages, %d are to be changed", dir, len(pages), n))
	}
	cmd := exec.Command(b.bin, "watch", "--json", "-q", set)
	cmd.Env = b.env
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	defer func() {
		err = errors.Join(err, cmd.Process.Kill())
		_ = cmd.Wait() // it reports the kill
	}()
	reports := bufio.NewReader(out)
	// One page first, so that the watcher is running before many change.
	if err := replacePages(pages[n:n+1], run); err != nil {
		return 0, err
	}
	if err := awaitChanges(reports, 1); err != nil {
		return 0, err
	}
	if err := replacePages(pages[:n], run); err != nil {
		return 0, err
	}
	last := time.Now()
	err = awaitChanges(reports, n)
	return time.Since(last), err
}

// replacePages puts a new file in the place of each page.
func replacePages(pages []string, run int) error {
	for _, p := range pages {
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		if err := os.WriteFile(p+".new", fmt.Appendf(text, "\n## Checkout %d\n\nIt was checked out.\n", run), 0o600); err != nil {
			return err
		}
		if err := os.Rename(p+".new", p); err != nil {
			return err
		}
	}
	return nil
}

// awaitChanges reads the reports of docent watch until n pages were changed.
func awaitChanges(reports *bufio.Reader, n int) error {
	for n > 0 {
		line, err := reports.ReadBytes('\n')
		if err != nil {
			return fmt.Errorf("docent watch ended: %w", err)
		}
		var report struct {
			Changed int `json:"changed"`
		}
		if err := json.Unmarshal(line, &report); err != nil {
			return err
		}
		n -= report.Changed
	}
	return nil
}
