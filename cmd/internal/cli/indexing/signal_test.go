package indexing

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/cli/invocation"
	"docent/cmd/internal/cli/reporting"
	"docent/cmd/internal/cli/undertaking"
)

// A signal before the work begins leaves all requested work undone, and the message lists
// it.
func TestSignalBeforeTheBeginning(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out bytes.Buffer
	c := &invocation.Call{IO: console.IO{Out: &out, Err: &out, Env: func(string) string { return "" }}, JSON: true, Quiet: true,
		Manual: fstest.MapFS{"index.md": {Data: []byte("# Manual\n\nThe lantern.\n")}}, Home: filepath.Join(t.TempDir(), "home")}
	c.Work = &undertaking.Work{Kind: undertaking.Adding, Undone: []string{"Fleet@1"}}
	err := c.WithHome(ctx, func(*app.App) error {
		cancel()
		return ctx.Err()
	})
	if code := reporting.Signal(c, failure.CodeTerminated, "terminated", err); code != failure.CodeTerminated {
		t.Errorf("the exit code is %d", code)
	}
	var e struct {
		Details struct {
			Done    []string `json:"done"`
			NotDone []string `json:"not_done"`
		}
	}
	if err := json.Unmarshal(out.Bytes(), &e); err != nil || len(e.Details.Done) > 0 || !slices.Equal(e.Details.NotDone, []string{"Fleet@1"}) {
		t.Errorf("%v: it says %s", err, out.String())
	}
	if names := namedOrListed(c, nil); len(names) != 1 { // the manual, of a home that is not open
		t.Errorf("all doc sets are %q", names)
	}
}
