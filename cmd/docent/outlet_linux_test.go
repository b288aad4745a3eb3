package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Output to a full disk, or to another file that cannot be written, is an error: none of
// these commands exits with 0.
func TestOutputThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	r := runnerWithManual(t)
	queries := filepath.Join(t.TempDir(), "queries.jsonl")
	if err := os.WriteFile(queries, []byte(`{"query": "verify a block", "doc": "verify.md"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"ask", "verify a block"}, {"ask", "--json", "verify a block"}, {"ask", "--events", "verify a block"},
		{"search", "verify a block"}, {"search", "--json", "verify a block"}, {"phase", "0a"},
		{"read", "Docent_Manual/verify.md"}, {"read", "Docent_Manual/verify.md", "--toc"}, {"read", "Docent_Manual", "--toc"},
		{"sets"}, {"status"}, {"doctor"}, {"update"}, {"eval", "--set", "Docent_Manual", queries}, {"config", "show"}, {"config", "lint"}, {"config", "path"},
		{"completion", "bash"}, {"version"}, {"--help"}, {"help"}, {"help", "keys"}, {"ask", "--help"},
	} {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Skip(err)
		}
		cmd := r.command(t, "verify a block", args...)
		var errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = full, &errs
		_ = cmd.Run()
		if err := full.Close(); err != nil {
			t.Error(err)
		}
		if code := cmd.ProcessState.ExitCode(); code != 3 || !strings.Contains(errs.String(), "standard output cannot be written: no space left on device") {
			t.Errorf("docent %q: exit code %d: %s", args, code, errs.String())
		}
	}
}

// A reader that has ended ends the command by SIGPIPE, without a message: 141 to a shell.
func TestAClosedPipeEndsACommand(t *testing.T) {
	t.Parallel()
	r := runner{home: filepath.Join(t.TempDir(), "home")}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := read.Close(); err != nil {
		t.Fatal(err)
	}
	cmd := r.command(t, "", "help", "keys")
	var errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = write, &errs
	_ = cmd.Run() // how it ended is looked at below
	if err := write.Close(); err != nil {
		t.Error(err)
	}
	status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() || status.Signal() != syscall.SIGPIPE || errs.Len() > 0 {
		t.Errorf("it ended with %v: %s", cmd.ProcessState, errs.String())
	}
}
