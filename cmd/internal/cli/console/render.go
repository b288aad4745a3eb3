package console

import (
	"strings"

	"github.com/charmbracelet/x/term"

	"docent/pipeline/ingest/parse/markdown/legible"
	"docent/pipeline/text/sanitize"
	"docent/tui/page"
	"docent/tui/style"
)

// maxRender is the width of rendered pages: longer lines are hard to read.
const maxRender = 100

// RenderBlock makes text for a terminal of an AOP-FINAL block; plain is without colours.
func RenderBlock(block string, plain bool) (string, error) {
	return RenderMarkdown(legible.Block(block), plain)
}

// RenderMarkdown makes text for a terminal of Markdown; plain is without colours.
func RenderMarkdown(text string, plain bool) (string, error) {
	kind := style.ANSI // every terminal has these colours, on each background
	if plain {
		kind = style.NoColor
	}
	width := 80
	if w, _, err := term.GetSize(1); err == nil && w > 0 {
		width = w
	}
	cleaned := sanitize.References(Clean(legible.Markdown(legible.WithoutFrontMatter(text))))
	lines, err := new(page.Renderer).Lines(cleaned, min(width, maxRender), kind)
	if err != nil {
		return "", err
	}
	out := strings.Join(lines, "\n") + "\n"
	// The renderer makes control characters of what stood for them, and links of every
	// address: a person without colours gets none of its sequences, anybody else those
	// that the outlet lets through.
	if plain {
		out = sanitize.KeepStyles(out, false)
	}
	return out, nil
}
