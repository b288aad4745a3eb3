package phase_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"docent/pipeline"
	"docent/tui/pane/phase"
)

// What the answer requires and warns of stands between block and sources, as soon as it
// is known; the cursor stays, and the text controls no terminal.
func TestAsides(t *testing.T) {
	t.Parallel()
	res := answered(t)
	p := shownFinal(t, res, 60, 400)
	at, _ := p.Source()
	p.SetAsides([]phase.Aside{{Text: "a knife", Where: "lantern@1/a.md"}, {Warns: true, Text: "hot\x1b[2J", Where: "lantern@1/b.md"},
		{Newer: true, Text: "Trim: changed", Where: "lantern@2/a.md, lines 5–8"}})
	if now, _ := p.Source(); now != at {
		t.Errorf("the cursor went from %v to %v", at, now)
	}
	view := p.View()
	plain := ansi.Strip(view)
	if i := strings.Index(plain, "A newer version differs (1)"); i < 0 || i > strings.Index(plain, "It requires (1)") ||
		!strings.Contains(plain, "lantern@2/a.md, lines 5–8") {
		t.Errorf("what a newer version has otherwise is not told first:\n%s", plain)
	}
	requires, warns, sources := strings.Index(plain, "It requires (1)"), strings.Index(plain, "It warns of (1)"), strings.Index(plain,
		"Sources (")
	if requires < 0 || warns < requires || sources < warns || !strings.Contains(plain, "a knife") ||
		!strings.Contains(plain, "lantern@1/b.md") {
		t.Errorf("beside the answer stands:\n%s", plain)
	}
	if strings.Contains(view, "\x1b[2J") {
		t.Error("a page's text controls the terminal")
	}
	p.SetResult(res, pipeline.Request{})
	if strings.Contains(ansi.Strip(p.View()), "It requires") {
		t.Error("what stood beside another answer is still there")
	}
}
