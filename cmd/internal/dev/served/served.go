// Package served runs docent serve for the workbenches: a process with a home, and its
// address.
//
// It refuses to make the home: the caller decides its content.
package served

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Server is a server that runs.
type Server struct {
	URL string

	cmd  *exec.Cmd
	errs *tail
}

// tail keeps the end of the output.
type tail struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

// Write is io.Writer's.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	const most = 1 << 20
	if t.buf.Len() > most {
		t.buf.Reset()
	}
	return t.buf.Write(p)
}

// Start starts a server with a home; args are more flags of docent serve, env more of its
// environment.
func Start(ctx context.Context, bin, home string, env []string, args ...string) (*Server, error) {
	s := &Server{cmd: exec.CommandContext(ctx, bin,
		append([]string{"--home", home, "serve", "--listen", "127.0.0.1:0", "-q"}, args...)...), errs: &tail{}}
	s.cmd.Env = append(os.Environ(), env...)
	s.cmd.Stderr = s.errs
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait() // what it says is in Log
		return nil, fmt.Errorf("the server did not start: %s", s.Log())
	}
	s.URL = strings.TrimSpace(line)
	return s, nil
}

// Log is the end of what it wrote to standard error.
func (s *Server) Log() string {
	s.errs.mu.Lock()
	defer s.errs.mu.Unlock()
	return s.errs.buf.String()
}

// PID is its process.
func (s *Server) PID() int { return s.cmd.Process.Pid }

// Stop ends it as ctrl+c does.
func (s *Server) Stop() error {
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- s.cmd.Wait() }()
	select {
	case err := <-done:
		if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 130 {
			err = nil
		}
		return err
	case <-time.After(time.Minute):
		return errors.Join(errors.New("the server does not end"), s.Kill())
	}
}

// Kill ends it at once.
func (s *Server) Kill() error { return s.cmd.Process.Kill() }

// Used is what a process took: the time of the processors in seconds, and its memory in
// bytes, now and at its peak. Zeros where the system does not tell (other than Linux).
type Used struct {
	CPU          float64
	RSS, PeakRSS int64
}

// Used returns what the server took.
func (s *Server) Used() Used { return UsedBy(s.PID()) }

// UsedBy returns what a running process took.
func UsedBy(pid int) (u Used) {
	dir := "/proc/" + strconv.Itoa(pid)
	if raw, err := os.ReadFile(dir + "/stat"); err == nil {
		text := string(raw)
		fields := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
		const user, system, ticks = 11, 12, 100
		if len(fields) > system {
			a, _ := strconv.ParseFloat(fields[user], 64) // the kernel writes numbers
			b, _ := strconv.ParseFloat(fields[system], 64)
			u.CPU = (a + b) / ticks
		}
	}
	raw, err := os.ReadFile(dir + "/status")
	if err != nil {
		return u
	}
	for line := range strings.Lines(string(raw)) {
		name, value, _ := strings.Cut(line, ":")
		kb, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64) // 0 of the others
		switch name {
		case "VmRSS":
			u.RSS = kb << 10
		case "VmHWM":
			u.PeakRSS = kb << 10
		}
	}
	return u
}
