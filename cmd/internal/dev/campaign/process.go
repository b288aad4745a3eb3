package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"regexp"
	"strings"
	"time"
)

// longest is how long a command may take before it counts as one that does not end.
const longest = 2 * time.Minute

// done is a command that ended.
type done struct {
	args     []string
	out, err string
	code     int // -1: it was killed, or did not end
	took     time.Duration
	cpu      time.Duration // of the processors: what else the machine does is not in it
	peak     int64         // memory in bytes, at least what this process has; 0: not known
}

func (d done) String() string {
	return fmt.Sprintf("docent %s: exit code %d: %s", strings.Join(d.args, " "), d.code, strings.TrimSpace(d.err))
}

var crash = regexp.MustCompile(`(?m)^(panic:|fatal error:|goroutine \d+ \[|unexpected fault address|SIG[A-Z]+:)`)

// crashed reports whether the program broke down.
func (d done) crashed() bool { return crash.MatchString(d.err) || d.took >= longest }

func (c *campaign) command(ctx context.Context, home string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, c.bin, args...)
	// No model is asked: the discard port has no server.
	cmd.Env = append(os.Environ(), "DOCENT_HOME="+home, "OLLAMA_HOST=127.0.0.1:9", "NO_COLOR=1")
	return cmd
}

// docent runs the program.
func (c *campaign) docent(home string, args ...string) done {
	ctx, cancel := context.WithTimeout(c.ctx, longest)
	defer cancel()
	cmd := c.command(ctx, home, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	began := time.Now()
	_ = cmd.Run() // the exit code says it
	d := done{args: args, out: out.String(), err: errs.String(), code: cmd.ProcessState.ExitCode(), took: time.Since(began)}
	if cmd.ProcessState != nil {
		d.cpu, d.peak = cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime(), peakMemory(cmd.ProcessState)
	}
	if c.verbose {
		fmt.Fprintln(c.log, d)
	}
	return d
}

// must runs the program where it has to work: the error ends the campaign.
func (c *campaign) must(home string, args ...string) (done, error) {
	d := c.docent(home, args...)
	if d.code != 0 {
		return d, errors.New(d.String())
	}
	return d, nil
}

// kill starts the program and kills it at a random moment of the time that it takes.
func (c *campaign) kill(home string, takes time.Duration, args ...string) error {
	cmd := c.command(c.ctx, home, args...)
	if err := cmd.Start(); err != nil {
		return err
	}
	time.Sleep(time.Duration(c.rnd.Int64N(int64(takes) + 1)))
	_ = cmd.Process.Kill() // it may have ended
	_ = cmd.Wait()
	return nil
}

// answer is what a search gives.
type answer struct {
	results any
	notes   []any
	files   []string // of the hits, with their doc sets
	done
}

// search asks a question of doc sets; none: of those that it is about.
func (c *campaign) search(home, question string, sets ...string) answer {
	args := []string{"search", "--json", "--threshold", "0"}
	for _, s := range sets {
		args = append(args, "--set", s)
	}
	a := answer{done: c.docent(home, append(args, question)...)}
	var whole map[string]any
	if json.Unmarshal([]byte(a.out), &whole) != nil {
		return a
	}
	a.results = whole["results"]
	if stats, ok := whole["search_stats"].(map[string]any); ok {
		a.notes, _ = stats["notes"].([]any)
	}
	list, _ := a.results.([]any)
	for _, r := range list {
		if r, ok := r.(map[string]any); ok {
			a.files = append(a.files, fmt.Sprintf("%v/%v", r["doc_set"], r["file_path"]))
		}
	}
	return a
}

// same reports whether two answers have the same results.
func (a answer) same(b answer) bool {
	return a.results != nil && reflect.DeepEqual(a.results, b.results)
}

// said reports whether an answer tells of anything that the other one does not.
func (a answer) said(b answer) bool {
	return a.err != b.err || !reflect.DeepEqual(a.notes, b.notes) || a.code != b.code
}

// sets are the doc sets that the program lists, and those of sets.json, but for the
// manual.
func (c *campaign) sets(home string) (listed []string, d done) {
	d = c.docent(home, "sets", "--json")
	var got struct {
		Sets []struct{ Name string }
	}
	if json.Unmarshal([]byte(d.out), &got) == nil {
		for _, s := range got.Sets {
			if s.Name != "Docent_Manual" {
				listed = append(listed, s.Name)
			}
		}
	}
	return listed, d
}
