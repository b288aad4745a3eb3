package keeping_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/tui/keeping"
	"docent/tui/keymap"
	"docent/tui/tuitest"
)

// around is the app around the kept sessions, and the place where it is kept.
type around struct {
	err      error
	listed   []pipeline.SavedInfo
	waiting  bool // somebody waits for the list
	asked    []string
	loaded   []string
	take     func(string) tea.Cmd
	label    string
	proposed string
	written  map[string]string
	mark     string
	text     string
}

func (a *around) Recollected(q []string) { a.asked = q }
func (a *around) Loaded(s pipeline.Saved) tea.Cmd {
	a.loaded = append(a.loaded, s.Request.Question)
	return nil
}

func (a *around) Listed(s []pipeline.SavedInfo, err error) bool {
	if a.waiting && err == nil {
		a.listed = s
	}
	return a.waiting
}

func (a *around) Prompt(label, text string, take func(string) tea.Cmd) {
	a.label, a.proposed, a.take = label, text, take
}
func (a *around) Say(text string)  { a.mark, a.text = " ", text }
func (a *around) Good(text string) { a.mark, a.text = "✓", text }
func (a *around) Warn(text string) { a.mark, a.text = "!", text }
func (a *around) Fail(text string) { a.mark, a.text = "✗", text }

func (a *around) SaveSession(context.Context, pipeline.Saved) (string, error) { return "1.json", a.err }
func (a *around) Sessions(context.Context) ([]pipeline.SavedInfo, error) {
	return []pipeline.SavedInfo{{ID: "1"}}, a.err
}

func (a *around) LoadSession(_ context.Context, id string) (pipeline.Saved, error) {
	return pipeline.Saved{Request: pipeline.Request{Question: "question of " + id}}, a.err
}
func (a *around) RemoveSession(context.Context, string) error { return a.err }
func (a *around) Questions(context.Context) ([]string, error) { return []string{"old"}, a.err }
func (a *around) Remember(context.Context, string) error      { return a.err }
func (a *around) Forget(context.Context, string) error        { return a.err }
func (a *around) WriteFile(_ context.Context, name, text string) (string, error) {
	if a.written == nil {
		a.written = map[string]string{}
	}
	a.written[name] = text
	return "/work/" + name, a.err
}

// finish runs a command and gives its answer to the controller.
func finish(c *keeping.Controller, cmd tea.Cmd) {
	if msg := tuitest.Intent(cmd); msg != nil {
		c.Update(msg)
	}
}

// What each command says when it succeeds, and when the keeper fails.
func TestWords(t *testing.T) {
	t.Parallel()
	saved := pipeline.Saved{}
	for _, tt := range []struct {
		name string
		do   func(*keeping.Controller) tea.Cmd
		good string
		bad  string
	}{
		{"save", func(c *keeping.Controller) tea.Cmd { return c.SaveSession(saved) }, "✓saved; S opens it again: 1.json", "✗the disk is full"},
		{"load", func(c *keeping.Controller) tea.Cmd { return c.LoadSession("x") }, "", "✗the session cannot be opened: the disk is full"},
		{"list", func(c *keeping.Controller) tea.Cmd { return c.List() }, "", "✗the sessions cannot be listed: the disk is full"},
		{"remove", func(c *keeping.Controller) tea.Cmd { return c.Remove("x") }, "", "✗the session was not removed: the disk is full"},
		{"recollect", func(c *keeping.Controller) tea.Cmd { return c.Recollect() }, "", "!earlier questions cannot be read: the disk is full"},
		{"remember", func(c *keeping.Controller) tea.Cmd { return c.Remember("q") }, "", "✗the question was not written down: the disk is full"},
		{"forget", func(c *keeping.Controller) tea.Cmd { return c.Forget("q") }, "✓forgotten: q", "✗the disk is full"},
	} {
		a := &around{waiting: true}
		c := keeping.New(t.Context(), a, a, a)
		if finish(c, tt.do(c)); a.mark+a.text != tt.good {
			t.Errorf("%s says %q, not %q", tt.name, a.mark+a.text, tt.good)
		}
		a.err = errors.New("the disk is full")
		if finish(c, tt.do(c)); a.mark+a.text != tt.bad {
			t.Errorf("%s fails with %q, not %q", tt.name, a.mark+a.text, tt.bad)
		}
		// Without a keeper nothing is done, and keys say why.
		if none := keeping.New(t.Context(), nil, a, a); tt.do(none) != nil || none.Needs() != 0 || c.Needs() != keymap.NeedHome {
			t.Errorf("%s: without a keeper it does something", tt.name)
		}
	}
}

// Answers go to the host; a list that is not waited for any more does not, and its
// error is not shown.
func TestAnswers(t *testing.T) {
	t.Parallel()
	a := &around{waiting: true}
	c := keeping.New(t.Context(), a, a, a)
	finish(c, c.Recollect())
	finish(c, c.LoadSession("7"))
	finish(c, c.List())
	if strings.Join(a.asked, "|") != "old" || strings.Join(a.loaded, "|") != "question of 7" || len(a.listed) != 1 {
		t.Errorf("the host was given %q, %q, %v", a.asked, a.loaded, a.listed)
	}
	a.waiting, a.err = false, errors.New("the disk is full")
	if finish(c, c.List()); a.text != "" {
		t.Errorf("it says %q of a list that was left", a.text)
	}
	// A question that cannot be kept because the app ends is no error.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c = keeping.New(ctx, a, a, a)
	if finish(c, c.Remember("q")); a.text != "" {
		t.Errorf("at the end it says %q", a.text)
	}
}

// Files are written under the typed name, once there is one.
func TestWriting(t *testing.T) {
	t.Parallel()
	a := &around{}
	c := keeping.New(t.Context(), a, a, a)
	s := pipeline.Saved{Request: pipeline.Request{Question: "How do I trim a wick?"}, Result: pipeline.Result{Final: "=== AOP-FINAL"}}
	c.WriteFinal(s)
	if a.label != "write the answer to" || a.proposed != "how-do-i-trim-a-wick.aop.md" {
		t.Errorf("%s: %s", a.label, a.proposed)
	}
	if a.take(" ") != nil || !strings.Contains(a.text, "a file needs a name") {
		t.Errorf("without a name: %q", a.text)
	}
	// A question that was typed behind the name is no name yet.
	const asked = "how-do-i-trim-a-wick.aop.md what is oil"
	if a.take(asked) != nil || !strings.Contains(a.label, "enter writes it") || a.proposed != asked {
		t.Errorf("a name with spaces: %q, %q", a.label, a.proposed)
	}
	if cmd := a.take(asked); cmd == nil {
		t.Error("a name with spaces is never written")
	}
	finish(c, a.take(" b.md "))
	if a.written["b.md"] != "=== AOP-FINAL" || a.text != "written: /work/b.md" {
		t.Errorf("written: %q, %s", a.written, a.text)
	}
	c.ExportSession(s)
	finish(c, a.take(a.proposed))
	if md := a.written["how-do-i-trim-a-wick.md"]; !strings.HasPrefix(md, "# How do I trim a wick?") {
		t.Errorf("exported: %q", md)
	}
	keeping.New(t.Context(), nil, a, a).ExportSession(s)
	if a.text != "no file can be written from here" {
		t.Errorf("without a keeper: %s", a.text)
	}
}
