// Package child runs programs that read hostile input, in processes of their own with
// limits on time, memory and output.
//
// A program is ended with all processes that it started when a limit is reached or the
// caller's context ends, and Run returns only when it is gone. On Linux and Windows it
// ends too when this process is killed; elsewhere it goes on until it has read its file.
// It gets the environment that the caller names and no other.
//
// It refuses to look programs up, to run a shell and to read the environment: the caller
// names a program by its path.
package child

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// Limits of one run. Zero fields: no limit.
type Limits struct {
	Time   time.Duration // of the clock; the processors' time is limited to the same, on Linux
	Memory int64         // bytes: of address space on Linux, committed on Windows; see LimitsMemory
	Output int64         // bytes of standard output
}

// Program is a program with its arguments.
type Program struct {
	Path   string
	Args   []string
	Dir    string
	Env    []string
	Stdin  io.Reader // nil: empty
	Limits Limits
	// Confined says that the program needs nothing but its own installation and the
	// system's libraries to read, and Dir to read and write. Where the system can
	// confine programs, see Confines, it then reaches no other file and opens no
	// connection over TCP; newer kernels also refuse its signals to other processes.
	Confined bool
}

// The limits that a run may reach. Errors wrap them.
var (
	ErrTime   = errors.New("it took too long")
	ErrOutput = errors.New("it wrote too much")
)

// ExitError says how a program ended that did not succeed.
type ExitError struct {
	Name   string // of the program, without its folder
	Code   int    // -1 where a signal ended it
	State  string // for a person: "exit status 1", "signal: killed"
	Stderr string // the beginning of what it said
}

func (e *ExitError) Error() string {
	if first, _, _ := strings.Cut(strings.TrimSpace(e.Stderr), "\n"); first != "" {
		return fmt.Sprintf("%s: %s: %s", e.Name, e.State, first)
	}
	return fmt.Sprintf("%s: %s", e.Name, e.State)
}

// mostStderr is how much of standard error is kept, in bytes.
const mostStderr = 16 << 10

// Run runs a program and has read read its standard output to the end. An error of read
// ends the program and is returned. The beginning of standard error is returned in
// any case. Where the program fails, the error is an *ExitError, or wraps ErrTime,
// ErrOutput or the context's error.
func Run(ctx context.Context, p Program, read func(stdout io.Reader) error) (stderr string, err error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	limited := ctx
	if p.Limits.Time > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeoutCause(ctx, p.Limits.Time, ErrTime)
		defer cancel()
	}
	limited, stop := context.WithCancel(limited)
	defer stop()
	name := filepath.Base(p.Path)
	cmd := exec.CommandContext(limited, p.Path, p.Args...)
	said := &beginning{most: mostStderr}
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stderr = p.Dir, append([]string{}, p.Env...), p.Stdin, said
	cmd.WaitDelay = 5 * time.Second // for what holds its output open
	isolateProcess(cmd)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return "", fmt.Errorf("start %s: %w", name, err)
	}
	releaseThread, err := startConfined(cmd, p)
	defer releaseThread()
	if err != nil {
		return "", fmt.Errorf("start %s: %w", name, err)
	}
	release := setLimits(cmd.Process.Pid, p.Limits)
	defer release()
	out := &counted{r: stdout, left: p.Limits.Output, unlimited: p.Limits.Output <= 0}
	readErr := read(out)
	if readErr == nil && out.over {
		readErr = ErrOutput
	}
	if readErr != nil {
		stop()
	} else if _, err := io.Copy(io.Discard, stdout); err != nil { // what read left
		stop()
	}
	waited := cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return said.String(), ctx.Err()
	case errors.Is(context.Cause(limited), ErrTime):
		return said.String(), fmt.Errorf("%s: %w: more than %v", name, ErrTime, p.Limits.Time)
	case out.over:
		return said.String(), fmt.Errorf("%s: %w: more than %d MB", name, ErrOutput, p.Limits.Output>>20)
	case readErr != nil:
		return said.String(), readErr
	}
	if exit, ok := errors.AsType[*exec.ExitError](waited); ok {
		return said.String(), &ExitError{Name: name, Code: exit.ExitCode(), State: exit.ProcessState.String(), Stderr: said.String()}
	}
	if waited != nil {
		return said.String(), fmt.Errorf("%s: %w", name, waited)
	}
	return said.String(), nil
}

// startAsIs starts a program on this thread, which stays until release is called: on Linux
// a child is killed when the thread that started it ends, see diesWithUs.
func startAsIs(cmd *exec.Cmd) (release func(), err error) {
	runtime.LockOSThread()
	return runtime.UnlockOSThread, cmd.Start()
}

// counted ends when a limit is reached.
type counted struct {
	r         io.Reader
	left      int64
	unlimited bool
	over      bool
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if c.unlimited {
		return n, err
	}
	if int64(n) > c.left {
		c.over = true
		return int(c.left), ErrOutput
	}
	c.left -= int64(n)
	return n, err
}

// beginning keeps the first bytes that are written to it.
type beginning struct {
	buf  bytes.Buffer
	most int
}

func (b *beginning) Write(p []byte) (int, error) {
	b.buf.Write(p[:min(len(p), b.most-b.buf.Len())])
	return len(p), nil
}

func (b *beginning) String() string { return strings.ToValidUTF8(b.buf.String(), "\uFFFD") }
