package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// The calls of the system that can fail, and how: as on a disk that breaks, one that is
// full, and in a process that may open no more files. strace has them fail in the real
// program, whichever library makes the call.
var injected = []struct {
	calls  string
	faults []string
}{
	{"openat", []string{"error=EMFILE", "error=EIO", "error=ENOSPC"}},
	{"read,pread64", []string{"error=EIO"}},
	{"write,pwrite64", []string{"error=ENOSPC", "error=EIO"}},
	{"fsync,fdatasync", []string{"error=EIO", "error=ENOSPC"}},
	{"renameat,linkat,unlinkat,mkdirat,ftruncate", []string{"error=EIO", "error=ENOSPC"}},
	// The process ends at the call: every moment between two changes of the disk.
	{"write,pwrite64,fsync,renameat,linkat,unlinkat,ftruncate", []string{"signal=KILL"}},
}

// failing is a command that is tried with faults.
type failing struct {
	name    string
	args    []string
	prepare func() error
	want    []string // the doc sets that must be registered behind it
}

// injectFaults has single calls of the system fail, or all from one on, in commands that
// write: the program must say it, lose nothing, and be whole again when the disk is.
func (c *campaign) injectFaults() error {
	if _, err := exec.LookPath("strace"); err != nil {
		c.row("faults of the system").skipped = "there is no strace"
		return nil
	}
	p, small, err := c.two(true)
	if err != nil {
		return err
	}
	one, other, err := c.two(false)
	if err != nil {
		return err
	}
	file := filepath.Join(c.folder("saved"), "session.json")
	save := func() error {
		_, err := c.must(p.home, "ask", "--save", file, "flagship")
		return err
	}
	for _, f := range []struct {
		failing
		p prepared
	}{
		{failing{"update --rebuild", []string{"update", "--rebuild", "Fleet"}, nothing, []string{"Fleet", "Boats"}}, p},
		{failing{"update", []string{"update", "Boats"}, func() error { return small.Change() }, []string{"Fleet", "Boats"}}, p},
		{failing{"add", []string{"add", other.Dir}, nothing, []string{"Fleet"}}, one},
		{failing{"restore of a lost catalog", []string{"search", "voyage harbour"}, func() error { return loseCatalog(p.home) },
			[]string{"Fleet", "Boats"}}, p},
		{failing{"ask --save", []string{"ask", "--save", file, "whale oil porcelain"}, save, []string{"Fleet", "Boats"}}, p},
	} {
		if err := c.fail(f.failing, f.p, file); err != nil || c.ctx.Err() != nil {
			return err
		}
	}
	return nil
}

func loseCatalog(home string) error {
	for _, ending := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(filepath.Join(home, "catalog.db"+ending)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// fail tries one command.
func (c *campaign) fail(f failing, p prepared, session string) error {
	r := c.row("faults of the system: " + f.name)
	counts := make([]int, len(injected))
	for i := range c.faultTries + 1 {
		if err := p.restore(); err != nil {
			return err
		}
		if err := f.prepare(); err != nil {
			return err
		}
		if i == 0 {
			if err := c.countCalls(p.home, f.args, counts); err != nil {
				r.skipped = fmt.Sprintf("strace does not run here (%v)", err)
				return nil
			}
			continue
		}
		r.tries++
		k := i % len(injected)
		kind := injected[k]
		when := fmt.Sprint(1 + c.rnd.IntN(max(1, counts[k])))
		fault := kind.faults[c.rnd.IntN(len(kind.faults))]
		if !strings.HasPrefix(fault, "signal") && c.rnd.IntN(2) == 0 {
			when += "+" // and all that follow
		}
		what := fmt.Sprintf("inject=%s:%s:when=%s", kind.calls, fault, when)
		d := c.traced(p.home, []string{"-e", "trace=" + kind.calls, "-e", what, "-o", "/dev/null"}, f.args)
		killed := strings.HasPrefix(fault, "signal") && d.code < 0
		switch {
		case d.crashed() || d.code == codeBroken || d.code < 0 && !killed:
			c.fault(&r.broken, r, "%s: %v", what, d)
		case d.code > 1:
			r.said++
		}
		c.settle(r, p.home, f.want...)
		if a := c.search(p.home, "flagship", "Fleet"); len(a.files) == 0 || !strings.HasSuffix(a.files[0], "/ship-000.md") {
			c.fault(&r.lost, r, "%s: the flagship is not found: %v", what, a)
		}
		if f.name == "ask --save" {
			c.wholeSession(r, p.home, session, true)
		}
		if c.ctx.Err() != nil {
			return c.ctx.Err()
		}
	}
	return nil
}

// codeBroken is the exit code of an error that the program did not foresee.
const codeBroken = 4

// traced runs the program under strace.
func (c *campaign) traced(home string, strace, args []string) done {
	ctx, cancel := context.WithTimeout(c.ctx, longest)
	defer cancel()
	inner := c.command(ctx, home, args...)
	cmd := exec.CommandContext(ctx, "strace", append(append([]string{"-f", "--seccomp-bpf"}, strace...), inner.Args...)...)
	cmd.Env = inner.Env
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	began := time.Now()
	_ = cmd.Run() // the exit code says it
	d := done{args: args, out: out.String(), err: errs.String(), code: cmd.ProcessState.ExitCode(), took: time.Since(began)}
	if c.verbose {
		fmt.Fprintln(c.log, strace, d)
	}
	return d
}

// countCalls runs the command and counts its calls of each kind.
func (c *campaign) countCalls(home string, args []string, counts []int) error {
	list := filepath.Join(c.folder("calls"), "calls")
	var all []string
	for _, k := range injected {
		all = append(all, k.calls)
	}
	d := c.traced(home, []string{"-e", "trace=" + strings.Join(all, ","), "-o", list}, args)
	if d.code != 0 {
		return errors.New(d.String())
	}
	f, err := os.Open(list)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		_, text, _ := strings.Cut(lines.Text(), " ")
		name, _, ok := strings.Cut(strings.TrimSpace(text), "(")
		if !ok {
			continue
		}
		for i, k := range injected {
			for call := range strings.SplitSeq(k.calls, ",") {
				if call == name {
					counts[i]++
				}
			}
		}
	}
	return lines.Err()
}
