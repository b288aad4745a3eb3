package shelf_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/tui/keymap"
	shelfpane "docent/tui/pane/shelf"
	"docent/tui/shelf"
	"docent/tui/style"
	"docent/tui/tuitest"
)

// around is the app around the doc sets.
type around struct {
	find      string
	place     pipeline.Place
	screen    shelf.Screen
	opened    int
	project   shelf.Project
	changed   int
	forgotten []string
	mark      string
	text      string
}

func (a *around) Screen() shelf.Screen           { return a.screen }
func (a *around) Tick() tea.Cmd                  { return nil }
func (a *around) Opened(p shelf.Project) tea.Cmd { a.opened++; a.project = p; return nil }

func (a *around) Changed(forgotten string) tea.Cmd {
	a.changed++
	if forgotten != "" {
		a.forgotten = append(a.forgotten, forgotten)
	}
	return nil
}

func (a *around) OpenPlace(p pipeline.Place, find string) tea.Cmd {
	a.place, a.find = p, find
	return nil
}
func (a *around) Say(text string)  { a.mark, a.text = " ", text }
func (a *around) Good(text string) { a.mark, a.text = "✓", text }
func (a *around) Warn(text string) { a.mark, a.text = "!", text }
func (a *around) Fail(text string) { a.mark, a.text = "✗", text }
func (a *around) Clear()           { a.mark, a.text = "", "" }

func (a *around) says(t *testing.T, want string) {
	t.Helper()
	if a.mark+a.text != want {
		t.Errorf("it says %q, not %q", a.mark+a.text, want)
	}
}

// begin is a controller whose beats come at once, as often as beats says.
func begin(t *testing.T, b *tuitest.Backend, opt shelf.Options) (*shelf.Controller, *around) {
	t.Helper()
	a := &around{}
	opt.Manual, opt.Sample = "Docent_Manual", "how?"
	if opt.Tick == nil {
		opt.Tick = func(time.Duration, func(time.Time) tea.Msg) tea.Cmd { return nil }
	}
	c := shelf.New(t.Context(), style.New(true, true), b, a, a, opt)
	c.SetSize(76, 18)
	return c, a
}

// finish runs a command, and those that follow from it, to their end.
func finish(c *shelf.Controller, cmd tea.Cmd) {
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

// messages are the messages of a command, and of the commands that it is made of.
func messages(cmd tea.Cmd) []tea.Msg {
	msg := tuitest.Intent(cmd)
	batch, ok := msg.(tea.BatchMsg)
	if !ok {
		return []tea.Msg{msg}
	}
	var out []tea.Msg
	for _, one := range batch {
		out = append(out, messages(one)...)
	}
	return out
}

// Opening: its progress, its failure and the second try, and the doc sets searched then.
func TestOpen(t *testing.T) {
	t.Parallel()
	b := &tuitest.Backend{ReadyErr: errors.New("the home is locked")}
	c, a := begin(t, b, shelf.Options{})
	if c.OpeningText(60) != "opening the doc sets …" || c.Open() != nil || !c.WantsFrames() {
		t.Errorf("before it is opened: %q", c.OpeningText(60))
	}
	finish(c, c.Init())
	a.says(t, "✗the doc sets cannot be opened: the home is locked; enter tries again")
	if c.OpeningText(60) != "not open" || c.Ready() || c.WantsFrames() || a.opened != 0 {
		t.Errorf("locked: %q", c.OpeningText(60))
	}
	b.ReadyErr = nil
	again := c.Open()
	c.Frame(time.Time{})
	if v := c.OpeningText(60); !strings.Contains(v, "indexing lantern@2.1 ") || !strings.HasSuffix(v, "3/4") {
		t.Errorf("its progress is %q", v)
	}
	finish(c, again)
	if !c.Ready() || c.OpeningText(60) != "" || a.opened != 1 || c.Size() != "3 doc sets · 118 pages · 1 changed" {
		t.Errorf("opened: %q, %s", c.OpeningText(60), c.Size())
	}
	if want := keymap.NeedReady | keymap.NeedSets | keymap.NeedManual | keymap.NeedSet; c.Needs() != want ||
		c.Manual() != "Docent_Manual@0.1.0" || c.OnFirstRun() {
		t.Errorf("needs %b, manual %q", c.Needs(), c.Manual())
	}
}

// The doc sets are compared with the disk from time to time, so that the header and
// the library of an app that is open all day are true.
func TestRecheck(t *testing.T) {
	t.Parallel()
	var beats []func(time.Time) tea.Msg
	opt := shelf.Options{Recheck: time.Minute, Tick: func(d time.Duration, f func(time.Time) tea.Msg) tea.Cmd {
		if d == time.Minute {
			beats = append(beats, f)
		}
		return nil
	}}
	b := &tuitest.Backend{}
	c, _ := begin(t, b, opt)
	finish(c, c.Init())
	if len(beats) != 1 || !strings.HasSuffix(c.Size(), " · 1 changed") {
		t.Fatalf("%d beats after opening; %s", len(beats), c.Size())
	}
	b.Shelf.AllFresh.Store(true)
	if !strings.HasSuffix(c.Size(), " · 1 changed") {
		t.Errorf("it knows before it looks: %s", c.Size())
	}
	finish(c, c.Update(beats[0](time.Time{})))
	if len(beats) != 2 || c.Size() != "3 doc sets · 118 pages" {
		t.Errorf("%d beats after the first; %s", len(beats), c.Size())
	}
}

// The first-run screen comes once, for a person without doc sets who has not begun
// to do anything, and goes when a folder was added.
func TestFirstRun(t *testing.T) {
	t.Parallel()
	for _, begun := range []bool{false, true} {
		c, a := begin(t, &tuitest.Backend{Shelf: tuitest.Shelf{Newcomer: true}}, shelf.Options{})
		a.screen.Begun = begun
		finish(c, c.Init())
		if c.OnFirstRun() == begun {
			t.Errorf("begun %v: the screen is shown: %v", begun, c.OnFirstRun())
		}
		if c.LeaveFirstRun(); c.OnFirstRun() {
			t.Error("it cannot be left")
		}
		finish(c, c.List())
		if c.OnFirstRun() {
			t.Error("it comes back")
		}
	}
	c, a := begin(t, &tuitest.Backend{Shelf: tuitest.Shelf{Newcomer: true}}, shelf.Options{})
	finish(c, c.Init())
	if !strings.Contains(c.EmptyHint(), "Only docent's own manual is here") {
		t.Errorf("the hint is %q", c.EmptyHint())
	}
	finish(c, c.Update(shelfpane.UpdateWanted{}))
	if !c.OnFirstRun() {
		t.Error("an update ends it")
	}
	finish(c, c.Add(shelfpane.AddWanted{Path: "docs"}))
	if a.says(t, "✓added docs@latest: 7 pages (7 added); ask it a question"); c.OnFirstRun() {
		t.Error("an addition does not end it")
	}
}

// One piece of work at a time; it can be cancelled, and its outcome is reported.
func TestWork(t *testing.T) {
	t.Parallel()
	b := &tuitest.Backend{}
	c, a := begin(t, b, shelf.Options{})
	finish(c, c.Init())
	c.Cancel() // nothing goes on
	work := c.Update(shelfpane.UpdateWanted{Sets: []string{"harbour@0.9"}})
	if c.WorkText() != "updating harbour@0.9 …" || c.Needs()&keymap.NeedWork == 0 || !c.WantsFrames() {
		t.Errorf("the work is %q", c.WorkText())
	}
	if c.Update(shelfpane.UpdateWanted{}) != nil {
		t.Error("a second piece of work begins")
	}
	a.says(t, " updating harbour@0.9 goes on: ctrl+x cancels it, or wait until it is done")
	finish(c, work)
	a.says(t, "✓harbour@0.9: nothing changed")
	if c.WorkText() != "" || c.WantsFrames() || a.changed != 1 {
		t.Errorf("the work is %q; %d changes", c.WorkText(), a.changed)
	}
	work = c.Add(shelfpane.AddWanted{Path: "docs", Name: "docs", Version: "1"})
	if c.Cancel(); c.WorkText() != "adding docs@1: cancelling …" {
		t.Errorf("cancelled: %q", c.WorkText())
	}
	c.Frame(time.Time{})
	if c.WorkText() != "adding docs@1: cancelling …" {
		t.Errorf("progress hides the cancelling: %q", c.WorkText())
	}
	finish(c, work)
	a.says(t, "!cancelled: nothing was added")
	// A failure opens the form again where the library is still on the screen.
	b.Shelf.AddErr = errors.New("docs@latest is already there")
	for _, shown := range []bool{false, true} {
		a.screen.Library = shown
		finish(c, c.Library.Add())
		finish(c, c.Library.Update(tea.PasteMsg{Content: "docs/"}))
		finish(c, c.Library.Update(keymap.Accept))
		finish(c, c.Library.Update(keymap.Accept))
		a.says(t, "✗docs@latest is already there")
		if c.Library.IsAdding() != shown {
			t.Errorf("the library is shown: %v, the form: %v", shown, c.Library.IsAdding())
		}
	}
}

// A stage without a count has its time taken by the frames.
func TestStageTime(t *testing.T) {
	t.Parallel()
	b := &tuitest.Backend{}
	c, _ := begin(t, b, shelf.Options{})
	c.Update(shelfpane.UpdateWanted{})
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	c.Frame(at)
	c.Frame(at.Add(3 * time.Second))
	c.Library.SetSets(nil)
	if v := tuitest.View(t, c.Library.View(), 76, 18); !strings.Contains(v, "starting …  3 s") {
		t.Errorf("the library shows\n%s", v)
	}
}

// The intents of the library: pages, forgotten doc sets, and answers that come too
// late.
func TestIntents(t *testing.T) {
	t.Parallel()
	b := &tuitest.Backend{}
	c, a := begin(t, b, shelf.Options{})
	finish(c, c.Init())
	late := c.ListLibrary()
	finish(c, c.ListLibrary())
	n := len(c.Library.Sets())
	b.Shelf.Removed = []string{"harbour@0.9"}
	finish(c, late) // an older listing than the one that is shown
	if len(c.Library.Sets()) != n {
		t.Error("an older listing replaces a newer one")
	}
	b.Shelf.Removed = nil
	c.Update(shelfpane.Opened{Set: "a@1", Path: "p.md", Title: "P"})
	if a.place.DocSet != "a@1" || a.place.FilePath != "p.md" || a.place.Title != "P" || a.place.Line != 0 {
		t.Errorf("it opens %+v", a.place)
	}
	finish(c, c.Update(shelfpane.RemoveWanted{Set: "harbour@0.9"}))
	a.says(t, "✓forgot harbour@0.9; its files were not touched")
	if strings.Join(a.forgotten, "|") != "harbour@0.9" || len(c.Library.Sets()) != n-1 {
		t.Errorf("forgotten: %q, %d doc sets", a.forgotten, len(c.Library.Sets()))
	}
	c.Update(shelfpane.Said{Text: "the file is gone"})
	a.says(t, " the file is gone")
}

// The background task begins once, shows its progress beat by beat, and says when
// it failed; that the app ends is no failure.
func TestBackgroundTask(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		err  error
		want string
	}{{nil, ""}, {errors.New("the model is gone"), "!a model's vectors are not complete: the model is gone"}, {context.Canceled, ""}} {
		started := 0
		var beats []func(time.Time) tea.Msg
		c, a := begin(t, &tuitest.Backend{}, shelf.Options{
			Background: func(_ context.Context, progress func(string)) error {
				started++
				progress("7 of\x1b[31m 9")
				return tt.err
			},
			Tick: func(_ time.Duration, fn func(time.Time) tea.Msg) tea.Cmd {
				beats = append(beats, fn)
				return nil
			}})
		var done tea.Msg // the end of the task, which comes last
		for _, opened := range messages(c.Init()) {
			for _, msg := range messages(c.Update(opened)) {
				if fmt.Sprintf("%T", msg) == "shelf.backgroundMsg" {
					done = msg
				} else {
					finish(c, c.Update(msg))
				}
			}
		}
		if c.Background() != "" || len(beats) != 1 || done == nil {
			t.Fatalf("%d beats, %q, %v", len(beats), c.Background(), done)
		}
		c.Update(beats[0](time.Time{}))
		if c.Background() != "7 of 9" || len(beats) != 2 {
			t.Errorf("its progress is %q behind %d beats", c.Background(), len(beats))
		}
		finish(c, c.Update(done))
		if c.Update(beats[1](time.Time{})); c.Background() != "" || len(beats) != 2 {
			t.Error("it beats on behind its end")
		}
		if a.says(t, tt.want); started != 1 {
			t.Errorf("it was started %d times", started)
		}
	}
}
