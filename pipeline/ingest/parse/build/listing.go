package build

import (
	"strings"

	"docent/store/doc"
)

// Line is a line of code with its own place in the source.
type Line struct {
	Text string
	At   doc.Location
}

// Listing writes a block of code as Code does, of lines that may stand anywhere in the
// source.
func (w *Writer) Listing(lang string, lines []Line) {
	for len(lines) > 0 && strings.TrimSpace(lines[0].Text) == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1].Text) == "" {
		lines = lines[:len(lines)-1]
	}
	if len(lines) == 0 {
		return
	}
	longest := 2
	for _, l := range lines {
		longest = max(longest, longestRun(l.Text, '`'))
	}
	fence := strings.Repeat("`", longest+1)
	at, counting := w.at, w.counting
	w.At(lines[0].At)
	w.beginBlock(blockOther)
	w.openQuotes()
	w.writeLine(fence+fenceLanguage(lang), 0)
	for _, l := range lines {
		w.at = l.At
		w.writeLine(strings.ReplaceAll(codeText(l.Text), "\n", " "), 0)
	}
	w.writeLine(fence, 0)
	w.at, w.counting = at, counting
}
