package html

import (
	"bytes"
	"html"

	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/spacing"
	"docent/store/doc"
)

// maxLine is the length of a line of a page that is read as plain text, in bytes.
const maxLine = 2000

// writePlain writes the words of a page without its tags, paragraph by paragraph: for pages
// over the budget.
func writePlain(w *build.Writer, src []byte) {
	line, first := 1, 1
	var text []byte
	flush := func() {
		if words := spacing.Single(html.UnescapeString(string(text))); words != "" {
			w.At(doc.Location{Line: first})
			w.Paragraph(build.TextInline(words))
		}
		text, first = text[:0], line
	}
	for i := 0; i < len(src); {
		c := src[i]
		switch {
		case c == '<':
			n := tagLength(src[i:])
			line += bytes.Count(src[i:i+n], []byte{'\n'})
			i += n
			text = blankScripts(text)
		case c == '\n':
			line++
			i++
			text = blankScripts(text)
			if i < len(src) && src[i] == '\n' || len(text) > maxLine {
				flush()
			}
		default:
			text = append(text, c)
			i++
			if c == ' ' && len(text) > maxLine {
				flush()
			}
		}
		if len(text) <= 1 {
			first = line
		}
	}
	flush()
}

func blankScripts(text []byte) []byte {
	if n := len(text); n == 0 || text[n-1] == ' ' {
		return text
	}
	return append(text, ' ')
}

// tagLength is the length of the tag, comment, script or style that begins src.
func tagLength(src []byte) int {
	end := func(mark string) int {
		if n := bytes.Index(src, []byte(mark)); n >= 0 {
			return n + len(mark)
		}
		return 1
	}
	switch {
	case bytes.HasPrefix(src, []byte("<!--")):
		return end("-->")
	case bytes.HasPrefix(src, []byte("<script")):
		return end("</script>")
	case bytes.HasPrefix(src, []byte("<style")):
		return end("</style>")
	}
	return end(">")
}
