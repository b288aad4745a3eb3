package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"docent/pipeline/text/sanitize"
	"docent/tui/keymap"
)

// ahead holds the keys that were typed ahead of what they are for. A terminal may
// hand over "question", enter and j in one read, and that j means the hits that are
// still to come; behind enter on a page, it means the page.
type ahead struct {
	asked bool // a question was asked, and its answer is not there yet
	late  bool // the keys have waited long enough: what comes now is not held
	seq   int  // of the newest wait
	keys  []tea.KeyPressMsg
}

// Keys wait no longer than patience: a model may take minutes, and the screen is used
// meanwhile. mostAhead bounds them.
const (
	patience  = time.Second
	mostAhead = 64
)

// impatientMsg says that the keys have waited long enough.
type impatientMsg struct{ seq int }

// holds keeps a key until what it is for is there, and says whether it did. Keys that
// leave or cancel never wait. cmd bounds the wait.
func (m *Model) holds(k tea.KeyPressMsg) (cmd tea.Cmd, held bool) {
	b, ok := m.keys.Find(m.modes(), k.String())
	if ok && k.Text == "" && (b.Action == keymap.Back || b.Action == keymap.Quit || b.Action == keymap.Suspend) {
		return nil, false
	}
	switch {
	case m.coming(k):
		if len(m.ahead.keys) == 0 && !m.ahead.asked {
			cmd = m.wait()
		}
	case m.over != noOverlay || m.prompt != nil || m.shelf.FirstRun():
		return nil, false
	case m.ahead.asked:
	case m.ask.Queued() && m.shelf.Underway(): // the opening may take long, so other keys work meanwhile
		if k.Text == "" && ok && b.Action != keymap.Ask {
			return nil, false
		}
		m.status.Say("the question is asked as soon as the doc sets are open; esc takes it back")
	default:
		return nil, false
	}
	if len(m.ahead.keys) < mostAhead {
		m.ahead.keys = append(m.ahead.keys, k)
	}
	return cmd, true
}

// coming says whether what a key is for is being read: a page that was just opened,
// the pages of a doc set, what was found for the text in the launcher.
func (m *Model) coming(k tea.KeyPressMsg) bool {
	if m.ahead.late || m.prompt != nil {
		return false
	}
	switch m.over {
	case readerOverlay:
		return m.read.Reader.Coming()
	case libraryOverlay:
		return m.shelf.Library.Coming() && m.mode() == keymap.InLibrary
	case launcherOverlay: // a letter changes the text, and is shown at once
		return m.browse.Coming() && (k.Text == "" || len(m.ahead.keys) > 0)
	}
	return false
}

// come presses the keys that were held, once what they are for is there.
func (m *Model) come() tea.Cmd {
	if m.coming(tea.KeyPressMsg{}) {
		return nil
	}
	if m.ahead.late && !m.ahead.asked {
		m.ahead.late = m.over != noOverlay && (m.read.Reader.Coming() || m.shelf.Library.Coming() || m.browse.Coming())
	}
	if len(m.ahead.keys) == 0 || m.ahead.asked || m.ask.Queued() && m.shelf.Underway() {
		return nil
	}
	return m.replay()
}

// await begins to hold keys for the answer to a question.
func (m *Model) await() tea.Cmd {
	m.ahead.asked = true
	return m.wait()
}

func (m *Model) wait() tea.Cmd {
	m.ahead.seq++
	m.ahead.late = false
	seq := m.ahead.seq
	return m.opt.Tick(patience, func(time.Time) tea.Msg { return impatientMsg{seq} })
}

// impatient ends a wait.
func (m *Model) impatient(msg impatientMsg) tea.Cmd {
	if msg.seq != m.ahead.seq || !m.ahead.asked && len(m.ahead.keys) == 0 {
		return nil
	}
	m.ahead.late = true
	return m.replay()
}

// replay presses the keys that were held. Where one of them would change or write
// something, or leave the app, none is pressed: it was typed before a person saw what
// it is for, and it may be the rest of a text.
func (m *Model) replay() tea.Cmd {
	keys := m.ahead.keys
	m.ahead.keys, m.ahead.asked = nil, false
	if !m.harmless(keys) {
		var text strings.Builder
		for _, k := range keys {
			text.WriteString(k.Text)
		}
		m.status.Say(fmt.Sprintf("“%s” was typed before this was here, so it did nothing", sanitize.Line(text.String())))
		return nil
	}
	var cmds []tea.Cmd
	for _, k := range keys {
		cmds = append(cmds, m.key(k))
	}
	return tea.Batch(cmds...)
}

// dropAhead forgets the keys that were held: what they were meant for does not come.
func (m *Model) dropAhead() { m.ahead.keys, m.ahead.asked = nil, false }

// harmless says whether keys only move, open and show. Behind a key that opens a line
// to type in, letters are text.
func (m *Model) harmless(keys []tea.KeyPressMsg) bool {
	modes := m.modes()
	for _, k := range keys {
		if modes.Typed() {
			return true
		}
		name := k.String()
		if name == "ctrl+j" {
			name = "enter"
		}
		b, ok := m.keys.Find(modes, name)
		switch {
		case !ok && k.Text == "":
		case !ok:
			return false
		case slices.Contains(openLines, b.Action):
			return true
		case b.Action == keymap.Open || b.Action == keymap.OpenSource || b.Action == keymap.GoOn:
			modes = keymap.InReader
		case b.Moves() || slices.Contains(harmless, b.Action):
		default:
			return false
		}
	}
	return true
}

// openLines are the actions that open a line to type in. The others that neither
// change nor write anything are harmless.
var (
	openLines = []keymap.Action{keymap.Question, keymap.GoTo, keymap.Palette, keymap.History, keymap.Search, keymap.Outline, keymap.References, keymap.FindPage, keymap.AddSet}
	harmless  = []keymap.Action{keymap.NthPhase, keymap.PrevPhase, keymap.NextPhase, keymap.NextFocus, keymap.PrevFocus, keymap.CopyFinal,
		keymap.Help, keymap.Library, keymap.Sets, keymap.Unfold, keymap.Fold, keymap.NextSection, keymap.PrevSection, keymap.NextPage, keymap.PrevPage,
		keymap.NextHit, keymap.PrevHit, keymap.GoBack, keymap.GoForward}
)

// now carries out a pane's intent at once. As a command it would be carried out after
// the keys that were typed behind its key.
func (m *Model) now(intent tea.Cmd) tea.Cmd {
	if intent == nil {
		return nil
	}
	switch msg := intent().(type) {
	case tea.BatchMsg:
		var cmds []tea.Cmd
		for _, one := range msg {
			cmds = append(cmds, m.now(one))
		}
		return tea.Batch(cmds...)
	default:
		return m.update(msg)
	}
}

// behindEsc is the key behind an esc that came with it in one read, as over a slow
// line: terminals write alt and a key the same way. While a text is typed alt moves by
// words, so there only the way out is told apart.
func (m *Model) behindEsc(k tea.KeyPressMsg) (next tea.KeyPressMsg, ok bool) {
	if !k.Mod.Contains(tea.ModAlt) {
		return k, false
	}
	next = k
	next.Mod &^= tea.ModAlt
	if _, bound := m.keys.Find(m.modes(), k.String()); bound {
		return k, false
	}
	if next.Mod&^tea.ModShift == 0 && unicode.IsPrint(next.Code) {
		next.Text = string(next.Code)
		if next.ShiftedCode != 0 {
			next.Text = string(next.ShiftedCode)
		}
	}
	return next, !m.mode().Typed() || next.String() == "ctrl+c"
}

// typed types a key into the line that has the keyboard.
func (m *Model) typed(k tea.KeyPressMsg, mode keymap.Mode) tea.Cmd {
	switch mode {
	case keymap.InQuestion:
		return tea.Batch(m.ask.Key(k), m.browse.Warm())
	case keymap.InGoTo:
		return m.browse.Launcher.Key(k)
	case keymap.InPrompt:
		m.prompt.input.Key(k)
	case keymap.InPicker:
		m.picker.Key(k)
	case keymap.InHelpFind:
		m.help.Key(k)
	case keymap.InFind, keymap.InOutline:
		return m.read.Reader.Type(k)
	case keymap.InEntry:
		return m.shelf.Library.Update(k)
	}
	return nil
}

// paste inserts a text into the line that has the keyboard.
func (m *Model) paste(msg tea.PasteMsg) tea.Cmd {
	switch m.mode() {
	case keymap.InQuestion:
		return tea.Batch(m.ask.Paste(msg.Content), m.browse.Warm())
	case keymap.InGoTo:
		return m.browse.Launcher.Paste(msg.Content)
	case keymap.InPrompt:
		m.prompt.input.Insert(msg.Content)
	case keymap.InPicker:
		m.picker.Paste(msg.Content)
	case keymap.InHelpFind:
		m.help.Paste(msg.Content)
	case keymap.InEntry:
		return m.shelf.Library.Update(msg)
	case keymap.InFind, keymap.InOutline:
		return m.read.Reader.Paste(msg.Content)
	default:
		m.status.Say("press / for the question line, then paste")
	}
	return nil
}
