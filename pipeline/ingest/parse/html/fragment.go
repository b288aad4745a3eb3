package html

import (
	"context"

	"docent/pipeline/ingest/parse/build"
	"docent/store/doc"
)

// Fragment writes a piece of HTML that stands in another format, all of it at one place
// of the source.
func Fragment(ctx context.Context, w *build.Writer, src string, at doc.Location) {
	t := growTree([]byte(src))
	if t.tooMuch {
		w.Paragraph(build.TextInline(src))
		return
	}
	measure(t.root)
	r := &renderer{w: w, ctx: ctx, fixed: &at}
	r.blocks(t.root)
	w.At(at)
}

// OneLine is a piece of HTML as an inline on one line.
func OneLine(src string) string {
	t := growTree([]byte(src))
	if t.tooMuch {
		return build.TextInline(src)
	}
	measure(t.root)
	text, _ := inlineOf(t.root)
	return text
}
