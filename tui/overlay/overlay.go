// Package overlay defines the screens that lie over the main area of the app until
// escape leads back, and the stack on which the root keeps them.
//
// An overlay is a value with the five methods of Overlay. The root knows none by name:
// it draws the frame of the topmost one, finds its keys by Mode, and passes actions,
// typed keys, pasted text, clicks, and messages that no controller takes to Update.
// Anything beyond that is an interface with one or two methods, which an overlay may
// have as well; they are listed below the type Overlay.
//
// To add an overlay, write its package with a type that has the five methods, give it a
// mode and a key in tui/keymap, and add one line to the table of opener in tui/browse.go.
// An overlay with commands of its own handles their messages in Update, for as long as
// it is on the stack. tui/comparing is an example.
//
// The package refuses to draw frames and to interpret keys: the root does. It refuses to
// know any overlay.
package overlay

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline"
	"docent/tui/keymap"
	"docent/tui/page"
)

// Overlay is one screen. Its dynamic type must be comparable; a pointer is.
type Overlay interface {
	// Title is the left end of the frame's title.
	Title() string
	// Mode is the mode whose keys work while the overlay is the topmost one.
	Mode() keymap.Mode
	// SetSize sets the columns and lines inside the frame.
	SetSize(w, h int)
	// View is exactly the content of the frame, cut to its size.
	View() string
	// Update takes a keymap.Action, a tea.KeyPressMsg or a tea.PasteMsg for the line
	// that has the keyboard, one of the messages of this package, or a message of the
	// overlay's own commands. A command that it returns for an action must be an
	// intent, which the root carries out at once, unless the overlay is a Worker.
	Update(msg tea.Msg) tea.Cmd
}

// Messages that the root sends to overlays.
type (
	// Click is a click inside the frame.
	Click struct{ X, Y int }
	// Digit is a pressed digit, in place of the action keymap.LinkDigit.
	Digit string
	// Redraw tells that the width or the styles have changed.
	Redraw struct{}
	// Closed tells that the overlay has left the stack.
	Closed struct{}
)

// What an overlay may have in addition.
type (
	// Informer has a text for the right end of the frame's title.
	Informer interface{ Info() string }

	// Typist has a text cursor, at a column and a line of its view; false while there
	// is no line to type in.
	Typist interface {
		Cursor() (x, y int, ok bool)
	}

	// Escaper closes something inside of the overlay, such as a search line, and reports
	// whether there was something to close. Otherwise escape closes the overlay.
	Escaper interface{ Escape() bool }

	// Leaver learns that escape closes it, before it leaves the stack.
	Leaver interface{ Left() }

	// Claimer handles actions in Update for which the root has a meaning of its own.
	Claimer interface{ Claims(a keymap.Action) bool }

	// Worker returns commands that take time, such as rendering a page.
	Worker interface{ Works() }

	// Loader reports whether the content that a key is meant for is still being read.
	// text is set for a key that only types text.
	Loader interface{ Loading(text bool) bool }

	// Pointer has a page under its cursor, or shows one; false if none.
	Pointer interface {
		Target() (page.Target, bool)
	}

	// Previewer is a Pointer whose list stands at the left of the preview while
	// Previewing is true and the screen is wide enough.
	Previewer interface {
		Pointer
		Previewing() bool
	}

	// PageReader shows a page, in which a person can go to a place.
	PageReader interface {
		// Place is the place that is read; false while the page is not there.
		Place() (pipeline.Place, bool)
		// Jump goes to a place as a link does.
		Jump(at pipeline.Place) tea.Cmd
		// Section is the source text of the section that is read; false while the page
		// is not there.
		Section() (string, bool)
	}

	// VersionSource names a doc set, and a page of it or "", whose versions can be
	// compared.
	VersionSource interface {
		Versioned() (docSet, path string, ok bool)
	}

	// WindowTitler has a title for the terminal's window, "" if none.
	WindowTitler interface{ WindowTitle() string }

	// Described is what the help calls the overlay.
	Described interface{ Described() string }

	// Needer meets needs of keys.
	Needer interface{ Needs() keymap.Need }

	// Footer changes a key of the footer, or leaves it out.
	Footer interface {
		Footer(b keymap.Binding) (keymap.Binding, bool)
	}
)

// Stack holds the overlays, the topmost last. The zero Stack is empty.
type Stack struct{ all []Overlay }

// Push lays an overlay over the others.
func (s *Stack) Push(o Overlay) { s.all = append(slices.Clip(s.all), o) }

// Pop takes the topmost overlay away.
func (s *Stack) Pop() {
	if n := len(s.all); n > 0 {
		s.all = s.all[:n-1]
	}
}

// Clear takes all overlays away.
func (s *Stack) Clear() { s.all = nil }

// Empty reports whether there is no overlay.
func (s *Stack) Empty() bool { return len(s.all) == 0 }

// Top is the topmost overlay, nil if none.
func (s *Stack) Top() Overlay {
	if len(s.all) == 0 {
		return nil
	}
	return s.all[len(s.all)-1]
}

// Shows reports whether an overlay is the topmost one.
func (s *Stack) Shows(o Overlay) bool { return !s.Empty() && s.Top() == o }

// Has reports whether an overlay is on the stack.
func (s *Stack) Has(o Overlay) bool { return slices.Contains(s.all, o) }

// All are the overlays, each once, the lowest first.
func (s *Stack) All() []Overlay {
	var out []Overlay
	for _, o := range s.all {
		if !slices.Contains(out, o) {
			out = append(out, o)
		}
	}
	return out
}

// SendToAll passes a message to every overlay.
func (s *Stack) SendToAll(msg tea.Msg) tea.Cmd {
	var cmds []tea.Cmd
	for _, o := range s.All() {
		cmds = append(cmds, o.Update(msg))
	}
	return tea.Batch(cmds...)
}

// Loading reports whether any overlay is still reading its content.
func (s *Stack) Loading() bool {
	return slices.ContainsFunc(s.all, func(o Overlay) bool {
		l, ok := o.(Loader)
		return ok && l.Loading(false)
	})
}

// TopAs is the topmost overlay if it has the interface T.
func TopAs[T any](s *Stack) (T, bool) {
	t, ok := s.Top().(T)
	return t, ok
}
