package rerank_test

import (
	"strings"
	"testing"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/tui/keymap"
	"docent/tui/pane/rerank"
	"docent/tui/style"
	"docent/tui/tuitest"
)

func shown(t *testing.T, req pipeline.Request, w, h int) *rerank.Pane {
	t.Helper()
	p := rerank.New(style.New(true, true))
	p.SetSize(w, h)
	p.SetResult(tuitest.Result(t, &tuitest.Backend{}, req), nil)
	return p
}

// all is every heading's score, as the root computes it without a threshold.
func all(t *testing.T, why bool) []contract.Result {
	t.Helper()
	zero := 0.0
	req := pipeline.Request{Question: "q", Threshold: &zero}
	req.Explain = why
	return tuitest.Result(t, &tuitest.Backend{}, req).Phases.Rerank.Results
}

// The threshold past the next heading: above it drops one heading more, below it
// keeps one more, which needs the scores of dropped headings.
func TestThreshold(t *testing.T) {
	t.Parallel()
	p := shown(t, pipeline.Request{Question: "q"}, 70, 22)
	up, ok := p.Threshold(-1)
	if !ok || up <= 0.4 || up > 1 {
		t.Errorf("the threshold above is %.2f, %v", up, ok)
	}
	if to, ok := p.Threshold(1); ok {
		t.Errorf("the threshold below is %.2f, but no score is known there", to)
	}
	if !p.NeedsAll() {
		t.Error("it does not ask for all scores")
	}
	p.SetAllScores(all(t, true))
	down, ok := p.Threshold(1)
	if !ok || down >= 0.4 || down < 0 {
		t.Errorf("with all scores the threshold below is %.2f, %v", down, ok)
	}
	if p.NeedsAll() {
		t.Error("it asks for reasons that it has")
	}
	zero := 0.0
	p = shown(t, pipeline.Request{Question: "q", Threshold: &zero}, 70, 22)
	if to, ok := p.Threshold(1); ok {
		t.Errorf("below 0 there is %.2f", to)
	}
}

// The cursor goes from heading to heading and not onto the threshold's line, and
// keeps to its heading when scores and reasons come.
func TestCursor(t *testing.T) {
	t.Parallel()
	p := shown(t, pipeline.Request{Question: "q"}, 70, 40)
	seen := map[string]bool{}
	for range 9 {
		r, h, ok := p.Selected()
		if !ok || seen[r.FilePath+h.Text] {
			t.Fatalf("the cursor is on %s %s, %v", r.FilePath, h.Text, ok)
		}
		seen[r.FilePath+h.Text] = true
		if got := tuitest.Intent(p.Update(keymap.Down)); got != nil {
			t.Errorf("down asks for %+v", got)
		}
	}
	p.Update(keymap.Top)
	p.Update(keymap.Down)
	_, before, _ := p.Selected()
	p.SetAllScores(all(t, true))
	if _, now, _ := p.Selected(); now.Text != before.Text || now.Explain == nil {
		t.Errorf("the cursor went from %s to %s", before.Text, now.Text)
	}
	if v := tuitest.View(t, p.View(), 70, 40); !strings.Contains(v, "e shows the figures") || strings.Contains(v, "words in title") {
		t.Errorf("the figures are not behind a key:\n%s", v)
	}
	p.Update(keymap.Figures)
	if v := tuitest.View(t, p.View(), 70, 40); !strings.Contains(v, "words in title and headings") {
		t.Errorf("the figures are not shown:\n%s", v)
	}
	// Another run: the scores computed for the one before are dropped.
	p.SetResult(tuitest.Result(t, &tuitest.Backend{}, pipeline.Request{Question: "q"}), nil)
	if v := p.View(); strings.Contains(v, "words in title") || !p.NeedsAll() {
		t.Errorf("reasons of an earlier run are shown:\n%s", v)
	}
}

// Clicks pick headings in the list, and nothing in the reasons below it.
func TestClick(t *testing.T) {
	t.Parallel()
	p := shown(t, pipeline.Request{Question: "q"}, 70, 22)
	clicked := 0
	for y := range strings.Split(tuitest.View(t, p.View(), 70, 22), "\n") {
		if p.Click(y) {
			clicked++
			if line := strings.Split(p.View(), "\n")[y]; !strings.Contains(line, "▸") {
				t.Errorf("a click on line %d leaves the cursor elsewhere: %s", y, line)
			}
		}
	}
	if clicked < 5 || p.Click(21) || p.Click(300) {
		t.Errorf("%d lines were clicked, or one of the reasons", clicked)
	}
}

// Results without reranking, without hits, or of one phase only.
func TestStrangeResults(t *testing.T) {
	t.Parallel()
	off := false
	p := shown(t, pipeline.Request{Question: "q", Reranker: &off}, 70, 22)
	if v := p.View(); !strings.Contains(v, "not ranked") || p.NeedsAll() {
		t.Errorf("without reranking it shows\n%s", v)
	}
	for _, d := range []int{-1, 1} {
		if to, ok := p.Threshold(d); ok {
			t.Errorf("without scores the threshold goes to %.2f", to)
		}
	}
	search, result := pipeline.Result{}, pipeline.Result{}
	search.Phases.Search = &contract.SearchOutput{}
	result.Phases.Rerank = &contract.RerankOutput{}
	for _, res := range []pipeline.Result{{}, search, result} {
		p.SetResult(res, nil)
		p.SetAllScores(all(t, true)) // too late: there is nothing that it belongs to
		if _, _, ok := p.Selected(); ok || !strings.Contains(p.View(), "nothing here yet") {
			t.Errorf("half a result shows\n%s", p.View())
		}
		tuitest.Shrink(t, p)
		p.SetSize(70, 22)
	}
	both := search
	both.Phases.Rerank = &contract.RerankOutput{Unanswered: true, BelowThreshold: true}
	p.SetResult(both, nil)
	for _, want := range []string{"nothing was found", "probably not in your documentation"} {
		if v := p.View(); !strings.Contains(v, want) {
			t.Errorf("%q is not shown:\n%s", want, v)
		}
	}
	tuitest.Shrink(t, p)
}

func TestSizesAndReasons(t *testing.T) {
	t.Parallel()
	p := shown(t, pipeline.Request{Question: "q"}, 70, 22)
	tuitest.Shrink(t, p)
	p.SetAllScores(all(t, true))
	tuitest.Shrink(t, p)
	for _, a := range []keymap.Action{keymap.ThresholdAbove, keymap.ThresholdBelow} {
		tuitest.Disabled(t, p, a, keymap.NeedResult, tuitest.NotRun, "")
	}
	tuitest.Disabled(t, p, keymap.OpenSource, keymap.NeedResult, tuitest.NotRun, "there is no line of a document under the cursor")
}
