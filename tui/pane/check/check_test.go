package check_test

import (
	"testing"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/tui/pane/check"
	"docent/tui/style"
	"docent/tui/tuitest"
)

func TestPane(t *testing.T) {
	t.Parallel()
	req := pipeline.Request{Question: "q", Preferences: contract.Preferences{Compress: true}}
	p := check.New(style.New(true, true))
	tuitest.Phase(t, p, req, func(res pipeline.Result) { p.SetResult(res, req) })
}
