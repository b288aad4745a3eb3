package dialect

import (
	"bytes"

	"docent/store/doc"
)

// asides shapes footnotes and hints.
type asides struct{ *shaper }

// mostNotes is how many footnotes of a page are known.
const mostNotes = 2000

// noteLabel reads the label of a footnote at b[0], "[^label]", and its length, 0 for anything
// else.
func noteLabel(b []byte) (label string, n int) {
	if !bytes.HasPrefix(b, []byte("[^")) {
		return "", 0
	}
	end := bytes.IndexAny(b[2:], "] \t\n[")
	if end <= 0 || b[2+end] != ']' {
		return "", 0
	}
	return string(b[2 : 2+end]), end + 3
}

// footnotesOf are the labels of the footnotes that a page defines, "[^label]: text".
func footnotesOf(in []byte) map[string]bool {
	if !bytes.Contains(in, []byte("[^")) {
		return nil
	}
	var notes map[string]bool
	for line := range bytes.Lines(in) {
		line = line[IndentBytes(line):]
		label, n := noteLabel(line)
		if n == 0 || n >= len(line) || line[n] != ':' || len(notes) >= mostNotes {
			continue
		}
		if notes == nil {
			notes = map[string]bool{}
		}
		notes[label] = true
	}
	return notes
}

// footnote takes the first line of a footnote. Its text, and the indented lines below it, are prose
// where they stand.
func (s asides) footnote(i int, body []byte, cols int) int {
	_, n := noteLabel(body)
	if n == 0 || n >= len(body) || body[n] != ':' || cols-s.strip >= 4 || s.list >= 0 && cols-s.strip >= s.list {
		return i
	}
	s.list = -1
	text, _ := withoutAttributes(bytes.TrimSpace(body[n+1:]))
	text, _ = s.withoutNotes(text)
	text, _ = s.guard.guardLine(text)
	// Behind text, another footnote, say, and where its own text begins as a heading or a list, it
	// needs a line that is a block of its own.
	if !s.blank || len(text) == 0 || bytes.IndexByte([]byte("#>-+*=|~`<:"), text[0]) >= 0 || listMarker(text) > 0 {
		s.titleLine(i, string(text))
	} else {
		s.emitParts(i, text)
	}
	s.pushFrame(frame{name: "[^", line: i, list: s.list, indent: cols}, i, cols)
	return i + 1
}

// withoutNotes takes the signs of the page's footnotes out of a line, "[^label]", and leaves code
// as it is.
func (s asides) withoutNotes(line []byte) (rest []byte, changed bool) {
	if len(s.notes) == 0 || !bytes.Contains(line, []byte("[^")) {
		return line, false
	}
	var out []byte
	from := 0 // of the bytes that are not in out yet
	for i := 0; i < len(line); {
		switch line[i] {
		case '\\':
			i += 2
			continue
		case '`':
			i += codeBytes(line[i:])
			continue
		case '[':
			if label, n := noteLabel(line[i:]); s.notes[label] {
				out = append(out, line[from:i]...)
				i += n
				from = i
				continue
			}
		}
		i++
	}
	if from == 0 {
		return line, false
	}
	return append(out, line[min(from, len(line)):]...), true
}

// hint takes the first line of a hint of docsify, "!> text" and "?> text": a paragraph that is an
// admonition.
func (s asides) hint(i int, line []byte, n int) int {
	text := bytes.TrimLeft(line[n+1:], ">")
	if !s.blank || s.list >= 0 || len(line)-n-len(text) != 2 || len(text) < 2 || text[0] != ' ' && text[0] != '*' {
		return i
	}
	last := i
	for last < len(s.lines)-2 && last-i < mostDescribed && isProse(s.lineAt(last+1)) {
		last++
	}
	s.Regions = append(s.Regions, Region{i, last, doc.Admonition, line[n] == '!'})
	text, _ = withoutAttributes(bytes.TrimSpace(text))
	text, _ = s.withoutNotes(text)
	s.writePlain(i, text, true)
	return i + 1
}
