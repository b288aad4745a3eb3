package git

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"docent/pipeline/source"
)

// settings hold for every call: nothing that the repository or its server brings is run.
var settings = []string{
	"-c", "core.hooksPath=" + os.DevNull, "-c", "core.fsmonitor=false", "-c", "protocol.ext.allow=never", "-c", "gc.auto=0",
	"-c", "maintenance.auto=false", "-c", "filter.lfs.smudge=", "-c", "filter.lfs.process=", "-c", "filter.lfs.required=false",
	"-c", "submodule.recurse=false", "-c", "advice.detachedHead=false", "-c", "core.autocrlf=false", "-c", "transfer.bundleURI=false",
	"-c", "init.defaultBranch=main", "-c", "init.templateDir=", "-c", "core.longpaths=true", "-c", "fetch.fsckObjects=false",
}

// mostOutput bounds what git may print.
const mostOutput = 256 << 20

func (r *repository) command(ctx context.Context, args []string) (*exec.Cmd, error) {
	program, err := exec.LookPath(r.program)
	if err != nil {
		return nil, r.failure("git is not installed", "install it", errors.Join(errNoGit, err))
	}
	before := append([]string{"-C", r.dir}, settings...)
	if r.want.Strict {
		before = append(before, "-c", "http.followRedirects=false", "-c", "protocol.file.allow=never")
	}
	cmd := exec.CommandContext(ctx, program, append(before, args...)...)
	environ := r.environ
	if environ == nil {
		environ = cmd.Environ()
	}
	// No terminal is asked for a password: a progress line would hide the question.
	cmd.Env = append(environ[:len(environ):len(environ)], "GIT_TERMINAL_PROMPT=0", "GIT_ALLOW_PROTOCOL=file:git:http:https:ssh",
		"GIT_LFS_SKIP_SMUDGE=1", "GIT_OPTIONAL_LOCKS=0", "GIT_CONFIG_NOSYSTEM=", "LC_ALL=C", "GIT_DIR=",
		"GIT_WORK_TREE=", "GIT_INDEX_FILE=")
	cmd.Env = withoutEmpty(cmd.Env)
	cmd.Cancel = func() error {
		if err := cmd.Process.Signal(os.Interrupt); err == nil || errors.Is(err, os.ErrProcessDone) {
			return err
		}
		return cmd.Process.Kill()
	}
	cmd.WaitDelay = 5 * time.Second
	return cmd, nil
}

// withoutEmpty drops the variables that are set to nothing last: an empty GIT_DIR is not the
// same as none.
func withoutEmpty(environ []string) []string {
	empty := map[string]bool{}
	for _, v := range environ {
		if name, value, ok := strings.Cut(v, "="); ok && strings.HasPrefix(name, "GIT_") {
			empty[name] = value == ""
		}
	}
	var out []string
	for _, v := range environ {
		if name, _, _ := strings.Cut(v, "="); !empty[name] {
			out = append(out, v)
		}
	}
	return out
}

// output runs git and returns what it prints, without the last line's end.
func (r *repository) output(ctx context.Context, args ...string) (string, error) {
	return r.run(ctx, args, nil, nil)
}

// watched is as output, and tells of git's progress.
func (r *repository) watched(ctx context.Context, args ...string) (string, error) {
	return r.run(ctx, args, nil, r.say)
}

// run runs git with an input, nil for none.
func (r *repository) run(ctx context.Context, args []string, in io.Reader, say func(source.Progress)) (string, error) {
	cmd, err := r.command(ctx, args)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	said := &lines{say: say}
	cmd.Stdin = in
	cmd.Stdout, cmd.Stderr = &limited{w: &out, left: mostOutput}, said
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", r.explain(said.lastLines(), err)
	}
	return strings.TrimSuffix(out.String(), "\n"), nil
}

// The beginnings of the reasons of failures: unexplained ones, and those that a repository has no
// part in.
const (
	gitFailed   = "git failed: "
	unreachable = "its host cannot be reached"
	diskFull    = "the disk is full"
)

// explain is the error of a call of git by what it said.
func (r *repository) explain(said string, err error) error {
	low := strings.ToLower(said)
	has := func(parts ...string) bool {
		for _, p := range parts {
			if strings.Contains(low, p) {
				return true
			}
		}
		return false
	}
	switch {
	case has("could not read username", "authentication failed", "permission denied", "terminal prompts disabled"):
		return r.failure("there is no such repository, or it wants credentials", "see that git can clone it", err)
	case has("repository not found", "not found", "does not exist", "does not appear to be a git repository"):
		return r.failure("there is no such repository", "look at its address", err)
	case has("could not resolve host", "could not connect", "failed to connect", "couldn't connect", "connection refused",
		"network is unreachable", "timed out", "connection reset"):
		return r.failure(unreachable+" ("+reason(said)+")", "try again when there is a network", err)
	case has("certificate"):
		return r.failure("the certificate of its host is not trusted ("+reason(said)+")", "see that git can clone it", err)
	case has("no space left"):
		return r.failure(diskFull, "free some space", err)
	}
	return r.failure(gitFailed+reason(said), "see that git can clone it", err)
}

// reason is the line of git's messages that says most.
func reason(said string) string {
	last := ""
	for line := range strings.Lines(said) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "fatal: "); ok {
			if _, why, ok := strings.Cut(rest, "': "); ok && strings.HasPrefix(rest, "unable to access '") {
				rest = why // the address stands before the message
			}
			return shorten(rest)
		}
		if line != "" {
			last = line
		}
	}
	return shorten(last)
}

// lines passes git's progress on and keeps the end of what it said.
type lines struct {
	say  func(source.Progress)
	line []byte
	kept []string
}

// Write takes a piece of git's standard error.
func (l *lines) Write(p []byte) (int, error) {
	for _, c := range p {
		if c != '\r' && c != '\n' {
			if len(l.line) < 1000 {
				l.line = append(l.line, c)
			}
			continue
		}
		l.end(c == '\r')
	}
	return len(p), nil
}

func (l *lines) end(again bool) {
	line := strings.TrimSpace(string(l.line))
	l.line = l.line[:0]
	if line == "" {
		return
	}
	if p, ok := progressOf(line); ok && l.say != nil {
		l.say(p)
	}
	if !again {
		l.kept = append(l.kept, line)
		l.kept = l.kept[max(0, len(l.kept)-20):]
	}
}

func (l *lines) lastLines() string {
	l.end(false)
	return strings.Join(l.kept, "\n")
}

// limited fails when more than left bytes are written.
type limited struct {
	w    io.Writer
	left int
}

func (l *limited) Write(p []byte) (int, error) {
	if l.left -= len(p); l.left < 0 {
		return 0, errors.New("it printed too much")
	}
	return l.w.Write(p)
}
