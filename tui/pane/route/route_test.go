package route_test

import (
	"testing"

	"docent/pipeline"
	"docent/tui/pane/route"
	"docent/tui/style"
	"docent/tui/tuitest"
)

func TestPane(t *testing.T) {
	t.Parallel()
	threshold := 0.55
	req := pipeline.Request{Question: "q", Scene: "fact_lookup", Threshold: &threshold}
	p := route.New(style.New(true, true))
	tuitest.Phase(t, p, req, func(res pipeline.Result) { p.SetResult(res, req) })
}
