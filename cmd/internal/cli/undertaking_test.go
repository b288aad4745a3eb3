package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"

	"docent/cmd/internal/app"
)

// A signal before the work begins leaves all requested work undone, and the message lists
// it.
func TestSignalBeforeTheBeginning(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out bytes.Buffer
	c := &command{io: IO{Out: &out, Err: &out, Env: func(string) string { return "" }}, json: true, quiet: true,
		manual: fstest.MapFS{"index.md": {Data: []byte("# Manual\n\nThe lantern.\n")}}, home: filepath.Join(t.TempDir(), "home")}
	c.work = &undertaking{kind: adding, undone: []string{"Fleet@1"}}
	err := c.withHome(ctx, func(*app.App) error {
		cancel()
		return ctx.Err()
	})
	if code := c.reportSignal(codeTerminated, "terminated", err); code != codeTerminated {
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
	if names := c.namedOrListed(nil); len(names) != 1 { // the manual, of a home that is not open
		t.Errorf("all doc sets are %q", names)
	}
}
