package fidelity

import "bytes"

// eachLine gives the lines of a text without their ends.
func eachLine(src []byte, do func(line []byte)) {
	for len(src) > 0 {
		line := src
		if i := bytes.IndexByte(src, '\n'); i >= 0 {
			line, src = src[:i], src[i+1:]
		} else {
			src = nil
		}
		do(bytes.TrimSuffix(line, []byte{'\r'}))
	}
}

// indentOf is the number of blanks at the beginning of a line; a tab counts to the next
// multiple of eight.
func indentOf(line []byte) (columns, length int) {
	for length < len(line) {
		switch line[length] {
		case ' ':
			columns++
		case '\t':
			columns += 8 - columns%8
		default:
			return columns, length
		}
		length++
	}
	return columns, length
}

// includes are the marks of lines of Markdown that other files take the place of.
var includes = [][]byte{[]byte("{{#"), []byte("{{<"), []byte("{{%"), []byte("{!"), []byte("--8<--"), []byte("@include"),
	[]byte("{* "), []byte("<<<"), []byte("{% include")}

// scanMarkdown takes the words of a page that includes other files: without its metadata
// and the lines that name these files. Other pages of Markdown are their own rendition.
func scanMarkdown(t *tally, src []byte) {
	first, meta := true, false
	eachLine(src, func(line []byte) {
		fence := bytes.Equal(bytes.TrimSpace(line), []byte("---"))
		switch {
		case first && fence:
			meta = true
		case meta:
			meta = !fence
		case bytes.HasPrefix(line, []byte("import ")), bytes.HasPrefix(line, []byte("% ")): // "%" begins a comment of MyST
		default:
			for _, mark := range includes {
				if bytes.Contains(line, mark) {
					first = false
					return
				}
			}
			t.addText(line)
			t.endWord()
		}
		first = false
	})
}

// scanCode takes the words of source code, comments included.
func scanCode(t *tally, src []byte) { t.addText(src) }

// scanPlain takes the words of plain text.
func scanPlain(t *tally, src []byte) { t.addText(src) }
