//go:build unix

// Command startbench measures whole processes of the program on a real corpus:
// start-up, search, indexing with its peak memory, updates with nothing and with
// one page changed, and the app's first frame in a pseudo terminal. It prints the
// minimum, median and maximum of each.
//
// With -vs BIN a second build runs alternately with the first, in a home of its
// own, and the ratio of the medians is printed. On a shared machine only figures of
// the same run are comparable.
//
// With -formats DATA or -format NAME=DIR it measures adding folders of each format.
//
// It refuses to judge the figures.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/creack/pty"
)

func main() {
	bin := flag.String("bin", "bin/docent", "the program")
	vs := flag.String("vs", "", "another build, run in turn with the first")
	corpus := flag.String("corpus", "../shared/data/corpora/k8s-docs-v1.31", "a folder of documentation")
	runs := flag.Int("runs", 25, "runs of each command")
	many := flag.Int("many", 10_000, "pages of a second, generated doc set; 0: none")
	var folders corpora
	flag.Var(&folders, "format", "NAME=DIR, a folder to be added instead of the other measurements; repeatable")
	data := flag.String("formats", "", "the shared data: folders of each format are added instead of the other measurements")
	flag.Parse()
	if *data != "" {
		folders.usual(*data)
	}
	if len(folders) > 0 {
		bins := slices.DeleteFunc([]string{*bin, *vs}, func(b string) bool { return b == "" })
		if err := formats(bins, folders, *runs); err != nil {
			fmt.Fprintln(os.Stderr, "startbench:", err)
			os.Exit(1)
		}
		return
	}
	if err := bench(*bin, *vs, *corpus, *runs, *many); err != nil {
		fmt.Fprintln(os.Stderr, "startbench:", err)
		os.Exit(1)
	}
}

// bench measures everything with one or two builds.
func bench(bin, vs, corpus string, runs, many int) error {
	if _, err := os.Stat(corpus); err != nil {
		fmt.Printf("no corpus at %s: skipped\n", corpus)
		return nil
	}
	dir, err := os.MkdirTemp("", "docent-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var all builds
	for i, path := range []string{bin, vs} {
		if path == "" {
			continue
		}
		b, err := newBuild(path, filepath.Join(dir, fmt.Sprint(i)), corpus, many)
		if err != nil {
			return err
		}
		all = append(all, b)
	}
	if err := all.index(corpus); err != nil {
		return err
	}
	command := func(args ...string) func(*build, int) (time.Duration, error) {
		return func(b *build, _ int) (time.Duration, error) {
			d, _, err := b.run(args...)
			return d, err
		}
	}
	if err := all.report("version", runs, command("version")); err != nil {
		return err
	}
	for _, c := range []struct {
		name string
		once func(*build, int) (time.Duration, error)
	}{
		{"search \"configure liveness probe\"", command("search", "--set", "Bench", "configure liveness probe")},
		{"search in all doc sets", command("search", "configure liveness probe")},
		{"ask", command("ask", "--set", "Bench", "configure liveness probe")},
		{"update with nothing changed", command("update", "Bench")},
		{"update with one page changed", func(b *build, i int) (time.Duration, error) { return b.updateOnePage("Bench", b.corpus, i) }},
		{"first frame of the app", func(b *build, _ int) (time.Duration, error) { return b.firstFrame() }},
	} {
		if err := all.report(c.name, runs, c.once); err != nil {
			return err
		}
	}
	if many == 0 {
		return nil
	}
	for k, b := range all {
		c, err := b.measure("add", b.many, "--name", "Many")
		if err != nil {
			return err
		}
		fmt.Printf("%-34s %8.1f s   (%.1f s of the processors, peak memory %d MB)%s\n", fmt.Sprintf("add of %d small files", many), c.wall.Seconds(), c.cpu.Seconds(), c.rss>>10, all.name(k))
	}
	if err := all.report(fmt.Sprintf("nothing changed of %d pages", many), runs, command("update", "Many")); err != nil {
		return err
	}
	err = all.report(fmt.Sprintf("one page changed of %d", many), runs, func(b *build, i int) (time.Duration, error) {
		return b.updateOnePage("Many", b.many, i)
	})
	if err != nil || many <= checkedOut {
		return err
	}
	return all.report(fmt.Sprintf("watch, %d of %d pages checked out", checkedOut, many), min(runs, 5), func(b *build, i int) (time.Duration, error) {
		return b.watchCheckout("Many", b.many, checkedOut, i)
	})
}

// builds are the builds of the program to compare.
type builds []*build

// index measures indexing from scratch, three times with each build.
func (r builds) index(corpus string) error {
	size, err := markdownBytes(corpus)
	if err != nil {
		return err
	}
	took, peak := make([][]time.Duration, len(r)), make([]int64, len(r))
	for i := range 3 {
		for k, b := range r {
			args := []string{"add", b.corpus, "--name", "Bench"}
			if i > 0 {
				args = []string{"update", "--rebuild", "Bench"}
			}
			d, rss, err := b.run(args...)
			if err != nil {
				return err
			}
			took[k], peak[k] = append(took[k], d), max(peak[k], rss)
		}
	}
	for k := range r {
		slices.Sort(took[k])
		median := took[k][len(took[k])/2]
		fmt.Printf("%-34s %8.1f MB/s (%.1f MB in %v, peak memory %d MB)%s\n", "index", float64(size)/(1<<20)/median.Seconds(),
			float64(size)/(1<<20), median.Round(time.Millisecond), peak[k]>>10, r.name(k))
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

// report measures one operation and prints its times. The builds alternate.
func (r builds) report(name string, runs int, once func(b *build, run int) (time.Duration, error)) error {
	all := make([][]time.Duration, len(r))
	for i := range runs {
		for k, b := range r {
			d, err := once(b, i)
			if err != nil {
				return err
			}
			all[k] = append(all[k], d)
		}
	}
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	for k := range r {
		slices.Sort(all[k])
		median := all[k][len(all[k])/2]
		ratio := ""
		if k > 0 {
			ratio = fmt.Sprintf("  the first takes %.2f times as long", ms(all[0][len(all[0])/2])/ms(median))
		}
		fmt.Printf("%-34s %8.1f ms  (min %.1f, max %.1f, %d runs)%s%s\n", name, ms(median), ms(all[k][0]), ms(all[k][len(all[k])-1]), runs, r.name(k), ratio)
	}
	return nil
}

// markdownBytes is the total size of the Markdown files in a folder.
func markdownBytes(root string) (n int64, err error) {
	err = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(p) != ".md" {
			return err
		}
		st, err := d.Info()
		n += st.Size()
		return err
	})
	return n, err
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
	bin, err := filepath.Abs(bin)
	if err != nil {
		return nil, err
	}
	b := &build{bin: bin, corpus: filepath.Join(dir, "corpus"), env: append(os.Environ(), "DOCENT_HOME="+filepath.Join(dir, "home"), "NO_COLOR=1")}
	if err := os.CopyFS(b.corpus, os.DirFS(corpus)); err != nil {
		return nil, err
	}
	if many > 0 {
		b.many = filepath.Join(dir, "many")
		if err := writeMany(b.many, many); err != nil {
			return nil, err
		}
	}
	_, _, err = b.run("status")
	return b, err
}

// writeMany generates n pages with five sections each, 100 in each folder.
func writeMany(dir string, n int) error {
	words := []string{"lantern", "harbour", "wick", "signal", "tide", "beacon", "mirror", "clockwork", "keeper", "oil", "lens", "storm", "bell", "rock", "log", "lamp"}
	rnd := rand.New(rand.NewPCG(1, 2))
	sentence := func() string {
		var s []string
		for range 12 {
			s = append(s, fmt.Sprintf("%s%d", words[rnd.IntN(len(words))], rnd.IntN(40)))
		}
		return strings.Join(s, " ") + "."
	}
	for i := range n {
		var page strings.Builder
		fmt.Fprintf(&page, "# Page %d of the %s\n\n%s\n", i, words[i%len(words)], sentence())
		for k := range 4 {
			fmt.Fprintf(&page, "\n## %s %d.%d\n\n%s %s\n", words[rnd.IntN(len(words))], i, k, sentence(), sentence())
		}
		path := filepath.Join(dir, fmt.Sprintf("%03d", i/100), fmt.Sprintf("%05d.md", i))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(page.String()), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// updateOnePage changes a page of a doc set, measures the update, and checks that a
// search finds the new text.
func (b *build) updateOnePage(set, dir string, run int) (time.Duration, error) {
	var pages []string
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(p) == ".md" {
			pages = append(pages, p)
		}
		return err
	})
	if err != nil || len(pages) == 0 {
		return 0, errors.Join(err, fmt.Errorf("%s has no pages", dir))
	}
	word := fmt.Sprintf("zanzibar%dx", run)
	f, err := os.OpenFile(pages[run*7919%len(pages)], os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return 0, err
	}
	_, err = fmt.Fprintf(f, "\n## The %s\n\nIt is %s.\n", word, word)
	if err = errors.Join(err, f.Close()); err != nil {
		return 0, err
	}
	took, _, err := b.run("update", set)
	if err != nil {
		return took, err
	}
	if _, _, err := b.run("search", "--set", set, word); err != nil {
		return took, fmt.Errorf("what was written is not found: %w", err)
	}
	return took, nil
}

// run runs the program once and returns its time and its peak memory in KB.
func (b *build) run(args ...string) (time.Duration, int64, error) {
	c, err := b.measure(args...)
	return c.wall, c.rss, err
}

// costs are what a process took, with those that it started.
type costs struct {
	wall, cpu time.Duration
	rss       int64 // of the largest of them, in KB
}

// measure runs the program once.
func (b *build) measure(args ...string) (costs, error) {
	cmd := exec.Command(b.bin, args...)
	cmd.Env = b.env
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	start := time.Now()
	err := cmd.Run()
	c := costs{wall: time.Since(start)}
	if err != nil {
		return c, fmt.Errorf("docent %v: %w\n%s", args, err, out.String())
	}
	usage, _ := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	c.cpu, c.rss = cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime(), usage.Maxrss
	return c, nil
}

// output runs the program once and returns what it prints.
func (b *build) output(args ...string) ([]byte, error) {
	cmd := exec.Command(b.bin, args...)
	cmd.Env = b.env
	return cmd.Output()
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
