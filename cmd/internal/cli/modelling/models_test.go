package modelling

import (
	"bytes"
	"strings"
	"testing"

	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/invocation"
	"docent/llm"
)

// The bar of a pull is drawn on a terminal only, once a percent, and leaves
// nothing behind; what the server says cannot steer the terminal.
func TestPullBar(t *testing.T) {
	t.Parallel()
	steps := []llm.Progress{
		{Status: "pulling manifest"}, {Status: "pulling manifest"},
		{Status: "pulling 1", Total: 4 << 20}, {Status: "pulling 1", Done: 1 << 20, Total: 4 << 20}, {Status: "pulling 1", Done: 1<<20 + 1, Total: 4 << 20},
		{Status: "pulling 1", Done: 9 << 20, Total: 4 << 20}, // more than there is
		{Status: "pulling 1", Done: -1, Total: 4 << 20},
		{Status: "suc\x1b[2Jcess"},
	}
	draw := func(tty, quiet bool) string {
		var out bytes.Buffer
		b := pullBar{c: &invocation.Call{IO: console.IO{Err: &out, ErrTTY: tty}, Quiet: quiet}, name: "m\x1b:1"}
		for _, s := range steps {
			b.drawProgress(s)
		}
		b.clearLine()
		return out.String()
	}
	empty, quarter, full := strings.Repeat("░", 30), strings.Repeat("█", 7)+strings.Repeat("░", 23), strings.Repeat("█", 30)
	want := "m:1 pulling manifest|pulling m:1 " + empty + "   0% 0 B/4.0 MB|pulling m:1 " + quarter + "  25% 1.0 MB/4.0 MB|pulling m:1 " +
		full + " 100% 4.0 MB/4.0 MB|pulling m:1 " + empty + "   0% 0 B/4.0 MB|m:1 suc[2Jcess|"
	if got := strings.TrimPrefix(strings.ReplaceAll(draw(true, false), "\r\x1b[K", "|"), "|"); got != want {
		t.Errorf("drawn is\n%q, not\n%q", got, want)
	}
	for _, none := range []string{draw(false, false), draw(true, true)} {
		if none != "" {
			t.Errorf("drawn is %q where nothing should be", none)
		}
	}
}
