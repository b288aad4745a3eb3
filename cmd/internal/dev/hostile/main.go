//go:build unix

// Command hostile adds hostile trees (see pipeline/ingest/hostiletest) as doc sets, one
// process each, and prints the time and the greatest memory that adding took, beside
// what it may take: 2 s and 1 s a megabyte, 300 MB and 16 times the largest page. Then
// it asks each set a question. It fails where a tree takes more.
//
// It refuses to judge answers.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"docent/pipeline/ingest/hostiletest"
)

func main() {
	bin := flag.String("bin", "bin/docent", "the program")
	only := flag.String("only", "", "a regular expression for the names of trees")
	scale := flag.Int("scale", 1, "divides the size of the trees")
	limit := flag.Duration("limit", 3*time.Minute, "when a command is ended")
	keep := flag.String("keep", "", "a folder that keeps the trees and the home; \"\": a temporary one")
	asks := flag.Bool("ask", true, "ask each set a question")
	flag.Parse()
	if err := run(*bin, *only, *scale, *limit, *keep, *asks); err != nil {
		fmt.Fprintln(os.Stderr, "hostile:", err)
		os.Exit(1)
	}
}

func run(bin, only string, scale int, limit time.Duration, keep string, asks bool) error {
	pattern, err := regexp.Compile("^(" + only + ")$")
	if err != nil {
		return err
	}
	dir := keep
	if dir == "" {
		if dir, err = os.MkdirTemp("", "docent-hostile"); err != nil {
			return err
		}
		defer os.RemoveAll(dir)
	}
	over := 0
	fmt.Printf("%-17s %8s %9s %9s %9s %9s %9s\n", "tree", "MB", "seconds", "of", "processor", "peak MB", "of")
	for _, t := range hostiletest.All() {
		if only != "" && !pattern.MatchString(t.Name) {
			continue
		}
		ok, err := measure(bin, dir, t, scale, limit, keep != "", asks)
		if err != nil {
			return err
		}
		if !ok {
			over++
		}
	}
	if over > 0 {
		return fmt.Errorf("%d trees take more than they may", over)
	}
	return nil
}

// measure adds one tree in a home of its own.
func measure(bin, dir string, t hostiletest.Tree, scale int, limit time.Duration, keep, asks bool) (ok bool, err error) {
	w, err := t.Write(filepath.Join(dir, "trees"), scale)
	if err != nil {
		return false, err
	}
	home := filepath.Join(dir, "homes", t.Name)
	if err := os.RemoveAll(home); err != nil {
		return false, err
	}
	if !keep {
		defer os.RemoveAll(w.Root)
		defer os.RemoveAll(home)
	}
	mb := float64(w.Bytes) / (1 << 20)
	most, mostPeak := 2+mb, 300+16*float64(w.Largest)/(1<<20)
	took, cpu, peak, out, err := command(bin, home, limit, "add", w.Root, "--name", "H")
	used := min(took, cpu).Seconds() // a busy machine takes longer by the clock
	ok = used <= most && peak <= mostPeak && err == nil
	note := ""
	if used > most {
		note += " TIME"
	}
	if peak > mostPeak {
		note += " MEMORY"
	}
	if err != nil {
		note += " " + err.Error() + " " + last(out)
	}
	fmt.Printf("%-17s %8.1f %9.2f %9.1f %9.2f %9.0f %9.0f%s\n", t.Name, mb, took.Seconds(), most, cpu.Seconds(), peak, mostPeak, note)
	if !asks || err != nil {
		return ok, nil
	}
	word := t.Word
	if word == "" {
		word = "text"
	}
	var said []string
	for _, args := range [][]string{{"search", word}, {"ask", "--sections", word}, {"ask", word}, {"ask", "--max-tokens", "800", word}} {
		took, _, peak, out, err := command(bin, home, limit, args...)
		said = append(said, fmt.Sprintf("%s %.2f s %.0f MB %d kB", strings.Join(args[:len(args)-1], " "), took.Seconds(), peak, len(out)>>10))
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() > 3 || err != nil && exit == nil {
			said[len(said)-1] += " " + err.Error() + " " + last(out)
			ok = false
		}
	}
	fmt.Println("    ", strings.Join(said, "; "))
	return ok, nil
}

// command runs the program and gives the time that it took, on the clock and of the
// processors, and the greatest memory of its process, in MB.
func command(bin, home string, limit time.Duration, args ...string) (took, cpu time.Duration, peak float64, out []byte, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, bin, append([]string{"--home", home, "--engine", "builtin"}, args...)...)
	start := time.Now()
	out, err = cmd.CombinedOutput()
	took = time.Since(start)
	if ctx.Err() != nil {
		err = fmt.Errorf("not done after %v", limit)
	}
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		peak = float64(usage.Maxrss) / 1024 // Linux counts in kB
	}
	return took, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), peak, out, err
}

// last is the end of a program's output.
func last(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	text := lines[len(lines)-1]
	return text[max(0, len(text)-200):]
}
