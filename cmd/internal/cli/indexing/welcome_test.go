package indexing

import (
	"bytes"
	"strings"
	"testing"

	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/invocation"
)

// echo QUESTION | docent does not read the pipe, and the first line says how it is read.
func TestWelcomeSaysThatAQuestionWasNotRead(t *testing.T) {
	t.Parallel()
	for _, waiting := range []bool{true, false} {
		var out bytes.Buffer
		writeWelcome(&invocation.Call{IO: console.IO{Out: &out, Waiting: func() bool { return waiting }}}, nil)
		first, _, _ := strings.Cut(out.String(), "\n")
		if got := strings.Contains(first, "not read") && strings.Contains(first, "docent -"); got != waiting {
			t.Errorf("something in the pipe: %v; the first line is %q", waiting, first)
		}
	}
	var out bytes.Buffer
	writeWelcome(&invocation.Call{IO: console.IO{Out: &out}}, nil)
	if !strings.HasPrefix(out.String(), "docent answers questions from") {
		t.Errorf("where nothing is known of the pipe: %q", out.String())
	}
}
