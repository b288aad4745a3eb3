package console

import (
	"charm.land/glamour/v2"
	"charm.land/glamour/v2/styles"
	"github.com/charmbracelet/x/term"

	"docent/pipeline/ingest/parse/markdown/legible"
	"docent/pipeline/text/sanitize"
)

// maxRender is the width of rendered pages: longer lines are hard to read.
const maxRender = 100

// RenderBlock makes text for a terminal of an AOP-FINAL block; plain is without colours.
func RenderBlock(block string, plain bool) (string, error) {
	return RenderMarkdown(legible.Block(block), plain)
}

// RenderMarkdown makes text for a terminal of Markdown; plain is without colours.
func RenderMarkdown(text string, plain bool) (string, error) {
	style := styles.DarkStyleConfig
	// A code span has a colour of its own. The spaces that glamour puts around it would
	// be copied with it.
	style.Code.Prefix, style.Code.Suffix = "", ""
	if plain {
		style = styles.NoTTYStyleConfig
	}
	width := 80
	if w, _, err := term.GetSize(1); err == nil && w > 0 {
		width = w
	}
	r, err := glamour.NewTermRenderer(glamour.WithStyles(style), glamour.WithWordWrap(min(width, maxRender)))
	if err != nil {
		return "", err
	}
	out, err := r.Render(sanitize.References(Clean(legible.Markdown(legible.WithoutFrontMatter(text)))))
	if err != nil {
		return "", err
	}
	// The renderer makes control characters of what stood for them, and links of every
	// address: a person without colours gets none of its sequences, anybody else those
	// that the outlet lets through.
	if plain {
		out = sanitize.KeepStyles(out, false)
	}
	return out, nil
}
