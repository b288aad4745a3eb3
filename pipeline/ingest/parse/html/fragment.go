package html

import (
	"context"

	"docent/pipeline/ingest/parse/build"
	"docent/store/doc"
)

// Fragment writes a piece of HTML that stands in another format, all of it at one place
// of the source.
func Fragment(ctx context.Context, w *build.Writer, src string, at doc.Location) {
	t := grow([]byte(src))
	if t.tooMuch {
		w.Paragraph(build.Text(src))
		return
	}
	measure(t.root)
	r := &renderer{w: w, ctx: ctx, fixed: &at}
	r.blocks(t.root)
	w.At(at)
}

// Line is a piece of HTML as an inline on one line.
func Line(src string) string {
	t := grow([]byte(src))
	if t.tooMuch {
		return build.Text(src)
	}
	measure(t.root)
	text, _ := inlineOf(t.root)
	return text
}
