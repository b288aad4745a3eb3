package typeahead

import (
	"slices"
	"time"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"docent/tui/keymap"
)

// Where an answer or a page is read, letters are keys. A person who types the next question
// right away means them as text, and the first letter of “what” would write a file, that of
// “quorum” leave the app. The next key decides between the two: words come letter by letter,
// keys come one by one.

// WordsHost is the screen that words are typed into.
type WordsHost interface {
	Modes() keymap.Mode
	// Press does what a key does.
	Press(k tea.KeyPressMsg) tea.Cmd
	// AskWith begins a question with the letters that were typed.
	AskWith(keys []tea.KeyPressMsg) tea.Cmd
}

// pausedMsg says that nothing was typed for a while.
type pausedMsg struct{ turn int }

func (pausedMsg) typeahead() {}

// letterPause is how long a key waits for the letter that makes a word of it. Within words
// letters follow each other within .1 to .3 s at 40 words a minute.
const letterPause = 350 * time.Millisecond

// Words holds a letter whose key does more than move until it is clear that no word begins
// with it.
type Words struct {
	keys *keymap.Map
	host WordsHost
	tick func(time.Duration, func(time.Time) tea.Msg) tea.Cmd

	run  []tea.KeyPressMsg // typed without a pause, the newest last
	held int               // that many of the newest wait
	turn int               // of the newest key
}

// NewWords has no letters.
func NewWords(keys *keymap.Map, host WordsHost, tick func(time.Duration, func(time.Time) tea.Msg) tea.Cmd) *Words {
	return &Words{keys: keys, host: host, tick: tick}
}

// TakeKey takes a key that is held or is part of a word, and reports whether it did. Of
// another key the command is that of the keys before it, which are pressed first.
func (w *Words) TakeKey(k tea.KeyPressMsg) (cmd tea.Cmd, taken bool) {
	modes := w.host.Modes()
	letter, _ := utf8.DecodeRuneInString(k.Text)
	if modes&keymap.Main == 0 || k.Text == "" || len(w.run) == 0 && !unicode.IsLetter(letter) {
		return w.pressHeld(), false
	}
	first, waits := w.firstHeld()
	w.run = append(w.run, k)
	key := !unicode.IsLetter(letter) || w.actsAtOnce(modes, k)
	switch {
	case w.isVaried(modes), waits && w.beginsWord(modes, first, k, key):
		keys := w.run
		w.Forget()
		return w.host.AskWith(keys), true
	case waits && w.opensOverlay(modes, first) && w.held == 1: // the second may be a key of the overlay
		w.held = 2
	case key:
		w.run = w.run[:len(w.run)-1]
		cmd = w.press()
		w.run = append(w.run, k)
	default:
		w.run = w.run[:len(w.run)-1]
		cmd = w.press()
		w.run, w.held = append(w.run, k), 1
	}
	w.turn++
	turn := w.turn
	return tea.Batch(cmd, w.tick(letterPause, func(time.Time) tea.Msg { return pausedMsg{turn} })), w.held > 0
}

// beginsWord reports whether a key behind one that is held makes a word of both. The same
// key twice does not, and a key that moves only where the first does nothing, or has the
// question edited. Behind that one a blank makes a word, too: “i need”.
func (w *Words) beginsWord(modes keymap.Mode, first, next tea.KeyPressMsg, key bool) bool {
	bound, ok := w.keys.Find(modes, first.String())
	switch {
	case !ok || w.held > 1 || bound.Action == keymap.EditQuestion && first.Text != next.Text:
		return true
	case w.opensOverlay(modes, first):
		return false
	}
	return !key && first.Text != next.Text
}

// Update presses the keys that are held, after a pause.
func (w *Words) Update(msg Msg) tea.Cmd {
	if p, ok := msg.(pausedMsg); !ok || p.turn != w.turn {
		return nil
	}
	return w.pressHeld()
}

// Forget forgets the keys that were typed.
func (w *Words) Forget() { w.run, w.held = nil, 0 }

// firstHeld is the first of the keys that are held; ok is false without one.
func (w *Words) firstHeld() (k tea.KeyPressMsg, ok bool) {
	if w.held == 0 {
		return k, false
	}
	return w.run[len(w.run)-w.held], true
}

// pressHeld presses the keys that are held and ends the run.
func (w *Words) pressHeld() tea.Cmd {
	cmd := w.press()
	w.run = nil
	return cmd
}

// press presses the keys that are held.
func (w *Words) press() tea.Cmd {
	held := w.run[len(w.run)-w.held:]
	w.held = 0
	var cmds []tea.Cmd
	for _, k := range held {
		cmds = append(cmds, w.host.Press(k))
	}
	return tea.Batch(cmds...)
}

// actsAtOnce reports whether a key acts without a pause: it moves, copies, or opens a line
// into which what follows is typed.
func (w *Words) actsAtOnce(modes keymap.Mode, k tea.KeyPressMsg) bool {
	bound, ok := w.keys.Find(modes, k.String())
	return ok && (bound.OnlyMoves() || slices.Contains(lineOpeners, bound.Action) || slices.Contains(immediate, bound.Action))
}

// opensOverlay reports whether a key opens an overlay that has letters as keys.
func (w *Words) opensOverlay(modes keymap.Mode, k tea.KeyPressMsg) bool {
	bound, ok := w.keys.Find(modes, k.String())
	return ok && slices.Contains([]keymap.Action{keymap.Library, keymap.Sets, keymap.Versions, keymap.Links}, bound.Action)
}

// immediate are actions that are done at once although they do more than move.
var immediate = []keymap.Action{keymap.CopyFinal, keymap.CopyCitation, keymap.NextSection, keymap.PrevSection,
	keymap.NextPassage, keymap.PrevPassage, keymap.FindNext, keymap.FindPrev}

// isVaried reports whether so many letters differ that they are no keys, however fast a person
// presses them. Those that act at once alone may be: jjnnky moves about and copies.
func (w *Words) isVaried(modes keymap.Mode) bool {
	letters, others := map[string]bool{}, false
	for _, k := range w.run {
		letters[k.Text] = true
		others = others || !w.actsAtOnce(modes, k)
	}
	return others && len(w.run) >= leastLetters && len(letters) >= leastDifferent
}

// So many letters, of which so many differ, are text.
const (
	leastLetters   = 5
	leastDifferent = 4
)
