package tui_test

import (
	"strings"
	"testing"

	"docent/tui/tuitest"
)

// The versions of a doc set are compared from the library and from the reader; a line
// leads to the page, and esc back.
func TestVersions(t *testing.T) {
	t.Parallel()
	b := &tuitest.Backend{}
	d := tuitest.Start(t, tuitest.Options(b), 80, 24)
	d.Keys("ctrl+l", "V")
	tuitest.Golden(t, "versions", d.Screen())
	d.Keys("enter", "j", "enter", "j", "enter")
	if s := d.Screen(); !strings.Contains(s, "guides/oil.md") || strings.Contains(s, "@@") {
		t.Errorf("the line does not open its page:\n%s", s)
	}
	d.Keys("V")
	if s := d.Screen(); !strings.Contains(s, "Wicks > Trim  changed") {
		t.Errorf("the page is not unfolded:\n%s", s)
	}
	d.Keys("V")
	if s := d.Screen(); !strings.Contains(s, "lantern@1.7 → ") {
		t.Errorf("no other versions are compared:\n%s", s)
	}
	d.Keys("?")
	if s := d.Screen(); !strings.Contains(s, "the comparison of versions") {
		t.Errorf("the help does not know where it is:\n%s", s)
	}
	d.Keys("esc", "esc", "esc", "esc")
	if s := d.Screen(); strings.Contains(s, "→ lantern") || !strings.Contains(s, "Library") {
		t.Errorf("esc does not lead back:\n%s", s)
	}
}
