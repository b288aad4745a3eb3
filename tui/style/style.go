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
	Dark          Kind = "dark"
	Light         Kind = "light"
	Contrast      Kind = "contrast" // on a dark background
	ContrastLight Kind = "contrast-light"
	ANSI          Kind = "ansi" // the terminal's own 16 colours
	NoColor       Kind = "nocolor"
)

// Theme is what a person chooses; with the terminal's background it makes a Kind.
type Theme string

// The themes.
const (
	Auto         Theme = "auto" // dark or light, as the terminal is
	DarkTheme    Theme = "dark"
	LightTheme   Theme = "light"
	HighContrast Theme = "contrast"
	Terminal     Theme = "terminal" // its own 16 colours
	Plain        Theme = "none"     // no colours
)

// Themes lists them.
func Themes() []Theme {
	return []Theme{Auto, DarkTheme, LightTheme, HighContrast, Terminal, Plain}
}

// About is a theme in words.
func (t Theme) About() string {
	switch t {
	case Auto:
		return "as the terminal's background is"
	case HighContrast:
		return "high contrast"
	case Terminal:
		return "the terminal's own 16 colours"
	case Plain:
		return "no colours"
	}
	return string(t)
}

// Of are a theme's styles on a dark or a light background.
func Of(t Theme, dark bool) *Styles {
	switch t {
	case DarkTheme:
		return New(true, false)
	case LightTheme:
		return New(false, false)
	case HighContrast:
		return contrast(dark)
	case Terminal:
		return terminal()
	case Plain:
		return New(dark, true)
	}
	return New(dark, false)
}

// OfKind are the styles of a family.
func OfKind(k Kind) *Styles {
	switch k {
	case Contrast, ContrastLight:
		return contrast(k == Contrast)
	case ANSI:
		return terminal()
	}
	return New(k == Dark, k == NoColor)
}

// Kinds lists the families.
func Kinds() []Kind { return []Kind{Dark, Light, Contrast, ContrastLight, ANSI, NoColor} }

// contrast has at least 7:1 between text and background (WCAG 2.2, 1.4.6), and
// marks by bold, underlined and reversed text rather than by shades.
func contrast(dark bool) *Styles {
	kind, text, accent, good, warn, bad := Contrast, "#ffffff", "#7fd7ff", "#87ff87", "#ffd75f", "#ffafaf"
	if !dark {
		kind, text, accent, good, warn, bad = ContrastLight, "#000000", "#003a8c", "#004d00", "#5c3a00", "#8b0000"
	}
	return &Styles{Kind: kind,
		Plain:    sgr(fg(text)),
		Strong:   sgr("1", fg(text)),
		Title:    sgr("1", "4", fg(accent)),
		Accent:   sgr("1", fg(accent)),
		Dim:      sgr(fg(text)),
		Good:     sgr("1", fg(good)),
		Warn:     sgr("1", fg(warn)),
		Bad:      sgr("1", fg(bad)),
		Frame:    sgr(fg(text)),
		Selected: sgr("1", "7", fg(text)),
		Resting:  sgr("4", fg(text)),
		Struck:   sgr("9", fg(text)),
		Key:      sgr("1", "4", fg(text)),
	}
}

// terminal leaves the choice of colours to whoever set the terminal's up.
func terminal() *Styles {
	return &Styles{Kind: ANSI,
		Strong:   sgr("1"),
		Title:    sgr("1", "34"),
		Accent:   sgr("36"),
		Dim:      sgr("2"),
		Good:     sgr("32"),
		Warn:     sgr("33"),
		Bad:      sgr("31"),
		Frame:    sgr("2"),
		Selected: sgr("1", "7"),
		Resting:  sgr("4"),
		Struck:   sgr("2", "9"),
		Key:      sgr("1"),
	}
}

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
