package tui

import (
	"context"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"docent/tui/keymap"
	"docent/tui/overlay"
)

// noBackend is the program of a test that needs none.
type noBackend struct{ Backend }

func (noBackend) Ready(context.Context, func(int, int, string)) ([]string, error) { return nil, nil }

// weather is an overlay that no other part of the app knows. Its forecast comes by a
// command of its own.
type weather struct {
	w, h     int
	forecast string
	typed    string
	clicked  overlay.Click
	closed   int
}

type forecastMsg string

func (*weather) Title() string         { return "Weather" }
func (*weather) Mode() keymap.Mode     { return keymap.InSets }
func (o *weather) SetSize(w, h int)    { o.w, o.h = w, h }
func (o *weather) View() string        { return "tomorrow: " + o.forecast }
func (o *weather) Described() string   { return "the weather" }
func (o *weather) Loading(t bool) bool { return !t && o.forecast == "" }

func (o *weather) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case keymap.Action:
		o.typed += string(msg) + " "
	case overlay.Click:
		o.clicked = msg
	case overlay.Closed:
		o.closed++
	case forecastMsg:
		o.forecast = string(msg)
	}
	return nil
}

// An overlay needs nothing of the root but the line that opens it: it is drawn in its
// frame, gets its keys (those typed ahead, too), clicks and messages, and escape leads
// back to the screen under it.
func TestAnOverlayIsOneLine(t *testing.T) {
	t.Parallel()
	m := New(Options{Backend: noBackend{}})
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	m.focus = onPane
	before, o := m.View().Content, &weather{}

	m.openers[keymap.Palette] = func() tea.Cmd { m.pushOverlay(o); return nil } // the line
	m.Update(tea.KeyPressMsg{Code: 'p', Mod: tea.ModCtrl})
	if !m.over.Shows(o) || o.w != 78 || o.h != 18 {
		t.Fatalf("the overlay is not shown, or at %dx%d", o.w, o.h)
	}
	// A key that was typed ahead waits for the content.
	m.Update(tea.KeyPressMsg{Code: tea.KeyDown})
	if o.typed != "" {
		t.Errorf("the overlay got %q before it was there", o.typed)
	}
	m.Update(forecastMsg("rain"))
	if o.typed != string(keymap.Down)+" " {
		t.Errorf("the overlay got %q", o.typed)
	}
	if view := m.View().Content; !strings.Contains(view, "Weather") || !strings.Contains(view, "tomorrow: rain") ||
		(keyboard{m}).placeText() != "the weather" {
		t.Errorf("the screen is\n%s", view)
	}
	m.Update(tea.MouseClickMsg{Button: tea.MouseLeft, X: 5, Y: 6})
	if o.clicked != (overlay.Click{X: 4, Y: 3}) {
		t.Errorf("the click came at %+v", o.clicked)
	}
	// Another overlay lies over it; escape leads back, one by one.
	m.Update(tea.KeyPressMsg{Code: '?', Text: "?"})
	if !m.over.Shows(m.help) || o.closed != 0 {
		t.Errorf("the help is not on top, or the overlay was closed %d times", o.closed)
	}
	m.Update(tea.KeyPressMsg{Code: tea.KeyEscape})
	if !m.over.Shows(o) || o.closed != 0 {
		t.Errorf("behind escape the overlay is not on top, or was closed %d times", o.closed)
	}
	m.Update(tea.KeyPressMsg{Code: tea.KeyEscape})
	if !m.over.Empty() || o.closed != 1 {
		t.Errorf("escape does not close the overlay, or it was told %d times", o.closed)
	}
	if got := m.View().Content; got != before {
		t.Errorf("the screen under it has changed\n%s\n%s", before, got)
	}
}
