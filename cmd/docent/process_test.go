package main

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"docent/cmd/internal/cli"
	"docent/cmd/internal/cli/console"
)

// Starting docent takes 0.1 s of the processor's time, more than most commands take: the packages
// that it links set up their tables. The scripts run 1 300 commands, so each script has one process
// that runs its commands one after the other. It can pass nothing from one command to the next
// except in the home: no package changes its variables (TestNoPackageChangesItsVariables). In the long
// form of the tests each command has a process of its own; so have those that a script runs with
// docent or exec docent.

// commandsProgram is the name under which the test binary runs commands one after the other.
const commandsProgram = "docent-commands"

// call is a command to run, and outcome how it ended.
type (
	call struct {
		Dir   string
		Args  []string
		Input string
	}
	outcome struct {
		Code        int
		Out, Errors string
	}
)

// runCommands runs the calls on standard input and writes their outcomes to standard output.
func runCommands() {
	log.SetOutput(io.Discard)
	pages, err := fs.Sub(manual, "manual")
	if err != nil {
		panic(err)
	}
	calls, outcomes := gob.NewDecoder(os.Stdin), gob.NewEncoder(os.Stdout)
	for {
		var c call
		if err := calls.Decode(&c); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			panic(err)
		}
		if c.Dir != "." {
			if err := errors.Join(os.Chdir(c.Dir), os.Setenv("PWD", c.Dir)); err != nil {
				panic(err)
			}
		}
		system := console.System()
		var out, errs bytes.Buffer
		system.In, system.Out, system.Err = strings.NewReader(c.Input), &out, &errs
		system.InTTY, system.OutTTY, system.ErrTTY = false, false, false
		code := cli.Main(system, pages, c.Args)
		if err := outcomes.Encode(outcome{code, out.String(), errs.String()}); err != nil {
			panic(err)
		}
	}
}

// commandProcess is a process in which commands run.
type commandProcess struct {
	env   []string // a later variable of a name counts
	input string   // standard input of the next command

	cmd      *exec.Cmd // nil: not running
	stdin    io.WriteCloser
	calls    *gob.Encoder
	outcomes *gob.Decoder
	said     bytes.Buffer // standard error of the process itself
}

type processKey struct{}

func processOf(ts *testscript.TestScript) *commandProcess {
	return ts.Value(processKey{}).(*commandProcess)
}

// run runs a command in a folder.
func (p *commandProcess) run(dir string, args []string) (outcome, error) {
	c := call{dir, args, p.input}
	p.input = ""
	if inLongForm() {
		return p.runAlone(c)
	}
	if p.cmd == nil {
		if err := p.start(); err != nil {
			return outcome{}, err
		}
	}
	var o outcome
	err := p.calls.Encode(c)
	if err == nil {
		err = p.outcomes.Decode(&o)
	}
	if err != nil {
		p.stop()
		return o, fmt.Errorf("docent %q: %w: %s", args, err, p.said.String())
	}
	return o, nil
}

// runAlone runs a command in a process of its own.
func (p *commandProcess) runAlone(c call) (outcome, error) {
	cmd := exec.Command("docent", c.Args...)
	cmd.Dir, cmd.Env, cmd.Stdin = c.Dir, p.env, strings.NewReader(c.Input)
	if c.Dir != "." {
		cmd.Env = append(slices.Clone(p.env), "PWD="+c.Dir)
	}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
		return outcome{}, err
	}
	return outcome{cmd.ProcessState.ExitCode(), out.String(), errs.String()}, nil
}

// inLongForm reports whether the tests run as in make test: with a process for each command, and with
// more repetitions.
func inLongForm() bool { return os.Getenv("DOCENT_TEST_LONG") != "" }

// inOneProcess is a process for the commands of a test that are not about processes.
func (r runner) inOneProcess(t *testing.T) *commandProcess {
	p := &commandProcess{env: r.command(t, "").Env}
	t.Cleanup(p.stop)
	return p
}

// require runs a command, requires its exit code and returns its two outputs.
func (p *commandProcess) require(t *testing.T, code int, args ...string) (stdout, stderr string) {
	t.Helper()
	o, err := p.run(".", args)
	if err != nil {
		t.Fatal(err)
	}
	if o.Code != code {
		t.Fatalf("docent %q: exit code %d, not %d\n%s%s", args, o.Code, code, o.Out, o.Errors)
	}
	return o.Out, o.Errors
}

func (p *commandProcess) start() (err error) {
	cmd := exec.Command(commandsProgram)
	cmd.Env, cmd.Stderr = p.env, &p.said
	if p.stdin, err = cmd.StdinPipe(); err != nil {
		return err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	p.cmd, p.calls, p.outcomes = cmd, gob.NewEncoder(p.stdin), gob.NewDecoder(stdout)
	return nil
}

// stop ends the process, if it runs.
func (p *commandProcess) stop() {
	if p.cmd == nil {
		return
	}
	_ = p.stdin.Close()
	_ = p.cmd.Wait()
	p.cmd = nil
}

// cmdInput is `input FILE`. It makes the text of FILE the standard input of the next exits.
func cmdInput(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: input FILE")
	}
	processOf(ts).input = ts.ReadFile(args[0])
}

// cmdSet is `set NAME=VALUE...`. It sets variables of the environment, also for the process of
// exits, which begins anew.
func cmdSet(ts *testscript.TestScript, neg bool, args []string) {
	p := processOf(ts)
	p.stop()
	for _, arg := range args {
		name, value, ok := strings.Cut(arg, "=")
		if neg || !ok {
			ts.Fatalf("usage: set NAME=VALUE...")
		}
		ts.Setenv(name, value)
		p.env = append(p.env, arg)
	}
}

// checkScripts refuses the standard commands stdin and env in scripts: they do not reach the process
// of exits.
func checkScripts(files []string) error {
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		script, _, _ := strings.Cut(string(text), "\n-- ")
		for line := range strings.Lines(script) {
			if strings.HasPrefix(line, "stdin ") || strings.HasPrefix(line, "env ") {
				return fmt.Errorf("%s: %swould not reach the commands that exits runs: use input FILE and set NAME=VALUE", file, line)
			}
		}
	}
	return nil
}
