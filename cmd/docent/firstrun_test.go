//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A new user gets the first answer: a new home, a project with a docs folder, one
// key to add it, and a question.
func TestANewcomersFirstAnswer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	docs := filepath.Join(dir, "project", "docs")
	if err := os.MkdirAll(docs, 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range 12 {
		page := fmt.Sprintf("# Lamp %d\n\nLamp number %d burns oil.\n", i, i)
		if i == 7 {
			page = "# Wicks\n\n## Trim the wick\n\nCut the wick level with the brass shears.\n"
		}
		if err := os.WriteFile(filepath.Join(docs, fmt.Sprintf("page-%d.md", i)), []byte(page), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	home := filepath.Join(dir, "home")
	p := startPTYIn(t, filepath.Dir(docs), home)
	p.until("1  ./docs")
	p.until("12 pages")
	p.press("1")
	p.until("added project@latest: 12 pages (12 added)")
	p.press("how do I trim the wick\r")
	p.until("Cut the wick level with the brass shears.")

	// The library has it, fresh; a page that comes later is found after an update.
	late := filepath.Join(docs, "late.md")
	if err := os.WriteFile(late, []byte("# Paraffin\n\nParaffin is kept in the blue barrel.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.press("L")
	p.untilOne("~ 1 new", "project@latest: 13 pages") // the watch may have added it before
	p.press("u")
	p.until("project@latest: 13 pages")
	p.until("✓ fresh")
	p.press("\r") // open the doc set, find, open the page
	p.until("13 pages ─")
	p.press("/paraffin")
	p.until("1 of 13 pages")
	p.press("\r")
	p.until("Paraffin is kept in the blue barrel.")
	p.press("i\x15where is paraffin\r") // another question, from the reader
	p.until("▸8 Answer")
	p.until("Paraffin is kept in the blue barrel.")
	p.press("\x03")
	if err := p.ends(); err != nil {
		t.Errorf("ctrl+c ends the program with %v", err)
	}
	out, code := inHome(t, home, "sets")
	if code != 0 || !strings.Contains(out, "project@latest") {
		t.Errorf("docent sets (%d) lists\n%s", code, out)
	}
	// With a doc set of the user the first-run screen is not shown.
	p = startPTY(t, home)
	p.until("1 doc set")
	if s := p.screen(); strings.Contains(s, "Welcome") {
		t.Errorf("the first-run screen is there again:\n%s", s)
	}
}

// The tour has the sections of the manual's page about it.
func TestTourOfTheRealManual(t *testing.T) {
	t.Parallel()
	p := startPTYIn(t, t.TempDir(), filepath.Join(t.TempDir(), "home"))
	p.until("take the tour")
	p.press("t")
	p.until("Tour 1/5  Ask")
	for _, title := range []string{"2/5  Read the answer and its page", "3/5  Open a step and see why", "4/5  Change something", "5/5  Copy the answer"} {
		if page := manualPage(t, "tour.md"); !strings.Contains(page, "## "+title[:1]+". "+title[5:]+"\n") {
			t.Errorf("tour.md has no section %q", title)
		}
		p.press("\x14")
		p.until("Tour " + title)
	}
	p.press("\x14")
	p.until("that was the tour")
}
