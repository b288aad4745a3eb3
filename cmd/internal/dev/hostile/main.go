//go:build unix

// Command hostile adds hostile trees (see pipeline/ingest/hostiletest) as doc sets, one
// process each, and prints the time and the greatest memory that adding took, beside
// what it may take: 2 s and 1 s a megabyte or 5 000 files, 300 MB and 16 times the
// largest page. Then it asks each set a question, reads a page and verifies the answer:
// each command may take 2 s. It fails where a tree takes more.
//
// It refuses to judge answers.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"docent/pipeline/ingest/hostiletest"
)

// most is how long a command may take that is no add, of the processors' time.
const most = 2 * time.Second

// bench is what is measured, and how.
type bench struct {
	bin   string
	dir   string // of the trees and homes
	scale int
	limit time.Duration // when a command is ended
	keep  bool          // the trees and homes stay
	added bool          // they are there from before
	asks  bool
}

func main() {
	var b bench
	flag.StringVar(&b.bin, "bin", "bin/docent", "the program")
	only := flag.String("only", "", "a regular expression for the names of trees")
	flag.IntVar(&b.scale, "scale", 1, "divides the size of the trees")
	flag.DurationVar(&b.limit, "limit", 3*time.Minute, "when a command is ended")
	flag.StringVar(&b.dir, "keep", "", "a folder that keeps the trees and the home; \"\": a temporary one")
	flag.BoolVar(&b.added, "added", false, "only ask the sets that -keep has from before")
	flag.BoolVar(&b.asks, "ask", true, "ask each set a question, read a page, verify the answer")
	flag.Parse()
	b.keep = b.dir != ""
	if err := b.run(*only); err != nil {
		fmt.Fprintln(os.Stderr, "hostile:", err)
		os.Exit(1)
	}
}

func (b bench) run(only string) error {
	pattern, err := regexp.Compile("^(" + only + ")$")
	if err != nil {
		return err
	}
	if !b.keep {
		if b.dir, err = os.MkdirTemp("", "docent-hostile"); err != nil {
			return err
		}
		defer os.RemoveAll(b.dir)
	}
	over := 0
	if !b.added {
		fmt.Printf("%-17s %8s %9s %9s %9s %9s %9s\n", "tree", "MB", "seconds", "of", "processor", "peak MB", "of")
	}
	for _, t := range hostiletest.All() {
		if only != "" && !pattern.MatchString(t.Name) {
			continue
		}
		ok, err := b.measure(t)
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

// measure adds one tree in a home of its own, and asks.
func (b bench) measure(t hostiletest.Tree) (ok bool, err error) {
	root, home := filepath.Join(b.dir, "trees", t.Name), filepath.Join(b.dir, "homes", t.Name)
	if !b.keep {
		defer os.RemoveAll(root)
		defer os.RemoveAll(home)
	}
	ok = true
	if !b.added {
		w, err := t.Write(filepath.Dir(root), b.scale)
		if err != nil {
			return false, err
		}
		if err := os.RemoveAll(home); err != nil {
			return false, err
		}
		if ok, err = b.add(w, home); err != nil {
			return false, nil // said
		}
	}
	if !b.asks {
		return ok, nil
	}
	asked, err := b.ask(t, root, home)
	return ok && asked, err
}

// add adds a tree. The error is the program's, which is printed.
func (b bench) add(w hostiletest.Written, home string) (ok bool, err error) {
	mb := float64(w.Bytes) / (1 << 20)
	most, mostPeak := 2+mb+float64(w.Files)/5000, 300+16*float64(w.Largest)/(1<<20)
	d := b.command(home, os.DevNull, "add", w.Root, "--name", "H")
	used := min(d.took, d.cpu).Seconds() // a busy machine takes longer by the clock
	ok = used <= most && d.peak <= mostPeak && d.err == nil
	note := ""
	if used > most {
		note += " TIME"
	}
	if d.peak > mostPeak {
		note += " MEMORY"
	}
	if d.err != nil {
		note += " " + d.err.Error() + " " + last(d.out)
	}
	fmt.Printf("%-17s %8.1f %9.2f %9.1f %9.2f %9.0f %9.0f%s\n", w.Name, mb, d.took.Seconds(), most, d.cpu.Seconds(), d.peak, mostPeak, note)
	return ok, d.err
}

// ask asks a set questions, reads its first page, and verifies an answer.
func (b bench) ask(t hostiletest.Tree, root, home string) (ok bool, err error) {
	word := t.Word
	if word == "" {
		word = "text"
	}
	page, err := first(root)
	if err != nil {
		return false, err
	}
	ok = true
	var said []string
	answer := os.DevNull
	for _, args := range [][]string{{"search", word}, {"ask", "--sections", word}, {"ask", "--max-tokens", "800", word}, {"ask", word},
		{"verify", "-"}, {"read", "H/" + page}, {"read", "--toc", "H/" + page}} {
		d := b.command(home, answer, args...)
		if args[0] == "ask" {
			answer = filepath.Join(b.dir, "answer")
			if err := os.Rename(d.out, answer); err != nil {
				return false, err
			}
			d.out = answer
		}
		note := fmt.Sprintf("%s %.2f s %.0f MB", strings.Join(args[:len(args)-1], " "), d.cpu.Seconds(), d.peak)
		if min(d.cpu, d.took) > most {
			note, ok = note+" TIME", false
		}
		if exit := (*exec.ExitError)(nil); errors.As(d.err, &exit) && exit.ExitCode() > 2 || d.err != nil && exit == nil {
			note, ok = note+" "+d.err.Error()+" "+last(d.out), false
		}
		said = append(said, note)
	}
	name := ""
	if b.added {
		name = t.Name + ":"
	}
	fmt.Println("    ", name, strings.Join(said, "; "))
	return ok, nil
}

// first is the path of a tree's first page.
func first(root string) (page string, err error) {
	err = filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err == nil && page == "" && d.Type().IsRegular() {
			page, err = filepath.Rel(root, path)
			page = filepath.ToSlash(page)
		}
		return err
	})
	return page, err
}

// done is a command that ended.
type done struct {
	took, cpu time.Duration // on the clock, and of the processors
	peak      float64       // memory, in MB
	out       string        // the file with what it printed
	err       error
}

// command runs the program. What it prints goes to a file: a process begins with the
// memory of the one that starts it, which must stay small.
func (b bench) command(home, stdin string, args ...string) (d done) {
	ctx, cancel := context.WithTimeout(context.Background(), b.limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, b.bin, append([]string{"--home", home, "--engine", "builtin"}, args...)...)
	in, err := os.Open(stdin)
	if err != nil {
		return done{err: err}
	}
	defer in.Close()
	d.out = filepath.Join(b.dir, "output")
	out, err := os.Create(d.out)
	if err != nil {
		return done{err: err}
	}
	defer out.Close()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, out
	start := time.Now()
	d.err = cmd.Run()
	d.took = time.Since(start)
	if ctx.Err() != nil {
		d.err = fmt.Errorf("not done after %v", b.limit)
	}
	if cmd.ProcessState == nil {
		return d
	}
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		d.peak = float64(usage.Maxrss) / 1024 // Linux counts in kB
	}
	d.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return d
}

// last is the end of what a program printed.
func last(file string) string {
	out, err := os.Open(file)
	if err != nil {
		return err.Error()
	}
	defer out.Close()
	if st, err := out.Stat(); err == nil && st.Size() > 200 {
		if _, err := out.Seek(-200, io.SeekEnd); err != nil {
			return err.Error()
		}
	}
	text, err := io.ReadAll(out)
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return lines[len(lines)-1]
}
