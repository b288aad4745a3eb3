package running_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/tui/keymap"
	"docent/tui/pane/stepper"
	"docent/tui/running"
	"docent/tui/style"
	"docent/tui/tuitest"
)

// around is the app around a run: it keeps the calls.
type around struct {
	ended  []running.Outcome
	ticks  int
	prompt func(string) tea.Cmd
	text   string // of the status line
	failed bool
}

func (a *around) Tick() tea.Cmd { a.ticks++; return nil }

func (a *around) Ended(o running.Outcome) tea.Cmd {
	a.ended = append(a.ended, o)
	return nil
}
func (a *around) Prompt(_, _ string, take func(string) tea.Cmd) { a.prompt = take }
func (a *around) Say(text string)                               { a.text, a.failed = text, false }
func (a *around) Warn(text string)                              { a.text, a.failed = text, false }
func (a *around) Fail(text string)                              { a.text, a.failed = text, true }
func (a *around) Clear()                                        { a.text, a.failed = "", false }
func (a *around) Lasting() bool                                 { return a.failed }

func begin(t *testing.T, b *tuitest.Backend, initial pipeline.Request) (*running.Controller, *around) {
	t.Helper()
	a := &around{}
	c := running.New(t.Context(), style.New(true, true), b, a, a, initial)
	c.SetSize(80, 20)
	c.Hits.SetSize(80, 20)
	return c, a
}

// finish runs a command, and the commands that follow from it, to their end.
func finish(c *running.Controller, cmd tea.Cmd) {
	switch msg := tuitest.Intent(cmd).(type) {
	case nil:
	case tea.BatchMsg:
		for _, one := range msg {
			finish(c, one)
		}
	default:
		finish(c, c.Update(msg))
	}
}

func change(t *testing.T, c *running.Controller, a keymap.Action) {
	t.Helper()
	cmd, ok := c.ChangeRequest(a, true)
	if !ok {
		t.Fatalf("%s is no change", a)
	}
	finish(c, cmd)
}

// A run, a change, undo and redo: the calls of the host, the status line, and
// which needs of keys are met.
func TestRunChangeUndo(t *testing.T) {
	t.Parallel()
	c, a := begin(t, &tuitest.Backend{}, pipeline.Request{Question: "not asked"})
	if c.HasRun() || c.AskedQuestion() != "" || c.Needs() != 0 {
		t.Errorf("before a run: %q, needs %b", c.AskedQuestion(), c.Needs())
	}
	finish(c, c.Ask("how do I trim a wick"))
	if len(a.ended) != 1 || a.ended[0] != running.Answered || c.Active() || !strings.HasPrefix(a.text, "7 of 9 sections kept") {
		t.Fatalf("a run ends as %v: %s", a.ended, a.text)
	}
	if want := keymap.NeedResult | keymap.NeedFinal | keymap.NeedSource; c.Needs() != want {
		t.Errorf("behind a run the needs are %b", c.Needs())
	}
	change(t, c, keymap.RaiseThreshold)
	change(t, c, keymap.Compress)
	if a.text != "shortened, for this question: on" || a.ended[len(a.ended)-1] != running.Changed ||
		c.Summary().SettingsText() != "≥ 0.45 · shortened" {
		t.Errorf("changed: %q, %v, %s", a.text, a.ended, c.Summary().SettingsText())
	}
	if s := c.SavedSession(); strings.Join(s.Changes, "|") != "threshold: 0.45|shortened, for this question: on" {
		t.Errorf("the changes are %q", s.Changes)
	}
	change(t, c, keymap.Undo)
	if a.text != "undone: shortened, for this question: on" || c.Summary().SettingsText() != "≥ 0.45" || c.Needs()&keymap.NeedRedo == 0 {
		t.Errorf("undone: %q, %s", a.text, c.Summary().SettingsText())
	}
	change(t, c, keymap.Redo)
	if a.text != "redone: shortened, for this question: on" || c.Summary().SettingsText() != "≥ 0.45 · shortened" ||
		c.Needs()&keymap.NeedRedo != 0 {
		t.Errorf("redone: %q, %s", a.text, c.Summary().SettingsText())
	}
	change(t, c, keymap.Undo)
	change(t, c, keymap.Full) // forgets the undone changes
	if c.Needs()&keymap.NeedRedo != 0 {
		t.Error("an undone change is left behind a new one")
	}
	for range 9 { // more often than there are changes
		change(t, c, keymap.Undo)
	}
	if c.Summary().SettingsText() != "" || c.Needs()&keymap.NeedUndo != 0 {
		t.Errorf("all undone: %s", c.Summary().SettingsText())
	}
	if _, ok := c.ChangeRequest(keymap.CopyFinal, true); ok {
		t.Error("an action of others is taken for a change")
	}
}

// Another question begins with the settings of the command line, not with those
// that were tried on the one before.
func TestAnotherQuestion(t *testing.T) {
	t.Parallel()
	threshold := 0.2
	c, _ := begin(t, &tuitest.Backend{}, pipeline.Request{Threshold: &threshold})
	finish(c, c.Ask("first"))
	change(t, c, keymap.Scene)
	change(t, c, keymap.RaiseThreshold)
	change(t, c, keymap.Compress)
	finish(c, c.Ask("first"))
	if c.Summary().SettingsText() != "a fact · ≥ 0.25 · shortened" {
		t.Errorf("the same question again: %s", c.Summary().SettingsText())
	}
	finish(c, c.Ask("second"))
	if c.Summary().SettingsText() != "≥ 0.20" || c.Needs()&keymap.NeedUndo != 0 {
		t.Errorf("another question: %s", c.Summary().SettingsText())
	}
}

// Runs that were overtaken or cancelled, and answers that come too late.
func TestStaleResultsAreDropped(t *testing.T) {
	t.Parallel()
	c, a := begin(t, &tuitest.Backend{}, pipeline.Request{})
	first := c.Ask("first")
	second := c.Ask("second")
	finish(c, second)
	finish(c, first) // its command starts after the newer run
	if c.AskedQuestion() != "second" || len(a.ended) != 1 || a.failed {
		t.Errorf("%q, %v: %s", c.AskedQuestion(), a.ended, a.text)
	}
	third := c.Ask("third")
	c.Stop()
	finish(c, third)
	if c.Active() || !strings.HasPrefix(a.text, "cancelled") || a.ended[len(a.ended)-1] != running.Failed {
		t.Errorf("cancelled: %s, %v", a.text, a.ended)
	}
	fourth := c.Ask("fourth")
	c.Restore(pipeline.SaveSession(pipeline.Request{Question: "saved"}, nil, tuitest.Result(t, &tuitest.Backend{},
		pipeline.Request{Question: "saved"})))
	n := len(a.ended)
	finish(c, fourth)
	if c.AskedQuestion() != "saved" || len(a.ended) != n || c.Active() {
		t.Errorf("a late result replaces a saved session: %q", c.AskedQuestion())
	}
	if _, text := c.Final(); !strings.HasPrefix(text, "=== AOP-FINAL") {
		t.Errorf("the block is %q", text)
	}
}

// A failure is reported, and the next run of the same question can succeed.
func TestFailure(t *testing.T) {
	t.Parallel()
	b := &tuitest.Backend{SearchErr: errors.New("the index is gone")}
	c, a := begin(t, b, pipeline.Request{})
	finish(c, c.Ask("q"))
	if !a.failed || !strings.Contains(a.text, "the index is gone") || c.Needs()&keymap.NeedFinal != 0 {
		t.Errorf("failed: %s", a.text)
	}
	b.SearchErr = nil
	change(t, c, keymap.Rerun)
	if a.failed || c.Needs()&keymap.NeedFinal == 0 {
		t.Errorf("run again: %s", a.text)
	}
	b.Nothing = true
	finish(c, c.Ask("q2"))
	if !strings.HasPrefix(a.text, "nothing was found") {
		t.Errorf("nothing found: %s", a.text)
	}
	if what, text, reason := c.Citations(); reason == "" {
		t.Errorf("there are citations of nothing: %s %s", what, text)
	}
}

// Every phase has a row in the table: a pane with a title that keeps to any size,
// before a run and behind it.
func TestEveryPhaseHasAPane(t *testing.T) {
	t.Parallel()
	c, _ := begin(t, &tuitest.Backend{}, pipeline.Request{})
	titles := map[string]bool{}
	look := func() {
		for i := range stepper.Count {
			c.Steps.SelectNth(i)
			ph := c.Steps.Selected()
			p, live := c.PhasePanel(80, 20)
			if live || p.Title == "" || c.Pane() == nil || c.OnHits() != (ph == contract.PhaseSearch) {
				t.Errorf("%s: %+v", ph, p)
			}
			title, _, _ := strings.Cut(p.Title, ":") // an extent may follow
			titles[title] = true
			tuitest.View(t, p.View, 80, 20)
		}
	}
	look()
	finish(c, c.Ask("how do I trim a wick"))
	look()
	if len(titles) != stepper.Count {
		t.Errorf("the titles are %v", titles)
	}
	withSource := 0
	for i := range stepper.Count {
		c.Steps.SelectNth(i)
		for range 8 {
			c.Pane().Update(keymap.Down)
		}
		if s, ok := c.Source(); ok {
			withSource++
			if s.DocSet == "" || s.FilePath == "" || s.Heading.Lines[0] < 1 {
				t.Errorf("%s: the source is %+v", c.Steps.Selected(), s)
			}
		}
	}
	if withSource != 3 { // the ranking, the pages, the answer
		t.Errorf("%d phases have a source under the cursor", withSource)
	}
}

// The command repeats a request in a shell; settings without a flag are named.
func TestCommand(t *testing.T) {
	t.Parallel()
	c, _ := begin(t, &tuitest.Backend{}, pipeline.Request{DocSets: []string{tuitest.Set}, Top: 5})
	finish(c, c.Ask("what's -x?"))
	if what, text := c.CommandText(); what != "command" || text != `docent ask --set lantern@2.1 --top 5 -- 'what'\''s -x?'` {
		t.Errorf("%s: %s", what, text)
	}
	change(t, c, keymap.LowerThreshold)
	finish(c, c.Update(hitToggled(c)))
	if what, text := c.CommandText(); what != "command (without what you left out)" || !strings.Contains(text, "--threshold 0.35") {
		t.Errorf("%s: %s", what, text)
	}
}

func hitToggled(c *running.Controller) tea.Msg { return tuitest.Intent(c.Hits.Update(keymap.Toggle)) }

// A context that ends ends the run.
func TestContextEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	a := &around{}
	c := running.New(ctx, style.New(true, true), &tuitest.Backend{}, a, a, pipeline.Request{})
	cmd := c.Ask("q")
	cancel()
	finish(c, cmd)
	if c.Active() || !strings.HasPrefix(a.text, "cancelled") {
		t.Errorf("it says %q", a.text)
	}
}
