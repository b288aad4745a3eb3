package widget

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"docent/pipeline/text/sanitize"
)

// Input is a line of text that can be edited. It works on grapheme clusters, so that
// the cursor never stands within one. bubbles/textinput is not used because it
// imports a clipboard library that looks for programs at start-up.
type Input struct {
	chars    []string
	at       int  // cursor: before chars[at]
	selected bool // the whole text is
}

// Value is the text.
func (in *Input) Value() string { return strings.Join(in.chars, "") }

// SetValue replaces the text and puts the cursor behind it.
func (in *Input) SetValue(s string) {
	in.chars = graphemes(sanitize.Line(s))
	in.at = len(in.chars)
	in.selected = false
}

// Select selects the whole text: typed text replaces it, and a key that moves the
// cursor keeps it.
func (in *Input) Select() { in.selected = len(in.chars) > 0 }

// Unselect takes the selection back.
func (in *Input) Unselect() { in.selected = false }

// Selected reports whether the whole text is selected.
func (in *Input) Selected() bool { return in.selected }

func graphemes(s string) []string {
	var out []string
	for s != "" {
		g, _ := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
		if g == "" {
			break
		}
		out = append(out, g)
		s = s[len(g):]
	}
	return out
}

// MaxInput bounds the text in characters, in case a whole document is pasted.
const MaxInput = 4000

// Insert inserts text at the cursor. The text before the cursor is split into
// clusters again, since an inserted character may join the one before it. It reports whether all of it fits.
func (in *Input) Insert(s string) (whole bool) {
	// Terminals paste line ends as carriage returns, tmux too.
	s = strings.NewReplacer("\r\n", " ", "\r", " ").Replace(s)
	if in.selected {
		in.SetValue("")
	}
	before := strings.Join(in.chars[:in.at], "") + sanitize.Line(s)
	all := before + strings.Join(in.chars[in.at:], "")
	in.chars = graphemes(all)
	whole = len(in.chars) <= MaxInput
	if !whole {
		in.chars = in.chars[:MaxInput]
	}
	in.at = 0
	for n := 0; in.at < len(in.chars) && n < len(before); in.at++ {
		n += len(in.chars[in.at])
	}
	return whole
}

// Key edits the text, and reports whether the key was one that edits.
func (in *Input) Key(k tea.KeyPressMsg) bool {
	if in.selected {
		switch k.String() {
		case "backspace", "ctrl+h", "delete", "ctrl+u", "ctrl+k", "ctrl+w", "alt+backspace":
			in.SetValue("")
			return true
		case "left", "ctrl+b", "right", "ctrl+f", "home", "ctrl+a", "end", "ctrl+e", "alt+left",
			"alt+b", "ctrl+left", "alt+right", "alt+f", "ctrl+right":
			in.selected = false
		}
	}
	switch k.String() {
	case "left", "ctrl+b":
		in.at = max(0, in.at-1)
	case "right", "ctrl+f":
		in.at = min(len(in.chars), in.at+1)
	case "home", "ctrl+a":
		in.at = 0
	case "end", "ctrl+e":
		in.at = len(in.chars)
	case "alt+left", "alt+b", "ctrl+left":
		in.at = in.wordStart()
	case "alt+right", "alt+f", "ctrl+right":
		in.at = in.endOfWord()
	case "backspace", "ctrl+h":
		in.removeRange(in.at-1, in.at)
	case "delete":
		in.removeRange(in.at, in.at+1)
	case "ctrl+u":
		in.removeRange(0, in.at)
	case "ctrl+k":
		in.removeRange(in.at, len(in.chars))
	case "ctrl+w", "alt+backspace":
		in.removeRange(in.wordStart(), in.at)
	default:
		if k.Text == "" {
			return false
		}
		in.Insert(k.Text)
	}
	return true
}

func (in *Input) removeRange(from, to int) {
	from, to = max(0, from), min(len(in.chars), to)
	if from >= to {
		return
	}
	in.chars = append(in.chars[:from:from], in.chars[to:]...)
	in.at = from
}

func (in *Input) wordStart() int {
	i := in.at
	for i > 0 && in.chars[i-1] == " " {
		i--
	}
	for i > 0 && in.chars[i-1] != " " {
		i--
	}
	return i
}

func (in *Input) endOfWord() int {
	i := in.at
	for i < len(in.chars) && in.chars[i] == " " {
		i++
	}
	for i < len(in.chars) && in.chars[i] != " " {
		i++
	}
	return i
}

// View is the part of the text around the cursor that fits into w columns, and
// the cursor's column in it.
func (in *Input) View(w int) (text string, cursor int) {
	if w < 1 {
		return "", 0
	}
	before := Width(strings.Join(in.chars[:in.at], ""))
	from := 0
	for from < in.at && before > w-1 {
		before -= Width(in.chars[from])
		from++
	}
	rest := strings.Join(in.chars[from:], "")
	return Cut(rest, w), min(before, w-1)
}
