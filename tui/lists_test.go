package tui_test

import (
	"context"
	"errors"
	"testing"

	"docent/tui"
	"docent/tui/tuitest"
)

// operating is the app with operations that answer and one that fails.
func operating(t *testing.T) *tuitest.Driver {
	t.Helper()
	o := tuitest.Options(&tuitest.Backend{})
	answer := func(lines ...string) func(context.Context, string) ([]string, error) {
		return func(context.Context, string) ([]string, error) { return lines, nil }
	}
	o.Operations = []tui.Operation{
		{Name: "oil", About: "how much oil there is", Run: answer("tank  3 barrels", "lamp  half full")},
		{Name: "moths", About: "which moths came", Run: answer()},
		{Name: "storm", About: "when the storm comes", Run: func(context.Context, string) ([]string, error) {
			return nil, errors.New("the barometer is broken")
		}},
		{Name: "leaves", About: "how many leaves the page has", OnPage: true, Run: func(_ context.Context, page string) ([]string, error) {
			return []string{"leaves of " + page}, nil
		}},
	}
	return tuitest.Start(t, o, 80, 24)
}

// The list of actions offers operations, by what they answer and by their names, and shows
// the lines of an answer.
func TestOperationsAreActions(t *testing.T) {
	t.Parallel()
	d := operating(t)
	d.Keys("esc", "ctrl+p")
	d.Type("much oil")
	contains(t, d.Screen(), "Actions", "how much oil there is", "oil")
	d.Keys("enter")
	contains(t, d.Screen(), "oil", "tank  3 barrels", "lamp  half full")
	d.Type("lamp")
	lacks(t, d.Screen(), "3 barrels")
	d.Keys("enter", "ctrl+p")
	d.Type("moths")
	d.Keys("enter")
	contains(t, d.Screen(), "there is nothing to say")
	d.Keys("esc", "ctrl+p")
	d.Type("storm")
	d.Keys("enter")
	contains(t, d.Screen(), "the barometer is broken")
	lacks(t, d.Screen(), "working …")
}

// The answer of an operation whose list was left is dropped.
func TestLeftOperation(t *testing.T) {
	t.Parallel()
	d := operating(t)
	d.Keys("esc", "ctrl+p")
	d.Type("much oil")
	d.Burst("enter", "esc")
	lacks(t, d.Screen(), "3 barrels", "working …")
}

// An operation about a page is offered while a page is read, and is asked about that page.
// While a page is read, operations about a page are offered, and get that page.
func TestOperationsOnAPage(t *testing.T) {
	t.Parallel()
	d := operating(t)
	d.Keys("esc", "ctrl+p")
	d.Type("leaves")
	lacks(t, d.Screen(), "how many leaves")
	o := tuitest.Options(&tuitest.Backend{})
	o.Operations = []tui.Operation{{Name: "leaves", About: "how many leaves the page has", OnPage: true,
		Run: func(_ context.Context, page string) ([]string, error) { return []string{"leaves of " + page}, nil }}}
	d = asked(t, o, 80, 24)
	d.Keys("enter", "ctrl+p")
	d.Type("leaves")
	d.Keys("enter")
	contains(t, d.Screen(), "leaves of lantern@2.1/guides/wicks.md")
	d.Keys("esc")
	contains(t, d.Screen(), "▸Wicks › Trim a wick")
}
