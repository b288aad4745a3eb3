package phase_test

import (
	"strings"
	"testing"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/tui/keymap"
	"docent/tui/pane/phase"
	"docent/tui/style"
	"docent/tui/tuitest"
)

func shownFinal(t *testing.T, res pipeline.Result, w, h int) *phase.Final {
	t.Helper()
	p := phase.NewFinal(style.New(true, true))
	p.SetSize(w, h)
	p.SetResult(res, pipeline.Request{})
	return p
}

func answered(t *testing.T) pipeline.Result {
	t.Helper()
	return tuitest.Result(t, &tuitest.Backend{}, pipeline.Request{Question: "how do I trim a wick"})
}

// The cursor goes line by line through the block; a line of a document has a
// place in its page, the block's own lines have none. Then come the citations.
func TestFinalSourceUnderTheCursor(t *testing.T) {
	t.Parallel()
	res := answered(t)
	p := shownFinal(t, res, 70, 22)
	if _, ok := p.Source(); ok {
		t.Error("the first line of the block has a source")
	}
	lines := strings.Split(strings.TrimSuffix(res.Final, "\n"), "\n")
	if p.Lines() != len(lines) {
		t.Errorf("the block has %d lines, not %d", p.Lines(), len(lines))
	}
	placed := 0
	for i := range lines {
		if s, ok := p.Source(); ok {
			placed++
			if s.DocSet == "" || s.FilePath == "" || s.Line < 1 {
				t.Errorf("line %d (%q) stands at %+v", i, lines[i], s)
			}
		}
		if got := tuitest.Intent(p.Update(keymap.Down)); got != nil {
			t.Errorf("down asks for %+v", got)
		}
	}
	if placed < len(lines)/2 {
		t.Errorf("only %d of %d lines have a source", placed, len(lines))
	}
	for _, c := range res.Citations {
		s, ok := p.Source()
		if want := (phase.Source{DocSet: c.DocSet, FilePath: c.FilePath, Title: c.PageTitle, Line: c.Lines[0]}); !ok || s != want {
			t.Errorf("the citation stands at %+v, %v, not %+v", s, ok, want)
		}
		p.Update(keymap.Down)
	}
	p.Update(keymap.Top)
	if _, ok := p.Source(); ok {
		t.Error("the top has a source")
	}
}

// Keys move the cursor and ask for nothing; opening the source is the root's.
func TestFinalKeysAskForNothing(t *testing.T) {
	t.Parallel()
	p := shownFinal(t, answered(t), 70, 22)
	for _, b := range keymap.Table() {
		if got := tuitest.Intent(p.Update(b.Action)); got != nil {
			t.Errorf("%s asks for %+v", b.Action, got)
		}
	}
	tuitest.Disabled(t, p, keymap.OpenSource, keymap.NeedResult, tuitest.NotRun, "there is no line of a document under the cursor")
	tuitest.Disabled(t, p, keymap.OpenSource, keymap.NeedResult|keymap.NeedSource, tuitest.NotRun, "")
}

// A click puts the cursor on the clicked line of the block.
func TestFinalClick(t *testing.T) {
	t.Parallel()
	p := shownFinal(t, answered(t), 110, 22)
	for y, line := range strings.Split(tuitest.View(t, p.View(), 110, 22), "\n") {
		if !p.Click(y) {
			t.Errorf("a click on %q picks nothing", line)
		}
		if v := strings.Split(p.View(), "\n"); !strings.Contains(v[y], "▸") {
			t.Errorf("the cursor is not on line %d:\n%s", y, p.View())
		}
	}
	if p.Click(22 * 1000) {
		t.Error("a click behind the end picks something")
	}
}

// A block that is gone, that found nothing, or whose parts do not fit together.
func TestFinalStrangeResults(t *testing.T) {
	t.Parallel()
	res := answered(t)
	p := shownFinal(t, res, 110, 22)
	p.Update(keymap.Bottom)
	empty := pipeline.Result{}
	empty.Phases.Extract = &contract.Extraction{}
	p.SetResult(empty, pipeline.Request{})
	if v := p.View(); !strings.Contains(v, "nothing was found") || p.Lines() != 0 {
		t.Errorf("an empty block shows\n%s", v)
	}
	p.SetResult(pipeline.Result{}, pipeline.Request{})
	if _, ok := p.Source(); ok || !strings.Contains(p.View(), "nothing here yet") {
		t.Error("the block of an earlier run is left")
	}
	// The block of a saved session without its phases: nothing is known of lines.
	bare := pipeline.Result{Final: res.Final, Citations: res.Citations}
	p.SetResult(bare, pipeline.Request{})
	p.Rewind()
	for range p.Lines() {
		if s, ok := p.Source(); ok {
			t.Fatalf("a line without phases stands at %+v", s)
		}
		p.Update(keymap.Down)
	}
	if s, ok := p.Source(); !ok || s.Line < 1 {
		t.Errorf("a citation stands at %+v, %v", s, ok)
	}
	// A block that is shorter than its documents, and a citation of line 0.
	short := res
	short.Final, short.Citations = "=== AOP-FINAL\nx\n", []contract.Citation{{DocSet: "a@1"}}
	p.SetResult(short, pipeline.Request{})
	p.Update(keymap.Bottom)
	if s, ok := p.Source(); !ok || s.Line != 1 {
		t.Errorf("a citation of line 0 stands at %+v, %v", s, ok)
	}
	tuitest.Shrink(t, p)
}

func TestFinalSizes(t *testing.T) {
	t.Parallel()
	tuitest.Shrink(t, shownFinal(t, answered(t), 70, 22))
	nasty := pipeline.Result{Final: strings.Repeat("灯", 500) + "\n" + tuitest.Hostile + "\n\t\tx\n\n"}
	p := shownFinal(t, nasty, 70, 22)
	tuitest.Shrink(t, p)
	if p.Lines() != 4 {
		t.Errorf("the block has %d lines", p.Lines())
	}
}
