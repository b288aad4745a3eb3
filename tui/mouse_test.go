package tui_test

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"docent/tui/tuitest"
	"docent/tui/widget"
)

// find is where a text stands on the screen.
func find(t *testing.T, d *tuitest.Driver, text string) (x, y int) {
	t.Helper()
	for y, l := range strings.Split(d.Screen(), "\n") {
		if i := strings.Index(l, text); i >= 0 {
			return widget.Width(l[:i]), y
		}
	}
	t.Fatalf("%q is not on the screen:\n%s", text, d.Screen())
	return 0, 0
}

func click(d *tuitest.Driver, x, y int) {
	d.Send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
	d.Settle()
}

func wheel(d *tuitest.Driver, x, y int, b tea.MouseButton) {
	d.Send(tea.MouseWheelMsg{X: x, Y: y, Button: b})
	d.Settle()
}

// A click means what it is on, at every layout.
func TestMouse(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}, {50, 14}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			d := asked(t, tuitest.Options(&tuitest.Backend{}), size[0], size[1])
			x, y := find(t, d, "└ Wick sizes")
			click(d, x, y)
			if l := strings.Split(d.Screen(), "\n")[y]; !strings.Contains(l, "▸") {
				t.Errorf("the hit was not chosen: %s", l)
			}
			click(d, x, y)
			contains(t, d.Screen(), "Wicks › Wick sizes")
			lacks(t, d.Screen(), "▸4 Hits")
			d.Keys("esc")
			wheel(d, x, y, tea.MouseWheelUp)
			wheel(d, x, y, tea.MouseWheelDown)
			if size[0] > 60 {
				x, y = find(t, d, "5 Ranking")
				click(d, x, y)
				contains(t, d.Screen(), "▸5 Ranking")
				x, y = find(t, d, "Replace a wick")
				click(d, x, y)
				contains(t, d.Screen(), "why Replace a wick")
			}
			click(d, 5, 1)
			click(d, 5, 1) // in the line already: the cursor, no selection
			d.Type("!")
			contains(t, d.Screen(), question+"!")
			for x := -1; x <= size[0]; x += 3 { // nowhere does a click do harm
				for y := -1; y <= size[1]; y++ {
					click(d, x, y)
					wheel(d, x, y, tea.MouseWheelDown)
				}
			}
			d.Screen()
		})
	}
}

func TestMouseIsTheTerminals(t *testing.T) {
	t.Parallel()
	d := asked(t, tuitest.Options(&tuitest.Backend{}), 80, 24)
	if d.Model.View().MouseMode == tea.MouseModeNone {
		t.Error("the app does not ask for the mouse")
	}
	d.Keys("M")
	contains(t, d.Screen(), "the mouse is the terminal's")
	if d.Model.View().MouseMode != tea.MouseModeNone {
		t.Error("the app keeps the mouse")
	}
	x, y := find(t, d, "└ Wick sizes")
	before := d.Screen()
	click(d, x, y)
	if d.Screen() != before {
		t.Error("a late click did something")
	}
	opt := tuitest.Options(&tuitest.Backend{})
	opt.MouseOff = true
	if tuitest.Start(t, opt, 80, 24).Model.View().MouseMode != tea.MouseModeNone {
		t.Error("the app asks for the mouse although it shall not")
	}
}

// The palette and its like take clicks too.
func TestClickInAList(t *testing.T) {
	t.Parallel()
	d := asked(t, tuitest.Options(&tuitest.Backend{}), 80, 24)
	d.Keys("ctrl+p")
	d.Type("copyfinal")
	x, y := find(t, d, "copy the answer, with")
	click(d, x, y)
	contains(t, d.Screen(), "✓ copied the answer, 125 lines of 3 pages")
}
