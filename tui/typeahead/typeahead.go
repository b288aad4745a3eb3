// Package typeahead holds the keys that are typed before the content that they are meant
// for is on the screen, and presses them once it is there.
//
// A terminal may hand over "question", enter and j in one read: that j is meant for the
// hits that are still being searched. A key behind enter on a page is meant for the page.
//
// It refuses to press keys that would change or write something, or leave the app: they
// were typed before a person saw the content, and may be the rest of a text. It refuses
// to know overlays and controllers: its Host says what is being read.
package typeahead

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline/text/sanitize"
	"docent/tui/keymap"
)

// Host is the screen that the keys are typed into.
type Host interface {
	// Modes are the modes whose keys work now.
	Modes() keymap.Mode
	// Loading reports whether the content that a key is meant for is being read; text is
	// set for a key that only types text.
	Loading(text bool) bool
	// Screen is the state of the screen.
	Screen() Screen
	// Press does what a key does.
	Press(k tea.KeyPressMsg) tea.Cmd
}

// Screen is the part of the screen's state that decides whether keys are held.
type Screen struct {
	Loading bool // some content is being read, on the screen or under it
	Covered bool // a prompt or an overlay has the keyboard, or the first-run screen
	Queued  bool // a question waits for the doc sets to be open
}

// Status is the status line.
type Status interface{ Say(text string) }

// Msg is a message of this package's own commands.
type Msg interface{ typeahead() }

// expiredMsg ends a wait.
type expiredMsg struct{ wait int }

func (expiredMsg) typeahead() {}

// Keys are held no longer than patience: a model may take minutes, and the screen is used
// while it answers. mostHeld bounds how many there are.
const (
	patience = 2 * time.Second
	mostHeld = 64
)

// Buffer holds keys.
type Buffer struct {
	keys   *keymap.Map
	host   Host
	status Status
	tick   func(time.Duration, func(time.Time) tea.Msg) tea.Cmd

	answer  bool // the keys wait for the answer to a question
	expired bool // the keys have waited long enough: no more are held
	wait    int  // number of the newest wait
	held    []tea.KeyPressMsg
}

// New is an empty buffer.
func New(keys *keymap.Map, host Host, status Status, tick func(time.Duration, func(time.Time) tea.Msg) tea.Cmd) *Buffer {
	return &Buffer{keys: keys, host: host, status: status, tick: tick}
}

// HoldKey keeps a key until its content is there, and reports whether it did. Keys that
// leave or cancel never wait. The command bounds the wait.
func (b *Buffer) HoldKey(k tea.KeyPressMsg) (cmd tea.Cmd, held bool) {
	bound, ok := b.keys.Find(b.host.Modes(), k.String())
	if ok && k.Text == "" && (bound.Action == keymap.Back || bound.Action == keymap.Quit || bound.Action == keymap.Suspend) {
		return nil, false
	}
	switch {
	case b.waitsForContent(k.Text != "" && len(b.held) == 0):
		if len(b.held) == 0 && !b.answer {
			cmd = b.startWait()
		}
	case b.host.Screen().Covered:
		return nil, false
	case b.answer:
	case b.host.Screen().Queued: // the opening may take long, so other keys work while it goes on
		if k.Text == "" && ok && bound.Action != keymap.Ask {
			return nil, false
		}
		b.status.Say("the question is asked as soon as the doc sets are open; esc takes it back")
	default:
		return nil, false
	}
	if len(b.held) < mostHeld {
		b.held = append(b.held, k)
	}
	return cmd, true
}

// waitsForContent reports whether a key has to wait for its content.
func (b *Buffer) waitsForContent(text bool) bool { return !b.expired && b.host.Loading(text) }

// Release presses the keys that were held, if their content is there.
func (b *Buffer) Release() tea.Cmd {
	if b.waitsForContent(false) {
		return nil
	}
	if b.expired && !b.answer {
		b.expired = b.host.Screen().Loading
	}
	if len(b.held) == 0 || b.answer || b.host.Screen().Queued {
		return nil
	}
	return b.ReplayKeys()
}

// AwaitAnswer begins to hold keys for the answer to a question.
func (b *Buffer) AwaitAnswer() tea.Cmd {
	b.answer = true
	return b.startWait()
}

func (b *Buffer) startWait() tea.Cmd {
	b.wait++
	b.expired = false
	wait := b.wait
	return b.tick(patience, func(time.Time) tea.Msg { return expiredMsg{wait} })
}

// Update ends a wait.
func (b *Buffer) Update(msg Msg) tea.Cmd {
	if e, ok := msg.(expiredMsg); !ok || e.wait != b.wait || !b.answer && len(b.held) == 0 {
		return nil
	}
	b.expired = true
	return b.ReplayKeys()
}

// ReplayKeys presses the keys that were held. Where one of them would change or write
// something, or leave the app, none is pressed.
func (b *Buffer) ReplayKeys() tea.Cmd {
	keys := b.held
	b.DropKeys()
	if !b.areHarmless(keys) {
		var text strings.Builder
		for _, k := range keys {
			text.WriteString(k.Text)
		}
		b.status.Say(fmt.Sprintf("“%s” was typed before this was here, so it did nothing", sanitize.Line(text.String())))
		return nil
	}
	var cmds []tea.Cmd
	for _, k := range keys {
		cmds = append(cmds, b.host.Press(k))
	}
	return tea.Batch(cmds...)
}

// DropKeys forgets the keys that were held: their content does not come.
func (b *Buffer) DropKeys() { b.held, b.answer = nil, false }

// areHarmless reports whether keys only move, open and show. Behind a key that opens a
// line to type in, letters are text.
func (b *Buffer) areHarmless(keys []tea.KeyPressMsg) bool {
	modes := b.host.Modes()
	for _, k := range keys {
		if modes.TakesText() {
			return true
		}
		name := k.String()
		if name == "ctrl+j" {
			name = "enter"
		}
		bound, ok := b.keys.Find(modes, name)
		switch {
		case !ok && k.Text == "":
		case !ok:
			return false
		case slices.Contains(lineOpeners, bound.Action):
			return true
		case bound.Action == keymap.Open || bound.Action == keymap.OpenSource || bound.Action == keymap.GoOn:
			modes = keymap.InReader
		case bound.OnlyMoves() || slices.Contains(harmless, bound.Action):
		default:
			return false
		}
	}
	return true
}

// lineOpeners are the actions that open a line to type in. The others that neither
// change nor write anything are harmless.
var (
	lineOpeners = []keymap.Action{keymap.Question, keymap.GoTo, keymap.Palette, keymap.History, keymap.Search, keymap.Outline,
		keymap.References, keymap.FindPage, keymap.AddSet}
	harmless = []keymap.Action{keymap.NthPhase, keymap.PrevPhase, keymap.NextPhase, keymap.NextFocus, keymap.PrevFocus, keymap.CopyFinal,
		keymap.Help, keymap.Library, keymap.Sets, keymap.Unfold, keymap.Fold, keymap.NextSection, keymap.PrevSection, keymap.NextPage,
		keymap.PrevPage, keymap.NextHit, keymap.PrevHit, keymap.GoBack, keymap.GoForward}
)
