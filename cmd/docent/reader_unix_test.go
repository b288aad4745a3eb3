//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What y copies in the reader is a block of the section that is read, and docent
// verify accepts it: of the section under the cursor, and not of the question.
func TestBlockOfTheReader(t *testing.T) {
	t.Parallel()
	home := lanternHome(t)
	p := startPTY(t, home)
	p.until("1 doc set")
	p.press("how do I trim the wick\r")
	p.until("Cut the wick level.")
	p.press("\r")
	p.until("outline")
	p.press("]")
	p.until("Wicks › 更换灯芯")
	p.press("y")
	p.until("copied the section “更换灯芯”")
	var block string
	select {
	case block = <-p.copied:
	case <-time.After(limit):
		t.Fatal("nothing was copied")
	}
	for _, want := range []string{"旧灯芯太短的时候就要更换。", "**Section:** Wicks › 更换灯芯 · lines 10–12 · https://lantern.example/wicks#"} {
		if !strings.Contains(block, want) {
			t.Errorf("it lacks %q:\n%s", want, block)
		}
	}
	if strings.Contains(block, "Cut the wick level.") {
		t.Errorf("it has another section:\n%s", block)
	}
	file := filepath.Join(t.TempDir(), "block.md")
	if err := os.WriteFile(file, []byte(block), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, code := inHome(t, home, "verify", file); code != 0 {
		t.Errorf("verify: exit code %d: %s\n%s", code, out, block)
	}
	p.press("Y")
	p.until("copied the source of")
	if line := <-p.copied; !strings.HasPrefix(line, "Wicks › 更换灯芯, Lantern@2.1/Wicks/docContent.md, lines 10–12, https://lantern.example/wicks#") {
		t.Errorf("the citation is %q", line)
	}
	p.press("\x03")
	if err := p.ends(); err != nil {
		t.Error(err)
	}
}

// A returning user continues at the same place, with their marks, in a new process.
func TestGoingOnAfterARestart(t *testing.T) {
	t.Parallel()
	home := lanternHome(t)
	p := startPTY(t, home)
	p.until("1 doc set")
	p.press("\x0b") // ctrl+k
	p.until("Go to a page")
	p.press("更换")
	p.until("# 更换灯芯")
	p.press("\r")
	p.until("旧灯芯太短的时候就要更换。")
	p.press("m")
	p.until("✓ marked")
	p.press("\x03")
	if err := p.ends(); err != nil {
		t.Fatal(err)
	}

	p = startPTY(t, home)
	p.until("Read last")
	p.until("Marked")
	p.press("\r")
	p.until("旧灯芯太短的时候就要更换。")
	p.until("★")
	p.press("\x03")
	if err := p.ends(); err != nil {
		t.Error(err)
	}
	entries, err := os.ReadDir(home)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".places") || strings.HasSuffix(e.Name(), ".tmp") {
			t.Errorf("%s was left behind", e.Name())
		}
	}
}
