package packages

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"docent/pipeline/source"
	"docent/pipeline/text/sanitize"
	"docent/pipeline/text/shorten"
)

// Limits of one run of a client.
const (
	mostTime   = 15 * time.Minute
	mostOutput = 64 << 20 // of what it prints; cargo prints the metadata of all crates
)

// run runs a client in the folder of the request and returns what it prints.
func (r *request) run(ctx context.Context, name string, more []string, args ...string) ([]byte, error) {
	var out bytes.Buffer
	err := r.stream(ctx, name, more, mostOutput, func(stdout io.Reader) error {
		_, err := out.ReadFrom(stdout)
		return err
	}, args...)
	return out.Bytes(), err
}

// stream runs a client and has read read what it prints. more are variables of its
// environment, on top of the user's.
func (r *request) stream(ctx context.Context, name string, more []string, most int64, read func(io.Reader) error, args ...string) error {
	program, err := r.findClient(name)
	if err != nil {
		return err
	}
	environ := r.Environ
	if environ == nil {
		environ = exec.Command(program).Environ()
	}
	environ = append(append(environ[:len(environ):len(environ)], "LC_ALL=C.UTF-8", "NO_COLOR=1"), more...)
	environ = withPatience(environ)
	r.say(source.Progress{Text: "waiting for " + name})
	limited, cancel := context.WithTimeoutCause(ctx, mostTime, errTime)
	defer cancel()
	cmd := exec.CommandContext(limited, program, args...)
	said := &beginning{}
	cmd.Dir, cmd.Env, cmd.Stderr, cmd.WaitDelay = r.work, environ, said, 5*time.Second // for what holds its output open
	cmd.Cancel = func() error {
		// A client that is interrupted ends the programs that it started.
		if err := cmd.Process.Signal(os.Interrupt); err == nil || errors.Is(err, os.ErrProcessDone) {
			return err
		}
		return cmd.Process.Kill()
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return r.failure(name+" cannot be started", "see that it runs here", err)
	}
	proxy := watchProxy(limited, environ, cancel)
	out := &counted{from: stdout, left: most, unlimited: most <= 0}
	readErr := read(out)
	if readErr != nil {
		cancel()
	}
	waited := cmd.Wait()
	r.said = said.buf.String()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case waited != nil && proxy.found() != "":
		return r.failure(proxy.found(), "start it, or name another one by "+proxy.name, errProxy)
	case errors.Is(context.Cause(limited), errTime):
		return r.failure(fmt.Sprintf("%s did not end within %v", name, mostTime), "try again", errTime)
	case out.over:
		return r.failure(fmt.Sprintf("%s prints more than %d MB", name, most>>20), "look at the name and the version", errOutput)
	case readErr != nil:
		return readErr
	case waited != nil:
		return r.failure(name+" says: "+reasonOf(said.buf.String(), waited.Error()),
			"look at the name and the version, and at "+name+"'s registry", waited)
	}
	return nil
}

// The limits that a client may reach.
var (
	errTime   = errors.New("the client took too long")
	errOutput = errors.New("the client printed too much")
	errProxy  = errors.New("the proxy cannot be used")
)

// counted ends when a limit is reached.
type counted struct {
	from      io.Reader
	left      int64
	unlimited bool
	over      bool
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	if c.unlimited {
		return n, err
	}
	if c.left -= int64(n); c.left < 0 {
		c.over = true
		return 0, errOutput
	}
	return n, err
}

// beginning keeps the first bytes of what a client says.
type beginning struct{ buf bytes.Buffer }

func (b *beginning) Write(p []byte) (int, error) {
	const most = 16 << 10
	b.buf.Write(p[:min(len(p), max(0, most-b.buf.Len()))])
	return len(p), nil
}

// Prefixes of the lines in which clients name an error, and those of lines that name none.
var (
	errorPrefixes   = []string{"npm error ", "npm ERR! ", "ERROR: ", "[ERROR] ", "error: ", "E: ", "go: "}
	warningPrefixes = []string{"warn", "npm warn", "notice", "npm notice", "w: ", "n: "}
	// telling are the words of the lines that say why.
	telling = []string{"unable to download", "not found", "no matching", "unable to locate", "could not", "no such",
		"unknown revision", "not exist", "refused", "network"}
)

// reasonOf is the line that says most of what a client wrote to standard error: one with a
// telling word, else the first of an error, else the first.
func reasonOf(stderr, state string) string {
	const most = 200
	var best, named, first string
	for line := range strings.Lines(stderr) {
		line = oneLine(sanitize.Line(line)) // clients colour their errors
		low := strings.ToLower(line)
		if line == "" || slices.ContainsFunc(warningPrefixes, func(p string) bool { return strings.HasPrefix(low, p) }) {
			continue
		}
		isError := false
		for _, prefix := range errorPrefixes {
			rest, ok := strings.CutPrefix(line, prefix)
			line, isError = rest, isError || ok
		}
		line = strings.TrimPrefix(line, "code ")
		// The reason of a line that ends with a colon is in the next one.
		if !strings.HasSuffix(line, ":") && slices.ContainsFunc(telling, func(word string) bool { return strings.Contains(low, word) }) {
			best = cmp.Or(best, line)
		}
		if isError {
			named = cmp.Or(named, line)
		}
		first = cmp.Or(first, line)
	}
	return shorten.Line(cmp.Or(best, named, first, state), most)
}
