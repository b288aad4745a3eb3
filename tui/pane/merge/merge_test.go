package merge_test

import (
	"testing"

	"docent/pipeline"
	"docent/tui/pane/merge"
	"docent/tui/style"
	"docent/tui/tuitest"
)

func TestPane(t *testing.T) {
	t.Parallel()
	req := pipeline.Request{Question: "q", DocSets: []string{tuitest.Set}}
	p := merge.New(style.New(true, true))
	tuitest.Phase(t, p, req, func(res pipeline.Result) { p.SetResult(res) })
}
