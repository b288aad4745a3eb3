package tuitest

import (
	"fmt"
	"image/color"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"

	"docent/pipeline/text/sanitize"
)

// Screen is the cells of a virtual terminal, line by line, after a frame was written
// to it.
type Screen struct {
	W, H  int
	cells []uv.Cell
}

// Draw writes a frame to a new virtual terminal of w by h. A frame that scrolls or
// wraps on a terminal shows it here.
func Draw(frame string, w, h int) *Screen {
	emu := vt.NewEmulator(w, h)
	_, _ = emu.WriteString(strings.ReplaceAll(frame, "\n", "\r\n")) // into memory, which does not fail
	s := &Screen{W: w, H: h, cells: make([]uv.Cell, w*h)}
	for y := range h {
		for x := range w {
			if c := emu.CellAt(x, y); c != nil {
				s.cells[y*w+x] = *c
			}
		}
	}
	return s
}

// Cell is the cell at a column and a line.
func (s *Screen) Cell(x, y int) uv.Cell { return s.cells[y*s.W+x] }

// Text is the characters, line by line, without spaces at their ends.
func (s *Screen) Text() string {
	var b strings.Builder
	for y := range s.H {
		var line strings.Builder
		for x := range s.W {
			switch c := s.cells[y*s.W+x]; {
			case c.Content != "":
				line.WriteString(c.Content)
			case c.Width == 0 && x > 0 && s.cells[y*s.W+x-1].Width == 2: // the right half of a wide character
			default:
				line.WriteByte(' ')
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

// Map is the styles of the cells, one letter a cell and a dot for a plain one, and a
// legend of the letters in the order of their first use. Two families of styles
// that use the same styles in the same places have the same map.
func (s *Screen) Map() (cells string, legend []string) {
	known := map[string]byte{"": '.'}
	var b strings.Builder
	for y := range s.H {
		line := make([]byte, s.W)
		for x := range s.W {
			name := describeStyle(s.cells[y*s.W+x].Style)
			c, ok := known[name]
			if !ok {
				c = letterOfStyle(len(legend))
				known[name] = c
				legend = append(legend, name)
			}
			line[x] = c
		}
		b.WriteString(strings.TrimRight(string(line), ".") + "\n")
	}
	return b.String(), legend
}

// letterOfStyle is the letter of the nth style of a screen.
func letterOfStyle(n int) byte {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	if n >= len(letters) {
		return '#'
	}
	return letters[n]
}

// describeStyle describes a style: "bold #8aadf4 on #363a4f".
func describeStyle(st uv.Style) string {
	var parts []string
	for _, a := range []struct {
		bit  uint8
		name string
	}{{uv.AttrBold, "bold"}, {uv.AttrFaint, "faint"}, {uv.AttrItalic, "italic"}, {uv.AttrBlink, "blink"}, {uv.AttrRapidBlink, "blink fast"},
		{uv.AttrReverse, "reverse"}, {uv.AttrConceal, "hidden"}, {uv.AttrStrikethrough, "struck"}} {
		if st.Attrs&a.bit != 0 {
			parts = append(parts, a.name)
		}
	}
	if st.Underline != 0 {
		parts = append(parts, "underlined")
	}
	if st.Fg != nil {
		parts = append(parts, colourText(st.Fg))
	}
	if st.Bg != nil {
		parts = append(parts, "on "+colourText(st.Bg))
	}
	return strings.Join(parts, " ")
}

func colourText(c color.Color) string {
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

// Family is a screen in one family of styles.
type Family struct {
	Name string
	*Screen
}

// Sheet shows a screen in several families of styles as one text: the screen's text,
// the map of its styles, and the legend. A part that is the same as in the family
// before is not repeated.
func Sheet(families ...Family) string {
	var b strings.Builder
	var text, cells string
	for i, f := range families {
		t := f.Text()
		if i == 0 || t != text {
			fmt.Fprintf(&b, "== text, %s\n%s", f.Name, t)
		} else {
			fmt.Fprintf(&b, "== text, %s: the same\n", f.Name)
		}
		m, l := f.Map()
		if i == 0 || m != cells {
			fmt.Fprintf(&b, "== styles, %s\n%s", f.Name, m)
		} else {
			fmt.Fprintf(&b, "== styles, %s: in the same places\n", f.Name)
		}
		fmt.Fprintf(&b, "== letters, %s\n", f.Name)
		for k, name := range l {
			fmt.Fprintf(&b, "%c %s\n", letterOfStyle(k), name)
		}
		text, cells = t, m
	}
	return b.String()
}

// Unclean says what a frame contains besides text, line feeds and styles, "" for
// nothing. Anything else could move a terminal's cursor, set its title or its
// clipboard, or reverse text.
func Unclean(frame string) string {
	plain := ansi.Strip(frame)
	if sanitize.Text(plain) != plain {
		return fmt.Sprintf("characters that must not reach a terminal: %.200q", plain)
	}
	if kept := sanitize.KeepStyles(frame, true); kept != frame {
		return fmt.Sprintf("sequences that are no styles: %.200q", frame)
	}
	return ""
}
