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

// view is what the pane shows of a merge.
func viewMerge(t *testing.T, p *phase.Pane, m *contract.SearchInput) string {
	t.Helper()
	var res pipeline.Result
	res.Phases.Merge = m
	p.SetResult(res, pipeline.Request{})
	return tuitest.View(t, p.View(), 70, 22)
}

// What phase 1 is asked, in words: which doc sets, whether others may be searched
// too, and reranking where it is off.
func TestMergeWords(t *testing.T) {
	t.Parallel()
	p := phase.NewMerge(style.New(true, true))
	p.SetSize(70, 22)
	off, on := false, true
	for _, tt := range []struct {
		name  string
		in    contract.SearchInput
		want  []string
		lacks []string
	}{
		{"nothing set", contract.SearchInput{}, []string{"all", "0.00", "what to do      –"}, []string{"nowhere else", "ranking"}},
		{"one doc set", contract.SearchInput{DocSets: "a@1", Query: []string{"x"}, RerankerThreshold: 0.456}, []string{"a@1", "0.46", "1  x"},
			[]string{"nowhere else"}},
		{"several, and nothing else", contract.SearchInput{DocSets: "a@1,b@2", Context: &contract.Context{DocSetsExplicit: true}},
			[]string{"a@1, b@2  (and nowhere else"}, nil},
		{"no reranking", contract.SearchInput{Reranker: &off}, []string{"ranking", "off"}, nil},
		{"reranking", contract.SearchInput{Reranker: &on}, nil, []string{"ranking"}},
	} {
		v := viewMerge(t, p, &tt.in)
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

// The pane only scrolls: no key of it asks the root for anything, and nothing can
// be picked.
func TestMergeKeysOnlyScroll(t *testing.T) {
	t.Parallel()
	p := phase.NewMerge(style.New(true, true))
	p.SetSize(70, 5)
	in := contract.SearchInput{Query: make([]string, 60)}
	for i := range in.Query {
		in.Query[i] = strings.Repeat("q", i+1)
	}
	top := viewMerge(t, p, &in)
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
	if _, ok := p.Picked(); ok || p.Click(3) {
		t.Error("a row can be picked")
	}
	p.Update(keymap.Bottom)
	if v := tuitest.View(t, p.View(), 70, 5); !strings.Contains(v, in.Query[59][:40]) || p.Share() == "" {
		t.Errorf("the end shows\n%s\n%s", v, p.Share())
	}
	// A shorter result leaves no view behind the end.
	if v := viewMerge(t, p, &contract.SearchInput{}); strings.TrimSpace(v) == "" {
		t.Error("the view is behind the end")
	}
	p.Rewind()
	if viewMerge(t, p, &in) != top {
		t.Error("the top is not found again")
	}
	if v := viewMerge(t, p, nil); !strings.Contains(v, "nothing here yet") {
		t.Errorf("an earlier run's merge is left:\n%s", v)
	}
}

func TestMergeSizes(t *testing.T) {
	t.Parallel()
	p := phase.NewMerge(style.New(true, true))
	p.SetSize(70, 22)
	tuitest.Shrink(t, p) // before the first result
	for _, in := range []contract.SearchInput{{}, {DocSets: strings.Repeat("灯笼@latest,", 40),
		Query: []string{tuitest.Hostile, "", strings.Repeat("灯芯", 200)}, Scene: tuitest.Hostile}} {
		p.SetSize(70, 22)
		viewMerge(t, p, &in)
		tuitest.Shrink(t, p)
	}
}
