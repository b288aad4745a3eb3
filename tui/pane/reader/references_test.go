package reader_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"docent/pipeline/contract"
	"docent/tui/pane/reader"
)

// What leads to the section and from it is listed, filtered by typing, and opened; the
// way back leads to where one was.
func TestReferences(t *testing.T) {
	t.Parallel()
	d := sit(t, 70, 12)
	d.references = []reader.Reference{
		{Says: "requires", Text: "Trim", Target: target("b.md"), Line: 23},
		{Says: "requires", Text: "Go\x1b[2J 1.2"},
		{Says: "refers to", Text: "shop", URL: "https://shop.example/x"},
		{Here: true, Says: "referred to by", Text: "Odds", Target: target("c.md")},
	}
	d.keys("F")
	view := ansi.Strip(d.p.View())
	for _, want := range []string{"4 to and from here", "▸→ requires        Trim", " ← referred to by  Odds", "B.MD"} {
		if !strings.Contains(view, want) {
			t.Errorf("the list has no %q:\n%s", want, view)
		}
	}
	if strings.Contains(d.p.View(), "\x1b[2J") {
		t.Error("a page's text controls the terminal")
	}
	d.typing("odd").keys("enter")
	if to, _ := d.p.Target(); to.FilePath != "c.md" || d.p.Mode() != 0 && strings.Contains(d.p.View(), "lead here") {
		t.Errorf("enter opens %s", to.FilePath)
	}
	d.keys("H")
	if to, _ := d.p.Target(); to.FilePath != "a.md" {
		t.Errorf("the way back leads to %s", to.FilePath)
	}
	d.keys("F", "down", "enter")
	if !strings.Contains(d.said, "is no page of lantern@1") {
		t.Errorf("what is no page says %q", d.said)
	}
	d.keys("down", "enter", "enter")
	if d.browse != "https://shop.example/x" {
		t.Errorf("a web address opens %q", d.browse)
	}
	d.keys("F").typing("zzz").keys("enter", "esc")
	if strings.Contains(d.p.View(), "lead here") {
		t.Error("esc does not close the list")
	}
}

// Where nothing is to be listed, or the references cannot be read, that is reported; an answer for a page
// that was left is dropped.
func TestNoReferences(t *testing.T) {
	t.Parallel()
	d := sit(t, 70, 12)
	if d.keys("F"); !strings.Contains(d.said, "nothing leads to this section") {
		t.Errorf("nothing is said as %q", d.said)
	}
	d.refErr = errors.New("the graph is locked")
	if d.keys("F"); !strings.Contains(d.said, "the graph is locked") {
		t.Errorf("an error is said as %q", d.said)
	}
	to := target("b.md")
	to.Heading = contract.Heading{Text: "## Trim"}
	d.run(d.p.Open(to))
	if d.run(d.p.SetReferences(target("a.md").ID(), []reader.Reference{{Text: "x"}}, nil)); strings.Contains(d.p.View(), "lead") {
		t.Error("references of a page that was left are listed")
	}
}
