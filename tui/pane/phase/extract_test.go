package phase_test

import (
	"fmt"
	"strings"
	"testing"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/tui/keymap"
	"docent/tui/pane/phase"
	"docent/tui/style"
	"docent/tui/tuitest"
)

// shown is the pane of an extraction.
func shownExtract(e *contract.Extraction) *phase.Extract {
	p := phase.NewExtract(style.New(true, true))
	p.SetSize(70, 22)
	setExtract(p, e)
	return p
}

func setExtract(p *phase.Extract, e *contract.Extraction) {
	var res pipeline.Result
	res.Phases.Extract = e
	p.SetResult(res, pipeline.Request{})
}

func documents(n int) *contract.Extraction {
	e := &contract.Extraction{}
	for i := range n {
		e.Documents = append(e.Documents, contract.Extracted{Title: fmt.Sprintf("Page %d", i), DocSet: "a@1", FilePath: fmt.Sprintf("p%d.md", i),
			Lines: 10})
		e.TotalLineCount += 10
	}
	return e
}

// The cursor goes from document to document, whatever else is listed, and stays
// on its place when a run brings others.
func TestExtractSelected(t *testing.T) {
	t.Parallel()
	e := documents(3)
	e.Documents[0].URL, e.Documents[1].Changed = "https://a.example/p0", true
	e.NotFound = []string{"Lost page"}
	p := shownExtract(e)
	at := func(want string) {
		t.Helper()
		if d, ok := p.Selected(); !ok || d.FilePath != want {
			t.Errorf("the cursor is on %q, %v, not on %s", d.FilePath, ok, want)
		}
	}
	at("p0.md")
	for _, step := range []struct {
		do   keymap.Action
		want string
	}{{keymap.Down, "p1.md"}, {keymap.Down, "p2.md"}, {keymap.Down, "p2.md"}, {keymap.Up, "p1.md"}, {keymap.Top, "p0.md"}, {keymap.Bottom,
		"p2.md"}} {
		if got := tuitest.Intent(p.Update(step.do)); got != nil {
			t.Errorf("%s asks for %+v", step.do, got)
		}
		at(step.want)
	}
	setExtract(p, documents(2)) // the third document is gone
	at("p1.md")
	setExtract(p, documents(0))
	if d, ok := p.Selected(); ok {
		t.Errorf("the cursor is on %+v where there is no document", d)
	}
	setExtract(p, nil)
	if _, ok := p.Selected(); ok || !strings.Contains(p.View(), "nothing here yet") {
		t.Error("the documents of an earlier run are left")
	}
}

// Clicks pick documents and nothing else.
func TestExtractClick(t *testing.T) {
	t.Parallel()
	p := shownExtract(documents(3))
	picked := 0
	for y, line := range strings.Split(tuitest.View(t, p.View(), 70, 22), "\n") {
		i := strings.Index(line, "Page ")
		if ok := p.Click(y); ok != (i >= 0) {
			t.Errorf("a click on %q: %v", line, ok)
		} else if ok {
			picked++
			if d, _ := p.Selected(); d.Title != strings.TrimSpace(line[i:]) {
				t.Errorf("a click on %q picks %s", line, d.Title)
			}
		}
	}
	if picked != 3 {
		t.Errorf("%d documents were clicked", picked)
	}
}

// The verdict, the share that was kept, changed files, and the pages not found.
func TestExtractWords(t *testing.T) {
	t.Parallel()
	e := documents(2)
	p := shownExtract(e)
	if v := tuitest.View(t, p.View(), 70, 22); !strings.Contains(v, "20 lines of 2100") || !strings.Contains(v, "fits") ||
		!strings.Contains(v, "Pages (2)") || strings.Contains(v, "Not found") {
		t.Errorf("a short text shows\n%s", v)
	}
	e.TotalLineCount, e.RequiresProcessing, e.NotFound, e.Documents[1].Changed = 5000, true, []string{"Lost page"}, true
	var res pipeline.Result
	res.Phases.Extract, res.Phases.Rerank = e, &contract.RerankOutput{Results: make([]contract.Result, 7)}
	p.SetResult(res, pipeline.Request{})
	v := tuitest.View(t, p.View(), 70, 22)
	for _, want := range []string{"too long: it is cut", "the best 2 of 7", "✗ Lost page", "~ the file changed since it was indexed"} {
		if !strings.Contains(v, want) {
			t.Errorf("%q is not shown:\n%s", want, v)
		}
	}
}

func TestExtractSizesAndReasons(t *testing.T) {
	t.Parallel()
	tuitest.Shrink(t, shownExtract(nil))
	tuitest.Shrink(t, shownExtract(&contract.Extraction{Documents: make([]contract.Extracted, 2)})) // no line at all
	nasty := documents(3)
	nasty.Documents[0].Title, nasty.Documents[1].URL = tuitest.Hostile, strings.Repeat("https://灯.example/", 30)
	nasty.Documents[2].Lines = 1 << 40
	nasty.NotFound, nasty.Summary = []string{tuitest.Hostile}, "one\ntwo\x1b[2J\n"
	p := shownExtract(nasty)
	tuitest.Shrink(t, p)
	tuitest.Disabled(t, p, keymap.OpenSource, keymap.NeedResult, tuitest.NotRun, "there is no line of a document under the cursor")
	tuitest.Disabled(t, p, keymap.OpenSource, keymap.NeedResult|keymap.NeedSource, tuitest.NotRun, "")
}
