package tui_test

import (
	"context"
	"testing"

	"docent/tui"
	"docent/tui/tuitest"
)

// In the folder of a project the app begins narrowed to the project's doc sets. One key
// widens the search, in a question and behind it, and leads back.
func TestBeginsNarrowedToTheProject(t *testing.T) {
	t.Parallel()
	opt := tuitest.Options(&tuitest.Backend{})
	opt.Project = func(context.Context) tui.Project {
		return tui.Project{Name: "beacon", DocSets: []string{"lantern@2.1"}}
	}
	d := tuitest.Start(t, opt, 100, 30)
	d.Settle()
	contains(t, d.Screen(), "in 1 doc set of beacon")
	d.Keys("ctrl+y")
	d.Settle()
	contains(t, d.Screen(), "all doc sets are searched")
	lacks(t, d.Screen(), "of beacon")
	d.Keys("ctrl+y")
	d.Settle()
	contains(t, d.Screen(), "in 1 doc set of beacon")
	d.Type("how do I trim a wick")
	d.Keys("enter")
	d.Settle()
	contains(t, d.Screen(), "in 1 doc set of beacon", "lantern@2.1")
	d.Keys("D")
	d.Settle()
	contains(t, d.Screen(), "all doc sets are searched", "3 doc sets")
	lacks(t, d.Screen(), "of beacon")

	// Doc sets that the command line names come first, and elsewhere the key says why it does nothing.
	opt.Request.DocSets = []string{"harbour@0.9"}
	d = tuitest.Start(t, opt, 100, 30)
	d.Settle()
	contains(t, d.Screen(), "in harbour@0.9")
	d = tuitest.Start(t, tuitest.Options(&tuitest.Backend{}), 100, 30)
	d.Settle()
	d.Keys("ctrl+y")
	contains(t, d.Screen(), "this folder has no docent.lock")

	// A fault of the project's doc sets is said.
	opt = tuitest.Options(&tuitest.Backend{})
	opt.Project = func(context.Context) tui.Project { return tui.Project{Remark: "docent.lock is damaged"} }
	d = tuitest.Start(t, opt, 100, 30)
	d.Settle()
	contains(t, d.Screen(), "docent.lock is damaged")
}
