package reporting_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/cli/invocation"
	"docent/cmd/internal/cli/reporting"
	"docent/cmd/internal/cli/undertaking"
	"docent/pipeline/contract"
	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
	"docent/pipeline/service/vectors"
	"docent/store/doc"
)

// Each class of errors has its exit code, and an error is one line for a person, or JSON.
func TestErrorsAreReported(t *testing.T) {
	t.Parallel()
	missing := contract.Invalid("page", "there is no page oil.md").WithRemedy(contract.RunDocent("search", "oil").To("finds pages by what they say"))
	taken := &library.TakenError{Ref: doc.Ref{Name: "Lantern", Version: "1"}, Root: "/docs/lantern"}
	tests := []struct {
		name           string
		json, filter   bool
		err            error
		code           int
		stdout, stderr string
	}{
		{name: "a code alone", err: failure.ExitCode(failure.CodeNothing), code: failure.CodeNothing},
		{name: "wrong usage", err: failure.UsageError("give a\npage"), code: failure.CodeUsage, stderr: "docent: give a; page\n"},
		{name: "wrapped", err: fmt.Errorf("read: %w", failure.UsageError("no page")), code: failure.CodeUsage, stderr: "docent: no page\n"},
		{name: "unavailable", err: &home.UnavailableError{What: "the disk is full", Err: errors.New("ENOSPC")}, code: failure.CodeUnavailable,
			stderr: "docent: the disk is full: ENOSPC\n"},
		{name: "with its command", err: missing, code: failure.CodeUsage,
			stderr: "docent: there is no page oil.md; docent search finds pages by what they say\n"},
		{name: "a name that is taken", err: taken, code: failure.CodeUsage, stderr: "docent: Lantern@1 is already /docs/lantern; give the " +
			"new one a name with --name or --version, or forget the old one with: docent rm Lantern@1\n"},
		{name: "steering a terminal", err: failure.UsageError("no page \x1b[2J"), code: failure.CodeUsage, stderr: "docent: no page [2J\n"},
		{name: "JSON", json: true, err: failure.UsageError("no page"), code: failure.CodeUsage,
			stdout: `{"errorCode":"INVALID_REQUEST","message":"no page"}` + "\n"},
		{name: "a filter says it twice", filter: true, err: failure.UsageError("no page"), code: failure.CodeUsage,
			stdout: `{"errorCode":"INVALID_REQUEST","message":"no page"}` + "\n", stderr: "docent: no page\n"},
	}
	for _, tt := range tests {
		var out, errs bytes.Buffer
		c := &invocation.Call{IO: console.IO{Out: &out, Err: &errs}, JSON: tt.json, Filter: tt.filter}
		if code := reporting.Error(c, tt.err); code != tt.code || out.String() != tt.stdout || errs.String() != tt.stderr {
			t.Errorf("%s: code %d\n%q\n%q", tt.name, code, out.String(), errs.String())
		}
	}
}

// A command that a signal ended says what it had done, and not what a library made of the
// end of its context.
func TestSignalsAreReported(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		verbose int
		err     error
		work    *undertaking.Work
		want    string
	}{
		{want: "docent: interrupted\n", err: context.Canceled},
		{verbose: 1, err: errors.New("statement is closed"), want: "docent: statement is closed\ndocent: interrupted\n"},
		{work: &undertaking.Work{Kind: undertaking.Adding, Done: []string{"Lantern@1"}}, err: vectors.ErrUnembedded,
			want: "docent: interrupted: Lantern@1 was added\n"},
		{work: &undertaking.Work{Kind: undertaking.Updating, Undone: []string{"Lantern@1"}}, err: context.Canceled,
			want: "docent: interrupted: Lantern@1 was not updated; it answers as before, docent update goes on\n"},
	} {
		var errs bytes.Buffer
		c := &invocation.Call{IO: console.IO{Out: &errs, Err: &errs}, Verbose: tt.verbose, Work: tt.work}
		if code := reporting.Signal(c, failure.CodeInterrupted, "interrupted", tt.err); code != failure.CodeInterrupted || errs.String() != tt.want {
			t.Errorf("code %d, %q, want %q", code, errs.String(), tt.want)
		}
	}
}
