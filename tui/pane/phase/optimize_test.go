package phase_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/tui/keymap"
	"docent/tui/pane/phase"
	"docent/tui/style"
	"docent/tui/tuitest"
)

// shown is the pane behind a run of a request.
func shownOptimize(t *testing.T, req pipeline.Request) *phase.Optimize {
	t.Helper()
	p := phase.NewOptimize(style.New(true, true))
	p.SetSize(70, 22)
	p.SetResult(tuitest.Result(t, &tuitest.Backend{}, req), req)
	return p
}

var request = pipeline.Request{Question: "how do I trim a wick"}

// texts are the queries of an intent in their order, with their ranks checked.
func texts(t *testing.T, qs []contract.OptimizedQuery) string {
	t.Helper()
	var out []string
	for i, q := range qs {
		if q.Rank != i+1 {
			t.Errorf("query %d has the rank %d", i+1, q.Rank)
		}
		out = append(out, q.Query)
	}
	return strings.Join(out, "|")
}

const asked, guide, chinese = "how do I trim a wick", "wick trimming guide", "修剪灯芯"

// What each key asks for, from where the cursor stands.
func TestOptimizeKeys(t *testing.T) {
	t.Parallel()
	down := keymap.Down
	for _, tt := range []struct {
		name    string
		keys    []keymap.Action
		queries string
		what    string
	}{
		{"drop the first", []keymap.Action{keymap.DropQuery}, guide + "|" + chinese, "query dropped: " + asked},
		{"drop the last", []keymap.Action{keymap.Bottom, keymap.DropQuery}, asked + "|" + guide, "query dropped: " + chinese},
		{"rank lower", []keymap.Action{keymap.QueryDown}, guide + "|" + asked + "|" + chinese, "query moved down: " + asked},
		{"rank higher", []keymap.Action{down, down, keymap.QueryUp}, asked + "|" + chinese + "|" + guide, "query moved up: " + chinese},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := shownOptimize(t, request)
			var got any
			for _, k := range tt.keys {
				got = tuitest.Intent(p.Update(k))
			}
			c, ok := got.(phase.QueriesChanged)
			if !ok || texts(t, c.Queries) != tt.queries || c.What != tt.what {
				t.Errorf("the intent is %+v", got)
			}
		})
	}
}

// Keys that can change nothing ask for nothing.
func TestOptimizeKeysAtTheEnds(t *testing.T) {
	t.Parallel()
	p := shownOptimize(t, request)
	for _, keys := range [][]keymap.Action{{keymap.Top, keymap.QueryUp}, {keymap.Bottom, keymap.QueryDown}, {keymap.OwnQueries},
		{keymap.PageDown}, {keymap.NextValue}} {
		var got any
		for _, k := range keys {
			got = tuitest.Intent(p.Update(k))
		}
		if got != nil {
			t.Errorf("%v asks for %+v", keys, got)
		}
	}
	if p.Update("no action") != nil || p.Update(nil) != nil {
		t.Error("a message that is no action leads to something")
	}
}

// The cursor goes along with a query that changes its place.
func TestOptimizeCursorFollowsTheQuery(t *testing.T) {
	t.Parallel()
	p := shownOptimize(t, request)
	c := tuitest.Intent(p.Update(keymap.QueryDown)).(phase.QueriesChanged)
	req := request
	req.Queries = c.Queries
	p.SetResult(tuitest.Result(t, &tuitest.Backend{}, req), req)
	if q, i, ok := p.Selected(); !ok || i != 1 || q.Query != asked {
		t.Errorf("the cursor is on %d, %q, %v", i, q.Query, ok)
	}
	// Now the queries are a person's own, and phase 0a's can be had back.
	if v := tuitest.View(t, p.View(), 70, 22); !strings.Contains(v, "set by you") {
		t.Errorf("nothing says whose queries these are:\n%s", v)
	}
	if got := tuitest.Intent(p.Update(keymap.OwnQueries)); !reflect.DeepEqual(got, phase.QueriesChanged{What: "docent's own queries"}) {
		t.Errorf("o asks for %+v", got)
	}
}

// Typed texts: an edit keeps the strategy, an empty text drops the query, an
// addition stands behind the cursor.
func TestOptimizeEditAndAdd(t *testing.T) {
	t.Parallel()
	p := shownOptimize(t, request)
	c := tuitest.Intent(p.EditQuery(1, "  burner guide ")).(phase.QueriesChanged)
	if texts(t, c.Queries) != asked+"|burner guide|"+chinese || c.Queries[1].Strategy != contract.StrategyExpansion ||
		c.Queries[1].Reason != "edited" {
		t.Errorf("edited: %+v", c.Queries)
	}
	if got := tuitest.Intent(p.EditQuery(1, " ")).(phase.QueriesChanged); texts(t, got.Queries) != asked+"|"+chinese {
		t.Errorf("emptied: %+v", got.Queries)
	}
	for _, none := range []any{p.EditQuery(1, guide), p.EditQuery(7, "x"), p.Add(" \t")} {
		if !reflect.ValueOf(none).IsNil() {
			t.Error("a text that changes nothing leads to something")
		}
	}
	p.Update(keymap.Down)
	if c := tuitest.Intent(p.Add("lamp oil")).(phase.QueriesChanged); texts(t, c.Queries) != asked+"|"+guide+"|lamp oil|"+chinese {
		t.Errorf("added: %+v", c.Queries)
	}
	if _, _, ok := p.Selected(); !ok {
		t.Error("the cursor is lost")
	}
	// What the pane shows is the run's; an intent changes nothing by itself.
	if v := tuitest.View(t, p.View(), 70, 22); strings.Contains(v, "lamp oil") {
		t.Errorf("the pane changed its queries itself:\n%s", v)
	}
}

// The last query cannot be dropped: then phase 0a's own are searched.
func TestOptimizeDroppingTheLastQuery(t *testing.T) {
	t.Parallel()
	p := phase.NewOptimize(style.New(true, true))
	p.SetSize(70, 22)
	p.SetResult(onlyQueries("wick"), pipeline.Request{Queries: []contract.OptimizedQuery{{Query: "wick"}}})
	got, ok := tuitest.Intent(p.Update(keymap.DropQuery)).(phase.QueriesChanged)
	if !ok || got.Queries != nil || !strings.Contains(got.What, "cannot be dropped") {
		t.Errorf("the intent is %+v", got)
	}
}

// only is a result of nothing but phase 0a, with these queries.
func onlyQueries(queries ...string) pipeline.Result {
	o := &contract.Optimized{}
	for i, q := range queries {
		o.OptimizedQueries = append(o.OptimizedQueries, contract.OptimizedQuery{Rank: i + 1, Query: q})
	}
	var res pipeline.Result
	res.Phases.Optimize = o
	return res
}

// Results that are empty, strange, or of fewer queries than before.
func TestOptimizeStrangeResults(t *testing.T) {
	t.Parallel()
	p := shownOptimize(t, request)
	p.Update(keymap.Bottom)
	p.SetResult(onlyQueries("one"), request) // the cursor was on the third
	if q, i, ok := p.Selected(); !ok || i != 0 || q.Query != "one" {
		t.Errorf("the cursor is on %d, %q, %v", i, q.Query, ok)
	}
	p.SetResult(onlyQueries(), request)
	for _, b := range p.Bindings() {
		if got := tuitest.Intent(p.Update(b.Action)); got != nil {
			t.Errorf("%s asks for %+v where there is no query", b.Action, got)
		}
	}
	if c := tuitest.Intent(p.Add("first")).(phase.QueriesChanged); texts(t, c.Queries) != "first" {
		t.Errorf("added to nothing: %+v", c.Queries)
	}
	p.SetResult(pipeline.Result{}, request)
	if _, _, ok := p.Selected(); ok || !strings.Contains(p.View(), "nothing here yet") {
		t.Error("the queries of an earlier run are left")
	}
	p.SetResult(onlyQueries(tuitest.Hostile, "", strings.Repeat("灯芯", 300)), request)
	tuitest.Shrink(t, p)
}

func TestOptimizeSizesAndReasons(t *testing.T) {
	t.Parallel()
	p := shownOptimize(t, request)
	tuitest.Shrink(t, p)
	for _, a := range []keymap.Action{keymap.EditQuery, keymap.AddQuery, keymap.DropQuery, keymap.QueryUp, keymap.QueryDown,
		keymap.OwnQueries} {
		tuitest.Disabled(t, p, a, keymap.NeedResult, tuitest.NotRun, "")
	}
	if slices.ContainsFunc(p.Bindings(), func(b keymap.Binding) bool { return b.Action == keymap.NextValue }) {
		t.Error("it names a key of the route")
	}
}
