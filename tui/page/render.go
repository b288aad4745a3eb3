package page

import (
	"strings"
	"sync"

	"charm.land/glamour/v2"
	"charm.land/glamour/v2/ansi"
	"charm.land/glamour/v2/styles"
	xansi "github.com/charmbracelet/x/ansi"

	"docent/tui/style"
	"docent/tui/widget"
)

// Renderer makes lines from Markdown. glamour's renderer is made on first use
// (its styles and the highlighter's lexers take some milliseconds) and is not
// safe for concurrent use, hence the lock. The zero Renderer is ready.
type Renderer struct {
	mu    sync.Mutex
	width int
	kind  style.Kind
	term  *glamour.TermRenderer
}

// piece renders one piece of a page; what cannot be rendered stays source text.
func (r *Renderer) piece(p *Prepared, i, width int, kind style.Kind, wide bool) rendering {
	out, err := r.markdown(p.markdown(i), width, kind)
	if err != nil {
		return rendering{lines: p.raw(i, width)}
	}
	if p.pieces[i].gap {
		out = append(out, "")
	}
	return rendering{lines: out}
}

// markdown renders clean Markdown into lines of at most width columns. Each
// line ends its own styles.
func (r *Renderer) markdown(text string, width int, kind style.Kind) ([]string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.term == nil || r.width != width || r.kind != kind {
		opts := []glamour.TermRendererOption{glamour.WithStyles(config(kind)), glamour.WithWordWrap(width),
			glamour.WithChromaFormatter("terminal16m")}
		term, err := glamour.NewTermRenderer(opts...)
		if err != nil {
			return nil, err
		}
		r.term, r.width, r.kind = term, width, kind
	}
	out, err := r.term.Render(text)
	if err != nil {
		return nil, err
	}
	out = widget.KeepStyles(out, kind != style.NoColor)
	var lines []string
	for _, l := range strings.Split(out, "\n") {
		// Padding to the full width is the frame's work.
		l = trimRight(l)
		if widget.Width(l) > width {
			lines = append(lines, widget.Hard(l, width)...)
			continue
		}
		lines = append(lines, l)
	}
	lines = widget.Carry(lines)
	for len(lines) > 0 && blank(lines[0]) {
		lines = lines[1:]
	}
	for len(lines) > 0 && blank(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	return lines, nil
}

// trimRight cuts the spaces that glamour pads a line with, styled or not.
func trimRight(l string) string {
	plain := xansi.Strip(l)
	short := strings.TrimRight(plain, " ")
	if len(short) == len(plain) {
		return l
	}
	return widget.CutTail(l, widget.Width(short), "")
}

func blank(l string) bool { return strings.TrimSpace(xansi.Strip(l)) == "" }

// config is glamour's style for a family: calm, without margins, its colours
// those of tui/style.
func config(kind style.Kind) ansi.StyleConfig {
	var c ansi.StyleConfig
	accent, heading, code, link, theme := "", "", "", "", ""
	switch kind {
	case style.Dark:
		c = styles.DarkStyleConfig
		accent, heading, code, link, theme = "#8aadf4", "#b7bdf8", "#eed49f", "#7dc4e4", "catppuccin-macchiato"
	case style.Light:
		c = styles.LightStyleConfig
		accent, heading, code, link, theme = "#1e56b3", "#4a3ba8", "#8f5a00", "#1a7f8f", "catppuccin-latte"
	default:
		c = styles.NoTTYStyleConfig
	}
	none := uint(0)
	c.Document.Margin = &none
	c.Document.BlockPrefix, c.Document.BlockSuffix = "", ""
	if kind == style.NoColor {
		return c
	}
	yes := true
	c.Document.Color = nil
	c.Heading.Color, c.Heading.Bold = &heading, &yes
	c.H1 = ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{Prefix: "# ", Color: &accent, Bold: &yes}}
	c.H6.Color, c.H6.Bold = nil, nil
	c.Code = ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{Color: &code}}
	c.Link = ansi.StylePrimitive{Color: &link, Underline: &yes}
	c.LinkText = ansi.StylePrimitive{Color: &link}
	c.CodeBlock.Chroma = nil
	c.CodeBlock.Theme = theme
	return c
}
