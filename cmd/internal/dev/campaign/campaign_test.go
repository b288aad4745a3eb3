package main

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// The short form of the campaign: nothing is lost, nothing silent, nothing broken. The
// long form is make campaign.
func TestCampaign(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes half a minute")
	}
	bin := filepath.Join(t.TempDir(), "docent")
	if runtime.GOOS == "windows" {
		bin += ".exe"
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-o", bin, "docent/cmd/docent")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var log, table bytes.Buffer
	c, err := run(t.Context(), options{bin: bin, seed: 1, pages: 80, kills: 1, flips: 1, disks: 1, faultTries: 2}, &log)
	if err != nil {
		t.Fatalf("%v\n%s", err, log.String())
	}
	c.print(&table)
	t.Logf("\n%s", table.String())
	if c.faults() > 0 {
		t.Errorf("%d faults:\n%s", c.faults(), log.String())
	}
	for _, r := range c.rows {
		if r.tries == 0 && r.skipped == "" {
			t.Errorf("%s: nothing was tried", r.name)
		}
		// Every byte of these files matters, so that each flip must be noticed.
		if strings.HasPrefix(r.name, "flip: the words") && r.said < r.tries {
			t.Errorf("%s: %d of %d were noticed", r.name, r.said, r.tries)
		}
	}
}

// A campaign that cannot find a fault would be worth nothing: of a program that
// answers nothing, it says so.
func TestCampaignFindsFaults(t *testing.T) {
	t.Parallel()
	c := &campaign{options: options{bin: "false"}, ctx: t.Context(), dir: t.TempDir(), log: &bytes.Buffer{}}
	r := c.row("a program that does nothing")
	r.tries++
	c.settle(r, t.TempDir(), "Fleet")
	if r.lost == 0 || r.broken == 0 || c.faults() == 0 {
		t.Errorf("lost %d, broken %d", r.lost, r.broken)
	}
}
