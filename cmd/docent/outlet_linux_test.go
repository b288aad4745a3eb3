package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Output to a full disk, or to another file that cannot be written, is an error: none of
// these commands exits with 0.
func TestOutputThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	home := filepath.Join(t.TempDir(), "home")
	r := runner{home: home}
	r.run(t, 0, "", "status")
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
