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

// Markdown is a piece of HTML as Markdown; ok is false for one that is too large to be read.
func Markdown(src string) (text string, ok bool) {
	t := growTree([]byte(src))
	if t.tooMuch {
		return "", false
	}
	measure(t.root)
	w := build.New()
	r := &renderer{w: w, ctx: context.Background(), fixed: &doc.Location{Line: 1}}
	r.blocks(t.root)
	return w.Text(), true
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
