package running_test

import (
	"strings"
	"testing"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/tui/keymap"
	"docent/tui/pane/phase"
	"docent/tui/tuitest"
)

// The answer stands on the screen after a question, rendered and with its sources, and a key
// shows the block instead: byte for byte what is copied.
func TestTheAnswerComesFirst(t *testing.T) {
	t.Parallel()
	c, _ := begin(t, &tuitest.Backend{}, pipeline.Request{Preferences: contract.Preferences{Extent: contract.ExtentSections}})
	c.SetSize(78, 300)
	finish(c, c.Ask("how do I trim a wick"))
	if !c.Answer.Selected() || c.Answer.Read() == nil {
		t.Fatalf("behind a question %s is selected", c.Steps.Selected())
	}
	for cmd := c.Answer.Render(); cmd != nil; cmd = c.Answer.Render() {
		c.Update(cmd())
	}
	view := tuitest.View(t, c.Pane().View(), 78, 300)
	for _, want := range []string{"Wicks › Trim a wick", "lantern@2.1", "\n  1. Let the lantern cool.", "Sources", "lantern@2.1/guides/wicks.md 5–24"} {
		if !strings.Contains(view, want) {
			t.Errorf("%q is not in the answer:\n%s", want, view)
		}
	}
	for _, not := range []string{"AOP-FINAL", "omitted", "Pass through", "**Source", "## Trim a wick"} {
		if strings.Contains(view, not) {
			t.Errorf("%q is in the answer:\n%s", not, view)
		}
	}
	if p, _ := c.PhasePanel(78, 20); !strings.HasPrefix(p.Info, "likely the answer") {
		t.Errorf("the frame says %q", p.Info)
	}
	if at, ok := c.Source(); !ok || at.FilePath != "guides/wicks.md" {
		t.Errorf("the first line stands in %+v, %v", at, ok)
	}
	c.Pane().Update(keymap.NextSection)
	if at, ok := c.Source(); !ok || at.FilePath != "guides/wicks.md" || at.Heading.Lines[0] < 20 {
		t.Errorf("the next section stands in %+v, %v", at, ok)
	}
	_, copied := c.Final()
	c.Answer.ToggleBlock()
	block := tuitest.View(t, c.Pane().View(), 78, 300)
	if c.Answer.Read() != nil || !strings.Contains(block, "=== AOP-FINAL") || !strings.HasPrefix(copied, "=== AOP-FINAL") {
		t.Errorf("the block is\n%s", block)
	}
	if _, again := c.Final(); again != copied {
		t.Error("what is copied depends on what is shown")
	}
}

// A mark stands for lines that are left out inside a section, and nothing for those before
// the first one, of which the name says enough.
func TestOmissionsOfTheAnswer(t *testing.T) {
	t.Parallel()
	c, _ := begin(t, &tuitest.Backend{}, pipeline.Request{Preferences: contract.Preferences{Compress: true}})
	c.SetSize(78, 200)
	finish(c, c.Ask("how do I trim a wick"))
	view := tuitest.View(t, c.Pane().View(), 78, 200)
	if n := strings.Count(view, "\n  ⋯"); n == 0 || strings.Contains(view, "omitted") {
		t.Errorf("%d marks:\n%s", n, view)
	}
}

// How sure an answer is stands in its frame, and a doubt above its first line too.
func TestTheDoubtOfAnAnswer(t *testing.T) {
	t.Parallel()
	c, _ := begin(t, &tuitest.Backend{Unanswered: true}, pipeline.Request{})
	c.SetSize(78, 20)
	finish(c, c.Ask("how do I trim a wick"))
	view := tuitest.View(t, c.Pane().View(), 78, 20)
	if p, _ := c.PhasePanel(78, 20); !strings.HasPrefix(p.Info, "probably not in your documentation") ||
		!strings.HasPrefix(view, "  ! probably not in your documentation") {
		t.Errorf("%s\n%s", p.Info, view)
	}
	if _, ok := c.Source(); !ok {
		t.Error("the line below the doubt has no place")
	}
}

// An answer under the threshold is not said to be kept, in a line that 80 columns hold.
func TestAnUnsureAnswer(t *testing.T) {
	t.Parallel()
	c, a := begin(t, &tuitest.Backend{Unsure: true}, pipeline.Request{})
	finish(c, c.Ask("how do I trim a wick"))
	if !strings.HasPrefix(a.text, "not sure: the best of 9 sections is below the threshold") || len(a.text) > 76 {
		t.Errorf("it says %q", a.text)
	}
}

// What the answer requires and warns of comes later. It stands below the answer, which is not
// rendered a second time, and stays where it was scrolled to.
func TestRemarksComeLater(t *testing.T) {
	t.Parallel()
	b := &tuitest.Backend{Asides: []phase.Aside{{Text: "a pair of scissors", Where: "Tools"}, {Warns: true, Text: "it is hot", Where: "Wicks"}}}
	c, _ := begin(t, b, pipeline.Request{})
	c.SetSize(78, 20)
	cmd := c.Ask("how do I trim a wick")
	finish(c, cmd)
	for cmd := c.Answer.Render(); cmd != nil; cmd = c.Answer.Render() {
		c.Update(cmd())
	}
	c.Pane().Update(keymap.Bottom)
	view := tuitest.View(t, c.Pane().View(), 78, 20)
	for _, want := range []string{"It requires", "• a pair of scissors", "It warns of", "! it is hot", "Sources"} {
		if !strings.Contains(view, want) {
			t.Errorf("%q is not below the answer:\n%s", want, view)
		}
	}
	c.Pane().Update(keymap.Top)
	c.Pane().Update(keymap.HalfDown)
	before := c.Pane().View()
	c.Restyle()
	for cmd := c.Answer.Render(); cmd != nil; cmd = c.Answer.Render() {
		c.Update(cmd())
		if got := c.Pane().View(); got != before {
			t.Fatalf("the screen jumps:\n%s", got)
		}
	}
}
