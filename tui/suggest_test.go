package tui_test

import (
	"testing"

	"docent/tui/tuitest"
)

// While a question is typed, the sections that it may lead to are shown; enter
// asks it, escape and an empty line leave the earlier screen.
func TestAsYouType(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{80, 24}, {200, 60}, {40, 10}} {
		d := tuitest.Start(t, tuitest.Options(&tuitest.Backend{Suggests: true}), size[0], size[1])
		d.Settle()
		d.Type("how do I trim a wic")
		d.Settle()
		contains(t, d.Screen(), "As you type", "Wicks")
		if size[0] == 80 {
			tuitest.Golden(t, "typing-80x24", d.Screen())
		}
		d.Type(" zzz")
		d.Settle()
		lacks(t, d.Screen(), "As you type")
		for range "how do I trim a wic zzz" {
			d.Keys("backspace")
		}
		d.Settle()
		lacks(t, d.Screen(), "As you type")
		d.Ask(question)
		d.Settle()
		lacks(t, d.Screen(), "As you type")
	}
}

// Escape leaves the answer that was there.
func TestAsYouTypeAndBack(t *testing.T) {
	t.Parallel()
	d := asked(t, tuitest.Options(&tuitest.Backend{Suggests: true}), 80, 24)
	d.Keys("/")
	d.Type("wic")
	d.Settle()
	contains(t, d.Screen(), "As you type")
	d.Keys("esc")
	d.Settle()
	lacks(t, d.Screen(), "As you type")
	contains(t, d.Screen(), question, "7 of 9 sections kept", "Refilling")
}
