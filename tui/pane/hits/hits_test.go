package hits_test

import (
	"strings"
	"testing"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/tui/keymap"
	"docent/tui/pane/hits"
	"docent/tui/style"
	"docent/tui/tuitest"
)

func result(t *testing.T) pipeline.Result {
	return tuitest.Result(t, &tuitest.Backend{}, pipeline.Request{Question: "how do I trim a wick"})
}

func TestMoves(t *testing.T) {
	t.Parallel()
	p := hits.New(style.New(true, true))
	p.SetSize(60, 5)
	if _, ok := p.Selected(); ok {
		t.Error("an empty list has a hit under the cursor")
	}
	p.SetResult(result(t), nil, false)
	text := func() string { r, _ := p.Selected(); return hits.HeadingName(r.Heading) }
	for _, tt := range []struct {
		action keymap.Action
		want   string
	}{
		{keymap.Up, "Trim a wick"},
		{keymap.Down, "Refilling"},
		{keymap.Bottom, "हिन्दी में संकेत"},
		{keymap.Down, "हिन्दी में संकेत"},
		{keymap.PageUp, "Wick sizes"},
		{keymap.HalfDown, "Oil and fuel"},
		{keymap.HalfUp, "Wick sizes"},
		{keymap.PageDown, "हिन्दी में संकेत"},
		{keymap.Top, "Trim a wick"},
	} {
		if cmd := p.Update(tt.action); cmd != nil {
			t.Errorf("%s has an effect on others", tt.action)
		}
		if text() != tt.want {
			t.Errorf("after %s: %q, want %q", tt.action, text(), tt.want)
		}
		if view := tuitest.View(t, p.View(), 60, 5); !strings.Contains(view, "▸") {
			t.Errorf("after %s the cursor is not seen\n%s", tt.action, view)
		}
	}
}

func TestIntents(t *testing.T) {
	t.Parallel()
	p := hits.New(style.New(true, true))
	p.SetSize(60, 8)
	if p.Update(keymap.Toggle) != nil || p.Update(keymap.Open) != nil {
		t.Error("an empty list has intents")
	}
	p.SetResult(result(t), nil, false)
	msg, ok := p.Update(keymap.Toggle)().(hits.Toggled)
	if !ok || msg.Row.Page.FilePath != "guides/wicks.md" || msg.Page {
		t.Errorf("toggle asks for %+v", msg)
	}
	if _, ok := p.Update(keymap.Open)().(hits.Opened); !ok {
		t.Error("open does not open")
	}
}

// A recomputation must not move the cursor off the hit that is looked at.
func TestCursorStaysOnItsHit(t *testing.T) {
	t.Parallel()
	p := hits.New(style.New(true, true))
	p.SetSize(80, 12)
	res := result(t)
	p.SetResult(res, nil, false)
	for range 4 {
		p.Update(keymap.Down)
	}
	was, _ := p.Selected()
	no := false
	res = tuitest.Result(t, &tuitest.Backend{}, pipeline.Request{Question: "how do I trim a wick", Reranker: &no})
	p.SetResult(res, []pipeline.Hit{was.Hit()}, true)
	if is, _ := p.Selected(); is.Hit() != was.Hit() || is.Heading.Text != was.Heading.Text || !is.Out {
		t.Errorf("the cursor went from %s to %s", was.Heading.Text, is.Heading.Text)
	}
	p.SetResult(res, nil, false)
	if is, _ := p.Selected(); is.Heading.Text == was.Heading.Text {
		t.Error("a new question leaves the cursor where it was")
	}
}

func TestViews(t *testing.T) {
	t.Parallel()
	p := hits.New(style.New(true, true))
	p.SetFocused(true)
	p.SetSize(78, 24)
	tuitest.Golden(t, "empty", tuitest.View(t, p.View(), 78, 24))
	p.SetResult(tuitest.Result(t, &tuitest.Backend{Nothing: true}, pipeline.Request{Question: "q"}), nil, false)
	tuitest.Golden(t, "nothing", tuitest.View(t, p.View(), 78, 24))

	res := result(t)
	h := &res.Phases.Rerank.Results[0].Headings[0]
	h.Signals = contract.Signals{Lexical: 0.6, Semantic: 0.3}
	h.Explain = &contract.Explain{Rerank: []contract.ExplainPart{{Name: "title match", Value: 1.25}, {Name: "length", Value: -0.5}}}
	res.Phases.Rerank.Results[1].BelowThreshold = true
	p.SetResult(res, []pipeline.Hit{{DocSet: "灯笼@latest", FilePath: "指南/灯芯.md"}}, false)
	for _, s := range []struct {
		name string
		w, h int
	}{{"w78", 78, 24}, {"w120", 120, 24}, {"w50", 50, 6}, {"w38", 38, 6}} {
		p.SetSize(s.w, s.h)
		tuitest.Golden(t, s.name, tuitest.View(t, p.View(), s.w, s.h))
	}
	if kept, all := p.Count(); kept != 6 || all != 9 {
		t.Errorf("%d of %d", kept, all)
	}
	// Sections under the threshold are the best there are; the frame does not call them kept.
	for i := range res.Phases.Rerank.Results {
		res.Phases.Rerank.Results[i].BelowThreshold = true
	}
	p.SetResult(res, nil, false)
	if got := p.Info(); got != "the best 7 of 9 · lantern@2.1" {
		t.Errorf("the frame says %q", got)
	}
}

// Headings that a page repeats are distinguished; one doc set needs no column.
func TestLabels(t *testing.T) {
	t.Parallel()
	p := hits.New(style.New(true, true))
	p.SetSize(80, 8)
	heading := func(text string, line int, path ...string) contract.Heading {
		return contract.Heading{Level: 2, Text: "## " + text, Section: [2]int{line, line}, Path: append(path, text)}
	}
	p.SetResult(pipeline.Result{Phases: pipeline.PhaseResults{Search: &contract.SearchOutput{Results: []contract.Result{
		{DocSet: "a@1", FilePath: "x.md", PageTitle: "X", Headings: []contract.Heading{
			heading("Options", 5, "Start"), heading("Options", 9, "St\x1b[31mop"), heading("Signals", 20, "Start")}},
		{DocSet: "a@1", FilePath: "y.md", PageTitle: "Y", Headings: []contract.Heading{heading("Options", 5, "Other")}},
	}}}}, nil, false)
	view := tuitest.View(t, p.View(), 80, 8)
	for _, want := range []string{"X › Options (Start)", "└ Options (Stop)", "└ Signals  ", "Y › Options  "} {
		if !strings.Contains(view, want) {
			t.Errorf("%q is not in\n%s", want, view)
		}
	}
	if strings.Contains(view, "doc set") || p.Info() != "4 of 4 sections kept · a@1" {
		t.Errorf("the doc set has a column; the frame says %q", p.Info())
	}
}

// Once all matches are known, sections under the threshold have bars on the scale of
// those that are kept, never longer ones; until then they have none. Each says why it
// was found, and where the page is as well.
func TestSetAll(t *testing.T) {
	t.Parallel()
	p := hits.New(style.New(true, true))
	p.SetSize(110, 24)
	res := result(t)
	res.Phases.Rerank.Results[0].Also = []string{"lantern@2.0"}
	p.SetResult(res, nil, false)
	dropped := func() (lines []string) {
		for line := range strings.Lines(tuitest.View(t, p.View(), 110, 24)) {
			if strings.Contains(line, " ↓ ") {
				lines = append(lines, line)
			}
		}
		return lines
	}
	if view := p.View(); !strings.Contains(view, "2 below the threshold: ↓ shows them") || len(dropped()) != 1 {
		t.Errorf("what is under the threshold is not one line:\n%s", view)
	}
	p.Update(keymap.Bottom)
	p.Update(keymap.Top)
	for _, line := range dropped() {
		if strings.ContainsAny(line, "━╸") {
			t.Errorf("a bar of another scale: %s", line)
		}
	}
	if p.ReasonText() != "" {
		t.Errorf("a reason that nobody knows: %s", p.ReasonText())
	}
	zero := 0.0
	all := tuitest.Result(t, &tuitest.Backend{}, pipeline.Request{Question: "how do I trim a wick", Threshold: &zero, Explain: true})
	p.SetAllMatches(all.Phases.Rerank.Results)
	lines := dropped()
	if len(lines) == 0 {
		t.Error("nothing is under the threshold")
	}
	for _, line := range lines {
		if !strings.Contains(line, "0.") || strings.Count(line, "━") > 4 {
			t.Errorf("no match on the same scale: %s", line)
		}
	}
	view := tuitest.View(t, p.View(), 110, 24)
	for _, want := range []string{"why        heading has “wick”", "also in    lantern@2.0", "found in   a title or heading"} {
		if !strings.Contains(view, want) {
			t.Errorf("%q is not in\n%s", want, view)
		}
	}
}

// A deprecated hit says so in a word, and its details have the line.
func TestDeprecated(t *testing.T) {
	t.Parallel()
	p := hits.New(style.New(true, true))
	p.SetSize(80, 24)
	heading := func(text string, d *contract.Deprecation) contract.Heading {
		return contract.Heading{Level: 2, Text: "## " + text, Deprecated: d}
	}
	said := &contract.Deprecation{Scope: contract.DeprecatedSection, Line: 9, Text: "Deprecated since version 2."}
	p.SetResult(pipeline.Result{Phases: pipeline.PhaseResults{Search: &contract.SearchOutput{Results: []contract.Result{
		{DocSet: "a@1", FilePath: "x.md", PageTitle: "X", Headings: []contract.Heading{heading("Flat wicks", said),
			heading("Oil (deprecated)", said), heading("Trim", nil)}},
	}}}}, nil, false)
	tuitest.Golden(t, "deprecated", tuitest.View(t, p.View(), 80, 24))
	p.SetSize(38, 6)
	tuitest.View(t, p.View(), 38, 6)
}

// While the first question is answered, the empty pane does not ask for a question.
func TestAQuestionHasBegun(t *testing.T) {
	t.Parallel()
	p := hits.New(style.New(true, true))
	p.SetSize(60, 10)
	p.SetHint("Type a question and press enter.")
	if got := p.View(); !strings.Contains(got, "Type a question") {
		t.Errorf("before the first question: %q", got)
	}
	p.Begin()
	if got := p.View(); strings.Contains(got, "Type a question") || !strings.Contains(got, "looked for") {
		t.Errorf("while it is answered: %q", got)
	}
	p.SetResult(pipeline.Result{Query: "wicks"}, nil, false)
	if got := p.View(); strings.Contains(got, "looked for") {
		t.Errorf("after it failed: %q", got)
	}
}
