// Package style holds what things look like: a handful of named styles for a
// dark terminal, a light one, one of high contrast, the terminal's own 16
// colours, and no colours.
//
// It refuses to lay anything out, and it keeps no global state: the root makes
// a Styles and passes it to the panes. Meaning is never carried by a style
// alone; a mark or a word stands next to it.
//
// The themes are defined as lipgloss styles. Each is compiled once, when a
// theme is chosen, to its SGR prefix: the escape sequence that turns its
// attributes and colours on. Drawing a frame then only joins the prefix, the
// text and Reset. lipgloss.Style.Render splits, measures and may wrap all that
// it renders; it is called for hundreds of pieces of text in a frame, and took
// longer than the rest of the frame together. For the same reason tui/widget
// draws the borders itself: lipgloss took twelve times as long.
package style

import (
	"image/color"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// Reset ends every style.
const Reset = ansi.ResetStyle

// Style is a compiled lipgloss.Style: it puts text between an SGR prefix and
// Reset. The zero Style leaves text as it is.
type Style struct{ open string }

// Render styles one line. The line must not contain other styles, since their
// reset ends this one too.
func (s Style) Render(text string) string {
	if s.open == "" || text == "" {
		return text
	}
	return s.open + text + Reset
}

// compileSGR is a style's SGR prefix: attributes in ascending order, then the
// colour of the text, then that of the background. What a prefix cannot say
// (widths, margins, borders) is not used by any theme.
func compileSGR(s lipgloss.Style) Style {
	var sgr ansi.Style
	if s.GetBold() {
		sgr = sgr.Bold()
	}
	if s.GetFaint() {
		sgr = sgr.Faint()
	}
	if s.GetUnderline() {
		sgr = sgr.Underline(true)
	}
	if s.GetReverse() {
		sgr = sgr.Reverse(true)
	}
	if s.GetStrikethrough() {
		sgr = sgr.Strikethrough(true)
	}
	if c, ok := isColoured(s.GetForeground()); ok {
		sgr = sgr.ForegroundColor(c)
	}
	if c, ok := isColoured(s.GetBackground()); ok {
		sgr = sgr.BackgroundColor(c)
	}
	if len(sgr) == 0 {
		return Style{}
	}
	return Style{open: sgr.String()}
}

// isColoured reports whether c is a colour; lipgloss has a value for none.
func isColoured(c color.Color) (color.Color, bool) {
	_, none := c.(lipgloss.NoColor)
	return c, c != nil && !none
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

// Theme is a choice of a person. The theme and the terminal's background determine
// the Kind.
type Theme string

// The themes.
const (
	Auto         Theme = "auto" // dark or light, like the terminal
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

// ThemeNames are the names of the themes, as a configuration says them.
func ThemeNames() []string {
	var out []string
	for _, t := range Themes() {
		out = append(out, string(t))
	}
	return out
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

// StylesOf are a theme's styles on a dark or a light background.
func StylesOf(t Theme, dark bool) *Styles {
	switch t {
	case DarkTheme:
		return New(true, false)
	case LightTheme:
		return New(false, false)
	case HighContrast:
		return highContrast(dark)
	case Terminal:
		return terminalColours()
	case Plain:
		return New(dark, true)
	}
	return New(dark, false)
}

// StylesOfKind are the styles of a family.
func StylesOfKind(k Kind) *Styles {
	switch k {
	case Contrast, ContrastLight:
		return highContrast(k == Contrast)
	case ANSI:
		return terminalColours()
	}
	return New(k == Dark, k == NoColor)
}

// StyleKinds lists the families.
func StyleKinds() []Kind { return []Kind{Dark, Light, Contrast, ContrastLight, ANSI, NoColor} }

// definition is a family of styles before it is compiled.
type definition struct {
	plain, strong, title, accent, dim, good, warn, bad, frame, selected, resting, struck, key lipgloss.Style
}

// compileAll compiles every style of a family.
func (d definition) compileAll(kind Kind) *Styles {
	return &Styles{Kind: kind,
		Plain: compileSGR(d.plain), Strong: compileSGR(d.strong), Title: compileSGR(d.title), Accent: compileSGR(d.accent),
		Dim: compileSGR(d.dim), Good: compileSGR(d.good), Warn: compileSGR(d.warn), Bad: compileSGR(d.bad),
		Frame: compileSGR(d.frame), Selected: compileSGR(d.selected), Resting: compileSGR(d.resting),
		Struck: compileSGR(d.struck), Key: compileSGR(d.key)}
}

// plainStyle is the style without attributes or colours.
func plainStyle() lipgloss.Style { return lipgloss.NewStyle() }

// foreground is the style with a colour of the text, as lipgloss.Color reads it.
func foreground(c string) lipgloss.Style { return plainStyle().Foreground(lipgloss.Color(c)) }

// highContrast has at least 7:1 between text and background (WCAG 2.2, 1.4.6), and
// marks by bold, underlined and reversed text rather than by shades.
func highContrast(dark bool) *Styles {
	kind, ink, accent, good, warn, bad := Contrast, "#ffffff", "#7fd7ff", "#87ff87", "#ffd75f", "#ffafaf"
	if !dark {
		kind, ink, accent, good, warn, bad = ContrastLight, "#000000", "#003a8c", "#004d00", "#5c3a00", "#8b0000"
	}
	return definition{
		plain:    foreground(ink),
		strong:   foreground(ink).Bold(true),
		title:    foreground(accent).Bold(true).Underline(true),
		accent:   foreground(accent).Bold(true),
		dim:      foreground(ink),
		good:     foreground(good).Bold(true),
		warn:     foreground(warn).Bold(true),
		bad:      foreground(bad).Bold(true),
		frame:    foreground(ink),
		selected: foreground(ink).Bold(true).Reverse(true),
		resting:  foreground(ink).Underline(true),
		struck:   foreground(ink).Strikethrough(true),
		key:      foreground(ink).Bold(true).Underline(true),
	}.compileAll(kind)
}

// terminalColours uses the 16 colours that the terminal's owner chose.
func terminalColours() *Styles {
	return definition{
		strong:   plainStyle().Bold(true),
		title:    foreground("4").Bold(true),
		accent:   foreground("6"),
		dim:      plainStyle().Faint(true),
		good:     foreground("2"),
		warn:     foreground("3"),
		bad:      foreground("1"),
		frame:    plainStyle().Faint(true),
		selected: plainStyle().Bold(true).Reverse(true),
		resting:  plainStyle().Underline(true),
		struck:   plainStyle().Faint(true).Strikethrough(true),
		key:      plainStyle().Bold(true),
	}.compileAll(ANSI)
}

// Styles are the styles that panes are given.
type Styles struct {
	Kind Kind

	Plain    Style // body text
	Strong   Style // headings and names
	Title    Style // the program's name
	Accent   Style // numbers and names that matter; the focused frame's title
	Dim      Style // labels, hints, secondary columns
	Good     Style
	Warn     Style
	Bad      Style
	Frame    Style // lines between panes
	Selected Style // the row under the cursor
	Resting  Style // the same row while another part has the focus
	Struck   Style // excluded pages
	Key      Style // a key in the footer and the help
}

// New is the family for a dark or light terminal. With noColor it uses no
// colours, only bold and struck text.
func New(dark, noColor bool) *Styles {
	if noColor {
		bold := plainStyle().Bold(true)
		return definition{strong: bold, title: bold, accent: bold, selected: bold, struck: plainStyle().Strikethrough(true),
			key: bold}.compileAll(NoColor)
	}
	if dark {
		return definition{
			strong:   plainStyle().Bold(true),
			title:    foreground("#8aadf4").Bold(true),
			accent:   foreground("#8aadf4"),
			dim:      foreground("#868ba3"),
			good:     foreground("#a6da95"),
			warn:     foreground("#e5c07b"),
			bad:      foreground("#ed8796"),
			frame:    foreground("#494d64"),
			selected: foreground("#e6eaf8").Background(lipgloss.Color("#363a4f")).Bold(true),
			resting:  foreground("#cad3f5").Background(lipgloss.Color("#2a2d3e")),
			struck:   foreground("#868ba3").Strikethrough(true),
			key:      foreground("#a5adcb").Bold(true),
		}.compileAll(Dark)
	}
	return definition{
		strong:   plainStyle().Bold(true),
		title:    foreground("#1e56b3").Bold(true),
		accent:   foreground("#1e56b3"),
		dim:      foreground("#666b7d"),
		good:     foreground("#2f7d1f"),
		warn:     foreground("#8f5a00"),
		bad:      foreground("#b3203c"),
		frame:    foreground("#bcc0cc"),
		selected: foreground("#1f2335").Background(lipgloss.Color("#d9e2f5")).Bold(true),
		resting:  foreground("#1f2335").Background(lipgloss.Color("#eceff6")),
		struck:   foreground("#666b7d").Strikethrough(true),
		key:      foreground("#4c5270").Bold(true),
	}.compileAll(Light)
}
