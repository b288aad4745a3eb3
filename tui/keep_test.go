package tui_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"docent/pipeline"
	"docent/tui/tuitest"
)

// memory keeps things for a test.
type memory struct {
	sessions  []pipeline.Saved
	questions []string
	files     map[string]string
	places    pipeline.Places
	err       error
}

func (m *memory) Places(context.Context) (pipeline.Places, error) { return m.places, m.err }

func (m *memory) Visit(_ context.Context, at pipeline.Place) error {
	m.places = m.places.Visit(at)
	return m.err
}

func (m *memory) Mark(_ context.Context, at pipeline.Place, on bool) error {
	m.places = m.places.Mark(at, on)
	return m.err
}

func (m *memory) SaveSession(_ context.Context, s pipeline.Saved) (string, error) {
	m.sessions = append(m.sessions, s)
	return "home/sessions/1.json", m.err
}

func (m *memory) Sessions(context.Context) ([]pipeline.SavedInfo, error) {
	var out []pipeline.SavedInfo
	for i, s := range m.sessions {
		out = append(out, pipeline.SavedInfo{ID: string(rune('a' + i)), Question: s.Request.Question, When: "2026-01-02"})
	}
	return out, m.err
}

func (m *memory) LoadSession(_ context.Context, id string) (pipeline.Saved, error) {
	return m.sessions[id[0]-'a'], m.err
}

func (m *memory) RemoveSession(_ context.Context, id string) error {
	i := int(id[0] - 'a')
	m.sessions = slices.Delete(m.sessions, i, i+1)
	return m.err
}
func (m *memory) Questions(context.Context) ([]string, error) { return m.questions, m.err }
func (m *memory) Remember(_ context.Context, q string) error {
	m.questions = append(m.questions, q)
	return m.err
}

func (m *memory) Forget(_ context.Context, q string) error {
	m.questions = slices.DeleteFunc(m.questions, func(o string) bool { return o == q })
	return m.err
}

func (m *memory) WriteFile(_ context.Context, name, text string) (string, error) {
	if m.files == nil {
		m.files = map[string]string{}
	}
	m.files[name] = text
	return "/work/" + name, m.err
}

func kept(t *testing.T, m *memory) *tuitest.Driver {
	opt := tuitest.Options(&tuitest.Backend{})
	opt.Keeper = m
	return asked(t, opt, 80, 24)
}

// A session that was saved comes back as it was, and can be gone on with.
func TestSavedSessions(t *testing.T) {
	t.Parallel()
	m := &memory{}
	d := kept(t, m)
	d.Keys("+", "1", "x", "ctrl+s")
	contains(t, d.Screen(), "✓ saved; S opens it again: 1.json")
	if s := m.sessions[0]; len(s.Changes) != 2 || s.Changes[0] != "threshold: 0.45" || len(s.Request.Queries) != 2 || s.Result.Final == "" {
		t.Fatalf("saved: %+v", s.Request)
	}
	d.Keys("/")
	d.Ask("another question")
	d.Keys("S")
	contains(t, d.Screen(), "Saved sessions", question, "2026-01-02")
	d.Keys("enter")
	contains(t, d.Screen(), "the session as it was saved", "❯ "+question, "≥ 0.45", "Trim a wick")
	d.Keys("B")
	contains(t, d.Screen(), "=== AOP-FINAL")
	d.Keys("4", "-")
	contains(t, d.Screen(), "threshold: 0.40", "7 of 9 sections kept")
	d.Keys("S", "ctrl+d")
	contains(t, d.Screen(), "no session was saved yet")
	d.Keys("esc")
	contains(t, d.Screen(), "▸4 Hits")

	opt := tuitest.Options(&tuitest.Backend{})
	s := pipeline.SaveSession(pipeline.Request{Question: question}, nil, tuitest.Result(t, &tuitest.Backend{}, pipeline.Request{Question: question}))
	opt.Saved = &s
	d = tuitest.Start(t, opt, 80, 24)
	contains(t, d.Screen(), "❯ "+question, "the session as it was saved", "likely the answer")
}

func TestHistory(t *testing.T) {
	t.Parallel()
	m := &memory{questions: []string{"an old one", "what is oil", "灯芯如何修剪"}}
	d := kept(t, m)
	if got := m.questions[len(m.questions)-1]; got != question {
		t.Fatalf("the question was not remembered: %q", m.questions)
	}
	d.Keys("/", "ctrl+r")
	contains(t, d.Screen(), "Earlier questions", question, "an old one", "灯芯如何修剪")
	d.Type("灯芯")
	lacks(t, d.Screen(), "an old one")
	d.Keys("enter")
	contains(t, d.Screen(), "❯ 灯芯如何修剪")
	d.Keys("ctrl+r")
	d.Type("old")
	d.Keys("ctrl+d")
	contains(t, d.Screen(), "nothing matches", "forgotten: an old one")
	if slices.Contains(m.questions, "an old one") {
		t.Error("it is still kept")
	}
	d.Keys("esc", "up")
	contains(t, d.Screen(), "❯ "+question)
}

func TestExportAndWrite(t *testing.T) {
	t.Parallel()
	m := &memory{}
	d := kept(t, m)
	d.Keys("E")
	contains(t, d.Screen(), "export as ❯ how-do-i-trim-a-wick.md")
	d.Keys("enter")
	contains(t, d.Screen(), "✓ written: /work/how-do-i-trim-a-wick.md")
	if md := m.files["how-do-i-trim-a-wick.md"]; !strings.HasPrefix(md, "# "+question) || !strings.Contains(md, "=== AOP-FINAL") {
		t.Errorf("exported:\n%s", md)
	}
	d.Keys("w", "ctrl+u")
	d.Type("b.md")
	d.Keys("enter")
	contains(t, d.Screen(), "✓ written: /work/b.md")
	if !strings.HasPrefix(m.files["b.md"], "=== AOP-FINAL") {
		t.Errorf("written: %q", m.files["b.md"])
	}
	d.Keys("w", "ctrl+u", "enter")
	contains(t, d.Screen(), "a file needs a name")
}

// A failure to keep something is reported, and nothing is lost.
func TestKeepingFails(t *testing.T) {
	t.Parallel()
	m := &memory{err: errors.New("the disk is full")}
	d := kept(t, m)
	contains(t, d.Screen(), "the question was not written down", "7 of 9 sections kept")
	d.Keys("ctrl+s")
	contains(t, d.Screen(), "✗ the disk is full")
	d.Keys("S")
	contains(t, d.Screen(), "the sessions cannot be listed: the disk is full")
	d.Keys("esc", "w", "enter")
	contains(t, d.Screen(), "✗ the disk is full")
}

// The theme that was chosen is kept at once and used by the next start, unless the
// configuration names one.
func TestThemeIsKept(t *testing.T) {
	t.Parallel()
	var kept pipeline.AppState
	opt := tuitest.Options(&tuitest.Backend{})
	opt.KeepState = func(_ context.Context, s pipeline.AppState) error { kept = s; return nil }
	d := tuitest.Start(t, opt, 80, 24)
	d.Keys("tab", "T", "T")
	contains(t, d.Screen(), "colours: light", "kept for the next start")
	if kept.Theme != "light" {
		t.Errorf("kept: %+v", kept)
	}
	plain := tuitest.Start(t, tuitest.Options(&tuitest.Backend{}), 80, 24).Styled()
	opt.Kept = kept
	if tuitest.Start(t, opt, 80, 24).Styled() == plain {
		t.Error("the next start has the colours of before")
	}
	opt.Theme = "auto"
	d = tuitest.Start(t, opt, 80, 24)
	if d.Styled() != plain {
		t.Error("the configured theme does not hold")
	}
	kept = pipeline.AppState{}
	d.Keys("tab", "T")
	contains(t, d.Screen(), "in docent.toml keeps them")
	if kept.Theme != "" {
		t.Errorf("kept beside a configured one: %+v", kept)
	}
	opt.Theme, opt.Kept.Theme = "", "chartreuse"
	if tuitest.Start(t, opt, 80, 24).Styled() != plain {
		t.Error("a theme that there is not is used")
	}
	opt.KeepState = func(context.Context, pipeline.AppState) error { return errors.New("the disk is full") }
	d = tuitest.Start(t, opt, 80, 24)
	d.Keys("tab", "T")
	contains(t, d.Screen(), "! the disk is full")
}

// A question that was started stands in the line again after a restart, unless another
// one was given.
func TestDraftIsKept(t *testing.T) {
	t.Parallel()
	opt := tuitest.Options(&tuitest.Backend{})
	opt.Kept.Draft = "how do I\x1b[31m tr"
	d := tuitest.Start(t, opt, 80, 24)
	contains(t, d.Screen(), "❯ how do I tr ", "typing replaces it")
	d.Keys("right", "i", "m")
	contains(t, d.Screen(), "❯ how do I trim ")
	d = tuitest.Start(t, opt, 80, 24)
	d.Keys("o", "i", "l")
	contains(t, d.Screen(), "❯ oil ")
	lacks(t, d.Screen(), "how do I tr")
	opt.Question = question
	d = tuitest.Start(t, opt, 80, 24)
	contains(t, d.Screen(), "❯ "+question, "7 of 9 sections kept")
}
