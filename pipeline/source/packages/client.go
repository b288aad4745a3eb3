package packages

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"time"

	"docent/pipeline/ingest/child"
	"docent/pipeline/source"
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
	program, err := r.look(name)
	if err != nil {
		return err
	}
	environ := r.Environ
	if environ == nil {
		environ = exec.Command(program).Environ()
	}
	environ = append(append(environ[:len(environ):len(environ)], "LC_ALL=C.UTF-8", "NO_COLOR=1"), more...)
	r.say(source.Progress{Text: "waiting for " + name})
	stderr, err := child.Run(ctx, child.Program{Path: program, Args: args, Dir: r.work, Env: environ,
		Limits: child.Limits{Time: mostTime, Output: most}}, read)
	if err == nil || ctx.Err() != nil {
		return errors.Join(err, ctx.Err())
	}
	if exit, ok := errors.AsType[*child.ExitError](err); ok {
		return r.failure(name+" says: "+reasonOf(stderr, exit.State), "look at the name and the version, and at "+name+"'s registry", err)
	}
	return r.failure(err.Error(), "try again", err)
}

// Prefixes of the lines in which clients name an error, and those of lines that name none.
var (
	errorPrefixes   = []string{"npm error ", "npm ERR! ", "ERROR: ", "error: ", "E: ", "go: "}
	warningPrefixes = []string{"warn", "npm warn", "notice", "npm notice", "w: ", "n: "}
	// telling are the words of the lines that say why.
	telling = []string{"not found", "no matching", "unable to locate", "could not", "no such", "unknown revision", "not exist", "refused", "network"}
)

// reasonOf is the line that says most of what a client wrote to standard error: one with a
// telling word, else the first of an error, else the first.
func reasonOf(stderr, state string) string {
	const most = 200
	var best, named, first string
	for line := range strings.Lines(stderr) {
		line = oneLine(line)
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
		if slices.ContainsFunc(telling, func(word string) bool { return strings.Contains(low, word) }) {
			best = cmp.Or(best, line)
		}
		if isError {
			named = cmp.Or(named, line)
		}
		first = cmp.Or(first, line)
	}
	return shorten.Line(cmp.Or(best, named, first, state), most)
}
