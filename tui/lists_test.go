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
	answer := func(lines ...string) func(context.Context) ([]string, error) {
		return func(context.Context) ([]string, error) { return lines, nil }
	}
	o.Operations = []tui.Operation{
		{Name: "oil", About: "how much oil there is", Run: answer("tank  3 barrels", "lamp  half full")},
		{Name: "moths", About: "which moths came", Run: answer()},
		{Name: "storm", About: "when the storm comes", Run: func(context.Context) ([]string, error) {
			return nil, errors.New("the barometer is broken")
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
