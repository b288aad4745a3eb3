//go:build unix

// Command startbench times the program as whole processes on a real corpus and
// prints each figure's minimum, median and maximum: start-up, search, indexing
// (with its peak memory), an update with nothing changed, and the app's first
// frame in a pseudo terminal.
//
// The figures of one run belong together: on a machine that others use, compare
// within a run.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/creack/pty"
)

func main() {
	bin := flag.String("bin", "bin/docent", "the program")
	corpus := flag.String("corpus", "../shared/data/corpora/k8s-docs-v1.31", "a folder of documentation")
	runs := flag.Int("runs", 25, "runs of each command")
	flag.Parse()
	if err := bench(*bin, *corpus, *runs); err != nil {
		fmt.Fprintln(os.Stderr, "startbench:", err)
		os.Exit(1)
	}
}

func bench(bin, corpus string, runs int) error {
	bin, err := filepath.Abs(bin)
	if err != nil {
		return err
	}
	if _, err := os.Stat(corpus); err != nil {
		fmt.Printf("no corpus at %s: skipped\n", corpus)
		return nil
	}
	size, err := markdownBytes(corpus)
	if err != nil {
		return err
	}
	home, err := os.MkdirTemp("", "docent-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	b := bencher{bin: bin, env: append(os.Environ(), "DOCENT_HOME="+home, "NO_COLOR=1")}
	if _, _, err := b.run("status"); err != nil { // installs the manual
		return err
	}
	var index []time.Duration
	var peak int64
	for i := range 3 {
		args := []string{"add", corpus, "--name", "Bench"}
		if i > 0 {
			args = []string{"update", "--rebuild", "Bench"}
		}
		d, rss, err := b.run(args...)
		if err != nil {
			return err
		}
		index, peak = append(index, d), max(peak, rss)
	}
	slices.Sort(index)
	mbs := float64(size) / (1 << 20) / index[len(index)/2].Seconds()
	fmt.Printf("%-34s %8.1f MB/s (%.1f MB in %v, peak memory %d MB)\n", "index", mbs, float64(size)/(1<<20), index[len(index)/2].Round(time.Millisecond), peak>>10)
	for _, c := range []struct {
		name string
		args []string
	}{
		{"version", []string{"version"}},
		{"search \"configure liveness probe\"", []string{"search", "--set", "Bench", "configure liveness probe"}},
		{"search in all doc sets", []string{"search", "configure liveness probe"}},
		{"ask", []string{"ask", "--set", "Bench", "configure liveness probe"}},
		{"update with nothing changed", []string{"update"}},
	} {
		if err := b.report(c.name, runs, func() (time.Duration, error) {
			d, _, err := b.run(c.args...)
			return d, err
		}); err != nil {
			return err
		}
	}
	return b.report("first frame of the app", runs, b.firstFrame)
}

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

type bencher struct {
	bin string
	env []string
}

// run runs the program once: its time and its peak memory in KB.
func (b bencher) run(args ...string) (time.Duration, int64, error) {
	cmd := exec.Command(b.bin, args...)
	cmd.Env = b.env
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	start := time.Now()
	err := cmd.Run()
	d := time.Since(start)
	if err != nil {
		return d, 0, fmt.Errorf("docent %v: %w\n%s", args, err, out.String())
	}
	usage, _ := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return d, usage.Maxrss, nil
}

func (b bencher) report(name string, runs int, once func() (time.Duration, error)) error {
	var all []time.Duration
	for range runs {
		d, err := once()
		if err != nil {
			return err
		}
		all = append(all, d)
	}
	slices.Sort(all)
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	fmt.Printf("%-34s %8.1f ms  (min %.1f, max %.1f, %d runs)\n", name, ms(all[len(all)/2]), ms(all[0]), ms(all[len(all)-1]), runs)
	return nil
}

// firstFrame is the time until the app has drawn something on a terminal.
func (b bencher) firstFrame() (time.Duration, error) {
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
	_ = cmd.Wait() // killed: its error is ours
	return d, nil
}
