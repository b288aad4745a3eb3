// Package style holds what things look like: a handful of named styles for a
// dark terminal, a light one, and one without colours.
//
// It refuses to lay anything out, and it keeps no global state: the root makes
// a Styles and passes it to the panes. Meaning is never carried by a style
// alone; a mark or a word stands beside it.
//
// A style here is a prepared escape sequence and not a lipgloss.Style, because
// lipgloss splits and re-measures all that it renders, which costs more than
// the rest of a frame.
package style

import (
	"strconv"
	"strings"
)

// Reset ends every style.
const Reset = "\x1b[m"

// Style puts text between a prepared sequence and a reset. The zero Style
// leaves text as it is.
type Style struct{ open string }

// Render styles one line; it must not contain other styles, since their reset
// ends this one too.
func (s Style) Render(text string) string {
	if s.open == "" || text == "" {
		return text
	}
	return s.open + text + Reset
}

// Kind is the family of styles.
type Kind string

// The families.
const (
	Dark    Kind = "dark"
	Light   Kind = "light"
	NoColor Kind = "nocolor"
)

// Styles are the styles that panes are given.
type Styles struct {
	Kind Kind

	Plain    Style // body text
	Strong   Style // what is read first in a pane
	Title    Style // the program's name
	Accent   Style // numbers and names that matter; the focused frame's title
	Dim      Style // labels, hints, secondary columns
	Good     Style
	Warn     Style
	Bad      Style
	Frame    Style // lines between panes
	Selected Style // the row under the cursor
	Resting  Style // the same row while another part has the focus
	Struck   Style // what was left out
	Key      Style // a key in the footer and the help
}

// New is the family for a dark or light terminal; noColor uses no colours at
// all, only bold, underlined and struck text.
func New(dark, noColor bool) *Styles {
	switch {
	case noColor:
		bold := sgr("1")
		return &Styles{Kind: NoColor, Strong: bold, Title: bold, Accent: bold,
			Selected: bold, Struck: sgr("9"), Key: bold}
	case dark:
		return &Styles{Kind: Dark,
			Strong:   sgr("1"),
			Title:    sgr("1", fg("#8aadf4")),
			Accent:   sgr(fg("#8aadf4")),
			Dim:      sgr(fg("#868ba3")),
			Good:     sgr(fg("#a6da95")),
			Warn:     sgr(fg("#e5c07b")),
			Bad:      sgr(fg("#ed8796")),
			Frame:    sgr(fg("#494d64")),
			Selected: sgr("1", fg("#e6eaf8"), bg("#363a4f")),
			Resting:  sgr(fg("#cad3f5"), bg("#2a2d3e")),
			Struck:   sgr("9", fg("#868ba3")),
			Key:      sgr("1", fg("#a5adcb")),
		}
	}
	return &Styles{Kind: Light,
		Strong:   sgr("1"),
		Title:    sgr("1", fg("#1e56b3")),
		Accent:   sgr(fg("#1e56b3")),
		Dim:      sgr(fg("#666b7d")),
		Good:     sgr(fg("#2f7d1f")),
		Warn:     sgr(fg("#8f5a00")),
		Bad:      sgr(fg("#b3203c")),
		Frame:    sgr(fg("#bcc0cc")),
		Selected: sgr("1", fg("#1f2335"), bg("#d9e2f5")),
		Resting:  sgr(fg("#1f2335"), bg("#eceff6")),
		Struck:   sgr("9", fg("#666b7d")),
		Key:      sgr("1", fg("#4c5270")),
	}
}

func sgr(params ...string) Style { return Style{open: "\x1b[" + strings.Join(params, ";") + "m"} }

func fg(hex string) string { return "38;2;" + rgb(hex) }
func bg(hex string) string { return "48;2;" + rgb(hex) }

// rgb turns "#rrggbb" into "r;g;b".
func rgb(hex string) string {
	n, err := strconv.ParseUint(strings.TrimPrefix(hex, "#"), 16, 32)
	if err != nil {
		return "128;128;128"
	}
	part := func(shift uint) string { return strconv.FormatUint(n>>shift&0xff, 10) }
	return part(16) + ";" + part(8) + ";" + part(0)
}
