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

// result is a result of phases 2.5 and 3; nil where a phase did not run.
func checked(c *contract.Check, p *contract.Processed) pipeline.Result {
	var res pipeline.Result
	res.Phases.Check, res.Phases.Process = c, p
	return res
}

// The decision in words: who asked for full text or compression, the action, the
// lines left out.
func TestCheckWords(t *testing.T) {
	t.Parallel()
	process := &contract.Check{Action: contract.ActionProcess, Reason: "it is long", TotalLineCount: 3000, MaxTokens: 900}
	done := &contract.Processed{Action: contract.ActionCompressed, LineCount: 2915,
		Omitted: []contract.Omission{{Title: "Wicks", Lines: [2]int{5, 90}}}}
	pressed := pipeline.Request{}
	pressed.Preferences.Full, pressed.Preferences.Compress = true, true
	for _, tt := range []struct {
		name  string
		res   pipeline.Result
		req   pipeline.Request
		want  []string
		lacks []string
	}{
		{"skipped", checked(&contract.Check{Action: contract.ActionSkip, TotalLineCount: 7}, nil), pipeline.Request{},
			[]string{"7 lines", "nothing: the pages stand in the answer as they are"}, []string{"at most", "wanted"}},
		{"processed", checked(process, done), pipeline.Request{},
			[]string{"it is long", "at most         900 tokens", "2914 of 3000 lines, and 1 line for what is left out", "Left out (86 lines)", "5–90", "Wicks"}, []string{"by you"}},
		{"nothing left out", checked(process, &contract.Processed{}), pipeline.Request{}, []string{"nothing"}, nil},
		{"asked in the question", checked(&contract.Check{FullRequested: true, CompressionRequested: true}, nil), pipeline.Request{},
			[]string{"however long, in the question"}, []string{"by you"}},
		{"asked by keys", checked(&contract.Check{FullRequested: true, CompressionRequested: true}, nil), pressed,
			[]string{"however long, by you"}, []string{"in the question"}},
		{"only phase 3", checked(nil, done), pipeline.Request{}, []string{"nothing here yet"}, []string{"Wicks"}},
	} {
		p := phase.NewCheck(style.New(true, true))
		p.SetSize(70, 22)
		p.SetResult(tt.res, tt.req)
		v := tuitest.View(t, p.View(), 70, 22)
		for _, w := range tt.want {
			if !strings.Contains(v, w) {
				t.Errorf("%s: %q is not shown:\n%s", tt.name, w, v)
			}
		}
		for _, w := range tt.lacks {
			if strings.Contains(v, w) {
				t.Errorf("%s: %q is shown:\n%s", tt.name, w, v)
			}
		}
	}
}

// The pane only scrolls; a result that is shorter than the one before, or none,
// leaves nothing of it.
func TestCheckKeysOnlyScroll(t *testing.T) {
	t.Parallel()
	p := phase.NewCheck(style.New(true, true))
	p.SetSize(70, 6)
	many := &contract.Processed{Omitted: make([]contract.Omission, 80)}
	for i := range many.Omitted {
		many.Omitted[i] = contract.Omission{Title: "page", Lines: [2]int{i + 1, i + 2}}
	}
	p.SetResult(checked(&contract.Check{}, many), pipeline.Request{})
	for _, b := range keymap.Table() {
		if got := tuitest.Intent(p.Update(b.Action)); got != nil {
			t.Errorf("%s asks for %+v", b.Action, got)
		}
	}
	for _, b := range p.Bindings() {
		if why := b.Disabled(0); why != "" {
			t.Errorf("%s is disabled: %s", b.Action, why)
		}
	}
	p.Update(keymap.Bottom)
	if v := tuitest.View(t, p.View(), 70, 6); !strings.Contains(v, "80–81") || p.Share() == "" {
		t.Errorf("the end shows\n%s", v)
	}
	if _, ok := p.Picked(); ok || p.Click(2) {
		t.Error("a row can be picked")
	}
	p.SetResult(pipeline.Result{}, pipeline.Request{})
	if v := tuitest.View(t, p.View(), 70, 6); !strings.Contains(v, "nothing here yet") {
		t.Errorf("an earlier run is left:\n%s", v)
	}
}

func TestCheckSizes(t *testing.T) {
	t.Parallel()
	p := phase.NewCheck(style.New(true, true))
	tuitest.Shrink(t, p) // before the first result
	for _, res := range []pipeline.Result{checked(&contract.Check{}, nil),
		checked(&contract.Check{Action: tuitest.Hostile, Reason: strings.Repeat("灯", 300), TotalLineCount: -1},
			&contract.Processed{Omitted: []contract.Omission{{Title: tuitest.Hostile}, {Lines: [2]int{1 << 40, 1 << 41}}}})} {
		p.SetResult(res, pipeline.Request{})
		tuitest.Shrink(t, p)
	}
}
