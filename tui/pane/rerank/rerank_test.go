package rerank_test

import (
	"testing"

	"docent/pipeline"
	"docent/tui/pane/rerank"
	"docent/tui/style"
	"docent/tui/tuitest"
)

func TestPane(t *testing.T) {
	t.Parallel()
	req := pipeline.Request{Question: "how do I trim a wick"}
	p := rerank.New(style.New(true, true))
	tuitest.Phase(t, "", p, req, func(res pipeline.Result) { p.SetResult(res, nil) })
}
