package asking_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"docent/tui/asking"
	"docent/tui/style"
	"docent/tui/tuitest"
)

// around is the app around the question line.
type around struct {
	titled []asking.Suggestion
	went   []string
	screen asking.Screen
	opens  int
	opened bool // opening is under way
	ran    []string
	text   string
	looked []string
	found  []asking.Suggestion
	err    error
}

func (a *around) Screen() asking.Screen { return a.screen }
func (a *around) Say(text string)       { a.text = text }

func (a *around) Open() tea.Cmd {
	if a.opened {
		return nil
	}
	a.opens++
	a.opened = true
	return func() tea.Msg { return nil }
}

func (a *around) Run(question string) tea.Cmd {
	a.ran = append(a.ran, question)
	return nil
}

func (a *around) Go(s asking.Suggestion) tea.Cmd {
	a.went = append(a.went, s.FilePath)
	return nil
}

func (a *around) Titled() func(context.Context, string, int) ([]asking.Suggestion, error) {
	if a.titled == nil {
		return nil
	}
	return func(context.Context, string, int) ([]asking.Suggestion, error) { return a.titled, nil }
}

func (a *around) Suggest(_ context.Context, question string, docSets []string) ([]asking.Suggestion, error) {
	a.looked = append(a.looked, question+" in "+strings.Join(docSets, ","))
	return a.found, a.err
}

func begin(t *testing.T) (*asking.Controller, *around) {
	t.Helper()
	a := &around{screen: asking.Screen{Ready: true, Typing: true},
		found: []asking.Suggestion{{DocSet: "a@1", FilePath: "wicks.md", Title: "Wicks", Path: []string{"Wicks", "Trim"}}}}
	tick := func(_ time.Duration, fn func(time.Time) tea.Msg) tea.Cmd {
		return func() tea.Msg { return fn(time.Time{}) }
	}
	return asking.New(t.Context(), style.New(true, true), a, a, a, tick), a
}

// typed types a text and gives the command that waits for a pause.
func typed(c *asking.Controller, text string) tea.Cmd {
	var cmd tea.Cmd
	for _, r := range text {
		cmd = c.Key(tuitest.Key(string(r)))
	}
	return cmd
}

// Sections are looked up when typing pauses, once, and shown until the line says
// something else.
func TestSuggestions(t *testing.T) {
	t.Parallel()
	c, a := begin(t)
	a.screen.DocSets = []string{"a@1"}
	early := typed(c, "tri")
	pause := typed(c, "m")
	if c.Update(tuitest.Intent(early)) != nil {
		t.Error("a line that has changed since is looked up")
	}
	look := c.Update(tuitest.Intent(pause))
	if look == nil || c.Suggesting() {
		t.Fatal("a pause looks nothing up, or shows something at once")
	}
	found := tuitest.Intent(look)
	c.Update(found)
	if !c.Suggesting() || !slices.Equal(a.looked, []string{"trim in a@1"}) {
		t.Errorf("suggesting %v, looked up %q", c.Suggesting(), a.looked)
	}
	if v := tuitest.View(t, c.Suggestions(60, 5), 60, 5); !strings.Contains(v, "Wicks › Trim") || strings.Contains(v, "a@1") ||
		!strings.Contains(c.SuggestionsInfo(78), "a@1 · ") {
		t.Errorf("it shows %q, and %q above", v, c.SuggestionsInfo(78))
	}
	for _, hide := range []func(*asking.Screen){func(s *asking.Screen) { s.Running = true }, func(s *asking.Screen) { s.Typing = false },
		func(s *asking.Screen) { s.Asked = "trim" }} {
		was := a.screen
		hide(&a.screen)
		if c.Suggesting() {
			t.Errorf("suggestions are shown on %+v", a.screen)
		}
		a.screen = was
	}
	typed(c, "x")
	c.Update(found) // the answer to the text before
	c.Key(tuitest.Key("ctrl+u"))
	if c.Suggesting() {
		t.Error("an empty line has suggestions")
	}
}

// Nothing is looked up where it would not be on the screen; an error shows nothing.
func TestNothingToSuggest(t *testing.T) {
	t.Parallel()
	for _, s := range []asking.Screen{{Typing: true}, {Ready: true}, {Ready: true, Typing: true, Running: true},
		{Ready: true, Typing: true, Asked: "wick"}} {
		c, a := begin(t)
		a.screen = s
		if c.Update(tuitest.Intent(typed(c, "wick"))) != nil {
			t.Errorf("something is looked up on %+v", s)
		}
	}
	c, a := begin(t)
	a.err = errors.New("the index is gone")
	c.Update(tuitest.Intent(c.Update(tuitest.Intent(typed(c, "wick")))))
	if c.Suggesting() || a.text != "" {
		t.Errorf("an error leads to suggestions, or is told: %q", a.text)
	}
	if typed(c, " ") != nil {
		t.Error("a space is taken for another question")
	}
}

// Asking: an empty line, doc sets that are not open yet, then the question.
func TestAsk(t *testing.T) {
	t.Parallel()
	signs, around := begin(t)
	typed(signs, "???")
	if signs.Ask() != nil || len(around.ran) > 0 || !strings.Contains(around.text, "no word") || signs.Question() != "???" {
		t.Errorf("signs: ran %q, says %q, the line is %q", around.ran, around.text, signs.Question())
	}
	c, a := begin(t)
	if c.Ask(); len(a.ran) != 0 || !strings.Contains(a.text, "empty") {
		t.Errorf("an empty line is asked: %q", a.text)
	}
	a.screen.Ready = false
	c.Paste(" how?\n")
	if c.Ask() == nil || !c.HasQueued() || a.opens != 1 {
		t.Error("asking does not open the doc sets")
	}
	if c.Ask() != nil || !strings.Contains(a.text, "as soon as the doc sets are open") {
		t.Errorf("asking twice: %q", a.text)
	}
	if !c.DropQueued() || c.DropQueued() || c.HasQueued() {
		t.Error("the queue is not emptied once")
	}
	a.screen.Ready = true
	c.Ask()
	if !slices.Equal(a.ran, []string{"how?"}) || !slices.Equal(c.History(), []string{"how?"}) {
		t.Errorf("it ran %q, the history is %q", a.ran, c.History())
	}
}

// The history holds each question once, the newest last; walking through it
// leads back to the draft.
func TestHistory(t *testing.T) {
	t.Parallel()
	c, a := begin(t)
	if c.RecallQuestion(-1); a.text != "no earlier question" {
		t.Errorf("an empty history says %q", a.text)
	}
	c.Set("second")
	c.Ask()
	c.SetHistory([]string{"first", "second", "old"})
	if got := strings.Join(c.History(), "|"); got != "first|old|second" {
		t.Errorf("the history is %s", got)
	}
	c.Set("draft")
	for _, step := range []struct {
		d    int
		want string
	}{{1, "draft"}, {-1, "second"}, {-1, "old"}, {-1, "first"}, {-1, "first"}, {1, "old"}, {1, "second"}, {1, "draft"}} {
		if c.RecallQuestion(step.d); c.Question() != step.want {
			t.Errorf("%+d leads to %q, not %q", step.d, c.Question(), step.want)
		}
	}
	c.Set("second") // it is the newest already
	if c.RecallQuestion(-1); c.Question() != "old" {
		t.Errorf("it leads to %q", c.Question())
	}
	c.Forget("old")
	if got := strings.Join(c.History(), "|"); got != "first|second" {
		t.Errorf("the history is %s", got)
	}
}

// Asking the manual narrows to it; a second time, and escape, lead back.
func TestManual(t *testing.T) {
	t.Parallel()
	c, a := begin(t)
	a.screen.DocSets, a.screen.Asked = []string{"a@1"}, "asked"
	a.screen.DocSets = c.AskManual("Manual@1")
	if !slices.Equal(a.screen.DocSets, []string{"Manual@1"}) {
		t.Errorf("narrowed to %q", a.screen.DocSets)
	}
	if got := c.AskManual("Manual@1"); !slices.Equal(got, []string{"a@1"}) {
		t.Errorf("once more leads to %q", got)
	}
	a.screen.DocSets = []string{"a@1"}
	a.screen.DocSets = c.AskManual("Manual@1")
	if got, ok := c.RestoreAsked(); !ok || !slices.Equal(got, []string{"a@1"}) || c.Question() != "asked" {
		t.Errorf("taken back to %q, %v, %q", got, ok, c.Question())
	}
	if _, ok := c.RestoreAsked(); ok {
		t.Error("it is taken back twice")
	}
	a.screen.DocSets = c.AskManual("Manual@1")
	c.Set("how?")
	c.Ask()
	if _, ok := c.RestoreAsked(); ok {
		t.Error("a question that was run there is taken back")
	}
}

// The line shows the question that was asked while it is empty, and keeps to its width.
func TestView(t *testing.T) {
	t.Parallel()
	c, a := begin(t)
	for _, w := range []int{200, 40, 12, 7} {
		for _, text := range []string{"", "q", strings.Repeat("灯芯", 100)} {
			c.Set(text)
			line, cursor := c.View(w)
			tuitest.View(t, line, w, 1)
			if cursor < 3 || cursor >= w {
				t.Errorf("the cursor stands at %d of %d", cursor, w)
			}
		}
	}
	c.Set("")
	a.screen.Asked = tuitest.Hostile
	if line, _ := c.View(80); !strings.Contains(tuitest.View(t, line, 80, 1), "Ask nicely") {
		t.Errorf("the line is %q", line)
	}
}
